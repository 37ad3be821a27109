//! Where in a stream a reader is.

use std::fmt;
use std::io::{BufRead, Read};

/// A line and a column, both from 1; the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in bytes.
    pub column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Counts the lines that pass through it.
#[derive(Debug)]
pub(super) struct Lines<R> {
    inner: R,
    position: Position,
}

impl<R> Lines<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, position: Position { line: 1, column: 1 } }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    fn pass(&mut self, bytes: &[u8]) {
        let position = &mut self.position;
        match bytes.iter().rposition(|b| *b == b'\n') {
            Some(last) => {
                position.line += bytes.iter().filter(|b| **b == b'\n').count() as u64;
                position.column = (bytes.len() - last) as u64;
            }
            None => position.column += bytes.len() as u64,
        }
    }
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.pass(&buffer[..length]);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Lines<R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // What is consumed is in the buffer already, so that this reads nothing.
        let mut position = self.position;
        if let Ok(buffer) = self.inner.fill_buf() {
            let mut lines = Lines { inner: (), position };
            lines.pass(&buffer[..amount.min(buffer.len())]);
            position = lines.position;
        }
        self.position = position;
        self.inner.consume(amount);
    }
}
