//! States that wait to be expanded: ranks packed in blocks, as many bytes each as they need.
//!
//! A block is taken whole by one thread and given back to the system when it is expanded, so that the two levels a
//! breadth-first search works on never take more than the larger of them and a little.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::budget::{Budget, Charged, OutOfMemory};

/// Ranks in a block, at most.
pub const BLOCK: usize = 1024;

/// See the [module](self).
#[derive(Debug)]
pub struct Frontier {
    blocks: Mutex<Vec<Charged<u8>>>,
    /// Bytes of a rank.
    stride: usize,
    len: AtomicU64,
    budget: Budget,
}

impl Frontier {
    /// An empty one, for ranks of so many bits.
    pub fn new(bits: u32, budget: &Budget) -> Self {
        Self {
            blocks: Mutex::default(),
            stride: (bits as usize).div_ceil(8).max(1),
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

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        let blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.iter().map(Charged::bytes).sum()
    }

    /// Adds states; all of them, or none on a refusal.
    pub fn push<const W: usize>(&self, ranks: &[[u64; W]]) -> Result<(), OutOfMemory> {
        let packed = ranks.chunks(BLOCK).map(|ranks| self.packed(ranks));
        let mut blocks = packed.collect::<Result<Vec<_>, _>>()?;
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).append(&mut blocks);
        self.len.fetch_add(ranks.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn packed<const W: usize>(&self, ranks: &[[u64; W]]) -> Result<Charged<u8>, OutOfMemory> {
        let mut block = Charged::filled(&self.budget, 0u8, ranks.len() * self.stride)?;
        for (rank, bytes) in ranks.iter().zip(block.chunks_exact_mut(self.stride)) {
            for (word, part) in rank.iter().zip(bytes.chunks_mut(8)) {
                part.copy_from_slice(&word.to_le_bytes()[..part.len()]);
            }
        }
        Ok(block)
    }

    /// Takes a block of states; `false` if none waits.
    pub fn take<const W: usize>(&self, into: &mut Vec<[u64; W]>) -> bool {
        let block = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(block) = block else { return false };
        for bytes in block.chunks_exact(self.stride) {
            let mut rank = [0; W];
            for (word, part) in rank.iter_mut().zip(bytes.chunks(8)) {
                let mut whole = [0; 8];
                whole[..part.len()].copy_from_slice(part);
                *word = u64::from_le_bytes(whole);
            }
            into.push(rank);
        }
        self.len.fetch_sub((block.len() / self.stride) as u64, Ordering::Relaxed);
        true
    }
}
