//! Constants: what has a value before anything is explored is replaced by it.

use std::collections::HashSet;

use sweepnet_colour::term::{Arithmetic, Part};
use sweepnet_colour::{Closed, Fault, Node, Shape, Sort, Term, eval};

use super::Checker;
use super::evaluation::{TOO_LONG, evaluated};
use super::frame::Access;
use crate::ast::{Expr, Span};

impl Checker<'_> {
    /// The value of an expression without variables, as a literal.
    pub(super) fn constant(&mut self, expr: &Expr, expected: Option<Sort>) -> Option<Term> {
        let closed = self.framed(Access::Constant, |checker| checker.term(expr, expected))?;
        self.literal(closed, &expr.span)
    }

    /// The value of a term, as a literal.
    pub(super) fn literal(&mut self, closed: Closed<Term>, span: &Span) -> Option<Term> {
        if is_literal(&closed.body) {
            return Some(closed.body);
        }
        match evaluated(self.patience, |patience| eval::constant(&self.net.types, &closed, patience)) {
            Ok(words) => Some(literal(words, closed.body.sort)),
            Err(fault) => {
                let message = self.fault(fault);
                self.error(span, message)
            }
        }
    }

    /// The term, or its value if it is made of literals. What goes wrong is an error, unless the term need
    /// not be evaluated.
    pub(super) fn folded(&mut self, term: Term, span: &Span) -> Option<Term> {
        if is_literal(&term) || !is_ground(&term) {
            return Some(term);
        }
        if let Some(value) = self.calculated(&term) {
            return Some(value);
        }
        let closed = Closed { body: term, frame: self.frame.words };
        match evaluated(self.patience, |patience| eval::constant(&self.net.types, &closed, patience)) {
            Ok(words) => Some(literal(words, closed.body.sort)),
            Err(_) if self.frame.conditional > 0 => Some(closed.body),
            Err(fault) => {
                let message = self.fault(fault);
                self.error(span, message)
            }
        }
    }

    /// The values of the plainest terms, which are most of all, without the evaluator.
    fn calculated(&self, term: &Term) -> Option<Term> {
        match (&term.node, term.sort) {
            (Node::Narrow(inner), Sort::Of(id)) => match (&inner.node, self.net.types.shape(id)) {
                (Node::Integer(n), Shape::Range { low, high, .. }) if (low..=high).contains(&n) => {
                    Some(Term::constant([n.wrapping_sub(*low) as u64], id))
                }
                _ => None,
            },
            (Node::Widen(inner), _) => match (&inner.node, inner.sort) {
                (Node::Constant(words), Sort::Of(id)) => match self.net.types.shape(id) {
                    Shape::Range { low, .. } => Some(Term::int(low.wrapping_add(*words.first()? as i64))),
                    _ => None,
                },
                _ => None,
            },
            (Node::Arithmetic(operator, left, right), _) => match (operator, &left.node, &right.node) {
                (Arithmetic::Add, Node::Integer(a), Node::Integer(b)) => a.checked_add(*b).map(Term::int),
                (Arithmetic::Subtract, Node::Integer(a), Node::Integer(b)) => {
                    a.checked_sub(*b).map(Term::int)
                }
                (Arithmetic::Multiply, Node::Integer(a), Node::Integer(b)) => {
                    a.checked_mul(*b).map(Term::int)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What went wrong, in words.
    pub(super) fn fault(&self, fault: Fault) -> String {
        match fault {
            Fault::OutOfRange { value, type_ } => format!("{value} is outside of {}", self.spelled(type_)),
            Fault::NotInSubset { type_ } => format!("the value is outside of {}", self.spelled(type_)),
            Fault::Interrupted => TOO_LONG.to_owned(),
            other => other.to_string(),
        }
    }
}

/// Whether a term is a value already.
pub(super) fn is_literal(term: &Term) -> bool {
    matches!(term.node, Node::Integer(_) | Node::Constant(_))
}

/// Words as a literal.
fn literal(words: Box<[u64]>, sort: Sort) -> Term {
    match sort {
        Sort::Int => Term::int(words.first().map_or(0, |word| *word as i64)),
        Sort::Of(id) => Term::constant(words, id),
    }
}

/// Whether a term is made of literals. Quantifiers count as not: they may take long.
fn is_ground(term: &Term) -> bool {
    let literals = |parts: &[Term]| parts.iter().all(is_literal);
    match &term.node {
        Node::Widen(a)
        | Node::Narrow(a)
        | Node::Convert(a)
        | Node::Not(a)
        | Node::Field(a, _)
        | Node::Is(a, _)
        | Node::Content(a, _)
        | Node::Step { from: a, .. } => is_literal(a),
        Node::Arithmetic(_, a, b)
        | Node::Compare(_, a, b)
        | Node::WithField(a, _, b)
        | Node::Element(a, b) => is_literal(a) && is_literal(b),
        Node::WithElement(a, b, c) => is_literal(a) && is_literal(b) && is_literal(c),
        Node::And(parts)
        | Node::Or(parts)
        | Node::Struct(parts)
        | Node::List(parts)
        | Node::Set(parts)
        | Node::Collection(_, parts) => literals(parts),
        Node::Variant(_, content) => content.as_deref().is_none_or(is_literal),
        Node::Let(_, value, _) => is_literal(value) && is_closed(term),
        _ => false,
    }
}

/// Whether a term has only variables of its own `let`s, and nothing that may take long.
fn is_closed(term: &Term) -> bool {
    let (mut bound, mut met, mut plain) = (HashSet::new(), HashSet::new(), true);
    term.walk(&mut |part| match part {
        Part::Bag(_) => plain = false,
        Part::Term(term) => match &term.node {
            Node::Let(slot, ..) => _ = bound.insert(*slot),
            Node::Variable(slot) => _ = met.insert(*slot),
            Node::Fill(..)
            | Node::SetOf(..)
            | Node::Quantified(..)
            | Node::Enabled(..)
            | Node::Deadlock
            | Node::Initial
            | Node::Clock => plain = false,
            _ => {}
        },
    });
    plain && met.is_subset(&bound)
}
