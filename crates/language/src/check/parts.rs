//! Parts of values, and values with other parts.

use sweepnet_colour::term::Collection;
use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::scope::Global;
use super::{BOOL, Checker};
use crate::ast::{Expr, ExprKind, Name, Span};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    /// A value whose type tells itself, as one of that type without its constraints.
    fn inner(&mut self, expr: &Expr, expected: Option<Sort>) -> Option<(Term, Option<TypeId>)> {
        let term = self.term(expr, expected)?;
        match self.whole_sort(Some(term.sort)) {
            Some(id) if !self.net.types.is_integer(id) => {
                Some((self.coerce(term, Sort::Of(id), &expr.span)?, Some(id)))
            }
            _ => Some((term, None)),
        }
    }

    fn has_no_parts<T>(&mut self, sort: Sort, span: &Span, wanted: &str) -> Option<T> {
        let found = format!("this is {}", self.sort_name(sort));
        self.report(Diagnostic::error(span.clone(), found).expected(wanted))
    }

    /// `e.field`, `e.0`, `e.some`, `Type.constant`
    pub(super) fn field(&mut self, of: &Expr, name: &Name) -> Option<Term> {
        if let ExprKind::Name(type_) = &of.kind
            && !self.frame.hides(&type_.text)
            && self.scope.globals.contains_key(&type_.text)
        {
            match self.global(&type_.text, &type_.span) {
                Some(Global::Type(id)) => return self.constant_of(self.whole(id), name),
                Some(Global::Broken) => return None,
                _ => {}
            }
        }
        let (term, id) = self.inner(of, None)?;
        let sort = term.sort;
        let Some(id) = id else { return self.has_no_parts(sort, &of.span, "a struct, tuple or union") };
        match self.net.types.shape(id) {
            Shape::Struct(fields) => {
                let position = self.position(id, &name.text);
                let Some(position) = position else { return self.no_field(id, name) };
                let sort = Sort::Of(fields[position].1);
                Some(Term::new(Node::Field(Box::new(term), position), sort))
            }
            Shape::Union(variants) => {
                let Some(position) = self.variant(id, &name.text) else { return self.no_variant(id, name) };
                match variants[position].1 {
                    Some(content) => {
                        Some(Term::new(Node::Content(Box::new(term), position), Sort::Of(content)))
                    }
                    None => self.error(&name.span, format!("'{}' has no content", name.text)),
                }
            }
            _ => self.has_no_parts(sort, &of.span, "a struct, tuple or union"),
        }
    }

    /// The position of a field, by name, or by number if it is one of a tuple.
    fn position(&self, id: TypeId, name: &str) -> Option<usize> {
        let fields = self.net.types.fields(id);
        let named = fields.iter().position(|(field, _)| !field.is_empty() && **field == *name);
        named.or_else(|| name.parse().ok().filter(|position| *position < fields.len()))
    }

    /// `a[i]`
    pub(super) fn index(&mut self, of: &Expr, index: &Expr) -> Option<Term> {
        let (term, id) = self.inner(of, None)?;
        match id.map(|id| self.net.types.shape(id)) {
            Some(&Shape::Array { index: domain, element }) => {
                let index = self.term(index, Some(Sort::Of(domain)))?;
                Some(Term::new(Node::Element(Box::new(term), Box::new(index)), Sort::Of(element)))
            }
            Some(&Shape::List { element, .. }) => {
                let index = self.term(index, Some(Sort::Int))?;
                Some(Term::new(Node::Collection(Collection::At, vec![term, index]), Sort::Of(element)))
            }
            _ => self.has_no_parts(term.sort, &of.span, "an array or a list"),
        }
    }

    /// `r with { field: v }`
    pub(super) fn with_fields(
        &mut self,
        of: &Expr,
        fields: &[(Name, Expr)],
        expected: Option<Sort>,
    ) -> Option<Term> {
        let (mut term, id) = self.known(of, expected)?;
        let Some(id) = id.filter(|id| !self.net.types.fields(*id).is_empty()) else {
            return self.has_no_parts(term.sort, &of.span, "a struct or tuple");
        };
        let mut whole = true;
        for (name, value) in fields {
            let Some(position) = self.position(id, &name.text) else {
                self.no_field::<()>(id, name);
                whole = false;
                continue;
            };
            let sort = Sort::Of(self.net.types.fields(id)[position].1);
            match self.term(value, Some(sort)) {
                Some(value) => {
                    let node = Node::WithField(Box::new(term), position, Box::new(value));
                    term = Term::new(node, Sort::Of(id));
                }
                None => whole = false,
            }
        }
        whole.then_some(term)
    }

    /// `a with [i: v]`
    pub(super) fn with_elements(
        &mut self,
        of: &Expr,
        elements: &[(Expr, Expr)],
        expected: Option<Sort>,
    ) -> Option<Term> {
        let (mut term, id) = self.known(of, expected)?;
        let Some((id, index, element)) = id.and_then(|id| match self.net.types.shape(id) {
            Shape::Array { index, element } => Some((id, *index, *element)),
            _ => None,
        }) else {
            return self.has_no_parts(term.sort, &of.span, "an array");
        };
        let mut whole = true;
        for (at, value) in elements {
            let (at, value) =
                (self.term(at, Some(Sort::Of(index))), self.term(value, Some(Sort::Of(element))));
            match (at, value) {
                (Some(at), Some(value)) => {
                    let node = Node::WithElement(Box::new(term), Box::new(at), Box::new(value));
                    term = Term::new(node, Sort::Of(id));
                }
                _ => whole = false,
            }
        }
        whole.then_some(term)
    }

    /// A value that is changed: its own type, else the one that is expected.
    fn known(&mut self, of: &Expr, expected: Option<Sort>) -> Option<(Term, Option<TypeId>)> {
        match self.inner(of, None) {
            Some(found) => Some(found),
            None => {
                self.frame.untyped.take_if(|_| expected.is_some())?;
                self.inner(of, expected)
            }
        }
    }

    /// `e is some`
    pub(super) fn is(&mut self, of: &Expr, name: &Name) -> Option<Term> {
        let (term, id) = self.inner(of, None)?;
        let Some(id) =
            id.filter(|id| matches!(self.net.types.shape(*id), Shape::Union(_) | Shape::Enum { .. }))
        else {
            return self.has_no_parts(term.sort, &of.span, "a union");
        };
        let Some(position) = self.variant(id, &name.text) else { return self.no_variant(id, name) };
        if let Shape::Enum { .. } = self.net.types.shape(id) {
            let constant = Term::constant([position as u64], id);
            return Some(Term::compare(sweepnet_colour::term::Relation::Equal, term, constant));
        }
        Some(Term::new(Node::Is(Box::new(term), position), BOOL))
    }
}
