//! Bounds that no proof can lower, because some marking attains them: walks that fill one place.
//!
//! A linear program for a place's bound takes thousands of times as long as a firing, and for most places there is nothing to
//! gain: their semiflows tell all. A walk that never fires what takes tokens from the place often shows so in a few steps.
//! Where it does not, nothing is known, and nothing is lost but the walk.

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};

use crate::incidence::Incidence;

/// Firings that a walk to fill a place may take for each of its tokens, and besides.
const STEPS_FOR_TOKEN: u64 = 16;
const STEPS: u64 = 256;

/// The most tokens that have been seen in each place.
pub(crate) struct Attained<'a> {
    net: &'a Net,
    incidence: &'a Incidence,
    most: Vec<u64>,
    initial: Marking,
    /// Where walks go.
    marking: Marking,
    /// Arcs that may yet be looked at.
    arcs: usize,
    noise: u64,
}

impl<'a> Attained<'a> {
    /// Looks at no more than about so many arcs in all.
    pub(crate) fn new(net: &'a Net, incidence: &'a Incidence, arcs: usize) -> Self {
        let initial = net.initial_marking();
        let marking = initial.clone();
        Self { net, incidence, most: initial.tokens().to_vec(), initial, marking, arcs, noise: 0x5EED }
    }

    /// Whether a marking was seen, now or before, that has so many tokens in a place. Looks at no more than about so many arcs.
    pub(crate) fn holds(&mut self, place: PlaceId, tokens: u64, arcs: usize) -> bool {
        if self.most[place.index()] >= tokens || self.arcs == 0 {
            return self.most[place.index()] >= tokens;
        }
        // Going back to the initial marking looks at all places.
        self.arcs = self.arcs.saturating_sub(self.most.len());
        let granted = arcs.min(self.arcs);
        self.arcs -= granted;
        let mut left = granted;
        let mut marking = std::mem::replace(&mut self.marking, Marking::new(Box::default()));
        marking.tokens_mut().copy_from_slice(self.initial.tokens());
        let holds = self.walk(place, tokens, &mut marking, &mut left);
        self.marking = marking;
        self.arcs += left;
        holds
    }

    fn walk(&mut self, place: PlaceId, tokens: u64, marking: &mut Marking, arcs: &mut usize) -> bool {
        let steps = tokens.saturating_mul(STEPS_FOR_TOKEN).saturating_add(STEPS);
        for _ in 0..steps {
            if self.most[place.index()] >= tokens {
                return true;
            }
            let Some(t) = self.next(marking, place, arcs) else { break };
            if self.net.fire_in(marking, t).is_err() {
                break;
            }
            for arc in self.net.outputs().of(t) {
                let most = &mut self.most[arc.place.index()];
                *most = marking[arc.place].max(*most);
            }
        }
        self.most[place.index()] >= tokens
    }

    /// An enabled transition that adds to the place, or else any that does not take from it.
    fn next(&mut self, marking: &Marking, place: PlaceId, arcs: &mut usize) -> Option<TransitionId> {
        let effects = self.incidence.by_place();
        let (net, count) = (self.net, self.net.transitions().len());
        let mut is_enabled = |t: TransitionId| {
            *arcs = arcs.checked_sub(1 + net.inputs().of(t).len())?;
            Some(net.is_enabled(marking, t))
        };
        let empties = |t: TransitionId| net.resets().weight(t, place) > 0;
        let adding = effects.row(place.index()).filter(|(_, effect)| *effect > 0);
        for t in adding.map(|(t, _)| TransitionId::new(t)) {
            if !empties(t) && is_enabled(t)? {
                return Some(t);
            }
        }
        self.noise = self.noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let from = (self.noise >> 33) as usize % count.max(1);
        for t in (from..count).chain(0..from).map(TransitionId::new) {
            let takes = || net.inputs().weight(t, place) > net.outputs().weight(t, place);
            if is_enabled(t)? && !takes() && !empties(t) {
                return Some(t);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::{naive, nets, random};

    use super::*;

    #[test]
    fn all_cards_come_to_any_place_of_their_cell() {
        let net = nets::kanban(4);
        let incidence = Incidence::of(&net);
        let mut attained = Attained::new(&net, &incidence, usize::MAX);
        assert!(net.place_ids().all(|place| attained.holds(place, 4, 10_000)));
        assert!(net.place_ids().all(|place| !attained.holds(place, 5, 10_000)));
    }

    #[test]
    fn what_was_seen_can_be_reached() {
        let mut full = 0;
        for seed in 0..300 {
            let net = random::net(seed);
            let incidence = Incidence::of(&net);
            let found = naive::explore(&net, 2_000);
            let mut attained = Attained::new(&net, &incidence, usize::MAX);
            for place in net.place_ids().filter(|_| found.complete) {
                let most = found.states.keys().map(|state| state[place]).max().unwrap_or(0);
                assert!(!attained.holds(place, most + 1, 1_000), "seed {seed}");
                full += usize::from(attained.holds(place, most, 1_000));
            }
        }
        assert!(full > 500, "{full}");
    }
}
