//! Transitions that can never fire, as far as the net's structure shows it.
//!
//! Four reasons, closed under each other:
//!
//! - an input or read arc asks for more tokens than the place's proven bound;
//! - a place that it takes from or reads *can never be marked*: empty at first, and fed only by transitions
//!   that themselves wait for such places (the largest empty siphon). Least fixpoint, linear;
//! - an inhibitor arc whose weight the place always reaches, because nothing ever takes from it;
//! - a place that only dead transitions could increase holds at most what it holds at first: that is a new
//!   bound, which may kill more transitions.

use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::bounds::Bounds;
use crate::incidence::Incidence;

/// The transitions that can never fire, given what is known of the places; sorted.
pub fn dead_transitions(net: &Net, bounds: &Bounds) -> Vec<TransitionId> {
    let mut known = bounds.tokens().to_vec();
    let mut live: Vec<bool> = net.transition_ids().map(|t| !bounds.is_dead(t)).collect();
    let incidence = Incidence::of(net);
    Fireable::new(net, &incidence).settle(&mut live, &mut known);
    net.transition_ids().filter(|t| !live[t.index()]).collect()
}

/// The net seen from its places, as the fixpoint needs it.
pub(crate) struct Fireable<'a> {
    net: &'a Net,
    incidence: &'a Incidence,
    /// Transitions that take from or read a place, with the weight: `tests[starts[p]..starts[p + 1]]`.
    starts: Vec<usize>,
    tests: Vec<(TransitionId, u64)>,
}

impl<'a> Fireable<'a> {
    pub(crate) fn new(net: &'a Net, incidence: &'a Incidence) -> Self {
        let mut list: Vec<(PlaceId, TransitionId, u64)> = Vec::new();
        for t in net.transition_ids() {
            let arcs = net.inputs().of(t).iter().chain(net.reads().of(t));
            list.extend(arcs.map(|arc| (arc.place, t, arc.weight)));
        }
        list.sort_unstable();
        let mut starts = vec![0; net.places().len() + 1];
        for (place, ..) in &list {
            starts[place.index() + 1] += 1;
        }
        for p in 0..net.places().len() {
            starts[p + 1] += starts[p];
        }
        Self { net, incidence, starts, tests: list.into_iter().map(|(_, t, w)| (t, w)).collect() }
    }

    fn tests(&self, place: usize) -> &[(TransitionId, u64)] {
        &self.tests[self.starts[place]..self.starts[place + 1]]
    }

    /// Clears `live` for transitions that can never fire and lowers bounds of places that cannot grow, until
    /// nothing changes (or, in odd cases, some rounds earlier: what is found is true at any time).
    pub(crate) fn settle(&self, live: &mut [bool], bounds: &mut [Option<u64>]) {
        for _ in 0..16 {
            let before = live.iter().filter(|l| **l).count();
            self.never_marked(live);
            self.never_disinhibited(live);
            self.cannot_grow(live, bounds);
            if live.iter().filter(|l| **l).count() == before {
                return;
            }
        }
    }

    fn never_marked(&self, live: &mut [bool]) {
        let mut marked: Vec<bool> = self.net.places().iter().map(|p| p.initial > 0).collect();
        // How many arcs of a transition still wait for a place that was never marked.
        let mut waiting = vec![0usize; live.len()];
        for place in (0..marked.len()).filter(|p| !marked[*p]) {
            for (t, _) in self.tests(place) {
                waiting[t.index()] += 1;
            }
        }
        let mut ready: Vec<usize> = (0..live.len()).filter(|t| live[*t] && waiting[*t] == 0).collect();
        let mut fired = vec![false; live.len()];
        while let Some(t) = ready.pop() {
            fired[t] = true;
            for arc in self.net.outputs().of(TransitionId::new(t)) {
                let place = arc.place.index();
                if !std::mem::replace(&mut marked[place], true) {
                    for (next, _) in self.tests(place) {
                        waiting[next.index()] -= 1;
                        if waiting[next.index()] == 0 && live[next.index()] {
                            ready.push(next.index());
                        }
                    }
                }
            }
        }
        live.iter_mut().zip(fired).for_each(|(live, fired)| *live &= fired);
    }

    fn never_disinhibited(&self, live: &mut [bool]) {
        if self.net.inhibitors().is_empty() {
            return;
        }
        let mut shrinks = vec![false; self.net.places().len()];
        for t in (0..live.len()).filter(|t| live[*t]) {
            let taken = self.incidence.by_transition().row(t).filter(|(_, effect)| *effect < 0);
            taken.for_each(|(place, _)| shrinks[place] = true);
            let resets = self.net.resets().of(TransitionId::new(t));
            resets.iter().for_each(|arc| shrinks[arc.place.index()] = true);
        }
        for (t, live) in live.iter_mut().enumerate() {
            let inhibitors = self.net.inhibitors().of(TransitionId::new(t));
            *live &= !inhibitors
                .iter()
                .any(|arc| !shrinks[arc.place.index()] && self.net.place(arc.place).initial >= arc.weight);
        }
    }

    fn cannot_grow(&self, live: &mut [bool], bounds: &mut [Option<u64>]) {
        let mut feeders = vec![0usize; bounds.len()];
        for t in (0..live.len()).filter(|t| live[*t]) {
            let fed = self.incidence.by_transition().row(t).filter(|(_, effect)| *effect > 0);
            fed.for_each(|(place, _)| feeders[place] += 1);
        }
        let mut settled: Vec<usize> = (0..bounds.len()).collect();
        while let Some(place) = settled.pop() {
            let initial = self.net.place(PlaceId::new(place)).initial;
            if feeders[place] == 0 && bounds[place].is_none_or(|bound| bound > initial) {
                bounds[place] = Some(initial);
            }
            let Some(bound) = bounds[place] else { continue };
            for (t, weight) in self.tests(place) {
                if *weight > bound && std::mem::replace(&mut live[t.index()], false) {
                    let row = self.incidence.by_transition().row(t.index());
                    for (fed, _) in row.filter(|(_, effect)| *effect > 0) {
                        feeders[fed] -= 1;
                        if feeders[fed] == 0 {
                            settled.push(fed);
                        }
                    }
                }
            }
        }
    }
}
