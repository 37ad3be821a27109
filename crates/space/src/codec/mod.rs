//! Encodings: bijections between the states of a system and short bit strings.
//!
//! [`fields`] gives each place a field of bits; its layout may be tight (bits by the place's bound) or plain
//! (64 bits for each place). The [`product`](crate::product) of a net's components is a codec, too.

pub mod fields;

use crate::System;

/// A system whose states have keys: bit strings of one length, in 64-bit words, the first bit lowest; bits
/// beyond the length are 0.
pub trait Codec: System {
    /// The length of a key in bits.
    fn bits(&self) -> usize;

    /// The key of a state. `buffer` is scratch space of the caller's, for codecs that have to build it.
    fn encode<'k>(&self, state: &'k Self::State, buffer: &'k mut Vec<u64>) -> &'k [u64];

    /// The state that has this key.
    fn decode(&self, key: &[u64], into: &mut Self::State);
}
