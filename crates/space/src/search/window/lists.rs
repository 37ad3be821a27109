//! Sorted lists of keys in circular memory.
//!
//! A level's keys are close together, and their differences repeat: a list is a row of runs, each a difference and how
//! often it comes again. Whoever wants slots of one size gets every key in as many bits.

use super::number::Number;
use super::ring::{Overflow, Ring};

/// How keys are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Runs of equal differences.
    Runs,
    /// So many bits each.
    Slots(u32),
}

/// Runs up to this length have a code of two bits.
const SHORT: u64 = 3;

/// Where a list begins, and how long it is.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// The number of its first word.
    pub start: u64,
    /// Its keys.
    pub len: u64,
    /// The number of its first state.
    pub first: u64,
}

/// Bits that tell how long a difference is.
const fn length_bits(words: usize) -> u32 {
    usize::BITS - (words * 64).leading_zeros()
}

/// Appends keys to a list, in ascending order.
#[derive(Debug)]
pub struct Writer<const W: usize> {
    format: Format,
    word: u64,
    used: u32,
    last: Number<W>,
    gap: Number<W>,
    run: u64,
}

impl<const W: usize> Writer<W> {
    /// A writer at a list's beginning.
    pub fn new(format: Format) -> Self {
        Self { format, word: 0, used: 0, last: Number::ZERO, gap: Number::ZERO, run: 0 }
    }

    /// Appends a key.
    #[inline]
    pub fn push(&mut self, key: &Number<W>, ring: &mut Ring) -> Result<(), Overflow> {
        if let Format::Slots(bits) = self.format {
            return self.number(key, bits, ring);
        }
        let gap = key.minus(&self.last);
        self.last = *key;
        if self.run > 0 && gap == self.gap {
            self.run += 1;
            return Ok(());
        }
        self.end_run(ring)?;
        (self.gap, self.run) = (gap, 1);
        Ok(())
    }

    /// Writes what is left. The list ends here.
    pub fn finish(&mut self, ring: &mut Ring) -> Result<(), Overflow> {
        self.end_run(ring)?;
        if self.used > 0 {
            ring.push(self.word)?;
        }
        *self = Self::new(self.format);
        Ok(())
    }

    fn end_run(&mut self, ring: &mut Ring) -> Result<(), Overflow> {
        let run = std::mem::take(&mut self.run);
        if run == 0 {
            return Ok(());
        }
        let (gap, length) = (self.gap, self.gap.bits());
        self.put(u64::from(length), length_bits(W), ring)?;
        self.number(&gap, length, ring)?;
        self.put((run - 1).min(SHORT), 2, ring)?;
        if run > SHORT {
            let more = run - SHORT;
            let bits = 64 - more.leading_zeros();
            self.put(u64::from(bits), 6, ring)?;
            self.put(more, bits, ring)?;
        }
        Ok(())
    }

    fn number(&mut self, number: &Number<W>, bits: u32, ring: &mut Ring) -> Result<(), Overflow> {
        for (at, word) in number.0.iter().enumerate() {
            match bits.saturating_sub(at as u32 * 64).min(64) {
                0 => break,
                part => self.put(*word, part, ring)?,
            }
        }
        Ok(())
    }

    #[inline]
    fn put(&mut self, value: u64, bits: u32, ring: &mut Ring) -> Result<(), Overflow> {
        self.word |= value << self.used;
        self.used += bits;
        if self.used >= 64 {
            ring.push(self.word)?;
            self.used -= 64;
            let written = bits - self.used;
            self.word = if written < 64 { value >> written } else { 0 };
        }
        Ok(())
    }
}

/// Reads a list from its beginning.
#[derive(Clone, Debug)]
pub struct Cursor<const W: usize> {
    /// The key under the cursor, if there is one.
    pub key: Number<W>,
    /// Its position in the list, from 1; 0 before the first key.
    pub position: u64,
    len: u64,
    format: Format,
    slot: usize,
    word: u64,
    available: u32,
    gap: Number<W>,
    run: u64,
}

impl<const W: usize> Cursor<W> {
    /// Before a list's first key.
    pub fn new(list: &List, format: Format, ring: &Ring) -> Self {
        Self {
            key: Number::ZERO,
            position: 0,
            len: list.len,
            format,
            slot: ring.slot(list.start),
            word: 0,
            available: 0,
            gap: Number::ZERO,
            run: 0,
        }
    }

    /// Goes to the next key; tells whether there is one.
    #[inline(always)]
    pub fn next(&mut self, ring: &Ring) -> bool {
        if self.position == self.len {
            return false;
        }
        self.position += 1;
        if self.run == 0 {
            self.read(ring);
        }
        if self.format == Format::Runs {
            self.run -= 1;
            self.key = self.key.plus(&self.gap);
        }
        true
    }

    /// Reads the next run, or the next slot.
    #[inline(never)]
    fn read(&mut self, ring: &Ring) {
        match self.format {
            Format::Slots(bits) => self.key = self.number(bits, ring),
            Format::Runs => {
                let length = self.take(length_bits(W), ring) as u32;
                self.gap = self.number(length, ring);
                self.run = 1 + self.take(2, ring);
                if self.run > SHORT {
                    let bits = self.take(6, ring) as u32;
                    self.run = SHORT + self.take(bits, ring);
                }
            }
        }
    }

    fn number(&mut self, bits: u32, ring: &Ring) -> Number<W> {
        let mut number = Number::ZERO;
        for (at, word) in number.0.iter_mut().enumerate() {
            match bits.saturating_sub(at as u32 * 64).min(64) {
                0 => break,
                part => *word = self.take(part, ring),
            }
        }
        number
    }

    #[inline]
    fn take(&mut self, bits: u32, ring: &Ring) -> u64 {
        if bits == 0 {
            return 0;
        }
        let mask = u64::MAX >> (64 - bits);
        if self.available >= bits {
            let value = self.word & mask;
            self.word = self.word.checked_shr(bits).unwrap_or(0);
            self.available -= bits;
            return value;
        }
        let (word, next) = ring.read(self.slot);
        let value = (self.word | word << self.available) & mask;
        let taken = bits - self.available;
        self.slot = next;
        self.word = word.checked_shr(taken).unwrap_or(0);
        self.available = 64 - taken;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    fn round_trip<const W: usize>(format: Format, keys: &[Number<W>]) {
        let mut ring = Ring::new(4 + 2 * W * keys.len(), &Budget::of(1 << 30)).unwrap();
        for offset in 0..3 {
            let list = List { start: ring.head(), len: keys.len() as u64, first: 0 };
            let mut writer = Writer::new(format);
            for key in keys {
                writer.push(key, &mut ring).unwrap();
            }
            writer.finish(&mut ring).unwrap();
            let mut cursor = Cursor::<W>::new(&list, format, &ring);
            for key in keys {
                assert!(cursor.next(&ring));
                assert_eq!(cursor.key, *key, "round {offset}");
            }
            assert!(!cursor.next(&ring));
            ring.release(ring.head());
        }
    }

    #[test]
    fn lists_are_read_as_they_were_written() {
        let mut keys = Vec::new();
        let mut at = 3_u64;
        for step in 1..2_000_u64 {
            at += if step % 70 < 60 { 254 } else { step * step % 977 + 1 };
            keys.push(Number([at]));
        }
        round_trip(Format::Runs, &keys);
        round_trip(Format::Slots(56), &keys);
        let wide: Vec<Number<3>> =
            keys.iter().map(|key| Number([key.0[0] << 40, key.0[0] >> 24, 0])).collect();
        round_trip(Format::Runs, &wide);
        round_trip(Format::Slots(130), &wide);
        round_trip(Format::Runs, &[Number([0])]);
        round_trip(Format::Runs, &[Number([0, 0]), Number([u64::MAX, u64::MAX])]);
        round_trip::<1>(Format::Runs, &[]);
    }
}
