//! How a marking is looked at while a predicate is evaluated.

use std::sync::Arc;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use thiserror::Error;

/// One marking, as far as predicates need it. A search implements it over its own encoding, so that a predicate
/// costs what it looks at and no marking has to be unpacked for it.
pub trait View {
    /// The tokens in a place.
    fn tokens(&self, place: PlaceId) -> u64;
    /// Whether a transition is enabled.
    fn is_enabled(&self, transition: TransitionId) -> bool;
    /// Whether some of the transitions is enabled. Who is asked for the same list again may remember the answer.
    fn any_enabled(&self, transitions: &Arc<[TransitionId]>) -> bool {
        transitions.iter().any(|transition| self.is_enabled(*transition))
    }
    /// Whether no transition is enabled.
    fn is_dead(&self) -> bool;
    /// Whether it is the initial marking.
    fn is_initial(&self) -> bool;
}

/// A plain marking of a net. The simplest view, with which every faster one must agree.
#[derive(Clone, Copy, Debug)]
pub struct PlainView<'a> {
    /// The net.
    pub net: &'a Net,
    /// The marking.
    pub marking: &'a Marking,
}

impl View for PlainView<'_> {
    fn tokens(&self, place: PlaceId) -> u64 {
        self.marking[place]
    }

    fn is_enabled(&self, transition: TransitionId) -> bool {
        self.net.is_enabled(self.marking, transition)
    }

    fn is_dead(&self) -> bool {
        self.net.enabled(self.marking).next().is_none()
    }

    fn is_initial(&self) -> bool {
        self.net.places().iter().map(|place| place.initial).eq(self.marking.tokens().iter().copied())
    }
}

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EvalError {
    /// A number outside `-(2^127 - 1) ..= 2^127 - 1` came up on the way.
    #[error("a number becomes too large: values are limited to 127 bits")]
    Overflow,
}
