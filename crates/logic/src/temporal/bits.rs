//! Sets of nodes, one bit for each node of the graph.

use sweepnet_space::budget::{Budget, Charged, OutOfMemory};

/// A set of nodes. Its memory is on the budget's account.
#[derive(Debug)]
pub struct BitSet {
    words: Charged<u64>,
    len: u64,
}

impl BitSet {
    /// No node of `len`.
    pub fn empty(budget: &Budget, len: u64) -> Result<Self, OutOfMemory> {
        let words = usize::try_from(len.div_ceil(64)).map_err(|_| budget.refusal())?;
        Ok(Self { words: Charged::filled(budget, 0, words)?, len })
    }

    /// All nodes of `len`.
    pub fn full(budget: &Budget, len: u64) -> Result<Self, OutOfMemory> {
        let mut set = Self::empty(budget, len)?;
        set.complement();
        Ok(set)
    }

    /// A copy, which is charged as well.
    pub fn copy(&self, budget: &Budget) -> Result<Self, OutOfMemory> {
        let mut set = Self::empty(budget, self.len)?;
        set.words.copy_from_slice(&self.words);
        Ok(set)
    }

    /// Makes room for nodes up to `len`, which are not in it.
    pub fn grow_to(&mut self, len: u64) -> Result<(), OutOfMemory> {
        let words = len.div_ceil(64) as usize;
        self.words.reserve(words)?;
        while self.words.len() < words {
            self.words.push_reserved(0);
        }
        self.len = self.len.max(len);
        Ok(())
    }

    /// How many nodes there are, in the set or not.
    pub fn nodes(&self) -> u64 {
        self.len
    }

    /// Whether the node is in it.
    #[inline]
    pub fn contains(&self, node: u64) -> bool {
        self.words[(node / 64) as usize] >> (node % 64) & 1 != 0
    }

    /// Puts the node into it.
    #[inline]
    pub fn insert(&mut self, node: u64) {
        self.words[(node / 64) as usize] |= 1 << (node % 64);
    }

    /// Takes the node out.
    #[inline]
    pub fn remove(&mut self, node: u64) {
        self.words[(node / 64) as usize] &= !(1 << (node % 64));
    }

    /// Every node that was not in it.
    pub fn complement(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let (Some(last), 1..) = (self.words.last_mut(), self.len % 64) {
            *last &= (1 << (self.len % 64)) - 1;
        }
    }

    /// Those that are in both.
    pub fn intersect(&mut self, other: &Self) {
        self.words.iter_mut().zip(&*other.words).for_each(|(a, b)| *a &= b);
    }

    /// Those that are in either.
    pub fn unite(&mut self, other: &Self) {
        self.words.iter_mut().zip(&*other.words).for_each(|(a, b)| *a |= b);
    }

    /// Those that are in one of them, not in both.
    pub fn differ(&mut self, other: &Self) {
        self.words.iter_mut().zip(&*other.words).for_each(|(a, b)| *a ^= b);
    }

    /// Those that are not in the other.
    pub fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&*other.words).for_each(|(a, b)| *a &= !b);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Those that are in it, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        let words = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| at as u64 * 64 + bit)
        })
    }
}
