//! A page of a bitmap: its words, and behind them one more by which a thread claims the page for itself.

use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{spin_loop, yield_now};

/// How often it is asked for a page that another thread has before the processor is left to others.
const PATIENCE: u32 = 64;

/// What the word behind the others says.
const FREE: u64 = 0;
const CLAIMED: u64 = 1;

/// See the [module](self).
#[derive(Debug)]
pub struct Page(Box<[AtomicU64]>);

/// The right to write to a page, of one thread at a time.
#[derive(Debug)]
pub struct Claim<'a>(&'a AtomicU64);

impl Page {
    /// The bytes of a page of so many words.
    pub const fn bytes_for(words: usize) -> usize {
        (words + 1) * size_of::<u64>()
    }

    /// A page of so many words; nothing if there is no memory for it.
    pub fn fresh(words: usize) -> Option<Self> {
        let mut fresh = Vec::new();
        fresh.try_reserve_exact(words + 1).ok()?;
        fresh.extend((0..words).map(|_| AtomicU64::new(0)));
        fresh.push(AtomicU64::new(FREE));
        Some(Self(fresh.into_boxed_slice()))
    }

    /// Its words, and the one behind them: where it is known which are asked for, that saves telling them apart.
    #[inline(always)]
    pub fn all_words(&self) -> &[AtomicU64] {
        &self.0
    }

    /// Its words.
    pub fn words(&self) -> &[AtomicU64] {
        &self.0[..self.0.len() - 1]
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        Self::bytes_for(self.words().len())
    }

    /// Waits until no other thread writes to it. Nobody who has a claim asks for another one, and so nobody waits for
    /// long.
    #[inline(always)]
    pub fn claim(&self) -> Claim<'_> {
        let claim = &self.0[self.0.len() - 1];
        let mut asked = 0;
        // What others wrote before they gave it back is seen by whoever gets it.
        while claim.compare_exchange_weak(FREE, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_err() {
            asked += 1;
            if asked < PATIENCE { spin_loop() } else { yield_now() }
        }
        Claim(claim)
    }
}

impl Drop for Claim<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.store(FREE, Ordering::Release);
    }
}
