//! From the tree to a typed net: names are resolved, types inferred and checked, functions inlined, constants
//! folded.
//!
//! Everything that is wrong is reported once. Whatever depends on something wrong is [`None`] and passed on
//! in silence.

mod bags;
mod calls;
mod collections;
mod constants;
mod conversion;
mod declarations;
mod derived;
mod evaluation;
mod expressions;
mod frame;
mod functions;
mod lint;
mod literals;
mod names;
mod operators;
mod parts;
mod places;
mod questions;
mod scope;
mod transitions;
mod types;
mod variables;

use std::collections::HashSet;
use std::mem::replace;

use sweepnet_colour::{Closed, ColouredNet, Patience, Progress, Sort, Sources, TypeId};

use crate::ast::{self, Item, ItemKind, Span};
use crate::diagnostic::Diagnostic;
use crate::model::{Model, Setting};
use crate::question::Property;

use frame::{Access, Frame};
pub use scope::Scope;

/// The sort of truth values.
const BOOL: Sort = Sort::Of(TypeId::BOOL);

/// How many expressions may stand inside each other, through calls and definitions.
const DEPTH: usize = 256;

/// What is being checked, and what is known so far.
struct Checker<'a> {
    text: &'a str,
    items: &'a [Item],
    params: &'a [(String, Setting)],
    net: &'a mut ColouredNet,
    scope: Scope,
    /// How long somebody waits for constants.
    patience: Patience<'a>,
    frame: Frame,
    /// Parameters, types and functions that are being looked at, each for the one before.
    resolving: Vec<String>,
    /// Functions that are being inlined, each in the one before.
    calling: Vec<String>,
    /// Places whose type is wrong.
    broken_places: HashSet<usize>,
    /// Transitions that are wrong.
    broken_transitions: HashSet<usize>,
    /// Places that an expression refers to.
    met_places: HashSet<usize>,
    /// Words of lines that could not be read. What is declared there is not known, and nobody's fault.
    lost: HashSet<&'a str>,
    /// Whether something was passed over because of another error.
    poisoned: bool,
    /// Whether an expression refers to a parameter.
    met_param: bool,
    /// Names of parameters, types and functions that something refers to.
    used: HashSet<String>,
    /// Where the parts of the net stand.
    sources: Sources<Span>,
    diagnostics: Vec<Diagnostic>,
}

/// Checks a file of which some parts could not be read. The model makes sense if there is no error among the
/// diagnostics.
pub(crate) fn file(
    text: &str,
    file: &ast::File,
    unread: &[Diagnostic],
    params: &[(String, Setting)],
    patience: Patience<'_>,
) -> (Model, Vec<Diagnostic>) {
    let mut net = ColouredNet::default();
    let mut checker = Checker::new(text, &file.items, params, &mut net, Scope::default());
    checker.patience = patience;
    checker.lost = unread.iter().flat_map(|error| words_around(text, &error.span)).collect();
    checker.declare();
    checker.resolve_all();
    let definitions = checker.places();
    let bodies = checker.transitions();
    checker.net.transitions = bodies;
    checker.definitions(&definitions);
    checker.progress();
    let asked = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Property(property) => Some(property),
        _ => None,
    });
    let properties = checker.properties(asked);
    checker.initial(&definitions);
    checker.uncalled();
    checker.lint();
    let Checker { scope, sources, diagnostics, .. } = checker;
    (Model { net, properties, scope, sources }, diagnostics)
}

/// Checks questions about a net.
pub(crate) fn questions(
    text: &str,
    asked: &[ast::Property],
    net: &mut ColouredNet,
    scope: &Scope,
) -> (Vec<Property>, Vec<Diagnostic>) {
    let mut checker = Checker::new(text, &[], &[], net, scope.clone());
    let properties = checker.properties(asked.iter());
    (properties, checker.diagnostics)
}

/// Checks a measure of progress for a net.
pub(crate) fn progress(
    text: &str,
    measure: &ast::Progress,
    net: &mut ColouredNet,
    scope: &Scope,
) -> (Progress, Vec<Diagnostic>) {
    let mut checker = Checker::new(text, &[], &[], net, scope.clone());
    let measure = checker.measure(measure);
    (measure, checker.diagnostics)
}

impl<'a> Checker<'a> {
    fn new(
        text: &'a str,
        items: &'a [Item],
        params: &'a [(String, Setting)],
        net: &'a mut ColouredNet,
        scope: Scope,
    ) -> Self {
        Self {
            text,
            items,
            params,
            net,
            scope,
            patience: Patience::default(),
            frame: Frame::new(Access::Constant, 0),
            resolving: Vec::new(),
            calling: Vec::new(),
            broken_places: HashSet::new(),
            broken_transitions: HashSet::new(),
            met_places: HashSet::new(),
            lost: HashSet::new(),
            poisoned: false,
            met_param: false,
            used: HashSet::new(),
            sources: Sources::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Reports an error, unless it was reported: functions are looked at at every call.
    fn report<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.poisoned = true;
        let same = |other: &Diagnostic| other.span == diagnostic.span && other.message == diagnostic.message;
        if !self.diagnostics.iter().any(same) {
            self.diagnostics.push(diagnostic);
        }
        None
    }

    /// Reports an error.
    fn error<T>(&mut self, span: &Span, message: impl Into<String>) -> Option<T> {
        self.report(Diagnostic::error(span.clone(), message))
    }

    /// Reports that something is too deep or too long, once: everything around it is, too.
    fn limit<T>(&mut self, span: &Span, message: impl Into<String>) -> Option<T> {
        let message = message.into();
        self.poisoned = true;
        if self.diagnostics.iter().any(|other| other.message == message) {
            return None;
        }
        self.error(span, message)
    }

    /// Whether a name may be one that could not be read.
    fn is_lost(&mut self, name: &str) -> bool {
        let lost = self.lost.contains(name);
        self.poisoned |= lost;
        lost
    }

    /// Notes that the type of an expression can't be told from itself.
    fn untyped<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.frame.untyped.get_or_insert(diagnostic);
        None
    }

    /// Does something in a frame of its own.
    fn framed<T>(&mut self, access: Access, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<Closed<T>> {
        let outer = replace(&mut self.frame, Frame::new(access, 0));
        self.frame.depth = outer.depth;
        self.frame.hidden = outer.locals.iter().map(|local| local.name.clone()).collect();
        // Definitions that are needed inside a function see nothing of it.
        let result = run(self);
        let frame = replace(&mut self.frame, outer);
        if let Some(untyped) = frame.untyped {
            return self.report(untyped);
        }
        Some(Closed { body: result?, frame: frame.words })
    }

    /// Does something one level deeper.
    fn deeper<T>(&mut self, span: &Span, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.frame.depth >= DEPTH {
            return self.limit(span, "this is nested too deeply");
        }
        self.frame.depth += 1;
        let result = run(self);
        self.frame.depth -= 1;
        result
    }

    /// Does something where an expression need not be evaluated.
    fn conditionally<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.frame.conditional += 1;
        let result = run(self);
        self.frame.conditional -= 1;
        result
    }

    /// Does something with more locals, and forgets them.
    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let locals = self.frame.locals.len();
        let result = run(self);
        self.frame.locals.truncate(locals);
        result
    }
}

/// The words of the line in which a span begins.
fn words_around<'t>(text: &'t str, span: &Span) -> impl Iterator<Item = &'t str> + use<'t> {
    let at = (0..=span.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    text[start..end].split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
