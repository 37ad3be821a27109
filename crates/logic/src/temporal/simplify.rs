//! What can be said of a formula without any path.
//!
//! Negation goes down to the atoms, predicates that stand together become one, constants are folded away.
//! What is left may be a question that needs no graph: `AG φ` and `G φ` ask for an invariant, `EF φ` for a
//! reachable marking.

use std::collections::HashSet;
use std::hash::Hash;

use sweepnet_language::question::{Modal, Path, Until};

use super::formula::{Ctl, Formula, Ltl};
use crate::predicate::Predicate;
use crate::property::Question;
use crate::simplify::Facts;

/// What a temporal operator carries.
pub trait Quantifier: Copy + Eq + Hash {
    /// Whether it asks for all paths; without a choice of paths, it does.
    fn is_for_all(self) -> bool;
    /// Whether it asks for some path; without a choice of paths, it does.
    fn is_for_some(self) -> bool;
    /// That of the negation.
    fn dual(self) -> Self;
}

impl Quantifier for Path {
    fn is_for_all(self) -> bool {
        self == Self::All
    }

    fn is_for_some(self) -> bool {
        self == Self::Some
    }

    fn dual(self) -> Self {
        match self {
            Self::All => Self::Some,
            Self::Some => Self::All,
        }
    }
}

impl Quantifier for () {
    fn is_for_all(self) -> bool {
        true
    }

    fn is_for_some(self) -> bool {
        true
    }

    fn dual(self) {}
}

impl<Q: Quantifier> Formula<Q> {
    /// An equivalent formula in which negation stands only in atoms and before `xor`, and constants only
    /// alone.
    pub fn simplify(&self, facts: &dyn Facts) -> Self {
        self.normal(false, facts)
    }

    /// The normal form of the formula, or of its negation.
    fn normal(&self, negated: bool, facts: &dyn Facts) -> Self {
        let all = |operands: &[Self]| operands.iter().map(|f| f.normal(negated, facts)).collect();
        match self {
            Self::Atom(predicate) => match negated {
                true => Self::Atom((!predicate.clone()).simplify(facts)),
                false => Self::Atom(predicate.simplify(facts)),
            },
            Self::Not(operand) => operand.normal(!negated, facts),
            Self::And(operands) => junction(all(operands), !negated, facts),
            Self::Or(operands) => junction(all(operands), negated, facts),
            Self::Xor(operands) => {
                let operands: Vec<Self> = operands.iter().map(|f| f.normal(false, facts)).collect();
                parity(operands, negated, facts)
            }
            Self::Unary(quantifier, modal, operand) => {
                let operand = operand.normal(negated, facts);
                match (negated, modal) {
                    (false, modal) => unary(*quantifier, *modal, operand, facts),
                    (true, Modal::Next) => unary(quantifier.dual(), Modal::Next, operand, facts),
                    (true, Modal::Finally) => unary(quantifier.dual(), Modal::Globally, operand, facts),
                    (true, Modal::Globally) => unary(quantifier.dual(), Modal::Finally, operand, facts),
                }
            }
            Self::Binary(quantifier, until, left, right) => {
                let (left, right) = (left.normal(negated, facts), right.normal(negated, facts));
                match (negated, until) {
                    (false, until) => binary(*quantifier, *until, left, right, facts),
                    (true, Until::Until) => binary(quantifier.dual(), Until::Release, left, right, facts),
                    (true, Until::Release) => binary(quantifier.dual(), Until::Until, left, right, facts),
                    (true, Until::WeakUntil) => {
                        let neither = junction(vec![left, right.clone()], true, facts);
                        binary(quantifier.dual(), Until::Until, right, neither, facts)
                    }
                }
            }
        }
    }

    /// The constant that it is, if it is one.
    fn constant(&self) -> Option<bool> {
        match self {
            Self::Atom(Predicate::True) => Some(true),
            Self::Atom(Predicate::False) => Some(false),
            _ => None,
        }
    }
}

/// Conjunction or disjunction of simplified operands.
fn junction<Q: Quantifier>(operands: Vec<Formula<Q>>, conjunction: bool, facts: &dyn Facts) -> Formula<Q> {
    let (mut atoms, mut modals, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut put = |operand: Formula<Q>| match operand {
        Formula::Atom(predicate) => atoms.push(predicate),
        Formula::Unary(q, Modal::Globally, inner) if conjunction && q.is_for_all() => {
            modals.push((q, *inner))
        }
        Formula::Unary(q, Modal::Finally, inner) if !conjunction && q.is_for_some() => {
            modals.push((q, *inner))
        }
        other => others.push(other),
    };
    for operand in operands {
        match (operand, conjunction) {
            (Formula::And(inner), true) | (Formula::Or(inner), false) => inner.into_iter().for_each(&mut put),
            (other, _) => put(other),
        }
    }
    let atom = if conjunction { Predicate::and(atoms) } else { Predicate::or(atoms) }.simplify(facts);
    match (&atom, conjunction) {
        (Predicate::False, true) | (Predicate::True, false) => return atom.into(),
        (Predicate::True, true) | (Predicate::False, false) => {}
        _ => others.insert(0, atom.into()),
    }
    if let Some((quantifier, _)) = modals.first() {
        let quantifier = *quantifier;
        let modal = if conjunction { Modal::Globally } else { Modal::Finally };
        let inner = modals.into_iter().map(|(_, inner)| inner).collect();
        others.push(Formula::unary(quantifier, modal, junction(inner, conjunction, facts)));
    }
    let mut seen = HashSet::with_capacity(others.len());
    let first: Vec<bool> = others.iter().map(|operand| seen.insert(operand)).collect();
    drop(seen);
    let mut first = first.into_iter();
    others.retain(|_| first.next() == Some(true));
    if conjunction { Formula::and(others) } else { Formula::or(others) }
}

/// `xor` of simplified operands, complemented if `negated`.
fn parity<Q: Quantifier>(operands: Vec<Formula<Q>>, negated: bool, facts: &dyn Facts) -> Formula<Q> {
    let (mut odd, mut kept) = (negated, Vec::new());
    for operand in operands {
        match operand.constant() {
            Some(truth) => odd ^= truth,
            None => kept.push(operand),
        }
    }
    if kept.is_empty() {
        return odd.into();
    }
    match kept.iter_mut().find(|operand| matches!(operand, Formula::Atom(_))) {
        // The complement of one operand is the complement of the whole.
        Some(atom) if odd => *atom = atom.normal(true, facts),
        None if odd => return !Formula::xor(kept),
        _ => {}
    }
    Formula::xor(kept)
}

fn unary<Q: Quantifier>(q: Q, modal: Modal, operand: Formula<Q>, facts: &dyn Facts) -> Formula<Q> {
    match (modal, operand.constant()) {
        (Modal::Finally | Modal::Globally, Some(truth)) => return truth.into(),
        // There may be no next marking.
        (Modal::Next, Some(truth)) => {
            let dead = Predicate::Deadlock;
            return match (truth, q.is_for_all(), q.is_for_some()) {
                (true, false, _) => Formula::Atom((!dead).simplify(facts)),
                (false, _, false) => Formula::Atom(dead.simplify(facts)),
                (truth, ..) => truth.into(),
            };
        }
        _ => {}
    }
    match &operand {
        Formula::Unary(inner, same, _) if (*inner, *same) == (q, modal) && modal != Modal::Next => operand,
        _ => Formula::unary(q, modal, operand),
    }
}

fn binary<Q: Quantifier>(
    q: Q,
    until: Until,
    left: Formula<Q>,
    right: Formula<Q>,
    facts: &dyn Facts,
) -> Formula<Q> {
    match (until, left.constant(), right.constant()) {
        (_, _, Some(true)) => true.into(),
        (Until::Until | Until::Release, _, Some(false)) => false.into(),
        (Until::WeakUntil, Some(true), _) => true.into(),
        (Until::Until | Until::WeakUntil, Some(false), _) | (Until::Release, Some(true), _) => right,
        (Until::Until, Some(true), _) => unary(q, Modal::Finally, right, facts),
        (Until::WeakUntil, _, Some(false)) => unary(q, Modal::Globally, left, facts),
        (Until::Release, Some(false), _) => unary(q, Modal::Globally, right, facts),
        _ if left == right => right,
        _ => Formula::binary(q, until, left, right),
    }
}

/// What an atom alone asks: it is about the initial marking.
fn initially(predicate: Predicate) -> Question {
    match predicate {
        constant @ (Predicate::True | Predicate::False) => Question::Invariant(constant),
        predicate => Question::Reachable(Predicate::and(vec![Predicate::Initial, predicate])),
    }
}

impl From<Ctl> for Question {
    /// The question that a formula of branching time asks, which may be one that needs no graph.
    fn from(formula: Ctl) -> Self {
        match formula {
            Ctl::Atom(predicate) => initially(predicate),
            Ctl::Unary(Path::All, Modal::Globally, operand) => match *operand {
                Ctl::Atom(predicate) => Self::Invariant(predicate),
                operand => Self::Ctl(Ctl::unary(Path::All, Modal::Globally, operand)),
            },
            Ctl::Unary(Path::Some, Modal::Finally, operand) => match *operand {
                Ctl::Atom(predicate) => Self::Reachable(predicate),
                operand => Self::Ctl(Ctl::unary(Path::Some, Modal::Finally, operand)),
            },
            Ctl::Not(operand) => match Self::from(*operand) {
                Self::Invariant(predicate) => Self::Reachable(!predicate),
                Self::Reachable(predicate) => Self::Unreachable(predicate),
                Self::Ctl(formula) => Self::Ctl(!formula),
                other => other,
            },
            formula => Self::Ctl(formula),
        }
    }
}

impl From<Ltl> for Question {
    /// The question that a formula of linear time asks, which may be one that needs no graph.
    fn from(formula: Ltl) -> Self {
        match formula {
            Ltl::Atom(predicate) => initially(predicate),
            Ltl::Unary((), Modal::Globally, operand) => match *operand {
                Ltl::Atom(predicate) => Self::Invariant(predicate),
                operand => Self::Ltl(Ltl::unary((), Modal::Globally, operand)),
            },
            Ltl::Not(operand) => match *operand {
                Ltl::Unary((), Modal::Finally, operand) if matches!(*operand, Ltl::Atom(_)) => {
                    Self::from(Ltl::unary((), Modal::Globally, !*operand))
                }
                operand => Self::Ltl(!operand),
            },
            formula => Self::Ltl(formula),
        }
    }
}
