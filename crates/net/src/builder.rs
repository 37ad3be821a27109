//! Putting a net together, and refusing what is not one.

use std::collections::HashMap;

use thiserror::Error;

use crate::{Arc, Arcs, Folding, Net, Place, PlaceId, Transition, TransitionId, Units};

/// Why a net cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// Two places with one id.
    #[error("there are two places with the name '{0}'")]
    DuplicatePlace(String),
    /// Two transitions with one id.
    #[error("there are two transitions with the name '{0}'")]
    DuplicateTransition(String),
    /// A weight of 0.
    #[error("an arc needs a weight of at least 1")]
    ZeroWeight,
    /// Several arcs between two nodes whose weights add up to more than a number can hold.
    #[error("the weights of the arcs between '{place}' and '{transition}' add up to more than 2^64 - 1")]
    WeightOverflow {
        /// The place's id.
        place: String,
        /// The transition's id.
        transition: String,
    },
    /// More nodes than numbers.
    #[error("a net can have at most 4,294,967,295 places and as many transitions")]
    TooLarge,
}

/// Collects the parts of a net in any order.
///
/// Several input arcs (or output arcs) between the same nodes add up; of several read arcs the largest weight
/// counts, of several inhibitor arcs the smallest.
#[derive(Debug, Default)]
pub struct NetBuilder {
    name: String,
    places: Vec<Place>,
    transitions: Vec<Transition>,
    inputs: Vec<(TransitionId, Arc)>,
    outputs: Vec<(TransitionId, Arc)>,
    reads: Vec<(TransitionId, Arc)>,
    inhibitors: Vec<(TransitionId, Arc)>,
    resets: Vec<(TransitionId, Arc)>,
    units: Option<Units>,
    folding: Option<Box<Folding>>,
    place_ids: HashMap<Box<str>, PlaceId>,
    transition_ids: HashMap<Box<str>, TransitionId>,
}

impl NetBuilder {
    /// An empty net with this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A net with the places, transitions, units and folding of another one, and no arcs yet.
    pub fn like(net: &Net) -> Self {
        Self {
            name: net.name.clone(),
            places: net.places.clone(),
            transitions: net.transitions.clone(),
            units: net.units.clone(),
            folding: net.folding.clone(),
            place_ids: net.place_ids.clone(),
            transition_ids: net.transition_ids.clone(),
            ..Self::default()
        }
    }

    /// Changes the net's name.
    pub fn set_name(&mut self, name: impl Into<String>) {
        self.name = name.into();
    }

    /// Adds a place.
    pub fn place(&mut self, id: &str, initial: u64) -> Result<PlaceId, BuildError> {
        if self.places.len() >= u32::MAX as usize {
            return Err(BuildError::TooLarge);
        }
        let place = PlaceId::new(self.places.len());
        if self.place_ids.contains_key(id) {
            return Err(BuildError::DuplicatePlace(id.to_owned()));
        }
        self.place_ids.insert(id.into(), place);
        self.places.push(Place { id: id.into(), label: None, initial });
        Ok(place)
    }

    /// Adds a transition.
    pub fn transition(&mut self, id: &str) -> Result<TransitionId, BuildError> {
        if self.transitions.len() >= u32::MAX as usize {
            return Err(BuildError::TooLarge);
        }
        let transition = TransitionId::new(self.transitions.len());
        if self.transition_ids.contains_key(id) {
            return Err(BuildError::DuplicateTransition(id.to_owned()));
        }
        self.transition_ids.insert(id.into(), transition);
        self.transitions.push(Transition { id: id.into(), label: None });
        Ok(transition)
    }

    /// Adds a transition that may be called like others: for nets that are only shown. Looking for its id finds the first.
    pub fn homonym(&mut self, id: &str) -> Result<TransitionId, BuildError> {
        if !self.transition_ids.contains_key(id) {
            return self.transition(id);
        }
        if self.transitions.len() >= u32::MAX as usize {
            return Err(BuildError::TooLarge);
        }
        self.transitions.push(Transition { id: id.into(), label: None });
        Ok(TransitionId::new(self.transitions.len() - 1))
    }

    /// The place with this id, if it was added.
    pub fn find_place(&self, id: &str) -> Option<PlaceId> {
        self.place_ids.get(id).copied()
    }

    /// The transition with this id, if it was added.
    pub fn find_transition(&self, id: &str) -> Option<TransitionId> {
        self.transition_ids.get(id).copied()
    }

    /// Gives a place a name for people.
    pub fn label_place(&mut self, place: PlaceId, label: &str) {
        let place = &mut self.places[place.index()];
        place.label = (*place.id != *label).then(|| label.into());
    }

    /// Gives a transition a name for people.
    pub fn label_transition(&mut self, transition: TransitionId, label: &str) {
        let transition = &mut self.transitions[transition.index()];
        transition.label = (*transition.id != *label).then(|| label.into());
    }

    /// The initial tokens of a place, to change.
    pub fn initial_mut(&mut self, place: PlaceId) -> &mut u64 {
        &mut self.places[place.index()].initial
    }

    /// How many places there are so far.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// How many transitions there are so far.
    pub fn transition_count(&self) -> usize {
        self.transitions.len()
    }

    /// Firing takes `weight` tokens from the place.
    pub fn input(&mut self, t: TransitionId, place: PlaceId, weight: u64) -> Result<(), BuildError> {
        push(&mut self.inputs, t, place, weight)
    }

    /// Firing puts `weight` tokens into the place.
    pub fn output(&mut self, t: TransitionId, place: PlaceId, weight: u64) -> Result<(), BuildError> {
        push(&mut self.outputs, t, place, weight)
    }

    /// Enabled only if the place has `weight` tokens, which stay.
    pub fn read(&mut self, t: TransitionId, place: PlaceId, weight: u64) -> Result<(), BuildError> {
        push(&mut self.reads, t, place, weight)
    }

    /// Enabled only if the place has fewer than `weight` tokens.
    pub fn inhibitor(&mut self, t: TransitionId, place: PlaceId, weight: u64) -> Result<(), BuildError> {
        push(&mut self.inhibitors, t, place, weight)
    }

    /// Firing empties the place.
    pub fn reset(&mut self, t: TransitionId, place: PlaceId) -> Result<(), BuildError> {
        push(&mut self.resets, t, place, 1)
    }

    /// Attaches a unit structure.
    pub fn set_units(&mut self, units: Units) {
        self.units = Some(units);
    }

    /// Tells what the net is the unfolding of.
    pub fn set_folding(&mut self, folding: Folding) {
        self.folding = Some(Box::new(folding));
    }

    /// The finished net.
    pub fn build(self) -> Result<Net, BuildError> {
        let transitions = self.transitions.len();
        let overflow = |(t, p): (TransitionId, PlaceId)| BuildError::WeightOverflow {
            place: self.places[p.index()].id.to_string(),
            transition: self.transitions[t.index()].id.to_string(),
        };
        let sum = |a: u64, b: u64| a.checked_add(b);
        Ok(Net {
            inputs: Arcs::group(transitions, self.inputs, sum).map_err(overflow)?,
            outputs: Arcs::group(transitions, self.outputs, sum).map_err(overflow)?,
            reads: Arcs::group(transitions, self.reads, |a, b| Some(a.max(b))).map_err(overflow)?,
            inhibitors: Arcs::group(transitions, self.inhibitors, |a, b| Some(a.min(b))).map_err(overflow)?,
            resets: Arcs::group(transitions, self.resets, |_, _| Some(1)).map_err(overflow)?,
            name: self.name,
            units: self.units,
            folding: self.folding,
            place_ids: self.place_ids,
            transition_ids: self.transition_ids,
            places: self.places,
            transitions: self.transitions,
        })
    }
}

fn push(
    list: &mut Vec<(TransitionId, Arc)>,
    transition: TransitionId,
    place: PlaceId,
    weight: u64,
) -> Result<(), BuildError> {
    if weight == 0 {
        return Err(BuildError::ZeroWeight);
    }
    list.push((transition, Arc { place, weight }));
    Ok(())
}
