//! From one sort to another.
//!
//! Integers are widened to be calculated with and narrowed to be stored. Values of types that differ only in
//! what is ruled out, such as `1..4` and `0..9 where it mod 2 = 1`, are converted. All else is an error.

use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::Checker;
use crate::ast::Span;
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    /// The term as one of the expected sort.
    pub(super) fn coerce(&mut self, term: Term, expected: Sort, span: &Span) -> Option<Term> {
        if term.sort == expected {
            return Some(term);
        }
        let types = &self.net.types;
        let node = match (term.sort, expected) {
            (Sort::Of(from), Sort::Int) if types.is_integer(from) => Node::Widen(Box::new(term)),
            (Sort::Int, Sort::Of(to)) if types.is_integer(to) => Node::Narrow(Box::new(term)),
            (Sort::Of(from), Sort::Of(to)) if types.is_integer(from) && types.is_integer(to) => {
                Node::Narrow(Box::new(Term::new(Node::Widen(Box::new(term)), Sort::Int)))
            }
            (Sort::Of(from), Sort::Of(to)) if self.alike(from, to) => Node::Convert(Box::new(term)),
            (found, _) => return self.mismatch(expected, found, span),
        };
        // Widening and narrowing a literal at once: the inner step first.
        let node = match node {
            Node::Narrow(inner) if matches!(inner.node, Node::Widen(_)) => {
                Node::Narrow(Box::new(self.folded(*inner, span)?))
            }
            node => node,
        };
        self.folded(Term::new(node, expected), span)
    }

    /// Reports that something is of another sort.
    pub(super) fn mismatch<T>(&mut self, expected: Sort, found: Sort, span: &Span) -> Option<T> {
        let mut wanted = self.sort_name(expected);
        let message = format!("this is {}", self.sort_name(found));
        if expected == Sort::Of(TypeId::UNIT) && self.is_numeric(found) {
            wanted = "unit; several tokens are written 3'()".to_owned();
        }
        self.report(Diagnostic::error(span.clone(), message).expected(wanted))
    }

    /// A sort, in words.
    pub(super) fn sort_name(&self, sort: Sort) -> String {
        match sort {
            Sort::Int => "an integer".to_owned(),
            Sort::Of(TypeId::BOOL) => "a truth value".to_owned(),
            Sort::Of(id) => self.net.types.describe(id),
        }
    }

    /// A type with its range, if it has one behind its name.
    pub(super) fn spelled(&self, id: TypeId) -> String {
        let name = self.net.types.describe(id);
        match self.net.types.shape(id) {
            Shape::Range { low, high, .. } if self.net.types.get(id).name.is_some() => {
                format!("{name} ({low}..{high})")
            }
            _ => name,
        }
    }

    /// Whether a sort is one of integers.
    pub(super) fn is_numeric(&self, sort: Sort) -> bool {
        match sort {
            Sort::Int => true,
            Sort::Of(id) => self.net.types.is_integer(id),
        }
    }

    /// Whether values of two types have the same tree.
    fn alike(&self, left: TypeId, right: TypeId) -> bool {
        let (left, right) = (self.whole(left), self.whole(right));
        if left == right {
            return true;
        }
        match (self.net.types.shape(left), self.net.types.shape(right)) {
            (Shape::Range { .. }, Shape::Range { .. }) => true,
            (Shape::Enum { names: a, .. }, Shape::Enum { names: b, .. }) => a == b,
            (Shape::Struct(a), Shape::Struct(b)) => {
                let named = |a: &str, b: &str| a == b || a.is_empty() || b.is_empty();
                a.len() == b.len()
                    && a.iter().zip(b).all(|((n, a), (m, b))| named(n, m) && self.alike(*a, *b))
            }
            (Shape::Union(a), Shape::Union(b)) => {
                let contents = |a: &Option<TypeId>, b: &Option<TypeId>| match (a, b) {
                    (Some(a), Some(b)) => self.alike(*a, *b),
                    (None, None) => true,
                    _ => false,
                };
                a.len() == b.len() && a.iter().zip(b).all(|((n, a), (m, b))| n == m && contents(a, b))
            }
            (Shape::Array { index, element }, Shape::Array { index: other, element: elements }) => {
                self.net.types.size(*index) == self.net.types.size(*other)
                    && self.alike(*index, *other)
                    && self.alike(*element, *elements)
            }
            (Shape::List { element: a, .. }, Shape::List { element: b, .. }) => self.alike(*a, *b),
            (Shape::Set(a), Shape::Set(b)) => self.alike(*a, *b),
            _ => false,
        }
    }
}
