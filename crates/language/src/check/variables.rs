//! The types of a transition's variables, inferred from where they are used.
//!
//! A variable that stands alone where a value of some type is expected has that type: as a token or a part of
//! one, first on input arcs, then on those that read, give and inhibit; then in `let`s and guards, beside
//! what it is compared with; as an argument, index or element. The first use decides. Lets and guards are
//! looked at until nothing new is found.

use sweepnet_colour::{Shape, Sort, Term, TypeId};

use super::expressions::chain;
use super::scope::Global;
use super::{BOOL, Checker};
use crate::ast::{
    self, ArcKind, Argument, Binary, Binder, Clause, ClauseKind, Expr, ExprKind, Name, Quantifier, Unary,
};

impl Checker<'_> {
    /// Gives types to those variables of a transition, which are the locals, that have none yet.
    pub(super) fn infer(&mut self, transition: &ast::Transition) {
        for kind in [ArcKind::In, ArcKind::Read, ArcKind::Out] {
            self.infer_arcs(transition.clauses.iter().filter_map(|clause| match &clause.kind {
                ClauseKind::Arc { kind: other, place, tokens } if *other == kind => Some((place, tokens)),
                _ => None,
            }));
        }
        self.infer_arcs(transition.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Inhibit { place, tokens: Some(tokens) } => Some((place, tokens)),
            _ => None,
        }));
        let variables = self.frame.locals.len();
        let missing = |checker: &Self| {
            checker.frame.locals[..variables].iter().filter(|local| local.term.is_none()).count()
        };
        let mut left = missing(self);
        while left > 0 {
            transition.clauses.iter().for_each(|clause| self.infer_clause(clause));
            self.frame.locals.truncate(variables);
            let now = missing(self);
            if now == left {
                break;
            }
            left = now;
        }
    }

    fn infer_arcs<'t>(&mut self, arcs: impl Iterator<Item = (&'t Name, &'t Expr)>) {
        for (place, tokens) in arcs {
            if let Some(position) = self.scope.places.get(&place.text)
                && !self.broken_places.contains(position)
            {
                self.gather(tokens, Some(Sort::Of(self.net.places[*position].type_)));
            }
        }
    }

    fn infer_clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Let { name, value } => {
                self.gather(value, None);
                let sort = self.sort_of(value);
                self.frame.push(&name.text, sort.map(|sort| Term::variable(0, sort)));
            }
            ClauseKind::When(condition) => self.gather(condition, Some(BOOL)),
            ClauseKind::Delay(delay) => self.gather(delay, None),
            // The other arguments of functions on arcs may have types by now.
            ClauseKind::Arc { place, tokens, .. } | ClauseKind::Inhibit { place, tokens: Some(tokens) } => {
                self.infer_arcs([(place, tokens)].into_iter());
            }
            ClauseKind::Inhibit { .. } | ClauseKind::Reset(_) | ClauseKind::Priority(_) => {}
        }
    }

    /// Does something without a trace.
    pub(super) fn silently<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (errors, words, calls) = (self.diagnostics.len(), self.frame.words, self.frame.calls);
        let untyped = self.frame.untyped.take();
        let result = run(self);
        self.diagnostics.truncate(errors);
        self.frame.untyped = untyped;
        (self.frame.words, self.frame.calls) = (words, calls);
        result
    }

    /// The sort of an expression, if it can be told.
    fn sort_of(&mut self, expr: &Expr) -> Option<Sort> {
        self.silently(|checker| checker.term(expr, None)).map(|term| term.sort)
    }

    /// Finds variables in an expression of which this is expected.
    fn gather(&mut self, expr: &Expr, expected: Option<Sort>) {
        self.silently(|checker| {
            checker.deeper(&expr.span, |checker| {
                checker.gather_inside(expr, expected);
                Some(())
            })
        });
    }

    fn gather_inside(&mut self, expr: &Expr, expected: Option<Sort>) {
        let id = self.whole_sort(expected);
        match &expr.kind {
            ExprKind::Name(name) => {
                if let (Some(sort @ Sort::Of(_)), Some(local)) = (expected, self.frame.find(&name.text)) {
                    local.term.get_or_insert_with(|| Term::variable(0, sort));
                }
            }
            ExprKind::Tuple(parts) => {
                let fields: Vec<TypeId> = self.fields_of(id).into_iter().map(|(_, id)| id).collect();
                for (position, part) in parts.iter().enumerate() {
                    self.gather(part, fields.get(position).copied().map(Sort::Of));
                }
            }
            ExprKind::Record(given) => self.gather_fields(given, id),
            ExprKind::WithFields(of, given) => {
                self.gather(of, expected);
                let id = id.or_else(|| self.sort_of(of).and_then(|sort| self.whole_sort(Some(sort))));
                self.gather_fields(given, id);
            }
            ExprKind::WithElements(of, given) => {
                self.gather(of, expected);
                let id = id.or_else(|| self.sort_of(of).and_then(|sort| self.whole_sort(Some(sort))));
                let (index, element) = self.array_of(id);
                for (at, value) in given {
                    self.gather(at, index);
                    self.gather(value, element);
                }
            }
            ExprKind::Braces(parts) => parts.iter().for_each(|part| self.gather(part, expected)),
            ExprKind::Brackets(parts) => {
                let element = self.array_of(id).1;
                parts.iter().for_each(|part| self.gather(part, element));
            }
            ExprKind::Set(inner) => {
                let element = self.array_of(id).1;
                self.gather(inner, element);
            }
            ExprKind::Comprehension(inner) => self.gather_comprehension(inner, expected),
            ExprKind::BracketComprehension(inner) => {
                let element = self.array_of(id).1;
                self.gather_comprehension(inner, element);
            }
            ExprKind::Times(count, inner) => {
                self.gather(count, None);
                self.gather(inner, expected);
            }
            ExprKind::Call(name, arguments) => self.gather_call(name, arguments, expected),
            ExprKind::Index(of, index) => {
                self.gather(of, None);
                let id = self.sort_of(of).and_then(|sort| self.whole_sort(Some(sort)));
                let domain = self.array_of(id).0;
                self.gather(index, domain);
            }
            ExprKind::Field(inner, _) | ExprKind::Is(inner, _) | ExprKind::Count(inner) => {
                self.gather(inner, None);
            }
            ExprKind::Unary(Unary::Not, inner) => self.gather(inner, Some(BOOL)),
            ExprKind::Unary(Unary::Negate, inner) => self.gather(inner, None),
            ExprKind::Binary(operator, left, right) => {
                self.gather_binary(*operator, left, right, expr, expected)
            }
            ExprKind::If(condition, yes, no) => {
                self.gather(condition, Some(BOOL));
                self.gather(yes, expected);
                self.gather(no, expected);
            }
            ExprKind::Let(name, value, body) => {
                self.gather(value, None);
                let sort = self.sort_of(value);
                self.scoped(|checker| {
                    checker.frame.push(&name.text, sort.map(|sort| Term::variable(0, sort)));
                    checker.gather(body, expected);
                });
            }
            ExprKind::Quantified(quantifier, binder, body) => {
                let expected = (*quantifier != Quantifier::Sum).then_some(BOOL);
                self.gather_inner(std::slice::from_ref(&**binder), |checker| checker.gather(body, expected));
            }
            ExprKind::Integer(_) | ExprKind::Bool(_) | ExprKind::All(_) | ExprKind::Broken => {}
        }
    }

    fn gather_binary(
        &mut self,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        whole: &Expr,
        expected: Option<Sort>,
    ) {
        match operator {
            Binary::And | Binary::Or => {
                for (_, operand) in chain(whole, &[operator]) {
                    self.gather(operand, Some(BOOL));
                }
            }
            Binary::Implies | Binary::Iff | Binary::Xor => {
                self.gather(left, Some(BOOL));
                self.gather(right, Some(BOOL));
            }
            Binary::Add | Binary::Subtract => {
                // In sums of multisets, sets or lists the operands are of the type; in sums of integers of
                // any.
                let sum = match expected {
                    Some(Sort::Of(id)) if self.net.types.is_integer(id) => self.is_multiset(whole, &[]),
                    _ => true,
                };
                for (_, operand) in chain(whole, &[Binary::Add, Binary::Subtract]) {
                    self.gather(operand, expected.filter(|_| sum));
                }
            }
            Binary::Multiply | Binary::Divide | Binary::Modulo => {
                self.gather(left, None);
                self.gather(right, None);
            }
            _ => {
                let (first, second) = (self.sort_of(left), self.sort_of(right));
                self.gather(left, second);
                self.gather(right, first);
            }
        }
    }

    fn gather_call(&mut self, name: &Name, arguments: &[Argument], expected: Option<Sort>) {
        let mut sorts: Vec<Option<Sort>> = Vec::new();
        let id = self.whole_sort(expected);
        if let Some(Global::Function(function)) = self.scope.globals.get(&name.text) {
            sorts.extend(function.parameters.iter().map(|(_, sort)| Some(*sort)));
        } else if let Some(content) = self.content_of(id, &name.text) {
            let fields: Vec<Option<Sort>> =
                self.fields_of(Some(content)).into_iter().map(|(_, id)| Some(Sort::Of(id))).collect();
            sorts = if arguments.len() == 1 { vec![Some(Sort::Of(content))] } else { fields };
        } else if let Some(first) = arguments.first() {
            // Of functions that every model has, the result tells the first argument, and that tells the
            // element.
            let of = match &*name.text {
                "succ" | "pred" | "rest" | "front" | "append" | "prepend" | "insert" | "remove" => expected,
                _ => None,
            };
            let of = of.or_else(|| self.sort_of(&first.value));
            let element = self.array_of(self.whole_sort(of)).1;
            sorts = vec![of, element.filter(|_| !matches!(&*name.text, "succ" | "pred" | "min" | "max"))];
        }
        for (position, argument) in arguments.iter().enumerate() {
            self.gather(&argument.value, sorts.get(position).copied().flatten());
        }
    }

    fn gather_fields(&mut self, given: &[(Name, Expr)], id: Option<TypeId>) {
        let fields = self.fields_of(id);
        for (name, value) in given {
            let field = fields.iter().find(|(field, _)| **field == *name.text);
            self.gather(value, field.map(|(_, id)| Sort::Of(*id)));
        }
    }

    fn gather_comprehension(&mut self, inner: &ast::Comprehension, expected: Option<Sort>) {
        self.gather_inner(&inner.binders, |checker| {
            if let Some(condition) = &inner.condition {
                checker.gather(condition, Some(BOOL));
            }
            checker.gather(&inner.body, expected);
        });
    }

    fn gather_inner(&mut self, binders: &[Binder], run: impl FnOnce(&mut Self)) {
        self.scoped(|checker| {
            for binder in binders {
                checker.silently(|checker| checker.binder(binder));
            }
            run(checker);
        });
    }

    fn fields_of(&self, id: Option<TypeId>) -> Vec<(Box<str>, TypeId)> {
        id.map(|id| self.net.types.fields(id).to_vec()).unwrap_or_default()
    }

    /// What an array or list is indexed by, if it is a type, and what it, or a set, consists of.
    fn array_of(&self, id: Option<TypeId>) -> (Option<Sort>, Option<Sort>) {
        match id.map(|id| self.net.types.shape(id)) {
            Some(Shape::Array { index, element }) => (Some(Sort::Of(*index)), Some(Sort::Of(*element))),
            Some(Shape::List { element, .. } | Shape::Set(element)) => (None, Some(Sort::Of(*element))),
            _ => (None, None),
        }
    }

    /// The content of a variant of the type that is expected, else of the only type that has it.
    fn content_of(&self, id: Option<TypeId>, name: &str) -> Option<TypeId> {
        let id = id.filter(|id| self.variant(*id, name).is_some()).or_else(|| {
            match self.scope.constants.get(name)?[..] {
                [id] => Some(id),
                _ => None,
            }
        })?;
        match self.net.types.shape(id) {
            Shape::Union(variants) => variants.get(self.variant(id, name)?)?.1,
            _ => None,
        }
    }
}
