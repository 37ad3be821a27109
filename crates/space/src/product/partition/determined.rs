//! Places that are taken out of their components because their counts follow from those of others.
//!
//! The weighted tokens of a P-semiflow are constant. Where it lies within one component, that component has few local
//! markings. Where it is cut, each component counts for itself what only all of them together determine: the resource
//! that two processes share, the pool from which tokens go everywhere. If one of its places is taken out, nothing is
//! lost, because its count is what is left of the constant; and the component that it was in has fewer local markings.
//!
//! All places that are taken out make one component more. What can happen there is looked up as elsewhere, but its number
//! is no part of the rank: it is found from the numbers of the others (`product/automata/following.rs`). (Leaving out
//! what follows from other places is what the multi-set encoding does with redundant ones, and Helena's packing too.)

use std::collections::BinaryHeap;

use sweepnet_net::PlaceId;

use super::cost::Prices;
use super::knowledge::Knowledge;
use super::measure::{Hash, Measure};
use crate::hashing::HashMap;

/// Bits of all counts that are taken out: whoever needs a number looks it up in a table of so many.
pub const MOST_BITS: u32 = 16;

/// What a place must save, in bits of a rank, to be taken out.
const LEAST_GAIN: f64 = 0.4;

/// Places that are measured, at most.
const MOST_TRIALS: usize = 600;

/// How the count of a place follows from those of others: it is the constant less their weighted sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The place.
    pub place: PlaceId,
    /// The most tokens that it can hold.
    pub bound: u64,
    /// The constant.
    pub constant: u64,
    /// The others and their weights.
    pub weights: Vec<(PlaceId, u64)>,
}

impl Equation {
    /// Bits of its count.
    pub fn bits(&self) -> u32 {
        u64::BITS - self.bound.leading_zeros()
    }
}

/// How each of these places follows from places that are not among them; nothing unless all do.
pub fn equations(places: &[PlaceId], knowledge: &Knowledge) -> Option<Vec<Equation>> {
    let equation = |place: &PlaceId| {
        let usable = |weights: &[(PlaceId, u64)]| {
            weights.iter().all(|(other, weight)| match other == place {
                true => *weight == 1,
                false => !places.contains(other),
            })
        };
        let flows = knowledge.semiflows.iter();
        let with_it = flows.filter(|(weights, _)| weights.binary_search_by_key(place, |(p, _)| *p).is_ok());
        let (weights, constant) =
            with_it.filter(|(weights, _)| usable(weights)).min_by_key(|(weights, _)| weights.len())?;
        let others = weights.iter().filter(|(other, _)| other != place).copied().collect();
        Some(Equation {
            place: *place,
            bound: knowledge.proven(*place)?,
            constant: *constant,
            weights: others,
        })
    };
    places.iter().map(equation).collect()
}

/// A place that may be taken out.
struct Candidate {
    gain: f64,
    place: PlaceId,
    group: usize,
    flow: usize,
    /// How often its group has changed before it was measured.
    age: usize,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |it: &Self| (std::cmp::Reverse(it.place), std::cmp::Reverse(it.flow));
        self.gain.total_cmp(&other.gain).then_with(|| key(self).cmp(&key(other)))
    }
}

/// A component out of which places are taken.
struct Group {
    places: Vec<PlaceId>,
    /// The hashes of its local markings, once they were needed.
    hashes: Option<Vec<Hash>>,
    /// How many places were taken out.
    age: usize,
}

impl Group {
    fn new(places: &[PlaceId]) -> Self {
        Self { places: places.to_vec(), hashes: None, age: 0 }
    }

    /// What it saves to take a place out.
    fn gain(&mut self, measure: &mut Measure<'_>, prices: &Prices, place: PlaceId) -> f64 {
        let Self { places, hashes, .. } = self;
        let hashes = hashes.get_or_insert_with(|| measure.hashes(places));
        let key = measure.key(places);
        let (all, rest) = (measure.count(key, hashes), measure.seen_without((key, hashes), place));
        let (width, enabled) = (measure.width(places), measure.enabled(places));
        let (less, fewer) = (measure.width(&[place]), measure.enabled(&[place]));
        let [with, without] = [(all, width, enabled), (rest, width - less, enabled - fewer)];
        let share = |(seen, width, enabled)| prices.share(&prices.set(seen, width, enabled));
        share(with) - share(without)
    }

    fn take(&mut self, measure: &Measure<'_>, place: PlaceId) {
        self.places.retain(|other| *other != place);
        if let Some(hashes) = &mut self.hashes {
            measure.add(place, hashes, true);
        }
        self.age += 1;
    }
}

/// Takes out of a division what follows from the rest, where that pays: the groups that are left, and what was taken.
/// Nothing if that is nothing.
pub(super) fn taken_out(
    measure: &mut Measure<'_>,
    knowledge: &Knowledge,
    groups: &[Vec<PlaceId>],
) -> Option<(Vec<Vec<PlaceId>>, Vec<PlaceId>)> {
    let prices = Prices::of(measure);
    let size = measure.sample().places().last().map_or(0, |place| place.index() + 1);
    let mut home = vec![usize::MAX; size];
    for (group, places) in groups.iter().enumerate() {
        places.iter().for_each(|place| home[place.index()] = group);
    }
    let home = |place: PlaceId| home.get(place.index()).copied().filter(|group| *group != usize::MAX);
    let mut groups: Vec<Group> = groups.iter().map(|places| Group::new(places)).collect();
    let mut candidates = BinaryHeap::new();
    let mut measured = HashMap::default();
    for (flow, (weights, _)) in knowledge.semiflows.iter().enumerate() {
        let mut homes = weights.iter().filter_map(|(place, _)| home(*place));
        let first = homes.next();
        if homes.all(|group| Some(group) == first) {
            continue;
        }
        for (place, _) in weights.iter().filter(|(_, weight)| *weight == 1) {
            let Some(group) = home(*place).filter(|_| knowledge.proven(*place).is_some()) else { continue };
            if measured.len() >= MOST_TRIALS && !measured.contains_key(place) {
                continue;
            }
            let gain =
                *measured.entry(*place).or_insert_with(|| groups[group].gain(measure, &prices, *place));
            if gain >= LEAST_GAIN {
                candidates.push(Candidate { gain, place: *place, group, flow, age: 0 });
            }
        }
    }
    // What was taken out, and what its counts are found from, which has to stay.
    let (mut out, mut needed) = (Vec::new(), vec![false; size]);
    let mut bits = 0;
    while let Some(candidate) = candidates.pop() {
        let Candidate { place, group, flow, .. } = candidate;
        let width = measure.width(&[place]) as u32;
        let is_out = |place: &PlaceId| out.contains(place);
        let others =
            knowledge.semiflows[flow].0.iter().map(|(other, _)| other).filter(|other| **other != place);
        if is_out(&place) || needed[place.index()] || bits + width > MOST_BITS || others.clone().any(is_out) {
            continue;
        }
        if candidate.age < groups[group].age {
            let gain = groups[group].gain(measure, &prices, place);
            if gain >= LEAST_GAIN {
                candidates.push(Candidate { gain, age: groups[group].age, ..candidate });
            }
            continue;
        }
        others.filter(|other| other.index() < size).for_each(|other| needed[other.index()] = true);
        out.push(place);
        bits += width;
        groups[group].take(measure, place);
    }
    let groups = groups.into_iter().map(|group| group.places).filter(|places| !places.is_empty());
    let groups: Vec<Vec<PlaceId>> = groups.collect();
    out.sort_unstable();
    (!out.is_empty() && !groups.is_empty()).then_some((groups, out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_from_the_rest_has_an_equation() {
        let place = PlaceId::new;
        let flow = |weights: &[(usize, u64)], constant| {
            (weights.iter().map(|(p, w)| (place(*p), *w)).collect::<Vec<_>>(), constant)
        };
        let semiflows = vec![flow(&[(0, 1), (1, 2), (2, 1)], 6), flow(&[(2, 1), (3, 1)], 1)];
        let knowledge =
            Knowledge { semiflows, bounds: vec![Some(6), Some(3), Some(1), Some(1)], ..Knowledge::default() };
        let of_first = equations(&[place(0)], &knowledge).unwrap();
        assert_eq!(of_first[0].weights, [(place(1), 2), (place(2), 1)]);
        assert_eq!((of_first[0].constant, of_first[0].bits()), (6, 3));
        assert_eq!(equations(&[place(1)], &knowledge), None, "its weight is 2");
        assert!(equations(&[place(0), place(3)], &knowledge).is_some());
        assert_eq!(equations(&[place(0), place(2)], &knowledge), None, "the first follows from the other");
    }
}
