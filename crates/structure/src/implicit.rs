//! Implicit places: places that never decide whether a transition is enabled (Colom and Silva 1991).
//!
//! **Guarantee**: take all places of the list away *together*, with their arcs, and in every reachable marking
//! exactly the same transitions are enabled; so the reachability graph is the same, with the same firing
//! sequences. (Whoever asks about the tokens of such a place must keep it, or compute it:
//! [`determined`](crate::determined) tells which can be.) By induction along a firing sequence it is enough
//! that in each reachable marking the tests of the places taken away hold whenever those of the places kept
//! hold. Three sufficient reasons are looked for, all checked in exact integers:
//!
//! - [`Reason::Unobserved`]: nothing tests the place;
//! - [`Reason::AlwaysEnough`]: a proven lower bound satisfies every input and read arc, and a proven upper
//!   bound every inhibitor arc. Lower bounds come from places that nothing takes from, and from complements:
//!   y(p)·m(p) = K - Σ y(q)·m(q), with an upper bound of the sum;
//! - [`Reason::Dominated`]: another place, which is kept, says no whenever this one does. With
//!   a·m(p) = b·m(q) + δ always (proportional rows of C, no reset), every test of p must be implied by the
//!   test of q at the same transition. If a row is not proportional but loses no more and gains no less,
//!   a·m(p) ≥ b·m(q) + δ, which is enough for input and read arcs.

use sweepnet_net::{Arcs, Net, PlaceId, TransitionId};

use crate::bounds::Bounds;
use crate::incidence::Incidence;

/// A place that never decides, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implicit {
    /// The place.
    pub place: PlaceId,
    /// Why it may go.
    pub reason: Reason,
}

/// Why a place never decides whether a transition is enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No input, read or inhibitor arc leaves it.
    Unobserved,
    /// It always holds at least this many tokens, enough for all its input and read arcs, and never enough for
    /// an inhibitor arc.
    AlwaysEnough(u64),
    /// This place, which is not in the list, is as strict at every transition.
    Dominated(PlaceId),
}

/// The tests of one place: transition, tokens asked for (0 if none), inhibitor weight (0 if none).
type Tests = Vec<(TransitionId, u64, u64)>;

/// How many entries of rows may be compared in search of dominated places.
const MOST_WORK: usize = 5_000_000;

/// Places that can be taken away together without changing what is enabled; in order.
pub fn implicit_places(net: &Net, incidence: &Incidence, bounds: &Bounds) -> Vec<Implicit> {
    let tests = tests_by_place(net);
    let lower = lower_bounds(net, incidence, bounds);
    // A place that another one relies on has to stay.
    let mut kept = vec![false; net.places().len()];
    let mut gone = vec![false; net.places().len()];
    let mut found = Vec::new();
    let mut work = MOST_WORK;
    for place in net.place_ids() {
        let tests_here = &tests[place.index()];
        let least = lower[place.index()];
        let never_inhibits = |weight: u64| weight == 0 || bounds.of(place).is_some_and(|most| most < weight);
        let reason = if tests_here.is_empty() {
            Some(Reason::Unobserved)
        } else if tests_here.iter().all(|(_, asked, inhibitor)| *asked <= least && never_inhibits(*inhibitor))
        {
            Some(Reason::AlwaysEnough(least))
        } else if kept[place.index()] {
            None
        } else {
            candidates(net, tests_here)
                .filter(|q| *q != place && !gone[q.index()] && spend(&mut work, incidence, [place, *q]))
                .find(|q| dominates(net, incidence, *q, place, &tests[q.index()], tests_here))
                .map(Reason::Dominated)
        };
        if let Some(reason) = reason.filter(|_| !kept[place.index()]) {
            if let Reason::Dominated(by) = reason {
                kept[by.index()] = true;
            }
            gone[place.index()] = true;
            found.push(Implicit { place, reason });
        }
    }
    found
}

/// Tests of all transitions: those of dead ones too, or taking the place away could bring them to life.
fn tests_by_place(net: &Net) -> Vec<Tests> {
    let mut tests: Vec<Tests> = vec![Vec::new(); net.places().len()];
    let mut note = |t: TransitionId, arcs: &Arcs, inhibits: bool| {
        for arc in arcs.of(t) {
            let list = &mut tests[arc.place.index()];
            if list.last().is_none_or(|last| last.0 != t) {
                list.push((t, 0, 0));
            }
            if let Some((_, asked, inhibitor)) = list.last_mut() {
                if inhibits { *inhibitor = arc.weight } else { *asked = (*asked).max(arc.weight) }
            }
        }
    };
    for t in net.transition_ids() {
        note(t, net.inputs(), false);
        note(t, net.reads(), false);
        note(t, net.inhibitors(), true);
    }
    tests
}

/// Tokens that every reachable marking has, by place.
fn lower_bounds(net: &Net, incidence: &Incidence, bounds: &Bounds) -> Vec<u64> {
    let mut lower = vec![0; net.places().len()];
    for place in net.place_ids().filter(|p| !incidence.is_reset(*p)) {
        let mut row = incidence.by_place().row(place.index());
        if row.all(|(t, effect)| effect >= 0 || bounds.is_dead(TransitionId::new(t))) {
            lower[place.index()] = net.place(place).initial;
        }
    }
    for certificate in bounds.certificates().iter().filter(|c| c.is_equality() && c.weights().len() <= 64) {
        for (place, weight) in certificate.weights() {
            let mut others = certificate.weights().iter().filter(|(q, _)| q != place);
            let most = others.try_fold(0i128, |sum, (q, factor)| {
                let tokens = bounds.tokens()[*q]?;
                sum.checked_add(i128::from(*factor).checked_mul(i128::from(tokens))?)
            });
            let Some(least) = most.and_then(|most| certificate.constant().checked_sub(most)) else {
                continue;
            };
            // Rounded up: tokens are whole.
            let (least, weight) = (least.max(0).unsigned_abs(), u128::from(*weight));
            if let Ok(least) = u64::try_from(least.div_ceil(weight)) {
                lower[*place] = lower[*place].max(least);
            }
        }
    }
    lower
}

/// Places that could dominate: those that the first testing transition tests too.
fn candidates<'a>(net: &'a Net, tests: &'a Tests) -> impl Iterator<Item = PlaceId> + 'a {
    let first = tests.first().map(|test| test.0);
    let arcs = first.into_iter().flat_map(|t| {
        let arcs = net.inputs().of(t).iter().chain(net.reads().of(t)).chain(net.inhibitors().of(t));
        arcs.map(|arc| arc.place)
    });
    arcs.take(64)
}

/// Takes the cost of comparing two rows off the budget; false once it is used up.
fn spend(work: &mut usize, incidence: &Incidence, places: [PlaceId; 2]) -> bool {
    let cost: usize = places.iter().map(|p| 1 + incidence.by_place().row(p.index()).len()).sum();
    *work = work.saturating_sub(cost);
    *work > 0
}

/// Whether every test of `p` holds when the tests of `q` do.
fn dominates(net: &Net, incidence: &Incidence, q: PlaceId, p: PlaceId, of_q: &Tests, of_p: &Tests) -> bool {
    if of_p.len() > of_q.len() || incidence.is_reset(p) || incidence.is_reset(q) {
        return false;
    }
    let Some((a, b)) = ratio(incidence, p, q) else { return false };
    let Some(exact) = compare(incidence, p, q, a, b) else { return false };
    let scaled = |factor: i128, tokens: u64| factor.checked_mul(i128::from(tokens));
    let (initial_p, initial_q) = (net.place(p).initial, net.place(q).initial);
    let Some(delta) = scaled(a, initial_p).and_then(|x| x.checked_sub(scaled(b, initial_q)?)) else {
        return false;
    };
    of_p.iter().all(|(t, asked, inhibitor)| {
        let Ok(at) = of_q.binary_search_by_key(t, |test| test.0) else {
            return *asked == 0 && *inhibitor == 0;
        };
        let (_, asked_q, inhibitor_q) = of_q[at];
        let enough = || scaled(b, asked_q)?.checked_add(delta)?.checked_sub(scaled(a, *asked)?);
        let few = || {
            let most = scaled(b, inhibitor_q.checked_sub(1)?)?.checked_add(delta)?;
            scaled(a, *inhibitor)?.checked_sub(most)
        };
        (*asked == 0 || enough().is_some_and(|rest| rest >= 0))
            && (*inhibitor == 0 || (exact && few().is_some_and(|rest| rest > 0)))
    })
}

/// Small a, b ≥ 1 with a·row(p) = b·row(q) at the first entry where both rows are not 0.
fn ratio(incidence: &Incidence, p: PlaceId, q: PlaceId) -> Option<(i128, i128)> {
    let rows = incidence.by_place();
    for (t, of_p) in rows.row(p.index()) {
        let of_q = rows.get(q.index(), t);
        if of_q != 0 {
            if (of_p > 0) != (of_q > 0) {
                return None;
            }
            let divisor =
                i128::try_from(crate::entries::gcd(of_p.unsigned_abs(), of_q.unsigned_abs())).ok()?;
            return Some((of_q.abs() / divisor, of_p.abs() / divisor));
        }
    }
    None
}

/// Whether a·row(p) = b·row(q) everywhere (true), or at least ≥ (false); nothing if neither.
fn compare(incidence: &Incidence, p: PlaceId, q: PlaceId, a: i128, b: i128) -> Option<bool> {
    let weights = if p < q { [(p.index(), a), (q.index(), -b)] } else { [(q.index(), -b), (p.index(), a)] };
    let difference = incidence.by_place().combine(weights)?;
    if difference.iter().any(|(_, value)| *value < 0) { None } else { Some(difference.is_empty()) }
}
