//! How the edges of 32 nodes are written together.
//!
//! A node's events are written as the difference to those of the node before, its targets as differences to
//! what the block lets expect. A block is read without any other, from its first node on. It has
//!
//! * a head: the three parameters of its [ζ codes](crate::bits), whether a node has two edges with one event,
//!   and the *next new number*: one more than every node and target before the block;
//! * for each node, which of the last node's events it lacks (by their positions) and which it has besides;
//! * for each edge, in order of events, a number that tells its target.
//!
//! If the block had an edge with the same event before, its target plus one is the *guess*: neighbours lead
//! to neighbours, by every event. 0 means the guess was right, 1 the next new number, and all others the
//! distance to the guess. For the first edge with an event in a block, 0 means the next new number, and all
//! others the distance to the source.

mod decode;
mod encode;

pub use decode::{Block, Decoder, Extent};
pub use encode::Encoder;

use crate::bits::PARAMETERS;

/// Nodes of a block.
pub const NODES: u64 = 32;

/// Bits of a code's parameter.
const PARAMETER_BITS: u32 = PARAMETERS.ilog2();

/// The code of the next new number in a block's head.
const HEAD_CODE: u32 = PARAMETERS;

/// Numbers of nodes are below this.
pub const MOST_NODES: u64 = 1 << 48;

/// A difference as a number: small ones of either sign are small.
#[inline(always)]
fn zigzag(difference: i64) -> u64 {
    ((difference << 1) ^ (difference >> 63)) as u64
}

/// The difference again.
#[inline(always)]
fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// What an event leads to next, if it happened in a block.
#[derive(Clone, Copy, Debug)]
struct Guess {
    /// The block, counted by whoever reads or writes.
    block: u64,
    target: u64,
}

const NO_GUESS: Guess = Guess { block: 0, target: 0 };
