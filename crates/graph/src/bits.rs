//! Bits in words, lowest first, and ζ codes.
//!
//! ζ codes (P. Boldi and S. Vigna, *Codes for the World Wide Web*, 2005) are made for numbers of which small
//! ones are frequent and large ones not rare. With parameter k, the number x = v + 1 of b bits is written as
//! h = (b - 1) / k in unary and then its place among the numbers that share h, in minimal binary code. ζ1 is
//! Elias' γ code. What a number costs depends on its length in bits alone, so that the best k for many
//! numbers is found from a small histogram.

use sweepnet_space::budget::OutOfMemory;

use crate::words::Pieces;

/// Parameters of ζ codes: 1 to this, so that one is kept in three bits.
pub const PARAMETERS: u32 = 8;

/// Bits of the largest number that can be coded, plus one.
pub const MOST_BITS: u32 = 56;

/// Writes bits into words, of which whole ones can be taken away.
#[derive(Debug, Default)]
pub struct BitWriter {
    /// The words that are full.
    pub words: Vec<u64>,
    word: u64,
    used: u32,
    taken: u64,
}

impl BitWriter {
    /// Bits written so far.
    pub fn bits(&self) -> u64 {
        (self.taken + self.words.len() as u64) * 64 + u64::from(self.used)
    }

    /// Writes the lowest `count` bits of a value that has no others; at most 63.
    #[inline(always)]
    pub fn write(&mut self, value: u64, count: u32) {
        debug_assert!(count < 64 && value >> count == 0);
        self.word |= value << self.used;
        let used = self.used + count;
        if used < 64 {
            self.used = used;
            return;
        }
        self.words.push(self.word);
        // Two shifts, because all 64 bits may have been used.
        self.word = (value >> 1) >> (63 - self.used);
        self.used = used - 64;
    }

    /// Writes a number in ζ code.
    #[inline(always)]
    pub fn write_zeta(&mut self, value: u64, k: u32) {
        let x = value + 1;
        let log = x.ilog2();
        let Code { h, length } = CODES[k as usize][log as usize + 1];
        let (h, length) = (u32::from(h), u32::from(length));
        let least = 1u64 << (h * k);
        // Of a long code, the higher bits come first: they tell that there is one more.
        let rest = if x < least << 1 { x - least } else { x >> 1 | (x & 1) << (length - 1) };
        if h + 1 + length < 64 {
            return self.write(1 << h | rest << (h + 1), h + 1 + length);
        }
        self.write(1 << h, h + 1);
        self.write(rest, length);
    }

    /// Moves the full words to where they stay. Those that are refused stay here, and can be moved later.
    pub fn drain(&mut self, into: &mut Pieces) -> Result<(), OutOfMemory> {
        let before = into.len();
        let outcome = into.extend(&self.words);
        let moved = into.len() - before;
        self.words.drain(..moved);
        self.taken += moved as u64;
        outcome
    }

    /// Moves all words, also one that is not full.
    pub fn finish(mut self, into: &mut Pieces) -> Result<(), OutOfMemory> {
        if self.used > 0 {
            self.words.push(self.word);
        }
        into.extend(&self.words)
    }
}

/// How numbers of a certain length are written.
#[derive(Clone, Copy, Debug)]
struct Code {
    /// What is written in unary.
    h: u8,
    /// Bits after that.
    length: u8,
}

const CODES: [[Code; MOST_BITS as usize + 1]; PARAMETERS as usize + 1] = {
    let mut codes = [[Code { h: 0, length: 0 }; MOST_BITS as usize + 1]; PARAMETERS as usize + 1];
    let mut k = 1;
    while k <= PARAMETERS {
        let mut bits = 1;
        while bits <= MOST_BITS {
            let h = (bits - 1) / k;
            let length = (h + 1) * k - if bits - 1 == h * k { 1 } else { 0 };
            codes[k as usize][bits as usize] = Code { h: h as u8, length: length as u8 };
            bits += 1;
        }
        k += 1;
    }
    codes
};

/// What a number of each length costs, for each parameter.
const COSTS: [[u32; PARAMETERS as usize]; MOST_BITS as usize + 1] = {
    let mut costs = [[0; PARAMETERS as usize]; MOST_BITS as usize + 1];
    let mut bits = 1;
    while bits <= MOST_BITS as usize {
        let mut k = 1;
        while k <= PARAMETERS as usize {
            let code = CODES[k][bits];
            costs[bits][k - 1] = code.h as u32 + 1 + code.length as u32;
            k += 1;
        }
        bits += 1;
    }
    costs
};

/// How often numbers of each length occurred, to choose a code by.
#[derive(Clone, Debug)]
pub struct Histogram {
    lengths: [u32; MOST_BITS as usize + 1],
    longest: u32,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { lengths: [0; MOST_BITS as usize + 1], longest: 0 }
    }
}

impl Histogram {
    /// Counts a number.
    #[inline]
    pub fn add(&mut self, value: u64) {
        let bits = (value + 1).ilog2() + 1;
        self.lengths[bits as usize] += 1;
        self.longest = self.longest.max(bits);
    }

    /// The best parameter for what was counted; forgets it.
    pub fn choose(&mut self) -> u32 {
        let mut costs = [0u32; PARAMETERS as usize];
        for (count, of_length) in self.lengths.iter().zip(&COSTS).take(self.longest as usize + 1) {
            for (sum, cost) in costs.iter_mut().zip(of_length) {
                *sum = sum.saturating_add(count.saturating_mul(*cost));
            }
        }
        let best = (1..).zip(costs).min_by_key(|(_, cost)| *cost).map_or(1, |(k, _)| k);
        self.lengths[..=self.longest as usize].fill(0);
        self.longest = 0;
        best
    }
}

/// Reads bits from words. Beyond the end there are only zeros, which are no code.
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'a> {
    words: &'a [u64],
    /// The next bit.
    pub position: usize,
}

impl<'a> BitReader<'a> {
    /// A reader that begins with a certain bit.
    pub fn new(words: &'a [u64], position: usize) -> Self {
        Self { words, position }
    }

    /// The next 64 bits, without going on.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let (word, shift) = (self.position / 64, self.position % 64);
        let low = self.words.get(word).copied().unwrap_or(0) >> shift;
        let high = self.words.get(word + 1).copied().unwrap_or(0);
        low | (high << 1) << (63 - shift)
    }

    /// The next `count` bits, at most 63.
    #[inline(always)]
    pub fn read(&mut self, count: u32) -> u64 {
        let value = self.peek() & ((1 << count) - 1);
        self.position += count as usize;
        value
    }

    /// The next number in ζ code; none if there is no code.
    #[inline(always)]
    pub fn read_zeta(&mut self, k: u32) -> Option<u64> {
        let bits = self.peek();
        // The most frequent number.
        if k == 1 && bits & 1 == 1 {
            self.position += 1;
            return Some(0);
        }
        let h = bits.trailing_zeros();
        let length = (h + 1) * k;
        if length > MOST_BITS + PARAMETERS - 1 || length > 63 {
            return None;
        }
        self.position += h as usize + 1;
        let least = 1u64 << (h * k);
        let value = if h + length <= 63 {
            let value = bits >> (h + 1) & ((1 << (length - 1)) - 1);
            self.position += length as usize - 1;
            value
        } else {
            self.read(length - 1)
        };
        if value < least { Some(value + least - 1) } else { Some((value << 1 | self.read(1)) - 1) }
    }
}

/// Bits that the number takes in plain binary; 1 for zero.
pub fn width(value: u64) -> u32 {
    value.checked_ilog2().map_or(1, |log| log + 1)
}

#[cfg(test)]
mod tests {
    use sweepnet_space::Budget;

    use super::*;

    #[test]
    fn every_code_reads_back() {
        for k in 1..=PARAMETERS {
            let mut values: Vec<u64> = (0..300).collect();
            values.extend((8..48).flat_map(|b| [(1 << b) - 2, (1 << b) - 1, 1 << b, (1 << b) + 1]));
            let mut writer = BitWriter::default();
            for value in &values {
                writer.write_zeta(*value, k);
            }
            let (budget, mut words) = (Budget::of(1 << 20), Vec::new());
            let mut pieces = Pieces::new(&budget);
            writer.finish(&mut pieces).unwrap();
            pieces.copy(0, pieces.len(), &mut words);
            let mut reader = BitReader::new(&words, 0);
            for value in values {
                assert_eq!(reader.read_zeta(k), Some(value), "with {k}");
            }
        }
        assert_eq!(BitReader::new(&[], 0).read_zeta(1), None);
    }
}
