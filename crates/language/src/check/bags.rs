//! Expressions that stand for multisets.
//!
//! `+` and `-` are operations on multisets if an operand is made like a multiset: with `n'v`, braces, `all`,
//! a place, a function that gives one, or a sum of such. Between two plain values they are operations on
//! values where the type has them (integers, sets, lists): `x + 1` is one token. Of other types, `a + b` is a
//! multiset of two tokens.

use sweepnet_colour::{Bag, Node, Shape, Sort, Term, TypeId};

use super::expressions::chain;
use super::frame::Access;
use super::scope::Global;
use super::{BOOL, Checker};
use crate::ast::{Binary, Comprehension, Expr, ExprKind, Name, Span, TypeExpr};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    /// Whether an expression is made like a multiset. Names that are hidden are no places.
    pub(super) fn is_multiset(&self, expr: &Expr, hidden: &[&str]) -> bool {
        match &expr.kind {
            ExprKind::Braces(_) | ExprKind::Comprehension(_) | ExprKind::All(_) | ExprKind::Times(..) => true,
            ExprKind::Name(name) => {
                let text = name.text.as_str();
                self.scope.places.contains_key(text)
                    && !hidden.contains(&text)
                    && !self.frame.hides(text)
                    && (self.may(Access::Places)
                        || !(self.scope.globals.contains_key(text)
                            || self.scope.constants.contains_key(text)))
            }
            ExprKind::Call(name, _) => match self.scope.globals.get(&name.text) {
                Some(Global::Function(function)) => function.multiset,
                _ => false,
            },
            ExprKind::Binary(Binary::Add | Binary::Subtract, ..) => {
                let operands = chain(expr, &[Binary::Add, Binary::Subtract]);
                operands.iter().any(|(_, operand)| self.is_multiset(operand, hidden))
            }
            ExprKind::If(_, yes, no) => self.is_multiset(yes, hidden) || self.is_multiset(no, hidden),
            ExprKind::Let(_, _, body) => self.is_multiset(body, hidden),
            _ => false,
        }
    }

    /// A multiset of values of the expected type, or of the type that is found.
    pub(super) fn bag(&mut self, expr: &Expr, expected: Option<TypeId>) -> Option<(Bag, TypeId)> {
        self.deeper(&expr.span, |checker| checker.bag_inside(expr, expected))
    }

    fn bag_inside(&mut self, expr: &Expr, expected: Option<TypeId>) -> Option<(Bag, TypeId)> {
        let span = &expr.span;
        match &expr.kind {
            ExprKind::Braces(parts) => {
                let parts: Vec<(bool, &Expr)> = parts.iter().map(|part| (true, part)).collect();
                self.sum(&parts, expected, span)
            }
            ExprKind::Comprehension(inner) => self.comprehension(inner, expected),
            ExprKind::All(domain) => self.all(domain, expected),
            ExprKind::Times(count, inner) => {
                let times = self.term(count, Some(Sort::Int));
                let inner = self.bag(inner, expected);
                let (times, (inner, id)) = (times?, inner?);
                match times.node {
                    Node::Integer(n) if n < 0 => {
                        self.error(&count.span, format!("a multiset can't have {n} tokens"))
                    }
                    _ => Some((inner.times(times), id)),
                }
            }
            ExprKind::Binary(Binary::Add | Binary::Subtract, ..)
                if self.is_multiset(expr, &[]) || expected.is_some_and(|id| !self.calculates(id)) =>
            {
                let operands = chain(expr, &[Binary::Add, Binary::Subtract]);
                let signed =
                    operands.iter().map(|(operator, part)| (*operator != Some(Binary::Subtract), *part));
                self.sum(&signed.collect::<Vec<_>>(), expected, span)
            }
            ExprKind::If(condition, yes, no) if self.is_multiset(expr, &[]) => {
                let condition = self.term(condition, Some(BOOL));
                let (yes, no, id) = self.conditionally(|checker| match checker.bag(yes, expected) {
                    Some((yes, id)) => Some((yes, checker.bag(no, Some(id))?.0, id)),
                    None => {
                        checker.frame.untyped.take()?;
                        let (no, id) = checker.bag(no, expected)?;
                        Some((checker.bag(yes, Some(id))?.0, no, id))
                    }
                })?;
                Some((Bag::If(Box::new(condition?), Box::new(yes), Box::new(no)), id))
            }
            ExprKind::Let(name, value, body) if self.is_multiset(expr, &[]) => {
                let value = self.term(value, None);
                self.scoped(|checker| {
                    let Some(value) = value else {
                        checker.frame.push(&name.text, None);
                        checker.bag(body, expected);
                        return None;
                    };
                    let bound = checker.bind_value(name, value);
                    let (body, id) = checker.bag(body, expected)?;
                    Some((wrap(bound, body), id))
                })
            }
            ExprKind::Call(name, arguments) if self.is_multiset(expr, &[]) => {
                let Some(Global::Function(function)) = self.global(&name.text, &name.span) else {
                    return None;
                };
                let (bound, (bag, id)) = self.inline(&function, name, arguments, |checker| {
                    let declared = match function.result {
                        Some(Sort::Of(id)) => Some(id),
                        _ => expected,
                    };
                    checker.bag(&function.body, declared)
                })?;
                self.same_type(wrap(bound, bag), id, expected, span)
            }
            ExprKind::Name(name) if self.is_place(name, expected) => {
                if !self.may(Access::Places) {
                    return self.place_as_value(name);
                }
                let place = self.place(name)?;
                let id = self.net.places[place].type_;
                self.same_type(Bag::Place(place), id, expected, span)
            }
            _ => {
                let value = self.term(expr, expected.map(Sort::Of))?;
                match value.sort {
                    Sort::Of(id) => Some((Bag::One(value), id)),
                    Sort::Int => self.untyped(self.no_type(span)),
                }
            }
        }
    }

    /// That the type of an integer in a multiset or tuple can't be told.
    pub(super) fn no_type(&self, span: &Span) -> Diagnostic {
        Diagnostic::error(span.clone(), "the type of this integer can't be told")
    }

    /// Whether a name is to be read as a place: if no variable hides it, and no constant of the type that is
    /// expected.
    fn is_place(&self, name: &Name, expected: Option<TypeId>) -> bool {
        let Some(place) = self.scope.places.get(&name.text) else { return false };
        let is_constant = expected.is_some_and(|id| {
            self.variant(self.whole(id), &name.text).is_some() && self.net.places[*place].type_ != id
        });
        !self.frame.hides(&name.text) && !is_constant && {
            let global = matches!(self.scope.globals.get(&name.text), Some(Global::Param(_)));
            self.may(Access::Places) || !global && !self.scope.constants.contains_key(&name.text)
        }
    }

    /// Whether `+` and `-` mean something else than multisets between values of a type.
    pub(super) fn calculates(&self, id: TypeId) -> bool {
        let shape = self.net.types.shape(self.whole(id));
        matches!(shape, Shape::Range { .. } | Shape::Set(_) | Shape::List { .. })
    }

    /// A multiset of one type where one of another may be expected.
    fn same_type(
        &mut self,
        bag: Bag,
        id: TypeId,
        expected: Option<TypeId>,
        span: &Span,
    ) -> Option<(Bag, TypeId)> {
        match expected {
            Some(expected) if expected != id => {
                let found = format!("this is a multiset of {}", self.net.types.describe(id));
                let wanted = format!("one of {}", self.net.types.describe(expected));
                self.report(Diagnostic::error(span.clone(), found).expected(wanted))
            }
            _ => Some((bag, id)),
        }
    }

    /// A sum of multisets, some of which are subtracted. Those that tell their type help those before them.
    fn sum(
        &mut self,
        parts: &[(bool, &Expr)],
        expected: Option<TypeId>,
        span: &Span,
    ) -> Option<(Bag, TypeId)> {
        let (mut id, mut whole) = (expected, true);
        let mut bags: Vec<Option<Bag>> = Vec::with_capacity(parts.len());
        let mut later = Vec::new();
        for (position, (_, part)) in parts.iter().enumerate() {
            bags.push(None);
            match self.bag(part, id) {
                Some((bag, found)) => {
                    id = Some(found);
                    bags[position] = Some(bag);
                }
                None if id.is_none() && self.frame.untyped.take().is_some() => later.push(position),
                None => whole = false,
            }
        }
        if id.is_none() && whole {
            let error = Diagnostic::error(span.clone(), "the type of this multiset can't be told");
            return self.untyped(error);
        }
        for position in later {
            bags[position] = self.bag(parts[position].1, id).map(|(bag, _)| bag);
        }
        let bags = bags.into_iter().collect::<Option<Vec<_>>>().filter(|_| whole)?;
        let mut sum = Vec::new();
        for (bag, (added, _)) in bags.into_iter().zip(parts) {
            match (added, bag) {
                (_, Bag::Empty) => {}
                (true, Bag::Sum(inner)) => sum.extend(inner),
                (true, bag) => sum.push(bag),
                (false, bag) => sum = vec![Bag::Difference(Box::new(total(sum)), Box::new(bag))],
            }
        }
        Some((total(sum), id?))
    }

    fn all(&mut self, domain: &TypeExpr, expected: Option<TypeId>) -> Option<(Bag, TypeId)> {
        let id = self.type_(domain)?;
        self.few_enough(id, &domain.span)?;
        match expected {
            Some(expected) if expected != id => {
                let slot = self.frame.allot(Sort::Of(id), &self.net.types);
                let value = Term::variable(slot, Sort::Of(id));
                let value = self.coerce(value, Sort::Of(expected), &domain.span)?;
                Some((Bag::For(slot, id, None, Box::new(Bag::One(value))), expected))
            }
            _ => Some((Bag::All(id), id)),
        }
    }

    /// `{ e for x in T, y in U if c }`
    fn comprehension(&mut self, inner: &Comprehension, expected: Option<TypeId>) -> Option<(Bag, TypeId)> {
        self.scoped(|checker| {
            let bound: Vec<Option<(usize, TypeId)>> =
                inner.binders.iter().map(|binder| checker.binder(binder)).collect();
            let (condition, body) = checker.conditionally(|checker| {
                let condition = inner.condition.as_ref().map(|condition| checker.term(condition, Some(BOOL)));
                (condition, checker.bag(&inner.body, expected))
            });
            let condition = match condition {
                Some(condition) => Some(Box::new(condition?)),
                None => None,
            };
            let (mut bag, id) = body?;
            let mut condition = condition;
            for (slot, domain) in bound.into_iter().rev().collect::<Option<Vec<_>>>()? {
                bag = Bag::For(slot, domain, condition.take(), Box::new(bag));
            }
            Some((bag, id))
        })
    }
}

fn total(mut parts: Vec<Bag>) -> Bag {
    match parts.len() {
        0 => Bag::Empty,
        1 => parts.remove(0),
        _ => Bag::Sum(parts),
    }
}

/// A multiset inside the variables that it needs.
fn wrap(bound: impl IntoIterator<Item = (usize, Term), IntoIter: DoubleEndedIterator>, body: Bag) -> Bag {
    bound.into_iter().rev().fold(body, |body, (slot, value)| Bag::Let(slot, Box::new(value), Box::new(body)))
}
