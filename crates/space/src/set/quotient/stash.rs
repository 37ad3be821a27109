//! Members whose block is full, or that come before there are blocks: whole keys in a small table with linear
//! probing.
//!
//! A slot has a bit that tells whether it is taken, a tag and a key, without gaps.

use super::block::{read, write};
use crate::Budget;
use crate::budget::{Charged, OutOfMemory};
use crate::set::words::{field, low, put};

/// See the [module](self).
#[derive(Debug)]
pub struct Stash<const W: usize> {
    words: Charged<u64>,
    slots: u32,
    len: u32,
}

/// The bits of a key and of a tag.
type Widths = (u32, u32);

#[inline(always)]
fn home<const W: usize>(key: &[u64; W], slots: u32) -> u32 {
    // All keys that meet here may have the same leading bits: the lowest ones count most. The number of slots counts,
    // too, so that keys that come in the order of one table do not pile up at the beginning of the next.
    let hash = key.iter().fold(u64::from(slots), |hash, word| {
        (hash.rotate_left(29) ^ word ^ word >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    let hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    ((u128::from(hash) * u128::from(slots)) >> 64) as u32
}

impl<const W: usize> Stash<W> {
    /// An empty stash.
    pub fn new(budget: &Budget) -> Self {
        Self { words: Charged::new(budget), slots: 0, len: 0 }
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }

    #[inline(always)]
    fn slot(&self, at: u32, (key, tag): Widths) -> [u64; W] {
        let bits = 1 + tag + key;
        read(&self.words, at as usize * bits as usize, bits)
    }

    /// The slot of a key with what is in it, or the free one where it would go.
    #[inline(always)]
    fn find(&self, key: &[u64; W], widths: Widths) -> Option<(u32, [u64; W])> {
        let mut at = home(key, self.slots);
        for _ in 0..self.slots {
            let slot = self.slot(at, widths);
            if slot[0] & 1 == 0 || key_of(&slot, widths) == *key {
                return Some((at, slot));
            }
            at += 1;
            if at == self.slots {
                at = 0;
            }
        }
        None
    }

    /// The tag of a key that is there.
    #[inline]
    pub fn tag_of(&self, key: &[u64; W], widths: Widths) -> Option<u8> {
        let (_, slot) = self.find(key, widths)?;
        (slot[0] & 1 == 1).then_some(tag_of(&slot, widths))
    }

    /// Makes sure that there is room for one more: a few fill all slots, more leave every fifth free.
    pub fn reserve(&mut self, budget: &Budget, widths: Widths) -> Result<(), OutOfMemory> {
        if self.len < self.slots - self.slots / 5 {
            return Ok(());
        }
        let slots = (self.slots + self.slots / 4).checked_add(2).ok_or(budget.refusal())?;
        self.resize(slots, budget, widths)
    }

    /// Gives an empty stash as much room as another has used, or less.
    pub fn reserve_as(&mut self, other: &Self, budget: &Budget, widths: Widths) -> Result<(), OutOfMemory> {
        if other.len > 8 { self.resize(other.len / 2, budget, widths) } else { Ok(()) }
    }

    fn resize(&mut self, slots: u32, budget: &Budget, widths: Widths) -> Result<(), OutOfMemory> {
        let words = (slots as usize * (1 + widths.0 + widths.1) as usize) / 64 + 2;
        let mut grown = Self { words: Charged::filled(budget, 0, words)?, slots, len: 0 };
        for (key, tag) in self.iter(widths) {
            grown.put(&key, tag, widths);
        }
        *self = grown;
        Ok(())
    }

    /// Puts a key in that is not there and for which there is room.
    pub fn put(&mut self, key: &[u64; W], tag: u8, widths: Widths) {
        let (at, _) = self.find(key, widths).expect("there is room");
        let bits = 1 + widths.1 + widths.0;
        let mut slot = [0; W];
        slot[0] = 1 | u64::from(tag) << 1;
        for (word, value) in key.iter().enumerate() {
            put(&mut slot, 1 + widths.1 + 64 * word as u32, *value);
        }
        write(&mut self.words, at as usize * bits as usize, bits, &slot);
        self.len += 1;
    }

    /// All keys and tags.
    pub fn iter(&self, widths: Widths) -> impl Iterator<Item = ([u64; W], u8)> {
        (0..self.slots)
            .map(move |at| self.slot(at, widths))
            .filter(|slot| slot[0] & 1 == 1)
            .map(move |slot| (key_of(&slot, widths), tag_of(&slot, widths)))
    }
}

#[inline(always)]
fn key_of<const W: usize>(slot: &[u64; W], (key, tag): Widths) -> [u64; W] {
    low(&std::array::from_fn(|word| field(slot, 1 + tag + 64 * word as u32, 64)), key)
}

#[inline(always)]
fn tag_of<const W: usize>(slot: &[u64; W], (_, tag): Widths) -> u8 {
    field(slot, 1, tag) as u8
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use sweepnet_testkit::random::Random;

    use super::*;

    fn keeps<const W: usize>(widths: Widths) {
        let budget = Budget::of(u64::MAX);
        let mut stash = Stash::<W>::new(&budget);
        let mut twin = HashMap::new();
        let mut random = Random::new(u64::from(widths.0));
        for _ in 0..2_000 {
            let key = low(&std::array::from_fn::<u64, W, _>(|_| random.next_u64()), widths.0);
            let tag = if widths.1 == 0 { 0 } else { random.below(4) as u8 };
            assert_eq!(stash.tag_of(&key, widths), twin.get(&key).copied());
            twin.entry(key).or_insert_with(|| {
                stash.reserve(&budget, widths).unwrap();
                stash.put(&key, tag, widths);
                tag
            });
        }
        assert!(twin.iter().all(|(key, tag)| stash.tag_of(key, widths) == Some(*tag)));
        assert_eq!(stash.iter(widths).count(), twin.len());
        assert_eq!(stash.iter(widths).collect::<HashMap<_, _>>(), twin);
        let bits = (1 + widths.0 + widths.1) as usize * twin.len();
        assert!(stash.bytes() * 8 <= bits * 8 / 5 + 256, "at most three fifths more than its members need");
    }

    #[test]
    fn what_is_stashed_is_there() {
        for tag in [0, 2] {
            for key in [0, 1, 5, 9, 20, 56, 57, 60] {
                keeps::<1>((key, tag));
            }
            keeps::<2>((64, tag));
            keeps::<2>((121, tag));
            keeps::<4>((249, tag));
        }
    }
}
