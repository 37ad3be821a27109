//! Components from P-semiflows: the weighted tokens of a support are constant, so its local markings are few.
//!
//! Supports overlap; disjoint ones are chosen greedily, in several orders. What no chosen support covers is either
//! divided into runs in file order, or goes place by place to the component it shares most transitions with.

use std::collections::BTreeMap;

use sweepnet_net::PlaceId;

use super::clusters::Neighbours;
use super::knowledge::Knowledge;
use super::measure::Measure;

/// A token that goes through so many places is not seen to the end of its way by a sample: what is known of it counts
/// more.
const LONG: usize = 64;

/// Which supports are chosen first: those with the least of this.
type Order = fn(&(Vec<PlaceId>, u64)) -> (usize, u64);

/// Sequences of sets of places: disjoint supports and what is left, sorted by their first places.
pub fn sequences(
    knowledge: &Knowledge,
    measure: &mut Measure<'_>,
    neighbours: &Neighbours,
) -> Vec<Vec<Vec<PlaceId>>> {
    let mut supports: Vec<(Vec<PlaceId>, u64)> = Vec::new();
    for (weights, constant) in &knowledge.semiflows {
        let support: Vec<PlaceId> =
            weights.iter().map(|(place, _)| *place).filter(|place| measure.is_changing(*place)).collect();
        if *constant == 1 && support.len() >= LONG {
            // Its one token is in one of its places.
            measure.limit(measure.key(&support), weights.len() as u32);
        }
        if support.len() > 1 {
            supports.push((support, *constant));
        }
    }
    let mut found = Vec::new();
    let orders: [Order; 3] = [
        |(support, constant)| (support.len(), *constant),
        |(support, constant)| (usize::MAX - support.len(), *constant),
        |(support, constant)| (*constant as usize, u64::MAX - support.len() as u64),
    ];
    for order in orders {
        supports.sort_by_key(order);
        let chosen = disjoint(&supports, measure);
        if chosen.is_empty() {
            continue;
        }
        found.push(with_rest_in_runs(&chosen, measure));
        found.push(with_rest_attached(&chosen, measure, neighbours));
    }
    for sequence in &mut found {
        sequence.sort();
    }
    found.sort();
    found.dedup();
    found
}

/// The supports that do not meet an earlier one.
fn disjoint(supports: &[(Vec<PlaceId>, u64)], measure: &Measure<'_>) -> Vec<Vec<PlaceId>> {
    let mut covered = Covered::new(measure);
    let mut chosen = Vec::new();
    for (support, _) in supports {
        if !support.iter().any(|place| covered.has(*place)) {
            support.iter().for_each(|place| covered.add(*place));
            chosen.push(support.clone());
        }
    }
    chosen
}

/// Which places are taken.
struct Covered(Vec<bool>);

impl Covered {
    fn new(measure: &Measure<'_>) -> Self {
        let size = measure.sample().places().last().map_or(0, |place| place.index() + 1);
        Self(vec![false; size])
    }

    fn has(&self, place: PlaceId) -> bool {
        self.0[place.index()]
    }

    fn add(&mut self, place: PlaceId) {
        self.0[place.index()] = true;
    }
}

/// What is left, in pieces between covered places.
fn with_rest_in_runs(chosen: &[Vec<PlaceId>], measure: &Measure<'_>) -> Vec<Vec<PlaceId>> {
    let mut covered = Covered::new(measure);
    chosen.iter().flatten().for_each(|place| covered.add(*place));
    let mut sets = chosen.to_vec();
    let mut run: Vec<PlaceId> = Vec::new();
    for place in measure.sample().places() {
        if !covered.has(*place) {
            run.push(*place);
        } else if !run.is_empty() {
            sets.push(std::mem::take(&mut run));
        }
    }
    if !run.is_empty() {
        sets.push(run);
    }
    sets
}

/// What is left, each place with the set it shares most transitions with; what shares none becomes a set of its own.
fn with_rest_attached(
    chosen: &[Vec<PlaceId>],
    measure: &Measure<'_>,
    neighbours: &Neighbours,
) -> Vec<Vec<PlaceId>> {
    let mut covered = Covered::new(measure);
    let mut set_of = vec![usize::MAX; covered.0.len()];
    for (set, places) in chosen.iter().enumerate() {
        for place in places {
            covered.add(*place);
            set_of[place.index()] = set;
        }
    }
    let mut sets = chosen.to_vec();
    let mut rest: Vec<PlaceId> =
        measure.sample().places().iter().copied().filter(|place| !covered.has(*place)).collect();
    // A place may have only neighbours that are left themselves, so it takes some rounds.
    let mut before = usize::MAX;
    while !rest.is_empty() && rest.len() < before {
        before = rest.len();
        rest.retain(|place| {
            let mut votes: BTreeMap<usize, f64> = BTreeMap::new();
            for (other, weight) in neighbours.of(*place).filter(|(other, _)| covered.has(*other)) {
                *votes.entry(set_of[other.index()]).or_default() += weight;
            }
            match votes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((set, _)) => {
                    covered.add(*place);
                    sets[set].push(*place);
                    set_of[place.index()] = set;
                    false
                }
                None => true,
            }
        });
    }
    if !rest.is_empty() {
        sets.push(rest);
    }
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets
}
