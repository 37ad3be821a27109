//! How many numbers a component will need.

use std::collections::HashMap;

use sweepnet_net::PlaceId;

use super::knowledge::Knowledge;
use super::measure::Seen;

/// What may be counted in closed form: so much work, and so many markings.
const MOST_WORK: u64 = 1 << 18;
const MOST_MARKINGS: u64 = 1 << 24;

/// A guess: what was seen, with a margin and the growth of one more doubling of the states; exactly what was seen,
/// if that is everything.
pub fn guess(seen: Seen, complete: bool) -> u32 {
    if complete {
        return seen.all.max(1);
    }
    let guess = f64::from(seen.all) * 1.25 * seen.growth().exp2();
    (guess.ceil() as u32).clamp(16, 1 << 31)
}

/// For a set of places that is the support of a P-semiflow (places that never change left out): how many markings
/// of it have the right weighted number of tokens, and respect the places' bounds. No more are ever reached.
pub fn closed_form(
    places: &[PlaceId],
    knowledge: &Knowledge,
    changes: impl Fn(PlaceId) -> bool,
) -> Option<u32> {
    let mut set: Vec<PlaceId> = places.iter().copied().filter(|place| changes(*place)).collect();
    set.sort_unstable();
    let (weights, constant) = knowledge
        .semiflows
        .iter()
        .find(|(weights, _)| weights.len() == set.len() && weights.iter().map(|(p, _)| p).eq(&set))?;
    solutions(weights, *constant, knowledge)
}

/// The number of solutions of Σ weight · count = constant with counts within bounds, if it is small enough to be
/// counted and used.
fn solutions(weights: &[(PlaceId, u64)], constant: u64, knowledge: &Knowledge) -> Option<u32> {
    // ways[rest]: in how many ways the places so far leave this much of the constant.
    let mut ways: HashMap<u64, u64> = HashMap::from([(constant, 1)]);
    let mut work = 0u64;
    for (place, weight) in weights {
        let bound = knowledge.bound(*place).unwrap_or(u64::MAX);
        let mut next: HashMap<u64, u64> = HashMap::new();
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
    let count = ways.get(&0).copied().unwrap_or(0);
    (1..=MOST_MARKINGS).contains(&count).then_some(count as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(weights: &[u64]) -> Vec<(PlaceId, u64)> {
        weights.iter().enumerate().map(|(p, w)| (PlaceId::new(p), *w)).collect()
    }

    #[test]
    fn stars_and_bars() {
        // Six tokens on four places: C(9, 3).
        assert_eq!(solutions(&flow(&[1; 4]), 6, &Knowledge::default()), Some(84));
        // 2a + 3b = 12: (0, 4), (3, 2), (6, 0).
        assert_eq!(solutions(&flow(&[2, 3]), 12, &Knowledge::default()), Some(3));
        let bounded = Knowledge { bounds: vec![Some(5), None], ..Knowledge::default() };
        assert_eq!(solutions(&flow(&[2, 3]), 12, &bounded), Some(2));
        assert_eq!(solutions(&flow(&[1; 60]), 60, &Knowledge::default()), None);
    }

    #[test]
    fn only_exact_supports_have_a_closed_form() {
        let knowledge = Knowledge { semiflows: vec![(flow(&[1, 1]), 1)], ..Knowledge::default() };
        let places: Vec<PlaceId> = (0..3).map(PlaceId::new).collect();
        assert_eq!(closed_form(&places[..2], &knowledge, |_| true), Some(2));
        assert_eq!(closed_form(&places, &knowledge, |_| true), None);
        assert_eq!(closed_form(&places, &knowledge, |place| place.index() < 2), Some(2));
    }
}
