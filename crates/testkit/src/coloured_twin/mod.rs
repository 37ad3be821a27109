//! The naive twin of the coloured engines: values as trees, multisets as maps, terms walked again and again, a set of
//! plain markings. It shares the definition of nets and types with them and nothing else. Never optimise it.
//!
//! Bindings: a token on an input arc that is a variable, or a struct of such, suggests values; what no arc suggests is
//! gone through value by value; whatever was suggested is tested in full.

mod collections;
mod evaluate;
mod fire;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use sweepnet_colour::{ColouredNet, Value};

/// A multiset.
pub type Multiset = BTreeMap<Value, u64>;

/// A marking: the tokens of each place.
pub type State = Vec<Multiset>;

/// What it found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinReport {
    /// Distinct states.
    pub states: u64,
    /// Firings: (state, transition, binding) triples.
    pub arcs: u64,
    /// States without successors.
    pub deadlocks: u64,
    /// The most tokens of each place.
    pub max_tokens: Vec<u64>,
}

/// Explores a net without times. Nothing if it has more states than allowed or its model is wrong somewhere.
pub fn explore(net: &ColouredNet, max_states: usize) -> Option<TwinReport> {
    let initial = fire::checked(net, fire::initial(net))?;
    let mut report = TwinReport { states: 0, arcs: 0, deadlocks: 0, max_tokens: vec![0; net.places.len()] };
    let mut states = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        if states.len() > max_states {
            return None;
        }
        report.states += 1;
        for (max, tokens) in report.max_tokens.iter_mut().zip(&state) {
            *max = tokens.values().sum::<u64>().max(*max);
        }
        let successors = fire::successors(net, &state)?;
        report.arcs += successors.len() as u64;
        report.deadlocks += u64::from(successors.is_empty());
        for next in successors {
            if states.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Some(report)
}

/// The initial state and the successors of each, once for every binding, of a net without times. Nothing if it has more
/// states than allowed or its model is wrong somewhere.
pub fn graph(net: &ColouredNet, max_states: usize) -> Option<(State, HashMap<State, Vec<State>>)> {
    let initial = fire::checked(net, fire::initial(net))?;
    let mut graph = HashMap::new();
    let mut open = vec![initial.clone()];
    while let Some(state) = open.pop() {
        if graph.contains_key(&state) {
            continue;
        }
        if graph.len() >= max_states {
            return None;
        }
        let successors = fire::successors(net, &state)?;
        open.extend(successors.iter().cloned());
        graph.insert(state, successors);
    }
    Some((initial, graph))
}
