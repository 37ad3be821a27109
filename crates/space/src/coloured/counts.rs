//! How numbers of tokens are written: the variable-length code of the paper for any number, and a position among
//! the numbers that a capacity allows.

use std::ops::RangeInclusive;

use super::bits::{BitReader, BitWriter, bits_for};

/// A number of any size, zero in one bit. Others take 1 + n_c bits: n_c is 4 for 1..8, 10 for 9..264, 19 for
/// 265..65800 and 68 beyond.
#[inline]
pub fn push_count(out: &mut BitWriter, count: u64) {
    match count {
        0 => out.push(0, 1),
        1..=8 => out.push(1 | (count - 1) << 2, 5),
        9..=264 => out.push(0b011 | (count - 9) << 3, 11),
        265..=65_800 => out.push(0b0111 | (count - 265) << 4, 20),
        _ => {
            out.push(0b1111, 5);
            out.push(count, 64);
        }
    }
}

/// Reads what [`push_count`] wrote.
#[inline]
pub fn pull_count(from: &mut BitReader<'_>) -> u64 {
    if from.pull(1) == 0 {
        return 0;
    }
    if from.pull(1) == 0 {
        return from.pull(3) + 1;
    }
    if from.pull(1) == 0 {
        return from.pull(8) + 9;
    }
    if from.pull(1) == 0 {
        return from.pull(16) + 265;
    }
    from.pull(1);
    from.pull(64)
}

/// How the number of tokens of a place is written.
#[derive(Clone, Debug)]
pub enum Cardinality {
    /// Any number.
    Free,
    /// One of those that a capacity allows.
    Allowed {
        /// The numbers, as ranges in order, each with how many numbers there are before it.
        ranges: Vec<(RangeInclusive<u64>, u64)>,
        /// Bits for one of them.
        bits: u32,
        /// Whether a bit of its own tells that there is none.
        has_emptiness_bit: bool,
    },
}

/// Where a position takes so few bits, emptiness has no bit of its own.
const SHORT: u32 = 2;

impl Cardinality {
    /// The code for a place of this capacity.
    pub fn new(capacity: Option<&[RangeInclusive<u64>]>) -> Self {
        let Some(capacity) = capacity else { return Self::Free };
        let mut before = 0u128;
        let mut ranges = Vec::with_capacity(capacity.len());
        for range in capacity {
            ranges.push((range.clone(), before as u64));
            before += u128::from(range.end() - range.start()) + 1;
        }
        let bits = bits_for(before);
        let has_emptiness_bit = bits > SHORT && capacity.iter().any(|range| *range.start() == 0);
        Self::Allowed { ranges, bits, has_emptiness_bit }
    }

    /// Writes a number of tokens, which must be allowed.
    #[inline]
    pub fn push(&self, out: &mut BitWriter, count: u64) {
        let (ranges, bits, has_emptiness_bit) = match self {
            Self::Free => return push_count(out, count),
            Self::Allowed { ranges, bits, has_emptiness_bit } => (ranges, *bits, *has_emptiness_bit),
        };
        if has_emptiness_bit {
            out.push(u64::from(count > 0), 1);
            if count == 0 {
                return;
            }
        }
        let range = ranges.iter().find(|(range, _)| range.contains(&count));
        let (range, before) = range.expect("markings outside of a capacity are errors, not states");
        out.push(before + (count - range.start()), bits);
    }

    /// Reads what [`push`](Self::push) wrote.
    #[inline]
    pub fn pull(&self, from: &mut BitReader<'_>) -> u64 {
        let (ranges, bits, has_emptiness_bit) = match self {
            Self::Free => return pull_count(from),
            Self::Allowed { ranges, bits, has_emptiness_bit } => (ranges, *bits, *has_emptiness_bit),
        };
        if has_emptiness_bit && from.pull(1) == 0 {
            return 0;
        }
        let position = from.pull(bits);
        let range = ranges.iter().rev().find(|(_, before)| *before <= position);
        range.map_or(0, |(range, before)| range.start() + (position - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits_of(cardinality: &Cardinality, counts: &[u64]) -> usize {
        let mut out = BitWriter::default();
        counts.iter().for_each(|count| cardinality.push(&mut out, *count));
        let bytes = out.finish().to_vec();
        let mut from = BitReader::new(&bytes);
        counts.iter().for_each(|count| assert_eq!(cardinality.pull(&mut from), *count));
        bytes.len()
    }

    #[test]
    fn any_number_takes_the_bits_that_the_paper_says() {
        let free = Cardinality::new(None);
        let widths = [(0, 1), (1, 5), (8, 5), (9, 11), (264, 11), (265, 20), (65_800, 20), (65_801, 69)];
        for (count, bits) in widths.into_iter().chain([(u64::MAX, 69)]) {
            // Eight of them: bits are bytes.
            assert_eq!(bits_of(&free, &[count; 8]), bits, "{count}");
        }
    }

    #[test]
    fn a_capacity_makes_numbers_shorter() {
        let of = |ranges: &[RangeInclusive<u64>]| Cardinality::new(Some(ranges));
        assert_eq!(bits_of(&of(&[7..=7]), &[7; 8]), 0);
        assert_eq!(bits_of(&of(&[0..=3]), &[0, 1, 2, 3, 0, 1, 2, 3]), 2);
        assert_eq!(bits_of(&of(&[0..=4]), &[0; 8]), 1);
        assert_eq!(bits_of(&of(&[0..=4]), &[4; 8]), 4);
        assert_eq!(bits_of(&of(&[81..=81, 90..=90]), &[90, 81, 90, 90, 81, 81, 81, 90]), 1);
        assert_eq!(bits_of(&of(&[0..=u64::MAX]), &[u64::MAX; 8]), 65);
    }
}
