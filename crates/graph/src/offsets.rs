//! Where blocks begin: a rising list of numbers in Elias–Fano's code.
//!
//! P. Elias 1974, R. Fano 1971. For n numbers up to u, each keeps its lowest log2(u / n) bits as they are;
//! the rest rises from 0 to about n, and the differences are written in unary: a one for each number, after
//! as many zeros as it is higher. That is at most 2 + log2(u / n) bits per number, and a bit for finding the
//! i-th one: where every 64th lies.

use sweepnet_space::Budget;
use sweepnet_space::budget::OutOfMemory;

use crate::bits::BitWriter;
use crate::words::{Pieces, Words};

/// Ones between two whose place is kept.
const SAMPLED: u64 = 64;

/// A rising list.
#[derive(Debug)]
pub struct Offsets {
    /// How many numbers there are.
    pub len: u64,
    /// The bits that are kept as they are.
    pub low_bits: u32,
    /// Those bits, number by number.
    pub low: Words,
    /// The rest in unary.
    pub high: Words,
    /// Where every 64th one is in it.
    pub samples: Words,
}

impl Offsets {
    /// The list of sums of these lengths, from 0 to the sum of all.
    pub fn of_lengths(lengths: &[u32], budget: &Budget) -> Result<Self, OutOfMemory> {
        let len = lengths.len() as u64 + 1;
        let last: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
        let low_bits = (last / len).checked_ilog2().unwrap_or(0);
        let [mut low, mut high, mut samples] = [0; 3].map(|_| Pieces::new(budget));
        let [mut low_writer, mut high_writer] = [0; 2].map(|_| BitWriter::default());
        let (mut offset, mut highest) = (0u64, 0);
        for i in 0..len {
            low_writer.write(offset & ((1 << low_bits) - 1), low_bits);
            let mut zeros = (offset >> low_bits) - highest;
            highest += zeros;
            while zeros >= 32 {
                high_writer.write(0, 32);
                zeros -= 32;
            }
            if i.is_multiple_of(SAMPLED) {
                samples.extend(&[high_writer.bits() + zeros])?;
                low_writer.drain(&mut low)?;
                high_writer.drain(&mut high)?;
            }
            high_writer.write(1 << zeros, zeros as u32 + 1);
            offset += lengths.get(i as usize).map_or(0, |length| u64::from(*length));
        }
        low_writer.finish(&mut low)?;
        high_writer.finish(&mut high)?;
        Ok(Self { len, low_bits, low: Words::Own(low), high: Words::Own(high), samples: Words::Own(samples) })
    }

    /// The number at a position and the one after it.
    pub fn pair(&self, index: u64) -> Option<(u64, u64)> {
        if index + 1 >= self.len {
            return None;
        }
        let first = self.select(self.samples.get((index / SAMPLED) as usize), index % SAMPLED)?;
        let second = self.select(first + 1, 0)?;
        Some((self.number(index, first)?, self.number(index + 1, second)?))
    }

    fn number(&self, index: u64, one: u64) -> Option<u64> {
        let high = one.checked_sub(index)?;
        let bit = index * u64::from(self.low_bits);
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let low = self.low.get(word) >> shift | (self.low.get(word + 1) << 1) << (63 - shift);
        high.checked_mul(1 << self.low_bits)?.checked_add(low & ((1 << self.low_bits) - 1))
    }

    /// The one at or after a bit that has so many ones between.
    fn select(&self, from: u64, mut between: u64) -> Option<u64> {
        let mut word = usize::try_from(from / 64).ok()?;
        let mut bits = self.high.get(word) & u64::MAX << (from % 64);
        while u64::from(bits.count_ones()) <= between {
            between -= u64::from(bits.count_ones());
            word += 1;
            if word >= self.high.len() {
                return None;
            }
            bits = self.high.get(word);
        }
        for _ in 0..between {
            bits &= bits - 1;
        }
        Some(word as u64 * 64 + u64::from(bits.trailing_zeros()))
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.low.bytes() + self.high.bytes() + self.samples.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_back() {
        let budget = Budget::of(1 << 24);
        for spread in [1, 3, 100, 70_000] {
            let lengths: Vec<u32> = (0..1000u32).map(|i| i.wrapping_mul(2_654_435_761) % spread).collect();
            let offsets = Offsets::of_lengths(&lengths, &budget).unwrap();
            let mut sum = 0;
            for (i, length) in (0..).zip(&lengths) {
                let next = sum + u64::from(*length);
                assert_eq!(offsets.pair(i), Some((sum, next)));
                sum = next;
            }
            assert_eq!(offsets.pair(1000), None);
        }
    }
}
