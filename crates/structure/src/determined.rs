//! Places whose tokens follow from the tokens of the others.
//!
//! Every P-semiflow, and every P-flow with weights of either sign, is a linear equation that all reachable
//! markings satisfy, so one place of its support can be left out of a stored marking and computed. As many
//! places can go as there are *independent* equations: |P| - rank(C), if no limit strikes (transitions that
//! can never fire do not count). Short equations come first.
//! They are found by elimination: each equation is freed of the places already chosen, and if anything is left
//! of it, one of its places is chosen. The equation of a place therefore mentions no place chosen *before* it;
//! read backwards, each can be computed from places kept and places computed already. [`determined_places`]
//! returns them in that order of computation.
//!
//! **Guarantee**: in every reachable marking the equation holds exactly. It says nothing about markings that
//! cannot be reached.

use std::collections::BTreeMap;

use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::bounds::Bounds;
use crate::entries::bytes_of;
use crate::flows::flow_basis;
use crate::incidence::Incidence;
use crate::semiflows::weighted_tokens;
use crate::sparse::SparseMatrix;

/// `factor · m(place) = constant - Σ others` in every reachable marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Determined {
    /// The place that follows.
    pub place: PlaceId,
    /// Its factor; at least 1.
    pub factor: i128,
    /// The right side without the places.
    pub constant: i128,
    /// The other places with their factors, by place; none that is computed later.
    pub others: Vec<(PlaceId, i128)>,
}

impl Determined {
    /// The tokens of the place, from those of the others; nothing if the numbers do not fit (then the marking
    /// is not reachable).
    pub fn tokens(&self, of: impl Fn(PlaceId) -> u64) -> Option<u64> {
        let sum = self.others.iter().try_fold(self.constant, |sum, (place, factor)| {
            sum.checked_sub(factor.checked_mul(i128::from(of(*place)))?)
        })?;
        if sum % self.factor != 0 { None } else { u64::try_from(sum / self.factor).ok() }
    }
}

/// Equations with more places than this are not worth evaluating for one place.
const LONGEST: usize = 4_096;

/// How many list entries the elimination may touch.
const MOST_WORK: usize = 20_000_000;

/// A set of places that can all be left out, in the order in which to compute them. Places with many bits are
/// preferred. No more than so many bytes are kept at a time.
pub fn determined_places(net: &Net, incidence: &Incidence, bounds: &Bounds, bytes: usize) -> Vec<Determined> {
    let mut chosen: Vec<Determined> = Vec::new();
    let mut by_place: Vec<Option<u32>> = vec![None; net.places().len()];
    let (mut work, mut taken) = (0, 0);
    for (weights, mut constant) in equations(net, incidence, bounds, bytes) {
        let mut row: BTreeMap<usize, i128> = weights.into_iter().collect();
        work += row.len();
        if work > MOST_WORK || taken > bytes {
            break;
        }
        let reduced = reduce(&mut row, &mut constant, &chosen, &by_place, &mut work);
        if reduced.is_none() || row.is_empty() || row.len() > LONGEST {
            continue;
        }
        // A unit factor needs no division; then the place that takes most room.
        let worth =
            |p: usize, factor: i128| (factor.unsigned_abs() == 1, bounds.tokens()[p].unwrap_or(u64::MAX));
        let Some((place, factor)) =
            row.iter().map(|(p, f)| (*p, *f)).max_by_key(|(p, f)| (worth(*p, *f), std::cmp::Reverse(*p)))
        else {
            continue;
        };
        row.remove(&place);
        let signed = |value: i128| value.checked_mul(factor.signum());
        let others: Option<Vec<_>> =
            row.into_iter().map(|(p, f)| Some((PlaceId::new(p), signed(f)?))).collect();
        if let (Some(factor), Some(constant), Some(others)) = (signed(factor), signed(constant), others) {
            by_place[place] = Some(chosen.len() as u32);
            taken += size_of::<Determined>() + bytes_of(&others);
            chosen.push(Determined { place: PlaceId::new(place), factor, constant, others });
        }
    }
    chosen.reverse();
    chosen
}

type Equation = (Vec<(usize, i128)>, i128);

/// What is equal in every reachable marking, short equations first: semiflows, then a basis of all flows.
fn equations(net: &Net, incidence: &Incidence, bounds: &Bounds, bytes: usize) -> Vec<Equation> {
    let equalities = bounds.certificates().iter().filter(|c| c.is_equality());
    let mut semiflows: Vec<Equation> = equalities
        .map(|c| (c.weights().iter().map(|(p, w)| (*p, i128::from(*w))).collect(), c.constant()))
        .collect();
    let mut matrix = SparseMatrix::new(net.transitions().len());
    for place in 0..net.places().len() {
        let row = incidence.by_place().row(place);
        matrix.push_row(row.filter(|(t, _)| !bounds.is_dead(TransitionId::new(*t))));
    }
    let mut flows: Vec<Equation> = Vec::new();
    for flow in flow_basis(&matrix, |place| incidence.reset_places()[place], MOST_WORK / 4, bytes) {
        let weights: Vec<(usize, i128)> = flow.into_iter().map(|(p, w)| (p as usize, w)).collect();
        // Flows are trusted no more than anything else that ends in a formula for a place.
        let holds = matrix.combine(weights.iter().copied()).is_some_and(|effects| effects.is_empty());
        if let Some(constant) = weighted_tokens(net, weights.iter().copied()).filter(|_| holds) {
            flows.push((weights, constant));
        }
    }
    semiflows.sort_by_key(|(weights, _)| weights.len());
    flows.sort_by_key(|(weights, _)| weights.len());
    semiflows.extend(flows);
    semiflows
}

/// Frees the equation of the chosen places. An equation mentions no place chosen before it, so going through
/// them in the order of choice, none comes back. Nothing on overflow.
fn reduce(
    row: &mut BTreeMap<usize, i128>,
    constant: &mut i128,
    chosen: &[Determined],
    by_place: &[Option<u32>],
    work: &mut usize,
) -> Option<()> {
    loop {
        *work += row.len();
        let Some(next) = row.keys().filter_map(|p| by_place[*p]).min() else { return Some(()) };
        let equation = &chosen[next as usize];
        let here = row.remove(&equation.place.index())?;
        let divisor = crate::entries::gcd(here.unsigned_abs(), equation.factor.unsigned_abs());
        let divisor = i128::try_from(divisor).ok()?;
        let (mine, theirs) = (equation.factor / divisor, here / divisor);
        for factor in row.values_mut() {
            *factor = factor.checked_mul(mine)?;
        }
        *constant = (constant.checked_mul(mine)?).checked_sub(equation.constant.checked_mul(theirs)?)?;
        for (place, factor) in &equation.others {
            let entry = row.entry(place.index()).or_insert(0);
            *entry = entry.checked_sub(factor.checked_mul(theirs)?)?;
            if *entry == 0 {
                row.remove(&place.index());
            }
        }
        *work += equation.others.len();
        if *work > MOST_WORK || row.len() > LONGEST {
            return None;
        }
        let divisor =
            row.values().fold(constant.unsigned_abs(), |g, f| crate::entries::gcd(g, f.unsigned_abs()));
        if divisor > 1 {
            let divisor = i128::try_from(divisor).ok()?;
            row.values_mut().for_each(|factor| *factor /= divisor);
            *constant /= divisor;
        }
    }
}
