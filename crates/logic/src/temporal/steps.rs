//! The graph of all reachable markings, as far as it is needed here.

use sweepnet_space::StopReason;
use sweepnet_space::budget::OutOfMemory;

/// A graph whose nodes are numbered from 0, the initial one, and whose edges are only known forwards. Reading
/// nodes in order is expected to be fastest.
pub trait Steps {
    /// How many nodes there are.
    fn nodes(&self) -> u64;

    /// Calls `visit` with the event and the target of every edge of a node. An error ends whatever is going
    /// on: time may be up, or somebody wants to stop.
    fn successors(&mut self, node: u64, visit: &mut dyn FnMut(u32, u64)) -> Result<(), StopReason>;
}

impl<S: Steps + ?Sized> Steps for &mut S {
    fn nodes(&self) -> u64 {
        (**self).nodes()
    }

    fn successors(&mut self, node: u64, visit: &mut dyn FnMut(u32, u64)) -> Result<(), StopReason> {
        (**self).successors(node, visit)
    }
}

/// The simplest graph: for each node, its edges.
impl Steps for Vec<Vec<(u32, u64)>> {
    fn nodes(&self) -> u64 {
        self.len() as u64
    }

    fn successors(&mut self, node: u64, visit: &mut dyn FnMut(u32, u64)) -> Result<(), StopReason> {
        self[node as usize].iter().for_each(|(event, target)| visit(*event, *target));
        Ok(())
    }
}

/// One step of a path: the event, unless the path stays in a dead marking, and the node that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The event.
    pub event: Option<u32>,
    /// The node.
    pub node: u64,
}

/// A path from the initial node, finite or going round for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What happens once.
    pub prefix: Vec<Step>,
    /// What is repeated for ever; a path without it ends where what it shows is seen.
    pub cycle: Vec<Step>,
}

impl Run {
    /// Where its prefix ends.
    pub fn turn(&self) -> u64 {
        self.prefix.last().map_or(0, |step| step.node)
    }
}

/// A refusal of memory ends whatever is going on.
pub(super) fn refused(_: OutOfMemory) -> StopReason {
    StopReason::Memory
}

/// The most nodes that algorithms can number, which four bytes each must suffice for.
pub(super) fn numbered(nodes: u64) -> Result<usize, StopReason> {
    u32::try_from(nodes).ok().filter(|n| *n < u32::MAX).map(|n| n as usize).ok_or(StopReason::Memory)
}
