//! Strongly connected components that no edge leaves: where every run that is fair in the end goes round.
//!
//! A transition is live if it can fire again from everywhere, which is so if it has an edge in every terminal
//! component.

use sweepnet_space::StopReason;
use sweepnet_space::budget::{Budget, Charged};

use super::steps::{Steps, numbered, refused};

/// Something that cannot happen any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// A node of a terminal component.
    pub node: u64,
    /// The classes of events that have no edge in it, in order.
    pub classes: Vec<usize>,
}

/// The number of a node whose component is complete.
const CLOSED: u32 = u32::MAX;

struct Frame {
    node: u32,
    low: u32,
    /// Where its successors begin among those that wait.
    first: usize,
    /// Whether an edge leaves its component.
    leaves: bool,
}

/// A terminal component that lacks some class of events, if there is one; `class` gives that of an event,
/// below `classes`. Tarjan's algorithm, each node read once, and once more in terminal components.
pub fn stuck(
    graph: &mut impl Steps,
    class: &dyn Fn(u32) -> usize,
    classes: usize,
    budget: &Budget,
) -> Result<Option<Stuck>, StopReason> {
    let mut number = Charged::filled(budget, 0u32, numbered(graph.nodes())?).map_err(refused)?;
    let (mut frames, mut path) = (Charged::<Frame>::new(budget), Charged::<u32>::new(budget));
    let mut waiting = Charged::<u32>::new(budget);
    let (mut last, mut entering) = (0, Some(0u32));
    // Every node is reached from the initial one.
    loop {
        if let Some(node) = entering.take() {
            last += 1;
            number[node as usize] = last;
            path.push(node).map_err(refused)?;
            frames.push(Frame { node, low: last, first: waiting.len(), leaves: false }).map_err(refused)?;
            let mut refusal = Ok(());
            graph.successors(u64::from(node), &mut |_, target| {
                if refusal.is_ok() {
                    refusal = waiting.push(target as u32);
                }
            })?;
            refusal.map_err(refused)?;
        }
        let Some(top) = frames.last_mut() else { return Ok(None) };
        if waiting.len() > top.first {
            let Some(target) = waiting.pop() else { return Ok(None) };
            match number[target as usize] {
                0 => entering = Some(target),
                CLOSED => top.leaves = true,
                number => top.low = top.low.min(number),
            }
            continue;
        }
        let Some(Frame { node, low, leaves, .. }) = frames.pop() else { return Ok(None) };
        let complete = low == number[node as usize];
        if complete {
            let mut alive = if leaves { Vec::new() } else { vec![false; classes] };
            while let Some(member) = path.pop() {
                number[member as usize] = CLOSED;
                if !leaves {
                    graph.successors(u64::from(member), &mut |event, _| alive[class(event)] = true)?;
                }
                if member == node {
                    break;
                }
            }
            let missing: Vec<usize> = (0..alive.len()).filter(|class| !alive[*class]).collect();
            if !missing.is_empty() {
                return Ok(Some(Stuck { node: u64::from(node), classes: missing }));
            }
        }
        if let Some(parent) = frames.last_mut() {
            parent.low = if complete { parent.low } else { parent.low.min(low) };
            parent.leaves |= complete || leaves;
        }
    }
}
