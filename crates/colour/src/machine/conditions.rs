//! What must be true of every marking: capacities, and the definitions of derived places.

use std::ops::RangeInclusive;

use super::{Machine, MarkingWorld, ModelError, Site};
use crate::compile::{BagCode, Compiler};
use crate::derive::places_of;
use crate::fault::Fault;
use crate::frame::Frame;
use crate::marking::Marking;
use crate::net::{Closed, ColouredNet, Transition};
use crate::patience::Patience;
use crate::term::{Bag, Node, Part};
use crate::tokens::{Draft, Tokens};

/// A condition on markings.
pub(super) enum Condition {
    /// The numbers of tokens that a place may have.
    Capacity(usize, Vec<RangeInclusive<u64>>),
    /// What a place must have; if no arc changes it, what it is made to have.
    Derived { place: usize, width: usize, frame: usize, definition: BagCode, is_made: bool, is_proven: bool },
}

/// The conditions of a net. Those of derived places come behind those that they are defined by.
pub(super) fn of(net: &ColouredNet, compiler: &Compiler) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for place in net.derivation_order().unwrap_or_default() {
        if let Some(definition) = &net.places[place].derived {
            conditions.push(Condition::Derived {
                place,
                width: net.types.width(net.places[place].type_),
                frame: definition.frame,
                definition: compiler.bag(&definition.body),
                is_made: net.is_only_defined(place),
                is_proven: net.places[place].is_proven,
            });
        }
    }
    for (at, place) in net.places.iter().enumerate() {
        if let Some(capacity) = &place.capacity {
            conditions.push(Condition::Capacity(at, capacity.clone()));
        }
    }
    conditions
}

/// The conditions that a transition may break, by position: those about the places that it changes.
pub(super) fn of_transition(
    net: &ColouredNet,
    conditions: &[Condition],
    transition: &Transition,
) -> Vec<usize> {
    let arcs = transition.inputs.iter().chain(&transition.outputs).map(|arc| arc.place);
    let mut changed: Vec<usize> = arcs.chain(transition.resets.iter().copied()).collect();
    let mut concerns = |condition: &Condition| match condition {
        Condition::Capacity(place, _) => changed.contains(place),
        Condition::Derived { is_proven: true, .. } => false,
        Condition::Derived { place, is_made, .. } => {
            let definition = net.places[*place].derived.as_ref();
            let is_concerned = changed.contains(place)
                || definition.is_some_and(|definition| {
                    depends_on_more(definition) || places_of(definition).iter().any(|p| changed.contains(p))
                });
            if is_concerned && *is_made {
                changed.push(*place);
            }
            is_concerned
        }
    };
    (0..conditions.len()).filter(|at| concerns(&conditions[*at])).collect()
}

/// Whether a definition speaks of more than the tokens of places.
fn depends_on_more(definition: &Closed<Bag>) -> bool {
    let mut found = false;
    definition.body.walk(&mut |part| {
        if let Part::Term(term) = part {
            found |= matches!(term.node, Node::Enabled(..) | Node::Deadlock | Node::Initial | Node::Clock);
        }
    });
    found
}

/// Memory for definitions.
#[derive(Debug, Default)]
pub(super) struct Working {
    slots: Vec<u64>,
    draft: Draft,
}

impl Condition {
    /// Sees to it that the condition is true.
    pub(super) fn establish(
        &self,
        machine: &Machine,
        marking: &mut Marking,
        working: &mut Working,
        patience: Patience<'_>,
    ) -> Result<(), ModelError> {
        match self {
            Self::Capacity(place, ranges) => {
                let tokens = marking.places[*place].total();
                match ranges.iter().any(|range| range.contains(&tokens)) {
                    true => Ok(()),
                    false => Err(ModelError::Capacity { place: *place, tokens }),
                }
            }
            Self::Derived { is_made: true, .. } => {
                let derived = self.derive(machine, marking, working, patience);
                derived.map_err(|fault| self.has_no_value(fault))
            }
            Self::Derived { place, .. } => {
                let evaluated = self.evaluate(machine, marking, working, patience);
                evaluated.map_err(|fault| self.has_no_value(fault))?;
                let tokens = marking.places[*place].iter().map(|(value, count)| (value, count as i64));
                match tokens.eq(working.draft.iter()) {
                    true => Ok(()),
                    false => Err(ModelError::Derived { place: *place }),
                }
            }
        }
    }

    fn has_no_value(&self, fault: Fault) -> ModelError {
        match self {
            Self::Derived { place, .. } => ModelError::Fault { fault, at: Site::Definition(*place) },
            Self::Capacity(..) => ModelError::whole(fault),
        }
    }

    /// Computes the derived place, if it is about one.
    pub(super) fn derive(
        &self,
        machine: &Machine,
        marking: &mut Marking,
        working: &mut Working,
        patience: Patience<'_>,
    ) -> Result<(), Fault> {
        let Self::Derived { place, .. } = self else { return Ok(()) };
        self.evaluate(machine, marking, working, patience)?;
        let tokens: &mut Tokens = &mut marking.places[*place];
        tokens.clear();
        working.draft.iter().for_each(|(value, count)| tokens.push_last(value, count as u64));
        Ok(())
    }

    /// What the definition of a derived place says, into the draft.
    fn evaluate(
        &self,
        machine: &Machine,
        marking: &Marking,
        working: &mut Working,
        patience: Patience<'_>,
    ) -> Result<(), Fault> {
        let Self::Derived { width, frame, definition, .. } = self else { return Ok(()) };
        let Working { slots, draft } = working;
        slots.clear();
        slots.resize(*frame, 0);
        draft.restart(*width);
        let world = MarkingWorld { machine, marking, patience };
        definition(&mut Frame::within(slots, &world), draft, 1)?;
        draft.settle()
    }
}
