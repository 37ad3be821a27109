//! The fields at the beginning of a file.

use super::{FileError, MAGIC, VERSION};

/// Words of the head, before the texts.
pub const HEAD: usize = 18;

/// Where the head's checksum is among its words: it counts as zero when the checksum is made.
pub const CHECKSUM: usize = 2;

/// The fields, in the order in which they are written after the magic word, the version and the head's
/// checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    pub body_checksum: u64,
    /// Bit 0: complete, bit 1: exact.
    pub flags: u64,
    pub model: u64,
    pub nodes: u64,
    pub started: u64,
    pub edges: u64,
    pub events: u64,
    /// Bytes of the texts, and words that they take.
    pub text_bytes: u64,
    pub text_words: u64,
    /// Words of the parts of the body.
    pub stream: u64,
    pub low: u64,
    pub high: u64,
    pub samples: u64,
    pub open: u64,
    /// Bits that offsets keep as they are.
    pub low_bits: u64,
}

impl Head {
    fn fields(&mut self) -> [&mut u64; HEAD - 3] {
        [
            &mut self.body_checksum,
            &mut self.flags,
            &mut self.model,
            &mut self.nodes,
            &mut self.started,
            &mut self.edges,
            &mut self.events,
            &mut self.text_bytes,
            &mut self.text_words,
            &mut self.stream,
            &mut self.low,
            &mut self.high,
            &mut self.samples,
            &mut self.open,
            &mut self.low_bits,
        ]
    }

    /// The words of the head, with its checksum still zero.
    pub fn words(mut self) -> [u64; HEAD] {
        let mut words = [0; HEAD];
        words[..2].copy_from_slice(&[MAGIC, VERSION]);
        for (word, field) in words[3..].iter_mut().zip(self.fields()) {
            *word = *field;
        }
        words
    }

    /// The head of a file that begins with these words; the checksum besides.
    pub fn read(words: &[u64]) -> Result<(Self, u64), FileError> {
        let at = |i: usize| words.get(i).map(|word| u64::from_le(*word));
        match (at(0), at(1)) {
            (Some(MAGIC), Some(VERSION)) => {}
            (Some(MAGIC), Some(version)) if version > VERSION => return Err(FileError::TooNew(version)),
            _ => return Err(FileError::Foreign),
        }
        let mut head = Self::default();
        for (i, field) in head.fields().into_iter().enumerate() {
            let found = words.len() as u64 * 8;
            *field = at(i + 3).ok_or(FileError::Size { expected: HEAD as u64 * 8, found })?;
        }
        Ok((head, at(CHECKSUM).unwrap_or(0)))
    }

    /// Words of the body's parts.
    pub fn parts(&self) -> [u64; 5] {
        [self.stream, self.low, self.high, self.samples, self.open]
    }

    /// Words of the whole file, unless they are absurdly many.
    pub fn file_words(&self) -> Option<u64> {
        let parts = self.parts().into_iter().try_fold(0u64, u64::checked_add)?;
        parts.checked_add(self.text_words)?.checked_add(HEAD as u64)
    }
}
