//! Many numbers in few bits: in the order of their leading bits, as in Elias and Fano's code for sorted numbers.
//!
//! n numbers of a range of N are divided into about n to 2n buckets by their leading bits. How many there are in each
//! bucket is told in unary, a one for each number and a zero for each bucket; the other bits, log2(N/n) of them, follow
//! as they are. That is 2 to 3 bits for each number beside them, where log2 e = 1.44 is the bound. Within a bucket,
//! numbers stay as they came: nothing has to be sorted.

use crate::budget::{Budget, Charged, OutOfMemory};
use crate::set::bits;
use crate::set::words::mask;

/// See the [module](self).
#[derive(Debug)]
pub struct Scattered {
    /// The buckets in unary, and behind them what they do not tell of each number.
    words: Charged<u64>,
    /// Where the latter begins.
    lower: usize,
    count: usize,
    /// Bits of a number that its bucket does not tell.
    low: u32,
    least: u64,
}

impl Scattered {
    /// These numbers, at least one.
    pub fn new(numbers: impl Iterator<Item = u64> + Clone, budget: &Budget) -> Result<Self, OutOfMemory> {
        let (count, least, most) = numbers.clone().fold((0, u64::MAX, 0), |(count, least, most), number| {
            (count + 1, number.min(least), number.max(most))
        });
        let range = most.saturating_sub(least);
        let low = (range / count.max(1) as u64).checked_ilog2().unwrap_or(0);
        let bucket = |number: u64| ((number - least) >> low) as usize;
        let buckets = (range >> low) as usize + 1;
        let lower = buckets + count;
        // What is read or written in any bit needs a word behind it.
        let len = (lower + count * low as usize) / 64 + 2;
        let mut words = Charged::filled(budget, 0, len)?;

        let mut places = vec![0u32; buckets + 1];
        numbers.clone().for_each(|number| places[bucket(number) + 1] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += *place;
            *place = sum;
        }
        for number in numbers {
            let bucket = bucket(number);
            let place = places[bucket] as usize;
            places[bucket] += 1;
            let one = bucket + place;
            words[one / 64] |= 1 << (one % 64);
            bits::write(&mut words, lower + place * low as usize, low, number - least);
        }
        Ok(Self { words, lower, count, low, least })
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let (mut word, mut ones) = (0, self.words[0]);
        (0..self.count).map(move |place| {
            while ones == 0 {
                word += 1;
                ones = self.words[word];
            }
            let bucket = word * 64 + ones.trailing_zeros() as usize - place;
            ones &= ones - 1;
            let low = bits::read(&self.words, self.lower + place * self.low as usize) & mask(self.low);
            self.least + ((bucket as u64) << self.low | low)
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
        for bits in [0, 1, 2, 10, 20, 33, 63, 64] {
            for count in [1, 2, 63, 64, 1_000, 4_096] {
                let numbers: Vec<u64> = (0..count).map(|_| random.next_u64() & mask(bits)).collect();
                let scattered = Scattered::new(numbers.iter().copied(), &Budget::of(u64::MAX)).unwrap();
                let mut came: Vec<u64> = scattered.iter().collect();
                assert!(came.is_sorted_by_key(|number| (number - scattered.least) >> scattered.low));
                came.sort_unstable();
                let mut went = numbers;
                went.sort_unstable();
                assert_eq!(came, went);
                let bound = f64::from(bits) - (count as f64).log2() + 3.5;
                let taken = scattered.bytes() as f64 * 8.0 / count as f64;
                assert!(count < 1_000 || taken <= bound.max(3.5), "{taken} bits of {bits} for {count}");
            }
        }
    }
}
