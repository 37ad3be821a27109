//! From ranks in one radix to ranks of the same tuples in another.
//!
//! A rank is taken apart by the old capacities and put together by the new ones, unless all weights are the
//! same: then so are all ranks.

use super::automata::MOST_ROOTS;
use super::radix::Radix;
use crate::set::held::Translation;

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
}
