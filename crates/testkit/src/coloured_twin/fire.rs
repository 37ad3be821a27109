//! The firing rule on trees, straight from the definition of a coloured net.

use std::collections::BTreeSet;

use sweepnet_colour::term::{Bag, Node, Slot, Term};
use sweepnet_colour::{Arc, ColouredNet, Transition, TypeId, Value};

use super::evaluate::{Binding, Within};
use super::{Multiset, State};

/// The initial marking.
pub fn initial(net: &ColouredNet) -> State {
    let tokens = |place: &sweepnet_colour::Place| -> Multiset {
        place.initial.iter().map(|(words, count)| (net.types.decode(place.type_, words), *count)).collect()
    };
    net.places.iter().map(tokens).collect()
}

/// A marking with what is only defined filled in; nothing if a capacity or definition is broken.
pub fn checked(net: &ColouredNet, mut state: State) -> Option<State> {
    for at in net.derivation_order().ok()? {
        let definition = net.places[at].derived.as_ref()?;
        let tokens = Within { net, state: &state, binding: Binding::new() }.bag(&definition.body)?;
        if net.is_only_defined(at) {
            state[at] = tokens;
        } else if state[at] != tokens {
            return None;
        }
    }
    for (place, tokens) in net.places.iter().zip(&state) {
        let total: u64 = tokens.values().sum();
        if place.capacity.as_ref().is_some_and(|ranges| !ranges.iter().any(|range| range.contains(&total))) {
            return None;
        }
    }
    Some(state)
}

/// What all enabled bindings lead to; nothing if the model is wrong.
pub fn successors(net: &ColouredNet, state: &State) -> Option<Vec<State>> {
    let priorities: BTreeSet<i64> = net.transitions.iter().map(|t| t.priority).collect();
    for priority in priorities.into_iter().rev() {
        let mut found = Vec::new();
        for transition in net.transitions.iter().filter(|t| t.priority == priority) {
            for binding in bindings(net, transition, state) {
                if let Some(next) = fire(net, transition, state, binding)? {
                    found.push(checked(net, next)?);
                }
            }
        }
        if !found.is_empty() {
            return Some(found);
        }
    }
    Some(Vec::new())
}

/// Values for all variables, each combination once.
fn bindings(net: &ColouredNet, transition: &Transition, state: &State) -> BTreeSet<Binding> {
    let mut found = BTreeSet::from([Binding::new()]);
    let variables: Vec<(Slot, TypeId)> = transition.variables.iter().map(|v| (v.slot, v.type_)).collect();
    let is_variable = |slot: &Slot| variables.iter().any(|(variable, _)| variable == slot);
    for arc in transition.inputs.iter().chain(&transition.reads) {
        let Bag::One(pattern) = &arc.tokens else { continue };
        let mut extended = BTreeSet::new();
        for binding in &found {
            for token in state[arc.place].keys() {
                let mut more = binding.clone();
                if suggest(pattern, token, &is_variable, &mut more) {
                    extended.insert(more);
                }
            }
        }
        found = extended;
    }
    for (slot, type_) in variables {
        let mut extended = BTreeSet::new();
        for binding in found {
            if binding.contains_key(&slot) {
                extended.insert(binding);
                continue;
            }
            for number in 0..net.types.size(type_).unwrap_or(0) {
                let mut more = binding.clone();
                more.insert(slot, net.types.decode(type_, &[number]));
                extended.insert(more);
            }
        }
        found = extended;
    }
    found
}

/// Reads values of variables off a token; false if it is plain that they do not fit.
fn suggest(
    pattern: &Term,
    token: &Value,
    is_variable: &dyn Fn(&Slot) -> bool,
    binding: &mut Binding,
) -> bool {
    match (&pattern.node, token) {
        (Node::Variable(slot), value) if is_variable(slot) => {
            binding.entry(*slot).or_insert_with(|| value.clone()) == value
        }
        (Node::Struct(parts), Value::Struct(values)) => {
            parts.iter().zip(values).all(|(part, value)| suggest(part, value, is_variable, binding))
        }
        _ => true,
    }
}

/// Fires a binding: nothing if the model is wrong, nothing inside if it is not enabled.
fn fire(
    net: &ColouredNet,
    transition: &Transition,
    state: &State,
    binding: Binding,
) -> Option<Option<State>> {
    let within = Within { net, state, binding };
    let mut wrong = false;
    for guard in &transition.guards {
        match within.term(guard) {
            Some(truth) if truth != Value::Bool(true) => return Some(None),
            Some(_) => {}
            None => wrong = true,
        }
    }
    let mut next = state.clone();
    for arc in &transition.inputs {
        let Some(tokens) = within.bag(&arc.tokens) else { return Some(None) };
        for (value, count) in tokens {
            let there = next[arc.place].get(&value).copied().unwrap_or(0);
            if there < count {
                return Some(None);
            }
            match there - count {
                0 => _ = next[arc.place].remove(&value),
                left => _ = next[arc.place].insert(value, left),
            }
        }
    }
    let has = |place: usize, value: &Value| state[place].get(value).copied().unwrap_or(0);
    let has_all = |arc: &Arc, tokens: Multiset| tokens.iter().all(|(v, n)| has(arc.place, v) >= *n);
    let has_none = |arc: &Arc, tokens: Multiset| tokens.iter().all(|(v, n)| has(arc.place, v) < *n);
    let reads = |arc: &Arc| within.bag(&arc.tokens).is_some_and(|tokens| has_all(arc, tokens));
    let free = |arc: &Arc| within.bag(&arc.tokens).is_none_or(|tokens| has_none(arc, tokens));
    let is_enabled = transition.reads.iter().all(reads)
        && transition.inhibitors.iter().all(free)
        && transition.empties.iter().all(|place| state[*place].is_empty());
    if !is_enabled {
        return Some(None);
    }
    if wrong {
        return None;
    }
    transition.resets.iter().for_each(|place| next[*place].clear());
    for arc in &transition.outputs {
        for (value, count) in within.bag(&arc.tokens)? {
            let tokens = next[arc.place].entry(value).or_insert(0);
            *tokens = tokens.checked_add(count)?;
        }
    }
    Some(Some(next))
}
