//! Whether tests show every message: whoever adds one shows what it looks like.
//!
//! A message is a string of the sources with a blank in it. It is shown if all its parts between the holes are
//! somewhere in the crate's tests or their snapshots.

use std::fs;
use std::path::{Path, PathBuf};

/// The test that asks; what it says of messages does not show them.
const ASKING: &str = "every_message.rs";

/// The messages in these files and folders of a crate's `src` that its tests do not show, and those of `known` that
/// are shown after all or are not there.
///
/// `known` are messages that cannot be reached, or strings that are no messages.
pub fn unseen(root: &str, sources: &[&str], known: &[&str]) -> Vec<String> {
    let root = Path::new(root);
    let tests = files(root.join("tests")).into_iter().filter(|path| !path.ends_with(ASKING));
    let shown: String = tests.map(|path| text(&path)).collect();
    let mut known: Vec<(&str, bool)> = known.iter().map(|message| (*message, false)).collect();
    let mut unseen = Vec::new();
    for path in sources.iter().flat_map(|source| files(root.join("src").join(source))) {
        for message in strings(&text(&path)).into_iter().filter(|message| message.trim().contains(' ')) {
            if parts(&message).all(|part| shown.contains(&part)) {
                continue;
            }
            match known.iter_mut().find(|(known, _)| *known == message) {
                Some((_, met)) => *met = true,
                None => unseen.push(format!("{}: {message}", path.display())),
            }
        }
    }
    unseen.extend(known.iter().filter(|(_, met)| !met).map(|(message, _)| format!("needless: {message}")));
    unseen
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("it is a text")
}

/// All files below a path.
fn files(path: PathBuf) -> Vec<PathBuf> {
    match fs::read_dir(&path) {
        Ok(entries) => entries.flat_map(|entry| files(entry.expect("it can be listed").path())).collect(),
        Err(_) => vec![path],
    }
}

/// The strings of a source, without those in comments and tests, and those that are written to a file.
fn strings(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut strings = Vec::new();
    let skipped = |line: &&str| {
        line.trim_start().starts_with("//")
            || ["reason = ", "write!(out", "writeln!(out"].iter().any(|mark| line.contains(mark))
    };
    for line in source.lines().filter(|line| !skipped(line)) {
        // Backslashes and quotes inside of strings are set aside while the other quotes divide the line.
        let line =
            line.replace("'\"'", "").replace("\\\\", "\x01").replace("\\\"", "\x02").replace("\\n", "");
        let inside = line.split('"').skip(1).step_by(2);
        strings.extend(inside.map(|string| string.replace('\x01', "\\").replace('\x02', "\"")));
    }
    strings
}

/// The parts of a message between its holes.
fn parts(message: &str) -> impl Iterator<Item = String> {
    let mut parts: Vec<String> = message.split('{').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1) {
        // `{name}` and `{0:04X}` are holes; a brace by itself is text.
        if let Some((hole, rest)) = part.split_once('}')
            && hole.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':')
        {
            *part = rest.to_owned();
        }
    }
    parts.into_iter().filter(|part| part.contains(' ') && part.contains(char::is_alphabetic))
}
