//! Numbers in as many bits as the largest of them needs, for arrays that are read and written at random.

use sweepnet_space::Budget;
use sweepnet_space::budget::{Charged, OutOfMemory};

use crate::bits::width;

/// An array of numbers of a fixed width.
#[derive(Debug)]
pub struct Packed {
    words: Charged<u64>,
    width: u32,
    len: u64,
}

impl Packed {
    /// `len` zeros, with room for numbers up to `largest`.
    pub fn zeros(budget: &Budget, len: u64, largest: u64) -> Result<Self, OutOfMemory> {
        let width = width(largest);
        let bits = len.checked_mul(u64::from(width)).ok_or(budget.refusal())?;
        // One word more, so that any number lies within two words.
        let words = usize::try_from(bits / 64 + 2).map_err(|_| budget.refusal())?;
        Ok(Self { words: Charged::filled(budget, 0, words)?, width, len })
    }

    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number at a position.
    #[inline]
    pub fn get(&self, index: u64) -> u64 {
        debug_assert!(index < self.len);
        let bit = index * u64::from(self.width);
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let both = self.words[word] >> shift | (self.words[word + 1] << 1) << (63 - shift);
        both & (u64::MAX >> (64 - self.width))
    }

    /// Changes the number at a position.
    #[inline]
    pub fn set(&mut self, index: u64, value: u64) {
        debug_assert!(index < self.len && value.checked_shr(self.width).unwrap_or(0) == 0);
        let bit = index * u64::from(self.width);
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let mask = u64::MAX >> (64 - self.width);
        self.words[word] = self.words[word] & !(mask << shift) | value << shift;
        let (mask, value) = (mask >> 1 >> (63 - shift), value >> 1 >> (63 - shift));
        self.words[word + 1] = self.words[word + 1] & !mask | value;
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_as_they_are() {
        let budget = Budget::of(1 << 20);
        for largest in [1, 2, 6, 1000, u64::MAX >> 7, u64::MAX] {
            let mut packed = Packed::zeros(&budget, 200, largest).unwrap();
            let value = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % largest.max(2);
            for i in 0..200 {
                packed.set(i, largest);
            }
            for i in (0..200).rev() {
                packed.set(i, value(i).min(largest));
            }
            for i in 0..200 {
                assert_eq!(packed.get(i), value(i).min(largest), "{i} of {largest}");
            }
        }
        assert!(Packed::zeros(&budget, u64::MAX, 7).is_err());
    }
}
