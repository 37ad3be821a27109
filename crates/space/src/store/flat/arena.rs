//! Keys one after another, in chunks that never move.

use crate::Budget;
use crate::budget::{Charged, OutOfMemory};
use crate::store::key_words;

/// A chunk's aim in bytes: small enough that a small state space takes little, large enough to be one
/// allocation among few.
const CHUNK_BYTES: usize = 64 << 10;

/// Keys of one length, ⌈bits / 8⌉ bytes each.
#[derive(Debug)]
pub struct Arena {
    chunks: Charged<Charged<u8>>,
    /// Bytes per key.
    stride: usize,
    /// Words per key.
    words: usize,
    /// The bits of a key's last word.
    last_mask: u64,
    /// Keys per chunk, as a power of two.
    chunk_bits: u32,
    len: u64,
    budget: Budget,
}

/// Bytes behind the last key of a chunk, so that a key's last word can be read whole.
const PADDING: usize = 8;

impl Arena {
    pub fn new(bits: usize, budget: &Budget) -> Self {
        let stride = bits.div_ceil(8);
        let chunk_bits = (CHUNK_BYTES / stride.max(1)).max(1).ilog2();
        let last_mask = match stride - (key_words(bits) - 1) * 8 {
            0 => 0,
            bytes => u64::MAX >> (64 - 8 * bytes),
        };
        Self {
            chunks: Charged::new(budget),
            stride,
            words: key_words(bits),
            last_mask,
            chunk_bits,
            len: 0,
            budget: budget.clone(),
        }
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(Charged::bytes).sum::<usize>() + self.chunks.bytes()
    }

    /// The bytes from a key on, to the end of its chunk.
    #[inline(always)]
    fn at(&self, id: u64) -> &[u8] {
        let chunk = &self.chunks[(id >> self.chunk_bits) as usize];
        &chunk[(id as usize & ((1 << self.chunk_bits) - 1)) * self.stride..]
    }

    pub fn push(&mut self, key: &[u64]) -> Result<(), OutOfMemory> {
        let in_chunk = self.len as usize & ((1 << self.chunk_bits) - 1);
        if self.len >> self.chunk_bits == self.chunks.len() as u64 {
            self.chunks.push(Charged::new(&self.budget))?;
        }
        let first = self.chunks.len() == 1;
        let chunk = self.chunks.last_mut().expect("a chunk was made");
        let from = in_chunk * self.stride;
        if from + self.stride + PADDING > chunk.len() {
            // The first chunk grows as needed, so that a handful of states takes a handful of bytes.
            let full = (self.stride << self.chunk_bits) + PADDING;
            let bytes =
                if first { (chunk.len() * 2).max(from + self.stride + PADDING).min(full) } else { full };
            chunk.resize(bytes, 0)?;
        }
        let mut rest = &mut chunk[from..from + self.stride];
        for word in key {
            let bytes = word.to_le_bytes();
            let part = rest.len().min(8);
            rest[..part].copy_from_slice(&bytes[..part]);
            rest = &mut rest[part..];
        }
        self.len += 1;
        Ok(())
    }

    #[inline(always)]
    pub fn get(&self, id: u64, key: &mut [u64]) {
        let bytes = self.at(id);
        let (last, full) = key.split_last_mut().expect("a key has a word");
        for (word, bytes) in full.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = load(bytes, 0);
        }
        *last = load(bytes, full.len() * 8) & self.last_mask;
    }

    /// Some bits of a key, read only so that the rest is at hand soon after.
    #[inline(always)]
    pub fn touch(&self, id: u64) -> u8 {
        self.at(id).first().copied().unwrap_or(0)
    }

    #[inline(always)]
    pub fn equals(&self, id: u64, key: &[u64]) -> bool {
        let bytes = self.at(id);
        let (last, full) = key.split_last().expect("a key has a word");
        (load(bytes, full.len() * 8) & self.last_mask) == *last
            && full.iter().zip(bytes.chunks_exact(8)).all(|(word, bytes)| load(bytes, 0) == *word)
    }

    /// Reads a key in place, through a buffer on the stack where it is short.
    #[inline]
    pub fn read<T>(&self, id: u64, f: impl FnOnce(&[u64]) -> T) -> T {
        let mut short = [0; 8];
        if self.words <= short.len() {
            let key = &mut short[..self.words];
            self.get(id, key);
            f(key)
        } else {
            let mut key = vec![0; self.words];
            self.get(id, &mut key);
            f(&key)
        }
    }

    /// Moves all keys, recoded, to another arena, giving memory back on the way.
    pub fn drain_into(
        mut self,
        other: &mut Self,
        recode: &mut dyn FnMut(&[u64], &mut [u64]),
    ) -> Result<(), OutOfMemory> {
        let mut old = vec![0; self.words];
        let mut new = vec![0; other.words];
        for id in 0..self.len {
            self.get(id, &mut old);
            recode(&old, &mut new);
            other.push(&new)?;
            let chunk = (id >> self.chunk_bits) as usize;
            if (id + 1) >> self.chunk_bits != chunk as u64 {
                self.chunks[chunk] = Charged::new(&self.budget);
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn load(bytes: &[u8], at: usize) -> u64 {
    let word: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(word)
}
