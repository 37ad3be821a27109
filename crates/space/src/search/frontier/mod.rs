//! States that wait to be expanded: ranks packed in blocks, as many bytes each as they need; or, where very many wait, as
//! `Scattered` numbers, in some two thirds of that.
//!
//! A block is taken whole by one thread and given back to the system when it is expanded, so that the two levels a
//! breadth-first search works on never take more than the larger of them and a little.

mod scattered;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use scattered::Scattered;

use crate::budget::{Budget, Charged, OutOfMemory};
use crate::set::words::mask;

/// Ranks in a block, at most.
pub const BLOCK: usize = 1024;

/// The same where very many states wait: the more there are in a block, the closer they lie.
pub const LARGE_BLOCK: usize = 4096;

/// So many are very many.
pub const VERY_MANY: u64 = 1 << 16;

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// See the [module](self).
#[derive(Debug)]
pub struct Frontier {
    blocks: Mutex<Vec<Block>>,
    /// Bytes of a rank.
    stride: usize,
    /// How many are very many.
    very_many: u64,
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
}

impl Frontier {
    /// An empty one, for ranks of so many bits, in which so many are very many.
    pub fn new(bits: u32, very_many: u64, budget: &Budget) -> Self {
        Self {
            blocks: Mutex::default(),
            stride: (bits as usize).div_ceil(8).max(1),
            very_many,
            len: AtomicU64::new(0),
            budget: budget.clone(),
        }
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
        if self.len() < self.very_many { BLOCK } else { LARGE_BLOCK }
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.iter().map(Block::bytes).sum()
    }

    /// Adds states; all of them, or none on a refusal.
    pub fn push<const W: usize>(&self, ranks: &[[u64; W]]) -> Result<(), OutOfMemory> {
        let is_scattered = self.is_short() && self.portion() == LARGE_BLOCK;
        let packed = |ranks: &[[u64; W]]| match is_scattered {
            true => Ok(Block::Scattered(Scattered::new(ranks.iter().map(|rank| rank[0]), &self.budget)?)),
            false => self.packed(ranks),
        };
        let size = if is_scattered { LARGE_BLOCK } else { BLOCK };
        let mut blocks = ranks.chunks(size).map(packed).collect::<Result<Vec<_>, _>>()?;
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).append(&mut blocks);
        self.len.fetch_add(ranks.len() as u64, Ordering::Relaxed);
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

    /// Takes a block of states; `false` if none waits.
    pub fn take<const W: usize>(&self, into: &mut Vec<[u64; W]>) -> bool {
        let block = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let before = into.len();
        match block {
            None => return false,
            Some(Block::Packed(block)) if self.is_short() => {
                let bits = mask((self.stride * 8) as u32);
                let places = (0..block.len() - WORD).step_by(self.stride);
                into.extend(places.map(|at| unpacked::<W>(&block[at..at + WORD]).map(|word| word & bits)));
            }
            Some(Block::Packed(block)) => into.extend(block.chunks_exact(self.stride).map(unpacked)),
            Some(Block::Scattered(numbers)) => into.extend(numbers.iter().map(|number| {
                let mut rank = [0; W];
                rank[0] = number;
                rank
            })),
        }
        self.len.fetch_sub((into.len() - before) as u64, Ordering::Relaxed);
        true
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
        let frontier = Frontier::new(33, VERY_MANY, &Budget::of(u64::MAX));
        let rank = |at: u64| [at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 31];
        let mut waiting: Vec<[u64; 1]> = (0..VERY_MANY + 100_000).map(rank).collect();
        waiting.chunks(3_000).for_each(|some| frontier.push(some).unwrap());
        assert_eq!(frontier.len(), waiting.len() as u64);
        // Five bytes each, and less than three for those that are scattered.
        assert!(frontier.bytes() < VERY_MANY as usize * 5 + 100_000 * 3 + 10_000);
        let mut taken: Vec<[u64; 1]> = Vec::new();
        while frontier.take(&mut taken) {}
        assert!(frontier.is_empty() && frontier.bytes() == 0);
        taken.sort_unstable();
        waiting.sort_unstable();
        assert!(taken == waiting);
    }
}
