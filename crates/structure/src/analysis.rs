//! Everything at once: the facts that an exploration wants to know before it fires its first transition.

use sweepnet_net::{Net, TransitionId};

use crate::bounds::{Bounds, place_bounds_with};
use crate::class::Class;
use crate::determined::{Determined, determined_places};
use crate::effort::Effort;
use crate::implicit::{Implicit, implicit_places};
use crate::incidence::Incidence;
use crate::semiflows::{Semiflows, minimal_semiflows};

/// What is known of a net's structure.
#[derive(Clone, Debug)]
pub struct Structure {
    /// What firing does.
    pub incidence: Incidence,
    /// Weighted sums of tokens that never change.
    pub place_semiflows: Semiflows,
    /// How many tokens a place can hold, and which transitions can never fire.
    pub bounds: Bounds,
}

impl Structure {
    /// Analyses a net, within the limits.
    pub fn of(net: &Net, effort: Effort) -> Self {
        let incidence = Incidence::of(net);
        let place_semiflows =
            minimal_semiflows(incidence.by_place(), |p| incidence.reset_places()[p], effort.semiflows);
        let bounds = place_bounds_with(net, &incidence, &place_semiflows, effort);
        Self { incidence, place_semiflows, bounds }
    }

    /// The transitions that can never fire, in order.
    pub fn dead_transitions(&self) -> impl Iterator<Item = TransitionId> + '_ {
        self.bounds.dead_transitions()
    }

    /// Places that need not be stored; computed when asked for.
    pub fn determined_places(&self, net: &Net) -> Vec<Determined> {
        determined_places(net, &self.incidence, &self.bounds)
    }

    /// Places that need not be tested; computed when asked for.
    pub fn implicit_places(&self, net: &Net) -> Vec<Implicit> {
        implicit_places(net, &self.incidence, &self.bounds)
    }

    /// Sizes and classes; computed when asked for.
    pub fn class(&self, net: &Net) -> Class {
        Class::of(net)
    }
}
