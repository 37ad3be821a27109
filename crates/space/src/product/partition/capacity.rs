//! How many numbers a component will need.

use sweepnet_net::PlaceId;

use super::knowledge::Knowledge;
use super::measure::Seen;
use crate::hashing::HashMap;

/// What may be counted in closed form: so much work, and so many markings.
const MOST_WORK: u64 = 1 << 16;
const MOST_MARKINGS: u64 = 1 << 24;
/// From so many tokens on, a place counts.
const MANY_TOKENS: u64 = 8;
/// Semiflows that are asked about one set.
const MOST_SEMIFLOWS: usize = 16;

/// A guess: what was seen, with a margin and the growth of one more doubling of the states; exactly what was seen,
/// if that is everything.
pub fn guess(seen: Seen, complete: bool) -> u32 {
    if complete {
        return seen.all.max(1);
    }
    let guess = f64::from(seen.all) * 1.25 * seen.growth().exp2();
    (guess.ceil() as u32).clamp(16, 1 << 31)
}

/// How many markings a set of places can have at most: as many as their bounds allow, or fewer where a P-semiflow
/// shares out its tokens among them. Only places that may change count. Nothing if that is not known, or too many.
pub fn most(places: &[PlaceId], knowledge: &Knowledge, changes: impl Fn(PlaceId) -> bool) -> Option<u32> {
    let mut set: Vec<PlaceId> = places.iter().copied().filter(|place| changes(*place)).collect();
    set.sort_unstable();
    let alone = |place: &PlaceId| knowledge.bound(*place).and_then(|bound| bound.checked_add(1));
    let all_but = |inside: &[(PlaceId, u64)]| {
        let outside = set.iter().filter(|place| inside.binary_search_by_key(place, |(p, _)| p).is_err());
        outside.map(alone).try_fold(1u64, |product, factor| product.checked_mul(factor?))
    };
    let shared = knowledge.semiflows.iter().filter_map(|(weights, constant)| {
        let inside: Vec<(PlaceId, u64)> =
            weights.iter().filter(|(place, _)| set.binary_search(place).is_ok()).copied().collect();
        (inside.len() > 1).then_some((inside.len() == weights.len(), inside, *constant))
    });
    let by_semiflows = shared.take(MOST_SEMIFLOWS).filter_map(|(whole, inside, constant)| {
        solutions(&inside, constant, whole, knowledge)?.checked_mul(all_but(&inside)?)
    });
    let most = by_semiflows.chain(all_but(&[])).min()?;
    (1..=MOST_MARKINGS).contains(&most).then_some(most as u32)
}

/// How many times what a set of places seems to need it is given at once, if it can never have more. Where places count
/// many tokens, all ways to share them out are mostly reached sooner or later, and often where they are all that share
/// them; elsewhere hardly ever.
pub fn ample(places: &[PlaceId], knowledge: &Knowledge, changes: impl Fn(PlaceId) -> bool) -> u32 {
    let mut set: Vec<PlaceId> = places.iter().copied().filter(|place| changes(*place)).collect();
    set.sort_unstable();
    let counts = set.iter().any(|place| knowledge.bound(*place).is_some_and(|bound| bound >= MANY_TOKENS));
    let is_support = |weights: &[(PlaceId, u64)]| weights.iter().map(|(place, _)| place).eq(&set);
    match counts {
        true => 4,
        false if knowledge.semiflows.iter().any(|(weights, _)| is_support(weights)) => 2,
        false => 1,
    }
}

/// The number of solutions of Σ weight · count = constant with counts within bounds, or of ≤ where that is not all
/// that the constant counts; if it can be counted with little work.
fn solutions(weights: &[(PlaceId, u64)], constant: u64, whole: bool, knowledge: &Knowledge) -> Option<u64> {
    // ways[rest]: in how many ways the places so far leave this much of the constant.
    let mut ways: HashMap<u64, u64> = HashMap::from_iter([(constant, 1)]);
    let mut work = 0u64;
    for (place, weight) in weights {
        let bound = knowledge.bound(*place).unwrap_or(u64::MAX);
        let mut next: HashMap<u64, u64> = HashMap::default();
        for (rest, count) in &ways {
            let most = bound.min(rest / weight);
            work = work.saturating_add(most);
            if work > MOST_WORK {
                return None;
            }
            for tokens in 0..=most {
                let sum = next.entry(rest - tokens * weight).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
        ways = next;
    }
    if whole {
        return ways.get(&0).copied();
    }
    Some(ways.values().fold(0, |sum: u64, count| sum.saturating_add(*count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(weights: &[u64]) -> Vec<(PlaceId, u64)> {
        weights.iter().enumerate().map(|(p, w)| (PlaceId::new(p), *w)).collect()
    }

    #[test]
    fn stars_and_bars() {
        let free = Knowledge::default();
        // Six tokens on four places: C(9, 3).
        assert_eq!(solutions(&flow(&[1; 4]), 6, true, &free), Some(84));
        // At most six on three: the same.
        assert_eq!(solutions(&flow(&[1; 3]), 6, false, &free), Some(84));
        // 2a + 3b = 12: (0, 4), (3, 2), (6, 0).
        assert_eq!(solutions(&flow(&[2, 3]), 12, true, &free), Some(3));
        let bounded = Knowledge { bounds: vec![Some(5), None], ..Knowledge::default() };
        assert_eq!(solutions(&flow(&[2, 3]), 12, true, &bounded), Some(2));
        assert_eq!(solutions(&flow(&[1; 60]), 600, true, &free), None);
    }

    #[test]
    fn bounds_and_semiflows_tell_how_many_there_can_be() {
        let places: Vec<PlaceId> = (0..4).map(PlaceId::new).collect();
        let semiflows = vec![(flow(&[1, 1, 1]), 2)];
        let knowledge = Knowledge { semiflows, bounds: vec![Some(2); 3], ..Knowledge::default() };
        assert_eq!(ample(&places[..2], &knowledge, |_| true), 1);
        assert_eq!(ample(&places[..3], &knowledge, |_| true), 2);
        assert_eq!(most(&places[..1], &knowledge, |_| true), Some(3));
        assert_eq!(most(&places[..2], &knowledge, |_| true), Some(6));
        assert_eq!(most(&places[..3], &knowledge, |_| true), Some(6));
        assert_eq!(most(&places, &knowledge, |_| true), None, "nothing is known of the last");
        assert_eq!(most(&places, &knowledge, |place| place.index() < 3), Some(6));
    }
}
