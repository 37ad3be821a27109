//! Counting different numbers: an open hash table that is used again and again.

use super::measure::Hash;

/// An odd factor.
const SPREAD: Hash = 0x9E37_79B9;

/// See the [module](self).
#[derive(Debug, Default)]
pub(super) struct Distinct {
    /// 0 for free.
    slots: Vec<Hash>,
}

impl Distinct {
    /// How many different numbers there are in the first quarter, the first half, and all of a list. The numbers
    /// are hashes already.
    pub(super) fn count(&mut self, numbers: &[Hash]) -> [usize; 3] {
        // Few are in the way of another: whether one is cannot be foreseen, and takes more time than memory does.
        let size = (numbers.len() * 4).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(size, 0);
        let shift = Hash::BITS - size.trailing_zeros();
        let mut found = 0;
        let (half, rest) = numbers.split_at(numbers.len() / 2);
        let (quarter, second) = half.split_at(numbers.len() / 4);
        [quarter, second, rest].map(|numbers| {
            for number in numbers {
                // Sums of small multiples are even in their low bits; a multiplication spreads them.
                let mut slot = (number.wrapping_mul(SPREAD) >> shift) as usize;
                let value = number.wrapping_add(1).max(1);
                loop {
                    let there = self.slots[slot];
                    if there == value {
                        break;
                    }
                    if there == 0 {
                        self.slots[slot] = value;
                        found += 1;
                        break;
                    }
                    slot = (slot + 1) & (size - 1);
                }
            }
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::partition::noise::Noise;
    use std::collections::HashSet;

    #[test]
    fn counts_as_a_set_does() {
        let mut distinct = Distinct::default();
        let mut noise = Noise::new(1);
        for size in [0, 1, 2, 3, 4, 100, 5_000] {
            for variety in [1, 7, 1_000] {
                let kinds: Vec<Hash> = (0..variety).map(|_| noise.next() as Hash).collect();
                let numbers: Vec<Hash> = (0..size).map(|_| kinds[noise.below(variety)]).collect();
                let expected =
                    [size / 4, size / 2, size].map(|end| numbers[..end].iter().collect::<HashSet<_>>().len());
                assert_eq!(distinct.count(&numbers), expected, "{size} numbers, {variety} kinds");
            }
        }
    }
}
