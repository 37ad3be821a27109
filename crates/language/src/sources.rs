//! Where in a file the parts of a net are declared, to show what is wrong with them when the net is played.

use sweepnet_colour::ModelError;
use sweepnet_colour::machine::Site;

use crate::ast::Span;

/// The places in a text of all parts of a net that can go wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Those of the places, by position.
    pub places: Vec<PlaceSource>,
    /// Those of the transitions, by position.
    pub transitions: Vec<TransitionSource>,
}

/// Where a place is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceSource {
    /// Its name.
    pub name: Span,
    /// Its capacity.
    pub capacity: Option<Span>,
    /// Its definition.
    pub derived: Option<Span>,
}

/// Where a transition is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitionSource {
    /// Its name.
    pub name: Span,
    /// The tokens of its output arcs, by position.
    pub outputs: Vec<Span>,
    /// Its guards, by position. Those of one condition are at one place.
    pub guards: Vec<Span>,
    /// Its delay.
    pub delay: Option<Span>,
}

impl Sources {
    /// The place in the text of what is wrong, which an event of this transition showed.
    pub fn of(&self, error: &ModelError, transition: Option<usize>) -> Option<Span> {
        let place = |place: usize| self.places.get(place);
        let named = |place: &PlaceSource| place.name.clone();
        let transition = transition.and_then(|at| self.transitions.get(at));
        let span = match error {
            ModelError::Capacity { place: at, .. } => place(*at)?.capacity.clone().or(place(*at).map(named)),
            ModelError::Derived { place: at } | ModelError::Fault { at: Site::Definition(at), .. } => {
                place(*at)?.derived.clone().or(place(*at).map(named))
            }
            ModelError::Fault { at: Site::Guard(at), .. } => transition?.guards.get(*at).cloned(),
            ModelError::Fault { at: Site::Output(at), .. } => transition?.outputs.get(*at).cloned(),
            ModelError::Fault { at: Site::Delay, .. } => transition?.delay.clone(),
            ModelError::Fault { at: Site::Whole, .. } => None,
        };
        span.or_else(|| transition.map(|transition| transition.name.clone()))
    }
}
