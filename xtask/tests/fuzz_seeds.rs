//! The fuzzers' seeds are models: one that cannot be read leads nowhere.

use std::path::Path;

use sweepnet_formats::Model;
use xtask::answers::open;

fn seeds(target: &str) -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds").join(target);
    let files = std::fs::read_dir(folder).expect("there are seeds");
    files.map(|file| file.expect("it can be listed").path()).collect()
}

#[test]
fn seeds_in_the_language_are_models() {
    for path in seeds("language") {
        let text = std::fs::read_to_string(&path).expect("it is text");
        if let Err(errors) = sweepnet_language::read(&text, &[]) {
            let rendered: Vec<String> = errors.iter().map(|error| error.render("seed", &text)).collect();
            panic!("{}: {}", path.display(), rendered.join("\n"));
        }
    }
}

#[test]
fn symmetric_seeds_are_coloured_nets() {
    for path in seeds("symmetric") {
        assert!(matches!(open(&path), Model::Coloured(_)), "{}", path.display());
    }
}
