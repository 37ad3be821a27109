//! States that wait to be expanded: ranks packed in blocks, as many bytes each as they need; or, where very many wait, in
//! clusters of scattered numbers, in half of that or less, and in the order of their ranks.
//!
//! The order is what makes large state spaces fast. States that lie close together lead to states that lie close together, by
//! each event: what is looked up in a bitmap for them is in a cache already.
//!
//! Blocks are taken whole by one thread and given back to the system when they are expanded, so that the two levels a
//! breadth-first search works on never take more than the larger of them and a little.

mod clusters;
mod scattered;

use std::sync::PoisonError;

use clusters::Clusters;
use scattered::Scattered;

use crate::budget::{Budget, Charged, OutOfMemory};
use crate::set::words::mask;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};

/// Ranks in a block, at most; and how many are taken at a time, at least, where blocks are smaller.
pub const BLOCK: usize = 1024;

/// How many are put in at a time where very many wait: the more there are, the closer they lie.
pub const LARGE_BLOCK: usize = 4096;

/// So many are very many.
pub const VERY_MANY: u64 = 1 << 16;

/// Ranks of so many bits are worth being taken in order: a bitmap for them has two megabytes and more, which no core has
/// in a cache of its own.
pub const WORTH_ORDER: u32 = 25;

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// A rank that waits, and above it the label of the event by which it was found (see
/// [`passing`](crate::product::passing)).
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Bits of the rank.
    pub bits: u32,
    /// Bits of the label.
    pub label: u32,
    /// From how many of them on they are scattered.
    pub very_many: u64,
    /// Whether they are scattered in clusters, and taken in the order of their ranks: where ranks are so many that what is
    /// looked up for them is not in a cache anyway.
    pub in_order: bool,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Frontier {
    blocks: Mutex<Charged<Block>>,
    form: Form,
    /// Bytes of a state.
    stride: usize,
    /// How many states are expected.
    expected: u64,
    len: AtomicU64,
    budget: Budget,
}

#[derive(Debug)]
enum Block {
    Packed(Charged<u8>),
    Scattered(Scattered),
}

impl Block {
    fn bytes(&self) -> usize {
        match self {
            Self::Packed(bytes) => bytes.bytes(),
            Self::Scattered(numbers) => numbers.bytes(),
        }
    }

    /// Its place among others.
    fn first(&self) -> u64 {
        match self {
            Self::Packed(_) => 0,
            Self::Scattered(states) => states.first(),
        }
    }
}

impl Frontier {
    /// An empty one, for states of this form.
    pub fn new(form: Form, budget: &Budget) -> Self {
        Self {
            blocks: Mutex::new(Charged::new(budget)),
            form,
            stride: ((form.bits + form.label) as usize).div_ceil(8).max(1),
            expected: 0,
            len: AtomicU64::new(0),
            budget: budget.clone(),
        }
    }

    /// Makes it ready for about so many states.
    pub fn expect(&mut self, states: u64) {
        self.expected = states;
    }

    /// How many states it is ready for: as many as it has, at least.
    #[inline]
    pub fn expected(&self) -> u64 {
        self.len().max(self.expected)
    }

    /// How many states wait.
    pub fn len(&self) -> u64 {
        self.len.load(Ordering::Relaxed)
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a word is enough for a rank, whatever it has.
    fn is_short(&self) -> bool {
        self.stride <= WORD
    }

    /// How many states should be added at a time.
    #[inline]
    pub fn portion(&self) -> usize {
        if self.expected() < self.form.very_many { BLOCK } else { LARGE_BLOCK }
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.iter().map(Block::bytes).sum::<usize>() + blocks.bytes()
    }

    /// Adds states; all of them, or none on a refusal.
    pub fn push<const W: usize>(&self, ranks: &[[u64; W]]) -> Result<(), OutOfMemory> {
        let mut fresh = Vec::new();
        if self.is_short() && self.portion() == LARGE_BLOCK {
            for ranks in ranks.chunks(2 * LARGE_BLOCK) {
                self.scatter(ranks.iter().map(|rank| rank[0]), &mut fresh)?;
            }
        } else {
            for ranks in ranks.chunks(BLOCK) {
                fresh.push(self.packed(ranks)?);
            }
        }
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let count = blocks.len() + fresh.len();
        if count > blocks.capacity() {
            blocks.grow_to(count + count / 8).or_else(|_| blocks.grow_to(count))?;
        }
        fresh.into_iter().for_each(|block| blocks.push_reserved(block));
        drop(blocks);
        self.len.fetch_add(ranks.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Scatters states, in clusters if they are to be taken in order.
    fn scatter(
        &self,
        states: impl Iterator<Item = u64> + Clone,
        fresh: &mut Vec<Block>,
    ) -> Result<(), OutOfMemory> {
        if !self.form.in_order {
            fresh.push(Block::Scattered(Scattered::new(states, self.form, &self.budget)?));
            return Ok(());
        }
        for cluster in Clusters::of(states, self.form.bits).iter() {
            let states = cluster.iter().copied();
            fresh.push(Block::Scattered(Scattered::new(states, self.form, &self.budget)?));
        }
        Ok(())
    }

    fn packed<const W: usize>(&self, ranks: &[[u64; W]]) -> Result<Block, OutOfMemory> {
        let bytes = ranks.len() * self.stride;
        if self.is_short() {
            // Words are written whole, each over what the one before it has too much.
            let mut block = Charged::filled(&self.budget, 0u8, bytes + WORD)?;
            for (at, rank) in ranks.iter().enumerate() {
                block[at * self.stride..][..WORD].copy_from_slice(&rank[0].to_le_bytes());
            }
            return Ok(Block::Packed(block));
        }
        let mut block = Charged::filled(&self.budget, 0u8, bytes)?;
        for (rank, bytes) in ranks.iter().zip(block.chunks_exact_mut(self.stride)) {
            for (word, part) in rank.iter().zip(bytes.chunks_mut(WORD)) {
                part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
            }
        }
        Ok(Block::Packed(block))
    }

    /// Brings its blocks into the order of their ranks, in which they will be taken.
    pub fn put_in_order(&mut self) {
        let blocks = self.blocks.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.form.in_order {
            blocks.sort_unstable_by_key(|block| std::cmp::Reverse(block.first()));
        }
    }

    /// Takes some states; `false` if none waits.
    pub fn take<const W: usize>(&self, into: &mut Vec<[u64; W]>) -> bool {
        let before = into.len();
        let mut taken = Vec::new();
        {
            let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
            let mut count = 0;
            while count < BLOCK
                && let Some(block) = blocks.pop()
            {
                count += match &block {
                    Block::Packed(_) => BLOCK,
                    Block::Scattered(states) => states.len(),
                };
                taken.push(block);
            }
            if taken.is_empty() {
                // The list, too, is given back.
                *blocks = Charged::new(&self.budget);
            }
        }
        // The last is expanded first.
        for block in taken.into_iter().rev() {
            match block {
                Block::Packed(block) if self.is_short() => {
                    let bits = mask((self.stride * 8) as u32);
                    let places = (0..block.len() - WORD).step_by(self.stride);
                    into.extend(
                        places.map(|at| unpacked::<W>(&block[at..at + WORD]).map(|word| word & bits)),
                    );
                }
                Block::Packed(block) => into.extend(block.chunks_exact(self.stride).map(unpacked)),
                Block::Scattered(states) => into.extend(states.iter(self.form).map(|state| {
                    let mut rank = [0; W];
                    rank[0] = state;
                    rank
                })),
            }
        }
        self.len.fetch_sub((into.len() - before) as u64, Ordering::Relaxed);
        into.len() > before
    }
}

/// The rank in some bytes.
#[inline(always)]
fn unpacked<const W: usize>(bytes: &[u8]) -> [u64; W] {
    let mut rank = [0; W];
    for (word, part) in rank.iter_mut().zip(bytes.chunks(WORD)) {
        let mut whole = [0; WORD];
        whole[..part.len()].copy_from_slice(part);
        *word = u64::from_le_bytes(whole);
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_states_that_wait_are_taken_in_the_end() {
        let rank = |at: u64| [at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 31];
        let waiting: Vec<[u64; 1]> = (0..VERY_MANY + 100_000).map(rank).collect();
        for in_order in [false, true] {
            let form = Form { bits: 30, label: 3, very_many: VERY_MANY, in_order };
            let mut frontier = Frontier::new(form, &Budget::of(u64::MAX));
            waiting.chunks(3_000).for_each(|some| frontier.push(some).unwrap());
            assert_eq!(frontier.len(), waiting.len() as u64);
            // Five bytes each, and less than three for those that are scattered; half a byte more in clusters, where
            // they do not cluster.
            let clusters = if in_order { 100_000 / 2 + 40_000 } else { 0 };
            let most = VERY_MANY as usize * 5 + 100_000 * 3 + 10_000 + clusters;
            assert!(frontier.bytes() < most, "{}", frontier.bytes());
            frontier.put_in_order();
            let mut taken: Vec<[u64; 1]> = Vec::new();
            while frontier.take(&mut taken) {}
            assert!(frontier.is_empty() && frontier.bytes() == 0);
            taken.sort_unstable();
            let mut wanted = waiting.clone();
            wanted.sort_unstable();
            assert!(taken == wanted);
        }
    }

    #[test]
    fn clusters_are_taken_in_the_order_of_their_ranks() {
        let form = Form { bits: 40, label: 3, very_many: 1, in_order: true };
        let mut frontier = Frontier::new(form, &Budget::of(u64::MAX));
        frontier.expect(2);
        for cluster in [5u64, 900, 3, 77, 500] {
            let states: Vec<[u64; 1]> = (0..3_000).map(|at| [cluster << 30 | at]).collect();
            frontier.push(&states).unwrap();
        }
        frontier.put_in_order();
        let (mut firsts, mut taken): (Vec<u64>, Vec<[u64; 1]>) = (Vec::new(), Vec::new());
        while frontier.take(&mut taken) {
            firsts.push(taken.iter().map(|state| state[0] >> 30).max().unwrap_or(0));
            taken.clear();
        }
        firsts.dedup();
        assert_eq!(firsts, [3, 5, 77, 500, 900]);
    }
}
