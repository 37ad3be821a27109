//! Unfolding: the place/transition net that a coloured net stands for.
//!
//! Only what can ever matter is made: the values that a place may ever hold and the bindings that may ever fire, found
//! together as the least fixpoint from the initial marking. Numbers of tokens are not looked at, nor inhibitor arcs,
//! so that some instances may be there that never fire; all that do fire are there.
//!
//! [`colours`](self) keeps the values of each place, `fixpoint` finds the instances, `assemble` makes the net of them,
//! `groupings` tells which places belong together.

mod assemble;
mod colours;
mod fixpoint;
mod groupings;

use std::ops::Range;
use std::sync::Arc;

use sweepnet_net::{Net, PlaceId, TransitionId};
use thiserror::Error;

use crate::fault::Fault;
use crate::net::ColouredNet;

/// A net and what its nodes stand for.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The place/transition net. It has a [`Folding`](sweepnet_net::Folding).
    pub net: Arc<Net>,
    /// Transitions whose firing is an error of the model, because a term has no value then, and why. They have their
    /// input arcs only.
    pub faults: Vec<(TransitionId, Fault)>,
    /// The words of the values of each coloured place's instances.
    values: Vec<Vec<u64>>,
    /// Words of a value of each coloured place.
    widths: Vec<usize>,
    /// The words of the bindings of each coloured transition's instances.
    bindings: Vec<Vec<u64>>,
    /// Words of a binding of each coloured transition.
    binding_widths: Vec<usize>,
}

/// Why a net was not unfolded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnfoldError {
    /// Its tokens have times.
    #[error("a net with timed places has no unfolding")]
    Timed,
    /// Some of its transitions come before others.
    #[error("a net with priorities has no unfolding")]
    Priorities,
    /// A variable that no arc binds has too many values.
    #[error("transition '{0}' has a variable that no arc binds, of a type too large to go through")]
    Unbound(String),
    /// There are more places, transitions or arcs than allowed.
    #[error("the unfolding has more than {0} nodes and arcs")]
    TooLarge(usize),
    /// Somebody stopped it.
    #[error("unfolding was stopped")]
    Stopped,
    /// The net cannot be built.
    #[error(transparent)]
    Build(#[from] sweepnet_net::BuildError),
}

/// How far unfolding may go.
pub struct Limits<'a> {
    /// Places, transitions and arcs together.
    pub nodes: usize,
    /// Asked now and then whether to go on.
    pub go_on: &'a dyn Fn() -> bool,
}

impl ColouredNet {
    /// Unfolds the net.
    pub fn unfold(&self, limits: &Limits<'_>) -> Result<Unfolding, UnfoldError> {
        if self.is_timed() {
            return Err(UnfoldError::Timed);
        }
        if self.has_priorities() {
            return Err(UnfoldError::Priorities);
        }
        let found = fixpoint::run(self, limits)?;
        assemble::assemble(self, found)
    }
}

impl Unfolding {
    /// The instances of a coloured place.
    pub fn instances(&self, place: usize) -> impl ExactSizeIterator<Item = PlaceId> + Clone + use<> {
        self.place_range(place).map(PlaceId::new)
    }

    fn place_range(&self, place: usize) -> Range<usize> {
        self.net.folding().map_or(0..0, |folding| folding.places[place].instances.clone())
    }

    /// The place for a value of a coloured place, if it may ever hold it.
    pub fn find(&self, place: usize, value: &[u64]) -> Option<PlaceId> {
        let (values, width) = (&self.values[place], self.widths[place]);
        let range = self.place_range(place);
        let (mut low, mut high) = (0, range.len());
        while low < high {
            let middle = (low + high) / 2;
            match values[middle * width..(middle + 1) * width].cmp(value) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(PlaceId::new(range.start + middle)),
            }
        }
        None
    }

    /// The words of the value that an instance of a coloured place stands for.
    pub fn value(&self, place: usize, instance: PlaceId) -> &[u64] {
        let (at, width) = (instance.index() - self.place_range(place).start, self.widths[place]);
        &self.values[place][at * width..(at + 1) * width]
    }

    /// The instances of a coloured transition with the words of their variables.
    pub fn bindings(&self, transition: usize) -> impl Iterator<Item = (TransitionId, &[u64])> {
        let range =
            self.net.folding().map_or(0..0, |folding| folding.transitions[transition].instances.clone());
        let width = self.binding_widths[transition];
        range.clone().map(move |t| {
            let at = t - range.start;
            (TransitionId::new(t), &self.bindings[transition][at * width..(at + 1) * width])
        })
    }
}
