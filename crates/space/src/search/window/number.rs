//! Keys as whole numbers of one to many words, the lowest word first.
//!
//! The key of a state is one number, and firing an event adds another one to it, whatever the state: so the successors
//! of a sorted list by one event are sorted, too.

use std::cmp::Ordering;

/// A number of `W` words. Sums and differences wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<const W: usize>(pub [u64; W]);

impl<const W: usize> Number<W> {
    /// Nothing.
    pub const ZERO: Self = Self([0; W]);

    /// The sum.
    #[inline(always)]
    pub fn plus(self, other: &Self) -> Self {
        let mut sum = [0; W];
        let mut carry = false;
        for (at, into) in sum.iter_mut().enumerate() {
            let (part, first) = self.0[at].overflowing_add(other.0[at]);
            let (part, second) = part.overflowing_add(u64::from(carry));
            *into = part;
            carry = first | second;
        }
        Self(sum)
    }

    /// The difference.
    #[inline(always)]
    pub fn minus(self, other: &Self) -> Self {
        let mut difference = [0; W];
        let mut borrow = false;
        for (at, into) in difference.iter_mut().enumerate() {
            let (part, first) = self.0[at].overflowing_sub(other.0[at]);
            let (part, second) = part.overflowing_sub(u64::from(borrow));
            *into = part;
            borrow = first | second;
        }
        Self(difference)
    }

    /// How many bits it takes, without leading zeros.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        let top = (0..W).rev().find(|word| self.0[*word] != 0);
        top.map_or(0, |word| word as u32 * 64 + 64 - self.0[word].leading_zeros())
    }

    /// Whether both are the same where the mask has bits.
    #[inline(always)]
    pub fn is_same(&self, other: &Self, mask: &Self) -> bool {
        (0..W).fold(0, |differs, at| differs | (self.0[at] ^ other.0[at]) & mask.0[at]) == 0
    }

    /// What is in both.
    #[inline(always)]
    pub fn and(&self, mask: &Self) -> Self {
        let mut both = self.0;
        both.iter_mut().zip(&mask.0).for_each(|(word, mask)| *word &= mask);
        Self(both)
    }

    /// Adds a signed multiple of a power of two.
    pub fn add_shifted(&mut self, value: i128, word: usize, shift: u32) {
        let mut term = [0_u64; W];
        let magnitude = value.unsigned_abs();
        let parts = [magnitude as u64, (magnitude >> 64) as u64];
        for (at, part) in parts.into_iter().enumerate() {
            if let Some(low) = term.get_mut(word + at) {
                *low |= part << shift;
            }
            if shift > 0
                && let Some(high) = term.get_mut(word + at + 1)
            {
                *high |= part >> (64 - shift);
            }
        }
        *self = if value < 0 { self.minus(&Self(term)) } else { self.plus(&Self(term)) };
    }
}

impl<const W: usize> PartialOrd for Number<W> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const W: usize> Ord for Number<W> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        let differs = (0..W).rev().find(|word| self.0[*word] != other.0[*word]);
        differs.map_or(Ordering::Equal, |word| self.0[word].cmp(&other.0[word]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_several_words_carry_and_borrow() {
        let one = Number([1, 0, 0]);
        let full = Number([u64::MAX, u64::MAX, 0]);
        assert_eq!(full.plus(&one), Number([0, 0, 1]));
        assert_eq!(Number([0, 0, 1]).minus(&one), full);
        assert_eq!(full.bits(), 128);
        assert!(full < Number([0, 0, 1]));
        let mut sum = Number([0, 0, 1]);
        sum.add_shifted(-1, 1, 63);
        assert_eq!(sum, Number([0, 1 << 63, 0]));
        sum.add_shifted(3, 1, 63);
        assert_eq!(sum, Number([0, 0, 2]));
    }
}
