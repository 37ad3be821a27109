//! The observer behind `explore`: what can be told of a state space without a question. (States, arcs,
//! deadlocks and the maximum of each place the search counts itself.)

use sweepnet_net::{Net, TransitionId};

use crate::{Observer, System, View};

/// Watches the number of tokens, and which transitions fire.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// The most tokens in one marking.
    pub max_total: u128,
    /// For each transition, whether it fired.
    pub fired: Vec<bool>,
}

impl Statistics {
    /// Nothing seen yet.
    pub fn new(net: &Net) -> Self {
        Self { max_total: 0, fired: vec![false; net.transitions().len()] }
    }
}

impl Observer for Statistics {
    fn wants_maxima(&self) -> bool {
        true
    }

    fn wants_fired(&self) -> bool {
        true
    }

    #[inline]
    fn discovered<S: System>(&mut self, state: &View<'_, S>) -> bool {
        self.max_total = self.max_total.max(state.total_tokens());
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
