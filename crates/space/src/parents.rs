//! Who was found from whom, in a breadth-first search, in about 2.25 bits per state.
//!
//! States are numbered as they are found and expanded in that order, so parents never decrease. It is enough
//! to write down, for each expanded state, how many new states it gave, in unary: a 1 for each child, then a
//! 0. The parent of state c is then the number of 0s before the c-th 1. Counts of 1s every 512 bits make that
//! quick to find. Events are not kept: they are found again by firing.

use crate::StateId;
use crate::budget::{Budget, Charged, OutOfMemory};

/// Words between two counts.
const BLOCK: usize = 8;

/// See the [module](self).
#[derive(Debug)]
pub struct Parents {
    words: Charged<u64>,
    /// 1s before each block.
    counts: Charged<u64>,
    bits: u64,
    ones: u64,
}

impl Parents {
    /// Nobody yet.
    pub fn new(budget: &Budget) -> Self {
        Self { words: Charged::new(budget), counts: Charged::new(budget), bits: 0, ones: 0 }
    }

    /// Makes room for so many more children and parents together, so that none of them can be refused.
    pub fn reserve(&mut self, more: usize) -> Result<(), OutOfMemory> {
        let words = (self.bits as usize + more).div_ceil(64) + 1;
        self.words.reserve(words)?;
        self.counts.reserve(words.div_ceil(BLOCK) + 1)
    }

    fn push(&mut self, one: bool) {
        if self.bits.is_multiple_of(64) {
            if self.words.len().is_multiple_of(BLOCK) {
                self.counts.push_reserved(self.ones);
            }
            self.words.push_reserved(0);
        }
        if one {
            self.words[(self.bits / 64) as usize] |= 1 << (self.bits % 64);
            self.ones += 1;
        }
        self.bits += 1;
    }

    /// The state under expansion gave a new state. There must be [room](Self::reserve) for it.
    #[inline]
    pub fn child(&mut self) {
        self.push(true);
    }

    /// The state under expansion is done; the next one follows. There must be [room](Self::reserve) for it.
    #[inline]
    pub fn next_parent(&mut self) {
        self.push(false);
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.bytes() + self.counts.bytes()
    }

    /// The state from which a state was found; none for the initial one.
    pub fn parent(&self, child: StateId) -> Option<StateId> {
        // The first 1 belongs to state 1.
        let rank = child.0.checked_sub(1)?;
        let block = self.counts.partition_point(|before| *before <= rank) - 1;
        let mut left = rank - self.counts[block];
        for (at, word) in self.words.iter().enumerate().skip(block * BLOCK) {
            let ones = u64::from(word.count_ones());
            if left < ones {
                let position = at as u64 * 64 + u64::from(select(*word, left));
                return Some(StateId(position - rank));
            }
            left -= ones;
        }
        None
    }

    /// The states on the way to a state, from the initial one, itself included.
    pub fn path(&self, to: StateId) -> Vec<StateId> {
        let mut path = vec![to];
        while let Some(parent) = path.last().and_then(|last| self.parent(*last)) {
            path.push(parent);
        }
        path.reverse();
        path
    }
}

/// The position of the 1 with this rank (from 0) in a word.
fn select(mut word: u64, rank: u64) -> u32 {
    for _ in 0..rank {
        word &= word - 1;
    }
    word.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_found_in_any_tree() {
        // A tree in breadth-first order: states give 2, 0, 1, 2, 0, 1, … children.
        let budget = Budget::of(u64::MAX);
        let mut parents = Parents::new(&budget);
        let mut expected = vec![None];
        let mut next = 0;
        while next < expected.len() && expected.len() < 20_000 {
            for _ in 0..[2, 0, 1][next % 3] {
                expected.push(Some(StateId(next as u64)));
                parents.reserve(1).unwrap();
                parents.child();
            }
            parents.reserve(1).unwrap();
            parents.next_parent();
            next += 1;
        }
        assert!(expected.len() > 10_000);
        for (child, parent) in expected.iter().enumerate() {
            assert_eq!(parents.parent(StateId(child as u64)), *parent, "state {child}");
        }
        let per_state = parents.bits as f64 * (1.0 + 1.0 / BLOCK as f64) / expected.len() as f64;
        assert!(per_state < 2.3, "{per_state} bits per state");
    }
}
