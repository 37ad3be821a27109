//! How many local markings a set of places has: seen on a sample, and expected in the whole state space.
//!
//! The hash of a local marking is the sum of its counts times a random number per place, so that the hash of a union
//! is a sum and that of a run of places a difference of prefix sums. Different hashes are counted in a quarter, a
//! half and the whole of the sample: how fast the count grows, and how fast that growth slows down, tells what to
//! expect of more states.

use std::sync::Arc;

use sweepnet_net::{Net, PlaceId};

use super::allowed::Processes;
use super::distinct::Distinct;
use super::knowledge::Knowledge;
use super::noise::Noise;
use super::sample::Sample;
use crate::hashing::HashMap;

/// The hash of a local marking. Two of a sample of 20,000 have the same once in twenty times, and what is seen is one too
/// few then.
pub type Hash = u32;

/// Local markings seen in a quarter, half and all of the states looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// In a quarter of the states.
    pub quarter: u32,
    /// In a half.
    pub half: u32,
    /// In all.
    pub all: u32,
    /// No more than this can there be in the whole state space.
    pub most: u32,
    /// Whether as many will be found.
    pub all_found: bool,
}

impl Seen {
    /// What is seen of places that never change.
    pub const ONE: Self = Self { quarter: 1, half: 1, all: 1, most: 1, all_found: true };

    /// How many doublings the last doubling of the states brought.
    pub fn growth(self) -> f64 {
        (f64::from(self.all.max(1)) / f64::from(self.half.max(1))).log2()
    }

    /// The logarithm of the number of local markings to expect after so many more doublings of the states: growth
    /// goes on, but slows down as it did before; and it ends where there can be no more.
    pub fn expected(self, doublings: f64) -> f64 {
        let most = f64::from(self.most.max(1)).log2();
        if self.all_found { most } else { self.going_on(doublings).min(most) }
    }

    fn going_on(self, doublings: f64) -> f64 {
        let now = f64::from(self.all.max(1)).log2();
        let before = (f64::from(self.half.max(1)) / f64::from(self.quarter.max(1))).log2();
        let growth = self.growth();
        if growth <= 0.0 || doublings <= 0.0 {
            return now;
        }
        // Between slowing down as before and not slowing down at all: new regions of the state space are larger than
        // they look from the sample.
        let slowing = (growth / before.max(growth)).sqrt().clamp(SLOWEST, 1.0);
        let sum = if slowing > 0.999 {
            doublings
        } else {
            slowing * (1.0 - slowing.powf(doublings)) / (1.0 - slowing)
        };
        now + growth * sum
    }
}

/// No growth is believed to end at once.
const SLOWEST: f64 = 0.3;

/// States on which the cost of enabled transitions is measured.
const ENABLING_STATES: usize = 64;

/// Measures sets of places on some states of a sample.
pub struct Measure<'a> {
    sample: &'a Sample,
    states: usize,
    /// By place: a random number, 0 for places that never change.
    keys: Vec<u64>,
    /// By place: its position among the sample's places.
    position: Vec<u32>,
    /// By place: bits of a count.
    width: Vec<u32>,
    /// By place: its share of the transitions that are enabled as far as it is concerned.
    enabled: Vec<f64>,
    /// How many transitions are enabled in a state, on average, and the key of all places.
    arcs: f64,
    all: u64,
    ignorance: f64,
    most_states: f64,
    known: HashMap<u64, Seen>,
    /// By key, how many local markings a set can have, where that is known.
    most: HashMap<u64, u32>,
    processes: Option<Arc<Processes>>,
    distinct: Distinct,
}

impl<'a> Measure<'a> {
    /// A measure on so many states of the sample.
    pub fn new(net: &Net, knowledge: &Knowledge, sample: &'a Sample, states: usize) -> Self {
        let mut noise = Noise::new(0x0FF5);
        let mut keys = vec![0; net.places().len()];
        let mut position = vec![0; net.places().len()];
        for (at, place) in sample.places().iter().enumerate() {
            keys[place.index()] = noise.next();
            position[place.index()] = at as u32;
        }
        let width = net.place_ids().map(|place| {
            let most = knowledge.bound(place).unwrap_or_else(|| sample.most(place).saturating_mul(2));
            u64::BITS - most.leading_zeros()
        });
        let mut measure = Self {
            sample,
            states: states.min(sample.len()),
            width: width.collect(),
            enabled: vec![0.0; keys.len()],
            arcs: 0.0,
            all: keys.iter().fold(0, |sum, key| sum.wrapping_add(*key)),
            ignorance: ignorance(sample),
            most_states: sample.at_most() as f64,
            keys,
            position,
            known: HashMap::default(),
            most: HashMap::default(),
            processes: knowledge.processes.clone(),
            distinct: Distinct::default(),
        };
        let allowed = measure.allowed_states().unwrap_or(f64::INFINITY);
        measure.expecting_at_most(measure.most_states.min(allowed));
        measure.learn_enabling(net, knowledge);
        measure
    }

    /// Each transition adds to its places, divided evenly, how often they allow it; and to all of them together, how often
    /// all do.
    fn learn_enabling(&mut self, net: &Net, knowledge: &Knowledge) {
        let looked_at = self.states.min(ENABLING_STATES);
        let of_looked_at = if looked_at < 64 { (1 << looked_at) - 1 } else { u64::MAX };
        let share = |states: u64| f64::from((states & of_looked_at).count_ones()) / looked_at.max(1) as f64;
        let mut touched: Vec<PlaceId> = Vec::new();
        for t in net.transition_ids().filter(|t| !knowledge.is_dead(*t)) {
            touched.clear();
            let kinds = [net.inputs(), net.outputs(), net.reads(), net.inhibitors(), net.resets()];
            touched.extend(kinds.iter().flat_map(|arcs| arcs.of(t)).map(|arc| arc.place));
            touched.sort_unstable();
            touched.dedup();
            let mut by_all = u64::MAX;
            for place in &touched {
                let at_least = net.inputs().weight(t, *place).max(net.reads().weight(t, *place));
                let below = match net.inhibitors().weight(t, *place) {
                    0 => u64::MAX,
                    weight => weight,
                };
                let allowed = |count: u64| at_least <= count && count < below;
                // A bit for each state that is looked at.
                let in_states = if self.is_changing(*place) && looked_at > 0 {
                    let column = self.sample.column(self.position[place.index()] as usize);
                    let counts = column.iter().take(looked_at).enumerate();
                    counts.fold(0, |all, (at, count)| all | u64::from(allowed(u64::from(count))) << at)
                } else if allowed(net.place(*place).initial) {
                    u64::MAX
                } else {
                    0
                };
                let share = share(in_states);
                self.enabled[place.index()] += share / touched.len() as f64;
                by_all &= in_states;
            }
            self.arcs += share(by_all);
        }
    }

    /// How far the sample is not to be trusted, in bits per state: nothing if it is complete, more if many places
    /// have not changed yet.
    pub fn ignorance(&self) -> f64 {
        self.ignorance
    }

    /// How many states there will be at most, as far as anything is known.
    pub fn most_states(&self) -> f64 {
        self.most_states
    }

    /// The same measure for a state space that seems to have at most so many.
    pub fn expecting_at_most(&mut self, states: f64) {
        self.most_states = states.max(self.states as f64);
    }

    /// How many states are looked at.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The sample.
    pub fn sample(&self) -> &'a Sample {
        self.sample
    }

    /// Whether the place has different counts in the sample.
    pub fn is_changing(&self, place: PlaceId) -> bool {
        self.keys[place.index()] != 0
    }

    /// Bits of a local marking.
    pub fn width(&self, places: &[PlaceId]) -> u64 {
        places.iter().map(|place| u64::from(self.width[place.index()])).sum()
    }

    /// Transitions that are enabled in a local marking, roughly.
    pub fn enabled(&self, places: &[PlaceId]) -> f64 {
        if self.key(places) == self.all {
            return self.arcs;
        }
        places.iter().map(|place| self.enabled[place.index()]).sum()
    }

    /// The sum of random numbers that stands for a set of places.
    pub fn key(&self, places: &[PlaceId]) -> u64 {
        places.iter().fold(0, |sum, place| sum.wrapping_add(self.keys[place.index()]))
    }

    /// Adds the hashes of a place to those of a set, by state; or takes them away.
    pub fn add(&self, place: PlaceId, hashes: &mut [Hash], take_away: bool) {
        let key = self.keys[place.index()];
        if key == 0 {
            return;
        }
        let factor = if take_away { (key as Hash).wrapping_neg() } else { key as Hash };
        let column = self.sample.column(self.position[place.index()] as usize);
        for (bytes, worth) in column.bytes() {
            let factor = factor.wrapping_mul(Hash::from(worth));
            for (hash, byte) in hashes.iter_mut().zip(bytes) {
                *hash = hash.wrapping_add(factor.wrapping_mul(Hash::from(*byte)));
            }
        }
    }

    /// The hashes of a set, by state.
    pub fn hashes(&self, places: &[PlaceId]) -> Vec<Hash> {
        let mut hashes = vec![0; self.states];
        for place in places {
            self.add(*place, &mut hashes, false);
        }
        hashes
    }

    /// What was seen of a set that was measured before.
    pub fn known(&self, key: u64) -> Option<Seen> {
        if key == 0 { Some(Seen::ONE) } else { self.known.get(&key).copied() }
    }

    /// What is seen of the set with this key and these hashes.
    pub fn count(&mut self, key: u64, hashes: &[Hash]) -> Seen {
        if let Some(seen) = self.known(key) {
            return seen;
        }
        let [quarter, half, all] = self.distinct.count(hashes).map(|count| count as u32);
        self.note(key, Seen { quarter, half, all, most: u32::MAX, all_found: false })
    }

    /// Whether what is seen of a set tells all states apart that are looked at.
    pub fn tells_all_apart(&self, seen: Seen) -> bool {
        seen.all as usize == self.states
    }

    /// The same as [`count`](Self::count), if this is seen of a part of the set: where the part tells all states
    /// apart there is nothing to count, and the hashes are not looked at.
    pub fn count_beyond(&mut self, part: Seen, key: u64, hashes: &[Hash]) -> Seen {
        if !self.tells_all_apart(part) {
            return self.count(key, hashes);
        }
        self.note(key, part)
    }

    /// What is seen of the set with this key, with what is known of it.
    fn note(&mut self, key: u64, seen: Seen) -> Seen {
        let most = self.most(key);
        let all_found = most.is_some() && self.believes_processes();
        let seen = Seen { most: most.unwrap_or(u32::MAX), all_found, ..seen };
        self.known.insert(key, seen);
        seen
    }

    /// How many local markings the set with this key can have, if that is known.
    pub fn most(&self, key: u64) -> Option<u32> {
        if key == 0 { Some(1) } else { self.most.get(&key).copied() }
    }

    /// The set with this key can have no more local markings than these.
    pub fn limit(&mut self, key: u64, most: u32) {
        self.most.insert(key, most);
        if let Some(seen) = self.known(key) {
            self.note(key, seen);
        }
    }

    /// What another measure of the same net knows of how many there can be.
    pub fn limited_as(&mut self, other: &Self) {
        self.most.clone_from(&other.most);
    }

    /// What is seen of the set with this key and these hashes when a place of it is left out.
    pub fn seen_without(&mut self, (key, hashes): (u64, &[Hash]), place: PlaceId) -> Seen {
        let key = key.wrapping_sub(self.keys[place.index()]);
        self.known(key).unwrap_or_else(|| {
            let mut rest = hashes.to_vec();
            self.add(place, &mut rest, true);
            self.count(key, &rest)
        })
    }

    /// What is seen of two sets together, each with its key and hashes.
    pub fn seen_together(&mut self, left: (u64, &[Hash]), right: (u64, &[Hash])) -> Seen {
        let key = left.0.wrapping_add(right.0);
        self.known(key).unwrap_or_else(|| {
            let sums: Vec<Hash> = left.1.iter().zip(right.1).map(|(a, b)| a.wrapping_add(*b)).collect();
            self.count(key, &sums)
        })
    }

    /// Whether what processes allow tells more of what will be found than the sample does.
    pub fn believes_processes(&self) -> bool {
        self.processes.is_some() && self.sample.len() <= Sample::FEWEST_STATES
    }

    /// Processes that exclude each other, if the net has such.
    pub fn processes(&self) -> Option<Arc<Processes>> {
        self.processes.clone()
    }

    /// How many local markings processes allow a set of places, if they are all that has to do with it.
    pub fn allowed(&self, places: &[PlaceId]) -> Option<u32> {
        let processes = self.processes.as_ref()?;
        let changing: Vec<PlaceId> = places.iter().copied().filter(|it| self.is_changing(*it)).collect();
        u32::try_from(processes.most(&changing)?).ok()
    }

    /// How many states they allow, if they are all there is.
    pub fn allowed_states(&self) -> Option<f64> {
        self.processes.as_ref().map(|it| it.most_states() as f64)
    }

    /// What is seen of a set.
    pub fn seen(&mut self, places: &[PlaceId]) -> Seen {
        let key = self.key(places);
        match self.known(key) {
            Some(seen) => seen,
            None => {
                let hashes = self.hashes(places);
                if let Some(most) = self.allowed(places).filter(|_| self.most(key).is_none()) {
                    self.limit(key, most);
                }
                self.count(key, &hashes)
            }
        }
    }
}

/// See [`Measure::ignorance`].
fn ignorance(sample: &Sample) -> f64 {
    let places = sample.places().len();
    if sample.complete().is_some() || places == 0 {
        return 0.0;
    }
    let still = (0..places).filter(|place| sample.column(*place).is_still()).count();
    0.75 + 4.0 * still as f64 / places as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_stopped_growing_is_expected_to_stay() {
        let seen = Seen { quarter: 84, half: 84, all: 84, most: u32::MAX, all_found: false };
        assert_eq!(seen.expected(6.0), 84f64.log2());
    }

    #[test]
    fn what_is_always_new_is_expected_to_go_on() {
        let seen = Seen { quarter: 1000, half: 2000, all: 4000, most: u32::MAX, all_found: false };
        assert!((seen.expected(6.0) - (4000f64.log2() + 6.0)).abs() < 1e-9);
        assert_eq!(Seen { most: 5000, ..seen }.expected(6.0), 5000f64.log2());
    }

    #[test]
    fn what_slows_down_is_expected_to_slow_down_further() {
        let seen = Seen { quarter: 1000, half: 1400, all: 1700, most: u32::MAX, all_found: false };
        let expected = seen.expected(6.0).exp2();
        assert!((1700.0..3000.0).contains(&expected), "{expected}");
    }
}
