//! Circular memory: an array of a fixed size, written round and round.
//!
//! Words are numbered as they are written, and never move. What is no longer needed is released from its end; a word
//! that would overwrite one that is still needed is refused.

use crate::budget::{Budget, Charged, OutOfMemory};

/// See the [module](self).
#[derive(Debug)]
pub struct Ring {
    words: Charged<u64>,
    /// The number of the word in the array's first place.
    origin: u64,
    /// The words from here on are needed.
    tail: u64,
    /// The next word's number.
    head: u64,
    /// Words written since the beginning.
    written: u64,
    most: u64,
}

/// There is no room: all words of the array are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Ring {
    /// An array of so many words, if the budget has them.
    pub fn new(words: usize, budget: &Budget) -> Result<Self, OutOfMemory> {
        let words = Charged::zeroed(budget, words)?;
        Ok(Self { words, origin: 0, tail: 0, head: 0, written: 0, most: 0 })
    }

    /// The next word's number.
    pub fn head(&self) -> u64 {
        self.head
    }

    /// Appends a word.
    #[inline]
    pub fn push(&mut self, word: u64) -> Result<(), Overflow> {
        if self.head - self.tail >= self.words.len() as u64 {
            return Err(Overflow);
        }
        let slot = self.slot(self.head);
        self.words[slot] = word;
        self.head += 1;
        self.written += 1;
        self.most = self.most.max(self.head - self.tail);
        Ok(())
    }

    /// The words before this one are not needed any more.
    pub fn release(&mut self, before: u64) {
        self.tail = self.tail.max(before.min(self.head));
    }

    /// Where a word lies.
    #[inline]
    pub fn slot(&self, number: u64) -> usize {
        match self.words.len() as u64 {
            0 => 0,
            size => ((number - self.origin) % size) as usize,
        }
    }

    /// The word that lies there, and where the next one does.
    #[inline(always)]
    pub fn read(&self, slot: usize) -> (u64, usize) {
        let next = slot + 1;
        (self.words.get(slot).copied().unwrap_or(0), if next == self.words.len() { 0 } else { next })
    }

    /// Takes the words that are needed out, in a ring of their own, in which they keep their numbers; this one is empty
    /// then.
    pub fn take_out(&mut self, budget: &Budget) -> Result<Self, OutOfMemory> {
        let mut words = Charged::new(budget);
        words.grow_to((self.head - self.tail) as usize)?;
        for number in self.tail..self.head {
            words.push_reserved(self.words[self.slot(number)]);
        }
        let (origin, tail, head) = (self.tail, self.tail, self.head);
        self.tail = self.head;
        Ok(Self { words, origin, tail, head, written: 0, most: 0 })
    }

    /// The most words that were needed at a time.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Words of the array.
    pub fn size(&self) -> u64 {
        self.words.len() as u64
    }

    /// Words written since the beginning.
    pub fn written(&self) -> u64 {
        self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_array_is_used_round_and_round_and_never_overwrites_what_is_needed() {
        let mut ring = Ring::new(5, &Budget::of(1 << 20)).unwrap();
        for number in 0..100_u64 {
            assert_eq!(ring.push(number * number), Ok(()));
            ring.release(number.saturating_sub(3));
            assert_eq!(ring.read(ring.slot(number)).0, number * number);
        }
        assert_eq!((ring.push(0), ring.push(0)), (Ok(()), Err(Overflow)));
        let taken = ring.take_out(&Budget::of(1 << 20)).unwrap();
        assert_eq!(taken.read(taken.slot(97)).0, 97 * 97);
        assert_eq!((ring.written(), ring.most()), (101, 5));
    }
}
