//! Watching a search go by.

use std::ops::Deref;

use sweepnet_net::{Marking, PlaceId, TransitionId};

use crate::{Numbering, StateId, System};

/// A state in whatever form a system steps on, as observers may ask about it.
pub trait Sight {
    /// Tokens in a place.
    fn tokens(&self, place: PlaceId) -> u64;

    /// Tokens in all places.
    fn total_tokens(&self) -> u128;

    /// Whether a transition is enabled.
    fn is_enabled(&self, transition: TransitionId) -> bool;

    /// The numbering of local markings, if the state is a tuple of local numbers: see [`System::numbering`].
    fn numbering(&self) -> Option<Numbering>;

    /// The component of a place; none for a place that never changes, or is a complement.
    fn component_of(&self, place: PlaceId) -> Option<u32>;

    /// The places that together have at most one token, if this one has a token exactly when they have none.
    fn complement_of(&self, place: PlaceId) -> Option<&[PlaceId]>;

    /// The components that together tell whether a transition is enabled; none if that never changes.
    fn components_of(&self, transition: TransitionId) -> Vec<u32>;

    /// The local number of a component.
    fn local_number(&self, component: u32) -> u32;

    /// Whether a transition is enabled as far as a component is concerned.
    fn is_enabled_in(&self, component: u32, transition: TransitionId) -> bool;

    /// The whole marking.
    fn marking(&self) -> Marking;
}

/// A state of a system, to be seen.
pub struct Shown<'a, S: System>(pub &'a S, pub &'a S::State);

impl<S: System> Sight for Shown<'_, S> {
    #[inline]
    fn tokens(&self, place: PlaceId) -> u64 {
        self.0.tokens(self.1, place)
    }

    #[inline]
    fn total_tokens(&self) -> u128 {
        self.0.total_tokens(self.1)
    }

    #[inline]
    fn is_enabled(&self, transition: TransitionId) -> bool {
        self.0.is_enabled(self.1, transition)
    }

    #[inline]
    fn numbering(&self) -> Option<Numbering> {
        self.0.numbering()
    }

    fn component_of(&self, place: PlaceId) -> Option<u32> {
        self.0.component_of(place)
    }

    fn complement_of(&self, place: PlaceId) -> Option<&[PlaceId]> {
        self.0.complement_of(place)
    }

    fn components_of(&self, transition: TransitionId) -> Vec<u32> {
        self.0.components_of(transition)
    }

    #[inline]
    fn local_number(&self, component: u32) -> u32 {
        self.0.local_number(self.1, component)
    }

    fn is_enabled_in(&self, component: u32, transition: TransitionId) -> bool {
        self.0.is_enabled_in(self.1, component, transition)
    }

    fn marking(&self) -> Marking {
        self.0.marking(self.1)
    }
}

/// A state as an observer sees it: by its number and by what can be asked about it, however it is encoded.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Its number.
    pub id: StateId,
    sight: &'a dyn Sight,
}

impl<'a> View<'a> {
    /// A view of a state.
    pub fn new(id: StateId, sight: &'a dyn Sight) -> Self {
        Self { id, sight }
    }
}

impl<'a> Deref for View<'a> {
    type Target = dyn Sight + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        self.sight
    }
}

/// Watches a search: each state, each edge, the end. Deadlock, invariants, statistics and graph writers are
/// observers; any search can carry any of them.
///
/// A `true` from [`discovered`](Self::discovered) or [`expanded`](Self::expanded) asks for a path to that
/// state, which [`witness`](Self::witness) receives before the search goes on.
///
/// A search on several threads gives each of them a part of the observer, made by [`fork`](Self::fork), and joins the
/// parts when it pauses; a path that a part asked for is asked for again ([`again`](Self::again)) by the whole.
pub trait Observer: Send {
    /// Whether [`edge`](Self::edge) is to be called, so that states must have numbers.
    fn wants_edges(&self) -> bool {
        false
    }

    /// Whether the report is to have the largest count of each place.
    fn wants_maxima(&self) -> bool {
        false
    }

    /// Whether [`fired`](Self::fired) is to be called.
    fn wants_fired(&self) -> bool {
        false
    }

    /// Whether it will ask nearly every new state for [all its tokens](Sight::total_tokens).
    fn wants_totals(&self) -> bool {
        false
    }

    /// Whether a path may be asked for, so that the search must be able to give one.
    fn wants_paths(&self) -> bool {
        false
    }

    /// Whether it looks at new states. If not, a search may spare it all but the initial one.
    fn wants_new(&self) -> bool {
        true
    }

    /// Whether it looks at states when their successors are known. If not, a search may spare it.
    fn wants_expanded(&self) -> bool {
        true
    }

    /// A new state.
    fn discovered(&mut self, state: &View<'_>) -> bool {
        let _ = state;
        false
    }

    /// An edge, at its source's expansion; the target was reported before.
    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        let _ = (source, event, target);
    }

    /// A transition has fired for the first time.
    fn fired(&mut self, event: TransitionId) {
        let _ = event;
    }

    /// All `successors` edges of a state have been seen.
    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        let _ = (state, successors);
        false
    }

    /// The path asked for: the events from the initial state on.
    fn witness(&mut self, path: Vec<TransitionId>) {
        let _ = path;
    }

    /// A part for another thread; nothing if it cannot be divided.
    fn fork(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Takes a part back, with what it has seen.
    fn join(&mut self, part: Self)
    where
        Self: Sized,
    {
        let _ = part;
    }

    /// Whether a path is wanted to a state for which it was asked a moment ago, when it was new or (`successors`)
    /// when it was expanded. If so, [`witness`](Self::witness) receives it next.
    fn again(&mut self, state: &View<'_>, successors: Option<u64>) -> bool {
        match successors {
            None => self.discovered(state),
            Some(successors) => self.expanded(state, successors),
        }
    }

    /// Whether [`terminal`](Self::terminal) is to be called, by a search that can tell.
    fn wants_terminal(&self) -> bool {
        false
    }

    /// A state of a terminal strongly connected component: one that no path leaves. The states of a component come
    /// one after another.
    fn terminal(&mut self, state: &View<'_>) {
        let _ = state;
    }

    /// The terminal component is complete. A `true` asks for a path to the state of it that was shown last.
    fn terminal_end(&mut self) -> bool {
        false
    }

    /// Whether it cannot go on, so that the search is of no use any more, whatever others wait for.
    fn has_failed(&self) -> bool {
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
impl Observer for () {
    fn wants_new(&self) -> bool {
        false
    }

    fn wants_expanded(&self) -> bool {
        false
    }

    fn fork(&self) -> Option<Self> {
        Some(())
    }
}

/// Two observers of one search, of which the second alone may ask for paths and end it.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn wants_edges(&self) -> bool {
        self.0.wants_edges() || self.1.wants_edges()
    }

    fn wants_maxima(&self) -> bool {
        self.0.wants_maxima() || self.1.wants_maxima()
    }

    fn wants_fired(&self) -> bool {
        self.0.wants_fired() || self.1.wants_fired()
    }

    fn wants_totals(&self) -> bool {
        self.0.wants_totals() || self.1.wants_totals()
    }

    fn wants_paths(&self) -> bool {
        self.1.wants_paths()
    }

    fn wants_new(&self) -> bool {
        self.0.wants_new() || self.1.wants_new()
    }

    fn wants_expanded(&self) -> bool {
        self.0.wants_expanded() || self.1.wants_expanded()
    }

    #[inline]
    fn discovered(&mut self, state: &View<'_>) -> bool {
        self.0.discovered(state);
        self.1.discovered(state)
    }

    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.0.edge(source, event, target);
        self.1.edge(source, event, target);
    }

    fn fired(&mut self, event: TransitionId) {
        self.0.fired(event);
        self.1.fired(event);
    }

    #[inline]
    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        self.0.expanded(state, successors);
        self.1.expanded(state, successors)
    }

    fn witness(&mut self, path: Vec<TransitionId>) {
        self.1.witness(path);
    }

    fn fork(&self) -> Option<Self> {
        self.0.fork().zip(self.1.fork())
    }

    fn join(&mut self, part: Self) {
        self.0.join(part.0);
        self.1.join(part.1);
    }

    fn again(&mut self, state: &View<'_>, successors: Option<u64>) -> bool {
        self.1.again(state, successors)
    }

    fn wants_terminal(&self) -> bool {
        self.1.wants_terminal()
    }

    fn terminal(&mut self, state: &View<'_>) {
        self.1.terminal(state);
    }

    fn terminal_end(&mut self) -> bool {
        self.1.terminal_end()
    }

    fn regressed(&mut self) {
        self.1.regressed();
    }

    fn has_failed(&self) -> bool {
        self.0.has_failed() || self.1.has_failed()
    }

    fn is_done(&self) -> bool {
        self.1.is_done() || self.has_failed()
    }
}
