//! The way to a transition, roughly: what has to fire before it, if firing took nothing away.
//!
//! Without takings a net is easy: what is marked stays marked, so the cheapest way to every place and transition is
//! found as shortest paths are. Such a *relaxed plan* (Hoffmann and Nebel 2001) names transitions worth firing on
//! the way to a goal, and, more to the point, leaves out those that only lead astray.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::walk::Conditions;
use crate::hashing::HashSet;

/// What is not reached.
const FAR: u32 = u32::MAX;

/// Finds relaxed plans. All its lists are kept from plan to plan.
pub(super) struct Guide<'a> {
    net: &'a Net,
    conditions: &'a Conditions,
    /// By place: the cost of marking it, and which transition does.
    cost: Vec<u32>,
    by: Vec<u32>,
    /// By transition: the sum of its conditions' costs so far, and how many are not yet met.
    sum: Vec<u32>,
    open: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// How many arcs were looked at so far.
    pub(super) work: u64,
}

impl<'a> Guide<'a> {
    pub(super) fn new(net: &'a Net, conditions: &'a Conditions) -> Self {
        let (places, transitions) = (net.places().len(), net.transitions().len());
        Self {
            net,
            conditions,
            cost: vec![FAR; places],
            by: vec![0; places],
            sum: vec![0; transitions],
            open: vec![0; transitions],
            queue: BinaryHeap::new(),
            work: 0,
        }
    }

    /// Transitions on the way from a marking to the goal, the goal included, in no order; nothing if there is no
    /// way. Inhibitor arcs are overlooked, and places need not be filled more than once.
    pub(super) fn plan(&mut self, tokens: &[u64], goal: TransitionId) -> Option<Vec<TransitionId>> {
        self.start(tokens);
        while let Some(Reverse((cost, t))) = self.queue.pop() {
            if t as usize == goal.index() {
                return Some(self.trace(tokens, goal));
            }
            let outputs = self.net.outputs().of(TransitionId::new(t as usize));
            self.work += 1 + outputs.len() as u64;
            for arc in outputs {
                let place = arc.place.index();
                let cost = cost.saturating_add(1).min(FAR - 1);
                if self.cost[place] <= cost {
                    continue;
                }
                let first = self.cost[place] == FAR;
                self.cost[place] = cost;
                self.by[place] = t;
                if first {
                    self.mark(place, tokens[place]);
                }
            }
        }
        None
    }

    /// Everything that is enabled costs nothing.
    fn start(&mut self, tokens: &[u64]) {
        self.queue.clear();
        self.cost.fill(FAR);
        self.sum.fill(0);
        self.open.fill(0);
        self.work += self.conditions.len() as u64;
        for (place, tokens) in tokens.iter().enumerate() {
            for (t, at_least) in self.conditions.least(place) {
                self.open[t as usize] += u32::from(at_least > *tokens);
            }
        }
        self.queue
            .extend((0u32..).zip(&self.open).filter(|(_, open)| **open == 0).map(|(t, _)| Reverse((0, t))));
    }

    /// A place is marked for the first time.
    fn mark(&mut self, place: usize, tokens: u64) {
        let conditions = self.conditions;
        for (t, at_least) in conditions.least(place) {
            self.work += 1;
            if at_least > tokens {
                let t = t as usize;
                self.sum[t] = self.sum[t].saturating_add(self.cost[place]);
                self.open[t] -= 1;
                if self.open[t] == 0 {
                    self.queue.push(Reverse((self.sum[t], t as u32)));
                }
            }
        }
    }

    /// All that the goal needs, and all that this needs.
    fn trace(&mut self, tokens: &[u64], goal: TransitionId) -> Vec<TransitionId> {
        let mut plan = vec![goal];
        let mut done = HashSet::from_iter([goal]);
        let mut next = 0;
        while let Some(t) = plan.get(next).copied() {
            next += 1;
            let needs = self.net.inputs().of(t).iter().chain(self.net.reads().of(t));
            for arc in needs.filter(|arc| tokens[arc.place.index()] < arc.weight) {
                let by = TransitionId::new(self.by[PlaceId::index(arc.place)] as usize);
                if done.insert(by) {
                    plan.push(by);
                }
            }
        }
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepnet_testkit::nets::net;

    #[test]
    fn a_plan_leaves_out_what_leads_astray() {
        let net = net(
            "a trap",
            &[("a", 1), ("b", 0), ("c", 0)],
            &["go: a -> b", "fall: a -> trap", "on: b -> c", "end: c ?b -> d"],
        );
        let conditions = Conditions::of(&net);
        let mut guide = Guide::new(&net, &conditions);
        let initial = net.initial_marking();
        let goal = |name| net.find_transition(name).unwrap();
        let mut plan = guide.plan(initial.tokens(), goal("end")).unwrap();
        plan.sort_unstable();
        assert_eq!(plan, [goal("go"), goal("on"), goal("end")]);
        let fallen = net.fire(&initial, goal("fall")).unwrap();
        assert_eq!(guide.plan(fallen.tokens(), goal("end")), None);
    }
}
