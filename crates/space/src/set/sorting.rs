//! Sorting keys that are spread evenly: by their leading bits first, which puts each of them among the few beside which it
//! belongs.

use super::words::{field, low, mask};

/// Keys that share leading bits, on average.
const TOGETHER: usize = 3;

/// Sorts many lists of keys, one after another.
#[derive(Debug)]
pub struct Sorter<const W: usize> {
    sorted: Vec<[u64; W]>,
    /// For each value of the leading bits, where the keys go that have it.
    places: Vec<u32>,
}

impl<const W: usize> Sorter<W> {
    /// One that has sorted nothing yet.
    pub fn new() -> Self {
        Self { sorted: Vec::new(), places: Vec::new() }
    }

    /// These keys of so many bits in ascending order, with the marks above them.
    pub fn sort(&mut self, keys: &[[u64; W]], bits: u32) -> &[[u64; W]] {
        let leading = (keys.len() / TOGETHER).checked_ilog2().unwrap_or(0).min(bits);
        let lead = |key: &[u64; W]| field(key, bits - leading, leading) as usize;
        self.places.clear();
        self.places.resize((1 << leading) + 1, 0);
        keys.iter().for_each(|key| self.places[lead(key) + 1] += 1);
        let mut sum = 0;
        for place in &mut self.places {
            sum += *place;
            *place = sum;
        }
        self.sorted.resize(keys.len(), [0; W]);
        for key in keys {
            let place = &mut self.places[lead(key)];
            self.sorted[*place as usize] = *key;
            *place += 1;
        }
        let mut start = 0;
        for end in &self.places[..1 << leading] {
            order(&mut self.sorted[start..*end as usize], bits);
            start = *end as usize;
        }
        &self.sorted
    }
}

fn order<const W: usize>(keys: &mut [[u64; W]], bits: u32) {
    match W {
        1 => keys.sort_unstable_by_key(|key| key[0] & mask(bits)),
        _ => keys.sort_unstable_by(|a, b| low(a, bits).iter().rev().cmp(low(b, bits).iter().rev())),
    }
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::random::Random;

    use super::*;
    use crate::set::words::marked;

    #[test]
    fn keys_are_sorted_and_marks_stay_with_them() {
        let mut random = Random::new(5);
        let mut sorter = Sorter::<2>::new();
        for bits in [0, 1, 7, 40, 63, 64, 70, 120] {
            for count in [0, 1, 7, 8, 100, 5_000] {
                let keys: Vec<[u64; 2]> = (0..count)
                    .map(|_| {
                        marked(
                            low(&[random.next_u64(), random.next_u64()], bits),
                            bits,
                            random.next_u64() & 255,
                        )
                    })
                    .collect();
                let sorted = sorter.sort(&keys, bits).to_vec();
                let key = |it: &[u64; 2]| low(it, bits).into_iter().rev().collect::<Vec<_>>();
                assert!(sorted.is_sorted_by_key(key), "{bits} bits");
                let [mut before, mut after] = [keys, sorted];
                before.sort_unstable();
                after.sort_unstable();
                assert_eq!(before, after);
            }
        }
    }
}
