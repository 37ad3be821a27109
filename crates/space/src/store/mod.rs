//! Sets of states.
//!
//! [`flat`] keeps keys one after another and a compact index over them. Every store passes the same
//! conformance suite (`tests/conformance.rs`): a new one joins by one line there, and by its name and one line in
//! [`explore`](mod@crate::explore).

pub mod flat;

use crate::budget::OutOfMemory;

/// The number of a stored state: 0, 1, 2, … in the order in which they were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u64);

impl StateId {
    /// The state a system starts in: always the first one stored.
    pub const INITIAL: Self = Self(0);

    /// What stands for the number of a state that has none.
    pub const UNNUMBERED: Self = Self(u64::MAX);
}

/// What came of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The key was not there; it is now, with this number.
    New(StateId),
    /// The key was there, with this number.
    Seen(StateId),
}

/// Why a key that is not there could not be inserted. The store is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// No memory.
    Memory(OutOfMemory),
    /// It has as many states as it may.
    States,
}

impl From<OutOfMemory> for Full {
    fn from(refusal: OutOfMemory) -> Self {
        Self::Memory(refusal)
    }
}

/// Keys that are kept, however they are found again.
pub trait Keys {
    /// How many keys were put in, those that were dropped since included.
    fn len(&self) -> u64;

    /// Lowers the number of keys it may take.
    fn limit_states(&mut self, most: u64);

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it holds, index included.
    fn bytes(&self) -> usize;

    /// Replaces every key by another of `bits` bits, keeping the numbers. `recode` reads the old key and
    /// writes the new one, and never makes two keys equal. On a refusal the store is of no use any more.
    fn recode(&mut self, bits: usize, recode: &mut dyn FnMut(&[u64], &mut [u64])) -> Result<(), Full>;
}

/// The set of keys seen so far.
pub trait Store: Keys {
    /// Puts a key in, unless it is there already.
    fn insert(&mut self, key: &[u64]) -> Result<Inserted, Full>;

    /// Puts several keys in, one after another: `keys` holds them without gaps, `words` words each. Tells what
    /// came of each, up to the first that could not be inserted. Stores that wait for memory at each key can
    /// wait for many at once here.
    fn insert_all(&mut self, keys: &[u64], words: usize, outcome: &mut Vec<Inserted>) -> Result<(), Full> {
        for key in keys.chunks_exact(words) {
            outcome.push(self.insert(key)?);
        }
        Ok(())
    }

    /// Reads the key with this number.
    fn get(&self, id: StateId, key: &mut [u64]);

    /// The number of a key, if it is there.
    fn find(&self, key: &[u64]) -> Option<StateId>;
}

/// How many words a key of so many bits has.
pub fn key_words(bits: usize) -> usize {
    bits.div_ceil(64).max(1)
}
