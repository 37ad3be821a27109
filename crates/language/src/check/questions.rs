//! Questions.

use sweepnet_colour::{Closed, Sort, Term};

use super::frame::Access;
use super::{BOOL, Checker};
use crate::ast::{self, Expr, Path, TemporalKind};
use crate::diagnostic::Diagnostic;
use crate::question::{Connective, Property, Question, Temporal};

impl Checker<'_> {
    /// The questions with which nothing is wrong.
    pub(super) fn properties<'p>(&mut self, asked: impl Iterator<Item = &'p ast::Property>) -> Vec<Property> {
        let mut properties = Vec::new();
        for property in asked {
            let text = self.text.get(property.span.clone()).unwrap_or_default().to_owned();
            let name = property.name.as_ref().map_or_else(|| text.clone(), |name| name.text.clone());
            if let Some(question) = self.question(&property.question) {
                properties.push(Property { name, text, question });
            }
        }
        properties
    }

    fn question(&mut self, asked: &ast::Question) -> Option<Question> {
        use ast::Question as Asked;
        Some(match asked {
            Asked::Invariant(predicate) => Question::Invariant(self.predicate(predicate)?),
            Asked::Reachable(predicate) => Question::Reachable(self.predicate(predicate)?),
            Asked::Unreachable(predicate) => Question::Unreachable(self.predicate(predicate)?),
            Asked::Home(predicate) => Question::Home(self.predicate(predicate)?),
            Asked::Bound(value) => {
                let closed = self.framed(Access::Question, |checker| checker.term(value, Some(Sort::Int)))?;
                Question::Bound(closed)
            }
            Asked::Safe(bound) => Question::Safe(*bound),
            Asked::Conservative => Question::Conservative,
            Asked::QuasiLive => Question::QuasiLive,
            Asked::SomeStable => Question::SomeStable,
            Asked::Reversible => Question::Reversible,
            Asked::AllLive => Question::AllLive,
            Asked::Dead(name) => Question::Dead(self.transition_of(&name.text, &name.span)?),
            Asked::Fireable(name) => Question::Fireable(self.transition_of(&name.text, &name.span)?),
            Asked::Live(name) => Question::Live(self.transition_of(&name.text, &name.span)?),
            Asked::Stable(name) => Question::Stable(self.place(name)?),
            Asked::Ctl(formula) => Question::Ctl(self.temporal(formula, true)?),
            Asked::Ltl(formula) => Question::Ltl(self.temporal(formula, false)?),
        })
    }

    /// What is true or false of a marking.
    fn predicate(&mut self, expr: &Expr) -> Option<Closed<Term>> {
        self.framed(Access::Question, |checker| checker.term(expr, Some(BOOL)))
    }

    /// A formula of branching or of linear time.
    fn temporal(&mut self, formula: &ast::Temporal, branching: bool) -> Option<Temporal> {
        if let TemporalKind::Unary(path, ..) | TemporalKind::Until(path, ..) = &formula.kind {
            self.path(*path, formula, branching);
        }
        let found = match &formula.kind {
            TemporalKind::State(expr) => Temporal::State(self.predicate(expr)?),
            TemporalKind::Not(inner) => Temporal::Not(Box::new(self.temporal(inner, branching)?)),
            TemporalKind::Binary(operator, left, right) => {
                let (left, right) = (self.temporal(left, branching), self.temporal(right, branching));
                Temporal::Binary(Connective::of(*operator)?, Box::new(left?), Box::new(right?))
            }
            TemporalKind::Unary(path, modal, inner) => {
                Temporal::Unary(*path, *modal, Box::new(self.temporal(inner, branching)?))
            }
            TemporalKind::Until(path, until, left, right) => {
                let (left, right) = (self.temporal(left, branching), self.temporal(right, branching));
                Temporal::Until(*path, *until, Box::new(left?), Box::new(right?))
            }
        };
        Some(found)
    }

    /// Reports a path quantifier that is missing, or one too many.
    fn path(&mut self, path: Option<Path>, formula: &ast::Temporal, branching: bool) {
        let error = |message: &str| Diagnostic::error(formula.span.clone(), message);
        match (path, branching) {
            (None, true) => {
                let error = error("a temporal operator of ctl needs a path quantifier");
                self.report::<()>(error.expected("A or E before it"));
            }
            (Some(_), false) => {
                let error = error("there are no path quantifiers in ltl");
                self.report::<()>(error.expected("the operator without A or E"));
            }
            _ => {}
        }
    }
}
