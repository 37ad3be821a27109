//! Components from the net's graph, found from below: each place begins on its own, and again and again the two
//! components that gain most by it become one.
//!
//! The gain of joining a and b is log2 N(a) + log2 N(b) − log2 N(a ∪ b), measured on a sample: how many bits of the
//! rank are saved. It is taken in proportion to what the smaller one has to give, so that a place goes to where its
//! count follows from the others' (complements, semiflows, processes), and large components do not swallow
//! everything. Only components that share a transition are tried.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use sweepnet_net::{Net, PlaceId};

use super::cost::{PartCost, Prices};
use super::knowledge::Knowledge;
use super::measure::{Hash, Measure};
use crate::hashing::HashMap;

/// Transitions with more places than this say little about who belongs together.
const WIDEST_TRANSITION: usize = 24;
/// Joins that are tried, at most.
const MOST_TRIALS: usize = 9_000;

/// Which places share transitions, and how closely.
#[derive(Clone, Debug)]
pub struct Neighbours {
    of: Vec<BTreeMap<PlaceId, f64>>,
}

impl Neighbours {
    /// Of places that change, over transitions that may fire; a transition with many places counts less for each
    /// two of them.
    pub fn new(net: &Net, knowledge: &Knowledge, changes: impl Fn(PlaceId) -> bool) -> Self {
        let mut of = vec![BTreeMap::new(); net.places().len()];
        for t in net.transition_ids().filter(|t| !knowledge.is_dead(*t)) {
            let kinds = [net.inputs(), net.outputs(), net.reads(), net.inhibitors(), net.resets()];
            let mut places: Vec<PlaceId> = kinds
                .iter()
                .flat_map(|arcs| arcs.of(t))
                .map(|arc| arc.place)
                .filter(|p| changes(*p))
                .collect();
            places.sort_unstable();
            places.dedup();
            if !(2..=WIDEST_TRANSITION).contains(&places.len()) {
                continue;
            }
            let weight = 1.0 / (places.len() - 1) as f64;
            for a in &places {
                for b in places.iter().filter(|b| *b != a) {
                    *of[a.index()].entry(*b).or_default() += weight;
                }
            }
        }
        Self { of }
    }

    /// The neighbours of a place, with how closely they are related.
    pub fn of(&self, place: PlaceId) -> impl Iterator<Item = (PlaceId, f64)> + '_ {
        self.of[place.index()].iter().map(|(place, weight)| (*place, *weight))
    }
}

/// How joins are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// By bits gained.
    Bits,
    /// By bits gained in proportion to what the smaller component has.
    Share,
}

/// The components that there are when at most `pieces` remain, in the order of the tree of joins: what would be
/// joined next lies close together.
pub fn sequence(
    measure: &mut Measure<'_>,
    neighbours: &Neighbours,
    ranking: Ranking,
    pieces: usize,
) -> Vec<Vec<PlaceId>> {
    let mut joining = Joining::new(measure, neighbours, ranking);
    let mut sets = joining.run(pieces);
    let mut ends: Vec<Vec<PlaceId>> = joining.components.into_iter().flatten().map(|c| c.places).collect();
    ends.sort_by_key(|places| places.iter().min().copied());
    let rank: HashMap<PlaceId, usize> = ends.concat().into_iter().enumerate().map(|(i, p)| (p, i)).collect();
    sets.sort_by_key(|set| set.first().and_then(|place| rank.get(place)));
    sets
}

struct Component {
    places: Vec<PlaceId>,
    hashes: Vec<Hash>,
    key: u64,
    width: u64,
    enabled: f64,
    cost: PartCost,
    neighbours: BTreeMap<usize, f64>,
}

/// Two components that may be joined; the best one is the greatest.
#[derive(Clone, Copy, Debug)]
struct Trial {
    gain: f64,
    pair: (usize, usize),
}

impl PartialEq for Trial {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Trial {}

impl PartialOrd for Trial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Trial {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then_with(|| other.pair.cmp(&self.pair))
    }
}

struct Joining<'m, 'a> {
    measure: &'m mut Measure<'a>,
    prices: Prices,
    ranking: Ranking,
    components: Vec<Option<Component>>,
    trials: BinaryHeap<Trial>,
    tried: usize,
    sums: Vec<Hash>,
}

impl<'m, 'a> Joining<'m, 'a> {
    fn new(measure: &'m mut Measure<'a>, neighbours: &Neighbours, ranking: Ranking) -> Self {
        let prices = Prices::of(measure);
        let places = measure.sample().places().to_vec();
        let component_of: BTreeMap<PlaceId, usize> =
            places.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        let components = places.iter().map(|place| {
            let set = vec![*place];
            let hashes = measure.hashes(&set);
            let key = measure.key(&set);
            let (width, enabled) = (measure.width(&set), measure.enabled(&set));
            let cost = prices.set(measure.count(key, &hashes), width, enabled);
            let neighbours =
                neighbours.of(*place).map(|(other, weight)| (component_of[&other], weight)).collect();
            Some(Component { places: set, hashes, key, width, enabled, cost, neighbours })
        });
        let components = components.collect();
        Self { measure, prices, ranking, components, trials: BinaryHeap::new(), tried: 0, sums: Vec::new() }
    }

    /// Joins until nothing is left to join. Gives the components that there were when so many remained.
    fn run(&mut self, pieces: usize) -> Vec<Vec<PlaceId>> {
        let mut remaining = self.components.len();
        let mut sets = (remaining <= pieces).then(|| self.sets());
        for a in 0..self.components.len() {
            let Some(component) = &self.components[a] else { continue };
            let others: Vec<usize> = component.neighbours.range(a + 1..).map(|(b, _)| *b).collect();
            for b in others {
                self.try_join(a, b);
            }
        }
        while let Some(Trial { pair: (a, b), .. }) = self.trials.pop() {
            // Trials of components that are gone are left in the heap until they come up.
            if self.components[a].is_none() || self.components[b].is_none() || self.tried > MOST_TRIALS {
                continue;
            }
            self.join(a, b);
            remaining -= 1;
            if remaining == pieces {
                sets = Some(self.sets());
            }
        }
        sets.unwrap_or_else(|| self.sets())
    }

    fn sets(&self) -> Vec<Vec<PlaceId>> {
        self.components.iter().flatten().map(|component| component.places.clone()).collect()
    }

    fn try_join(&mut self, a: usize, b: usize) {
        let (Some(left), Some(right)) = (&self.components[a], &self.components[b]) else { return };
        self.tried += 1;
        let key = left.key.wrapping_add(right.key);
        let seen = match self.measure.known(key) {
            Some(seen) => seen,
            None => {
                self.sums.clear();
                self.sums.extend(left.hashes.iter().zip(&right.hashes).map(|(a, b)| a.wrapping_add(*b)));
                self.measure.count(key, &self.sums)
            }
        };
        let both = self.prices.set(seen, left.width + right.width, left.enabled + right.enabled);
        let saved = self.prices.share(&left.cost) + self.prices.share(&right.cost) - self.prices.share(&both);
        let gain = match self.ranking {
            Ranking::Bits => saved,
            Ranking::Share => saved / left.cost.expected.min(right.cost.expected).max(0.5),
        };
        // Places that have not changed yet have nothing to give: they go to those they are most related to.
        let related = left.neighbours.get(&b).copied().unwrap_or(0.0);
        let gain = gain + 0.01 * related / (1.0 + related);
        self.trials.push(Trial { gain, pair: (a, b) });
    }

    fn join(&mut self, a: usize, b: usize) {
        let (Some(left), Some(right)) = (self.components[a].take(), self.components[b].take()) else {
            return;
        };
        let new = self.components.len();
        let mut neighbours = left.neighbours;
        for (other, weight) in right.neighbours {
            *neighbours.entry(other).or_default() += weight;
        }
        neighbours.remove(&a);
        neighbours.remove(&b);
        for (other, weight) in &neighbours {
            if let Some(other) = &mut self.components[*other] {
                other.neighbours.remove(&a);
                other.neighbours.remove(&b);
                other.neighbours.insert(new, *weight);
            }
        }
        let places = [left.places, right.places].concat();
        let hashes: Vec<Hash> =
            left.hashes.iter().zip(&right.hashes).map(|(a, b)| a.wrapping_add(*b)).collect();
        let key = left.key.wrapping_add(right.key);
        let seen = self.measure.count(key, &hashes);
        let (width, enabled) = (left.width + right.width, left.enabled + right.enabled);
        let cost = self.prices.set(seen, width, enabled);
        let others: Vec<usize> = neighbours.keys().copied().collect();
        self.components.push(Some(Component { places, hashes, key, width, enabled, cost, neighbours }));
        for other in others {
            self.try_join(other, new);
        }
    }
}
