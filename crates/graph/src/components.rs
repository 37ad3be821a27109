//! Strongly connected components.
//!
//! D. Pearce, *A space-efficient algorithm for finding strongly connected components* (2016), on a stack of
//! its own: one number per node is all that is kept besides the stack. That number is first the place in the
//! order of visits, then lowered to the earliest that can be reached, and finally the component's. Components
//! are counted down from the number of nodes, so that those which are finished are above all those under way,
//! and nothing else tells the two apart.
//!
//! The component of node 0, which is often the whole graph, is found [in a cheaper
//! way](crate::source_component) first.

use sweepnet_space::budget::{Charged, OutOfMemory};
use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, StopReason};

use crate::graph::LOOK;
use crate::packed::Packed;
use crate::source_component::source_component;
use crate::{Graph, Reader};

/// The strongly connected components of a graph.
///
/// They are numbered in the order in which they are finished: an edge between two components leads to the
/// smaller number.
#[derive(Debug)]
pub struct Components {
    /// For each node, the number of nodes less the number of its component.
    index: Packed,
    count: u64,
    /// One bit per component, packed: whether an edge leaves it.
    left: Packed,
}

impl Components {
    /// The components of all nodes, whether or not they can be reached from node 0; unless a limit is reached.
    pub fn of(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<Self, StopReason> {
        let nodes = graph.nodes();
        let source = source_component(graph, budget, watch)?;
        let in_source = |node| source.as_ref().is_some_and(|source| source.get(node) != 0);
        let mut search = Search {
            reader: graph.reader(),
            index: Packed::zeros(budget, nodes, nodes)?,
            visited: 1,
            component: nodes,
            frames: Charged::new(budget),
            targets: Charged::new(budget),
            waiting: Charged::new(budget),
            watch,
            entered: 0,
        };
        for node in 0..nodes {
            if search.index.get(node) == 0 && !in_source(node) {
                search.visit(node)?;
            }
        }
        if source.is_some() {
            // The others lead nowhere into it, so it was never met. It comes last, because it leads to all of
            // them.
            (0..nodes)
                .filter(|node| in_source(*node))
                .for_each(|node| search.index.set(node, search.component));
            search.component -= 1;
        }
        let Search { index, component, .. } = search;
        let count = nodes - component;
        let mut found = Self { index, count, left: Packed::zeros(budget, count, 1)? };
        graph.scan_within(watch, |node, edges| {
            let own = found.of_node(node);
            if edges.iter().any(|edge| found.of_node(edge.target) != own) {
                found.left.set(own, 1);
            }
        })?;
        Ok(found)
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The component of a node.
    pub fn of_node(&self, node: u64) -> u64 {
        self.index.len() - self.index.get(node)
    }

    /// Whether no edge leaves a component. In a graph that is not complete, edges that are not there do not
    /// count.
    pub fn is_terminal(&self, component: u64) -> bool {
        self.left.get(component) == 0
    }

    /// How many components no edge leaves.
    pub fn terminal_count(&self) -> u64 {
        (0..self.count).filter(|component| self.is_terminal(*component)).count() as u64
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.index.bytes() + self.left.bytes()
    }
}

/// A node whose edges are being followed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: u64,
    /// Where its targets begin among those that are to be looked at.
    targets: usize,
    /// Whether no earlier node was reached.
    is_root: bool,
}

struct Search<'a> {
    reader: Reader<'a>,
    index: Packed,
    /// One more than the nodes that were visited and have no component yet.
    visited: u64,
    /// The number that the last component got.
    component: u64,
    frames: Charged<Frame>,
    targets: Charged<u64>,
    /// Nodes that wait for the root of their component.
    waiting: Charged<u64>,
    watch: &'a Watch,
    /// Nodes that it has begun with.
    entered: u64,
}

impl Search<'_> {
    fn visit(&mut self, start: u64) -> Result<(), StopReason> {
        self.enter(start)?;
        while let Some(frame) = self.frames.last().copied() {
            if self.targets.len() == frame.targets {
                self.leave(frame)?;
                continue;
            }
            let Some(target) = self.targets.pop() else { continue };
            match self.index.get(target) {
                0 => self.enter(target)?,
                reached => self.reach(reached),
            }
        }
        Ok(())
    }

    /// Begins with a node. Of its targets, only those that were not visited have to be looked at later.
    fn enter(&mut self, node: u64) -> Result<(), StopReason> {
        self.entered += 1;
        if self.entered.is_multiple_of(LOOK) {
            self.watch.look()?;
        }
        let own = self.visited;
        self.visited += 1;
        self.index.set(node, own);
        self.frames.push(Frame { node, targets: self.targets.len(), is_root: true })?;
        let mut least = own;
        for edge in self.reader.out(node) {
            match self.index.get(edge.target) {
                0 => self.targets.push(edge.target)?,
                reached => least = least.min(reached),
            }
        }
        self.reach(least);
        Ok(())
    }

    /// The node on top of the stack leads to one with this number.
    fn reach(&mut self, reached: u64) {
        if let Some(frame) = self.frames.last_mut()
            && reached < self.index.get(frame.node)
        {
            self.index.set(frame.node, reached);
            frame.is_root = false;
        }
    }

    /// Ends with the node on top of the stack.
    fn leave(&mut self, frame: Frame) -> Result<(), OutOfMemory> {
        self.frames.pop();
        let own = self.index.get(frame.node);
        if !frame.is_root {
            self.waiting.push(frame.node)?;
            self.reach(own);
            return Ok(());
        }
        self.visited -= 1;
        while let Some(node) = self.waiting.last().copied().filter(|node| self.index.get(*node) >= own) {
            self.waiting.pop();
            self.visited -= 1;
            self.index.set(node, self.component);
        }
        self.index.set(frame.node, self.component);
        self.component -= 1;
        Ok(())
    }
}
