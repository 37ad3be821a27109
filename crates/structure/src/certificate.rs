//! Proofs of upper bounds: weights y ≥ 0 such that y·m never grows.
//!
//! If y·C(·, t) ≤ 0 for every transition t that can fire at all, then y·m ≤ y·m₀ in every reachable marking
//! (a *sub-invariant*; with equality everywhere and no reset arcs, a P-semiflow). Since all weights and all
//! tokens are non-negative, each place of the support holds at most ⌊y·m₀ / y(p)⌋ tokens. Reset arcs only take
//! tokens away, so they never spoil the inequality.
//!
//! Wherever the weights come from, they become a [`Certificate`] only through [`Certificate::check`], which
//! computes all of this in exact integers.

use sweepnet_net::{Net, PlaceId};

use crate::incidence::Incidence;
use crate::semiflows::weighted_tokens;

/// Checked proof that Σ y(p)·m(p) ≤ `constant` in every reachable marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    weights: Vec<(usize, u64)>,
    constant: i128,
    equality: bool,
}

impl Certificate {
    /// Checks weights (sorted by place, at least 1) against the columns of the transitions that are `live`;
    /// nothing if they prove nothing, or if a number leaves `i128`. The caller answers for it that the others
    /// can never fire.
    pub fn check(
        net: &Net,
        incidence: &Incidence,
        live: impl Fn(usize) -> bool,
        weights: &[(usize, u64)],
    ) -> Option<Self> {
        let sorted = weights.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let known = weights.iter().all(|(place, weight)| *place < net.places().len() && *weight > 0);
        if weights.is_empty() || !sorted || !known {
            return None;
        }
        let wide = weights.iter().map(|(place, weight)| (*place, i128::from(*weight)));
        let mut effects = incidence.by_place().combine(wide.clone())?;
        effects.retain(|(transition, _)| live(*transition));
        if effects.iter().any(|(_, effect)| *effect > 0) {
            return None;
        }
        let constant = weighted_tokens(net, wide)?;
        let reset = weights.iter().any(|(place, _)| incidence.reset_places()[*place]);
        Some(Self { weights: weights.to_vec(), constant, equality: effects.is_empty() && !reset })
    }

    /// The weights, sorted by place.
    pub fn weights(&self) -> &[(usize, u64)] {
        &self.weights
    }

    /// What the weighted sum never exceeds: its value in the initial marking.
    pub fn constant(&self) -> i128 {
        self.constant
    }

    /// Whether the weighted sum is always *equal* to the constant.
    pub fn is_equality(&self) -> bool {
        self.equality
    }

    /// The most tokens that the place can hold by this proof; nothing if it is not in the support, or if the
    /// number leaves `u64`.
    pub fn bound(&self, place: PlaceId) -> Option<u64> {
        let at = self.weights.binary_search_by_key(&place.index(), |w| w.0).ok()?;
        u64::try_from(self.constant / i128::from(self.weights[at].1)).ok()
    }
}
