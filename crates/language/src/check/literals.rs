//! Values that are written out: tuples, records, arrays, lists and sets.

use std::collections::HashMap;

use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::calls::counted;
use super::expressions::wrap;
use super::{BOOL, Checker};
use crate::ast::{Comprehension, Expr, ExprKind, Name, Span};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;

impl Checker<'_> {
    /// The type that is expected, without constraints.
    pub(super) fn whole_sort(&self, expected: Option<Sort>) -> Option<TypeId> {
        match expected {
            Some(Sort::Of(id)) => Some(self.whole(id)),
            _ => None,
        }
    }

    /// `()`, `(a, b)`
    pub(super) fn tuple(&mut self, parts: &[Expr], expected: Option<Sort>, span: &Span) -> Option<Term> {
        if parts.is_empty() {
            return Some(Term::unit());
        }
        let fields: Option<(TypeId, Vec<TypeId>)> = self.whole_sort(expected).and_then(|id| {
            let fields = self.net.types.fields(id);
            (!fields.is_empty()).then(|| (id, fields.iter().map(|(_, id)| *id).collect()))
        });
        let Some((id, fields)) = fields else {
            let terms: Vec<Option<Term>> = parts.iter().map(|part| self.term(part, None)).collect();
            let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
            let mut types = Vec::with_capacity(terms.len());
            for (term, part) in terms.iter().zip(parts) {
                match term.sort {
                    Sort::Of(id) => types.push(id),
                    Sort::Int if expected.is_some() => types.push(TypeId::UNIT),
                    Sort::Int => return self.untyped(self.no_type(&part.span)),
                }
            }
            if let Some(expected) = expected {
                let wanted = self.sort_name(expected);
                return self.report(Diagnostic::error(span.clone(), "this is a tuple").expected(wanted));
            }
            return match self.net.types.tuple(&types) {
                Ok(id) => Some(Term::new(Node::Struct(terms), Sort::Of(id))),
                Err(error) => self.error(span, error.to_string()),
            };
        };
        if fields.len() != parts.len() {
            let named = self.net.types.describe(id);
            let message = format!("{named} has {}, not {}", counted(fields.len(), "field"), parts.len());
            return self.error(span, message);
        }
        let terms: Vec<Option<Term>> =
            parts.iter().zip(fields).map(|(part, field)| self.term(part, Some(Sort::Of(field)))).collect();
        Some(Term::new(Node::Struct(terms.into_iter().collect::<Option<_>>()?), Sort::Of(id)))
    }

    /// `{ from: s, to: r }`
    pub(super) fn record(
        &mut self,
        given: &[(Name, Expr)],
        expected: Option<Sort>,
        span: &Span,
    ) -> Option<Term> {
        let id = match self.whole_sort(expected) {
            Some(id) if !self.net.types.fields(id).is_empty() => id,
            _ if expected.is_some() => {
                let wanted = expected.map(|sort| self.sort_name(sort)).unwrap_or_default();
                return self.report(Diagnostic::error(span.clone(), "this is a struct").expected(wanted));
            }
            _ => self.struct_with(given, span)?,
        };
        let fields = self.net.types.fields(id).to_vec();
        let (mut seen, mut whole) = (HashMap::new(), true);
        let mut terms: Vec<Option<Term>> = vec![None; fields.len()];
        for (name, value) in given {
            whole &= self.first(&mut seen, name);
            let Some(position) = fields.iter().position(|(field, _)| **field == *name.text) else {
                self.no_field::<()>(id, name);
                whole = false;
                continue;
            };
            terms[position] = self.term(value, Some(Sort::Of(fields[position].1)));
        }
        let missing: Vec<&str> = fields
            .iter()
            .map(|(field, _)| &**field)
            .filter(|field| !given.iter().any(|(name, _)| name.text == *field))
            .collect();
        if !missing.is_empty() && whole {
            let message = format!("{} is missing", missing.join(", "));
            return self.error(span, message);
        }
        let terms = terms.into_iter().collect::<Option<Vec<_>>>().filter(|_| whole)?;
        Some(Term::new(Node::Struct(terms), Sort::Of(id)))
    }

    /// The only struct with these fields.
    fn struct_with(&mut self, given: &[(Name, Expr)], span: &Span) -> Option<TypeId> {
        let fits = |id: &TypeId| {
            let fields = self.net.types.fields(*id);
            fields.len() == given.len()
                && fields.iter().all(|(field, _)| given.iter().any(|(name, _)| **field == *name.text))
        };
        let found: Vec<TypeId> = self.net.types.ids().filter(fits).collect();
        let message = match found.as_slice() {
            [id] => return Some(*id),
            [] => "no struct has these fields",
            _ => "several structs have these fields",
        };
        self.untyped(Diagnostic::error(span.clone(), message))
    }

    /// Reports a field that a type has not.
    pub(super) fn no_field<T>(&mut self, id: TypeId, name: &Name) -> Option<T> {
        let near = nearest(
            &name.text,
            self.net.types.fields(id).iter().map(|(field, _)| &**field).filter(|field| !field.is_empty()),
        );
        let message = format!("{} has no field '{}'", self.net.types.describe(id), name.text);
        self.report(Diagnostic::error(name.span.clone(), message).suggest(near))
    }

    /// `[a, b]`: a list, or an array with all its elements.
    pub(super) fn brackets(&mut self, parts: &[Expr], expected: Option<Sort>, span: &Span) -> Option<Term> {
        let (id, element) = self.row(expected, span)?;
        let terms: Vec<Option<Term>> =
            parts.iter().map(|part| self.term(part, Some(Sort::Of(element)))).collect();
        let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
        match *self.net.types.shape(id) {
            Shape::Array { index, .. } => match self.net.types.size(index) {
                Some(size) if size == terms.len() as u64 => {
                    Some(Term::new(Node::Struct(terms), Sort::Of(id)))
                }
                size => {
                    let named = self.net.types.describe(id);
                    let size = size.map(|size| size.to_string()).unwrap_or_default();
                    self.error(span, format!("{named} has {size} elements, not {}", terms.len()))
                }
            },
            Shape::List { max, .. } if terms.len() > max as usize => {
                let named = self.net.types.describe(id);
                self.error(span, format!("{named} has at most {max} elements, not {}", terms.len()))
            }
            _ => Some(Term::new(Node::List(terms), Sort::Of(id))),
        }
    }

    /// The type of an array or list that is expected, and that of its elements.
    fn row(&mut self, expected: Option<Sort>, span: &Span) -> Option<(TypeId, TypeId)> {
        let Some(sort) = expected else {
            return self.untyped(Diagnostic::error(span.clone(), "the type of this list can't be told"));
        };
        if let Some(id) = self.whole_sort(expected)
            && let Shape::Array { element, .. } | Shape::List { element, .. } = self.net.types.shape(id)
        {
            return Some((id, *element));
        }
        let wanted = self.sort_name(sort);
        self.report(Diagnostic::error(span.clone(), "this is a list or an array").expected(wanted))
    }

    /// `[ e for x in T ]`: an array with a value for each index, or a list that is written out in full.
    pub(super) fn bracket_comprehension(
        &mut self,
        inner: &Comprehension,
        expected: Option<Sort>,
        span: &Span,
    ) -> Option<Term> {
        let (id, element) = self.row(expected, span)?;
        if let Some(condition) = &inner.condition {
            return self.error(&condition.span, "there is no condition in a list or an array");
        }
        let [binder] = inner.binders.as_slice() else {
            return self.error(span, "a list or an array has one variable");
        };
        self.scoped(|checker| {
            let bound = checker.binder(binder);
            let body = checker.conditionally(|checker| checker.term(&inner.body, Some(Sort::Of(element))));
            let ((slot, domain), body) = (bound?, body?);
            match *checker.net.types.shape(id) {
                Shape::Array { index, .. } if index == domain => {
                    Some(Term::new(Node::Fill(slot, Box::new(body)), Sort::Of(id)))
                }
                Shape::Array { index, .. } => {
                    let index = checker.net.types.describe(index);
                    let message = format!("the index of the array is {index}");
                    checker.error(&binder.domain.span, message)
                }
                Shape::List { max, .. } => {
                    let size = checker.net.types.size(domain)?;
                    if size > u64::from(max) {
                        let message = format!("the list has at most {max} elements, not {size}");
                        return checker.error(span, message);
                    }
                    let value = |number| wrap([(slot, Term::constant([number], domain))], body.clone());
                    Some(Term::new(Node::List((0..size).map(value).collect()), Sort::Of(id)))
                }
                _ => None,
            }
        })
    }

    /// `set { a, b }`, `set { e for x in T if c }`
    pub(super) fn set(&mut self, inner: &Expr, expected: Option<Sort>, span: &Span) -> Option<Term> {
        let id = self.whole_sort(expected);
        let element = id.and_then(|id| match self.net.types.shape(id) {
            Shape::Set(element) => Some(Sort::Of(*element)),
            _ => None,
        });
        match &inner.kind {
            ExprKind::Braces(parts) => {
                let (mut sort, mut terms) = (element, Vec::new());
                for part in parts {
                    let term = self.term(part, sort);
                    sort = sort.or(term.as_ref().map(|term| term.sort));
                    terms.push(term);
                }
                let id = self.set_type(sort, terms.iter().all(Option::is_some), span)?;
                Some(Term::new(Node::Set(terms.into_iter().collect::<Option<_>>()?), Sort::Of(id)))
            }
            ExprKind::Comprehension(inner) => self.set_of(inner, element, span),
            _ => None,
        }
    }

    fn set_type(&mut self, element: Option<Sort>, whole: bool, span: &Span) -> Option<TypeId> {
        match element {
            Some(Sort::Of(element)) => match self.net.types.add(Shape::Set(element)) {
                Ok(id) => Some(id),
                Err(error) => self.error(span, error.to_string()),
            },
            _ if !whole => None,
            _ => self.untyped(Diagnostic::error(span.clone(), "the type of this set can't be told")),
        }
    }

    /// A set of values for each value of a type. Several variables are the parts of a tuple.
    fn set_of(&mut self, inner: &Comprehension, element: Option<Sort>, span: &Span) -> Option<Term> {
        self.scoped(|checker| {
            let bound: Vec<Option<(usize, TypeId)>> =
                inner.binders.iter().map(|binder| checker.binder(binder)).collect();
            let (condition, body) = checker.conditionally(|checker| {
                let condition = inner.condition.as_ref().map(|condition| checker.term(condition, Some(BOOL)));
                (condition, checker.term(&inner.body, element))
            });
            let bound = bound.into_iter().collect::<Option<Vec<_>>>()?;
            let condition = condition.unwrap_or_else(|| Some(Term::bool(true)))?;
            let body = body?;
            let id = checker.set_type(Some(body.sort), true, span)?;
            let (slot, domain, condition, body) = match bound.as_slice() {
                [(slot, domain)] => (*slot, *domain, condition, body),
                several => {
                    let parts: Vec<TypeId> = several.iter().map(|(_, id)| *id).collect();
                    let domain = match checker.net.types.tuple(&parts) {
                        Ok(domain) => domain,
                        Err(error) => return checker.error(span, error.to_string()),
                    };
                    checker.few_enough(domain, span)?;
                    let slot = checker.frame.allot(Sort::Of(domain), &checker.net.types);
                    let part = |(position, (inner, id)): (usize, &(usize, TypeId))| {
                        let tuple = Box::new(Term::variable(slot, Sort::Of(domain)));
                        (*inner, Term::new(Node::Field(tuple, position), Sort::Of(*id)))
                    };
                    let parts: Vec<(usize, Term)> = several.iter().enumerate().map(part).collect();
                    (slot, domain, wrap(parts.clone(), condition), wrap(parts, body))
                }
            };
            Some(Term::new(Node::SetOf(slot, domain, Box::new(condition), Box::new(body)), Sort::Of(id)))
        })
    }
}
