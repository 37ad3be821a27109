//! Reading blocks. Whatever the bits say, reading ends, stays in bounds and takes no more memory than the
//! bits allow.

use super::{Guess, HEAD_CODE, NO_GUESS, NODES, PARAMETER_BITS, unzigzag};
use crate::Edge;
use crate::bits::BitReader;

/// The edges of a block's nodes.
#[derive(Debug, Default)]
pub struct Block {
    edges: Vec<Edge>,
    /// Where each node's edges end.
    ends: Vec<u32>,
}

impl Block {
    /// The edges of one of its nodes; none if it is not there.
    #[inline]
    pub fn edges(&self, index: usize) -> &[Edge] {
        let begin = if index == 0 { 0 } else { self.ends.get(index - 1).copied().unwrap_or(0) };
        let end = self.ends.get(index).copied().unwrap_or(begin);
        self.edges.get(begin as usize..end as usize).unwrap_or(&[])
    }

    /// Its nodes.
    pub fn nodes(&self) -> usize {
        self.ends.len()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.ends.clear();
    }
}

/// What a block's numbers are read against.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The first node.
    pub first: u64,
    /// Nodes whose edges are wanted, at most [`NODES`].
    pub count: u64,
    /// Nodes of the graph.
    pub nodes: u64,
    /// Events of the graph.
    pub events: u32,
}

/// Reads blocks.
#[derive(Debug, Default)]
pub struct Decoder {
    guesses: Vec<Guess>,
    block: u64,
    events: Vec<u32>,
    scratch: Vec<u32>,
    repeats: Vec<u32>,
}

impl Decoder {
    /// Reads a block from its bits, which end at `end`. None if they are no block.
    pub fn decode(
        &mut self,
        mut bits: BitReader<'_>,
        end: usize,
        extent: Extent,
        into: &mut Block,
    ) -> Option<()> {
        let Extent { first, count, nodes, events } = extent;
        into.clear();
        // No block is as long, and counts have 32 bits.
        if end > u32::MAX as usize {
            return None;
        }
        self.block += 1;
        self.events.clear();
        let codes = [0; 3].map(|_| bits.read(PARAMETER_BITS) as u32 + 1);
        let repeated = bits.read(1) == 1;
        let [event_code, target_code, first_code] = codes;
        let mut next_new = first.checked_add(bits.read_zeta(HEAD_CODE)?).filter(|new| *new <= nodes)?;
        for node in first..first + count.min(NODES) {
            self.next_events(&mut bits, event_code, events, end)?;
            next_new = next_new.max(node + 1);
            if repeated {
                self.repeats.clear();
                let mut total = 0;
                for _ in 0..self.events.len() {
                    let again = bits.read_zeta(event_code)?;
                    total += again;
                    // Every edge takes a bit at least.
                    if total > end as u64 {
                        return None;
                    }
                    self.repeats.push(again as u32);
                }
            }
            for (i, event) in self.events.iter().enumerate() {
                let times = if repeated { self.repeats[i] + 1 } else { 1 };
                let guess = &mut self.guesses[*event as usize];
                for _ in 0..times {
                    let target = if guess.block == self.block {
                        match bits.read_zeta(target_code)? {
                            0 => guess.target,
                            1 => next_new,
                            value => guess.target.wrapping_add_signed(unzigzag(value - 1)),
                        }
                    } else {
                        match bits.read_zeta(first_code)? {
                            0 => next_new,
                            value => node.wrapping_add_signed(unzigzag(value - 1)),
                        }
                    };
                    if target >= nodes {
                        return None;
                    }
                    *guess = Guess { block: self.block, target: target + 1 };
                    next_new = next_new.max(target + 1);
                    into.edges.push(Edge { event: *event, target });
                }
            }
            if bits.position > end {
                return None;
            }
            into.ends.push(into.edges.len() as u32);
        }
        Some(())
    }

    /// Makes the events of the last node those of the next.
    #[inline]
    fn next_events(&mut self, bits: &mut BitReader<'_>, code: u32, most: u32, end: usize) -> Option<()> {
        if !self.events.is_empty() {
            let gone = bits.read_zeta(code)?;
            if gone > self.events.len() as u64 {
                return None;
            }
            if gone > 0 {
                self.remove(bits, code, gone)?;
            }
        }
        let more = bits.read_zeta(code)?;
        // Every event takes a bit at least.
        if more > end as u64 {
            return None;
        }
        if more > 0 {
            self.add(bits, code, more, most)?;
        }
        Some(())
    }

    fn remove(&mut self, bits: &mut BitReader<'_>, code: u32, gone: u64) -> Option<()> {
        let (mut read, mut write) = (0, 0);
        for _ in 0..gone {
            let stays = usize::try_from(bits.read_zeta(code)?).ok()?;
            if stays >= self.events.len() - read {
                return None;
            }
            self.events.copy_within(read..read + stays, write);
            read += stays + 1;
            write += stays;
        }
        self.events.copy_within(read.., write);
        self.events.truncate(self.events.len() - gone as usize);
        Some(())
    }

    fn add(&mut self, bits: &mut BitReader<'_>, code: u32, more: u64, most: u32) -> Option<()> {
        self.scratch.clear();
        let (mut old, mut next) = (0, 0u64);
        for _ in 0..more {
            let event = next.checked_add(bits.read_zeta(code)?).filter(|event| *event < u64::from(most))?;
            next = event + 1;
            let event = event as u32;
            while let Some(other) = self.events.get(old).filter(|other| **other <= event) {
                // Events that are there already do not come.
                if *other == event {
                    return None;
                }
                self.scratch.push(*other);
                old += 1;
            }
            self.scratch.push(event);
        }
        self.scratch.extend_from_slice(&self.events[old..]);
        std::mem::swap(&mut self.events, &mut self.scratch);
        let largest = self.events.last().map_or(0, |event| *event as usize);
        if largest >= self.guesses.len() {
            self.guesses.resize(largest + 1, NO_GUESS);
        }
        Some(())
    }
}
