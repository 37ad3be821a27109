//! Writing blocks.

use sweepnet_space::Budget;
use sweepnet_space::budget::{Charged, OutOfMemory};

use super::{Guess, HEAD_CODE, NO_GUESS, NODES, PARAMETER_BITS, zigzag};
use crate::Edge;
use crate::bits::{BitWriter, Histogram, Sink};

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

    /// Takes the edges of the next node, in order of events, then targets.
    #[inline]
    pub fn node(&mut self, sink: &mut impl Sink, edges: &[Edge]) -> Result<(), OutOfMemory> {
        let mut last = None;
        for edge in edges {
            self.repeated |= last == Some(edge.event);
            last = Some(edge.event);
            self.pending.push(*edge);
        }
        if let Some(largest) = last
            && largest as usize >= self.guesses.len()
        {
            let len = (largest as usize + 1).max(self.guesses.len() * 2);
            self.guesses.resize(len, NO_GUESS)?;
        }
        self.degrees.push(edges.len() as u32);
        self.nodes += 1;
        self.edges += edges.len() as u64;
        if self.nodes.is_multiple_of(NODES) { self.block(sink) } else { Ok(()) }
    }

    /// Writes the last block; returns the bits of all blocks.
    pub fn finish(mut self, sink: &mut impl Sink) -> Result<Charged<u32>, OutOfMemory> {
        if !self.degrees.is_empty() {
            self.block(sink)?;
        }
        self.writer.flush(sink)?;
        Ok(self.lengths)
    }

    /// Bytes it holds meanwhile.
    pub fn bytes(&self) -> usize {
        self.lengths.bytes() + self.guesses.bytes()
    }

    fn block(&mut self, sink: &mut impl Sink) -> Result<(), OutOfMemory> {
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
        self.write(sink, first)?;
        self.pending.clear();
        self.degrees.clear();
        self.repeated = false;
        self.lengths.push((self.writer.bits() - begin) as u32)
    }

    fn write(&mut self, sink: &mut impl Sink, first: u64) -> Result<(), OutOfMemory> {
        let codes = [0, 1, 2].map(|kind: usize| self.histograms[kind].choose());
        for code in codes {
            self.writer.write(sink, u64::from(code - 1), PARAMETER_BITS)?;
        }
        self.writer.write(sink, u64::from(self.repeated), 1)?;
        self.writer.write_zeta(sink, self.next_new_at_first - first, HEAD_CODE)?;
        for (kind, value) in self.numbers.iter() {
            self.writer.write_zeta(sink, *value, codes[*kind as usize])?;
        }
        self.numbers.clear();
        Ok(())
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
    fn events(&mut self, edges: &[Edge], events: &mut Vec<u32>, now: &mut Vec<u32>) {
        now.clear();
        for edge in edges {
            if now.last() != Some(&edge.event) {
                now.push(edge.event);
            }
        }
        if now == events {
            if !events.is_empty() {
                self.add(Kind::Event, 0);
            }
            self.add(Kind::Event, 0);
            return;
        }
        if !events.is_empty() {
            self.missing(events, now, true);
        }
        self.missing(now, events, false);
        std::mem::swap(events, now);
    }

    /// What is in the first and not in the second list: how many, then each by its position or value.
    fn missing(&mut self, of: &[u32], from: &[u32], by_position: bool) {
        let count_at = self.list.len();
        self.list.push((Kind::Event, 0));
        let (mut count, mut next) = (0, 0);
        let mut others = from.iter().copied().peekable();
        for (position, event) in (0u64..).zip(of) {
            while others.next_if(|other| other < event).is_some() {}
            if others.peek() != Some(event) {
                let value = if by_position { position } else { u64::from(*event) };
                self.add(Kind::Event, value - next);
                next = value + 1;
                count += 1;
            }
        }
        self.list[count_at].1 = count;
        self.histograms[Kind::Event as usize].add(count);
    }
}
