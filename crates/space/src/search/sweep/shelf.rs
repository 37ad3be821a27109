//! What a layer keeps its states in.

use std::fmt::Debug;

use crate::coloured::Strings;
use crate::store::flat::Flat;
use crate::{Budget, Full, Inserted, Keys, StateId, Store};

/// A store for the states of one layer: numbered from 0 as they come, and dropped all together.
pub trait Shelf: Debug + Sized {
    /// What keys look like.
    type Key: ?Sized;

    /// What has to be known of keys beforehand.
    type Form: Copy + Debug;

    /// An empty one.
    fn empty(form: Self::Form, budget: &Budget) -> Result<Self, Full>;

    /// How many states it has.
    fn len(&self) -> u64;

    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it holds.
    fn bytes(&self) -> usize;

    /// The hash of a key that is about to be looked for.
    fn look_ahead(&self, key: &Self::Key) -> u64;

    /// Where a key is, if it is there.
    fn find(&self, key: &Self::Key, hash: u64) -> Option<StateId>;

    /// Puts a key in, unless it is there.
    fn insert(&mut self, key: &Self::Key, hash: u64) -> Result<Inserted, Full>;

    /// Puts one of its keys into another.
    fn copy(&self, id: StateId, other: &mut Self) -> Result<(), Full>;
}

/// Keys of a number of bits.
impl Shelf for Flat {
    type Key = [u64];
    type Form = usize;

    fn empty(bits: usize, budget: &Budget) -> Result<Self, Full> {
        Self::new(bits, u64::MAX, budget)
    }

    fn len(&self) -> u64 {
        Keys::len(self)
    }

    fn bytes(&self) -> usize {
        Keys::bytes(self)
    }

    #[inline]
    fn look_ahead(&self, key: &[u64]) -> u64 {
        Flat::look_ahead(self, key)
    }

    fn find(&self, key: &[u64], _: u64) -> Option<StateId> {
        Store::find(self, key)
    }

    #[inline]
    fn insert(&mut self, key: &[u64], hash: u64) -> Result<Inserted, Full> {
        self.insert_hashed(key, hash)
    }

    fn copy(&self, id: StateId, other: &mut Self) -> Result<(), Full> {
        self.copy_to(id, other)
    }
}

/// Strings of any length.
impl Shelf for Strings {
    type Key = [u8];
    type Form = ();

    fn empty((): (), budget: &Budget) -> Result<Self, Full> {
        Ok(Self::new(u64::MAX, budget)?)
    }

    fn len(&self) -> u64 {
        Strings::len(self)
    }

    fn bytes(&self) -> usize {
        Strings::bytes(self)
    }

    #[inline]
    fn look_ahead(&self, string: &[u8]) -> u64 {
        Strings::hash_of(string)
    }

    fn find(&self, string: &[u8], hash: u64) -> Option<StateId> {
        Strings::find(self, string, hash)
    }

    #[inline]
    fn insert(&mut self, string: &[u8], hash: u64) -> Result<Inserted, Full> {
        self.insert_hashed(string, hash)
    }

    fn copy(&self, id: StateId, other: &mut Self) -> Result<(), Full> {
        let mut string = Vec::new();
        self.get(id, &mut string);
        Strings::insert(other, &string).map(|_| ())
    }
}
