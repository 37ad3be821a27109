//! Unfolding: the place/transition net that a coloured net stands for.
//!
//! Only what can ever matter is made: the values that a place may ever hold and the bindings that may ever fire, found
//! together as the least fixpoint from the initial marking. Numbers of tokens are not looked at, nor inhibitor arcs,
//! so that some instances may be there that never fire; all that do fire are there.
//!
//! [`colours`](self) keeps the values of each place, `fixpoint` finds the instances, `assemble` makes the net of them,
//! `groupings` tells which places belong together, `slice` leaves out what does not seem to matter.

mod assemble;
mod colours;
mod fixpoint;
mod groupings;
mod slice;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use sweepnet_net::{Net, PlaceId, TransitionId};
use thiserror::Error;

use crate::fault::Fault;
use crate::net::ColouredNet;
use slice::Slice;

/// A net and what its nodes stand for.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The place/transition net. It has a [`Folding`](sweepnet_net::Folding).
    pub net: Arc<Net>,
    /// Transitions whose firing is an error of the model, because a term has no value then, and why. They have their
    /// input arcs only.
    pub faults: Vec<(TransitionId, Fault)>,
    /// Of a slice, the place that is marked when a token has left it. Until then it has all that the whole has.
    pub elsewhere: Option<PlaceId>,
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
    /// Arcs look at a place that nothing but its definition changes, so that it has no part in the firing rule of
    /// place/transition nets.
    #[error("a net with arcs that look at a derived place which no arc changes has no unfolding")]
    LookedAt {
        /// The place, by position.
        place: usize,
    },
    /// A variable that nothing binds has too many values.
    #[error("a transition has a variable that nothing binds, with too many values to try")]
    Unbound {
        /// The transition, by position.
        transition: usize,
        /// Its variable, by position.
        variable: usize,
    },
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
        self.has_unfolding()?;
        let found = fixpoint::run(self, limits)?;
        let whole = Slice::whole(&found);
        assemble::assemble(self, found, &whole, false, limits)
    }

    /// Whether there is a place/transition net that does the same.
    fn has_unfolding(&self) -> Result<(), UnfoldError> {
        let looked_at = |place: &usize| self.is_only_defined(*place) && self.is_looked_at(*place);
        match (0..self.places.len()).find(looked_at) {
            _ if self.is_timed() => Err(UnfoldError::Timed),
            _ if self.has_priorities() => Err(UnfoldError::Priorities),
            Some(place) => Err(UnfoldError::LookedAt { place }),
            None => Ok(()),
        }
    }

    /// Unfolds the net, if that becomes large only as far as random walks tell that it matters: then it is a *slice*,
    /// with a place [`elsewhere`](Unfolding::elsewhere) for what does not happen in it.
    pub fn unfold_slice(&self, limits: &Limits<'_>) -> Result<Unfolding, UnfoldError> {
        self.has_unfolding()?;
        let found = fixpoint::run(self, limits)?;
        match Slice::of(self, &found, limits.go_on) {
            Some(slice) => assemble::assemble(self, found, &slice, true, limits),
            None => {
                let whole = Slice::whole(&found);
                assemble::assemble(self, found, &whole, false, limits)
            }
        }
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

    /// The net without the transitions whose firing is an error of the model.
    pub fn without_faults(&self) -> Result<Net, sweepnet_net::BuildError> {
        let net = &self.net;
        let mut builder = sweepnet_net::NetBuilder::new(net.name.clone());
        for place in net.places() {
            builder.place(&place.id, place.initial)?;
        }
        let faulty: HashSet<TransitionId> = self.faults.iter().map(|(t, _)| *t).collect();
        for t in net.transition_ids().filter(|t| !faulty.contains(t)) {
            let id = builder.transition(&net.transition(t).id)?;
            net.inputs().of(t).iter().try_for_each(|arc| builder.input(id, arc.place, arc.weight))?;
            net.outputs().of(t).iter().try_for_each(|arc| builder.output(id, arc.place, arc.weight))?;
            net.reads().of(t).iter().try_for_each(|arc| builder.read(id, arc.place, arc.weight))?;
            net.inhibitors().of(t).iter().try_for_each(|arc| builder.inhibitor(id, arc.place, arc.weight))?;
            net.resets().of(t).iter().try_for_each(|arc| builder.reset(id, arc.place))?;
        }
        builder.build()
    }

    /// The coloured transition that an instance stands for, by position, and the words of its variables.
    pub fn binding(&self, instance: TransitionId) -> (usize, &[u64]) {
        let folds = self.net.folding().map_or(&[][..], |folding| &folding.transitions);
        let transition = folds.partition_point(|fold| fold.instances.end <= instance.index());
        let (at, width) =
            (instance.index() - folds[transition].instances.start, self.binding_widths[transition]);
        (transition, &self.bindings[transition][at * width..(at + 1) * width])
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
