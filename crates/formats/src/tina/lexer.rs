//! The words of TINA's format. Blanks and ends of lines only separate; a `#` begins a comment.

use std::fmt;

use crate::error::clip;
use crate::text::Text;
use crate::{ErrorKind, Position, ReadError, words};

/// Words that begin a declaration. A node with such a name has to be written in braces.
pub(super) const KEYWORDS: [&str; 6] = ["net", "tr", "pl", "lb", "pr", "nt"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Keyword(&'static str),
    /// Letters, digits, primes and underscores: a name or a number.
    Word(String),
    /// A name in braces.
    Quoted(String),
    /// One of `: ( ) [ ] , * ? ! < > -`.
    Sign(char),
    /// `->`
    Arrow,
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Keyword(word) => write!(f, "'{word}'"),
            Token::Word(word) => write!(f, "'{}'", clip(word)),
            Token::Quoted(name) => write!(f, "'{{{}}}'", clip(name)),
            Token::Sign(sign) => write!(f, "'{sign}'"),
            Token::Arrow => f.write_str("'->'"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Whether a name can stand without braces.
pub(super) fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '\'')
}

impl words::Token for Token {
    const END: Self = Self::End;

    fn read(c: char, at: Position, text: &mut Text<'_>) -> Result<Option<Self>, ReadError> {
        let token = match c {
            _ if c.is_whitespace() => return Ok(None),
            '#' => {
                text.skip_past('\n')?;
                return Ok(None);
            }
            '{' => Token::Quoted(quoted(at, text)?),
            '-' if text.eat('>')? => Token::Arrow,
            ':' | '(' | ')' | '[' | ']' | ',' | '*' | '?' | '!' | '<' | '>' | '-' => Token::Sign(c),
            // Other letters are tolerated; the writer puts them in braces.
            _ if is_word_char(c) || c.is_alphanumeric() => {
                let mut word = String::from(c);
                word += &text.take_while(|c| is_word_char(c) || c.is_alphanumeric())?;
                match KEYWORDS.iter().find(|keyword| **keyword == word) {
                    Some(keyword) => Token::Keyword(keyword),
                    None => Token::Word(word),
                }
            }
            _ => {
                let found = format!("the character '{}'", clip(&c.to_string()));
                let expected =
                    "a name; names with other characters than letters, digits, _ and ' stand in {braces}";
                return Err(ErrorKind::unexpected(found, expected).at(at));
            }
        };
        Ok(Some(token))
    }
}

/// The rest of a name in braces. `\` takes the meaning from a brace or another `\`.
fn quoted(at: Position, text: &mut Text<'_>) -> Result<String, ReadError> {
    let mut name = String::new();
    loop {
        match text.next()? {
            Some('}') => return Ok(name),
            Some('\\') => match text.peek()? {
                Some(c @ ('{' | '}' | '\\')) => {
                    text.take(c);
                    name.push(c);
                }
                _ => name.push('\\'),
            },
            Some(c) => name.push(c),
            None => {
                let (inside, expected) = ("a name in braces".to_owned(), "'}'".to_owned());
                return Err(ErrorKind::UnexpectedEnd { inside, expected }.at(at));
            }
        }
    }
}
