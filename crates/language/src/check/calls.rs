//! Calls: who is called; variants with their content, tokens of a value in a place, and what is enabled.

use sweepnet_colour::{Bag, Node, Shape, Sort, Term, TypeId};

use super::Checker;
use super::frame::Access;
use super::scope::{Global, sorted};
use crate::ast::{Argument, Expr, ExprKind, Name, Span};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;

/// Functions that every model has.
const BUILT_IN: [&str; 17] = [
    "abs", "append", "enabled", "first", "front", "has", "insert", "last", "length", "max", "min", "pred",
    "prepend", "remove", "rest", "size", "succ",
];

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &[Argument],
        expected: Option<Sort>,
        span: &Span,
    ) -> Option<Term> {
        let text = name.text.as_str();
        if self.counts_in_place(name) {
            return self.count_in_place(name, arguments, span);
        }
        match self.global(text, &name.span) {
            Some(Global::Function(function)) => {
                return self.call_function(&function, name, arguments, expected);
            }
            Some(Global::Param(_)) => {
                return self.error(&name.span, format!("'{text}' is a parameter, not a function"));
            }
            Some(Global::Type(_)) => {
                return self.error(&name.span, format!("'{text}' is a type, not a function"));
            }
            Some(_) => {
                self.arguments(arguments);
                return None;
            }
            None => {}
        }
        if let Some(Sort::Of(id)) = expected {
            let id = self.whole(id);
            if matches!(self.net.types.shape(id), Shape::Union(_)) && self.variant(id, text).is_some() {
                return self.variant_with(id, name, arguments, span);
            }
        }
        if BUILT_IN.contains(&text) {
            let values: Vec<&Expr> = arguments.iter().map(|argument| &argument.value).collect();
            return match text {
                "enabled" => self.enabled(arguments, span),
                _ => self.built_in(name, &values, expected, span),
            };
        }
        let unions: Vec<_> = match self.scope.constants.get(text) {
            Some(ids) => ids
                .iter()
                .copied()
                .filter(|id| matches!(self.net.types.shape(*id), Shape::Union(_)))
                .collect(),
            None => Vec::new(),
        };
        match unions.as_slice() {
            [id] => self.variant_with(*id, name, arguments, span),
            [] => {
                self.arguments(arguments);
                self.unknown_function(name)
            }
            _ => {
                let types: Vec<String> = unions.iter().map(|id| self.net.types.describe(*id)).collect();
                let message = format!("'{text}' is a variant of several types: {}", types.join(", "));
                self.untyped(Diagnostic::error(span.clone(), message))
            }
        }
    }

    pub(super) fn unknown_function<T>(&mut self, name: &Name) -> Option<T> {
        if self.scope.places.contains_key(&name.text) {
            return self.place_as_value(name);
        }
        if self.is_lost(&name.text) {
            return None;
        }
        let functions = self.scope.globals_that(|global| matches!(global, Global::Function(_)));
        // `p(v)` counts tokens, so that a place may be meant, too.
        let places = sorted(&self.scope.places).into_iter().filter(|_| self.may(Access::Places));
        let near = nearest(&name.text, functions.into_iter().chain(BUILT_IN).chain(places));
        let or_place = if self.may(Access::Places) { " or place" } else { "" };
        let message = format!("there is no function{or_place} '{}'", name.text);
        self.report(Diagnostic::error(name.span.clone(), message).suggest(near))
    }

    /// Looks at arguments only for what is wrong with them.
    fn arguments(&mut self, arguments: &[Argument]) {
        let outer = self.frame.untyped.take();
        for argument in arguments {
            self.term(&argument.value, None);
        }
        self.frame.untyped = outer;
    }

    /// `some(s)`
    fn variant_with(&mut self, id: TypeId, name: &Name, arguments: &[Argument], span: &Span) -> Option<Term> {
        let position = self.variant(id, &name.text)?;
        let content = match self.net.types.shape(id) {
            Shape::Union(variants) => variants.get(position)?.1,
            _ => None,
        };
        let content = match (content, arguments) {
            (None, []) => None,
            (None, _) => {
                let error = Diagnostic::error(span.clone(), format!("'{}' has no content", name.text));
                return self.report(error.expected(format!("'{}' alone", name.text)));
            }
            (Some(content), _) => Some(Box::new(self.value_of(arguments, Sort::Of(content), span)?)),
        };
        Some(Term::new(Node::Variant(position, content), Sort::Of(id)))
    }

    /// Arguments as one value: several stand for a tuple.
    fn value_of(&mut self, arguments: &[Argument], sort: Sort, span: &Span) -> Option<Term> {
        match arguments {
            [only] => self.term(&only.value, Some(sort)),
            several => {
                let parts = several.iter().map(|argument| argument.value.clone()).collect();
                self.term(&Expr { kind: ExprKind::Tuple(parts), span: span.clone() }, Some(sort))
            }
        }
    }

    /// Whether `name(v)` is the number of tokens of a value in a place. Functions come first; a type may have
    /// the name of a place.
    pub(super) fn counts_in_place(&self, name: &Name) -> bool {
        let global = self.scope.globals.get(&name.text);
        self.may(Access::Places)
            && self.scope.places.contains_key(&name.text)
            && matches!(global, None | Some(Global::Type(_)))
    }

    /// `p(v)`, `#p(v)`
    pub(super) fn count_in_place(
        &mut self,
        name: &Name,
        arguments: &[Argument],
        span: &Span,
    ) -> Option<Term> {
        let place = self.place(name)?;
        let value = self.value_of(arguments, Sort::Of(self.net.places[place].type_), span)?;
        Some(Term::new(Node::CountOf(Box::new(Bag::Place(place)), Box::new(value)), Sort::Int))
    }

    /// `enabled(t)`, `enabled(t, s = 1)`
    fn enabled(&mut self, arguments: &[Argument], span: &Span) -> Option<Term> {
        if !self.may(Access::Question) {
            return self.error(span, "'enabled' makes sense in properties only");
        }
        let Some((Argument { value: Expr { kind: ExprKind::Name(name), .. }, .. }, given)) =
            arguments.split_first()
        else {
            let error = Diagnostic::error(span.clone(), "'enabled' is about a transition");
            return self.report(error.expected("enabled(t) or enabled(t, x = 1)"));
        };
        let transition = self.transition_of(&name.text, &name.span)?;
        if self.broken_transitions.contains(&transition) {
            return None;
        }
        let (mut values, mut whole): (Vec<(usize, Term)>, _) = (Vec::new(), true);
        for argument in given {
            let Some(variable) = &argument.name else {
                let error = Diagnostic::error(argument.value.span.clone(), "which variable has this value?");
                self.report::<()>(error.expected("x = value"));
                whole = false;
                continue;
            };
            let variables = &self.net.transitions[transition].variables;
            let Some(position) = variables.iter().position(|other| *other.name == *variable.text) else {
                let message = format!("'{}' has no variable '{}'", name.text, variable.text);
                let near = nearest(&variable.text, variables.iter().map(|other| &*other.name));
                self.report::<()>(Diagnostic::error(variable.span.clone(), message).suggest(near));
                whole = false;
                continue;
            };
            let sort = Sort::Of(variables[position].type_);
            if values.iter().any(|(other, _)| *other == position) {
                let message = format!("'{}' has two values", variable.text);
                self.error::<()>(&variable.span, message);
                whole = false;
            }
            match self.term(&argument.value, Some(sort)) {
                Some(value) => values.push((position, value)),
                None => whole = false,
            }
        }
        whole.then(|| Term::truth(Node::Enabled(transition, values)))
    }
}

/// `1 argument`, `2 arguments`
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
