//! Successors of one state on their way into the store, together.

use std::ops::ControlFlow;

use sweepnet_net::TransitionId;

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Batch {
    /// What fires.
    pub events: Vec<TransitionId>,
    /// The keys of where that leads, one after another.
    pub keys: Vec<u64>,
}

/// Successors that go into the store together, at most: enough to hide the memory's latency.
const MOST_IN_BATCH: usize = 64;

impl Batch {
    /// Empties it.
    pub fn clear(&mut self) {
        self.events.clear();
        self.keys.clear();
    }

    /// Adds a successor, and breaks off when it is full.
    #[inline(always)]
    pub fn push(&mut self, event: TransitionId, key: &[u64]) -> ControlFlow<()> {
        self.events.push(event);
        self.keys.extend_from_slice(key);
        if self.events.len() == MOST_IN_BATCH { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
