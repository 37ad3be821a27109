//! Which nodes have a path of a certain kind, over edges that are only known forwards.
//!
//! Both questions are about a set of nodes, the *field*: from which of them is a goal reached within the
//! field (`EU`), and from which does a maximal path never leave it (`EG`)? A few sweeps over all nodes,
//! backwards and in order of their numbers, decide most of the field, because edges lead mostly to larger
//! numbers and because nodes are read in order. What is left when sweeps decide little is searched
//! depth-first, each node once: as soon as something good is found, all nodes on the stack have a path to it,
//! and where a strongly connected component (Tarjan 1972) is complete without anything good, none of its
//! nodes has one.

use sweepnet_space::StopReason;
use sweepnet_space::budget::{Budget, Charged};

use super::bits::BitSet;
use super::steps::{Steps, numbered, refused};

/// Sweeps before the search.
const SWEEPS: usize = 8;

/// `EX`: the nodes that have a successor in a set.
pub fn next(graph: &mut impl Steps, set: &BitSet, budget: &Budget) -> Result<BitSet, StopReason> {
    let mut found = BitSet::empty(budget, graph.nodes()).map_err(refused)?;
    for node in 0..graph.nodes() {
        let mut any = false;
        graph.successors(node, &mut |_, target| any |= set.contains(target))?;
        if any {
            found.insert(node);
        }
    }
    Ok(found)
}

/// `E [field U goal]`
pub fn until(
    graph: &mut impl Steps,
    field: &BitSet,
    goal: &BitSet,
    budget: &Budget,
) -> Result<BitSet, StopReason> {
    until_by(SWEEPS, graph, field, goal, budget)
}

/// `EU`, searched after so many sweeps.
fn until_by(
    sweeps: usize,
    graph: &mut impl Steps,
    field: &BitSet,
    goal: &BitSet,
    budget: &Budget,
) -> Result<BitSet, StopReason> {
    let mut found = goal.copy(budget).map_err(refused)?;
    let mut open = field.copy(budget).map_err(refused)?;
    open.subtract(goal);
    for _ in 0..sweeps {
        if open.is_empty() || found.is_empty() {
            return Ok(found);
        }
        let before = found.count();
        for node in (0..graph.nodes()).rev() {
            if open.contains(node) {
                let mut any = false;
                graph.successors(node, &mut |_, target| any |= found.contains(target))?;
                if any {
                    found.insert(node);
                    open.remove(node);
                }
            }
        }
        if found.count() == before {
            return Ok(found);
        }
    }
    Search::new(graph.nodes(), false, budget)?.run(graph, &open, &mut found)?;
    Ok(found)
}

/// `EG field`
pub fn always(graph: &mut impl Steps, field: &BitSet, budget: &Budget) -> Result<BitSet, StopReason> {
    always_by(SWEEPS, graph, field, budget)
}

/// `EG`, searched after so many sweeps.
fn always_by(
    sweeps: usize,
    graph: &mut impl Steps,
    field: &BitSet,
    budget: &Budget,
) -> Result<BitSet, StopReason> {
    let mut open = field.copy(budget).map_err(refused)?;
    let mut dead = BitSet::empty(budget, graph.nodes()).map_err(refused)?;
    // The first sweep also finds the dead nodes.
    for _ in 0..sweeps.max(1) {
        let mut left = 0;
        for node in (0..graph.nodes()).rev() {
            if open.contains(node) && !dead.contains(node) {
                let (mut any, mut stays) = (false, false);
                graph.successors(node, &mut |_, target| {
                    any = true;
                    stays |= open.contains(target);
                })?;
                if !any {
                    dead.insert(node);
                } else if !stays {
                    open.remove(node);
                    left += 1;
                }
            }
        }
        if left == 0 {
            return Ok(open);
        }
    }
    let mut found = dead;
    open.subtract(&found);
    Search::new(graph.nodes(), true, budget)?.run(graph, &open, &mut found)?;
    Ok(found)
}

/// The number of a node of which everything is known.
const CLOSED: u32 = u32::MAX;

/// A node whose successors are being looked at.
struct Frame {
    node: u32,
    /// The smallest number that it can reach on the stack.
    low: u32,
    /// Where its successors begin among those that wait.
    first: usize,
}

/// A depth-first search for something good.
struct Search {
    /// Whether going round for ever is good, too.
    cycles: bool,
    /// In which order nodes were found; 0 if they were not.
    number: Charged<u32>,
    last: u32,
    frames: Charged<Frame>,
    /// Nodes that are found and not closed.
    path: Charged<u32>,
    /// Successors that wait.
    waiting: Charged<u32>,
}

impl Search {
    fn new(nodes: u64, cycles: bool, budget: &Budget) -> Result<Self, StopReason> {
        let nodes = numbered(nodes)?;
        Ok(Self {
            cycles,
            number: Charged::filled(budget, 0, nodes).map_err(refused)?,
            last: 0,
            frames: Charged::new(budget),
            path: Charged::new(budget),
            waiting: Charged::new(budget),
        })
    }

    /// Finds which nodes of the field reach, within it, those that are found already, or go round for ever.
    fn run(&mut self, graph: &mut impl Steps, field: &BitSet, found: &mut BitSet) -> Result<(), StopReason> {
        for root in (0..graph.nodes()).filter(|node| field.contains(*node)) {
            if self.number[root as usize] == 0 {
                self.enter(graph, root as u32, field, found)?;
                self.finish(graph, field, found)?;
            }
        }
        Ok(())
    }

    fn finish(
        &mut self,
        graph: &mut impl Steps,
        field: &BitSet,
        found: &mut BitSet,
    ) -> Result<(), StopReason> {
        while let Some(top) = self.frames.last_mut() {
            if self.waiting.len() > top.first {
                let Some(target) = self.waiting.pop() else { break };
                match self.number[target as usize] {
                    0 => self.enter(graph, target, field, found)?,
                    CLOSED if found.contains(u64::from(target)) => self.succeed(found),
                    CLOSED => {}
                    // What is on the stack leads back to here.
                    _ if self.cycles => self.succeed(found),
                    number => top.low = top.low.min(number),
                }
                continue;
            }
            let Some(Frame { node, low, .. }) = self.frames.pop() else { break };
            if low == self.number[node as usize] {
                while let Some(member) = self.path.pop() {
                    self.number[member as usize] = CLOSED;
                    if member == node {
                        break;
                    }
                }
            } else if let Some(parent) = self.frames.last_mut() {
                parent.low = parent.low.min(low);
            }
        }
        Ok(())
    }

    fn enter(
        &mut self,
        graph: &mut impl Steps,
        node: u32,
        field: &BitSet,
        found: &mut BitSet,
    ) -> Result<(), StopReason> {
        self.last += 1;
        self.number[node as usize] = self.last;
        self.path.push(node).map_err(refused)?;
        let frame = Frame { node, low: self.last, first: self.waiting.len() };
        self.frames.push(frame).map_err(refused)?;
        let (mut good, mut refusal) = (false, Ok(()));
        let Self { waiting, .. } = self;
        graph.successors(u64::from(node), &mut |_, target| {
            good |= found.contains(target);
            if !good && refusal.is_ok() && field.contains(target) {
                refusal = waiting.push(target as u32);
            }
        })?;
        refusal.map_err(refused)?;
        if good {
            self.succeed(found);
        }
        Ok(())
    }

    /// All that is on the stack has a path to here.
    fn succeed(&mut self, found: &mut BitSet) {
        while let Some(member) = self.path.pop() {
            self.number[member as usize] = CLOSED;
            found.insert(u64::from(member));
        }
        while self.frames.pop().is_some() {}
        while self.waiting.pop().is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepnet_testkit::random::Random;

    fn subset(random: &mut Random, nodes: u64, budget: &Budget) -> BitSet {
        let mut set = BitSet::empty(budget, nodes).unwrap();
        let rare = 1 + random.below(6);
        (0..nodes).filter(|_| random.one_in(rare) == random.one_in(8)).for_each(|node| set.insert(node));
        set
    }

    #[test]
    fn sweeps_and_searches_find_the_same() {
        let budget = Budget::of(1 << 30);
        for seed in 0..3_000 {
            let mut random = Random::new(seed);
            let nodes = 1 + random.below(80);
            let most = 1 + random.below(4);
            let mut graph: Vec<Vec<(u32, u64)>> = (0..nodes)
                .map(|_| {
                    (0..random.below(most + 1)).map(|event| (event as u32, random.below(nodes))).collect()
                })
                .collect();
            let field = subset(&mut random, nodes, &budget);
            let goal = subset(&mut random, nodes, &budget);
            let all = |set: BitSet| set.iter().collect::<Vec<_>>();
            let until: Vec<_> = [1_000, 0, 1, 2]
                .map(|sweeps| all(until_by(sweeps, &mut graph, &field, &goal, &budget).unwrap()))
                .into();
            let always: Vec<_> = [1_000, 0, 1, 2]
                .map(|sweeps| all(always_by(sweeps, &mut graph, &field, &budget).unwrap()))
                .into();
            assert!(until.iter().all(|it| *it == until[0]), "seed {seed}: {until:?}");
            assert!(always.iter().all(|it| *it == always[0]), "seed {seed}: {always:?}");
        }
    }
}
