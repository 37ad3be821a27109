//! What structure has proven, in the words of predicates.

use std::ops::Range;

use sweepnet_net::{Arcs, Net, PlaceId, TransitionId};
use sweepnet_structure::{Semiflow, Structure};

use crate::{Facts, Linear};

/// Bounds and dead transitions from the net's structure.
#[derive(Clone, Debug)]
pub struct StructuralFacts<'a> {
    net: &'a Net,
    structure: &'a Structure,
    /// For each place, whether a transition that may fire changes it.
    changes: Vec<bool>,
    /// For each place, the semiflows it is the first place of.
    flows: Vec<Vec<&'a Semiflow>>,
}

impl<'a> StructuralFacts<'a> {
    /// The facts about a net.
    pub fn new(net: &'a Net, structure: &'a Structure) -> Self {
        let mut changes = vec![false; net.places().len()];
        for t in net.transition_ids().filter(|t| !structure.bounds.is_dead(*t)) {
            for arc in net.inputs().of(t).iter().chain(net.outputs().of(t)) {
                changes[arc.place.index()] |=
                    net.inputs().weight(t, arc.place) != net.outputs().weight(t, arc.place);
            }
            for arc in net.resets().of(t) {
                changes[arc.place.index()] = true;
            }
        }
        let mut flows = vec![Vec::new(); net.places().len()];
        for flow in &structure.place_semiflows.flows {
            if let Some(first) = flow.support().next() {
                flows[first].push(flow);
            }
        }
        Self { net, structure, changes, flows }
    }

    /// The net they are about.
    pub fn net(&self) -> &'a Net {
        self.net
    }

    /// A proven bound of a place.
    pub fn bound(&self, place: PlaceId) -> Option<u64> {
        self.structure.bounds.of(place)
    }

    /// Whether some transition that may fire changes the number of tokens in these places together.
    pub fn may_change(&self, places: &Range<usize>) -> bool {
        if places.len() == 1 {
            return self.changes[places.start];
        }
        if places.clone().all(|place| !self.changes[place]) {
            return false;
        }
        let sum = |arcs: &Arcs, t| {
            let own = arcs.of(t).iter().filter(|arc| places.contains(&arc.place.index()));
            own.map(|arc| u128::from(arc.weight)).sum::<u128>()
        };
        self.net
            .transition_ids()
            .filter(|t| !self.structure.bounds.is_dead(*t))
            .any(|t| sum(self.net.inputs(), t) != sum(self.net.outputs(), t) || sum(self.net.resets(), t) > 0)
    }

    fn changes(&self, place: PlaceId) -> bool {
        self.changes[place.index()]
    }

    /// A proven upper bound of Σ c·#p + k.
    pub fn upper(&self, linear: &Linear) -> Option<i128> {
        self.constant(linear).or_else(|| self.upper_sum(linear))
    }

    fn upper_sum(&self, linear: &Linear) -> Option<i128> {
        self.structure.bounds.sum_bound(linear.terms())?.checked_add(linear.offset())
    }

    /// The value of an expression that has only one: over places that never change, or a multiple of a
    /// semiflow.
    fn constant(&self, linear: &Linear) -> Option<i128> {
        let terms = linear.terms();
        let (first, factor) = *terms.first()?;
        let sum = if terms.iter().all(|(place, _)| !self.changes(*place)) {
            terms.iter().try_fold(0i128, |sum, (place, factor)| {
                sum.checked_add(factor.checked_mul(i128::from(self.net.place(*place).initial))?)
            })?
        } else {
            let multiple = |flow: &Semiflow| {
                let scale = factor.checked_div(i128::from(flow.weight(first.index())))?;
                let same = flow.weights.iter().zip(terms).all(|((p, weight), (place, factor))| {
                    *p == place.index() && i128::from(*weight).checked_mul(scale) == Some(*factor)
                });
                (same && flow.weights.len() == terms.len()).then_some(scale)
            };
            let mut flows = self.flows[first.index()].iter();
            let (flow, scale) = flows.find_map(|flow| Some((flow, multiple(flow)?)))?;
            flow.constant(self.net)?.checked_mul(scale)?
        };
        sum.checked_add(linear.offset())
    }
}

impl Facts for StructuralFacts<'_> {
    fn bounds(&self, expression: &Linear) -> (Option<i128>, Option<i128>) {
        if let Some(value) = self.constant(expression) {
            return (Some(value), Some(value));
        }
        let lower = expression.scale(-1).ok().and_then(|negated| self.upper_sum(&negated));
        (lower.and_then(i128::checked_neg), self.upper_sum(expression))
    }

    fn never_dead(&self) -> bool {
        let asks_nothing = |t| {
            [self.net.inputs(), self.net.reads(), self.net.inhibitors()].iter().all(|a| a.of(t).is_empty())
        };
        self.net.transition_ids().any(asks_nothing)
    }

    fn never_enabled(&self, transition: TransitionId) -> bool {
        self.structure.bounds.is_dead(transition)
    }
}
