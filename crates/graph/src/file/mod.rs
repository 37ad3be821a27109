//! Graphs in files (`.swg`).
//!
//! A file is a row of words of eight bytes, lowest byte first:
//!
//! * the magic word and the fields of the head: version, sizes, where everything is, and two checksums;
//! * the texts: names and a note, each with its length before it;
//! * the body: the blocks, where they begin, and the nodes that are only partly expanded.
//!
//! Every bit of a file is under one of the two checksums (rapidhash, version 3, which never changes): that of
//! the head covers fields and texts, that of the body everything else. A file that is opened is mapped, and
//! all its blocks are read once, so that damage is found then, even if the checksum is right by accident or
//! by intent.

mod error;
mod head;
mod open;
mod texts;
mod write;

pub use error::FileError;

/// What the first eight bytes say.
const MAGIC: u64 = u64::from_le_bytes(*b"SWPGRAPH");

/// The version of the format that is written, and the only one that is read.
const VERSION: u64 = 1;

/// A checksum of bytes that come in pieces of this many words.
const PIECE: usize = 1 << 13;

/// The checksum of many pieces from those of each.
fn chain(checksum: u64, piece: &[u8]) -> u64 {
    let both = [checksum, rapidhash::v3::rapidhash_v3(piece)].map(u64::to_le_bytes);
    rapidhash::v3::rapidhash_v3(both.as_flattened())
}
