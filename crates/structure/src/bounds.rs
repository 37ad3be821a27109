//! Upper bounds: how many tokens a place can hold in any reachable marking.
//!
//! Fields for markings are as wide as these bounds and are not checked for overflow afterwards, so every bound
//! is proven in exact integers. The proofs, from cheap to dear:
//!
//! - nothing that can fire adds to the place ([`Why::NeverGrows`]);
//! - whatever adds to it is guarded by it: inhibited by the place, or empties it first ([`Why::Guarded`]);
//! - a P-semiflow, or a sub-invariant y·C ≤ 0 over the transitions that can fire
//!   ([`certificate`](crate::certificate)); sub-invariants are sought by [`farkas`] with a slack
//!   row per transition, then guessed by `relaxation` and checked, unless a marking is seen that attains the bound there is.
//!
//! Bounds show transitions dead ([`dead`](crate::dead)), and dead transitions need not be respected by
//! sub-invariants, so the steps alternate. Soundness is by induction: each fact is proven of all reachable
//! markings from facts proven before.

use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::attained::Attained;
use crate::certificate::Certificate;
use crate::dead::Fireable;
use crate::effort::{Effort, GoOn};
use crate::farkas::{self, Limit};
use crate::incidence::Incidence;
use crate::relaxation::{Relaxation, integer_candidates};
use crate::repair::{self, Relation};
use crate::semiflows::Semiflows;
use crate::sparse::SparseMatrix;

/// Why a bound holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No bound was found.
    Unknown,
    /// No transition that can fire adds to it.
    NeverGrows,
    /// Every transition that adds to it is inhibited by it or empties it.
    Guarded,
    /// The equality at this position of [`Bounds::certificates`].
    Semiflow(usize),
    /// The inequality at this position of [`Bounds::certificates`].
    SubInvariant(usize),
}

/// What is known of the places' tokens, with proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub(crate) tokens: Vec<Option<u64>>,
    why: Vec<Why>,
    certificates: Vec<Certificate>,
    live: Vec<bool>,
    pub(crate) by_place: Vec<Vec<u32>>,
}

impl Bounds {
    /// The most tokens the place can ever hold, if that is known.
    pub fn of(&self, place: PlaceId) -> Option<u64> {
        self.tokens[place.index()]
    }

    /// How the bound was proven.
    pub fn why(&self, place: PlaceId) -> Why {
        self.why[place.index()]
    }

    /// The bounds, by place.
    pub fn tokens(&self) -> &[Option<u64>] {
        &self.tokens
    }

    /// The inequalities that were proven on the way: all semiflows, and the sub-invariants that were of use.
    pub fn certificates(&self) -> &[Certificate] {
        &self.certificates
    }

    /// Whether the transition was shown never to fire.
    pub fn is_dead(&self, transition: TransitionId) -> bool {
        !self.live[transition.index()]
    }

    /// The transitions that were shown never to fire, in order.
    pub fn dead_transitions(&self) -> impl Iterator<Item = TransitionId> + '_ {
        (0..self.live.len()).filter(|t| !self.live[*t]).map(TransitionId::new)
    }

    /// Whether every place has a bound.
    pub fn is_bounded(&self) -> bool {
        self.tokens.iter().all(Option::is_some)
    }
}

/// Bounds of all places, with the default effort.
pub fn place_bounds(net: &Net, semiflows: &Semiflows) -> Bounds {
    place_bounds_with(net, &Incidence::of(net), semiflows, Effort::default(), &|| true)
}

/// Bounds of all places, as far as they are found while somebody wants them.
pub fn place_bounds_with(
    net: &Net,
    incidence: &Incidence,
    semiflows: &Semiflows,
    effort: Effort,
    go_on: GoOn<'_>,
) -> Bounds {
    let bounds = Bounds {
        tokens: vec![None; net.places().len()],
        why: vec![Why::Unknown; net.places().len()],
        certificates: Vec::new(),
        live: vec![true; net.transitions().len()],
        by_place: vec![Vec::new(); net.places().len()],
    };
    let mut search = Search { net, incidence, fireable: Fireable::new(net, incidence), bounds, go_on };
    search.settle();
    for flow in semiflows.flows.iter().take_while(|_| go_on()) {
        search.learn(&flow.weights);
    }
    search.settle();
    if !search.bounds.is_bounded() {
        // The plainest invariant of all, which eliminations of very large nets may not get to.
        let all: Vec<(usize, u64)> = (0..net.places().len()).map(|place| (place, 1)).collect();
        search.learn(&all);
        search.settle();
    }
    if !search.bounds.is_bounded() && go_on() {
        search.repair(effort);
        search.settle();
    }
    if !search.bounds.is_bounded() && go_on() {
        search.eliminate(effort);
        search.settle();
    }
    if go_on() {
        search.relax(effort);
        search.settle();
    }
    search.bounds
}

/// Arcs that may be looked at to show that a bound is attained, for each number of the linear program that would lower it:
/// a fifth of what it takes to solve that.
const ARCS_FOR_A_NUMBER: usize = 100;

struct Search<'a> {
    net: &'a Net,
    incidence: &'a Incidence,
    fireable: Fireable<'a>,
    bounds: Bounds,
    go_on: GoOn<'a>,
}

impl Search<'_> {
    /// Makes a certificate of the weights, if they are one, and draws the bounds from it. Tells whether it
    /// improved any.
    fn learn(&mut self, weights: &[(usize, u64)]) -> bool {
        let live = |t: usize| self.bounds.live[t];
        let Some(certificate) = Certificate::check(self.net, self.incidence, live, weights) else {
            return false;
        };
        let index = self.bounds.certificates.len();
        let why = if certificate.is_equality() { Why::Semiflow(index) } else { Why::SubInvariant(index) };
        let mut improved = false;
        for (place, _) in certificate.weights() {
            if let Some(bound) = certificate.bound(PlaceId::new(*place)) {
                improved |= self.lower(*place, bound, why);
            }
        }
        if improved || certificate.is_equality() {
            for (place, _) in certificate.weights() {
                self.bounds.by_place[*place].push(index as u32);
            }
            self.bounds.certificates.push(certificate);
        }
        improved
    }

    fn lower(&mut self, place: usize, bound: u64, why: Why) -> bool {
        let better = self.bounds.tokens[place].is_none_or(|old| bound < old);
        if better {
            self.bounds.tokens[place] = Some(bound);
            self.bounds.why[place] = why;
        }
        better
    }

    /// Dead transitions, places that never grow, guarded places, until nothing changes (or a few times).
    fn settle(&mut self) {
        for _ in 0..4 {
            let mut tokens = self.bounds.tokens.clone();
            self.fireable.settle(&mut self.bounds.live, &mut tokens);
            for (place, bound) in tokens.into_iter().enumerate() {
                if let Some(bound) = bound {
                    self.lower(place, bound, Why::NeverGrows);
                }
            }
            if !self.guarded() {
                return;
            }
        }
    }

    /// After a transition that adds e > 0 to a place fires, the place holds at most h - 1 + e if the place
    /// inhibits it at h, and exactly the output's weight if it is emptied first.
    fn guarded(&mut self) -> bool {
        if self.net.inhibitors().is_empty() && self.net.resets().is_empty() {
            return false;
        }
        let mut changed = false;
        for place in self.net.place_ids() {
            let mut most = Some(i128::from(self.net.place(place).initial));
            for (t, effect) in self.incidence.by_place().row(place.index()) {
                if effect <= 0 || !self.bounds.live[t] {
                    continue;
                }
                let t = TransitionId::new(t);
                let after_reset = (self.net.resets().weight(t, place) > 0)
                    .then(|| self.net.outputs().weight(t, place).into());
                let inhibitor = i128::from(self.net.inhibitors().weight(t, place));
                let after_guard = (inhibitor > 0).then(|| inhibitor - 1 + effect);
                let after = after_reset.into_iter().chain(after_guard).min();
                most = most.zip(after).map(|(a, b): (i128, i128)| a.max(b));
            }
            if let Some(most) = most.and_then(|most| u64::try_from(most).ok()) {
                changed |= self.lower(place.index(), most, Why::Guarded);
            }
        }
        changed
    }

    /// Sub-invariants grown from one place each: cheap, local, and often enough.
    fn repair(&mut self, effort: Effort) {
        let (tokens, live) = (&self.bounds.tokens, &self.bounds.live);
        let mut matrix = SparseMatrix::new(live.len());
        for place in 0..tokens.len() {
            matrix.push_row(self.incidence.by_place().row(place).filter(|(t, _)| live[*t]));
        }
        let less = Limit { work: effort.sub_invariants.work / 4, ..effort.sub_invariants };
        let known = |place: usize| tokens[place].is_some();
        for weights in repair::solutions(&matrix, Relation::AtMost, known, |_| false, less, self.go_on) {
            if !(self.go_on)() {
                return;
            }
            self.learn(&weights);
        }
    }

    /// Sub-invariants by elimination: semiflows of the matrix with a slack row for each live transition.
    fn eliminate(&mut self, effort: Effort) {
        let (places, live) = (self.net.places().len(), &self.bounds.live);
        let mut matrix = SparseMatrix::new(live.len());
        for place in 0..places {
            matrix.push_row(self.incidence.by_place().row(place).filter(|(t, _)| live[*t]));
        }
        for t in (0..live.len()).filter(|t| live[*t]) {
            matrix.push_row([(t, 1)]);
        }
        let (solutions, _) = farkas::solutions(&matrix, |_| false, effort.sub_invariants, self.go_on);
        for solution in solutions {
            if !(self.go_on)() {
                return;
            }
            let weights: Option<Vec<(usize, u64)>> = (solution.into_iter())
                .filter(|(row, _)| (*row as usize) < places)
                .map(|(row, weight)| Some((row as usize, u64::try_from(weight).ok()?)))
                .collect();
            if let Some(weights) = weights {
                self.learn(&weights);
            }
        }
    }

    /// Sub-invariants by linear programming, first for places without a bound, then for those with large ones.
    fn relax(&mut self, effort: Effort) {
        let relaxation = Relaxation::new(self.net, self.incidence, &self.bounds.live);
        let solvable = relaxation.is_tame() && effort.has_room_for(2 * relaxation.size());
        let mut left = if solvable { effort.programs } else { 0 };
        let mut hopeless = vec![false; self.bounds.tokens.len()];
        if !self.bounds.is_bounded() && left >= 2 * relaxation.size() {
            left -= 2 * relaxation.size();
            let widest = relaxation.widest(self.go_on);
            self.learn_first(&widest);
            for (hopeless, value) in hopeless.iter_mut().zip(widest) {
                *hopeless = value <= 1e-7;
            }
        }
        // All walks together may look at half as many arcs as all programs would be worth.
        let arcs = ARCS_FOR_A_NUMBER.saturating_mul(left / 2);
        let mut attained = Attained::new(self.net, self.incidence, arcs);
        // Those without a bound come first, then those with the largest.
        let mut places: Vec<usize> = (0..self.bounds.tokens.len()).collect();
        places.sort_by_key(|place| self.bounds.tokens[*place].unwrap_or(u64::MAX));
        for place in places.into_iter().rev() {
            if left < relaxation.size() || !(self.go_on)() {
                return;
            }
            let bound = self.bounds.tokens[place];
            let is_open = !hopeless[place] && bound.is_none_or(|bound| bound > 1);
            let arcs = ARCS_FOR_A_NUMBER * relaxation.size();
            let id = PlaceId::new(place);
            if !is_open || bound.is_some_and(|bound| attained.holds(id, bound, arcs)) {
                continue;
            }
            left -= relaxation.size();
            self.learn_first(&relaxation.best_for(id, self.go_on));
        }
    }

    fn learn_first(&mut self, values: &[f64]) {
        for weights in integer_candidates(values) {
            let live = |t: usize| self.bounds.live[t];
            if Certificate::check(self.net, self.incidence, live, &weights).is_some() {
                self.learn(&weights);
                return;
            }
        }
    }
}
