//! Temporal formulas as they are asked about coloured nets.

use sweepnet_colour::{Closed, Term};
use sweepnet_language::question::{Connective, Path, Temporal};

use crate::predicate::Predicate;
use crate::temporal::{Ctl, Formula, Ltl};

/// A formula whose operators may have path quantifiers.
pub(super) type Written = Formula<Option<Path>>;

/// The formula that is asked; `condition` makes a predicate of what is asked of one state.
pub(super) fn written<E>(
    asked: &Temporal,
    condition: &mut dyn FnMut(&Closed<Term>) -> Result<Predicate, E>,
) -> Result<Written, E> {
    Ok(match asked {
        Temporal::State(term) => Formula::Atom(condition(term)?),
        Temporal::Not(operand) => !written(operand, condition)?,
        Temporal::Binary(connective, left, right) => {
            let operands = vec![written(left, condition)?, written(right, condition)?];
            match connective {
                Connective::And => Formula::and(operands),
                Connective::Or => Formula::or(operands),
                Connective::Xor => Formula::xor(operands),
                Connective::Implies => Formula::implication(operands),
                Connective::Iff => Formula::equivalence(operands),
            }
        }
        Temporal::Unary(path, modal, operand) => Formula::unary(*path, *modal, written(operand, condition)?),
        Temporal::Until(path, until, left, right) => {
            let left = written(left, condition)?;
            Formula::binary(*path, *until, left, written(right, condition)?)
        }
    })
}

/// The formula of branching time, if every operator has a path quantifier.
pub(super) fn branching(written: Written) -> Option<Ctl> {
    written.requantify(&|path| path)
}

/// The formula of linear time, if none has.
pub(super) fn linear(written: Written) -> Option<Ltl> {
    written.requantify(&|path| path.is_none().then_some(()))
}
