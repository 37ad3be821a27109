//! The firing rule on plain markings: one number per place. Every faster way of stepping in this project must
//! agree with this one.

use std::ops::{Index, IndexMut};

use thiserror::Error;

use crate::{Net, PlaceId, TransitionId};

/// Tokens per place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marking(Box<[u64]>);

/// Why a transition cannot fire.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FireError {
    /// It is not enabled.
    #[error("the transition is not enabled")]
    NotEnabled,
    /// A place would hold more than 2^64 - 1 tokens.
    #[error("a place would hold more than 2^64 - 1 tokens")]
    TooManyTokens(PlaceId),
}

impl Marking {
    /// A marking from its counts.
    pub fn new(tokens: Box<[u64]>) -> Self {
        Self(tokens)
    }

    /// The counts, by place.
    pub fn tokens(&self) -> &[u64] {
        &self.0
    }

    /// The counts, by place, to change.
    pub fn tokens_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }

    /// All tokens together.
    pub fn total(&self) -> u128 {
        self.0.iter().map(|&n| u128::from(n)).sum()
    }

    /// The places that hold tokens, with how many.
    pub fn marked(&self) -> impl Iterator<Item = (PlaceId, u64)> + '_ {
        self.0.iter().enumerate().filter(|(_, n)| **n > 0).map(|(p, n)| (PlaceId::new(p), *n))
    }
}

impl Index<PlaceId> for Marking {
    type Output = u64;

    fn index(&self, place: PlaceId) -> &u64 {
        &self.0[place.index()]
    }
}

impl IndexMut<PlaceId> for Marking {
    fn index_mut(&mut self, place: PlaceId) -> &mut u64 {
        &mut self.0[place.index()]
    }
}

impl Net {
    /// Whether the transition is enabled in the marking.
    pub fn is_enabled(&self, marking: &Marking, transition: TransitionId) -> bool {
        let enough = |arcs: &crate::Arcs| arcs.of(transition).iter().all(|a| marking[a.place] >= a.weight);
        enough(&self.inputs)
            && enough(&self.reads)
            && self.inhibitors.of(transition).iter().all(|a| marking[a.place] < a.weight)
    }

    /// The marking after firing the transition.
    pub fn fire(&self, marking: &Marking, transition: TransitionId) -> Result<Marking, FireError> {
        let mut next = marking.clone();
        self.fire_in(&mut next, transition)?;
        Ok(next)
    }

    /// Fires the transition. A marking in which it cannot be fired for too many tokens is left halfway.
    pub fn fire_in(&self, marking: &mut Marking, transition: TransitionId) -> Result<(), FireError> {
        if !self.is_enabled(marking, transition) {
            return Err(FireError::NotEnabled);
        }
        for arc in self.inputs.of(transition) {
            marking[arc.place] -= arc.weight;
        }
        for arc in self.resets.of(transition) {
            marking[arc.place] = 0;
        }
        for arc in self.outputs.of(transition) {
            let tokens = &mut marking[arc.place];
            *tokens = tokens.checked_add(arc.weight).ok_or(FireError::TooManyTokens(arc.place))?;
        }
        Ok(())
    }

    /// The enabled transitions, in order of their numbers.
    pub fn enabled<'a>(&'a self, marking: &'a Marking) -> impl Iterator<Item = TransitionId> + 'a {
        self.transition_ids().filter(|t| self.is_enabled(marking, *t))
    }
}
