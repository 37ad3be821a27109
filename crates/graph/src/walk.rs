//! Walking through a graph with one marking.
//!
//! Markings are not kept: each is made from the one before by firing. A spanning tree of the graph is found
//! by one scan (the first edge that leads to a node is its branch) and then walked depth-first, with one
//! current marking that is changed by firing on the way down and by un-firing on the way up. In a
//! breadth-first graph the tree is no deeper than the graph. The tree takes two numbers of nodes and one of
//! an event per node, packed, as long as the walk lasts.

use std::ops::ControlFlow;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_space::budget::{Charged, OutOfMemory};
use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, StopReason};
use thiserror::Error;

use crate::Graph;
use crate::packed::Packed;

/// Why a walk could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WalkError {
    /// A limit was reached: memory, time, patience.
    #[error("a limit was reached")]
    Stopped(StopReason),
    /// The net has fewer transitions than the graph has events.
    #[error(
        "this is not the graph of this net: it has {events} events, and the net {transitions} transitions"
    )]
    OtherNet {
        /// Events of the graph.
        events: u32,
        /// Transitions of the net.
        transitions: usize,
    },
    /// An edge is none of the net's.
    #[error("this is not the graph of this net: it has an edge by a transition that is not enabled there")]
    NotEnabled {
        /// Where the edge leads.
        node: u64,
        /// The transition.
        event: TransitionId,
    },
}

impl From<StopReason> for WalkError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

impl From<OutOfMemory> for WalkError {
    fn from(refusal: OutOfMemory) -> Self {
        Self::Stopped(refusal.into())
    }
}

impl From<WalkError> for StopReason {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Stopped(reason) => reason,
            WalkError::OtherNet { .. } | WalkError::NotEnabled { .. } => Self::OtherGraph,
        }
    }
}

/// Visits every node that can be reached from node 0 once, with its marking, until `visit` breaks off. Whoever visits
/// looks at the limits; those are only looked at here until the first visit.
pub fn walk(
    graph: &Graph,
    net: &Net,
    budget: &Budget,
    watch: &Watch,
    mut visit: impl FnMut(u64, &Marking) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, WalkError> {
    if graph.events() as usize > net.transitions().len() {
        let (events, transitions) = (graph.events(), net.transitions().len());
        return Err(WalkError::OtherNet { events, transitions });
    }
    let tree = Tree::of(graph, budget, watch)?;
    let mut stepper = Stepper::new(net, budget);
    let mut path = Charged::new(budget);
    let mut node = 0;
    if visit(0, &stepper.marking).is_break() {
        return Ok(ControlFlow::Break(()));
    }
    loop {
        let mut next = tree.first_child.get(node);
        while next == 0 {
            if node == 0 {
                return Ok(ControlFlow::Continue(()));
            }
            stepper.unfire(tree.event.get(node) as u32);
            next = tree.sibling.get(node);
            node = path.pop().unwrap_or(0);
        }
        path.push(node)?;
        node = next;
        let event = tree.event.get(node) as u32;
        // A file may have been forged.
        let transition = TransitionId::new(event as usize - 1);
        if !net.is_enabled(&stepper.marking, transition) {
            return Err(WalkError::NotEnabled { node, event: transition });
        }
        stepper.fire(event)?;
        if visit(node, &stepper.marking).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
}

/// A spanning tree. Node 0 is nobody's child, so that it stands for none.
struct Tree {
    first_child: Packed,
    /// The next child of the same node.
    sibling: Packed,
    /// The event that leads to a node.
    event: Packed,
}

impl Tree {
    fn of(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<Self, StopReason> {
        let nodes = graph.nodes();
        let mut tree = Self {
            first_child: Packed::zeros(budget, nodes, nodes)?,
            sibling: Packed::zeros(budget, nodes, nodes)?,
            event: Packed::zeros(budget, nodes, u64::from(graph.events()))?,
        };
        // An event of 0 means that a node was not reached yet.
        let mut again = true;
        while std::mem::take(&mut again) {
            graph.scan_within(watch, |node, edges| {
                let reached = node == 0 || tree.event.get(node) != 0;
                if !reached || tree.first_child.get(node) != 0 {
                    return;
                }
                let mut last = 0;
                for edge in edges {
                    if edge.target == 0 || tree.event.get(edge.target) != 0 {
                        continue;
                    }
                    tree.event.set(edge.target, u64::from(edge.event) + 1);
                    match last {
                        0 => tree.first_child.set(node, edge.target),
                        last => tree.sibling.set(last, edge.target),
                    }
                    last = edge.target;
                    // A node before this one has been passed already: its edges are looked at in another
                    // scan.
                    again |= edge.target < node;
                }
            })?;
        }
        Ok(tree)
    }
}

/// What firing does to a place that it does not reset.
#[derive(Clone, Copy, Debug)]
struct Change {
    place: PlaceId,
    /// What is added, modulo 2^64.
    tokens: u64,
}

/// A marking that steps forward and back.
struct Stepper {
    marking: Marking,
    /// Where each transition's changes end, and its resets.
    ends: Vec<(u32, u32)>,
    changes: Vec<Change>,
    /// Places that are reset, with what they hold after it.
    resets: Vec<Change>,
    /// What reset places held before.
    overwritten: Charged<u64>,
}

impl Stepper {
    fn new(net: &Net, budget: &Budget) -> Self {
        let (mut changes, mut resets) = (Vec::new(), Vec::new());
        let ends = |t: TransitionId| {
            let after = |place| net.outputs().weight(t, place);
            let is_reset = |place| net.resets().weight(t, place) > 0;
            resets.extend(
                net.resets().of(t).iter().map(|arc| Change { place: arc.place, tokens: after(arc.place) }),
            );
            let inputs = net.inputs().of(t).iter().map(|arc| arc.place);
            let only_outputs = net.outputs().of(t).iter().map(|arc| arc.place);
            let only_outputs = only_outputs.filter(|place| net.inputs().weight(t, *place) == 0);
            for place in inputs.chain(only_outputs).filter(|place| !is_reset(*place)) {
                let tokens = after(place).wrapping_sub(net.inputs().weight(t, place));
                if tokens != 0 {
                    changes.push(Change { place, tokens });
                }
            }
            (changes.len() as u32, resets.len() as u32)
        };
        let ends = net.transition_ids().map(ends).collect();
        Self { marking: net.initial_marking(), ends, changes, resets, overwritten: Charged::new(budget) }
    }

    /// The changes and resets of the tree's event, which is one more than the transition.
    fn effect(&self, event: u32) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let t = event as usize - 1;
        let (from, reset_from) = if t == 0 { (0, 0) } else { self.ends[t - 1] };
        let (to, reset_to) = self.ends[t];
        (from as usize..to as usize, reset_from as usize..reset_to as usize)
    }

    #[inline]
    fn fire(&mut self, event: u32) -> Result<(), OutOfMemory> {
        let (changes, resets) = self.effect(event);
        for change in &self.changes[changes] {
            let count = &mut self.marking[change.place];
            *count = count.wrapping_add(change.tokens);
        }
        for reset in &self.resets[resets] {
            self.overwritten.push(self.marking[reset.place])?;
            self.marking[reset.place] = reset.tokens;
        }
        Ok(())
    }

    #[inline]
    fn unfire(&mut self, event: u32) {
        let (changes, resets) = self.effect(event);
        for reset in self.resets[resets].iter().rev() {
            self.marking[reset.place] = self.overwritten.pop().unwrap_or(0);
        }
        for change in &self.changes[changes] {
            let count = &mut self.marking[change.place];
            *count = count.wrapping_sub(change.tokens);
        }
    }
}
