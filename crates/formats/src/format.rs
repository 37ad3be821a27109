//! The formats, and how to tell which one a file is in.

use std::fmt;
use std::path::Path;

/// A file format for nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The Petri Net Markup Language, ISO/IEC 15909-2.
    Pnml,
    /// The textual format of the TINA toolbox.
    Tina,
    /// The low-level nets of LoLA.
    Lola,
    /// Drawings for Graphviz; written only.
    Dot,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Pnml, Format::Tina, Format::Lola, Format::Dot];

    /// Its name in lower case, as given on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Pnml => "pnml",
            Format::Tina => "tina",
            Format::Lola => "lola",
            Format::Dot => "dot",
        }
    }

    /// The format with this name, in any case.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that the path's extension speaks of.
    pub fn from_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pnml" | "xml" => Some(Format::Pnml),
            "net" | "tina" => Some(Format::Tina),
            "lola" => Some(Format::Lola),
            "dot" | "gv" => Some(Format::Dot),
            _ => None,
        }
    }

    /// The format of a file that begins with these bytes. A few hundred are enough unless the file opens with a
    /// long comment.
    pub fn detect(first_bytes: &[u8]) -> Option<Format> {
        let bytes = first_bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first_bytes);
        // XML in an encoding of two bytes: the PNML reader explains what to do about it.
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Some(Format::Pnml);
        }
        let text = String::from_utf8_lossy(bytes);
        let mut rest = text.trim_start();
        loop {
            let comment_end = match rest.chars().next()? {
                '<' => return Some(Format::Pnml),
                '#' => '\n',
                '/' if rest.starts_with("//") => '\n',
                '{' => '}',
                _ => break,
            };
            rest = rest.split_once(comment_end)?.1.trim_start();
        }
        let word = rest.split(|c: char| c.is_whitespace() || matches!(c, '{' | ':' | ';')).next()?;
        match word {
            "net" | "tr" | "pl" | "lb" | "pr" | "nt" => Some(Format::Tina),
            "PLACE" | "SORT" | "FUNCTION" => Some(Format::Lola),
            "digraph" | "graph" | "strict" => Some(Format::Dot),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Pnml => "PNML",
            Format::Tina => "TINA",
            Format::Lola => "LoLA",
            Format::Dot => "DOT",
        })
    }
}
