//! What the threads of a search have in hand when memory runs out: states that are not expanded yet, successors that the set
//! has not seen yet, and new ones that are in no level yet.
//!
//! Ranks and sets are changed only between phases, when nobody has anything in hand. A phase that ends for want of memory is
//! different: what could not be handed in waits here until there is a smaller set.

use super::levels::translated_state;
use crate::Budget;
use crate::budget::{Hold, OutOfMemory};
use crate::set::held::{AnyRank, narrowed, widened};

/// See the [module](self).
#[derive(Debug, Default)]
pub struct InHand {
    /// States of the present level that are not expanded.
    block: Vec<AnyRank>,
    /// Successors that may be new.
    met: Vec<AnyRank>,
    /// States of the next level.
    found: Vec<AnyRank>,
    /// The memory of all of them.
    held: Vec<Hold>,
}

impl InHand {
    /// Takes what a worker has.
    pub fn add<const W: usize>(
        &mut self,
        block: &[[u64; W]],
        met: &[[u64; W]],
        found: &[[u64; W]],
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        let count = block.len() + met.len() + found.len();
        self.held.push(budget.hold(count * size_of::<AnyRank>())?);
        let lists = [(&mut self.block, block), (&mut self.met, met), (&mut self.found, found)];
        for (mine, theirs) in lists {
            mine.reserve_exact(theirs.len());
            mine.extend(theirs.iter().map(|rank| widened(*rank)));
        }
        Ok(())
    }

    /// Makes all ranks anew, from so many bits to so many.
    pub fn translate(
        &mut self,
        bits: (u32, u32),
        keep_labels: bool,
        translate: &mut impl FnMut(AnyRank) -> AnyRank,
    ) {
        for state in self.block.iter_mut().chain(&mut self.met).chain(&mut self.found) {
            *state = translated_state(state, bits, keep_labels, translate);
        }
    }

    /// Shows all states.
    pub fn each(&self, visit: impl FnMut(&AnyRank)) {
        self.block.iter().chain(&self.met).chain(&self.found).for_each(visit);
    }

    /// Gives all of it to a worker, and the memory it takes.
    pub fn hand_over<const W: usize>(
        &mut self,
        block: &mut Vec<[u64; W]>,
        met: &mut Vec<[u64; W]>,
        found: &mut Vec<[u64; W]>,
    ) -> Vec<Hold> {
        let Self { block: blocks, met: successors, found: new, held } = std::mem::take(self);
        for (mine, theirs) in [(blocks, block), (successors, met), (new, found)] {
            theirs.extend(mine.into_iter().map(narrowed::<W>));
        }
        held
    }
}
