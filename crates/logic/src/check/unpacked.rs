//! A graph unpacked for jumping about: arrays of edges, where the memory allows it.
//!
//! The condensed graph is read in blocks, which is fast from one node to the next and slow in any other order. Searches for
//! components and paths jump, so it pays to unpack it for as long as questions are asked.

use sweepnet_graph::Graph;
use sweepnet_space::budget::Charged;
use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, StopReason};

/// See the [module](self).
#[derive(Debug)]
pub struct Unpacked {
    /// Where the edges of each node begin; one more for the end.
    heads: Charged<u64>,
    targets: Charged<u32>,
    events: Charged<u32>,
}

/// The part of the free memory that it may take: the questions need some, too.
const SHARE: u64 = 3;

impl Unpacked {
    /// Unpacks a graph; nothing if that takes too much, or too long.
    pub fn of(graph: &Graph, budget: &Budget, watch: &Watch) -> Option<Self> {
        budget.catch_up();
        let free = budget.limit().saturating_sub(budget.used());
        let bytes = graph.edges().checked_mul(8)?.checked_add(graph.nodes().checked_mul(8)?)?;
        if bytes > free / SHARE || graph.nodes() > u64::from(u32::MAX) {
            return None;
        }
        Self::unpack(graph, budget, watch).ok()
    }

    fn unpack(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<Self, StopReason> {
        let (nodes, edges) = (graph.nodes() as usize, graph.edges() as usize);
        let mut heads = Charged::new(budget);
        let (mut targets, mut events) = (Charged::new(budget), Charged::new(budget));
        heads.reserve(nodes + 1)?;
        targets.reserve(edges)?;
        events.reserve(edges)?;
        heads.push_reserved(0);
        graph.scan_within(watch, |node, out| {
            // Nodes come in order; those that were never expanded have no edges.
            debug_assert_eq!(node as usize + 1, heads.len());
            for edge in out {
                targets.push_reserved(edge.target as u32);
                events.push_reserved(edge.event);
            }
            heads.push_reserved(targets.len() as u64);
        })?;
        while heads.len() <= nodes {
            heads.push_reserved(targets.len() as u64);
        }
        Ok(Self { heads, targets, events })
    }

    /// Calls `visit` with the event and the target of every edge of a node.
    #[inline]
    pub fn successors(&self, node: u64, visit: &mut dyn FnMut(u32, u64)) {
        let (from, to) = (self.heads[node as usize] as usize, self.heads[node as usize + 1] as usize);
        for (event, target) in self.events[from..to].iter().zip(&self.targets[from..to]) {
            visit(*event, u64::from(*target));
        }
    }
}
