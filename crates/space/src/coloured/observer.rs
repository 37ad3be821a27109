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
    /// Whether [`edge`](Self::edge) is to be called.
    fn wants_edges(&self) -> bool {
        false
    }

    /// A new state.
    fn discovered(&mut self, state: &MarkingWorld<'_>, id: StateId) -> bool {
        let _ = (state, id);
        false
    }

    /// An edge, before its source counts as expanded; the target was reported before.
    fn edge(&mut self, source: StateId, event: Event, target: StateId) {
        let _ = (source, event, target);
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

    /// Whether [`terminal`](Self::terminal) is to be called, by a search that can tell.
    fn wants_terminal(&self) -> bool {
        false
    }

    /// A state of a terminal strongly connected component: one that no path leaves. The states of a component come
    /// one after another.
    fn terminal(&mut self, state: &MarkingWorld<'_>, id: StateId) {
        let _ = (state, id);
    }

    /// The terminal component is complete. A `true` asks for a path to the state of it that was shown last.
    fn terminal_end(&mut self) -> bool {
        false
    }

    /// From now on nothing is known of terminal components: a sweep lost progress.
    fn regressed(&mut self) {}

    /// Whether there is nothing left to wait for.
    fn is_done(&self) -> bool {
        false
    }
}

/// The observer that watches nothing.
impl ColouredObserver for () {}
