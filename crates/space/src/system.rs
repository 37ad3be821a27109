//! What a search needs to know of a system.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use sweepnet_net::{Marking, PlaceId, TransitionId};

use crate::product::Stuck;

/// A state that does not fit the present encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgrown {
    /// What is too small.
    pub lacking: Lacking,
    /// The event that showed it; expanding the state goes on from here once there is room.
    pub event: TransitionId,
}

/// What is too small for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// The field of this place.
    Field(PlaceId),
    /// A table of local markings.
    Table(Stuck),
}

/// Which numbering of local markings states are made of. Two of the same are of one and the same component tables, in
/// which a number keeps its meaning; a system that is made anew, or divided into other components, has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering(u64);

impl Numbering {
    /// One that nothing else has.
    pub(crate) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Where a system starts and how it steps. Deterministic: an event fired in a state leads to one state.
///
/// States may be anything that is cheap to step on (packed counts, tuples of local numbers, …); markings are
/// rebuilt from them only where somebody asks.
pub trait System {
    /// A state, in the form that is stepped on.
    type State: Clone;

    /// The largest count of each place over some states, in a form of the system's own.
    type Maxima;

    /// The state it starts in.
    fn initial(&self) -> Self::State;

    /// The position of an event in the order in which successors are visited, from 0.
    fn rank(&self, event: TransitionId) -> u32;

    /// Visits the successors of a state in order of their events, beginning with the first enabled event whose
    /// rank is not below `from`, until the visitor breaks off.
    fn successors(
        &self,
        state: &Self::State,
        from: u32,
        visit: impl FnMut(TransitionId, &Self::State) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Outgrown>;

    /// Whether the event is enabled.
    fn is_enabled(&self, state: &Self::State, event: TransitionId) -> bool;

    /// Tokens in one place.
    fn tokens(&self, state: &Self::State, place: PlaceId) -> u64;

    /// Tokens in all places together.
    fn total_tokens(&self, state: &Self::State) -> u128;

    /// The whole marking.
    fn marking(&self, state: &Self::State) -> Marking;

    /// The numbering of local markings, if states are tuples of local numbers. The methods that follow are for
    /// systems that have one.
    #[inline]
    fn numbering(&self) -> Option<Numbering> {
        None
    }

    /// The component of a place; none for a place that never changes, or is a complement.
    fn component_of(&self, place: PlaceId) -> Option<u32> {
        let _ = place;
        None
    }

    /// The places that together have at most one token, if this one has a token exactly when they have none.
    fn complement_of(&self, place: PlaceId) -> Option<&[PlaceId]> {
        let _ = place;
        None
    }

    /// The components that together tell whether a transition is enabled; none if that never changes.
    fn components_of(&self, event: TransitionId) -> Vec<u32> {
        let _ = event;
        Vec::new()
    }

    /// A component's local number in a state.
    #[inline]
    fn local_number(&self, state: &Self::State, component: u32) -> u32 {
        let _ = (state, component);
        0
    }

    /// Whether the event is enabled as far as a component is concerned.
    fn is_enabled_in(&self, state: &Self::State, component: u32, event: TransitionId) -> bool {
        let _ = component;
        self.is_enabled(state, event)
    }

    /// Whether each place has at least as many tokens in `above` as in `below`.
    fn covers(&self, above: &Self::State, below: &Self::State) -> bool;

    /// Raises the maxima seen so far by those of a state, and tells whether a place that no structure bounds
    /// has a new one.
    fn raise(&self, state: &Self::State, maxima: &mut Self::Maxima) -> bool;

    /// The form of maxima that are known as counts.
    fn pack_maxima(&self, counts: &[u64]) -> Self::Maxima;

    /// The largest count of each place.
    fn maxima(&self, maxima: &Self::Maxima) -> Marking;
}
