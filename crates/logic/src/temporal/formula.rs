//! Formulas about paths.
//!
//! Both logics have the same operators. In branching time ([`Ctl`]) each has a quantifier over the paths that
//! begin in a marking; in linear time ([`Ltl`]) none has, and the whole formula is about every path from the
//! initial marking.
//!
//! | operator | on a path |
//! | --- | --- |
//! | `X φ` | φ holds in the next marking |
//! | `F φ` | φ holds in some marking, this one included |
//! | `G φ` | φ holds in every marking, this one included |
//! | `φ U ψ` | ψ holds in some marking, and φ in all before it |
//! | `φ W ψ` | the same, or φ in every marking |
//! | `φ R ψ` | ψ holds up to the first marking with φ, that one included, or in every marking |
//!
//! Paths are maximal. In branching time a path that comes to a dead marking ends there, so that `EX` is false
//! in it, `AX` is true, and `EG` and `AF` are decided by the marking itself. In linear time it stays there
//! for ever.

use sweepnet_language::question::{Modal, Path, Until};

use crate::predicate::Predicate;

/// A formula whose temporal operators each carry a `Q`.
///
/// What is true or false of one marking is one [`Atom`](Self::Atom), connectives included: the constructors
/// [`and`](Self::and), [`or`](Self::or), [`xor`](Self::xor) and `!` see to that. Depth is limited by whoever
/// reads formulas, so that walking one by recursion is safe.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula<Q> {
    /// A predicate on one marking.
    Atom(Predicate),
    /// Negation, of what is no atom.
    Not(Box<Formula<Q>>),
    /// All hold. At least two, not all of them atoms.
    And(Vec<Formula<Q>>),
    /// Some hold. At least two, not all of them atoms.
    Or(Vec<Formula<Q>>),
    /// An odd number of them holds. At least two, not all of them atoms.
    Xor(Vec<Formula<Q>>),
    /// `X`, `F`, `G`
    Unary(Q, Modal, Box<Formula<Q>>),
    /// `U`, `W`, `R`
    Binary(Q, Until, Box<Formula<Q>>, Box<Formula<Q>>),
}

/// A formula of branching time.
pub type Ctl = Formula<Path>;

/// A formula of linear time.
pub type Ltl = Formula<()>;

impl<Q> From<Predicate> for Formula<Q> {
    fn from(predicate: Predicate) -> Self {
        Self::Atom(predicate)
    }
}

impl<Q> From<bool> for Formula<Q> {
    fn from(truth: bool) -> Self {
        Self::Atom(truth.into())
    }
}

impl<Q> std::ops::Not for Formula<Q> {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Atom(predicate) => Self::Atom(!predicate),
            Self::Not(operand) => *operand,
            other => Self::Not(Box::new(other)),
        }
    }
}

impl<Q> Formula<Q> {
    /// All of them hold; true if there are none.
    pub fn and(operands: Vec<Self>) -> Self {
        join(operands, Predicate::and, Self::And)
    }

    /// Some of them hold; false if there are none.
    pub fn or(operands: Vec<Self>) -> Self {
        join(operands, Predicate::or, Self::Or)
    }

    /// An odd number of them holds; false if there are none.
    pub fn xor(operands: Vec<Self>) -> Self {
        join(operands, Predicate::xor, Self::Xor)
    }

    /// Each implies the rest: `a -> (b -> c)`, which is `not a or not b or c`.
    pub fn implication(operands: Vec<Self>) -> Self {
        let last = operands.len().saturating_sub(1);
        let negate = |(i, operand): (usize, Self)| if i < last { !operand } else { operand };
        Self::or(operands.into_iter().enumerate().map(negate).collect())
    }

    /// `a <-> b`, and for more operands `(a <-> b) <-> c`. Equivalence is the complement of `xor`, and both are
    /// associative, so that a chain of them is an `xor` or its complement.
    pub fn equivalence(operands: Vec<Self>) -> Self {
        let even = operands.len().is_multiple_of(2);
        let xor = Self::xor(operands);
        if even { !xor } else { xor }
    }

    /// `X`, `F` or `G` of a formula.
    pub fn unary(quantifier: Q, modal: Modal, operand: Self) -> Self {
        Self::Unary(quantifier, modal, Box::new(operand))
    }

    /// `U`, `W` or `R` of two formulas.
    pub fn binary(quantifier: Q, until: Until, left: Self, right: Self) -> Self {
        Self::Binary(quantifier, until, Box::new(left), Box::new(right))
    }

    /// What the operator that is outermost carries, if it is a temporal one.
    pub fn outermost(&self) -> Option<&Q> {
        match self {
            Self::Unary(quantifier, ..) | Self::Binary(quantifier, ..) => Some(quantifier),
            _ => None,
        }
    }

    /// The same formula with other things carried, or nothing if one has no counterpart.
    pub fn requantify<R>(self, new: &dyn Fn(Q) -> Option<R>) -> Option<Formula<R>> {
        let all =
            |operands: Vec<Self>| operands.into_iter().map(|f| f.requantify(new)).collect::<Option<_>>();
        Some(match self {
            Self::Atom(predicate) => Formula::Atom(predicate),
            Self::Not(operand) => Formula::Not(Box::new(operand.requantify(new)?)),
            Self::And(operands) => Formula::And(all(operands)?),
            Self::Or(operands) => Formula::Or(all(operands)?),
            Self::Xor(operands) => Formula::Xor(all(operands)?),
            Self::Unary(quantifier, modal, operand) => {
                Formula::unary(new(quantifier)?, modal, operand.requantify(new)?)
            }
            Self::Binary(quantifier, until, left, right) => {
                Formula::binary(new(quantifier)?, until, left.requantify(new)?, right.requantify(new)?)
            }
        })
    }

    /// The predicates in it, in order, each once. Truth and falsehood are none.
    pub fn atoms(&self) -> Vec<&Predicate> {
        let mut atoms = Vec::new();
        self.visit(&mut |atom| {
            if !matches!(atom, Predicate::True | Predicate::False) {
                atoms.push(atom);
            }
        });
        atoms.sort();
        atoms.dedup();
        atoms
    }

    /// Calls `see` for every atom.
    fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Predicate)) {
        match self {
            Self::Atom(predicate) => see(predicate),
            Self::Not(operand) | Self::Unary(_, _, operand) => operand.visit(see),
            Self::And(operands) | Self::Or(operands) | Self::Xor(operands) => {
                operands.iter().for_each(|operand| operand.visit(see));
            }
            Self::Binary(_, _, left, right) => {
                left.visit(see);
                right.visit(see);
            }
        }
    }
}

fn join<Q>(
    mut operands: Vec<Formula<Q>>,
    atoms: fn(Vec<Predicate>) -> Predicate,
    many: fn(Vec<Formula<Q>>) -> Formula<Q>,
) -> Formula<Q> {
    if operands.len() == 1 {
        return operands.remove(0);
    }
    if operands.iter().any(|operand| !matches!(operand, Formula::Atom(_))) {
        return many(operands);
    }
    let atom = |operand| match operand {
        Formula::Atom(predicate) => Some(predicate),
        _ => None,
    };
    Formula::Atom(atoms(operands.into_iter().filter_map(atom).collect()))
}
