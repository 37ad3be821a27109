//! A text as a stream of words, one ahead, for the formats that are not XML.

use std::fmt;

use crate::text::Text;
use crate::{ErrorKind, Position, ReadError};

/// What the words of a format are.
pub(crate) trait Token: fmt::Display + PartialEq + Sized {
    /// What comes behind the last word.
    const END: Self;

    /// The word that begins with this character, which is taken already; nothing if that is a blank or begins a comment.
    fn read(first: char, at: Position, text: &mut Text<'_>) -> Result<Option<Self>, ReadError>;

    /// What is wrong with it where something else was expected.
    fn unexpected(&self, expected: &str) -> ErrorKind {
        ErrorKind::unexpected(self.to_string(), expected)
    }
}

/// The words of a file.
pub(crate) struct Words<'a, T> {
    text: Text<'a>,
    /// The word to look at next, and where it is.
    pub(crate) token: T,
    pub(crate) at: Position,
}

impl<'a, T: Token> Words<'a, T> {
    /// The words of a text, at the first one.
    pub(crate) fn new(text: Text<'a>) -> Result<Self, ReadError> {
        let at = text.position();
        let mut words = Self { text, token: T::END, at };
        words.advance()?;
        Ok(words)
    }

    /// Goes on to the next word.
    pub(crate) fn advance(&mut self) -> Result<(), ReadError> {
        loop {
            self.at = self.text.position();
            let token = match self.text.next()? {
                Some(first) => T::read(first, self.at, &mut self.text)?,
                None => Some(T::END),
            };
            if let Some(token) = token {
                self.token = token;
                return Ok(());
            }
        }
    }

    /// Goes on to the next word if this is the one that must stand here.
    pub(crate) fn expect(&mut self, wanted: T, expected: &str) -> Result<(), ReadError> {
        match self.token == wanted {
            true => self.advance(),
            false => Err(self.unexpected(expected)),
        }
    }

    /// The error that this word should be something else.
    pub(crate) fn unexpected(&self, expected: &str) -> ReadError {
        self.token.unexpected(expected).at(self.at)
    }
}
