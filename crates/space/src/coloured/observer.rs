//! Watching a search on coloured markings.

use sweepnet_colour::Event;
use sweepnet_colour::machine::MarkingWorld;

use crate::StateId;

/// Watches a search on coloured markings, as an [`Observer`](crate::Observer) watches one on those of a
/// place/transition net.
///
/// A `true` from [`discovered`](Self::discovered) or [`expanded`](Self::expanded) asks for a path to that state, which
/// [`witness`](Self::witness) receives before the search goes on.
pub trait ColouredObserver {
    /// A new state.
    fn discovered(&mut self, state: &MarkingWorld<'_>, id: StateId) -> bool {
        let _ = (state, id);
        false
    }

    /// A transition has fired for the first time.
    fn fired(&mut self, transition: usize) {
        let _ = transition;
    }

    /// All `successors` edges of a state have been seen.
    fn expanded(&mut self, state: &MarkingWorld<'_>, id: StateId, successors: u64) -> bool {
        let _ = (state, id, successors);
        false
    }

    /// The path asked for: the events from the initial state on.
    fn witness(&mut self, path: Vec<Event>) {
        let _ = path;
    }

    /// Whether there is nothing left to wait for.
    fn is_done(&self) -> bool {
        false
    }
}

/// The observer that watches nothing.
impl ColouredObserver for () {}
