//! From ranks in one radix to ranks of the same tuples in another.
//!
//! A rank is taken apart by the old capacities and put together by the new ones, unless all weights are the
//! same: then so are all ranks. From bitmap to bitmap, [runs](crate::set::runs) of ranks are moved instead.

use super::automata::MOST_ROOTS;
use super::radix::Radix;
use crate::set::held::Translation;
use crate::set::runs::{Runs, Stride};

/// See the [module](self).
#[derive(Debug)]
pub struct Recoding<'a> {
    old: &'a Radix,
    new: &'a Radix,
    /// Whether every rank stays as it is.
    is_same: bool,
    numbers: [u32; MOST_ROOTS],
}

impl<'a> Recoding<'a> {
    /// From one radix to another, of the same components.
    pub fn new(old: &'a Radix, new: &'a Radix) -> Self {
        Self { old, new, is_same: old.is_part_of(new), numbers: [0; MOST_ROOTS] }
    }
}

impl Translation for Recoding<'_> {
    #[inline(always)]
    fn translate<const W: usize, const V: usize>(&mut self, rank: [u64; W]) -> [u64; V] {
        if self.is_same {
            return std::array::from_fn(|word| rank.get(word).copied().unwrap_or(0));
        }
        self.old.numbers(&rank, &mut self.numbers);
        self.new.rank(&self.numbers)
    }

    fn runs(&self) -> Option<Runs> {
        let stays = self.old.order() == self.new.order();
        (stays && self.old.words() == 1 && self.new.words() == 1).then(|| {
            let mut runs = Runs { len: 1, strides: Vec::new() };
            for at in self.old.order() {
                let [from, to] = [self.old, self.new].map(|radix| radix.digits()[usize::from(*at)]);
                let count = u64::from(from.capacity.min(to.capacity));
                let (from, to) = (from.weight, to.weight);
                if count == 1 {
                    continue;
                }
                // Numbers as high as the capacities were, and are, all the way up to here.
                if from == runs.len && to == runs.len {
                    runs.len *= count;
                } else {
                    runs.strides.push(Stride { count, from, to });
                }
            }
            runs
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::set::held::{Held, Kind};
    use crate::set::{RankSet, Shape};

    /// Some members, in a bitmap, moved run by run and rank by rank.
    #[test]
    fn runs_move_as_ranks_do() {
        let radices: [[&[u32]; 2]; 8] = [
            [&[7, 5, 3], &[7, 5, 3]],
            [&[7, 5, 3], &[7, 5, 40]],
            [&[3, 50, 90], &[4, 50, 90]],
            [&[100, 70, 60], &[100, 81, 66]],
            [&[100, 70, 60], &[90, 70, 55]],
            [&[1, 64, 1, 128, 9], &[3, 64, 2, 130, 9]],
            [&[4096, 1, 33], &[4096, 1, 35]],
            [&[3000, 2000], &[3100, 2000]],
        ];
        for ([old, new], tagged) in radices.into_iter().flat_map(|pair| [(pair, false), (pair, true)]) {
            let (from, to) = (Radix::new(old), Radix::new(new));
            let shape = |radix: &Radix| Shape {
                bits: radix.bits(),
                tagged,
                most: u64::MAX,
                expected: 0,
                budget: Budget::of(u64::MAX),
            };
            let ranks = from.ranks().unwrap();
            let held = Held::new(Kind::Bitmap, 1, Some(ranks), &shape(&from)).unwrap();
            let Held::Bitmap(bitmap) = &held else { panic!("not a bitmap") };
            let mut numbers = [0; MOST_ROOTS];
            let fits = |numbers: &[u32]| numbers.iter().zip(new).all(|(number, capacity)| number < capacity);
            let mut members = Vec::new();
            // Some pages stay empty.
            for rank in (0..ranks).filter(|rank| rank * rank % 7 < 3 && rank / 60_000 % 2 == 0) {
                from.numbers(&[rank], &mut numbers);
                if fits(&numbers[..new.len()]) {
                    members.push((rank, if tagged { (rank % 255) as u8 } else { 0 }));
                }
            }
            bitmap.fill(0, 0, |take| members.iter().try_for_each(|(rank, tag)| take([*rank], *tag))).unwrap();
            let mut recoding = Recoding::new(&from, &to);
            let runs = recoding.runs().unwrap();
            assert!(runs.count() <= 8 * members.len() as u64, "{runs:?}");
            let moved = Held::new(Kind::Bitmap, 1, to.ranks(), &shape(&to)).unwrap();
            held.pour_into(&moved, &mut recoding, &shape(&to), 0).unwrap();
            let expected: Vec<_> =
                members.iter().map(|(rank, tag)| (recoding.translate::<1, 1>([*rank]), *tag)).collect();
            let Held::Bitmap(bitmap) = &moved else { panic!("not a bitmap") };
            assert_eq!(bitmap.len(), members.len() as u64, "{old:?} to {new:?}");
            for (rank, tag) in &expected {
                assert_eq!(bitmap.tag_of(*rank), Some(*tag), "{old:?} to {new:?}: {rank:?}");
            }
            let mut there = 0;
            moved.each(&mut |_| there += 1);
            assert_eq!(there, members.len());
        }
    }
}
