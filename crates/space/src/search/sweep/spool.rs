//! Where each state came from, on disk: its parent's number and that of the event.
//!
//! States are numbered in the order in which they are found, so entries are only appended. They are packed in blocks,
//! each with as many bits as its largest entry needs; a way is read from its end.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::budget::{Charged, OutOfMemory};
use crate::{Budget, StateId};

/// Entries of a block.
const BLOCK: u64 = 4096;

/// See the [module](self).
#[derive(Debug)]
pub struct Spool {
    file: File,
    blocks: Charged<Block>,
    /// The block that is being filled: how far back each parent is, and the event.
    open: Vec<(u64, u32)>,
    written: u64,
}

/// A block on disk.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    offset: u64,
    back_bits: u8,
    event_bits: u8,
}

/// Why an entry cannot be kept.
#[derive(Debug)]
pub enum SpoolError {
    /// The disk.
    Disk,
    /// The budget.
    Memory(OutOfMemory),
}

impl Spool {
    /// An empty one, in a file without a name: among the system's temporary files, or in a folder.
    pub fn new(folder: Option<&Path>, budget: &Budget) -> io::Result<Self> {
        let file = match folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        };
        Ok(Self { file, blocks: Charged::new(budget), open: Vec::with_capacity(BLOCK as usize), written: 0 })
    }

    /// The next state was found from this one by this event. The initial state is its own parent.
    pub fn push(&mut self, parent: u64, event: u32) -> Result<(), SpoolError> {
        let number = self.blocks.len() as u64 * BLOCK + self.open.len() as u64;
        self.open.push((number - parent, event));
        if self.open.len() as u64 == BLOCK { self.close() } else { Ok(()) }
    }

    fn close(&mut self) -> Result<(), SpoolError> {
        let bits = |largest: Option<u64>| (64 - largest.unwrap_or(0).leading_zeros()) as u8;
        let block = Block {
            offset: self.written,
            back_bits: bits(self.open.iter().map(|entry| entry.0).max()),
            event_bits: bits(self.open.iter().map(|entry| u64::from(entry.1)).max()),
        };
        self.blocks.push(block).map_err(SpoolError::Memory)?;
        let width = usize::from(block.back_bits + block.event_bits);
        let mut words = vec![0_u64; (width * self.open.len()).div_ceil(64) + 1];
        for (at, (back, event)) in self.open.iter().enumerate() {
            put(&mut words, at * width, *back);
            put(&mut words, at * width + usize::from(block.back_bits), u64::from(*event));
        }
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        self.file.write_all_at(bytes, self.written).map_err(|_| SpoolError::Disk)?;
        self.written += bytes.len() as u64;
        self.open.clear();
        Ok(())
    }

    /// The parent of a state, and the event that led from there.
    fn entry(&self, number: u64) -> io::Result<(u64, u32)> {
        let (block, at) = ((number / BLOCK) as usize, (number % BLOCK) as usize);
        let (back, event) = match self.blocks.get(block) {
            None => *self.open.get(at).ok_or_else(|| io::Error::other("a state that is not in the spool"))?,
            Some(block) => {
                let width = usize::from(block.back_bits + block.event_bits);
                let (first, shift) = (at * width / 64, at * width % 64);
                // Two words hold what one entry has: at most 64 + 32 bits, shifted by up to 63, are three.
                let mut words = [0_u64; 3];
                let offset = block.offset + first as u64 * 8;
                let there = (self.written - offset).min(24) as usize;
                self.file.read_exact_at(&mut bytemuck::cast_slice_mut(&mut words)[..there], offset)?;
                let back = take(&words, shift, block.back_bits);
                let event = take(&words, shift + usize::from(block.back_bits), block.event_bits);
                (back, event as u32)
            }
        };
        let parent = number.checked_sub(back).ok_or_else(|| io::Error::other("the spool is damaged"))?;
        Ok((parent, event))
    }

    /// The events that lead to a state from the initial one.
    pub fn way(&self, to: StateId) -> io::Result<Vec<u32>> {
        let (mut events, mut number) = (Vec::new(), to.0);
        while number != 0 {
            let (parent, event) = self.entry(number)?;
            if parent == number {
                return Err(io::Error::other("the spool is damaged"));
            }
            events.push(event);
            number = parent;
        }
        events.reverse();
        Ok(events)
    }

    /// Bytes on disk.
    pub fn on_disk(&self) -> u64 {
        self.written
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.blocks.bytes() + self.open.capacity() * size_of::<(u64, u32)>()
    }
}

fn put(words: &mut [u64], bit: usize, value: u64) {
    let (word, shift) = (bit / 64, bit % 64);
    words[word] |= value << shift;
    if shift > 0 {
        words[word + 1] |= value >> (64 - shift);
    }
}

fn take(words: &[u64; 3], bit: usize, bits: u8) -> u64 {
    if bits == 0 {
        return 0;
    }
    let (word, shift) = (bit / 64, bit % 64);
    let mut value = words[word] >> shift;
    if shift > 0 {
        value |= words.get(word + 1).map_or(0, |next| next << (64 - shift));
    }
    value & (u64::MAX >> (64 - bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_read_back_across_blocks() {
        let mut spool = Spool::new(None, &Budget::of(u64::MAX)).unwrap();
        // State n comes from n / 3, by event n mod 1000.
        for n in 0..50_000_u64 {
            spool.push(n / 3, (n % 1000) as u32).unwrap();
        }
        for n in [1, 2, 4095, 4096, 4097, 12_345, 49_152, 49_999] {
            let mut expected = Vec::new();
            let mut at = n;
            while at != 0 {
                expected.insert(0, (at % 1000) as u32);
                at /= 3;
            }
            assert_eq!(spool.way(StateId(n)).unwrap(), expected, "to {n}");
        }
    }
}
