//! The graph: its sizes, what it describes, and its edges in blocks.

use sweepnet_space::StopReason;
use sweepnet_space::control::Watch;

use crate::offsets::Offsets;
use crate::reader::Reader;
use crate::words::Words;

/// Nodes that are gone through between two looks at the limits.
pub(crate) const LOOK: u64 = 4096;

/// An edge: what happens, and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The number of the event.
    pub event: u32,
    /// The node it leads to.
    pub target: u64,
}

/// What a graph is the graph of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// A hash of the model, by which whoever made it knows it again.
    pub model: u64,
    /// The model's name.
    pub name: String,
    /// How it was explored.
    pub search: String,
    /// Whether different nodes are different states. Otherwise the graph is an unfolding: bisimilar, but
    /// larger.
    pub exact: bool,
    /// The names of the events, by number; none at all, or one for each.
    pub events: Vec<String>,
    /// Anything else: where the model came from, with which parameters.
    pub note: String,
}

/// How large a graph is, and how much of it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub nodes: u64,
    /// Nodes that may have edges: those after them were found, but never expanded.
    pub started: u64,
    pub edges: u64,
    pub events: u32,
    pub complete: bool,
}

/// A whole reachability graph in a few bits per edge. Node 0 is the initial state; the others are numbered in
/// the order in which they were expanded. See the [crate](crate) for how it is kept.
#[derive(Debug)]
pub struct Graph {
    pub(crate) sizes: Sizes,
    pub(crate) stream: Words,
    pub(crate) offsets: Offsets,
    /// Nodes whose expansion was begun, but not ended, in rising order.
    pub(crate) open: Vec<u64>,
    /// What it is the graph of.
    pub description: Description,
}

impl Graph {
    /// How many nodes there are.
    pub fn nodes(&self) -> u64 {
        self.sizes.nodes
    }

    /// How many edges there are.
    pub fn edges(&self) -> u64 {
        self.sizes.edges
    }

    /// How many events there may be: all numbers of events are below.
    pub fn events(&self) -> u32 {
        self.sizes.events
    }

    /// How many nodes have all their edges.
    pub fn expanded_nodes(&self) -> u64 {
        self.sizes.started - self.open.len() as u64
    }

    /// Whether a node has all its edges.
    pub fn is_expanded(&self, node: u64) -> bool {
        node < self.sizes.started && self.open.binary_search(&node).is_err()
    }

    /// Whether it is the whole graph: the search came to its end.
    pub fn is_complete(&self) -> bool {
        self.sizes.complete
    }

    /// The bytes it takes, all included.
    pub fn bytes(&self) -> usize {
        self.stream.bytes() + self.offsets.bytes() + self.open.len() * 8
    }

    /// The same graph of something.
    pub fn described(mut self, description: Description) -> Self {
        self.description = description;
        self
    }

    /// A reader of its edges. Each has its own buffers, so there may be many.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self)
    }

    /// Shows every node with its edges, in order of numbers.
    pub fn scan(&self, mut visit: impl FnMut(u64, &[Edge])) {
        let mut reader = self.reader();
        for node in 0..self.nodes() {
            visit(node, reader.out(node));
        }
    }

    /// The same, unless a limit is reached meanwhile.
    pub fn scan_within(&self, watch: &Watch, mut visit: impl FnMut(u64, &[Edge])) -> Result<(), StopReason> {
        let mut reader = self.reader();
        for node in 0..self.nodes() {
            if node.is_multiple_of(LOOK) {
                watch.look()?;
            }
            visit(node, reader.out(node));
        }
        Ok(())
    }
}
