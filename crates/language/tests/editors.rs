//! The grammars in `editors/` know every keyword.

use std::path::Path;

use sweepnet_language::lexer::KEYWORDS;

fn words(path: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
}

#[test]
fn every_keyword_has_a_colour() {
    for file in ["vscode/syntaxes/snet.tmLanguage.json", "vim/syntax/snet.vim"] {
        let words = words(file);
        let missing: Vec<&str> =
            KEYWORDS.into_iter().filter(|keyword| !words.iter().any(|word| word == keyword)).collect();
        assert!(missing.is_empty(), "{file} does not know {missing:?}");
    }
}
