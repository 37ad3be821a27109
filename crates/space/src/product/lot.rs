//! States that are expanded together, and what is found out about each of them on the way.
//!
//! [`Expanding`](super::Expanding) does one thing with all of them before it does the next. What it looks at for a component
//! is then at hand, no state waits for another's memory, and each of its loops is short.

use super::automata::MOST_ROOTS;
use crate::set::words::split;

/// States in a lot, at most.
pub const MOST_TOGETHER: usize = 64;

/// Successors of a lot, about, at most: lots of states that have many are smaller.
pub const MOST_SUCCESSORS: u64 = 4096;

/// Some states, and what is found out about them when they are expanded.
#[derive(Debug)]
pub struct Lot<const W: usize> {
    len: usize,
    /// Their ranks.
    pub ranks: [[u64; W]; MOST_TOGETHER],
    /// By which kind of event each was found.
    pub labels: [u8; MOST_TOGETHER],
    /// What is left of each rank, as components are taken out of it.
    pub rest: [[u64; W]; MOST_TOGETHER],
    /// What is left to tell the component that follows from the others.
    pub left: [u32; MOST_TOGETHER],
    /// A word of the shared events that are enabled as far as components have been looked at.
    pub enabled: [u64; MOST_TOGETHER],
    /// How many arcs leave each.
    pub arcs: [u64; MOST_TOGETHER],
    /// By component.
    pub columns: Vec<Column>,
    /// By event of a word, the states that have it.
    pub states: [u64; MOST_TOGETHER],
    /// Where one event leads from them.
    pub targets: [[u64; W]; MOST_TOGETHER],
    /// How many may be in the next one: few after something has stopped the one before it.
    may_be: usize,
    /// The most arcs that have left any of late.
    most_arcs: u64,
}

/// One component's part of all states.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its local numbers.
    pub numbers: [u32; MOST_TOGETHER],
    /// Where in a row successors by own events begin.
    pub own: [u32; MOST_TOGETHER],
    /// Which of these are followed, as bits; or how many of them, if all or none.
    pub followed: [u32; MOST_TOGETHER],
    /// Where in a row successors by shared events begin.
    pub shared: [u32; MOST_TOGETHER],
    /// Where the words of a pattern begin.
    pub patterns: [u32; MOST_TOGETHER],
}

impl Default for Column {
    fn default() -> Self {
        let none = [0; MOST_TOGETHER];
        Self { numbers: none, own: none, followed: none, shared: none, patterns: none }
    }
}

impl<const W: usize> Default for Lot<W> {
    fn default() -> Self {
        Self {
            len: 0,
            ranks: [[0; W]; MOST_TOGETHER],
            labels: [0; MOST_TOGETHER],
            rest: [[0; W]; MOST_TOGETHER],
            left: [0; MOST_TOGETHER],
            enabled: [0; MOST_TOGETHER],
            arcs: [0; MOST_TOGETHER],
            columns: Vec::new(),
            states: [0; MOST_TOGETHER],
            targets: [[0; W]; MOST_TOGETHER],
            may_be: 1,
            most_arcs: 0,
        }
    }
}

impl<const W: usize> Lot<W> {
    /// Bytes that one takes, at most.
    pub const BYTES: usize = size_of::<Self>() + MOST_ROOTS * size_of::<Column>();

    /// How many there are, which is never more than there is room for.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.len.min(MOST_TOGETHER)
    }

    /// Takes the last of some states, no more than so many, the last first. A state has so many bits, and above them a label
    /// of which these count.
    #[inline]
    pub fn take(&mut self, states: &[[u64; W]], most: usize, (bits, labels): (u32, u64)) {
        let fit = (MOST_SUCCESSORS / self.most_arcs.max(1)).max(1) as usize;
        let may_be = self.may_be.min(fit).min(most).min(MOST_TOGETHER);
        self.len = 0;
        for (at, state) in states.iter().rev().take(may_be).enumerate() {
            let (rank, label) = split(state, bits);
            self.ranks[at] = rank;
            self.labels[at] = (label & labels) as u8;
            self.len = at + 1;
        }
    }

    /// Notes whether they were expanded.
    #[inline]
    pub fn note(&mut self, done: bool) {
        if done {
            self.may_be = (2 * self.may_be).min(MOST_TOGETHER);
            let before = self.most_arcs - self.most_arcs / 8;
            self.most_arcs = self.arcs[..self.len].iter().copied().fold(before, u64::max);
        } else {
            self.may_be = 1;
        }
    }
}
