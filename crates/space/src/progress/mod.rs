//! Progress measures: how far a state is.
//!
//! A measure gives each state a few integers. The sweep takes states in their order and forgets what lies behind, so
//! a measure is good if steps seldom lead back. Whether they do is never taken on trust: every edge is checked.

pub mod trial;

use std::fmt;
use std::sync::Arc;

use sweepnet_net::{Net, PlaceId, TransitionId};

/// How far a state is, in one or several integers.
#[derive(Clone, Debug)]
pub struct Measure {
    /// The integers; at least one.
    pub components: Vec<Component>,
    /// How they are compared.
    pub order: Order,
    /// How it is written.
    pub text: String,
}

/// How values of several integers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From left to right: the first that differs decides.
    Lexicographic,
    /// All of them: a value is ahead of another only if no integer is behind. Some values cannot be compared.
    Componentwise,
}

/// One integer of a measure.
#[derive(Clone, Debug)]
pub enum Component {
    /// A weighted sum of token counts: each transition changes it by a constant.
    Linear(Linear),
    /// Anything else.
    Function(Arc<dyn Function>),
}

/// A weighted sum of token counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// Places and their weights, in order of places.
    pub terms: Vec<(PlaceId, i64)>,
    /// What is added.
    pub constant: i64,
}

/// An integer that depends on a marking in any way.
pub trait Function: fmt::Debug + Send + Sync {
    /// Its value, given the tokens of each place; nothing if it has none, because a number becomes too large.
    fn value(&self, tokens: &dyn Fn(PlaceId) -> u64) -> Option<i64>;
}

impl Measure {
    /// The measure that says nothing: all states are as far.
    pub fn constant() -> Self {
        let components = vec![Component::Linear(Linear::default())];
        Self { components, order: Order::Lexicographic, text: "0".into() }
    }
}

impl Linear {
    /// Its value, given the tokens of each place; nothing if it is too large.
    pub fn value(&self, tokens: impl Fn(PlaceId) -> u64) -> Option<i64> {
        self.terms.iter().try_fold(self.constant, |sum, (place, weight)| {
            sum.checked_add(i64::try_from(tokens(*place)).ok()?.checked_mul(*weight)?)
        })
    }

    /// By how much a transition changes it, if it changes it always by the same: nothing if the transition resets a
    /// place that counts, or if the number is too large.
    pub fn change(&self, net: &Net, transition: TransitionId) -> Option<i64> {
        let weight = |place: PlaceId| {
            let at = self.terms.binary_search_by_key(&place, |(place, _)| *place).ok()?;
            Some(i128::from(self.terms[at].1))
        };
        if net.resets().of(transition).iter().any(|arc| weight(arc.place).is_some()) {
            return None;
        }
        let mut sum = 0_i128;
        for (arcs, sign) in [(net.outputs(), 1), (net.inputs(), -1)] {
            for arc in arcs.of(transition) {
                let Some(weight) = weight(arc.place) else { continue };
                sum = sum.checked_add(i128::from(arc.weight).checked_mul(weight * sign)?)?;
            }
        }
        i64::try_from(sum).ok()
    }
}
