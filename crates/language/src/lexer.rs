//! Words, numbers, names and signs.

use crate::ast::Span;

/// One piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name.
    Word,
    /// A word that is no name: one of [`KEYWORDS`].
    Keyword(&'static str),
    /// A name in quotes, without them and their escapes.
    Quoted(String),
    /// Digits, perhaps with a `_` between two of them.
    Integer,
    /// One of the signs.
    Sign(&'static str),
    /// Something that is no token, and why.
    Wrong(String),
    /// The end of the text.
    End,
}

impl Kind {
    /// The sign or the keyword, else nothing.
    pub fn lexeme(&self) -> &'static str {
        match self {
            Kind::Keyword(lexeme) | Kind::Sign(lexeme) => lexeme,
            _ => "",
        }
    }
}

/// A piece and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the text.
    pub span: Span,
    /// Whether it is the first of its line.
    pub first: bool,
}

/// A text in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexed {
    /// The pieces; the last, and only that, is [`Kind::End`].
    pub tokens: Vec<Token>,
    /// The comments, from `//` to the end of the line.
    pub comments: Vec<Span>,
}

/// The words that are no names, sorted.
pub const KEYWORDS: [&str; 50] = [
    "all",
    "and",
    "array",
    "bool",
    "capacity",
    "cyclic",
    "delay",
    "derived",
    "else",
    "enum",
    "exists",
    "false",
    "fn",
    "for",
    "forall",
    "if",
    "in",
    "inhibit",
    "is",
    "it",
    "let",
    "list",
    "max",
    "mod",
    "net",
    "not",
    "of",
    "or",
    "out",
    "param",
    "place",
    "priority",
    "progress",
    "property",
    "read",
    "reset",
    "set",
    "struct",
    "sum",
    "then",
    "timed",
    "transition",
    "true",
    "type",
    "union",
    "unit",
    "when",
    "where",
    "with",
    "xor",
];

/// Every sign of the language; those that begin another stand after it.
const SIGNS: [&str; 41] = [
    "<->", "<=>", "<=", "<>", "<", ">=", ">", "==", "=>", "=", "!=", "!", "->", "-", "+", "*", "/", "&&",
    "&", "||", "|", "^", "(", ")", "[", "]", "{", "}", ",", ":", ";", "#", "'", "..", ".", "≤", "≥", "≠",
    "¬", "∧", "∨",
];

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The keyword that a word is.
fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.binary_search(&word).ok().map(|at| KEYWORDS[at])
}

/// Whether a name can be written without quotes.
pub fn is_plain_name(name: &str) -> bool {
    name.starts_with(starts_word) && name.chars().all(continues_word) && keyword(name).is_none()
}

/// A name in quotes, with what it needs escaped.
pub fn quote(name: &str) -> String {
    let mut quoted = String::from("\"");
    for c in name.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '"' | '\\' => quoted.extend(['\\', c]),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Cuts the text.
pub fn lex(text: &str) -> Lexed {
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    let (mut at, mut first_of_line) = (0, true);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() || first == '\u{feff}' && at == 0 {
            first_of_line |= first == '\n';
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            comments.push(at..at + rest[..length].trim_end().len());
            at += length;
            continue;
        }
        let (kind, length) = if starts_word(first) {
            let length = rest.find(|c| !continues_word(c)).unwrap_or(rest.len());
            (keyword(&rest[..length]).map_or(Kind::Word, Kind::Keyword), length)
        } else if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
            match rest[..length].split('_').all(|digits| !digits.is_empty()) {
                true => (Kind::Integer, length),
                false => {
                    let message = "in a number, each '_' stands alone between two digits";
                    (Kind::Wrong(message.to_owned()), length)
                }
            }
        } else if first == '"' {
            let (name, length) = quoted(rest, '"');
            (name.map_or_else(Kind::Wrong, Kind::Quoted), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            (Kind::Wrong(format!("'{}' has no meaning here", first.escape_debug())), first.len_utf8())
        };
        tokens.push(Token { kind, span: at..at + length, first: first_of_line });
        at += length;
        first_of_line = false;
    }
    tokens.push(Token { kind: Kind::End, span: text.len()..text.len(), first: true });
    Lexed { tokens, comments }
}

/// A name in quotes, without them and their escapes, or what is wrong with it; and its length. It ends on its line, so
/// that a forgotten quote spoils one line and not the file.
pub fn quoted(rest: &str, close: char) -> (Result<String, String>, usize) {
    let is_missing = || Err(format!("the closing {close} is missing"));
    let mut name = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => return (is_missing(), at),
            '\\' => match chars.next() {
                Some((_, 'n')) => name.push('\n'),
                Some((_, 'r')) => name.push('\r'),
                Some((_, 't')) => name.push('\t'),
                Some((_, c)) if c != '\n' => name.push(c),
                _ => return (Err("'\\' protects nothing here".to_owned()), at + 1),
            },
            c if c == close => return (Ok(name), at + c.len_utf8()),
            c => name.push(c),
        }
    }
    (is_missing(), rest.len())
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, Kind, lex};

    fn pieces(text: &str) -> Vec<&str> {
        lex(text).tokens.iter().map(|token| &text[token.span.clone()]).collect()
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_coefficient_a_range_and_a_numbered_field_are_three_pieces_each() {
        assert_eq!(pieces("3'v"), ["3", "'", "v", ""]);
        assert_eq!(pieces("1..N"), ["1", "..", "N", ""]);
        assert_eq!(pieces("e.0.1"), ["e", ".", "0", ".", "1", ""]);
        assert_eq!(pieces("1_000"), ["1_000", ""]);
    }

    #[test]
    fn comments_are_set_aside() {
        let lexed = lex("a // b\n/// c");
        assert_eq!((lexed.tokens.len(), lexed.comments), (2, vec![2..6, 7..12]));
    }

    #[test]
    fn quotes_protect_any_name() {
        assert_eq!(lex(r#""a \"b\" \\ c""#).tokens[0].kind, Kind::Quoted(r#"a "b" \ c"#.into()));
        assert!(matches!(lex("\"a\nb").tokens[0].kind, Kind::Wrong(_)));
    }
}
