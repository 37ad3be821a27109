//! The net itself: immutable once built.

use std::collections::HashMap;

use crate::{Arcs, Folding, Marking, PlaceId, TransitionId, Units};

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name by which files and formulas refer to it; unique among the places.
    pub id: Box<str>,
    /// A name for people where it differs from the id; need not be unique.
    pub label: Option<Box<str>>,
    /// Tokens in the initial marking.
    pub initial: u64,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The name by which files and formulas refer to it; unique among the transitions.
    pub id: Box<str>,
    /// A name for people where it differs from the id; need not be unique.
    pub label: Option<Box<str>>,
}

/// A place/transition net with weights, and read, inhibitor and reset arcs. Built by
/// [`NetBuilder`](crate::NetBuilder), then never changed.
///
/// A transition is enabled when each place has at least the weight of its input and read arcs, and less than
/// the weight of its inhibitor arcs. Firing takes the input weights away, then empties the reset places, then
/// adds the output weights. Read and inhibitor arcs only look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// What the file calls the net; may be empty.
    pub name: String,
    pub(crate) places: Vec<Place>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) inputs: Arcs,
    pub(crate) outputs: Arcs,
    pub(crate) reads: Arcs,
    pub(crate) inhibitors: Arcs,
    pub(crate) resets: Arcs,
    pub(crate) units: Option<Units>,
    pub(crate) folding: Option<Box<Folding>>,
    pub(crate) place_ids: HashMap<Box<str>, PlaceId>,
    pub(crate) transition_ids: HashMap<Box<str>, TransitionId>,
}

impl Net {
    /// The places, by number.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The transitions, by number.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// The numbers of all places.
    pub fn place_ids(&self) -> impl ExactSizeIterator<Item = PlaceId> + Clone + use<> {
        (0..self.places.len()).map(PlaceId::new)
    }

    /// The numbers of all transitions.
    pub fn transition_ids(&self) -> impl ExactSizeIterator<Item = TransitionId> + Clone + use<> {
        (0..self.transitions.len()).map(TransitionId::new)
    }

    /// One place.
    pub fn place(&self, place: PlaceId) -> &Place {
        &self.places[place.index()]
    }

    /// One transition.
    pub fn transition(&self, transition: TransitionId) -> &Transition {
        &self.transitions[transition.index()]
    }

    /// The place with this id, else the only one with this label.
    pub fn find_place(&self, name: &str) -> Option<PlaceId> {
        self.place_ids
            .get(name)
            .copied()
            .or_else(|| only(self.places.iter().map(|p| p.label.as_deref()), name).map(PlaceId::new))
    }

    /// The transition with this id, else the only one with this label.
    pub fn find_transition(&self, name: &str) -> Option<TransitionId> {
        self.transition_ids.get(name).copied().or_else(|| {
            only(self.transitions.iter().map(|t| t.label.as_deref()), name).map(TransitionId::new)
        })
    }

    /// Input arcs: what firing takes.
    pub fn inputs(&self) -> &Arcs {
        &self.inputs
    }

    /// Output arcs: what firing gives.
    pub fn outputs(&self) -> &Arcs {
        &self.outputs
    }

    /// Read arcs: what must be there and stays.
    pub fn reads(&self) -> &Arcs {
        &self.reads
    }

    /// Inhibitor arcs: enabled only below the weight.
    pub fn inhibitors(&self) -> &Arcs {
        &self.inhibitors
    }

    /// Reset arcs: places that firing empties.
    pub fn resets(&self) -> &Arcs {
        &self.resets
    }

    /// All arcs of all kinds.
    pub fn arc_count(&self) -> usize {
        [&self.inputs, &self.outputs, &self.reads, &self.inhibitors, &self.resets].map(Arcs::len).iter().sum()
    }

    /// Whether every arc is an input or output arc, so that the theory of ordinary nets (invariants that
    /// ignore reset arcs, monotone firing) applies as it stands.
    pub fn is_plain(&self) -> bool {
        self.reads.is_empty() && self.inhibitors.is_empty() && self.resets.is_empty()
    }

    /// The unit structure, if the file had one.
    pub fn units(&self) -> Option<&Units> {
        self.units.as_ref()
    }

    /// The coloured net that it is the unfolding of, if it is one.
    pub fn folding(&self) -> Option<&Folding> {
        self.folding.as_deref()
    }

    /// The marking it starts in.
    pub fn initial_marking(&self) -> Marking {
        Marking::new(self.places.iter().map(|p| p.initial).collect())
    }
}

/// The position of the only label equal to `name`; none if there are two.
fn only<'a>(labels: impl Iterator<Item = Option<&'a str>>, name: &str) -> Option<usize> {
    let mut found = labels.enumerate().filter(|(_, label)| *label == Some(name)).map(|(i, _)| i);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
