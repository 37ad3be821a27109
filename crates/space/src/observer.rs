//! Watching a search go by.

use sweepnet_net::{Marking, PlaceId, TransitionId};

use crate::{StateId, System};

/// A state as an observer sees it: by its number, its counts and its enabled transitions, however it is
/// encoded.
pub struct View<'a, S: System> {
    /// Its number.
    pub id: StateId,
    system: &'a S,
    state: &'a S::State,
}

impl<'a, S: System> View<'a, S> {
    /// A view of a state.
    pub fn new(id: StateId, system: &'a S, state: &'a S::State) -> Self {
        Self { id, system, state }
    }

    /// Tokens in a place.
    #[inline]
    pub fn tokens(&self, place: PlaceId) -> u64 {
        self.system.tokens(self.state, place)
    }

    /// Tokens in all places.
    pub fn total_tokens(&self) -> u128 {
        self.system.total_tokens(self.state)
    }

    /// Whether a transition is enabled.
    #[inline]
    pub fn is_enabled(&self, transition: TransitionId) -> bool {
        self.system.is_enabled(self.state, transition)
    }

    /// The whole marking.
    pub fn marking(&self) -> Marking {
        self.system.marking(self.state)
    }
}

/// Watches a search: each state, each edge, the end. Deadlock, invariants, statistics and graph writers are
/// observers; any search can carry any of them.
///
/// A `true` from [`discovered`](Self::discovered) or [`expanded`](Self::expanded) asks for a path to that
/// state, which [`witness`](Self::witness) receives before the search goes on.
pub trait Observer {
    /// Whether [`edge`](Self::edge) is to be called.
    fn wants_edges(&self) -> bool {
        false
    }

    /// Whether the report is to have the largest count of each place.
    fn wants_maxima(&self) -> bool {
        false
    }

    /// Whether a path may be asked for, so that the search must be able to give one.
    fn wants_paths(&self) -> bool {
        false
    }

    /// A new state.
    fn discovered<S: System>(&mut self, state: &View<'_, S>) -> bool {
        let _ = state;
        false
    }

    /// An edge, at its source's expansion; the target was reported before.
    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        let _ = (source, event, target);
    }

    /// All `successors` edges of a state have been seen.
    fn expanded<S: System>(&mut self, state: &View<'_, S>, successors: u64) -> bool {
        let _ = (state, successors);
        false
    }

    /// The path asked for: the events from the initial state on.
    fn witness(&mut self, path: Vec<TransitionId>) {
        let _ = path;
    }

    /// Whether there is nothing left to wait for.
    fn is_done(&self) -> bool {
        false
    }
}

/// The observer that watches nothing.
impl Observer for () {}
