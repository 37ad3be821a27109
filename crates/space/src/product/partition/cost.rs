//! What a partition costs, in bits per state.
//!
//! A state's rank is a number below S, the product of the numbers of local markings; a set of R such numbers takes
//! S/R bits each as a bitmap, and else about log2(S/R) + 3.5, and the time of looking for them there. The local tables
//! are shared by all states; they count up to three times, because large ones compete with everything else for the
//! processor's caches. Each component is looked at once per expansion, which
//! is not memory but time: a small price for each one beyond two.

use sweepnet_net::PlaceId;

use super::measure::Measure;
use super::sample::Sample;
use super::{Part, Partition};

/// Bits per state of a quotient table besides log2(S/R).
const SET: f64 = 3.5;
/// For the time that it takes longer to look something up there than in a bitmap.
const LOOKING_UP: f64 = 2.0;
/// How much dearer a table's byte is than the set's, where there are few states and where there are many.
const TABLES: [f64; 2] = [1.0, 3.0];
/// So many states are many.
const LARGE: f64 = 1e6;
/// For the time of each component beyond two, and beyond eight.
const COMPONENT: [f64; 2] = [0.15, 0.35];
/// For the time that it takes to look up what follows from the others.
const DETERMINED: f64 = 0.5;
/// Tables that cost more bits per state than this are no bargain, whatever they save.
const HOPELESS: f64 = 64.0;
const MANY_STATES: f64 = 100_000.0;
/// The price of what cannot be done: numbers or ranks that are too large.
const IMPOSSIBLE: f64 = 1_000.0;
/// Bits of a component's number, and of a rank.
const MOST_BITS: [f64; 2] = [31.0, 256.0];

/// One component: what is seen of it, and what to expect.
#[derive(Clone, Copy, Debug)]
pub struct PartCost {
    /// Local markings seen.
    pub seen: u32,
    /// The logarithm of the local markings to expect in the whole state space.
    pub expected: f64,
    /// What it adds to the bits of a rank: the same, or nothing if it follows from the others.
    pub rank: f64,
    /// Bytes of its tables now.
    pub bytes: f64,
    /// Bytes of its tables then.
    pub expected_bytes: f64,
}

/// Prices for one measure: how many states to expect.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    doublings: f64,
    expected_states: f64,
}

impl Prices {
    /// A state space this many times the usual sample is what partitions are judged for, unless more is expected.
    pub const BEYOND: f64 = 64.0;

    /// Prices for what is measured so: on the whole state space if the sample has it, else on a larger one.
    pub fn of(measure: &Measure<'_>) -> Self {
        let sample = measure.sample();
        let expected_states = match sample.complete() {
            Some(states) => states as f64,
            None => (sample.len().max(Sample::STATES) as f64 * Self::BEYOND)
                .min(measure.most_states())
                .max(sample.expected() as f64),
        }
        .max(1.0);
        Self { doublings: (expected_states / measure.states().max(1) as f64).log2(), expected_states }
    }

    /// How many states are expected.
    pub fn expected_states(&self) -> f64 {
        self.expected_states
    }

    /// What one set of places with this many bits and enabled transitions costs.
    pub fn set(&self, seen: super::measure::Seen, width: u64, enabled: f64) -> PartCost {
        // The local marking in whole words, its place in an index, and its lists of enabled transitions.
        self.part(seen, 8.0 * width.div_ceil(64) as f64 + 6.0 + 16.0 + 4.0 * enabled)
    }

    /// What a numbering of pairs costs, without what is paired.
    fn pair(&self, seen: super::measure::Seen, enabled: f64) -> PartCost {
        self.part(seen, 8.0 + 6.0 + 16.0 + 4.0 * enabled)
    }

    fn part(&self, seen: super::measure::Seen, bytes: f64) -> PartCost {
        let expected = seen.expected(self.doublings).min(self.expected_states.log2());
        PartCost {
            seen: seen.all,
            expected,
            rank: expected,
            bytes: f64::from(seen.all) * bytes,
            expected_bytes: expected.exp2() * bytes,
        }
    }

    /// What a set of places adds to the bits per state: a sum that is to be small.
    pub fn share(&self, part: &PartCost) -> f64 {
        part.expected
            + self.tables(part.expected_bytes)
            + (part.expected - MOST_BITS[0]).max(0.0) * IMPOSSIBLE
    }

    /// Whether the tables of a set of places alone cost so much that no partition with it can be any good. (Where there
    /// are few states, all tables cost much for each.)
    pub fn is_hopeless(&self, part: &PartCost) -> bool {
        self.expected_states > MANY_STATES && self.tables(part.expected_bytes) > HOPELESS
    }

    fn tables(&self, bytes: f64) -> f64 {
        let [few, many] = TABLES;
        let dearer = few + (many - few) * (self.expected_states / LARGE).min(1.0);
        8.0 * dearer * bytes / self.expected_states
    }

    /// What a component costs, with all that is below it.
    fn tree(&self, part: &Part, measure: &mut Measure<'_>) -> (PartCost, Vec<PlaceId>) {
        match part {
            Part::Places(places) => {
                let seen = measure.seen(places);
                (self.set(seen, measure.width(places), measure.enabled(places)), places.clone())
            }
            Part::Pair(left, right) => {
                let (left, mut places) = self.tree(left, measure);
                let (right, more) = self.tree(right, measure);
                places.extend(more);
                let seen = measure.seen(&places);
                let mut cost = self.pair(seen, measure.enabled(&places));
                cost.bytes += left.bytes + right.bytes;
                cost.expected_bytes += left.expected_bytes + right.expected_bytes;
                (cost, places)
            }
        }
    }

    /// What a partition costs: each component, and bits per state.
    pub fn partition(&self, partition: &Partition, measure: &mut Measure<'_>) -> (Vec<PartCost>, f64) {
        let mut parts: Vec<PartCost> =
            partition.parts.iter().map(|part| self.tree(part, measure).0).collect();
        if let Some(last) = parts.last_mut().filter(|_| partition.determined) {
            last.rank = 0.0;
        }
        let following = if partition.determined { DETERMINED } else { 0.0 };
        let bits = self.bits(&parts) + following;
        (parts, bits)
    }

    /// Bits per state of some components.
    pub fn bits(&self, parts: &[PartCost]) -> f64 {
        let rank: f64 = parts.iter().map(|part| part.rank).sum();
        let excess = (rank - self.expected_states.log2()).max(0.0);
        let tables = self.tables(parts.iter().map(|part| part.expected_bytes).sum());
        let too_large = parts.iter().map(|part| (part.expected - MOST_BITS[0]).max(0.0)).sum::<f64>()
            + (rank - MOST_BITS[1]).max(0.0);
        let set = excess.exp2().min(excess + SET + LOOKING_UP);
        set + tables + components(parts.len()) + too_large * IMPOSSIBLE
    }
}

/// The price of a number of components.
pub fn components(number: usize) -> f64 {
    COMPONENT[0] * number.saturating_sub(2) as f64 + COMPONENT[1] * number.saturating_sub(8) as f64
}
