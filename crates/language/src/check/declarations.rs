//! Parameters, types and functions: who declares what, and what it is, found out when it is first needed.

use std::collections::HashMap;
use std::sync::Arc;

use sweepnet_colour::{Place, Sort, Term, Transition, TypeId};

use super::frame::Access;
use super::scope::{Function, Global};
use super::{BOOL, Checker};
use crate::ast::{Expr, ItemKind, Name, Span, TypeExpr, TypeKind, Variable};
use crate::diagnostic::Diagnostic;
use crate::model::Setting;
use crate::nearest::nearest;

impl Checker<'_> {
    /// Enters all names, and reports those that are there twice.
    pub(super) fn declare(&mut self) {
        let (mut globals, mut places) = (HashMap::new(), HashMap::new());
        let (mut transitions, mut properties) = (HashMap::new(), HashMap::new());
        let (mut title, mut progress): (Option<&Span>, Option<&Span>) = (None, None);
        for (position, item) in self.items.iter().enumerate() {
            match &item.kind {
                ItemKind::Net(name) => {
                    if let Some(first) = title {
                        let twice = Diagnostic::error(item.span.clone(), "the net has a name already");
                        self.diagnostics.push(twice.note(first.clone(), "here"));
                    } else {
                        self.net.name.clone_from(&name.text);
                        title = Some(&item.span);
                    }
                }
                ItemKind::Progress(_) => {
                    if let Some(first) = progress {
                        let twice = Diagnostic::error(item.span.clone(), "progress is declared already");
                        self.diagnostics.push(twice.note(first.clone(), "here"));
                    }
                    progress = progress.or(Some(&item.span));
                }
                ItemKind::Param { name, .. }
                | ItemKind::Type { name, .. }
                | ItemKind::Function { name, .. } => {
                    if self.first(&mut globals, name) {
                        self.scope.globals.insert(name.text.clone(), Global::Pending(position));
                    }
                }
                ItemKind::Place(place) => {
                    for name in &place.names {
                        if self.first(&mut places, name) {
                            Arc::make_mut(&mut self.scope.places)
                                .insert(name.text.clone(), self.net.places.len());
                            self.net.places.push(Place {
                                id: name.text.as_str().into(),
                                label: None,
                                type_: TypeId::UNIT,
                                capacity: None,
                                initial: Vec::new(),
                                derived: None,
                                is_proven: false,
                                timed: place.timed.is_some(),
                            });
                        }
                    }
                }
                ItemKind::Transition(transition) => {
                    if self.first(&mut transitions, &transition.name) {
                        let name = &transition.name.text;
                        Arc::make_mut(&mut self.scope.transitions)
                            .insert(name.clone(), self.net.transitions.len());
                        self.net
                            .transitions
                            .push(Transition { id: name.as_str().into(), ..Transition::default() });
                    }
                }
                ItemKind::Property(property) => {
                    if let Some(name) = &property.name {
                        self.first(&mut properties, name);
                    }
                }
            }
        }
    }

    /// Whether a name is new; an error if it is not.
    pub(super) fn first<'n>(&mut self, seen: &mut HashMap<&'n str, &'n Span>, name: &'n Name) -> bool {
        match seen.get(name.text.as_str()) {
            Some(first) => {
                let twice = Diagnostic::error(name.span.clone(), format!("'{}' is there twice", name.text));
                self.report::<()>(twice.note((*first).clone(), "it is here first"));
                false
            }
            None => seen.insert(&name.text, &name.span).is_none(),
        }
    }

    /// Finds out what all parameters, types and functions are, in the order of the file.
    pub(super) fn resolve_all(&mut self) {
        for (name, _) in self.params {
            let is_param = |global: &Global| match global {
                Global::Pending(item) => matches!(self.items[*item].kind, ItemKind::Param { .. }),
                _ => false,
            };
            if !self.scope.globals.get(name).is_some_and(is_param) {
                let params = self.scope.globals_that(is_param);
                let known = match params.as_slice() {
                    [] => "it has none at all".to_owned(),
                    params => format!("it has {}", params.join(", ")),
                };
                let message = format!("the model has no parameter '{name}'; {known}");
                let error = Diagnostic::error(0..0, message).suggest(nearest(name, params));
                self.diagnostics.push(error);
            }
        }
        // Types come first, because their constants have names that all others may use.
        let types = self.items.iter().filter(|item| matches!(item.kind, ItemKind::Type { .. }));
        for item in types.chain(self.items) {
            if let ItemKind::Param { name, .. }
            | ItemKind::Type { name, .. }
            | ItemKind::Function { name, .. } = &item.kind
            {
                self.resolve(&name.text, &name.span);
            }
        }
        self.tell_multisets();
    }

    /// What a name stands for; nothing if there is no such name, or if it is broken.
    pub(super) fn global(&mut self, name: &str, span: &Span) -> Option<Global> {
        if !self.used.contains(name) && self.scope.globals.contains_key(name) {
            self.used.insert(name.to_owned());
        }
        let found = self.resolve(name, span);
        self.poisoned |= matches!(found, Some(Global::Broken));
        found
    }

    fn resolve(&mut self, name: &str, span: &Span) -> Option<Global> {
        match self.scope.globals.get(name)? {
            Global::Pending(item) => {
                let item = *item;
                self.scope.globals.insert(name.to_owned(), Global::Resolving);
                self.resolving.push(name.to_owned());
                let found = self.deeper(span, |checker| checker.define(item));
                self.resolving.pop();
                let found = found.unwrap_or(Global::Broken);
                self.scope.globals.insert(name.to_owned(), found.clone());
                Some(found)
            }
            Global::Resolving => {
                let from = self.resolving.iter().position(|other| other == name).unwrap_or(0);
                let mut cycle: Vec<&str> = self.resolving[from..].iter().map(String::as_str).collect();
                cycle.push(name);
                let message = format!("'{name}' is defined by itself: {}", cycle.join(" -> "));
                self.error::<()>(span, message);
                Some(Global::Broken)
            }
            found => Some(found.clone()),
        }
    }

    fn define(&mut self, item: usize) -> Option<Global> {
        match &self.items[item].kind {
            ItemKind::Param { name, value } => self.param(name, value).map(Global::Param),
            ItemKind::Type { name, definition } => {
                let id = self.type_(definition)?;
                // All types of one shape are one type; unit and bool keep their names.
                if id != TypeId::UNIT && id != TypeId::BOOL {
                    self.net.types.set_name(id, &name.text);
                }
                Some(Global::Type(id))
            }
            ItemKind::Function { name, parameters, result, body } => self
                .function(name, parameters, result.as_ref(), body)
                .map(|function| Global::Function(Arc::new(function))),
            _ => None,
        }
    }

    fn param(&mut self, name: &Name, value: &Expr) -> Option<Term> {
        let given = self.params.iter().rev().find(|(other, _)| *other == name.text).map(|(_, given)| *given);
        let mut literal = self.constant(value, None)?;
        if let Sort::Of(id) = literal.sort
            && self.net.types.is_integer(id)
        {
            literal = self.coerce(literal, Sort::Int, &value.span)?;
        }
        match (literal.sort, given) {
            (Sort::Int, Some(Setting::Integer(given))) => Some(Term::int(given)),
            (Sort::Int, Some(Setting::Truth(given))) => {
                let error = Diagnostic::error(name.span.clone(), format!("'{}' can't be {given}", name.text));
                self.report(error.expected("an integer"))
            }
            (BOOL, Some(Setting::Truth(given))) => Some(Term::bool(given)),
            (BOOL, Some(Setting::Integer(given @ 0..=1))) => Some(Term::bool(given == 1)),
            (BOOL, Some(Setting::Integer(given))) => {
                let error = Diagnostic::error(name.span.clone(), format!("'{}' can't be {given}", name.text));
                self.report(error.expected("true or false"))
            }
            (Sort::Int | BOOL, None) => Some(literal),
            (Sort::Of(id), _) => {
                let found = self.net.types.describe(id);
                let error = Diagnostic::error(value.span.clone(), format!("a parameter can't be a {found}"));
                self.report(error.expected("an integer or a truth value"))
            }
        }
    }

    fn function(
        &mut self,
        name: &Name,
        parameters: &[Variable],
        result: Option<&TypeExpr>,
        body: &Expr,
    ) -> Option<Function> {
        let (mut seen, mut whole) = (HashMap::new(), true);
        let mut sorts = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            whole &= self.first(&mut seen, &parameter.name);
            match &parameter.type_ {
                Some(type_) => match self.sort(type_) {
                    Some(sort) => sorts.push((parameter.name.text.clone(), sort)),
                    None => whole = false,
                },
                None => {
                    let message = format!("the parameter '{}' has no type", parameter.name.text);
                    let error = Diagnostic::error(parameter.name.span.clone(), message);
                    self.diagnostics.push(error.expected(format!("{}: T", parameter.name.text)));
                    whole = false;
                }
            }
        }
        let result = match result {
            Some(result) => Some(self.sort(result)?),
            None => None,
        };
        whole.then(|| Function {
            name: name.text.clone(),
            span: name.span.clone(),
            parameters: sorts,
            result,
            body: body.clone(),
            multiset: false,
        })
    }

    /// A type, or `int`, which only parameters and results of functions can be.
    fn sort(&mut self, type_: &TypeExpr) -> Option<Sort> {
        match &type_.kind {
            TypeKind::Named(name) if name.text == "int" && !self.scope.globals.contains_key("int") => {
                Some(Sort::Int)
            }
            _ => self.type_(type_).map(Sort::Of),
        }
    }

    /// Finds out which functions give multisets: those whose bodies are made of multisets, or of calls of
    /// such.
    fn tell_multisets(&mut self) {
        self.frame.access = Access::Question;
        loop {
            let found = self.scope.globals.iter().find_map(|(name, global)| match global {
                Global::Function(function) if !function.multiset => {
                    let hidden: Vec<&str> =
                        function.parameters.iter().map(|(parameter, _)| parameter.as_str()).collect();
                    self.is_multiset(&function.body, &hidden).then(|| (name.clone(), Arc::clone(function)))
                }
                _ => None,
            });
            let Some((name, function)) = found else { break };
            let function = Function { multiset: true, ..(*function).clone() };
            self.scope.globals.insert(name, Global::Function(Arc::new(function)));
        }
        self.frame.access = Access::Constant;
    }
}
