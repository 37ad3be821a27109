//! The operators of temporal logic.
//!
//! `X`, `F`, `G`, `U`, `W`, `R`, `A`, `E` and the pairs such as `AG` are operators only where an operator can
//! stand in a formula of `ctl` or `ltl`: as names of nodes they always stand behind `#`, or in the
//! parentheses of a word.

use std::ops::Range;

use sweepnet_language::question::{Modal, Path};

use super::error::SyntaxError;
use super::formula::{Level, Operand, Value};
use super::reader::Reader;
use super::token::Kind;
use crate::temporal::{Ctl, Formula, Ltl};

/// Which operators are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    Branching,
    Linear,
}

/// A formula as it is written: an operator may still have no quantifier.
pub(crate) type Written = Formula<Option<Path>>;

/// What stands before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Modal(Option<Path>, Modal),
    /// Before parentheses.
    Path(Path),
}

impl Before {
    pub(super) fn of(self, operand: Written) -> Written {
        match self {
            Self::Modal(path, modal) => Formula::unary(path, modal, operand),
            Self::Path(_) => operand,
        }
    }

    /// How it is written.
    pub(super) fn letters(self) -> &'static str {
        match self {
            Self::Modal(None, Modal::Next) => "X",
            Self::Modal(None, Modal::Finally) => "F",
            Self::Modal(None, Modal::Globally) => "G",
            Self::Modal(Some(Path::All), Modal::Next) => "AX",
            Self::Modal(Some(Path::All), Modal::Finally) => "AF",
            Self::Modal(Some(Path::All), Modal::Globally) => "AG",
            Self::Modal(Some(Path::Some), Modal::Next) => "EX",
            Self::Modal(Some(Path::Some), Modal::Finally) => "EF",
            Self::Modal(Some(Path::Some), Modal::Globally) => "EG",
            Self::Path(Path::All) => "A",
            Self::Path(Path::Some) => "E",
        }
    }
}

impl Reader<'_> {
    /// A formula of branching time.
    pub(super) fn branching(&mut self) -> Result<Ctl, SyntaxError> {
        let (formula, span) = self.temporal(Logic::Branching)?;
        let ctl = formula.requantify(&|path| path);
        ctl.ok_or_else(|| self.error(span, "a temporal operator of ctl needs a path quantifier"))
    }

    /// A formula of linear time.
    pub(super) fn linear(&mut self) -> Result<Ltl, SyntaxError> {
        let (formula, span) = self.temporal(Logic::Linear)?;
        let ltl = formula.requantify(&|path| if path.is_none() { Some(()) } else { None });
        ltl.ok_or_else(|| self.error(span, "there are no path quantifiers in ltl"))
    }

    fn temporal(&mut self, logic: Logic) -> Result<(Written, Range<usize>), SyntaxError> {
        (self.logic, self.chained) = (Some(logic), 0);
        let operand = self.formula();
        let formula = operand.and_then(|operand| {
            if matches!(operand.0, Value::Number(_)) && !self.at_separator() {
                return Err(self.unexpected("a comparison, such as #p <= 1"));
            }
            let span = operand.1.clone();
            Ok((self.truth(operand, "")?, span))
        });
        self.logic = None;
        formula
    }

    /// The operator before a formula that is next, if one is. Its last token is left to the caller.
    pub(super) fn temporal_operator(&mut self) -> Result<Option<Before>, SyntaxError> {
        let Some(logic) = self.logic.filter(|_| self.peek().kind == Kind::Word) else { return Ok(None) };
        let word = self.peek_text();
        if let Some(modal) = Modal::of(word) {
            return Ok(Some(Before::Modal(None, modal)));
        }
        let Some(quantifier) = word.get(..1).and_then(Path::of) else { return Ok(None) };
        let pair = Modal::of(&word[1..]);
        if pair.is_none() && word.len() > 1 {
            return Ok(None);
        }
        if logic == Logic::Linear {
            let error = self.error(self.peek().span.clone(), "there are no path quantifiers in ltl");
            return Err(error.expected("the operator without `A` or `E`"));
        }
        if let Some(modal) = pair {
            return Ok(Some(Before::Modal(Some(quantifier), modal)));
        }
        self.advance();
        match (self.peek_text(), Modal::of(self.peek_text())) {
            (_, Some(modal)) => Ok(Some(Before::Modal(Some(quantifier), modal))),
            ("(" | "[", _) => Ok(Some(Before::Path(quantifier))),
            _ => Err(self.unexpected(&format!("`X`, `F`, `G` or `(` after `{word}`"))),
        }
    }

    /// `U`, `W` or `R`, if it is next.
    pub(super) fn until_operator(&self) -> Option<(Level, &'static str)> {
        let letter = match self.peek_text() {
            "U" => "U",
            "W" => "W",
            "R" => "R",
            _ => return None,
        };
        self.logic.map(|_| (Level::Until, letter))
    }

    /// `A (φ U ψ)`, `E (G φ)`
    pub(super) fn quantify(&self, path: Path, (value, span): Operand) -> Result<Operand, SyntaxError> {
        let formula = match value {
            Value::Truth(Formula::Unary(None, modal, operand)) => Formula::Unary(Some(path), modal, operand),
            Value::Truth(Formula::Binary(None, until, left, right)) => {
                Formula::Binary(Some(path), until, left, right)
            }
            _ => {
                let letter = Before::Path(path).letters();
                let error = self.error(span, format!("`{letter}` wants a formula about paths"));
                return Err(error.expected(format!("`{letter} (φ U ψ)`, or `X`, `F` or `G` first")));
            }
        };
        Ok((Value::Truth(formula), span))
    }

    /// A formula that is an operand: in branching time, its operator must have a quantifier by now.
    pub(super) fn quantified(&self, formula: Written, span: Range<usize>) -> Result<Written, SyntaxError> {
        if self.logic == Some(Logic::Branching) && formula.outermost() == Some(&None) {
            let error = self.error(span, "a temporal operator of ctl needs a path quantifier");
            return Err(error.expected("`A` or `E` before it"));
        }
        Ok(formula)
    }
}
