//! Where in a file something is, and a stream that keeps count of it.

use std::io::{self, BufRead, Read};

/// A place in a text, counted from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u64,
    /// The character in the line.
    pub column: u64,
}

impl Position {
    /// The first character of a file.
    pub const START: Position = Position { line: 1, column: 1 };

    /// Moves past these bytes of UTF-8.
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        let mut last_line = bytes;
        if let Some(last) = bytes.iter().rposition(|b| *b == b'\n') {
            self.line += bytes[..=last].iter().filter(|b| **b == b'\n').count() as u64;
            self.column = 1;
            last_line = &bytes[last + 1..];
        }
        // Every byte but those that continue a character.
        self.column += last_line.iter().filter(|b| **b & 0xC0 != 0x80).count() as u64;
    }
}

/// A stream that knows the position of its next byte.
///
/// The XML parser takes exactly the bytes of one event at a time, so the position before a call is where the
/// event begins.
pub(crate) struct Counted<R> {
    input: R,
    position: Position,
}

impl<R: BufRead> Counted<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, position: Position::START }
    }

    pub(crate) fn position(&self) -> Position {
        self.position
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(out)?;
        self.position.advance(&out[..n]);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed was just looked at, so it is still in the buffer.
        if let Ok(buffer) = self.input.fill_buf() {
            self.position.advance(&buffer[..amount.min(buffer.len())]);
        }
        self.input.consume(amount);
    }
}
