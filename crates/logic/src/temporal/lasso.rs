//! The plain meaning of linear time: a formula on one path that goes round for ever.

use sweepnet_language::question::{Modal, Until};

use super::formula::Ltl;
use crate::predicate::Predicate;

impl Ltl {
    /// Whether it is true of the path of `length` markings after whose last one comes that at `turn` again.
    /// `atom` tells whether a predicate holds at a position; a path without markings has nothing to be true
    /// of.
    pub fn holds_on(
        &self,
        length: usize,
        turn: usize,
        atom: &mut dyn FnMut(&Predicate, usize) -> bool,
    ) -> bool {
        self.along(length, turn, atom).first().copied().unwrap_or(false)
    }

    /// Whether it is true of the path from each position on.
    fn along(
        &self,
        length: usize,
        turn: usize,
        atom: &mut dyn FnMut(&Predicate, usize) -> bool,
    ) -> Vec<bool> {
        let after = |at: usize| if at + 1 < length { at + 1 } else { turn };
        let mut join = |operands: &[Self], join: fn(bool, bool) -> bool, neutral: bool| {
            let mut all = vec![neutral; length];
            for operand in operands {
                let truths = operand.along(length, turn, atom);
                all.iter_mut().zip(truths).for_each(|(all, truth)| *all = join(*all, truth));
            }
            all
        };
        // Twice round from the back, because the first time what comes after the last position is not known
        // yet.
        let fix = |first: bool, step: &dyn Fn(usize, bool) -> bool| {
            let mut truths = vec![first; length];
            for at in (0..length).rev().chain((0..length).rev()) {
                truths[at] = step(at, truths[after(at)]);
            }
            truths
        };
        match self {
            Self::Atom(predicate) => (0..length).map(|at| atom(predicate, at)).collect(),
            Self::Not(operand) => operand.along(length, turn, atom).into_iter().map(|truth| !truth).collect(),
            Self::And(operands) => join(operands, |a, b| a && b, true),
            Self::Or(operands) => join(operands, |a, b| a || b, false),
            Self::Xor(operands) => join(operands, |a, b| a != b, false),
            Self::Unary((), modal, operand) => {
                let truths = operand.along(length, turn, atom);
                match modal {
                    Modal::Next => (0..length).map(|at| truths[after(at)]).collect(),
                    Modal::Finally => fix(false, &|at, later| truths[at] || later),
                    Modal::Globally => fix(true, &|at, later| truths[at] && later),
                }
            }
            Self::Binary((), until, left, right) => {
                let left = left.along(length, turn, atom);
                let right = right.along(length, turn, atom);
                match until {
                    Until::Until => fix(false, &|at, later| right[at] || left[at] && later),
                    Until::WeakUntil => fix(true, &|at, later| right[at] || left[at] && later),
                    Until::Release => fix(true, &|at, later| right[at] && (left[at] || later)),
                }
            }
        }
    }
}
