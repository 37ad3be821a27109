//! What is known of a net before it is divided.

use sweepnet_net::{Net, PlaceId};
use sweepnet_structure::Structure;

/// What structure knows that is of use here.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// P-semiflows: weights of at least 1, sorted by place, and the weighted number of tokens that every reachable
    /// marking has.
    pub semiflows: Vec<(Vec<(PlaceId, u64)>, u64)>,
    /// A proven bound per place, where there is one.
    pub bounds: Vec<Option<u64>>,
    /// For each transition, whether it is known that it can never fire.
    pub dead: Vec<bool>,
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
            dead: net.transition_ids().map(|t| structure.bounds.is_dead(t)).collect(),
        }
    }

    /// The proven bound of a place.
    pub fn bound(&self, place: PlaceId) -> Option<u64> {
        self.bounds.get(place.index()).copied().flatten()
    }

    /// Whether a transition is known never to fire.
    pub fn is_dead(&self, transition: sweepnet_net::TransitionId) -> bool {
        self.dead.get(transition.index()).copied().unwrap_or(false)
    }
}
