//! Words, numbers, names and signs.

use std::ops::Range;

use sweepnet_language::lexer::quoted;

/// One piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name.
    Word,
    /// A name in quotes, without them and their escapes.
    Quoted(String),
    /// Digits.
    Number,
    /// One of [`SIGNS`].
    Sign(&'static str),
    /// Something that is no token, and why.
    Wrong(String),
    /// The end of the text.
    End,
}

/// A piece and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the text.
    pub span: Range<usize>,
}

/// Every sign of the language; those that begin another stand after it.
pub const SIGNS: [&str; 33] = [
    "<->", "<=>", "<=", "<>", "<", ">=", ">", "==", "=>", "=", "!=", "!", "->", "-", "+", "*", "&&", "&",
    "||", "|", "^", "(", ")", "[", "]", ",", ":", ";", "#", "≤", "≥", "≠", "¬",
];

/// The one word that is never a name, because it starts the next property of a file.
pub const SEPARATOR: &str = "property";

fn starts_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn continues_word(c: char) -> bool {
    starts_word(c) || c == '.' || c == '\''
}

/// Whether a name can be written without quotes.
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(starts_word)
        && name.chars().all(continues_word)
        && !name.chars().all(|c| c.is_ascii_digit())
        && name != SEPARATOR
}

/// Cuts the text. The last token, and only that, is [`Kind::End`].
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = if starts_word(first) {
            word(rest)
        } else if let '"' | '\'' | '{' = first {
            let (name, length) = quoted(rest, if first == '{' { '}' } else { first });
            (name.map_or_else(Kind::Wrong, Kind::Quoted), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            (Kind::Wrong(format!("'{}' has no meaning here", first.escape_debug())), first.len_utf8())
        };
        tokens.push(Token { kind, span: at..at + length });
        at += length;
    }
    tokens.push(Token { kind: Kind::End, span: text.len()..text.len() });
    tokens
}

fn word(rest: &str) -> (Kind, usize) {
    let length = rest.find(|c| !continues_word(c)).unwrap_or(rest.len());
    let number = rest[..length].bytes().all(|b| b.is_ascii_digit());
    (if number { Kind::Number } else { Kind::Word }, length)
}
