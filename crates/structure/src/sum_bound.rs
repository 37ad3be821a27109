//! Upper bounds of linear expressions over the places.
//!
//! Σ c(p)·m(p) is at most the sum of c(p) times the place's bound over the positive c(p); what has a negative
//! factor contributes at most 0. That is crude where places exclude each other: for a certificate
//! Σ y(p)·m(p) ≤ K and a group G of its places, Σ over G of c(p)·m(p) ≤ max(c(p)/y(p))·K, once for the whole
//! group. Groups are chosen greedily, the one that saves most first. The result is a bound, not the least one.

use sweepnet_net::PlaceId;

use crate::bounds::Bounds;
use crate::certificate::Certificate;

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
        let mut total = 0i128;
        while let Some((bound, group)) = self.best_group(&left) {
            total = total.checked_add(bound)?;
            left.retain(|(place, _)| !group.contains(place));
        }
        left.iter().try_fold(total, |sum, (place, factor)| sum.checked_add(self.term(*place, *factor)?))
    }

    fn term(&self, place: PlaceId, factor: i128) -> Option<i128> {
        factor.checked_mul(i128::from(self.of(place)?))
    }

    /// The group of places, inside one certificate, that is cheaper together than apart.
    fn best_group(&self, left: &[(PlaceId, i128)]) -> Option<(i128, Vec<PlaceId>)> {
        let mut best: Option<(i128, i128, Vec<PlaceId>)> = None;
        let mut indices: Vec<u32> =
            left.iter().flat_map(|(p, _)| &self.by_place[p.index()]).copied().collect();
        indices.sort_unstable();
        // Only certificates met twice can do better than the places alone.
        let repeated = indices.chunk_by(|a, b| a == b).filter(|same| same.len() > 1).map(|same| same[0]);
        for certificate in repeated.map(|index| &self.certificates()[index as usize]) {
            let Some((together, group)) = group_bound(certificate, left) else { continue };
            let apart = (left.iter().filter(|(place, _)| group.contains(place)))
                .try_fold(0i128, |sum, (place, factor)| sum.checked_add(self.term(*place, *factor)?));
            let saved = apart.map_or(i128::MAX, |apart| apart.saturating_sub(together));
            if saved > 0 && best.as_ref().is_none_or(|(most, ..)| saved > *most) {
                best = Some((saved, together, group));
            }
        }
        best.map(|(_, bound, group)| (bound, group))
    }
}

/// ⌊max(c/y)·K⌋ over the places of the expression that the certificate weighs, and those places.
fn group_bound(certificate: &Certificate, left: &[(PlaceId, i128)]) -> Option<(i128, Vec<PlaceId>)> {
    let weights = certificate.weights();
    let mut group = Vec::new();
    // The largest quotient so far, as a fraction.
    let (mut over, mut under) = (0i128, 1i128);
    for (place, factor) in left {
        let Ok(at) = weights.binary_search_by_key(&place.index(), |w| w.0) else { continue };
        let weight = i128::from(weights[at].1);
        if factor.checked_mul(under)? > over.checked_mul(weight)? {
            (over, under) = (*factor, weight);
        }
        group.push(*place);
    }
    Some((over.checked_mul(certificate.constant())?.div_euclid(under), group))
}
