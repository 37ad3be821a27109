//! What keeps places from growing for ever.

use crate::derive::places_of;
use crate::net::ColouredNet;
use crate::term::{Arithmetic, Bag, Node, Part, Term};

impl ColouredNet {
    /// For each place, whether nothing that the model promises keeps it from growing for ever. A capacity does. So does a
    /// definition that mentions it, unless it is linear: then what is equal to it in two markings, of which one covers the
    /// other, is so in all that follow with the same differences. Where no arc changes the place that it defines, it must
    /// rise with others instead, so that it never counts anything fewer than no times.
    pub fn unlimited_places(&self) -> Vec<bool> {
        let limited = |place: &crate::Place| {
            place.capacity.as_ref().is_some_and(|ranges| ranges.iter().all(|range| *range.end() < u64::MAX))
        };
        let mut unlimited: Vec<bool> = self.places.iter().map(|place| !limited(place)).collect();
        let promised: Vec<_> = self
            .places
            .iter()
            .map(|place| match place.is_proven {
                true => None,
                false => place.derived.as_ref(),
            })
            .collect();
        for (place, definition) in promised.iter().enumerate() {
            let Some(definition) = definition else { continue };
            let is_kept = match self.is_only_defined(place) {
                // More tokens there may disable something, or bring other bindings.
                true => rises(&definition.body) && !self.is_looked_at(place),
                false => is_linear(&definition.body),
            };
            if !is_kept {
                places_of(definition).into_iter().for_each(|place| unlimited[place] = false);
            }
        }
        // What grows lets grow what is derived from it.
        let order = self.derivation_order().unwrap_or_default();
        for place in order.into_iter().rev().filter(|place| self.is_only_defined(*place)) {
            if let (false, Some(definition)) = (unlimited[place], promised[place]) {
                places_of(definition).into_iter().for_each(|place| unlimited[place] = false);
            }
        }
        unlimited
    }

    /// Whether a transition's arcs and guards depend on its variables only, and not on the marking.
    pub fn is_local(&self, transition: usize) -> bool {
        let transition = &self.transitions[transition];
        let arcs = [&transition.inputs, &transition.reads, &transition.inhibitors, &transition.outputs];
        !arcs.into_iter().flatten().any(|arc| bag_depends(&arc.tokens))
            && !transition.guards.iter().chain(&transition.delay).any(depends)
    }
}

/// Whether the counts of a multiset are linear in those of places.
fn is_linear(bag: &Bag) -> bool {
    match bag {
        Bag::Empty | Bag::All(_) | Bag::Place(_) => true,
        Bag::One(value) => !depends(value),
        Bag::Times(count, bag) => !depends(count) && is_linear(bag),
        Bag::Sum(parts) => parts.iter().all(is_linear),
        Bag::Difference(from, what) => is_linear(from) && is_linear(what),
        Bag::For(_, _, condition, body) => {
            !condition.as_ref().is_some_and(|it| depends(it)) && is_linear(body)
        }
        Bag::If(condition, then, other) => !depends(condition) && is_linear(then) && is_linear(other),
        Bag::Let(_, value, body) => !depends(value) && is_linear(body),
    }
}

/// Whether no count of a multiset falls where counts of places rise.
fn rises(bag: &Bag) -> bool {
    match bag {
        Bag::Empty | Bag::All(_) | Bag::Place(_) => true,
        Bag::One(value) => !depends(value),
        Bag::Times(count, bag) if bag_depends(bag) => !depends(count) && rises(bag),
        Bag::Times(count, _) => term_rises(count),
        Bag::Sum(parts) => parts.iter().all(rises),
        Bag::Difference(from, what) => rises(from) && !bag_depends(what),
        Bag::For(_, _, condition, body) => !condition.as_ref().is_some_and(|it| depends(it)) && rises(body),
        Bag::If(condition, then, other) => !depends(condition) && rises(then) && rises(other),
        Bag::Let(_, value, body) => !depends(value) && rises(body),
    }
}

/// Whether an integer never falls where counts of places rise.
fn term_rises(term: &Term) -> bool {
    match &term.node {
        Node::Count(bag) => matches!(**bag, Bag::Place(_)),
        Node::CountOf(bag, value) => matches!(**bag, Bag::Place(_)) && !depends(value),
        Node::Arithmetic(Arithmetic::Add, left, right) => term_rises(left) && term_rises(right),
        Node::Arithmetic(Arithmetic::Subtract, left, right) => term_rises(left) && !depends(right),
        _ => !depends(term),
    }
}

fn is_marking(part: Part<'_>) -> bool {
    match part {
        Part::Bag(bag) => matches!(bag, Bag::Place(_)),
        Part::Term(term) => {
            matches!(term.node, Node::Enabled(..) | Node::Deadlock | Node::Initial | Node::Clock)
        }
    }
}

fn depends(term: &Term) -> bool {
    let mut found = false;
    term.walk(&mut |part| found |= is_marking(part));
    found
}

fn bag_depends(bag: &Bag) -> bool {
    let mut found = false;
    bag.walk(&mut |part| found |= is_marking(part));
    found
}
