//! The flat store: keys one after another in an arena, whole bytes each, and an index of numbers over them.
//!
//! ⌈bits / 8⌉ bytes per state for the key and 5 to 7.5 bytes for the index (32-bit slots, loaded between 53 %
//! and 80 %). The best an exact set of R keys out of S can do is log2(S/R) + 1.44 bits per state; this store is
//! far from it, but it can give any state back by its number, it keeps the order in which states were found
//! (so that a breadth-first search needs no queue), and it is fast.

mod arena;
pub(crate) mod index;

use arena::Arena;
use index::Index;

use super::{Full, Inserted, Keys, StateId, Store};
use crate::Budget;

/// See the [module](self).
#[derive(Debug)]
pub struct Flat {
    arena: Arena,
    index: Index,
    max_states: u64,
    budget: Budget,
    /// The hashes of the keys that are being inserted together, and the states they probably belong to.
    hashes: Vec<u64>,
    likely: Vec<Option<u64>>,
}

impl Flat {
    /// An empty store for keys of so many bits.
    pub fn new(bits: usize, max_states: u64, budget: &Budget) -> Result<Self, Full> {
        Ok(Self {
            arena: Arena::new(bits, budget),
            index: Index::new(budget)?,
            max_states,
            budget: budget.clone(),
            hashes: Vec::new(),
            likely: Vec::new(),
        })
    }
}

/// The hash that the index uses.
#[inline(always)]
pub(crate) fn hash_of(key: &[u64]) -> u64 {
    match key {
        // One word is the commonest length by far, and deserves the shortest way.
        [word] => rapidhash::v3::rapidhash_v3_inline::<true, false, false>(
            &word.to_le_bytes(),
            &rapidhash::v3::DEFAULT_RAPID_SECRETS,
        ),
        words => rapidhash::v3::rapidhash_v3_inline::<true, false, false>(
            bytemuck::cast_slice(words),
            &rapidhash::v3::DEFAULT_RAPID_SECRETS,
        ),
    }
}

impl Flat {
    /// The hash of a key. What will be needed to find it is touched on the way, so that it is at hand soon after.
    #[inline]
    pub(crate) fn look_ahead(&self, key: &[u64]) -> u64 {
        let hash = hash_of(key);
        if let Some(id) = self.index.likely(hash) {
            std::hint::black_box(self.arena.touch(id));
        }
        hash
    }

    /// Puts one of its keys into another store for keys of as many bits.
    pub(crate) fn copy_to(&self, id: StateId, other: &mut Self) -> Result<(), Full> {
        self.arena.read(id.0, |key| other.insert_hashed(key, hash_of(key)).map(|_| ()))
    }

    /// Puts a key in whose hash is known, unless it is there already.
    #[inline(always)]
    pub(crate) fn insert_hashed(&mut self, key: &[u64], hash: u64) -> Result<Inserted, Full> {
        match self.index.find(hash, |id| self.arena.equals(id, key)) {
            Ok(id) => Ok(Inserted::Seen(StateId(id))),
            Err(vacancy) => {
                let id = self.arena.len();
                if id >= self.max_states {
                    return Err(Full::States);
                }
                let vacancy = if self.index.is_full(id + 1) {
                    self.index.grow(id, |id| self.arena.read(id, hash_of))?;
                    self.index.vacancy(hash)
                } else {
                    vacancy
                };
                self.arena.push(key)?;
                self.index.fill(vacancy, hash, id);
                Ok(Inserted::New(StateId(id)))
            }
        }
    }
}

impl Store for Flat {
    #[inline]
    fn insert(&mut self, key: &[u64]) -> Result<Inserted, Full> {
        self.insert_hashed(key, hash_of(key))
    }

    #[inline]
    fn insert_all(&mut self, keys: &[u64], words: usize, outcome: &mut Vec<Inserted>) -> Result<(), Full> {
        // Two passes that only touch what the third will need: the processor waits for all slots together,
        // then for all keys together, instead of for each in turn.
        self.hashes.clear();
        self.hashes.extend(keys.chunks_exact(words).map(hash_of));
        self.likely.clear();
        self.likely.extend(self.hashes.iter().map(|hash| self.index.likely(*hash)));
        let touched = self.likely.iter().flatten().fold(0, |sum, id| sum ^ self.arena.touch(*id));
        std::hint::black_box(touched);
        for (i, key) in keys.chunks_exact(words).enumerate() {
            outcome.push(self.insert_hashed(key, self.hashes[i])?);
        }
        Ok(())
    }

    #[inline]
    fn get(&self, id: StateId, key: &mut [u64]) {
        self.arena.get(id.0, key);
    }

    fn find(&self, key: &[u64]) -> Option<StateId> {
        self.index.find(hash_of(key), |id| self.arena.equals(id, key)).ok().map(StateId)
    }
}

impl Keys for Flat {
    fn len(&self) -> u64 {
        self.arena.len()
    }

    fn limit_states(&mut self, most: u64) {
        self.max_states = self.max_states.min(most);
    }

    fn bytes(&self) -> usize {
        self.arena.bytes() + self.index.bytes()
    }

    fn recode(&mut self, bits: usize, recode: &mut dyn FnMut(&[u64], &mut [u64])) -> Result<(), Full> {
        let old = std::mem::replace(&mut self.arena, Arena::new(bits, &self.budget));
        old.drain_into(&mut self.arena, recode)?;
        let arena = &self.arena;
        self.index.refill(arena.len(), |id| arena.read(id, hash_of));
        Ok(())
    }
}
