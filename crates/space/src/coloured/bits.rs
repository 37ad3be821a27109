//! Bit strings: numbers of any width one after another, padded to whole bytes.
//!
//! The first bit is the lowest of the first byte. Bits beyond the last number are zero, so that equal numbers give
//! equal bytes.

/// Writes numbers behind one another.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a word yet, and how many.
    word: u64,
    used: u32,
}

impl BitWriter {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.bytes.clear();
        (self.word, self.used) = (0, 0);
    }

    /// Appends the lowest `bits` bits of a number, at most 64; the others must be zero.
    #[inline]
    pub fn push(&mut self, number: u64, bits: u32) {
        debug_assert!(bits == 64 || number >> bits == 0, "{number} does not fit into {bits} bits");
        if bits == 0 {
            return;
        }
        self.word |= number << self.used;
        let total = self.used + bits;
        if total < 64 {
            self.used = total;
            return;
        }
        self.bytes.extend_from_slice(&self.word.to_le_bytes());
        self.word = number.checked_shr(64 - self.used).unwrap_or(0);
        self.used = total - 64;
    }

    /// The bytes; nothing can be appended until it begins anew.
    #[inline]
    pub fn finish(&mut self) -> &[u8] {
        let whole = self.used.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.word.to_le_bytes()[..whole]);
        (self.word, self.used) = (0, 0);
        &self.bytes
    }
}

/// Reads numbers behind one another.
#[derive(Debug)]
pub struct BitReader<'a> {
    rest: &'a [u8],
    /// Bits that were taken from the bytes and not read yet, and how many.
    word: u64,
    left: u32,
}

impl<'a> BitReader<'a> {
    /// Begins with the first bit. Behind the last byte there are zeros.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, word: 0, left: 0 }
    }

    /// The next number of so many bits, at most 64.
    #[inline]
    pub fn pull(&mut self, bits: u32) -> u64 {
        if bits <= self.left {
            let number = self.word & low(bits);
            self.word = self.word.checked_shr(bits).unwrap_or(0);
            self.left -= bits;
            return number;
        }
        let (first, have) = (self.word, self.left);
        self.refill();
        let more = bits - have;
        let number = first | (self.word & low(more)) << have;
        self.word = self.word.checked_shr(more).unwrap_or(0);
        self.left -= more;
        number
    }

    #[inline]
    fn refill(&mut self) {
        let (word, rest) = match self.rest.split_first_chunk::<8>() {
            Some((bytes, rest)) => (u64::from_le_bytes(*bytes), rest),
            None => {
                let mut bytes = [0; 8];
                bytes[..self.rest.len()].copy_from_slice(self.rest);
                (u64::from_le_bytes(bytes), &[][..])
            }
        };
        (self.word, self.left, self.rest) = (word, 64, rest);
    }
}

/// So many ones.
#[inline]
fn low(bits: u32) -> u64 {
    u64::MAX.checked_shr(64 - bits).unwrap_or(0)
}

/// The bits that tell `choices` things apart: ⌈log2 choices⌉, none for one thing or nothing.
#[inline]
pub fn bits_for(choices: u128) -> u32 {
    match choices {
        0 | 1 => 0,
        _ => (choices - 1).ilog2() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 7
        };
        for _ in 0..200 {
            let numbers: Vec<(u64, u32)> = (0..random() % 40)
                .map(|_| {
                    let bits = (random() % 65) as u32;
                    (random().wrapping_mul(0x9e37_79b9_7f4a_7c15) & low(bits), bits)
                })
                .collect();
            let mut writer = BitWriter::default();
            numbers.iter().for_each(|(number, bits)| writer.push(*number, *bits));
            let bytes = writer.finish();
            assert_eq!(bytes.len() as u32, numbers.iter().map(|(_, bits)| bits).sum::<u32>().div_ceil(8));
            let mut reader = BitReader::new(bytes);
            for (number, bits) in numbers {
                assert_eq!(reader.pull(bits), number);
            }
        }
    }

    #[test]
    fn logarithms_are_rounded_up() {
        let expected = [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1 << 64, 64)];
        for (choices, bits) in expected {
            assert_eq!(bits_for(choices), bits, "{choices}");
        }
    }
}
