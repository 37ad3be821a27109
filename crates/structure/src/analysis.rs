//! Everything at once: the facts that an exploration wants to know before it fires its first transition.

use sweepnet_net::{Net, TransitionId};

use crate::bounds::{Bounds, place_bounds_with};
use crate::class::Class;
use crate::determined::{Determined, determined_places};
use crate::effort::{Effort, GoOn};
use crate::implicit::{Implicit, implicit_places};
use crate::incidence::Incidence;
use crate::semiflows::{Semiflows, semiflows_while};

/// What is known of a net's structure.
#[derive(Clone, Debug)]
pub struct Structure {
    /// What firing does.
    pub incidence: Incidence,
    /// Weighted sums of tokens that never change.
    pub place_semiflows: Semiflows,
    /// How many tokens a place can hold, and which transitions can never fire.
    pub bounds: Bounds,
    /// What may be kept at a time to answer what is asked later, in bytes.
    bytes: usize,
}

impl Structure {
    /// Analyses a net, within the limits.
    pub fn of(net: &Net, effort: Effort) -> Self {
        Self::of_while(net, effort, &|| true)
    }

    /// The same for as long as somebody wants it: all that it says is true, whenever it was stopped.
    pub fn of_while(net: &Net, effort: Effort, go_on: GoOn<'_>) -> Self {
        let incidence = Incidence::of(net);
        let is_reset = |place: usize| incidence.reset_places()[place];
        let place_semiflows = semiflows_while(incidence.by_place(), is_reset, effort.semiflows, go_on);
        let bounds = place_bounds_with(net, &incidence, &place_semiflows, effort, go_on);
        Self { incidence, place_semiflows, bounds, bytes: effort.bytes }
    }

    /// The transitions that can never fire, in order.
    pub fn dead_transitions(&self) -> impl Iterator<Item = TransitionId> + '_ {
        self.bounds.dead_transitions()
    }

    /// Places that need not be stored; computed when asked for.
    pub fn determined_places(&self, net: &Net) -> Vec<Determined> {
        determined_places(net, &self.incidence, &self.bounds, self.bytes)
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
