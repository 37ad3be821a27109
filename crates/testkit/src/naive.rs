//! The naive explorer: a set of plain markings, a queue, and the plain firing rule. Never optimise it.

use std::collections::{HashMap, VecDeque};

use sweepnet_net::{Marking, Net};

/// What it found.
#[derive(Debug)]
pub struct Naive {
    /// All states, with the breadth-first level of each (0 for the initial one).
    pub states: HashMap<Marking, u64>,
    /// Firings: (state, transition) pairs.
    pub arcs: u64,
    /// States without successors.
    pub deadlocks: u64,
    /// Whether every reachable state is there.
    pub complete: bool,
}

/// Explores a net breadth-first until it has all states or more than `limit`.
pub fn explore(net: &Net, limit: usize) -> Naive {
    let initial = net.initial_marking();
    let mut found = Naive { states: HashMap::new(), arcs: 0, deadlocks: 0, complete: true };
    let mut queue = VecDeque::from([initial.clone()]);
    found.states.insert(initial, 0);
    while let Some(marking) = queue.pop_front() {
        if found.states.len() > limit {
            found.complete = false;
            break;
        }
        let level = found.states[&marking] + 1;
        let mut dead = true;
        for t in net.transition_ids() {
            let Ok(next) = net.fire(&marking, t) else { continue };
            found.arcs += 1;
            dead = false;
            if !found.states.contains_key(&next) {
                found.states.insert(next.clone(), level);
                queue.push_back(next);
            }
        }
        found.deadlocks += u64::from(dead);
    }
    found
}

impl Naive {
    /// The largest count of each place.
    pub fn maxima(&self) -> Vec<u64> {
        let mut maxima: Vec<u64> = Vec::new();
        for marking in self.states.keys() {
            maxima.resize(marking.tokens().len(), 0);
            for (max, count) in maxima.iter_mut().zip(marking.tokens()) {
                *max = (*max).max(*count);
            }
        }
        maxima
    }

    /// The largest total of tokens in a marking.
    pub fn max_total(&self) -> u128 {
        self.states.keys().map(Marking::total).max().unwrap_or(0)
    }

    /// Breadth-first levels, that of the initial state included.
    pub fn levels(&self) -> u64 {
        self.states.values().max().map_or(0, |deepest| deepest + 1)
    }

    /// The level of the first state that satisfies a predicate.
    pub fn distance(&self, predicate: impl Fn(&Marking) -> bool) -> Option<u64> {
        self.states.iter().filter(|(marking, _)| predicate(marking)).map(|(_, level)| *level).min()
    }
}
