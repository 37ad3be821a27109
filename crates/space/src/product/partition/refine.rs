//! Moving single places between components, as long as it pays.

use sweepnet_net::PlaceId;

use super::clusters::Neighbours;
use super::cost::{PartCost, Prices};
use super::measure::{Hash, Measure};
use crate::hashing::HashMap;

/// Moves that are tried, at most.
const MOST_TRIALS: usize = 900;
/// A move is worth it if it saves so many bits per state.
const LEAST_GAIN: f64 = 0.02;

/// Moves places of a division to components of their neighbours. Nothing if no move pays.
pub fn refined(
    measure: &mut Measure<'_>,
    neighbours: &Neighbours,
    groups: &[Vec<PlaceId>],
) -> Option<Vec<Vec<PlaceId>>> {
    let prices = Prices::of(measure);
    let mut components: Vec<Component> =
        groups.iter().map(|places| Component::new(places.clone(), &prices, measure)).collect();
    let mut home: HashMap<PlaceId, usize> = HashMap::default();
    for (at, component) in components.iter().enumerate() {
        home.extend(component.places.iter().map(|place| (*place, at)));
    }
    let places = measure.sample().places();
    let mut trials = 0;
    let mut moved = false;
    let mut idle = 0;
    let mut at = 0;
    while idle < places.len() && trials < MOST_TRIALS {
        let place = places[at];
        at = (at + 1) % places.len();
        idle += 1;
        let Some(from) = home.get(&place).copied() else { continue };
        if components[from].places.len() == 1 {
            continue;
        }
        let mut targets: Vec<usize> =
            neighbours.of(place).filter_map(|(other, _)| home.get(&other).copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|target| *target != from);
        if targets.is_empty() {
            continue;
        }
        let less = components[from].changed(place, true, &prices, measure);
        let saved = prices.share(&components[from].cost) - prices.share(&less.cost);
        let mut best: Option<(f64, usize, Component)> = None;
        for target in targets {
            trials += 1;
            let more = components[target].changed(place, false, &prices, measure);
            let gain = saved + prices.share(&components[target].cost) - prices.share(&more.cost);
            if gain > best.as_ref().map_or(LEAST_GAIN, |best| best.0) {
                best = Some((gain, target, more));
            }
        }
        if let Some((_, target, more)) = best {
            components[from] = less;
            components[target] = more;
            home.insert(place, target);
            moved = true;
            idle = 0;
        }
    }
    moved.then(|| components.into_iter().map(|component| component.places).collect())
}

struct Component {
    places: Vec<PlaceId>,
    hashes: Vec<Hash>,
    cost: PartCost,
}

impl Component {
    fn new(places: Vec<PlaceId>, prices: &Prices, measure: &mut Measure<'_>) -> Self {
        let hashes = measure.hashes(&places);
        Self::measured(places, hashes, prices, measure)
    }

    fn measured(places: Vec<PlaceId>, hashes: Vec<Hash>, prices: &Prices, measure: &mut Measure<'_>) -> Self {
        let key = measure.key(&places);
        let seen = measure.count(key, &hashes);
        let cost = prices.set(seen, measure.width(&places), measure.enabled(&places));
        Self { places, hashes, cost }
    }

    /// The same with a place more, or without it.
    fn changed(&self, place: PlaceId, without: bool, prices: &Prices, measure: &mut Measure<'_>) -> Self {
        let mut places = self.places.clone();
        if without {
            places.retain(|p| *p != place);
        } else {
            places.push(place);
        }
        let mut hashes = self.hashes.clone();
        measure.add(place, &mut hashes, without);
        Self::measured(places, hashes, prices, measure)
    }
}
