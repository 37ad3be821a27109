//! What can be told of a graph in numbers.

use std::collections::BTreeMap;

use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, StopReason};

use crate::path::depth;
use crate::{Components, Graph};

/// Figures of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many nodes have how many edges; only nodes that were expanded count.
    pub degrees: BTreeMap<u64, u64>,
    /// Expanded nodes without edges: deadlocks.
    pub dead: u64,
    /// Edges from a node to itself.
    pub loops: u64,
    /// Events that lead somewhere.
    pub events: u64,
    /// Strongly connected components.
    pub components: u64,
    /// Components that no edge leaves.
    pub terminal_components: u64,
    /// Nodes that can be reached from node 0.
    pub reachable: u64,
    /// The distance of the farthest of them.
    pub depth: u64,
}

impl Figures {
    /// The figures of a graph, unless a limit is reached.
    pub fn of(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<Self, StopReason> {
        let mut figures = Self::default();
        let mut seen = crate::Packed::zeros(budget, u64::from(graph.events()), 1)?;
        graph.scan_within(watch, |node, edges| {
            for edge in edges {
                figures.loops += u64::from(edge.target == node);
                seen.set(u64::from(edge.event), 1);
            }
            if graph.is_expanded(node) {
                *figures.degrees.entry(edges.len() as u64).or_default() += 1;
            }
        })?;
        figures.dead = figures.degrees.get(&0).copied().unwrap_or(0);
        figures.events = (0..seen.len()).map(|event| seen.get(event)).sum();
        let components = Components::of(graph, budget, watch)?;
        figures.components = components.count();
        figures.terminal_components = components.terminal_count();
        drop(components);
        (figures.reachable, figures.depth) = depth(graph, budget, watch)?;
        Ok(figures)
    }
}
