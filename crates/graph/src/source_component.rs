//! The component of node 0, found by scanning.
//!
//! Searching for components goes through the graph at random, which costs twenty times as much per edge as
//! going through it in order. Many nets can return to their initial state from most states. So the nodes that
//! can are found first, by scans to and fro: a node can return if one of its targets can. If node 0 leads
//! everywhere, these nodes are its component, and nothing leads back into it from the others.

use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, StopReason};

use crate::block::NODES;
use crate::graph::LOOK;
use crate::packed::Packed;
use crate::{Edge, Graph};

/// Scans at most, before the search is left to itself.
const MOST_SCANS: u32 = 24;

/// The nodes in one component with node 0, one bit for each. Nothing if node 0 does not lead everywhere, or
/// if it would take too many scans to know.
pub fn source_component(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<Option<Packed>, StopReason> {
    if !leads_everywhere(graph, budget, watch)? {
        return Ok(None);
    }
    let mut returns = Packed::zeros(budget, graph.nodes(), 1)?;
    returns.set(0, 1);
    for scan in 0..MOST_SCANS {
        // Edges lead forward for the most part: the first scan goes backward.
        if !spread(graph, &mut returns, scan % 2 == 1, watch)? {
            return Ok(Some(returns));
        }
    }
    Ok(None)
}

/// Whether every node is reached from node 0 by edges that lead forward, as it is in graphs from searches.
fn leads_everywhere(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<bool, StopReason> {
    let mut reached = Packed::zeros(budget, graph.nodes(), 1)?;
    reached.set(0, 1);
    let mut all = true;
    graph.scan_within(watch, |node, edges| match reached.get(node) {
        0 => all = false,
        _ => edges.iter().for_each(|edge| reached.set(edge.target, 1)),
    })?;
    Ok(all)
}

/// One scan in one direction; tells whether a node was added.
fn spread(graph: &Graph, returns: &mut Packed, forward: bool, watch: &Watch) -> Result<bool, StopReason> {
    let mut reader = graph.reader();
    let mut more = false;
    let mut look = |node: u64, edges: &[Edge], returns: &mut Packed| {
        if returns.get(node) == 0 && edges.iter().any(|edge| returns.get(edge.target) != 0) {
            returns.set(node, 1);
            more = true;
        }
    };
    let blocks = graph.nodes().div_ceil(NODES);
    for i in 0..blocks {
        if i.is_multiple_of(LOOK / NODES) {
            watch.look()?;
        }
        let first = NODES * if forward { i } else { blocks - 1 - i };
        let nodes = first..graph.nodes().min(first + NODES);
        if nodes.clone().all(|node| returns.get(node) != 0) {
            continue;
        }
        // The whole block is read with its first node.
        reader.out(first);
        match forward {
            true => nodes.for_each(|node| look(node, reader.out(node), returns)),
            false => nodes.rev().for_each(|node| look(node, reader.out(node), returns)),
        }
    }
    Ok(more)
}
