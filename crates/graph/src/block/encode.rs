//! Writing blocks.

use sweepnet_space::Budget;
use sweepnet_space::budget::{Charged, OutOfMemory};

use super::{Guess, HEAD_CODE, NO_GUESS, NODES, PARAMETER_BITS, zigzag};
use crate::Edge;
use crate::bits::{BitWriter, Histogram};
use crate::words::Pieces;

/// What a number stands for, which decides on its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Event,
    Target,
    First,
}

/// Gathers nodes and writes them block by block.
#[derive(Debug)]
pub struct Encoder {
    writer: BitWriter,
    /// Bits of each block.
    lengths: Charged<u32>,
    /// Nodes that were taken, and edges.
    nodes: u64,
    edges: u64,
    next_new: u64,
    /// The next new number when the block began.
    next_new_at_first: u64,
    guesses: Charged<Guess>,
    numbers: Vec<(Kind, u64)>,
    histograms: [Histogram; 3],
    /// The events of the last node, each once.
    events: Vec<u32>,
    scratch: Vec<u32>,
    /// The edges of the block's nodes, and how many each has.
    pending: Vec<Edge>,
    degrees: Vec<u32>,
    /// Whether a node of the block has two edges with one event.
    repeated: bool,
}

impl Encoder {
    /// An encoder at the beginning.
    pub fn new(budget: &Budget) -> Self {
        Self {
            writer: BitWriter::default(),
            lengths: Charged::new(budget),
            nodes: 0,
            edges: 0,
            next_new: 1,
            next_new_at_first: 1,
            guesses: Charged::new(budget),
            numbers: Vec::new(),
            histograms: Default::default(),
            events: Vec::new(),
            scratch: Vec::new(),
            pending: Vec::new(),
            degrees: Vec::new(),
            repeated: false,
        }
    }

    /// Nodes taken so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Edges taken so far.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// Makes room for a node with these edges, in order of events. Without it the node cannot be taken.
    #[inline]
    pub fn make_room(&mut self, into: &mut Pieces, edges: &[Edge]) -> Result<(), OutOfMemory> {
        if self.degrees.len() as u64 == NODES {
            // Memory was refused when this block was complete.
            self.block(into)?;
        }
        let largest = edges.last().map_or(0, |edge| edge.event as usize);
        if largest >= self.guesses.len() {
            let len = (largest + 1).max(self.guesses.len() * 2);
            self.guesses.resize(len, NO_GUESS)?;
        }
        Ok(())
    }

    /// Takes the edges of the next node, in order of events, then targets. There has to be [room](Self::make_room). A
    /// refusal means that something has to wait to be written; the node is taken all the same.
    #[inline]
    pub fn node(&mut self, into: &mut Pieces, edges: &[Edge]) -> Result<(), OutOfMemory> {
        self.repeated |= edges.windows(2).any(|pair| pair[0].event == pair[1].event);
        self.pending.extend_from_slice(edges);
        self.degrees.push(edges.len() as u32);
        self.nodes += 1;
        self.edges += edges.len() as u64;
        if self.nodes.is_multiple_of(NODES) { self.block(into) } else { Ok(()) }
    }

    /// Writes the last block; returns the bits of all blocks.
    pub fn finish(mut self, into: &mut Pieces) -> Result<Charged<u32>, OutOfMemory> {
        if !self.degrees.is_empty() {
            self.block(into)?;
        }
        self.writer.finish(into)?;
        Ok(self.lengths)
    }

    /// Bytes it holds meanwhile.
    pub fn bytes(&self) -> usize {
        self.lengths.bytes() + self.guesses.bytes()
    }

    fn block(&mut self, into: &mut Pieces) -> Result<(), OutOfMemory> {
        // Before anything is written: what is refused then can be written later.
        self.lengths.reserve(self.lengths.len() + 1)?;
        let first = self.nodes - self.degrees.len() as u64;
        let block = self.lengths.len() as u64 + 1;
        let begin = self.writer.bits();
        self.next_new_at_first = self.next_new.max(first);
        self.events.clear();
        let mut numbers = Numbers { list: &mut self.numbers, histograms: &mut self.histograms };
        let mut rest: &[Edge] = &self.pending;
        for (node, degree) in (first..).zip(&self.degrees) {
            let (edges, others) = rest.split_at(*degree as usize);
            rest = others;
            numbers.events(edges, &mut self.events, &mut self.scratch);
            if self.repeated {
                for run in edges.chunk_by(|a, b| a.event == b.event) {
                    numbers.add(Kind::Event, run.len() as u64 - 1);
                }
            }
            self.next_new = self.next_new.max(node + 1);
            for edge in edges {
                let target = edge.target;
                let guess = &mut self.guesses[edge.event as usize];
                if guess.block == block {
                    numbers.target(target, guess.target, self.next_new);
                } else {
                    numbers.first(target, node, self.next_new);
                }
                *guess = Guess { block, target: target + 1 };
                self.next_new = self.next_new.max(target + 1);
            }
        }
        self.write(first);
        self.pending.clear();
        self.degrees.clear();
        self.repeated = false;
        self.lengths.push_reserved((self.writer.bits() - begin) as u32);
        self.writer.drain(into)
    }

    fn write(&mut self, first: u64) {
        let codes = [0, 1, 2].map(|kind: usize| self.histograms[kind].choose());
        for code in codes {
            self.writer.write(u64::from(code - 1), PARAMETER_BITS);
        }
        self.writer.write(u64::from(self.repeated), 1);
        self.writer.write_zeta(self.next_new_at_first - first, HEAD_CODE);
        for (kind, value) in self.numbers.drain(..) {
            self.writer.write_zeta(value, codes[kind as usize]);
        }
    }
}

/// The numbers of a block before they are written.
struct Numbers<'a> {
    list: &'a mut Vec<(Kind, u64)>,
    histograms: &'a mut [Histogram; 3],
}

impl Numbers<'_> {
    #[inline(always)]
    fn add(&mut self, kind: Kind, value: u64) {
        self.histograms[kind as usize].add(value);
        self.list.push((kind, value));
    }

    #[inline(always)]
    fn target(&mut self, target: u64, guess: u64, next_new: u64) {
        let value = match target {
            _ if target == guess => 0,
            _ if target == next_new => 1,
            _ => zigzag(target as i64 - guess as i64) + 1,
        };
        self.add(Kind::Target, value);
    }

    #[inline(always)]
    fn first(&mut self, target: u64, node: u64, next_new: u64) {
        let value = if target == next_new { 0 } else { zigzag(target as i64 - node as i64) + 1 };
        self.add(Kind::First, value);
    }

    /// How the events of these edges differ from `events`, which become these.
    #[inline]
    fn events(&mut self, edges: &[Edge], events: &mut Vec<u32>, added: &mut Vec<u32>) {
        let removed_at = self.list.len();
        self.list.push((Kind::Event, 0));
        added.clear();
        // Both lists rise: they are gone through side by side.
        let (mut position, mut removed, mut next) = (0, 0, 0);
        let mut last = None;
        for edge in edges {
            let event = edge.event;
            if last.replace(event) == Some(event) {
                continue;
            }
            while position < events.len() && events[position] < event {
                self.add(Kind::Event, (position - next) as u64);
                position += 1;
                next = position;
                removed += 1;
            }
            if position < events.len() && events[position] == event {
                position += 1;
            } else {
                added.push(event);
            }
        }
        for position in position..events.len() {
            self.add(Kind::Event, (position - next) as u64);
            next = position + 1;
            removed += 1;
        }
        if events.is_empty() {
            self.list.pop();
        } else {
            self.list[removed_at].1 = removed;
            self.histograms[Kind::Event as usize].add(removed);
        }
        self.add(Kind::Event, added.len() as u64);
        let mut next = 0;
        for event in added.iter() {
            self.add(Kind::Event, u64::from(event - next));
            next = event.saturating_add(1);
        }
        if removed > 0 || !added.is_empty() {
            events.clear();
            events.extend(edges.iter().map(|edge| edge.event));
            events.dedup();
        }
    }
}
