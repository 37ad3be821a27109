//! Names in expressions: variables first, then constants of the type that is expected, parameters, constants
//! that only one type has, and what the marking tells.

use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::Checker;
use super::frame::Access;
use super::scope::{Global, sorted};
use crate::ast::{Name, Span};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;

impl Checker<'_> {
    /// What a name stands for. The result need not be of the expected sort.
    pub(super) fn name(&mut self, name: &Name, expected: Option<Sort>) -> Option<Term> {
        let text = name.text.as_str();
        if let Some(local) = self.frame.find(text) {
            local.used = true;
            return local.term.clone();
        }
        if let Some(Sort::Of(id)) = expected {
            let id = self.whole(id);
            if self.variant(id, text).is_some() {
                return self.constant_of(id, name);
            }
        }
        match self.global(text, &name.span) {
            Some(Global::Param(literal)) => {
                self.met_param = true;
                return Some(literal);
            }
            Some(Global::Function(function)) if function.parameters.is_empty() => {
                return self.error(&name.span, format!("'{text}' is a function; a call is written {text}()"));
            }
            Some(Global::Function(_)) => {
                return self.error(&name.span, format!("'{text}' is a function, not a value"));
            }
            Some(Global::Type(_)) => {
                let message = format!("'{text}' is a type, not a value");
                let error = Diagnostic::error(name.span.clone(), message);
                return self.report(error.expected(format!("a value; all of them are written all {text}")));
            }
            Some(_) => return None,
            None => {}
        }
        match self.scope.constants.get(text).map(Vec::as_slice) {
            Some([id]) => return self.constant_of(*id, name),
            Some(ids) if !ids.is_empty() => {
                let mut types: Vec<String> = ids.iter().map(|id| self.net.types.describe(*id)).collect();
                types.sort();
                let message = format!("'{text}' is a constant of several types: {}", types.join(", "));
                let error = Diagnostic::error(name.span.clone(), message);
                return self.untyped(error.expected(format!("{}.{text}", types[0])));
            }
            _ => {}
        }
        self.special(text).or_else(|| self.unknown(name))
    }

    /// `deadlock`, `initial`, `clock`, where they make sense.
    fn special(&self, text: &str) -> Option<Term> {
        match (text, self.frame.access) {
            ("deadlock", Access::Question) => Some(Term::truth(Node::Deadlock)),
            ("initial", Access::Question) => Some(Term::truth(Node::Initial)),
            ("clock", Access::Marking | Access::Question) => Some(Term::new(Node::Clock, Sort::Int)),
            _ => None,
        }
    }

    /// Reports a name that stands for nothing here.
    pub(super) fn unknown<T>(&mut self, name: &Name) -> Option<T> {
        let text = name.text.as_str();
        if self.scope.places.contains_key(text) {
            return self.place_as_value(name);
        }
        if self.is_lost(text) {
            return None;
        }
        if text == "clock" {
            return self.error(&name.span, "'clock' makes sense in progress and properties only");
        }
        if matches!(text, "deadlock" | "initial") {
            return self.error(&name.span, format!("'{text}' makes sense in properties only"));
        }
        if self.frame.access == Access::Constant && self.frame.hidden.iter().any(|hidden| hidden == text) {
            let error = Diagnostic::error(name.span.clone(), format!("'{text}' is a variable"));
            return self.report(error.expected("a constant, which is the same for all values of variables"));
        }
        let message = match self.frame.access {
            _ if !self.calling.is_empty() => format!("there is no '{text}'"),
            Access::Constant => format!("there is no constant '{text}'"),
            Access::Arc => {
                format!("there is no variable '{text}'; add it to the transition's variables")
            }
            _ => format!("there is no '{text}'"),
        };
        let locals = self.frame.locals[self.frame.base..].iter().map(|local| local.name.as_str());
        let params = self.scope.globals_that(|global| matches!(global, Global::Param(_)));
        let constants = sorted(&self.scope.constants);
        let places = sorted(&self.scope.places).into_iter().filter(|_| self.may(Access::Places));
        let special = ["deadlock", "initial"].into_iter().filter(|_| self.may(Access::Question));
        let near = nearest(text, locals.chain(params).chain(constants).chain(places).chain(special));
        self.report(Diagnostic::error(name.span.clone(), message).suggest(near))
    }

    /// Reports a place that stands where a value should.
    pub(super) fn place_as_value<T>(&mut self, name: &Name) -> Option<T> {
        let text = &name.text;
        match self.frame.access {
            Access::Constant | Access::Arc => {
                let message = format!("'{text}' is a place; what it has can't be used here");
                let allowed = "derived places, progress and properties can use it";
                let note = (name.span.clone(), allowed.to_owned());
                self.report(Diagnostic { note: Some(note), ..Diagnostic::error(name.span.clone(), message) })
            }
            _ => {
                let error = Diagnostic::error(name.span.clone(), format!("'{text}' is a place, not a value"));
                self.report(error.expected(format!("a value; the number of its tokens is written #{text}")))
            }
        }
    }

    /// A constant of the expected enumeration that is called like a number, as in many symmetric nets.
    pub(super) fn numbered(&self, n: i64, expected: Option<Sort>) -> Option<Term> {
        let id = self.whole_sort(expected)?;
        match self.net.types.shape(id) {
            Shape::Enum { .. } => {
                self.variant(id, &n.to_string()).map(|position| Term::constant([position as u64], id))
            }
            _ => None,
        }
    }

    /// The position of a constant or variant in its type.
    pub(super) fn variant(&self, id: TypeId, name: &str) -> Option<usize> {
        match self.net.types.shape(id) {
            Shape::Enum { names, .. } => names.iter().position(|other| **other == *name),
            Shape::Union(variants) => variants.iter().position(|(other, _)| **other == *name),
            _ => None,
        }
    }

    /// A constant of an enumeration, or a variant without content.
    pub(super) fn constant_of(&mut self, id: TypeId, name: &Name) -> Option<Term> {
        let Some(position) = self.variant(id, &name.text) else {
            return self.no_variant(id, name);
        };
        match self.net.types.shape(id) {
            Shape::Union(variants) if variants[position].1.is_some() => {
                let message = format!("'{}' has a content", name.text);
                let error = Diagnostic::error(name.span.clone(), message);
                self.report(error.expected(format!("{}(…)", name.text)))
            }
            Shape::Union(_) => {
                self.folded(Term::new(Node::Variant(position, None), Sort::Of(id)), &name.span)
            }
            _ => Some(Term::constant([position as u64], id)),
        }
    }

    /// Reports a constant or variant that a type has not.
    pub(super) fn no_variant<T>(&mut self, id: TypeId, name: &Name) -> Option<T> {
        let names: Vec<&str> = match self.net.types.shape(id) {
            Shape::Enum { names, .. } => names.iter().map(|name| &**name).collect(),
            Shape::Union(variants) => variants.iter().map(|(name, _)| &**name).collect(),
            _ => Vec::new(),
        };
        let near = nearest(&name.text, names);
        let message = format!("{} has no '{}'", self.net.types.describe(id), name.text);
        self.report(Diagnostic::error(name.span.clone(), message).suggest(near))
    }

    /// The place of this name, if it has a type.
    pub(super) fn place(&mut self, name: &Name) -> Option<usize> {
        match self.scope.places.get(&name.text).copied() {
            Some(place) if self.broken_places.contains(&place) => {
                self.poisoned = true;
                None
            }
            Some(place) => {
                self.met_places.insert(place);
                Some(place)
            }
            None if self.is_lost(&name.text) => None,
            None => {
                let near = nearest(&name.text, sorted(&self.scope.places));
                let message = format!("there is no place '{}'", name.text);
                self.report(Diagnostic::error(name.span.clone(), message).suggest(near))
            }
        }
    }

    /// The transition of this name.
    pub(super) fn transition_of(&mut self, name: &str, span: &Span) -> Option<usize> {
        if let Some(transition) = self.scope.transitions.get(name) {
            return Some(*transition);
        }
        if self.is_lost(name) {
            return None;
        }
        let near = nearest(name, sorted(&self.scope.transitions));
        let message = format!("there is no transition '{name}'");
        self.report(Diagnostic::error(span.clone(), message).suggest(near))
    }
}
