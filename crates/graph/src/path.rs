//! Shortest paths and distances.

use sweepnet_space::budget::{Charged, OutOfMemory};
use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, StopReason};

use crate::Graph;
use crate::graph::LOOK;
use crate::packed::Packed;

/// A shortest path from a node to one that satisfies `to`: each event with the node it leads to. Nothing if
/// no such node can be reached; no steps if the node itself is one. A limit that is reached ends the search.
pub fn path(
    graph: &Graph,
    from: u64,
    to: impl Fn(u64) -> bool,
    budget: &Budget,
    watch: &Watch,
) -> Result<Option<Vec<(u32, u64)>>, StopReason> {
    if from >= graph.nodes() {
        return Ok(None);
    }
    let mut search = Levels::new(graph, from, true, budget, watch)?;
    if to(from) {
        return Ok(Some(Vec::new()));
    }
    let mut found = None;
    while found.is_none() && search.advance(|node| to(node).then(|| found = Some(node)).is_some())? {}
    Ok(found.map(|node| search.path(node)))
}

/// The nodes that can be reached from node 0, and how far the farthest is.
pub fn depth(graph: &Graph, budget: &Budget, watch: &Watch) -> Result<(u64, u64), StopReason> {
    let mut search = Levels::new(graph, 0, false, budget, watch)?;
    let (mut reached, mut depth) = (1, 0);
    loop {
        let before = reached;
        let more = search.advance(|_| {
            reached += 1;
            false
        })?;
        depth += u64::from(reached > before);
        if !more {
            return Ok((reached, depth));
        }
    }
}

/// A breadth-first search, level by level.
struct Levels<'a> {
    graph: &'a Graph,
    from: u64,
    /// For each node that was reached, one more than where it was reached from; or one, if that is not asked
    /// for.
    parents: Packed,
    level: Charged<u64>,
    next: Charged<u64>,
    keeps_parents: bool,
    budget: &'a Budget,
    watch: &'a Watch,
    /// Nodes whose edges were followed.
    followed: u64,
}

impl<'a> Levels<'a> {
    fn new(
        graph: &'a Graph,
        from: u64,
        keeps_parents: bool,
        budget: &'a Budget,
        watch: &'a Watch,
    ) -> Result<Self, OutOfMemory> {
        let largest = if keeps_parents { graph.nodes() } else { 1 };
        let mut parents = Packed::zeros(budget, graph.nodes(), largest)?;
        parents.set(from, if keeps_parents { from + 1 } else { 1 });
        let (mut level, next) = (Charged::new(budget), Charged::new(budget));
        level.push(from)?;
        Ok(Self { graph, from, parents, level, next, keeps_parents, budget, watch, followed: 0 })
    }

    /// Goes on to the next level and shows its nodes until `is_enough`. Tells whether it has any.
    fn advance(&mut self, mut is_enough: impl FnMut(u64) -> bool) -> Result<bool, StopReason> {
        let mut reader = self.graph.reader();
        for node in self.level.iter().copied() {
            self.followed += 1;
            if self.followed.is_multiple_of(LOOK) {
                self.watch.look()?;
            }
            for edge in reader.out(node) {
                if self.parents.get(edge.target) != 0 {
                    continue;
                }
                self.parents.set(edge.target, if self.keeps_parents { node + 1 } else { 1 });
                self.next.push(edge.target)?;
                if is_enough(edge.target) {
                    return Ok(true);
                }
            }
        }
        self.level = std::mem::replace(&mut self.next, Charged::new(self.budget));
        Ok(!self.level.is_empty())
    }

    /// The path to a node that was reached.
    fn path(&self, to: u64) -> Vec<(u32, u64)> {
        let mut reader = self.graph.reader();
        let mut steps = Vec::new();
        let mut node = to;
        while node != self.from {
            let parent = self.parents.get(node) - 1;
            let event =
                reader.out(parent).iter().find(|edge| edge.target == node).map_or(0, |edge| edge.event);
            steps.push((event, node));
            node = parent;
        }
        steps.reverse();
        steps
    }
}
