//! Expressions that stand for values, numbers and truth values.
//!
//! Types go both ways: an expression that is expected to be of some sort is checked against it, others tell
//! their sort themselves. Literals such as `(1, 2)`, `[ ]` and ambiguous constants need to be told.

use sweepnet_colour::compile::ENUMERABLE;
use sweepnet_colour::term::{Arithmetic, Collection, Quantifier as Over};
use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::constants::is_literal;
use super::frame::Access;
use super::{BOOL, Checker};
use crate::ast::{Binary, Binder, Expr, ExprKind, Name, Quantifier, Span, Unary};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    /// A term for an expression, of the expected sort if there is one.
    pub(super) fn term(&mut self, expr: &Expr, expected: Option<Sort>) -> Option<Term> {
        self.deeper(&expr.span, |checker| {
            let term = checker.term_inside(expr, expected)?;
            let term = checker.folded(term, &expr.span)?;
            match expected {
                Some(expected) => {
                    // A number that is written out must fit, even where it need not be evaluated.
                    let outer = checker.frame.conditional;
                    if matches!(expr.kind, ExprKind::Integer(_)) {
                        checker.frame.conditional = 0;
                    }
                    let term = checker.coerce(term, expected, &expr.span);
                    checker.frame.conditional = outer;
                    term
                }
                None => Some(term),
            }
        })
    }

    fn term_inside(&mut self, expr: &Expr, expected: Option<Sort>) -> Option<Term> {
        let span = &expr.span;
        match &expr.kind {
            ExprKind::Broken => {
                self.poisoned = true;
                None
            }
            ExprKind::Integer(n) => Some(self.numbered(*n, expected).unwrap_or_else(|| Term::int(*n))),
            ExprKind::Bool(truth) => Some(Term::bool(*truth)),
            ExprKind::Name(name) => self.name(name, expected),
            ExprKind::Tuple(parts) => self.tuple(parts, expected, span),
            ExprKind::Record(fields) => self.record(fields, expected, span),
            ExprKind::Brackets(parts) => self.brackets(parts, expected, span),
            ExprKind::BracketComprehension(inner) => self.bracket_comprehension(inner, expected, span),
            ExprKind::Set(inner) => self.set(inner, expected, span),
            ExprKind::Braces(_) | ExprKind::Comprehension(_) | ExprKind::All(_) | ExprKind::Times(..) => {
                self.multiset_as_value(expr, expected)
            }
            ExprKind::Count(inner) => self.count(inner),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expected, span),
            ExprKind::Field(inner, name) => self.field(inner, name),
            ExprKind::Index(inner, index) => self.index(inner, index),
            ExprKind::WithFields(inner, fields) => self.with_fields(inner, fields, expected),
            ExprKind::WithElements(inner, elements) => self.with_elements(inner, elements, expected),
            ExprKind::Is(inner, name) => self.is(inner, name),
            ExprKind::Unary(Unary::Not, inner) => {
                let inner = self.term(inner, Some(BOOL))?;
                Some(Term::truth(Node::Not(Box::new(inner))))
            }
            ExprKind::Unary(Unary::Negate, inner) => {
                let inner = self.term(inner, Some(Sort::Int))?;
                Some(Term::arithmetic(Arithmetic::Subtract, Term::int(0), inner))
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, expr, expected),
            ExprKind::If(condition, yes, no) => self.choice(condition, yes, no, expected),
            ExprKind::Let(name, value, body) => {
                let value = self.term(value, None);
                self.scoped(|checker| match value {
                    Some(value) => {
                        let bound = checker.bind_value(name, value);
                        let body = checker.term(body, expected)?;
                        Some(wrap(bound, body))
                    }
                    None => {
                        checker.frame.push(&name.text, None);
                        checker.term(body, expected);
                        None
                    }
                })
            }
            ExprKind::Quantified(quantifier, binder, body) => self.quantified(*quantifier, binder, body),
        }
    }

    /// Makes a value known under a name: a literal or variable as itself, all else through a new variable.
    pub(super) fn bind_value(&mut self, name: &Name, value: Term) -> Option<(usize, Term)> {
        if is_literal(&value) || matches!(value.node, Node::Variable(_)) {
            self.frame.push(&name.text, Some(value));
            return None;
        }
        let slot = self.frame.bind(&name.text, value.sort, &self.net.types);
        Some((slot, value))
    }

    /// The variable of a binder, with its slot and type.
    pub(super) fn binder(&mut self, binder: &Binder) -> Option<(usize, TypeId)> {
        let Some(id) = self.type_(&binder.domain) else {
            self.frame.push(&binder.variable.text, None);
            return None;
        };
        let slot = self.frame.bind(&binder.variable.text, Sort::Of(id), &self.net.types);
        self.few_enough(id, &binder.domain.span)?;
        Some((slot, id))
    }

    /// Reports a type that has more values than one can go through.
    pub(super) fn few_enough(&mut self, id: TypeId, span: &Span) -> Option<()> {
        let size = match self.net.types.size(id) {
            Some(size) if size <= ENUMERABLE => return Some(()),
            Some(size) => size.to_string(),
            None => "more than 2^63".to_owned(),
        };
        let named = self.net.types.describe(id);
        let message = format!("{named} has {size} values, too many to go through");
        self.report(Diagnostic::error(span.clone(), message).expected(format!("at most {ENUMERABLE}")))
    }

    /// Reports `sum x in T: e = 3`, in which all behind the colon is summed up.
    fn sum_of_comparisons(&mut self, binder: &Binder, body: &Expr) -> Option<Term> {
        // What else is wrong with it is said first.
        self.term(body, Some(BOOL))?;
        let domain = self.text.get(binder.domain.span.clone()).unwrap_or_default();
        let sum = format!("(sum {} in {domain}: …)", binder.variable.text);
        let error = Diagnostic::error(body.span.clone(), "this is a truth value");
        self.report(error.expected(format!("an integer; a sum to compare is in parentheses: {sum} = …")))
    }

    fn quantified(&mut self, quantifier: Quantifier, binder: &Binder, body: &Expr) -> Option<Term> {
        let (over, sort) = match quantifier {
            Quantifier::Forall => (Over::Forall, BOOL),
            Quantifier::Exists => (Over::Exists, BOOL),
            Quantifier::Sum => (Over::Sum, Sort::Int),
        };
        self.scoped(|checker| {
            let bound = checker.binder(binder);
            if quantifier == Quantifier::Sum && compares(body) {
                return checker.sum_of_comparisons(binder, body);
            }
            let body = checker.conditionally(|checker| checker.term(body, Some(sort)));
            let (slot, id) = bound?;
            Some(Term::new(Node::Quantified(over, slot, id, Box::new(body?)), sort))
        })
    }

    /// `if`: the parts tell the sort to each other.
    fn choice(&mut self, condition: &Expr, yes: &Expr, no: &Expr, expected: Option<Sort>) -> Option<Term> {
        let condition = self.term(condition, Some(BOOL));
        let parts = self.conditionally(|checker| match expected {
            Some(_) => {
                let (yes, no) = (checker.term(yes, expected), checker.term(no, expected));
                Some((yes?, no?))
            }
            None => checker.pair(yes, no),
        });
        let (condition, (yes, no)) = (condition?, parts?);
        if let Node::Constant(words) = &condition.node {
            return Some(if words.first() == Some(&0) { no } else { yes });
        }
        let sort = yes.sort;
        Some(Term::new(Node::If(Box::new(condition), Box::new(yes), Box::new(no)), sort))
    }

    /// `#p`, `#p(v)`, `#M`, `#list`
    fn count(&mut self, inner: &Expr) -> Option<Term> {
        if let ExprKind::Call(name, arguments) = &inner.kind
            && self.counts_in_place(name)
        {
            return self.count_in_place(name, arguments, &inner.span);
        }
        if let ExprKind::Name(name) = &inner.kind
            && !self.frame.hides(&name.text)
            && !self.scope.globals.contains_key(&name.text)
            && !self.scope.constants.contains_key(&name.text)
            && self.may(Access::Places)
        {
            self.place(name)?;
        }
        if self.is_multiset(inner, &[]) {
            let (bag, _) = self.bag(inner, None)?;
            return Some(Term::new(Node::Count(Box::new(bag)), Sort::Int));
        }
        let term = self.term(inner, None)?;
        if let Sort::Of(id) = term.sort
            && let Shape::List { .. } | Shape::Set(_) = self.net.types.shape(self.whole(id))
        {
            let term = self.coerce(term, Sort::Of(self.whole(id)), &inner.span)?;
            return Some(Term::new(Node::Collection(Collection::Length, vec![term]), Sort::Int));
        }
        let found = self.sort_name(term.sort);
        let error = Diagnostic::error(inner.span.clone(), format!("{found} can't be counted"));
        self.report(error.expected("a place, a multiset, a list or a set"))
    }

    /// Reports a multiset that stands where a value should.
    pub(super) fn multiset_as_value(&mut self, expr: &Expr, expected: Option<Sort>) -> Option<Term> {
        let error = Diagnostic::error(expr.span.clone(), "this is a multiset, not a value");
        let is_set = |id| matches!(self.net.types.shape(self.whole(id)), Shape::Set(_));
        match expected {
            Some(Sort::Of(id)) if is_set(id) => self.report(error.expected("a set, written set { … }")),
            Some(sort) => {
                let wanted = self.sort_name(sort);
                self.report(error.expected(wanted))
            }
            None => self.report(error),
        }
    }

    /// Whether what is enabled, or what places have, may be asked here.
    pub(super) fn may(&self, access: Access) -> bool {
        self.frame.access >= access
    }
}

/// A term inside the variables that it needs.
pub(super) fn wrap(
    bound: impl IntoIterator<Item = (usize, Term), IntoIter: DoubleEndedIterator>,
    body: Term,
) -> Term {
    bound.into_iter().rev().fold(body, |body, (slot, value)| {
        let sort = body.sort;
        Term::new(Node::Let(slot, Box::new(value), Box::new(body)), sort)
    })
}

/// The operands of a chain of one level of operators, in order, each with its operator; the first has none.
pub(super) fn chain<'e>(expr: &'e Expr, level: &[Binary]) -> Vec<(Option<Binary>, &'e Expr)> {
    let (mut operands, mut rest) = (Vec::new(), expr);
    while let ExprKind::Binary(operator, left, right) = &rest.kind
        && level.contains(operator)
    {
        operands.push((Some(*operator), &**right));
        rest = left;
    }
    operands.push((None, rest));
    operands.reverse();
    operands
}

/// Whether an expression is a comparison, or some with connectives between them.
fn compares(expr: &Expr) -> bool {
    let ExprKind::Binary(operator, left, _) = &expr.kind else { return false };
    match operator {
        Binary::And | Binary::Or | Binary::Xor | Binary::Implies | Binary::Iff => compares(left),
        Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => false,
        _ => true,
    }
}
