//! Upper bounds of linear expressions over the places.
//!
//! Σ c(p)·m(p) is at most the sum of c(p) times the place's bound over the positive c(p); what has a negative
//! factor contributes at most 0. That is crude where places exclude each other: for a certificate
//! Σ y(p)·m(p) ≤ K and a group G of its places, Σ over G of c(p)·m(p) ≤ max(c(p)/y(p))·K, once for the whole
//! group. Groups are chosen greedily, the one that saves most first. The result is a bound, not the least one.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use sweepnet_net::PlaceId;

use crate::bounds::Bounds;

impl Bounds {
    /// An upper bound of Σ c·m(p) over all reachable markings; nothing if none is known, or if a number leaves
    /// `i128`. A place may occur several times: its factors add up.
    pub fn sum_bound(&self, weights: &[(PlaceId, i128)]) -> Option<i128> {
        let mut terms = weights.to_vec();
        terms.sort_unstable_by_key(|(place, _)| *place);
        let mut left: Vec<(PlaceId, i128)> = Vec::with_capacity(terms.len());
        for (place, factor) in terms {
            match left.last_mut() {
                Some((last, sum)) if *last == place => *sum = sum.checked_add(factor)?,
                _ => left.push((place, factor)),
            }
        }
        left.retain(|(_, factor)| *factor > 0);
        let mut groups = Groups::new(self, left);
        let mut total = 0i128;
        while let Some(bound) = groups.take_best() {
            total = total.checked_add(bound)?;
        }
        groups.terms().try_fold(total, |sum, (place, factor)| sum.checked_add(self.term(place, factor)?))
    }

    fn term(&self, place: PlaceId, factor: i128) -> Option<i128> {
        factor.checked_mul(i128::from(self.of(place)?))
    }
}

/// The terms that no group has taken yet, and what each certificate would save.
struct Groups<'a> {
    bounds: &'a Bounds,
    /// By place; a factor of 0 where a group has taken it.
    left: Vec<(PlaceId, i128)>,
    /// What certificates save, the most on top. What was noted before one of its places was taken is out of date.
    savings: BinaryHeap<(i128, Reverse<u32>)>,
    /// What each certificate saves now.
    current: HashMap<u32, i128>,
}

impl<'a> Groups<'a> {
    fn new(bounds: &'a Bounds, left: Vec<(PlaceId, i128)>) -> Self {
        let mut indices: Vec<u32> =
            left.iter().flat_map(|(p, _)| &bounds.by_place[p.index()]).copied().collect();
        indices.sort_unstable();
        let mut groups = Self { bounds, left, savings: BinaryHeap::new(), current: HashMap::new() };
        // Only certificates met twice can do better than the places alone.
        for same in indices.chunk_by(|a, b| a == b).filter(|same| same.len() > 1) {
            groups.weigh(same[0]);
        }
        groups
    }

    /// The terms that are left.
    fn terms(&self) -> impl Iterator<Item = (PlaceId, i128)> + '_ {
        self.left.iter().copied().filter(|(_, factor)| *factor > 0)
    }

    /// Takes the group of places, inside one certificate, that is cheaper together than apart by most, and tells its
    /// bound.
    fn take_best(&mut self) -> Option<i128> {
        loop {
            let (saved, Reverse(index)) = self.savings.pop()?;
            if self.current.get(&index) != Some(&saved) {
                continue;
            }
            let (bound, group) = self.group(index)?;
            let mut concerned: Vec<u32> = Vec::new();
            for at in group {
                let (place, factor) = &mut self.left[at];
                *factor = 0;
                concerned.extend(&self.bounds.by_place[place.index()]);
            }
            concerned.sort_unstable();
            concerned.dedup();
            self.current.remove(&index);
            for other in concerned {
                if self.current.remove(&other).is_some() {
                    self.weigh(other);
                }
            }
            return Some(bound);
        }
    }

    /// Notes what a certificate saves, if it does.
    fn weigh(&mut self, index: u32) {
        let Some((together, group)) = self.group(index) else { return };
        let apart = (group.iter().map(|at| self.left[*at]))
            .try_fold(0i128, |sum, (place, factor)| sum.checked_add(self.bounds.term(place, factor)?));
        let saved = apart.map_or(i128::MAX, |apart| apart.saturating_sub(together));
        // One that saves nothing now may do so once others have taken its dearest places.
        self.current.insert(index, saved);
        if saved > 0 {
            self.savings.push((saved, Reverse(index)));
        }
    }

    /// ⌊max(c/y)·K⌋ over the places left that the certificate weighs, and where these are.
    fn group(&self, index: u32) -> Option<(i128, Vec<usize>)> {
        let certificate = &self.bounds.certificates()[index as usize];
        let mut group = Vec::new();
        // The largest quotient so far, as a fraction.
        let (mut over, mut under) = (0i128, 1i128);
        for (place, weight) in certificate.weights() {
            let Ok(at) = self.left.binary_search_by_key(place, |(place, _)| place.index()) else { continue };
            let (factor, weight) = (self.left[at].1, i128::from(*weight));
            if factor == 0 {
                continue;
            }
            if factor.checked_mul(under)? > over.checked_mul(weight)? {
                (over, under) = (factor, weight);
            }
            group.push(at);
        }
        Some((over.checked_mul(certificate.constant())?.div_euclid(under), group))
    }
}
