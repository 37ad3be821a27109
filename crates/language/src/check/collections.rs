//! Functions that every model has: on integers, in the order of a type, on lists and on sets.

use sweepnet_colour::term::{Arithmetic, Collection, Relation};
use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::calls::counted;
use super::{BOOL, Checker};
use crate::ast::{Expr, Name, Span};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    pub(super) fn built_in(
        &mut self,
        name: &Name,
        arguments: &[&Expr],
        expected: Option<Sort>,
        span: &Span,
    ) -> Option<Term> {
        let most = match &*name.text {
            "min" | "max" => usize::MAX,
            "succ" | "pred" | "append" | "prepend" | "has" | "insert" | "remove" => 2,
            _ => 1,
        };
        let least = match &*name.text {
            "succ" | "pred" => 1,
            "min" | "max" => 2,
            _ => most,
        };
        if !(least..=most).contains(&arguments.len()) {
            let bound = if arguments.len() < least { least } else { most };
            let message =
                format!("'{}' takes {}, not {}", name.text, counted(bound, "argument"), arguments.len());
            return self.error(span, message);
        }
        match (&*name.text, arguments) {
            ("min", _) => self.folded_over(Arithmetic::Min, arguments, span),
            ("max", _) => self.folded_over(Arithmetic::Max, arguments, span),
            ("abs", [of]) => {
                let of = self.term(of, Some(Sort::Int))?;
                let negated = Term::arithmetic(Arithmetic::Subtract, Term::int(0), of.clone());
                let negated = self.folded(negated, span)?;
                Some(Term::arithmetic(Arithmetic::Max, of, negated))
            }
            ("succ", [from, by @ ..]) => self.step(from, by.first().copied(), 1, expected),
            ("pred", [from, by @ ..]) => self.step(from, by.first().copied(), -1, expected),
            ("length" | "size", [of]) => {
                let (of, _) = self.collection_of(of, None, true, true)?;
                Some(Term::new(Node::Collection(Collection::Length, vec![of]), Sort::Int))
            }
            ("has", [of, element]) => {
                let (of, inner) = self.collection_of(of, None, true, true)?;
                self.has(of, inner, element)
            }
            ("first", [of]) => self.element_of(Collection::First, of),
            ("last", [of]) => self.element_of(Collection::Last, of),
            ("rest", [of]) => self.shorter(Collection::Rest, of, expected),
            ("front", [of]) => self.shorter(Collection::Front, of, expected),
            ("append", [of, element]) => self.longer(Collection::Append, of, element, expected),
            ("prepend", [of, element]) => self.longer(Collection::Prepend, of, element, expected),
            ("insert", [of, element]) => self.longer(Collection::Insert, of, element, expected),
            ("remove", [of, element]) => self.longer(Collection::Remove, of, element, expected),
            _ => self.unknown_function(name),
        }
    }

    /// `min(a, b, c)`
    fn folded_over(&mut self, operator: Arithmetic, arguments: &[&Expr], span: &Span) -> Option<Term> {
        let terms: Vec<Option<Term>> =
            arguments.iter().map(|argument| self.term(argument, Some(Sort::Int))).collect();
        let mut terms = terms.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        let mut result = terms.next()?;
        for term in terms {
            result = self.folded(Term::arithmetic(operator, result, term), span)?;
        }
        Some(result)
    }

    /// `succ(x)`, `pred(x)`, `succ(x, 2)`. An integer without a type has a type if one is expected.
    fn step(&mut self, from: &Expr, by: Option<&Expr>, sign: i64, expected: Option<Sort>) -> Option<Term> {
        let by = match by {
            Some(by) => self.integer(by)?.checked_mul(sign)?,
            None => sign,
        };
        let start = match self.term(from, None) {
            Some(start) => start,
            None => {
                self.frame.untyped.take_if(|_| expected.is_some())?;
                self.term(from, expected)?
            }
        };
        match (start.sort, expected) {
            (Sort::Int, Some(sort @ Sort::Of(id))) if self.net.types.is_integer(id) => {
                let start = self.coerce(start, sort, &from.span)?;
                Some(self.stepped(start, by, id))
            }
            (Sort::Int, _) => Some(Term::arithmetic(Arithmetic::Add, start, Term::int(by))),
            (Sort::Of(id), _) if self.net.types.is_narrow(id) => Some(self.stepped(start, by, id)),
            (Sort::Of(id), _) => {
                let message = format!("{} has too many values to be in a row", self.net.types.describe(id));
                self.error(&from.span, message)
            }
        }
    }

    fn stepped(&self, from: Term, by: i64, id: TypeId) -> Term {
        let wraps = self.net.types.is_cyclic(self.whole(id));
        Term::new(Node::Step { from: Box::new(from), by, wraps }, Sort::Of(id))
    }

    /// A list or set, and the type of its elements.
    fn collection_of(
        &mut self,
        of: &Expr,
        expected: Option<Sort>,
        lists: bool,
        sets: bool,
    ) -> Option<(Term, TypeId)> {
        let wanted = match (lists, sets) {
            (true, true) => "a list or a set",
            (true, false) => "a list",
            _ => "a set",
        };
        let expected = expected.filter(|sort| match sort {
            Sort::Of(id) => self.element(*id, lists, sets).is_some(),
            Sort::Int => false,
        });
        let term = self.term(of, expected)?;
        if let Sort::Of(id) = term.sort {
            let id = self.whole(id);
            if let Some(element) = self.element(id, lists, sets) {
                return Some((self.coerce(term, Sort::Of(id), &of.span)?, element));
            }
        }
        let found = format!("this is {}", self.sort_name(term.sort));
        self.report(Diagnostic::error(of.span.clone(), found).expected(wanted))
    }

    /// The type of the elements of a list or set.
    fn element(&self, id: TypeId, lists: bool, sets: bool) -> Option<TypeId> {
        match self.net.types.shape(self.whole(id)) {
            Shape::List { element, .. } if lists => Some(*element),
            Shape::Set(element) if sets => Some(*element),
            _ => None,
        }
    }

    fn element_of(&mut self, operation: Collection, of: &Expr) -> Option<Term> {
        let (of, element) = self.collection_of(of, None, true, false)?;
        Some(Term::new(Node::Collection(operation, vec![of]), Sort::Of(element)))
    }

    fn shorter(&mut self, operation: Collection, of: &Expr, expected: Option<Sort>) -> Option<Term> {
        let (of, _) = self.collection_of(of, expected, true, false)?;
        let sort = of.sort;
        Some(Term::new(Node::Collection(operation, vec![of]), sort))
    }

    /// A list or set with one element more, or a set with one less.
    fn longer(
        &mut self,
        operation: Collection,
        of: &Expr,
        element: &Expr,
        expected: Option<Sort>,
    ) -> Option<Term> {
        let sets = matches!(operation, Collection::Insert | Collection::Remove);
        let (of, inner) = self.collection_of(of, expected, !sets, sets)?;
        let sort = of.sort;
        let element = self.term(element, Some(Sort::Of(inner)))?;
        Some(Term::new(Node::Collection(operation, vec![of, element]), sort))
    }

    /// `has(l, x)`. An integer outside of the elements' type is in no list and no set.
    fn has(&mut self, of: Term, inner: TypeId, element: &Expr) -> Option<Term> {
        let value = match self.term(element, None) {
            Some(value) => value,
            None => {
                self.frame.untyped.take()?;
                self.term(element, Some(Sort::Of(inner)))?
            }
        };
        if value.sort == Sort::Of(inner) || !self.is_numeric(value.sort) || !self.net.types.is_integer(inner)
        {
            let value = self.coerce(value, Sort::Of(inner), &element.span)?;
            return Some(Term::new(Node::Collection(Collection::Has, vec![of, value]), BOOL));
        }
        let value = self.coerce(value, Sort::Int, &element.span)?;
        let slot = self.frame.allot(Sort::Int, &self.net.types);
        let number = Term::variable(slot, Sort::Int);
        let mut tests = self.in_range(&number, inner);
        let narrowed = Term::new(Node::Narrow(Box::new(number)), Sort::Of(inner));
        tests.push(Term::new(Node::Collection(Collection::Has, vec![of, narrowed]), BOOL));
        Some(Term::new(Node::Let(slot, Box::new(value), Box::new(Term::and(tests))), BOOL))
    }

    /// Tests whether an integer is in a range; constraints are not looked at.
    fn in_range(&self, number: &Term, id: TypeId) -> Vec<Term> {
        let Shape::Range { low, high, .. } = *self.net.types.shape(self.whole(id)) else { return Vec::new() };
        vec![
            Term::compare(Relation::GreaterEqual, number.clone(), Term::int(low)),
            Term::compare(Relation::LessEqual, number.clone(), Term::int(high)),
        ]
    }
}
