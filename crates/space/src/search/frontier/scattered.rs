//! Many states in few bits: in the order of their leading bits, as in Elias and Fano's code for sorted numbers.
//!
//! n numbers of a range of N are divided into about n to 2n buckets by their leading bits. How many there are in each
//! bucket is told in unary, a one for each number and a zero for each bucket; the other bits, log2(N/n) of them, follow
//! as they are. That is 2 to 3 bits for each number beside them, where log2 e = 1.44 is the bound. Within a bucket,
//! numbers stay as they came: nothing has to be sorted.
//!
//! A state is a rank and a label. Ranks are counted from the lowest, and labels stand above as few bits as that leaves: so
//! the closer ranks lie, the less a state takes.

use super::Form;
use crate::budget::{Budget, Charged, OutOfMemory};
use crate::set::bits;
use crate::set::words::mask;

/// See the [module](self).
#[derive(Debug)]
pub struct Scattered {
    /// The buckets in unary, and behind them what they do not tell of each number.
    words: Charged<u64>,
    /// The lowest rank.
    first: u64,
    /// The lowest number.
    least: u64,
    /// Where what the buckets do not tell begins.
    lower: u32,
    count: u32,
    /// Bits of a number that its bucket does not tell.
    low: u8,
    /// Bits of a number below its label.
    offset: u8,
}

impl Scattered {
    /// These states, at least one and less than 2^31.
    pub fn new(
        states: impl Iterator<Item = u64> + Clone,
        form: Form,
        budget: &Budget,
    ) -> Result<Self, OutOfMemory> {
        let rank = |state: u64| state & mask(form.bits);
        let span = |(least, most): (u64, u64), number: u64| (least.min(number), most.max(number));
        // What is in no order is all over the place.
        let (first, last) = match form.in_order {
            true => states.clone().map(rank).fold((u64::MAX, 0), span),
            false => (0, mask(form.bits)),
        };
        let offset = 64 - last.saturating_sub(first).leading_zeros();
        let label = |state: u64| state.checked_shr(form.bits).unwrap_or(0);
        let number = |state: u64| label(state).wrapping_shl(offset) | (rank(state) - first);
        let (least, most) = states.clone().map(number).fold((u64::MAX, 0), span);
        let (count, range) = (states.clone().count(), most.saturating_sub(least));
        let low = (range / count.max(1) as u64).checked_ilog2().unwrap_or(0);
        let bucket = |state: u64| ((number(state) - least) >> low) as usize;
        let buckets = (range >> low) as usize + 1;
        let lower = buckets + count;
        // What is read or written in any bit needs a word behind it.
        let len = (lower + count * low as usize) / 64 + 2;
        let mut words = Charged::filled(budget, 0, len)?;

        let mut places = vec![0u32; buckets + 1];
        states.clone().for_each(|state| places[bucket(state) + 1] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += *place;
            *place = sum;
        }
        for state in states {
            let bucket = bucket(state);
            let place = places[bucket] as usize;
            places[bucket] += 1;
            let one = bucket + place;
            words[one / 64] |= 1 << (one % 64);
            bits::write(&mut words, lower + place * low as usize, low, number(state) - least);
        }
        let (lower, count) = (lower as u32, count as u32);
        Ok(Self { words, first, least, lower, count, low: low as u8, offset: offset as u8 })
    }

    /// The lowest rank.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }

    /// All states.
    pub fn iter(&self, form: Form) -> impl Iterator<Item = u64> + '_ {
        let (mut word, mut ones) = (0, self.words[0]);
        let (low, offset) = (u32::from(self.low), u32::from(self.offset));
        (0..self.len()).map(move |place| {
            while ones == 0 {
                word += 1;
                ones = self.words[word];
            }
            let bucket = word * 64 + ones.trailing_zeros() as usize - place;
            ones &= ones - 1;
            let rest = bits::read(&self.words, self.lower as usize + place * low as usize) & mask(low);
            let number = self.least + ((bucket as u64) << low | rest);
            let rank = self.first + (number & mask(offset));
            rank | number.checked_shr(offset).unwrap_or(0).wrapping_shl(form.bits)
        })
    }
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::random::Random;

    use super::*;

    #[test]
    fn what_goes_in_comes_out_in_few_bits() {
        let mut random = Random::new(7);
        for (rank, label) in [(0, 0), (1, 0), (1, 1), (8, 2), (20, 0), (28, 5), (33, 7), (56, 8), (64, 0)] {
            for count in [1, 2, 63, 64, 1_000, 4_096] {
                let form = Form { bits: rank, label, very_many: 0, in_order: true };
                let bits = rank + label;
                let states: Vec<u64> = (0..count).map(|_| random.next_u64() & mask(bits)).collect();
                let scattered = Scattered::new(states.iter().copied(), form, &Budget::of(u64::MAX)).unwrap();
                assert_eq!(scattered.len(), states.len());
                assert_eq!(states.iter().map(|state| state & mask(rank)).min(), Some(scattered.first()));
                let mut came: Vec<u64> = scattered.iter(form).collect();
                let number = |state: &u64| {
                    let label = state.checked_shr(rank).unwrap_or(0).wrapping_shl(scattered.offset.into());
                    label | ((state & mask(rank)) - scattered.first)
                };
                assert!(came.is_sorted_by_key(|state| (number(state) - scattered.least) >> scattered.low));
                came.sort_unstable();
                let mut went = states;
                went.sort_unstable();
                assert_eq!(came, went);
                let bound = f64::from(bits) - (count as f64).log2() + 3.5;
                let taken = scattered.bytes() as f64 * 8.0 / count as f64;
                assert!(count < 1_000 || taken <= bound.max(3.5), "{taken} bits of {bits} for {count}");
            }
        }
    }

    #[test]
    fn neighbours_take_fewer_bits_wherever_they_are() {
        let form = Form { bits: 40, label: 3, very_many: 0, in_order: true };
        let states: Vec<u64> = (0..1_000).map(|at| ((at % 8) << 40) | (0x98_7654_3210 + at * 3)).collect();
        let scattered = Scattered::new(states.iter().copied(), form, &Budget::of(u64::MAX)).unwrap();
        assert!(scattered.bytes() * 8 <= 1_000 * 9, "{}", scattered.bytes());
    }
}
