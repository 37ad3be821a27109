//! The observer behind `explore`: what can be told of a state space without a question. (States, arcs,
//! deadlocks and the maximum of each place the search counts itself.)

use sweepnet_net::{Arcs, Net, TransitionId};

use crate::{Observer, View};

/// Watches the number of tokens, and which transitions fire.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The most tokens in one marking.
    pub max_total: u128,
    /// For each transition, whether it fired.
    pub fired: Vec<bool>,
    /// Whether there may be more tokens than at first.
    may_grow: bool,
}

impl Statistics {
    /// Nothing seen yet.
    pub fn new(net: &Net) -> Self {
        let tokens = |arcs: &Arcs, t| arcs.of(t).iter().map(|arc| u128::from(arc.weight)).sum::<u128>();
        let gains = |t: TransitionId| tokens(net.outputs(), t) > tokens(net.inputs(), t);
        Self {
            max_total: 0,
            fired: vec![false; net.transitions().len()],
            may_grow: net.transition_ids().any(gains),
        }
    }
}

impl Observer for Statistics {
    fn wants_maxima(&self) -> bool {
        true
    }

    fn wants_fired(&self) -> bool {
        true
    }

    fn wants_totals(&self) -> bool {
        self.may_grow
    }

    fn wants_new(&self) -> bool {
        self.may_grow
    }

    fn wants_expanded(&self) -> bool {
        false
    }

    fn discovered(&mut self, state: &View<'_>) -> bool {
        // The initial state is the first to be seen.
        if self.may_grow || self.max_total == 0 {
            self.max_total = self.max_total.max(state.total_tokens());
        }
        false
    }

    fn fired(&mut self, event: TransitionId) {
        self.fired[event.index()] = true;
    }

    fn fork(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn join(&mut self, part: Self) {
        self.max_total = self.max_total.max(part.max_total);
    }
}
