//! Making an automaton smaller.
//!
//! States from which no run accepts are dropped, and states that behave alike become one: the coarsest
//! partition that their transitions respect, refined from a single class.

use std::collections::{BTreeSet, HashMap};

use super::automaton::{Automaton, Transition};

/// States that behave alike are found in a few rounds, or they are not worth it.
const MOST_ROUNDS: usize = 50;

impl Automaton {
    /// Makes it smaller, if it can.
    pub(super) fn reduce(&mut self) {
        self.prune();
        self.merge();
    }

    /// Drops the states from which no run accepts.
    fn prune(&mut self) {
        let count = self.states.len();
        let component = self.components();
        let mut seen = vec![0; count];
        let mut has_cycle = vec![false; count];
        for (from, row) in self.states.iter().enumerate() {
            for transition in row {
                if component[transition.target as usize] == component[from] {
                    seen[component[from]] |= transition.accepts;
                    has_cycle[component[from]] = true;
                }
            }
        }
        let mut useful: Vec<bool> =
            (0..count).map(|s| has_cycle[component[s]] && seen[component[s]] == self.all).collect();
        loop {
            let leads = |s: &usize| self.states[*s].iter().any(|t| useful[t.target as usize]);
            let more: Vec<usize> = (0..count).filter(|s| !useful[*s] && leads(s)).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|s| useful[s] = true);
        }
        if !useful[0] {
            self.states.clear();
            return;
        }
        let mut new = 0;
        let renumbered: Vec<u32> = useful
            .iter()
            .map(|useful| {
                new += u32::from(*useful);
                new.saturating_sub(1)
            })
            .collect();
        let mut kept = useful.iter();
        self.states.retain(|_| kept.next() == Some(&true));
        for row in &mut self.states {
            row.retain(|t| useful[t.target as usize]);
            row.iter_mut().for_each(|t| t.target = renumbered[t.target as usize]);
        }
    }

    /// Makes one of states that behave alike.
    fn merge(&mut self) {
        let count = self.states.len();
        let (mut classes, mut number, mut rounds) = (vec![0u32; count], 1, 0);
        loop {
            rounds += 1;
            if rounds > MOST_ROUNDS {
                return;
            }
            let mut known = HashMap::new();
            let refined: Vec<u32> = (0..count)
                .map(|s| {
                    let moved = |t: &Transition| Transition { target: classes[t.target as usize], ..*t };
                    let row: BTreeSet<Transition> = self.states[s].iter().map(moved).collect();
                    let fresh = known.len() as u32;
                    *known.entry(row).or_insert(fresh)
                })
                .collect();
            classes = refined;
            if known.len() == number {
                break;
            }
            number = known.len();
        }
        // Classes are numbered in the order of their first states, so that the initial one stays first.
        let mut merged: Vec<Vec<Transition>> = Vec::new();
        for (s, row) in self.states.iter().enumerate() {
            if classes[s] as usize == merged.len() {
                let moved = |t: &Transition| Transition { target: classes[t.target as usize], ..*t };
                let row: BTreeSet<Transition> = row.iter().map(moved).collect();
                merged.push(row.into_iter().collect());
            }
        }
        self.states = merged;
    }

    /// The strongly connected component of each state, by Kosaraju's two searches.
    fn components(&self) -> Vec<usize> {
        let count = self.states.len();
        let forward: Vec<Vec<usize>> =
            self.states.iter().map(|row| row.iter().map(|t| t.target as usize).collect()).collect();
        let mut backward = vec![Vec::new(); count];
        for (from, targets) in forward.iter().enumerate() {
            targets.iter().for_each(|to| backward[*to].push(from));
        }
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for root in 0..count {
            depth_first(&forward, root, &mut seen, &mut |s| order.push(s));
        }
        let (mut seen, mut component) = (vec![false; count], vec![0; count]);
        for root in order.into_iter().rev() {
            depth_first(&backward, root, &mut seen, &mut |s| component[s] = root);
        }
        component
    }
}

/// Visits what is reached from a root and not seen yet; calls `leave` in postorder.
fn depth_first(edges: &[Vec<usize>], root: usize, seen: &mut [bool], leave: &mut dyn FnMut(usize)) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut stack = vec![(root, 0)];
    while let Some((state, at)) = stack.last_mut() {
        match edges[*state].get(*at) {
            Some(target) => {
                *at += 1;
                if !std::mem::replace(&mut seen[*target], true) {
                    stack.push((*target, 0));
                }
            }
            None => {
                leave(*state);
                stack.pop();
            }
        }
    }
}
