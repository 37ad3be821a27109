//! Where edges come from.

use sweepnet_space::Budget;
use sweepnet_space::budget::OutOfMemory;

use crate::Graph;
use crate::packed::Packed;

/// The predecessors of every node, in compressed sparse rows: those of node n are `sources[ends[n -
/// 1]..ends[n]]`. One number of a node per edge and one of an edge per node, packed.
#[derive(Debug)]
pub struct Reverse {
    ends: Packed,
    sources: Packed,
}

impl Reverse {
    /// The predecessors of a graph's nodes, found by two scans.
    pub fn of(graph: &Graph, budget: &Budget) -> Result<Self, OutOfMemory> {
        let mut ends = Packed::zeros(budget, graph.nodes(), graph.edges())?;
        let mut sources = Packed::zeros(budget, graph.edges(), graph.nodes())?;
        graph.scan(|_, edges| {
            for edge in edges {
                ends.set(edge.target, ends.get(edge.target) + 1);
            }
        });
        // Where each row begins; the second scan makes it where each row ends.
        let mut sum = 0;
        for node in 0..graph.nodes() {
            let count = ends.get(node);
            ends.set(node, sum);
            sum += count;
        }
        graph.scan(|node, edges| {
            for edge in edges {
                let at = ends.get(edge.target);
                if at < sources.len() {
                    sources.set(at, node);
                    ends.set(edge.target, at + 1);
                }
            }
        });
        Ok(Self { ends, sources })
    }

    /// The predecessors of a node, in rising order, one for each edge.
    pub fn sources(&self, node: u64) -> impl ExactSizeIterator<Item = u64> + '_ {
        let begin = if node == 0 { 0 } else { self.ends.get(node - 1) };
        let end = self.ends.get(node);
        (0..(end - begin) as usize).map(move |i| self.sources.get(begin + i as u64))
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.ends.bytes() + self.sources.bytes()
    }
}
