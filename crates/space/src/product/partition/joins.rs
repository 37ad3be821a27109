//! Joining whole components, as long as it pays.
//!
//! Where the counts of two components hang together, their pairs are fewer than the product tells, and one table for
//! both is the better bargain. Runs find this only for components that lie side by side.

use sweepnet_net::PlaceId;

use super::cost::{PartCost, Prices};
use super::measure::{Hash, Measure};

/// A join is worth it if it saves so many bits per state.
const LEAST_GAIN: f64 = 0.05;

/// Joins components of a division, two at a time, the two that gain most first. Nothing if no join pays.
pub fn joined(measure: &mut Measure<'_>, groups: &[Vec<PlaceId>]) -> Option<Vec<Vec<PlaceId>>> {
    let prices = Prices::of(measure);
    let mut parts: Vec<Part> = groups.iter().map(|places| Part::new(places, &prices, measure)).collect();
    while let Some((left, right, both)) = best_join(&prices, measure, &parts) {
        let more = parts.swap_remove(right);
        let part = &mut parts[left];
        part.places.extend(more.places);
        part.key = part.key.wrapping_add(more.key);
        part.hashes.iter_mut().zip(&more.hashes).for_each(|(hash, more)| *hash = hash.wrapping_add(*more));
        part.cost = both;
    }
    (parts.len() < groups.len()).then(|| parts.into_iter().map(|part| part.places).collect())
}

struct Part {
    places: Vec<PlaceId>,
    key: u64,
    hashes: Vec<Hash>,
    cost: PartCost,
}

impl Part {
    fn new(places: &[PlaceId], prices: &Prices, measure: &mut Measure<'_>) -> Self {
        let (key, hashes) = (measure.key(places), measure.hashes(places));
        let seen = measure.count(key, &hashes);
        let cost = prices.set(seen, measure.width(places), measure.enabled(places));
        Self { places: places.to_vec(), key, hashes, cost }
    }
}

/// The two components that gain most by becoming one, if any do, and what they cost then; the first is left of the
/// second.
fn best_join(prices: &Prices, measure: &mut Measure<'_>, parts: &[Part]) -> Option<(usize, usize, PartCost)> {
    let costs: Vec<PartCost> = parts.iter().map(|part| part.cost).collect();
    let mut least = prices.bits(&costs) - LEAST_GAIN;
    let mut best = None;
    for right in 1..parts.len() {
        for left in 0..right {
            let [a, b] = [&parts[left], &parts[right]];
            let seen = measure.seen_together((a.key, &a.hashes), (b.key, &b.hashes));
            let width = measure.width(&a.places) + measure.width(&b.places);
            let both = prices.set(seen, width, measure.enabled(&a.places) + measure.enabled(&b.places));
            let mut then = costs.clone();
            then.swap_remove(right);
            then[left] = both;
            let bits = prices.bits(&then);
            if bits < least {
                least = bits;
                best = Some((left, right, both));
            }
        }
    }
    best
}
