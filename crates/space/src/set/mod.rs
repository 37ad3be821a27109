//! Exact sets of ranks, filled by several threads at once.
//!
//! A *rank* is a state as a number below S: `bits` bits in `W` words, lowest word first, unused high bits 0. Unlike
//! a [`Store`](crate::Store), a set gives its members no numbers, only an answer to "is it new?", and can therefore
//! be as small as log2(S/R) + 1.44 bits per member, the bound for any exact set of R out of S.
//!
//! Members may carry a *tag* of eight bits (the level of a breadth-first search modulo 255, from which shortest paths
//! are found again). Look-ups are gathered in an [`Outbox`](RankSet::Outbox) and made together, so that the processor
//! waits for memory once for many of them.
//!
//! [`bitmap`] has a bit per rank and is the fastest by far, where S bits can be paid for; [`quotient`] comes close to
//! the bound for all others; [`plain`] keeps ranks as they are, to compare with. The latter two are
//! [`divided`] into parts. All pass the same conformance suite (`tests/sets.rs`): a new one joins by one line there.
//! [`runs`] tell which ranks of a bitmap move together when all are made anew.

mod admission;
pub mod bitmap;
pub mod bits;
pub mod divided;
pub mod held;
pub mod mixing;
mod parts;
pub mod plain;
pub mod quotient;
pub mod runs;
mod sorting;
pub(crate) mod words;

pub use admission::Admission;
pub use bitmap::Bitmap;
pub use divided::Divided;
pub(crate) use divided::MEMBERS_OF_A_PART;

use crate::{Budget, Full};

/// The [`quotient`] table, divided into parts.
pub type Quotient<const W: usize> = Divided<quotient::QuotientPart<W>, W>;

/// The [`plain`] set, divided into parts.
pub type Plain<const W: usize> = Divided<plain::PlainPart<W>, W>;

/// Bits of a tag. Tags are below 2^8 - 1: a bitmap needs one value for what is not there.
pub const TAG_BITS: u32 = 8;

/// Candidates that are best sent together.
pub const TOGETHER: usize = 192;

/// The shape of the ranks a set holds, and what it may hold.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Bits of a rank; at most 64 · W, with tags 64 · W - 8.
    pub bits: u32,
    /// Whether members carry a tag.
    pub tagged: bool,
    /// The most members it may have.
    pub most: u64,
    /// About how many it will have: few are divided into few parts.
    pub expected: u64,
    /// Where its memory is charged.
    pub budget: Budget,
}

/// Whoever takes members and their tags, one by one.
pub type Taker<'a, const W: usize> = dyn FnMut([u64; W], u8) -> Result<(), Full> + 'a;

/// An exact set of ranks of `W` words.
///
/// A candidate may carry a *mark* above the bits of its rank, as far as its words have room. The mark plays no part in
/// which rank it is, and comes back with it if it is new.
pub trait RankSet<const W: usize>: Sized + Sync {
    /// Candidates of one thread on their way in.
    type Outbox: Send;

    /// Whether a look-up costs so much that it pays to remember, outside, what was sent of late.
    const IS_DEAR: bool;

    /// An empty set.
    fn new(shape: &Shape) -> Result<Self, Full>;

    /// Parts that are locked, grow and are given back one by one.
    fn parts(&self) -> usize;

    /// Whether it is divided into far too few parts for so many members.
    fn is_coarse(&self, members: u64) -> bool {
        let _ = members;
        false
    }

    /// An outbox for one thread.
    fn outbox(&self) -> Self::Outbox;

    /// An outbox for a thread that is the only one to send anything while it has it.
    fn sole_outbox(&self) -> Self::Outbox {
        self.outbox()
    }

    /// Sends a candidate on its way. Sooner or later, at the latest in [`flush`](Self::flush), it is in the set, and
    /// `found` has been called with it if it was new: exactly once over all threads. All candidates between two
    /// flushes come with the same tag. On a refusal nothing is lost: candidates that are not in the set yet stay in
    /// the outbox, and flushing again tries again.
    fn send(
        &self,
        outbox: &mut Self::Outbox,
        rank: [u64; W],
        tag: u8,
        found: &mut impl FnMut([u64; W]),
    ) -> Result<(), Full>;

    /// Sends many on their way, and takes them out of `candidates` as it does; those that are found to be new are added to
    /// `found`. After a refusal, those that are still among the candidates were not sent.
    #[inline]
    fn send_all(
        &self,
        outbox: &mut Self::Outbox,
        candidates: &mut Vec<[u64; W]>,
        tag: u8,
        found: &mut Vec<[u64; W]>,
    ) -> Result<(), Full> {
        for at in 0..candidates.len() {
            if let Err(full) = self.send(outbox, candidates[at], tag, &mut |new| found.push(new)) {
                candidates.drain(..=at);
                return Err(full);
            }
        }
        candidates.clear();
        Ok(())
    }

    /// Puts everything in that is still in the outbox.
    fn flush(&self, outbox: &mut Self::Outbox, tag: u8, found: &mut impl FnMut([u64; W]))
    -> Result<(), Full>;

    /// Takes everything out of the outbox that is not in the set.
    fn take_back(&self, outbox: &mut Self::Outbox, into: &mut Vec<[u64; W]>);

    /// Takes many members in, all different and none of them there, with their tags: `feed` hands them over one by
    /// one, about `count` of them. What waits meanwhile may take so many bytes. After a refusal some are in the set.
    fn fill(
        &self,
        count: u64,
        bytes: usize,
        feed: impl FnOnce(&mut Taker<'_, W>) -> Result<(), Full>,
    ) -> Result<(), Full>;

    /// The tag of a member (0 in a set without tags); nothing if it is not there.
    fn tag_of(&self, rank: [u64; W]) -> Option<u8>;

    /// How many members there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lowers the number of members it may have.
    fn limit(&mut self, most: u64);

    /// The bytes it holds.
    fn bytes(&self) -> usize;

    /// Shows every member.
    fn each(&self, visit: &mut dyn FnMut([u64; W]));

    /// Whether it can hold ranks below this (nothing: any of its bits).
    fn takes(&self, ranks: Option<u64>) -> bool {
        let _ = ranks;
        true
    }

    /// Takes all members out, with their tags, giving memory back on the way. After a refusal by `take` the rest is
    /// lost.
    fn drain(self, take: &mut dyn FnMut([u64; W], u8) -> Result<(), Full>) -> Result<(), Full>;
}
