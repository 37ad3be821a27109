//! Watching a search go by.

use sweepnet_net::{Marking, PlaceId, TransitionId};

use crate::{Numbering, StateId, System};

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
    #[inline]
    pub fn total_tokens(&self) -> u128 {
        self.system.total_tokens(self.state)
    }

    /// Whether a transition is enabled.
    #[inline]
    pub fn is_enabled(&self, transition: TransitionId) -> bool {
        self.system.is_enabled(self.state, transition)
    }

    /// The numbering of local markings, if the state is a tuple of local numbers: see [`System::numbering`].
    #[inline]
    pub fn numbering(&self) -> Option<Numbering> {
        self.system.numbering()
    }

    /// The component of a place; none for a place that never changes, or is a complement.
    pub fn component_of(&self, place: PlaceId) -> Option<u32> {
        self.system.component_of(place)
    }

    /// The places that together have at most one token, if this one has a token exactly when they have none.
    pub fn complement_of(&self, place: PlaceId) -> Option<&[PlaceId]> {
        self.system.complement_of(place)
    }

    /// The components that together tell whether a transition is enabled; none if that never changes.
    pub fn components_of(&self, transition: TransitionId) -> Vec<u32> {
        self.system.components_of(transition)
    }

    /// The local number of a component.
    #[inline]
    pub fn local_number(&self, component: u32) -> u32 {
        self.system.local_number(self.state, component)
    }

    /// Whether a transition is enabled as far as a component is concerned.
    pub fn is_enabled_in(&self, component: u32, transition: TransitionId) -> bool {
        self.system.is_enabled_in(self.state, component, transition)
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
///
/// A search on several threads gives each of them a part of the observer, made by [`fork`](Self::fork), and joins the
/// parts when it pauses; a path that a part asked for is asked for again ([`again`](Self::again)) by the whole.
pub trait Observer: Send {
    /// Whether it always wants edges or numbers, so that it need not be made ready for searches without.
    const NUMBERED: bool = false;

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

    /// Whether it will ask nearly every new state for [all its tokens](View::total_tokens).
    fn wants_totals(&self) -> bool {
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

    /// A transition has fired for the first time.
    fn fired(&mut self, event: TransitionId) {
        let _ = event;
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
    fn again<S: System>(&mut self, state: &View<'_, S>, successors: Option<u64>) -> bool {
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
    fn terminal<S: System>(&mut self, state: &View<'_, S>) {
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
    fn fork(&self) -> Option<Self> {
        Some(())
    }
}

/// Two observers of one search, of which the second alone may ask for paths and end it.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const NUMBERED: bool = A::NUMBERED || B::NUMBERED;

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

    #[inline]
    fn discovered<S: System>(&mut self, state: &View<'_, S>) -> bool {
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
    fn expanded<S: System>(&mut self, state: &View<'_, S>, successors: u64) -> bool {
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

    fn again<S: System>(&mut self, state: &View<'_, S>, successors: Option<u64>) -> bool {
        self.1.again(state, successors)
    }

    fn wants_terminal(&self) -> bool {
        self.1.wants_terminal()
    }

    fn terminal<S: System>(&mut self, state: &View<'_, S>) {
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
