//! A text as a stream of characters, with positions, for the formats that are not XML.

use std::io::{BufRead, Read};

use crate::encoding::{self, Decoded};
use crate::{ErrorKind, Position, ReadError};

/// Characters of a file, one ahead.
pub(crate) struct Text<'a> {
    input: Decoded<'a>,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    position: Position,
}

impl<'a> Text<'a> {
    const CHUNK: usize = 64 * 1024;

    pub(crate) fn new(input: &'a mut dyn BufRead) -> Result<Self, ReadError> {
        let input = encoding::open_text(input)?;
        Ok(Self { input, buffer: Vec::new(), at: 0, ended: false, position: Position::START })
    }

    /// Where the next character is.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// The next character, without taking it; nothing at the end.
    pub(crate) fn peek(&mut self) -> Result<Option<char>, ReadError> {
        // A character is at most four bytes long.
        if self.buffer.len() - self.at < 4 && !self.ended {
            self.fill()?;
        }
        let rest = &self.buffer[self.at..];
        let Some(first) = rest.first() else { return Ok(None) };
        if first.is_ascii() {
            return Ok(Some(char::from(*first)));
        }
        let length = match first {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
        let bytes = &rest[..length.min(rest.len())];
        match std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()) {
            Some(c) => Ok(Some(c)),
            None => Err(ErrorKind::NotUtf8.at(self.position)),
        }
    }

    /// Takes the character that [`peek`](Self::peek) gave.
    pub(crate) fn take(&mut self, c: char) {
        self.at += c.len_utf8();
        if c == '\n' {
            self.position.line += 1;
            self.position.column = 1;
        } else {
            self.position.column += 1;
        }
    }

    /// Takes the next character.
    pub(crate) fn next(&mut self) -> Result<Option<char>, ReadError> {
        let c = self.peek()?;
        if let Some(c) = c {
            self.take(c);
        }
        Ok(c)
    }

    /// Takes the next character if it is this one.
    pub(crate) fn eat(&mut self, wanted: char) -> Result<bool, ReadError> {
        let found = self.peek()? == Some(wanted);
        if found {
            self.take(wanted);
        }
        Ok(found)
    }

    /// Takes characters while they belong.
    pub(crate) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> Result<String, ReadError> {
        let mut taken = String::new();
        while let Some(c) = self.peek()?.filter(|c| belongs(*c)) {
            self.take(c);
            taken.push(c);
        }
        Ok(taken)
    }

    /// Skips up to and including this character; false if the file ends before.
    pub(crate) fn skip_past(&mut self, last: char) -> Result<bool, ReadError> {
        while let Some(c) = self.next()? {
            if c == last {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fill(&mut self) -> Result<(), ReadError> {
        self.buffer.drain(..self.at);
        self.at = 0;
        while self.buffer.len() < 4 && !self.ended {
            let old = self.buffer.len();
            let input = &mut self.input;
            let read = input.take(Self::CHUNK as u64).read_to_end(&mut self.buffer);
            read.map_err(|e| ErrorKind::from(e).at(self.position))?;
            self.ended = self.buffer.len() == old;
        }
        Ok(())
    }
}
