//! The words of LoLA's format. Nearly every character can be part of a name.

use std::fmt;

use crate::error::clip;
use crate::text::Text;
use crate::{ErrorKind, Position, ReadError, words};

/// Words that are no names.
const KEYWORDS: [&str; 20] = [
    "PLACE",
    "MARKING",
    "TRANSITION",
    "CONSUME",
    "PRODUCE",
    "SAFE",
    "WEAK",
    "STRONG",
    "FAIR",
    "FORMULA",
    "ANALYSE",
    "AUTOMATON",
    "SORT",
    "FUNCTION",
    "VAR",
    "GUARD",
    "BEGIN",
    "END",
    "RETURN",
    "RECORD",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Keyword(&'static str),
    /// A name or a number.
    Word(String),
    /// One of `, ; : ( )`.
    Sign(char),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Keyword(word) => f.write_str(word),
            Token::Word(word) => write!(f, "'{}'", clip(word)),
            Token::Sign(sign) => write!(f, "'{sign}'"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Whether the character can be part of a name.
pub(super) fn is_name_char(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | ';' | ':' | '(' | ')' | '{' | '}')
}

/// Whether this is a name.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_name_char) && !name.starts_with("//") && !KEYWORDS.contains(&name)
}

impl words::Token for Token {
    const END: Self = Self::End;

    fn read(c: char, at: Position, text: &mut Text<'_>) -> Result<Option<Self>, ReadError> {
        let token = match c {
            _ if c.is_whitespace() => return Ok(None),
            '{' => {
                if !text.skip_past('}')? {
                    let (inside, expected) = ("a comment".to_owned(), "'}'".to_owned());
                    return Err(ErrorKind::UnexpectedEnd { inside, expected }.at(at));
                }
                return Ok(None);
            }
            '/' if text.peek()? == Some('/') => {
                text.skip_past('\n')?;
                return Ok(None);
            }
            ',' | ';' | ':' | '(' | ')' => Token::Sign(c),
            _ if is_name_char(c) => {
                let mut word = String::from(c);
                word += &text.take_while(is_name_char)?;
                match KEYWORDS.iter().find(|keyword| **keyword == word) {
                    Some(keyword) => Token::Keyword(keyword),
                    None => Token::Word(word),
                }
            }
            _ => {
                let found = format!("the character U+{:04X}", u32::from(c));
                return Err(ErrorKind::unexpected(found, "a name or a keyword").at(at));
            }
        };
        Ok(Some(token))
    }

    /// A word of high-level nets explains itself.
    fn unexpected(&self, expected: &str) -> ErrorKind {
        match self {
            Self::Keyword(word @ ("SORT" | "FUNCTION" | "VAR" | "GUARD")) => {
                ErrorKind::Coloured(format!("'{word}'"))
            }
            _ => ErrorKind::unexpected(self.to_string(), expected),
        }
    }
}
