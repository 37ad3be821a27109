//! The line of a file that is wrong, with the place underlined, for formats whose readers keep no text.
//!
//! Such files can have hundreds of megabytes, so they go by while they are read. Whoever has to show a line opens the
//! file again. What cannot be opened again (standard input, pipes), or is no longer there, is not shown.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use sweepnet_formats::Position;
use sweepnet_language::diagnostic::underlined;

/// The most bytes of a line that are looked at; a place further right is told by its numbers alone.
const LINE: u64 = 1 << 16;

/// A message with the line that it is about: `error: net.pnml:3:5: …`.
pub fn message(severity: &str, name: &str, file: Option<&Path>, at: Position, message: &str) -> String {
    let told = format!("{severity}: {name}:{}:{}: {message}", at.line, at.column);
    match file.and_then(|file| line(file, at.line)).and_then(|line| below(&line, at)) {
        Some(below) => format!("{told}\n{below}"),
        None => told,
    }
}

fn line(file: &Path, number: u64) -> Option<String> {
    // A pipe cannot be read again: it would wait for a writer, or go on where it was left.
    std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    let mut source = BufReader::new(File::open(file).ok()?);
    for _ in 1..number {
        if source.skip_until(b'\n').ok()? == 0 {
            return None;
        }
    }
    let mut bytes = Vec::new();
    source.take(LINE).read_until(b'\n', &mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end().trim_start_matches('\u{feff}').to_owned())
}

fn below(line: &str, at: Position) -> Option<String> {
    let column = usize::try_from(at.column).ok()?.checked_sub(1)?;
    let start = line.char_indices().map(|(start, _)| start).chain([line.len()]).nth(column)?;
    let end = start + word(&line[start..]).len();
    Some(underlined(at.line, line, start..end).trim_end().to_owned())
}

/// What stands at the beginning of a text: a tag, or all up to the next blank or tag.
fn word(text: &str) -> &str {
    let end = match text.starts_with('<') {
        true => text.find('>').map(|end| end + 1),
        false => text.find(|c: char| c.is_whitespace() || c == '<'),
    };
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_or_a_word_is_underlined() {
        let at = |column| Position { line: 12, column };
        let line = "  <place id=\"ü\"><text>-1</text>";
        assert_eq!(
            below(line, at(3)).as_deref(),
            Some("   |\n12 |   <place id=\"ü\"><text>-1</text>\n   |   ^^^^^^^^^^^^^^")
        );
        assert_eq!(below(line, at(23)).map(|shown| shown.matches('^').count()), Some(2));
        assert_eq!(below("x", at(2)).map(|shown| shown.matches('^').count()), Some(1), "behind the end");
        assert_eq!(below(line, at(99)), None);
    }
}
