//! Deciding what can be decided without looking at markings.

use std::collections::HashSet;

use sweepnet_net::TransitionId;

use crate::comparison::Comparison;
use crate::linear::Linear;
use crate::predicate::Predicate;

/// What is proven of all reachable markings. Everything said here must be true, or simplified predicates lie.
pub trait Facts {
    /// Proven lower and upper bounds of a linear expression.
    fn bounds(&self, expression: &Linear) -> (Option<i128>, Option<i128>) {
        let _ = expression;
        (None, None)
    }

    /// Whether it is known that some transition is enabled in every reachable marking.
    fn never_dead(&self) -> bool {
        false
    }

    /// Whether the transition is known never to be enabled.
    fn never_enabled(&self, transition: TransitionId) -> bool {
        let _ = transition;
        false
    }
}

/// Nothing is known, except that counts are not negative.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFacts;

impl Facts for NoFacts {}

impl Predicate {
    /// An equivalent predicate (in all markings of which the facts are true) in negation normal form: `not` stands
    /// only before `enabled`, `deadlock` and `initial`; constants are folded away; nested conjunctions and
    /// disjunctions are one; no operand occurs twice in one.
    ///
    /// Operands keep their order. So where the original has a value the simplified predicate has the same one.
    pub fn simplify(&self, facts: &dyn Facts) -> Self {
        self.normal(false, facts)
    }

    /// The normal form of the predicate, or of its negation.
    fn normal(&self, negated: bool, facts: &dyn Facts) -> Self {
        match self {
            Self::True => (!negated).into(),
            Self::False => negated.into(),
            Self::Not(operand) => operand.normal(!negated, facts),
            Self::And(operands) => junction(operands, !negated, negated, facts),
            Self::Or(operands) => junction(operands, negated, negated, facts),
            Self::Xor(operands) => parity(operands, negated, facts),
            Self::Compare(comparison) => match decide(comparison, facts) {
                Some(truth) => (truth != negated).into(),
                None if negated => comparison.negated().into(),
                None => self.clone(),
            },
            Self::Enabled(transition) if facts.never_enabled(*transition) => negated.into(),
            // A list stays what it is, if some of it is left: it is shared.
            Self::AnyEnabled(all) if all.iter().all(|transition| facts.never_enabled(*transition)) => {
                negated.into()
            }
            Self::Deadlock if facts.never_dead() => negated.into(),
            atom if negated => !atom.clone(),
            atom => atom.clone(),
        }
    }
}

/// Conjunction or disjunction of the (negated) operands.
fn junction(operands: &[Predicate], conjunction: bool, negated: bool, facts: &dyn Facts) -> Predicate {
    let mut kept = Vec::with_capacity(operands.len());
    for operand in operands {
        match (operand.normal(negated, facts), conjunction) {
            // The neutral element adds nothing, the absorbing one decides.
            (Predicate::True, true) | (Predicate::False, false) => {}
            (Predicate::False, true) => return Predicate::False,
            (Predicate::True, false) => return Predicate::True,
            (Predicate::And(inner), true) | (Predicate::Or(inner), false) => kept.extend(inner),
            (other, _) => kept.push(other),
        }
    }
    let mut seen = HashSet::with_capacity(kept.len());
    let first: Vec<bool> = kept.iter().map(|operand| seen.insert(operand)).collect();
    drop(seen);
    let mut first = first.into_iter();
    kept.retain(|_| first.next() == Some(true));
    if conjunction { Predicate::and(kept) } else { Predicate::or(kept) }
}

/// `xor` of the operands, complemented if `negated`.
fn parity(operands: &[Predicate], negated: bool, facts: &dyn Facts) -> Predicate {
    let mut odd = negated;
    let mut kept = Vec::with_capacity(operands.len());
    for operand in operands {
        match operand.normal(false, facts) {
            Predicate::False => {}
            Predicate::True => odd = !odd,
            other => kept.push(other),
        }
    }
    match kept.first_mut() {
        None => return odd.into(),
        // The complement of one operand is the complement of the whole.
        Some(first) if odd => complement(first),
        Some(_) => {}
    }
    Predicate::xor(kept)
}

/// Turns a predicate in negation normal form into its complement.
fn complement(predicate: &mut Predicate) {
    use Predicate::{And, False, Not, Or, True, Xor};
    *predicate = match std::mem::replace(predicate, True) {
        True => False,
        False => True,
        Not(operand) => *operand,
        And(mut operands) => {
            operands.iter_mut().for_each(complement);
            Or(operands)
        }
        Or(mut operands) => {
            operands.iter_mut().for_each(complement);
            And(operands)
        }
        Xor(mut operands) => {
            complement(&mut operands[0]);
            Xor(operands)
        }
        Predicate::Compare(comparison) => comparison.negated().into(),
        atom => !atom,
    };
}

/// The comparison's verdict, if the facts (and the sign of the coefficients) leave only one.
fn decide(comparison: &Comparison, facts: &dyn Facts) -> Option<bool> {
    let linear = comparison.expression().as_linear()?;
    let (mut low, mut high) = if linear.terms().is_empty() { (None, None) } else { facts.bounds(linear) };
    // Counts are not negative.
    if linear.terms().iter().all(|(_, coefficient)| *coefficient > 0) {
        low = Some(low.map_or(0, |low| low.max(0)));
    }
    if linear.terms().iter().all(|(_, coefficient)| *coefficient < 0) {
        high = Some(high.map_or(0, |high| high.min(0)));
    }
    comparison.decide(low, high)
}
