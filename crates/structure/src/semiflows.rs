//! Semiflows: weightings that firing cannot change, and firings that change nothing.
//!
//! A **P-semiflow** is a vector y ≥ 0 over the places, not 0, with y·C = 0: the weighted number of tokens y·m
//! is the same in every reachable marking. A **T-semiflow** is a vector x ≥ 0 over the transitions with
//! C·x = 0: firing each transition t x(t) times, in whatever order is possible, leads back to the same
//! marking. Only those of *minimal support* (no other semiflow has its support inside) are listed, with
//! weights that have no common divisor; every other semiflow is a non-negative rational combination of them
//! (Colom and Silva 1990). They are computed by [`farkas`].
//!
//! **Reset arcs.** The sum y·m is unchanged only if no place of the support is ever emptied, so places with a
//! reset arc have weight 0 in every P-semiflow. Likewise a transition with a reset arc has weight 0 in every
//! T-semiflow: what it does depends on the marking. Read and inhibitor arcs have no effect and play no role.

use sweepnet_net::{Net, PlaceId};

use crate::effort::{GoOn, Stop};
use crate::entries::Entries;
use crate::farkas::{self, Limit};
use crate::incidence::Incidence;
use crate::repair::{self, Relation};
use crate::sparse::SparseMatrix;

/// One semiflow: positions of places (or of transitions) with their weights.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Semiflow {
    /// The support with its weights, sorted by position; weights are at least 1.
    pub weights: Vec<(usize, u64)>,
}

impl Semiflow {
    /// The weight at a position, 0 outside the support.
    pub fn weight(&self, index: usize) -> u64 {
        self.weights.binary_search_by_key(&index, |w| w.0).map_or(0, |i| self.weights[i].1)
    }

    /// The positions of weight at least 1, sorted.
    pub fn support(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.weights.iter().map(|(index, _)| *index)
    }

    /// The sum of the weights; for a T-semiflow the number of firings, its rank.
    pub fn rank(&self) -> u128 {
        self.weights.iter().map(|(_, weight)| u128::from(*weight)).sum()
    }

    /// For a P-semiflow: the weighted number of tokens that every reachable marking has; nothing if it leaves
    /// `i128`.
    pub fn constant(&self, net: &Net) -> Option<i128> {
        weighted_tokens(net, self.weights.iter().map(|(p, w)| (*p, i128::from(*w))))
    }
}

/// The semiflows found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semiflows {
    /// Each one is a semiflow, by exact computation; sorted by size of the support, then by position.
    pub flows: Vec<Semiflow>,
    /// Whether these are all semiflows of minimal support. If not, some may be missing, and some of those
    /// listed may not be minimal.
    pub complete: bool,
    /// Why they are not all: what struck first. Nothing if they are.
    pub stopped: Option<Stop>,
}

impl Semiflows {
    /// Which of `size` positions are in the support of at least one semiflow.
    pub fn covered(&self, size: usize) -> Vec<bool> {
        let mut covered = vec![false; size];
        for index in self.flows.iter().flat_map(Semiflow::support) {
            covered[index] = true;
        }
        covered
    }
}

/// The minimal-support P-semiflows of a net.
pub fn place_semiflows(net: &Net, limit: Limit) -> Semiflows {
    let incidence = Incidence::of(net);
    minimal_semiflows(incidence.by_place(), |p| incidence.reset_places()[p], limit)
}

/// The minimal-support T-semiflows of a net.
pub fn transition_semiflows(net: &Net, limit: Limit) -> Semiflows {
    let incidence = Incidence::of(net);
    transition_semiflows_while(&incidence, limit, &|| true)
}

/// The minimal-support T-semiflows, for as long as somebody wants them.
pub fn transition_semiflows_while(incidence: &Incidence, limit: Limit, go_on: GoOn<'_>) -> Semiflows {
    semiflows_while(incidence.by_transition(), |t| incidence.resetting_transitions()[t], limit, go_on)
}

/// The minimal-support solutions of y·A = 0, y ≥ 0, in which the excluded rows have weight 0. Each is checked
/// against the matrix before it is returned.
pub fn minimal_semiflows(matrix: &SparseMatrix, excluded: impl Fn(usize) -> bool, limit: Limit) -> Semiflows {
    semiflows_while(matrix, excluded, limit, &|| true)
}

/// The same for as long as somebody wants it.
pub(crate) fn semiflows_while(
    matrix: &SparseMatrix,
    excluded: impl Fn(usize) -> bool,
    limit: Limit,
    go_on: GoOn<'_>,
) -> Semiflows {
    let (solutions, mut stopped) = farkas::solutions(matrix, &excluded, limit, go_on);
    let mut flows = Vec::with_capacity(solutions.len());
    for solution in solutions {
        match narrow(&solution).filter(|flow| is_semiflow(matrix, flow)) {
            Some(flow) => flows.push(flow),
            None => stopped = stopped.or(Some(Stop::Numbers)),
        }
    }
    if stopped.is_some() {
        let mut covered = vec![false; matrix.height()];
        flows.iter().flat_map(Semiflow::support).for_each(|row| covered[row] = true);
        let less = Limit { work: limit.work / 4, ..limit };
        let repaired = repair::solutions(matrix, Relation::Equal, |r| covered[r], &excluded, less, go_on);
        flows.extend(repaired.into_iter().map(|weights| Semiflow { weights }));
        flows.retain(|flow| is_semiflow(matrix, flow));
    }
    sort(&mut flows);
    Semiflows { flows, complete: stopped.is_none(), stopped }
}

/// By size of the support, then by position; each once.
pub(crate) fn sort(flows: &mut Vec<Semiflow>) {
    flows.sort_by(|a, b| a.weights.len().cmp(&b.weights.len()).then_with(|| a.cmp(b)));
    flows.dedup();
}

pub(crate) fn narrow(solution: &Entries) -> Option<Semiflow> {
    let weights = solution.iter().map(|(i, w)| Some((*i as usize, u64::try_from(*w).ok()?)));
    Some(Semiflow { weights: weights.collect::<Option<_>>()? })
}

pub(crate) fn is_semiflow(matrix: &SparseMatrix, flow: &Semiflow) -> bool {
    let weights = flow.weights.iter().map(|(row, weight)| (*row, i128::from(*weight)));
    matrix.combine(weights).is_some_and(|sums| sums.is_empty())
}

/// The weighted number of tokens in the initial marking; nothing if it leaves `i128`.
pub(crate) fn weighted_tokens(net: &Net, weights: impl IntoIterator<Item = (usize, i128)>) -> Option<i128> {
    weights.into_iter().try_fold(0i128, |sum, (place, weight)| {
        let tokens = i128::from(net.place(PlaceId::new(place)).initial);
        sum.checked_add(weight.checked_mul(tokens)?)
    })
}
