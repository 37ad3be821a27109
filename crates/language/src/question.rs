//! Questions about a net, with names resolved and types checked.

use sweepnet_colour::{Closed, Term};

use crate::ast::Binary;
pub use crate::ast::{Modal, Path, Until};

/// A named question.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name; without one, its text.
    pub name: String,
    /// The question as it is written.
    pub text: String,
    /// What it asks.
    pub question: Question,
}

/// What is asked. Places and transitions are given by position.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Is it true in every state?
    Invariant(Closed<Term>),
    /// Is it true in some state?
    Reachable(Closed<Term>),
    /// Is it true in no state?
    Unreachable(Closed<Term>),
    /// What are the smallest and the largest value of an integer?
    Bound(Closed<Term>),
    /// Has every place at most so many tokens?
    Safe(u64),
    /// Do all states have as many tokens?
    Conservative,
    /// Can every transition fire?
    QuasiLive,
    /// Can a transition never fire?
    Dead(usize),
    /// Can a transition fire?
    Fireable(usize),
    /// Does a place keep its tokens for ever?
    Stable(usize),
    /// Does some place keep its tokens for ever?
    SomeStable,
    /// Can a state in which it is true be reached from every state?
    Home(Closed<Term>),
    /// Can the initial state be reached from every state?
    Reversible,
    /// Can a transition fire again from every state?
    Live(usize),
    /// Can every transition fire again from every state?
    AllLive,
    /// Does the initial state have a property of branching time?
    Ctl(Temporal),
    /// Does every run have a property of linear time?
    Ltl(Temporal),
}

/// Connectives between temporal formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    /// Both.
    And,
    /// One of them, or both.
    Or,
    /// One of them, not both.
    Xor,
    /// The second if the first.
    Implies,
    /// Both or none.
    Iff,
}

impl Connective {
    /// The connective that an operator is; others never stand between formulas.
    pub(crate) fn of(operator: Binary) -> Option<Self> {
        match operator {
            Binary::And => Some(Self::And),
            Binary::Or => Some(Self::Or),
            Binary::Xor => Some(Self::Xor),
            Binary::Implies => Some(Self::Implies),
            Binary::Iff => Some(Self::Iff),
            _ => None,
        }
    }
}

/// A temporal formula. In branching time every operator has a path quantifier, in linear time none has one.
#[derive(Clone, Debug, PartialEq)]
pub enum Temporal {
    /// A predicate on one marking.
    State(Closed<Term>),
    /// Negation.
    Not(Box<Temporal>),
    /// A connective.
    Binary(Connective, Box<Temporal>, Box<Temporal>),
    /// `X`, `F`, `G`
    Unary(Option<Path>, Modal, Box<Temporal>),
    /// `U`, `W`, `R`
    Until(Option<Path>, Until, Box<Temporal>, Box<Temporal>),
}

impl Temporal {
    /// The predicates in it, from left to right.
    pub fn states(&self) -> Vec<&Closed<Term>> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                Self::State(term) => found.push(term),
                Self::Not(operand) | Self::Unary(_, _, operand) => open.push(operand),
                Self::Binary(_, left, right) | Self::Until(_, _, left, right) => {
                    open.extend([&**right, &**left])
                }
            }
        }
        found
    }
}
