//! Every message is in a snapshot: whoever adds one shows what it looks like.

use std::fs;
use std::path::{Path, PathBuf};

/// Where messages are made.
const SOURCES: [&str; 5] = ["check", "diagnostic.rs", "lexer.rs", "model.rs", "parser"];

/// All files below a path.
fn files(path: PathBuf) -> Vec<PathBuf> {
    match fs::read_dir(&path) {
        Ok(entries) => entries.flat_map(|entry| files(entry.expect("it can be listed").path())).collect(),
        Err(_) => vec![path],
    }
}

/// The strings of a source, without those in comments and tests.
fn strings(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut strings = Vec::new();
    let skipped = |line: &&str| line.trim_start().starts_with("//") || line.contains("reason = ");
    for line in source.lines().filter(|line| !skipped(line)) {
        let line = line.replace("'\"'", "").replace("\\\"", "").replace("\\n", "").replace("\\\\", "\\");
        strings.extend(line.split('"').skip(1).step_by(2).map(str::to_owned));
    }
    strings
}

/// The parts of a message between its holes.
fn parts(message: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = message.split('{').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1) {
        // `{name}` is a hole; a brace by itself is text.
        if let Some((hole, rest)) = part.split_once('}')
            && hole.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            *part = rest.to_owned();
        }
    }
    parts.into_iter().filter(|part| part.contains(' ') && part.contains(char::is_alphabetic))
}

#[test]
fn every_message_is_in_a_snapshot() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shown: String = files(root.join("tests"))
        .iter()
        .filter(|path| !path.ends_with(file!()))
        .map(|path| fs::read_to_string(path).expect("it is a text"))
        .collect();
    let mut missing = Vec::new();
    for path in SOURCES.into_iter().flat_map(|source| files(root.join("src").join(source))) {
        let source = fs::read_to_string(&path).expect("it is a text");
        for message in strings(&source).into_iter().filter(|message| message.trim().contains(' ')) {
            let unseen = parts(&message).any(|part| !shown.contains(&part));
            if unseen {
                missing.push(format!("{}: {message}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no snapshot shows\n{}", missing.join("\n"));
}
