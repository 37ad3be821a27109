//! A set of byte strings of any length, numbered 0, 1, 2, … as they come.
//!
//! Strings stand one behind another, across the borders of chunks that never move. Where a string begins is found from
//! its block of 56: one line of the cache with the first one's position and all their lengths, a byte each; the few
//! strings of 255 bytes and more have their lengths in a list of their own. The index is that of the
//! [flat store](crate::store::flat): numbers with a part of the hash, 4 bytes a slot, half as many again when full.
//!
//! Bytes per string: its own, 8/7 for its place, and 5 to 7.5 for the index. Only the index is ever made anew.

use crate::budget::{Budget, Charged, OutOfMemory};
use crate::store::flat::index::Index;
use crate::{Full, Inserted, StateId};

/// Bytes of a chunk.
const CHUNK: usize = 1 << 16;

/// Strings of a block.
const BLOCK: usize = 56;

/// Blocks of a chunk.
const BLOCKS: usize = 1 << 10;

/// The length that stands for all from here on.
const LONG: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    /// The position of the first string; the highest bit tells whether a long one is among them.
    start: u64,
    lengths: [u8; BLOCK],
}

const HAS_LONG: u64 = 1 << 63;

impl Default for Block {
    fn default() -> Self {
        Self { start: 0, lengths: [0; BLOCK] }
    }
}

/// See the [module](self).
#[derive(Debug)]
pub struct Strings {
    chunks: Charged<Charged<u8>>,
    blocks: Charged<Charged<Block>>,
    /// The numbers and lengths of long strings, in order.
    long: Charged<(u64, u64)>,
    index: Index,
    len: u64,
    /// Where the next string begins.
    end: u64,
    max_strings: u64,
    budget: Budget,
}

impl Strings {
    /// An empty set for so many strings at most.
    pub fn new(max_strings: u64, budget: &Budget) -> Result<Self, OutOfMemory> {
        Ok(Self {
            chunks: Charged::new(budget),
            blocks: Charged::new(budget),
            long: Charged::new(budget),
            index: Index::new(budget)?,
            len: 0,
            end: 0,
            max_strings,
            budget: budget.clone(),
        })
    }

    /// How many strings there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The sum of the lengths of all strings.
    pub fn string_bytes(&self) -> u64 {
        self.end
    }

    /// The bytes it holds, index included.
    pub fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Charged::bytes).sum();
        let blocks: usize = self.blocks.iter().map(Charged::bytes).sum();
        chunks + blocks + self.chunks.bytes() + self.blocks.bytes() + self.long.bytes() + self.index.bytes()
    }

    /// Puts a string in, unless it is there already.
    pub fn insert(&mut self, string: &[u8]) -> Result<Inserted, Full> {
        self.insert_hashed(string, Self::hash_of(string))
    }

    /// The hash that the index uses.
    #[inline]
    pub(crate) fn hash_of(string: &[u8]) -> u64 {
        rapidhash::v3::rapidhash_v3(string)
    }

    /// The number of a string with this hash, if it is there.
    pub(crate) fn find(&self, string: &[u8], hash: u64) -> Option<StateId> {
        self.index.find(hash, |id| self.equals(id, string)).ok().map(StateId)
    }

    /// Puts a string with this hash in, unless it is there already.
    pub(crate) fn insert_hashed(&mut self, string: &[u8], hash: u64) -> Result<Inserted, Full> {
        let vacancy = match self.index.find(hash, |id| self.equals(id, string)) {
            Ok(id) => return Ok(Inserted::Seen(StateId(id))),
            Err(vacancy) => vacancy,
        };
        let id = self.len;
        if id >= self.max_strings {
            return Err(Full::States);
        }
        let vacancy = if self.index.is_full(id + 1) { self.grow_index(hash)? } else { vacancy };
        self.append(string)?;
        self.index.fill(vacancy, hash, id);
        Ok(Inserted::New(StateId(id)))
    }

    /// Reads the string with this number.
    pub fn get(&self, id: StateId, out: &mut Vec<u8>) {
        out.clear();
        let (start, length) = self.place(id.0);
        self.parts(start, length, |part| {
            out.extend_from_slice(part);
            true
        });
    }

    /// Whether the string with this number is this one.
    pub fn equals(&self, id: u64, string: &[u8]) -> bool {
        let (start, length) = self.place(id);
        let mut rest = string;
        length == string.len()
            && self.parts(start, length, |part| {
                let (first, others) = rest.split_at(part.len());
                rest = others;
                first == part
            })
    }

    #[cold]
    fn grow_index(&mut self, hash: u64) -> Result<crate::store::flat::index::Vacancy, OutOfMemory> {
        // Borrowed apart: the index is made anew from all the rest.
        let fresh = Index::new(&self.budget)?;
        let mut index = std::mem::replace(&mut self.index, fresh);
        let buffer = std::cell::RefCell::new(Vec::new());
        let hash_of = |id| {
            let mut string = buffer.borrow_mut();
            self.get(StateId(id), &mut string);
            Self::hash_of(&string)
        };
        let grown = index.grow(self.len, hash_of);
        self.index = index;
        grown.map(|()| self.index.vacancy(hash))
    }

    /// Where a string begins, and how long it is.
    #[inline]
    fn place(&self, id: u64) -> (u64, usize) {
        let (block, at) = (id as usize / BLOCK, id as usize % BLOCK);
        let block = &self.blocks[block / BLOCKS][block % BLOCKS];
        if block.start & HAS_LONG != 0 {
            return self.place_among_long(id, block);
        }
        let before: u64 = block.lengths[..at].iter().map(|length| u64::from(*length)).sum();
        (block.start + before, usize::from(block.lengths[at]))
    }

    #[cold]
    fn place_among_long(&self, id: u64, block: &Block) -> (u64, usize) {
        let first = id - id % BLOCK as u64;
        let mut long = self.long[self.long.partition_point(|(id, _)| *id < first)..].iter();
        let mut length = |short: u8| match short {
            LONG => long.next().map_or(0, |(_, length)| *length),
            short => u64::from(short),
        };
        let at = (id - first) as usize;
        let before: u64 = block.lengths[..at].iter().map(|short| length(*short)).sum();
        ((block.start & !HAS_LONG) + before, length(block.lengths[at]) as usize)
    }

    /// Calls `see` with the parts of a string, chunk by chunk, while it says so; tells whether it always did.
    #[inline]
    fn parts(&self, start: u64, length: usize, mut see: impl FnMut(&[u8]) -> bool) -> bool {
        let (mut chunk, mut from, mut left) =
            ((start / CHUNK as u64) as usize, start as usize % CHUNK, length);
        while left > 0 {
            let part = left.min(CHUNK - from);
            if !see(&self.chunks[chunk][from..from + part]) {
                return false;
            }
            (chunk, from, left) = (chunk + 1, 0, left - part);
        }
        true
    }

    /// Puts a string behind the others. A refusal leaves everything as it was, but for room that is not used.
    fn append(&mut self, string: &[u8]) -> Result<(), OutOfMemory> {
        let end = self.end + string.len() as u64;
        self.make_room(end)?;
        let (block, at) = (self.len as usize / BLOCK, self.len as usize % BLOCK);
        let is_long = string.len() >= usize::from(LONG);
        if is_long {
            self.long.push((self.len, string.len() as u64))?;
        }
        let block = &mut self.blocks[block / BLOCKS][block % BLOCKS];
        if at == 0 {
            block.start = self.end;
        }
        block.start |= if is_long { HAS_LONG } else { 0 };
        block.lengths[at] = if is_long { LONG } else { string.len() as u8 };
        let (mut chunk, mut from) = ((self.end / CHUNK as u64) as usize, self.end as usize % CHUNK);
        let mut rest = string;
        while !rest.is_empty() {
            let (part, others) = rest.split_at(rest.len().min(CHUNK - from));
            self.chunks[chunk][from..from + part.len()].copy_from_slice(part);
            (chunk, from, rest) = (chunk + 1, 0, others);
        }
        self.end = end;
        self.len += 1;
        Ok(())
    }

    /// Makes room for one more string, which ends here.
    #[inline]
    fn make_room(&mut self, end: u64) -> Result<(), OutOfMemory> {
        let block = self.len as usize / BLOCK;
        if block / BLOCKS >= self.blocks.len() {
            self.blocks.push(Charged::new(&self.budget))?;
        }
        let blocks = &mut self.blocks[block / BLOCKS];
        if block % BLOCKS >= blocks.len() {
            let more = if block < BLOCKS { (blocks.len() * 2).clamp(1, BLOCKS) } else { BLOCKS };
            blocks.grow_to(more)?;
            blocks.resize_default(more)?;
        }
        loop {
            let made = match self.chunks.len() {
                0 => 0,
                chunks => (chunks - 1) * CHUNK + self.chunks[chunks - 1].len(),
            };
            if made as u64 >= end {
                return Ok(());
            }
            if made % CHUNK == 0 && made / CHUNK == self.chunks.len() {
                self.chunks.push(Charged::new(&self.budget))?;
            }
            // The first chunk grows as needed, so that a handful of strings takes a handful of bytes.
            let first = self.chunks.len() == 1;
            let chunk = self.chunks.last_mut().expect("a chunk was made");
            let wanted = (end - (made - chunk.len()) as u64).min(CHUNK as u64) as usize;
            let bytes = if first { (chunk.len() * 2).max(wanted).min(CHUNK) } else { CHUNK };
            chunk.grow_to(bytes)?;
            chunk.resize(bytes, 0)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn strings_of_all_lengths_keep_their_numbers() {
        let mut strings = Strings::new(u64::MAX, &Budget::of(u64::MAX)).unwrap();
        let mut known: HashMap<Vec<u8>, u64> = HashMap::new();
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        for _ in 0..60_000 {
            let length = match random() % 1000 {
                0 => random() % 3000,
                1 => 250 + random() % 10,
                2 => 70_000,
                3..500 => random() % 3,
                _ => random() % 30,
            };
            let seed = random() % 5;
            let string: Vec<u8> = (0..length).map(|at| (at * seed + random() % 2) as u8).collect();
            let next = known.len() as u64;
            let expected = match known.get(&string) {
                Some(id) => Inserted::Seen(StateId(*id)),
                None => Inserted::New(StateId(next)),
            };
            assert_eq!(strings.insert(&string), Ok(expected));
            known.entry(string).or_insert(next);
        }
        let mut found = Vec::new();
        for (string, id) in &known {
            strings.get(StateId(*id), &mut found);
            assert_eq!(found, *string);
        }
        assert_eq!(strings.len(), known.len() as u64);
        assert_eq!(strings.string_bytes(), known.keys().map(|string| string.len() as u64).sum::<u64>());
    }

    #[test]
    fn short_strings_take_the_bytes_that_the_header_says() {
        let mut strings = Strings::new(u64::MAX, &Budget::of(u64::MAX)).unwrap();
        for n in 0..1_000_000u64 {
            strings.insert(&n.to_le_bytes()).unwrap();
        }
        let per_string = strings.bytes() as f64 / 1e6 - 8.0;
        assert!(per_string < 8.0 / 7.0 + 7.5 + 0.1, "{per_string}");
    }

    #[test]
    fn a_full_set_refuses_only_what_is_new() {
        let budget = Budget::of(100_000);
        let mut strings = Strings::new(u64::MAX, &budget).unwrap();
        let mut n = 0u64;
        while strings.insert(&n.to_le_bytes()).is_ok() {
            n += 1;
            assert!(budget.used() <= budget.limit());
        }
        assert!(n > 2000, "{n}");
        assert_eq!(strings.len(), n);
        for known in 0..n {
            assert_eq!(strings.insert(&known.to_le_bytes()), Ok(Inserted::Seen(StateId(known))));
        }
        let mut few = Strings::new(2, &Budget::of(u64::MAX)).unwrap();
        assert!(few.insert(b"").is_ok() && few.insert(b"a").is_ok());
        assert_eq!(few.insert(b"b"), Err(Full::States));
        assert_eq!(few.insert(b""), Ok(Inserted::Seen(StateId::INITIAL)));
    }
}
