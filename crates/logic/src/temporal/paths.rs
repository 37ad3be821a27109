//! Paths in the graph, to show what was found.

use sweepnet_space::StopReason;
use sweepnet_space::budget::{Budget, Charged};

use super::bits::BitSet;
use super::steps::{Step, Steps, numbered, refused};

/// The step from a node into a set, if there is one.
pub fn step(graph: &mut impl Steps, node: u64, goal: &BitSet) -> Result<Vec<Step>, StopReason> {
    let mut found = None;
    graph.successors(node, &mut |event, target| {
        if found.is_none() && goal.contains(target) {
            found = Some(Step { event: Some(event), node: target });
        }
    })?;
    Ok(found.into_iter().collect())
}

/// A shortest path from a node to a goal, all of whose nodes before that are in the field. Without one,
/// nothing.
pub fn shortest(
    graph: &mut impl Steps,
    from: u64,
    field: &BitSet,
    goal: &BitSet,
    budget: &Budget,
) -> Result<Vec<Step>, StopReason> {
    if goal.contains(from) || !field.contains(from) {
        return Ok(Vec::new());
    }
    // The node before each, and one more, because 0 means none.
    let mut before = Charged::filled(budget, 0u32, numbered(graph.nodes())?).map_err(refused)?;
    let mut queue = Charged::<u32>::new(budget);
    queue.push(from as u32).map_err(refused)?;
    before[from as usize] = from as u32 + 1;
    let (mut head, mut end) = (0, None);
    while head < queue.len() && end.is_none() {
        let node = queue[head];
        head += 1;
        let mut refusal = Ok(());
        graph.successors(u64::from(node), &mut |_, target| {
            if before[target as usize] == 0 && refusal.is_ok() && end.is_none() {
                before[target as usize] = node + 1;
                if goal.contains(target) {
                    end = Some(target);
                } else if field.contains(target) {
                    refusal = queue.push(target as u32);
                }
            }
        })?;
        refusal.map_err(refused)?;
    }
    let Some(mut node) = end else { return Ok(Vec::new()) };
    let mut nodes = vec![node];
    while node != from {
        node = u64::from(before[node as usize] - 1);
        nodes.push(node);
    }
    nodes.reverse();
    along(graph, &nodes)
}

/// The events between nodes: for each step, the first that makes it.
fn along(graph: &mut impl Steps, nodes: &[u64]) -> Result<Vec<Step>, StopReason> {
    let mut steps = Vec::with_capacity(nodes.len());
    for pair in nodes.windows(2) {
        let mut found = None;
        graph.successors(pair[0], &mut |event, target| {
            if target == pair[1] && found.is_none() {
                found = Some(event);
            }
        })?;
        steps.push(Step { event: found, node: pair[1] });
    }
    Ok(steps)
}

/// A path from a node that never leaves a set in which every node is dead or has a successor: what happens
/// once, and what is repeated. In a dead marking that is to stay.
pub fn lasso(
    graph: &mut impl Steps,
    from: u64,
    field: &BitSet,
    budget: &Budget,
) -> Result<(Vec<Step>, Vec<Step>), StopReason> {
    // At which step each was passed, and one more.
    let mut passed = Charged::filled(budget, 0u32, numbered(graph.nodes())?).map_err(refused)?;
    let (mut steps, mut node) = (Vec::new(), from);
    loop {
        passed[node as usize] = steps.len() as u32 + 1;
        let next = step(graph, node, field)?;
        let Some(next) = next.first() else {
            return Ok((steps, vec![Step { event: None, node }]));
        };
        steps.push(*next);
        node = next.node;
        if let Some(at) = passed[node as usize].checked_sub(1) {
            let cycle = steps.split_off(at as usize);
            return Ok((steps, cycle));
        }
    }
}

/// A shortest path from the initial node to another one.
pub fn to(graph: &mut impl Steps, node: u64, budget: &Budget) -> Result<Vec<Step>, StopReason> {
    let field = BitSet::full(budget, graph.nodes()).map_err(refused)?;
    let mut goal = BitSet::empty(budget, graph.nodes()).map_err(refused)?;
    goal.insert(node);
    shortest(graph, 0, &field, &goal, budget)
}
