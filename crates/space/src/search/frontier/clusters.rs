//! States that were found one after the other, taken apart into those that lie close together.
//!
//! If states are expanded in the order of their ranks, what they lead to comes in streams: an event adds the same to the
//! ranks of many neighbours. So what was found of late consists of a few clusters, each of which takes few bits as
//! [`Scattered`](super::scattered::Scattered) numbers; and if clusters are expanded in the order of their ranks again, so does
//! the next level.

use crate::set::words::mask;

/// Ranks are compared by so many leading bits.
const CELLS: u32 = 10;

/// A cluster of so many states ends before a gap that is longer than this part of it, and one of so many at the end of any
/// cell.
const FEW: u32 = 96;
const GAP: usize = 4;
const ENOUGH: u32 = 384;

/// States in the order of their clusters.
#[derive(Debug)]
pub struct Clusters {
    states: Vec<u64>,
    /// Where clusters end.
    ends: Vec<u32>,
}

impl Clusters {
    /// The clusters among states whose ranks have so many bits.
    pub fn of(states: impl Iterator<Item = u64> + Clone, bits: u32) -> Self {
        let shift = bits.saturating_sub(CELLS);
        let cell = |state: u64| ((state & mask(bits)) >> shift) as usize;
        let mut places = [0u32; (1 << CELLS) + 1];
        states.clone().for_each(|state| places[cell(state) + 1] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += *place;
            *place = sum;
        }
        let mut sorted = vec![0; sum as usize];
        for state in states {
            let place = &mut places[cell(state)];
            sorted[*place as usize] = state;
            *place += 1;
        }
        // Now each place is where its cell ends.
        let mut ends = Vec::new();
        let (mut begin, mut before) = (0, 0);
        let (mut first, mut last) = (0, 0);
        for (cell, end) in places[..1 << CELLS].iter().copied().enumerate() {
            if end == before {
                continue;
            }
            let count = before - begin;
            let is_gap = (cell - last).saturating_sub(1) * GAP > last - first + 1;
            if count >= ENOUGH || is_gap && count >= FEW {
                ends.push(before);
                (begin, first) = (before, cell);
            } else if count == 0 {
                first = cell;
            }
            (before, last) = (end, cell);
        }
        if sum > begin {
            ends.push(sum);
        }
        Self { states: sorted, ends }
    }

    /// One after the other.
    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        self.ends.iter().scan(0, |begin, end| {
            let cluster = &self.states[*begin..*end as usize];
            *begin = *end as usize;
            Some(cluster)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clusters(states: &[u64], bits: u32) -> Vec<Vec<u64>> {
        let clusters = Clusters::of(states.iter().copied(), bits);
        clusters.iter().map(<[u64]>::to_vec).collect()
    }

    #[test]
    fn streams_are_told_apart_whatever_their_labels() {
        let stream = |from: u64| (0..200).map(move |at| ((at % 4) << 30) | (from + at * 10));
        let states: Vec<u64> = stream(7 << 25).zip(stream(1 << 20)).flat_map(|(a, b)| [a, b]).collect();
        let found = clusters(&states, 30);
        assert_eq!(found, [stream(1 << 20).collect::<Vec<_>>(), stream(7 << 25).collect()]);
    }

    #[test]
    fn no_state_is_lost_and_no_cluster_is_tiny() {
        for bits in [0, 3, 9, 10, 11, 32, 63] {
            let states: Vec<u64> =
                (0..5_000u64).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 1).collect();
            let found = clusters(&states, bits);
            let (last, others) = found.split_last().unwrap();
            assert!(!last.is_empty() && others.iter().all(|cluster| cluster.len() >= FEW as usize));
            assert!(bits < 10 || others.iter().all(|cluster| cluster.len() < ENOUGH as usize + 100));
            let mut all = found.concat();
            all.sort_unstable();
            let mut wanted = states;
            wanted.sort_unstable();
            assert_eq!(all, wanted);
        }
        assert!(clusters(&[], 20).is_empty());
    }
}
