//! Counting different numbers: an open hash table that is used again and again.

/// See the [module](self).
#[derive(Debug, Default)]
pub(super) struct Distinct {
    /// 0 for free. Numbers are told apart by the slot they want and 31 bits of them.
    slots: Vec<u32>,
}

impl Distinct {
    /// How many different numbers there are in the first quarter, the first half, and all of a list. The numbers
    /// are hashes already.
    pub(super) fn count(&mut self, numbers: &[u64]) -> [usize; 3] {
        let size = (numbers.len() * 2).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(size, 0);
        let shift = 64 - size.trailing_zeros();
        let mut found = 0;
        let mut counts = [0; 3];
        for (position, number) in numbers.iter().enumerate() {
            if position == numbers.len() / 4 {
                counts[0] = found;
            }
            if position == numbers.len() / 2 {
                counts[1] = found;
            }
            // Sums of small multiples are even in their low bits; a multiplication spreads them.
            let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let value = (mixed >> 8) as u32 | 1;
            let mut slot = (mixed >> shift) as usize;
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
        counts[2] = found;
        counts
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
                let kinds: Vec<u64> = (0..variety).map(|_| noise.next()).collect();
                let numbers: Vec<u64> = (0..size).map(|_| kinds[noise.below(variety)]).collect();
                let expected =
                    [size / 4, size / 2, size].map(|end| numbers[..end].iter().collect::<HashSet<_>>().len());
                assert_eq!(distinct.count(&numbers), expected, "{size} numbers, {variety} kinds");
            }
        }
    }
}
