//! Ranks: tuples of local numbers as one number, in mixed radix.
//!
//! With capacities c_1, c_2, …, the rank of (n_1, n_2, …) is n_1 + c_1·(n_2 + c_2·(…)), a bijection onto the numbers
//! below S = Π c_i: no tuple takes more than ⌈log2 S⌉ bits, less than one bit above what any fixed length needs.
//!
//! A rank wider than 64 bits takes several words: each word is a rank in itself of as many components as fit, so
//! that all arithmetic stays within words, at a loss in each full word of what no component fits into any more.
//!
//! Which component comes first is a matter of order: any will do. In several words, one that fills them is taken
//! (`packing.rs`); in a bitmap, one that fills its pages (`order_of_digits.rs`).
//!
//! A component that follows from the others has capacity 1 here: its number is no part of the rank.

use super::packing::packed;
use crate::set::TAG_BITS;

/// Bits that a rank may have more so that the largest component can grow without a change to all ranks.
const WORTH_SPARING: u32 = 1;

/// Where a component's number lies in a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The word.
    pub word: usize,
    /// What one more of the number adds to the word.
    pub weight: u64,
    /// The number is below this.
    pub capacity: u32,
    /// ⌊(2^64 - 1) / capacity⌋: multiplying is faster than dividing.
    reciprocal: u64,
}

impl Digit {
    /// Quotient and remainder of a number by the capacity.
    #[inline(always)]
    pub fn divide(&self, number: u64) -> (u64, u32) {
        let capacity = u64::from(self.capacity);
        // The reciprocal is too small by at most one part in 2^64 of a whole: this is the quotient or one less.
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64;
        let rest = number - quotient * capacity;
        if rest >= capacity { (quotient + 1, (rest - capacity) as u32) } else { (quotient, rest as u32) }
    }

    /// Its word in a rank.
    #[inline(always)]
    pub fn word_of<'a, const W: usize>(&self, rank: &'a mut [u64; W]) -> &'a mut u64 {
        &mut rank[if W == 1 { 0 } else { self.word }]
    }

    /// A rank with another number.
    #[inline(always)]
    pub fn changed<const W: usize>(&self, mut rank: [u64; W], from: u32, to: u32) -> [u64; W] {
        let step = u64::from(to).wrapping_sub(u64::from(from));
        let word = self.word_of(&mut rank);
        *word = word.wrapping_add(self.weight.wrapping_mul(step));
        rank
    }
}

/// How tuples become ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Radix {
    /// By component.
    digits: Vec<Digit>,
    /// The components, that with the least weight first.
    order: Vec<u8>,
    words: usize,
    /// Ranks of the last word.
    last: u128,
}

impl Radix {
    /// Ranks for numbers below these capacities, that of the first component with the least weight; or in another order
    /// if they take several words, and fewer bits that way.
    pub fn new(capacities: &[u32]) -> Self {
        let plain = Self::in_order(capacities, (0..capacities.len()).map(|at| at as u8).collect());
        if plain.words == 1 {
            return plain;
        }
        let packed = |spared| Self::in_order(capacities, packed(capacities, spared));
        let tight = packed(false);
        let does = |radix: &Self| radix.bits() <= tight.bits() + WORTH_SPARING;
        Some(plain).filter(does).or_else(|| Some(packed(true)).filter(does)).unwrap_or(tight)
    }

    /// Ranks for numbers below these capacities, of the components in this order.
    pub fn in_order(capacities: &[u32], order: Vec<u8>) -> Self {
        let mut digits =
            vec![Digit { word: 0, weight: 0, capacity: 1, reciprocal: u64::MAX }; capacities.len()];
        let (mut word, mut weight) = (0, 1u128);
        for at in &order {
            let capacity = capacities[usize::from(*at)].max(1);
            if weight * u128::from(capacity) > 1 << 64 {
                word += 1;
                weight = 1;
            }
            let reciprocal = u64::MAX / u64::from(capacity);
            // What has but one number, or one that follows from the others, adds nothing.
            let own = if capacity == 1 { 0 } else { weight as u64 };
            digits[usize::from(*at)] = Digit { word, weight: own, capacity, reciprocal };
            weight *= u128::from(capacity);
        }
        Self { digits, order, words: word + 1, last: weight }
    }

    /// Ranks for other capacities, of the components in the same order.
    pub fn with(&self, capacities: &[u32]) -> Self {
        Self::in_order(capacities, self.order.clone())
    }

    /// The components, that with the least weight first.
    #[inline(always)]
    pub fn order(&self) -> &[u8] {
        &self.order
    }

    /// Words of a rank.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Bits of a rank.
    pub fn bits(&self) -> u32 {
        let last = 128 - (self.last - 1).leading_zeros();
        64 * (self.words as u32 - 1) + last
    }

    /// Whether its ranks are wider than any set takes: four words, less a tag.
    pub fn is_too_wide(&self) -> bool {
        self.words > 4 || self.bits() + TAG_BITS > 256
    }

    /// How many ranks there are, if that fits a word.
    pub fn ranks(&self) -> Option<u64> {
        (self.words == 1).then_some(self.last).and_then(|last| u64::try_from(last).ok())
    }

    /// log2 of the number of ranks.
    pub fn log2(&self) -> f64 {
        self.digits.iter().map(|digit| f64::from(digit.capacity).log2()).sum()
    }

    /// Where each component's number lies.
    #[inline(always)]
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The capacity of each component.
    pub fn capacities(&self) -> impl Iterator<Item = u32> + '_ {
        self.digits.iter().map(|digit| digit.capacity)
    }

    /// The rank of a tuple.
    pub fn rank<const W: usize>(&self, numbers: &[u32]) -> [u64; W] {
        let mut rank = [0; W];
        for (digit, number) in self.digits.iter().zip(numbers) {
            rank[digit.word] += digit.weight * u64::from(*number);
        }
        rank
    }

    /// The tuple of a rank.
    #[inline(always)]
    pub fn numbers<const W: usize>(&self, rank: &[u64; W], numbers: &mut [u32]) {
        let mut rest = *rank;
        for at in &self.order {
            let at = usize::from(*at);
            let digit = self.digits[at];
            let word = digit.word_of(&mut rest);
            (*word, numbers[at]) = digit.divide(*word);
        }
    }

    /// One number of a rank.
    #[inline]
    pub fn number<const W: usize>(&self, rank: &[u64; W], component: usize) -> u32 {
        let digit = self.digits[component];
        (rank[digit.word] / digit.weight.max(1) % u64::from(digit.capacity)) as u32
    }

    /// Whether every rank of this radix means the same tuple in another, larger one.
    pub fn is_part_of(&self, larger: &Self) -> bool {
        let same = |(a, b): (&Digit, &Digit)| a.word == b.word && a.weight == b.weight;
        self.digits.len() == larger.digits.len() && self.digits.iter().zip(&larger.digits).all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_tuples_are_the_same_thing() {
        for capacities in [vec![1], vec![7, 1, 5], vec![u32::MAX; 5], vec![1 << 16; 9], vec![3; 40]] {
            let forwards = Radix::new(&capacities);
            let backwards = Radix::in_order(&capacities, (0..capacities.len() as u8).rev().collect());
            assert!(forwards.words() <= 4 && forwards.log2() == backwards.log2());
            for (radix, step) in
                [&forwards, &backwards].iter().flat_map(|radix| (0..50u32).map(move |step| (radix, step)))
            {
                let tuple: Vec<u32> =
                    capacities.iter().enumerate().map(|(i, c)| (step * 77_777 + i as u32 * 31) % c).collect();
                let rank: [u64; 4] = radix.rank(&tuple);
                let mut read = vec![0; tuple.len()];
                radix.numbers(&rank, &mut read);
                assert_eq!(read, tuple);
                for (at, number) in tuple.iter().enumerate() {
                    assert_eq!(radix.number(&rank, at), *number);
                }
            }
        }
    }

    #[test]
    fn words_are_filled() {
        // The product is below 2^68.2. Without the last of them the first word is far from full, without the first it is.
        let capacities = [34, 108, 165, 252, 482, 1_430, 1_564, 2_074];
        let in_order = Radix::in_order(&capacities, (0..8).collect());
        assert_eq!((in_order.bits(), Radix::new(&capacities).bits()), (76, 70));
        // The largest stays the last where that costs no more than a bit.
        let capacities = [1 << 20, 1 << 23, 1 << 23, 1 << 20, 1 << 24];
        let in_order = Radix::in_order(&capacities, (0..5).collect());
        let packed = Radix::new(&capacities);
        assert_eq!((in_order.bits(), packed.bits(), packed.order().last()), (152, 111, Some(&4)));
        for capacity in [2, 1_000, u32::MAX] {
            for count in 1..=8 {
                let radix = Radix::new(&vec![capacity; count]);
                assert!(radix.words() > 1 || radix.order().is_sorted());
            }
        }
    }

    #[test]
    fn dividing_is_exact_at_both_ends() {
        for capacity in [1, 2, 3, 5, 7, 10, 255, 256, 65_537, u32::MAX - 1, u32::MAX] {
            let digit = Radix::new(&[capacity]).digits()[0];
            let wide = u64::from(capacity);
            let multiples = [1, 2, 3, wide, u64::MAX / wide / 2, u64::MAX / wide].map(|times| times * wide);
            let around = multiples.iter().flat_map(|number| [number - 1, *number, number.saturating_add(1)]);
            for number in around.chain([0, 1, u64::MAX - 1, u64::MAX]) {
                assert_eq!(digit.divide(number), (number / wide, (number % wide) as u32));
            }
        }
    }

    #[test]
    fn neighbouring_tuples_have_neighbouring_ranks() {
        let radix = Radix::new(&[3, 4, 2]);
        assert_eq!(radix.ranks(), Some(24));
        assert_eq!(radix.bits(), 5);
        let mut seen = [false; 24];
        for a in 0..3 {
            for b in 0..4 {
                for c in 0..2 {
                    let [rank] = radix.rank::<1>(&[a, b, c]);
                    assert!(!std::mem::replace(&mut seen[rank as usize], true));
                }
            }
        }
    }
}
