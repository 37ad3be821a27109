//! A file mapped into memory: the one place of the crate with unsafe code.

use std::fs::File;
use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapOptions};

/// A whole file, as words of eight bytes.
#[derive(Clone, Debug)]
pub struct Mapped(Arc<Mmap>);

impl Mapped {
    /// Maps a file for reading, privately: nothing is ever written to it.
    ///
    /// Invariant: what is mapped is only ever looked at as integers, of which every pattern of bits is one,
    /// and whatever is read is checked before it is used as an index. So a file that somebody changes while
    /// it is mapped gives other numbers, and at worst a graph with other edges; one that is cut short ends
    /// the process by a signal, as for every program that maps files.
    #[allow(unsafe_code)]
    pub fn open(file: &File) -> io::Result<Self> {
        // SAFETY: see the invariant above; it is the condition that memmap2 states.
        let map = unsafe { MmapOptions::new().map_copy_read_only(file)? };
        Ok(Self(Arc::new(map)))
    }

    /// The words, as they lie in the file. What is left of the last one is not among them.
    #[inline]
    pub fn words(&self) -> &[u64] {
        let whole = self.0.len() / 8 * 8;
        // A map begins with a page, so the words are aligned.
        bytemuck::try_cast_slice(&self.0[..whole]).unwrap_or(&[])
    }
}
