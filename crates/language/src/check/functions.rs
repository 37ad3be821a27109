//! Functions: calls are replaced by bodies.

use sweepnet_colour::{Sort, Term};

use super::Checker;
use super::calls::counted;
use super::expressions::wrap;
use super::frame::Access;
use super::scope::{Function, Global};
use crate::ast::{Argument, ItemKind, Name};
use crate::diagnostic::Diagnostic;

/// Calls that are inlined in one transition, definition or question.
const CALLS: usize = 10_000;

impl Checker<'_> {
    /// A call of a function that gives a value.
    pub(super) fn call_function(
        &mut self,
        function: &Function,
        name: &Name,
        arguments: &[Argument],
        expected: Option<Sort>,
    ) -> Option<Term> {
        let (bound, body) = self.inline(function, name, arguments, |checker| {
            checker.term(&function.body, function.result.or(expected))
        })?;
        Some(wrap(bound, body))
    }

    /// The body of a function, as `read`, and the variables for those arguments that are no literals or
    /// variables.
    pub(super) fn inline<T>(
        &mut self,
        function: &Function,
        name: &Name,
        arguments: &[Argument],
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(Vec<(usize, Term)>, T)> {
        if let Some(from) = self.calling.iter().position(|other| *other == function.name) {
            let cycle = self.calling.split_off(from);
            let mut path: Vec<&str> = cycle.iter().map(String::as_str).collect();
            path.push(&function.name);
            let message = format!("'{}' calls itself: {}", function.name, path.join(" -> "));
            for member in &cycle {
                self.scope.globals.insert(member.clone(), Global::Broken);
            }
            self.calling.extend(cycle);
            return self.error(&name.span, message);
        }
        self.frame.calls += 1;
        if self.frame.calls > CALLS {
            return self.limit(&name.span, format!("more than {CALLS} calls of functions in one expression"));
        }
        if arguments.len() != function.parameters.len() {
            let message = format!(
                "'{}' takes {}, not {}",
                function.name,
                counted(function.parameters.len(), "argument"),
                arguments.len()
            );
            let error = Diagnostic::error(name.span.clone(), message);
            return self.report(error.note(function.span.clone(), "it is declared here"));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, (_, sort)) in arguments.iter().zip(&function.parameters) {
            values.push(self.term(&argument.value, Some(*sort)));
        }
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        self.scoped(|checker| {
            let outer = std::mem::replace(&mut checker.frame.base, checker.frame.locals.len());
            let mut bound = Vec::new();
            for (value, (parameter, _)) in values.into_iter().zip(&function.parameters) {
                let parameter = Name { text: parameter.clone(), span: function.span.clone() };
                bound.extend(checker.bind_value(&parameter, value));
            }
            checker.calling.push(function.name.clone());
            let body = read(checker);
            checker.calling.pop();
            checker.frame.base = outer;
            Some((bound, body?))
        })
    }

    /// Looks at functions that nobody calls, for what is wrong with them.
    pub(super) fn uncalled(&mut self) {
        for item in self.items {
            let ItemKind::Function { name, .. } = &item.kind else { continue };
            let Some(Global::Function(function)) = self.scope.globals.get(&name.text).cloned() else {
                continue;
            };
            if self.used.contains(&name.text) {
                continue;
            }
            self.framed(Access::Question, |checker| {
                for (parameter, sort) in &function.parameters {
                    checker.frame.bind(parameter, *sort, &checker.net.types);
                }
                checker.calling.push(function.name.clone());
                match (function.multiset, function.result) {
                    (true, Some(Sort::Of(id))) => _ = checker.bag(&function.body, Some(id)),
                    (true, _) => _ = checker.bag(&function.body, None),
                    (false, result) => _ = checker.term(&function.body, result),
                }
                checker.calling.pop();
                // Its calls would tell the type.
                checker.frame.untyped = None;
                Some(())
            });
        }
    }
}
