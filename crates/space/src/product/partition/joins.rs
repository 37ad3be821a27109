//! Joining whole components, as long as it pays.
//!
//! Where the counts of two components hang together, their pairs are fewer than the product tells, and one table for
//! both is the better bargain. Runs find this only for components that lie side by side.

use sweepnet_net::PlaceId;

use super::cost::{PartCost, Prices};
use super::measure::Measure;

/// A join is worth it if it saves so many bits per state.
const LEAST_GAIN: f64 = 0.05;

/// Joins components of a division, two at a time, the two that gain most first. Nothing if no join pays.
pub fn joined(measure: &mut Measure<'_>, groups: &[Vec<PlaceId>]) -> Option<Vec<Vec<PlaceId>>> {
    let prices = Prices::of(measure);
    let mut parts: Vec<Vec<PlaceId>> = groups.to_vec();
    let mut costs: Vec<PartCost> = parts.iter().map(|places| cost(&prices, measure, places)).collect();
    while let Some((left, right, both)) = best_join(&prices, measure, &parts, &costs) {
        let more = parts.swap_remove(right);
        costs.swap_remove(right);
        parts[left].extend(more);
        costs[left] = both;
    }
    (parts.len() < groups.len()).then_some(parts)
}

/// The two components that gain most by becoming one, if any do, and what they cost then; the first is left of the
/// second.
fn best_join(
    prices: &Prices,
    measure: &mut Measure<'_>,
    parts: &[Vec<PlaceId>],
    costs: &[PartCost],
) -> Option<(usize, usize, PartCost)> {
    let mut least = prices.bits(costs) - LEAST_GAIN;
    let mut best = None;
    for right in 1..parts.len() {
        for left in 0..right {
            let both = cost(prices, measure, &[&parts[left][..], &parts[right]].concat());
            let mut then = costs.to_vec();
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

fn cost(prices: &Prices, measure: &mut Measure<'_>, places: &[PlaceId]) -> PartCost {
    prices.set(measure.seen(places), measure.width(places), measure.enabled(places))
}
