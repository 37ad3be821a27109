//! Where in a file the parts of a net are declared, to show what is wrong with them when the net is played.
//!
//! What a place in a file is, `P`, the readers of files know: bytes of a text, or a line and a column.

use crate::ModelError;
use crate::machine::Site;

/// The places in a file of all parts of a net that can go wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources<P> {
    /// Those of the places, by position.
    pub places: Vec<PlaceSource<P>>,
    /// Those of the transitions, by position.
    pub transitions: Vec<TransitionSource<P>>,
}

impl<P> Default for Sources<P> {
    fn default() -> Self {
        Self { places: Vec::new(), transitions: Vec::new() }
    }
}

/// Where a place is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaceSource<P> {
    /// Its name.
    pub name: P,
    /// Its capacity.
    pub capacity: Option<P>,
    /// Its definition.
    pub derived: Option<P>,
}

/// Where a transition is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitionSource<P> {
    /// Its name.
    pub name: P,
    /// The tokens of its output arcs, by position.
    pub outputs: Vec<P>,
    /// Its guards, by position. Those of one condition are at one place.
    pub guards: Vec<P>,
    /// Its delay.
    pub delay: Option<P>,
}

impl<P: Clone> Sources<P> {
    /// The place in the file of what is wrong, which an event of this transition showed.
    pub fn of(&self, error: &ModelError, transition: Option<usize>) -> Option<P> {
        let place = |place: usize| self.places.get(place);
        let named = |place: &PlaceSource<P>| place.name.clone();
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
