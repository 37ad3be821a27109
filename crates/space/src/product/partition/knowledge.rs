//! What is known of a net before it is divided.

use std::sync::Arc;

use sweepnet_net::{Net, PlaceId};
use sweepnet_structure::Structure;

use super::allowed::Processes;

/// What structure knows that is of use here.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// P-semiflows: weights of at least 1, sorted by place, and the weighted number of tokens that every reachable
    /// marking has.
    pub semiflows: Vec<(Vec<(PlaceId, u64)>, u64)>,
    /// A proven bound per place, where there is one.
    pub bounds: Vec<Option<u64>>,
    /// A bound per place that is assumed where none is proven; empty if nothing is assumed. Whoever explores under
    /// assumptions sees to it that breaking one is noticed.
    pub assumed: Vec<u64>,
    /// For each transition, whether it is known that it can never fire.
    pub dead: Vec<bool>,
    /// Processes that exclude each other, where there is nothing else.
    pub processes: Option<Arc<Processes>>,
}

impl Knowledge {
    /// What structure knows of the net.
    pub fn of(net: &Net, structure: &Structure) -> Self {
        let semiflows = structure.place_semiflows.flows.iter().filter_map(|flow| {
            let constant = u64::try_from(flow.constant(net)?).ok()?;
            Some((flow.weights.iter().map(|(p, w)| (PlaceId::new(*p), *w)).collect(), constant))
        });
        Self {
            semiflows: semiflows.collect(),
            bounds: structure.bounds.tokens().to_vec(),
            assumed: Vec::new(),
            dead: net.transition_ids().map(|t| structure.bounds.is_dead(t)).collect(),
            processes: None,
        }
    }

    /// The bound of a place, proven or else assumed.
    pub fn bound(&self, place: PlaceId) -> Option<u64> {
        self.proven(place).or_else(|| self.assumed(place))
    }

    /// The proven bound of a place.
    pub fn proven(&self, place: PlaceId) -> Option<u64> {
        self.bounds.get(place.index()).copied().flatten()
    }

    /// The bound of a place that is assumed if none is proven.
    pub fn assumed(&self, place: PlaceId) -> Option<u64> {
        self.assumed.get(place.index()).copied()
    }

    /// Whether a transition is known never to fire.
    pub fn is_dead(&self, transition: sweepnet_net::TransitionId) -> bool {
        self.dead.get(transition.index()).copied().unwrap_or(false)
    }
}
