//! Transitions.

use std::collections::{HashMap, HashSet};

use sweepnet_colour::sources::TransitionSource;
use sweepnet_colour::{Arc, Node, Sort, Term, Transition, TypeId, Variable};

use super::frame::Access;
use super::operators::conjunction;
use super::{BOOL, Checker};
use crate::ast::{self, ArcKind, Clause, ClauseKind, Expr, ItemKind, Name, Span};
use crate::diagnostic::{Diagnostic, Severity};

/// A variable of a transition.
struct Declared<'t> {
    name: &'t Name,
    type_: Option<TypeId>,
    /// Whether its type is declared, and wrong.
    broken: bool,
}

/// What a transition does with a variable.
struct Uses {
    used: bool,
    /// Whether something that is wrong hides how it is used.
    excused: bool,
}

impl Checker<'_> {
    /// All transitions, in order.
    pub(super) fn transitions(&mut self) -> Vec<Transition> {
        let (mut made, mut seen) = (Vec::new(), HashSet::new());
        for item in self.items {
            let ItemKind::Transition(transition) = &item.kind else { continue };
            let first = seen.insert(transition.name.text.as_str());
            let mut source = TransitionSource { name: transition.name.span.clone(), ..Default::default() };
            let found = self.framed(Access::Arc, |checker| Some(checker.transition(transition, &mut source)));
            let Some(found) = found else { continue };
            if first {
                let (mut body, whole) = found.body;
                if !whole {
                    self.broken_transitions.insert(made.len());
                }
                body.frame = found.frame;
                made.push(body);
                self.sources.transitions.push(source);
            }
        }
        made
    }

    /// A transition, and whether nothing is wrong with it.
    fn transition(
        &mut self,
        transition: &ast::Transition,
        source: &mut TransitionSource<Span>,
    ) -> (Transition, bool) {
        let errors = self.diagnostics.len();
        let declared = self.variables(transition);
        let mut body = Transition { id: transition.name.text.as_str().into(), ..Transition::default() };
        let uses = self.clauses(transition, &declared, &mut body, source);
        self.check_variables(&declared, &uses);
        body.write_out(&self.frame.names);
        for (declared, local) in declared.iter().zip(&self.frame.locals) {
            if let (Some(type_), Some(Term { node: Node::Variable(slot), .. })) =
                (declared.type_, &local.term)
            {
                body.variables.push(Variable {
                    name: declared.name.text.as_str().into(),
                    type_,
                    slot: *slot,
                });
            }
        }
        self.delays(transition, &body);
        self.settle::<()>();
        let wrong = self.diagnostics[errors..].iter().any(|found| found.severity == Severity::Error);
        (body, !wrong && uses.iter().all(|uses| !uses.excused))
    }

    /// All clauses: `let`s first, because all others may use their variables. Tells how each variable is
    /// used.
    fn clauses(
        &mut self,
        transition: &ast::Transition,
        declared: &[Declared],
        body: &mut Transition,
        source: &mut TransitionSource<Span>,
    ) -> Vec<Uses> {
        // What goes wrong only where a guard is false does not go wrong.
        let guarded = transition.clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::When(_)));
        self.frame.conditional = usize::from(guarded);
        let mut uses: Vec<Uses> =
            declared.iter().map(|variable| Uses { used: false, excused: variable.broken }).collect();
        let (lets, others): (Vec<&Clause>, Vec<&Clause>) =
            transition.clauses.iter().partition(|clause| matches!(clause.kind, ClauseKind::Let { .. }));
        let mut once: HashMap<&str, &Span> = HashMap::new();
        for clause in lets.into_iter().chain(others) {
            self.frame.locals.iter_mut().for_each(|local| local.used = false);
            self.poisoned = false;
            let before = (body.outputs.len(), body.guards.len());
            // A variable may only seem to be without type or use because of what is wrong.
            let excused = self.clause(clause, body, &mut once).is_none() && self.poisoned;
            note(source, clause, (body.outputs.len() - before.0, body.guards.len() - before.1));
            if excused {
                self.touch(clause);
            }
            for (uses, local) in uses.iter_mut().zip(&self.frame.locals) {
                uses.used |= local.used;
                uses.excused |= excused && (local.used || !is_whole(clause));
            }
        }
        uses
    }

    /// Reports variables whose types are not known, and warns of those that nothing uses.
    fn check_variables(&mut self, declared: &[Declared], uses: &[Uses]) {
        for (Declared { name, type_, .. }, uses) in declared.iter().zip(uses) {
            let text = &name.text;
            if uses.excused || self.lost.contains(text.as_str()) {
                continue;
            }
            match (type_, uses.used) {
                (Some(_), true) => {}
                (Some(_), false) => {
                    let message = format!("the variable '{text}' is not used");
                    self.diagnostics.push(Diagnostic::warning(name.span.clone(), message));
                }
                (None, false) => {
                    _ = self.error::<()>(&name.span, format!("the variable '{text}' is not used"))
                }
                (None, true) => {
                    let message = format!("the type of '{text}' can't be inferred; declare it: {text}: T");
                    self.error::<()>(&name.span, message);
                }
            }
        }
    }

    /// Declares and infers the variables, and gives them their slots.
    fn variables<'t>(&mut self, transition: &'t ast::Transition) -> Vec<Declared<'t>> {
        let mut seen = HashMap::new();
        let mut declared: Vec<Declared> = Vec::new();
        for variable in &transition.variables {
            if !self.first(&mut seen, &variable.name) {
                continue;
            }
            let type_ = variable.type_.as_ref().map(|type_| self.type_(type_));
            let broken = type_ == Some(None);
            let type_ = type_.flatten();
            self.frame.push(&variable.name.text, type_.map(|id| Term::variable(0, Sort::Of(id))));
            declared.push(Declared { name: &variable.name, type_, broken });
        }
        self.infer(transition);
        self.frame.words = 0;
        let locals = std::mem::take(&mut self.frame.locals);
        for (declared, local) in declared.iter_mut().zip(locals) {
            declared.type_ = local.term.and_then(|term| term.type_of()).filter(|_| !declared.broken);
            match declared.type_ {
                Some(id) => _ = self.frame.bind(&declared.name.text, Sort::Of(id), &self.net.types),
                None => self.frame.push(&declared.name.text, None),
            }
        }
        declared
    }

    /// One clause; nothing if it is wrong.
    fn clause<'t>(
        &mut self,
        clause: &'t Clause,
        body: &mut Transition,
        once: &mut HashMap<&'t str, &'t Span>,
    ) -> Option<()> {
        match &clause.kind {
            ClauseKind::Arc { kind, place, tokens } => {
                let arc = self.arc(place, tokens)?;
                match kind {
                    ArcKind::In => body.inputs.push(arc),
                    ArcKind::Read => body.reads.push(arc),
                    ArcKind::Out => body.outputs.push(arc),
                }
            }
            ClauseKind::Inhibit { place, tokens: Some(tokens) } => {
                body.inhibitors.push(self.arc(place, tokens)?);
            }
            ClauseKind::Inhibit { place, tokens: None } => body.empties.push(self.place(place)?),
            ClauseKind::Reset(place) => body.resets.push(self.place(place)?),
            ClauseKind::Let { name, value } => {
                if self.frame.locals.iter().any(|local| local.name == name.text) {
                    return self.error(&name.span, format!("there is a variable '{}' already", name.text));
                }
                let Some(value) = self.term(value, None) else {
                    self.frame.push(&name.text, None);
                    return self.settle();
                };
                let slot = self.frame.bind(&name.text, value.sort, &self.net.types);
                self.frame.names.push((slot, value));
            }
            ClauseKind::When(condition) => {
                let conditional = std::mem::take(&mut self.frame.conditional);
                self.met_param = false;
                let guard = self.term(condition, Some(BOOL));
                self.frame.conditional = conditional;
                let Some(guard) = guard else { return self.settle() };
                let guard = conjunction(vec![guard]);
                self.constant_guard(&guard, &condition.span);
                match guard {
                    Term { node: Node::And(parts), .. } => body.guards.extend(parts),
                    Term { node: Node::Constant(words), .. } if words.first() == Some(&1) => {}
                    guard => body.guards.push(guard),
                }
            }
            ClauseKind::Priority(value) => {
                self.only("priority", &clause.span, once)?;
                body.priority = self.integer(value)?;
            }
            ClauseKind::Delay(value) => {
                self.only("delay", &clause.span, once)?;
                match self.term(value, Some(Sort::Int)) {
                    Some(Term { node: Node::Integer(n), .. }) if n < 0 => {
                        return self.error(&value.span, format!("a delay can't be {n}"));
                    }
                    Some(delay) => body.delay = Some(delay),
                    None => return self.settle(),
                }
            }
        }
        Some(())
    }

    /// Reports what is still to be told; nothing can tell it any more.
    fn settle<T>(&mut self) -> Option<T> {
        let untyped = self.frame.untyped.take()?;
        self.report(untyped)
    }

    fn arc(&mut self, place: &Name, tokens: &Expr) -> Option<Arc> {
        let position = self.place(place)?;
        match self.bag(tokens, Some(self.net.places[position].type_)) {
            Some((tokens, _)) => Some(Arc { place: position, tokens }),
            None => self.settle(),
        }
    }

    fn only<'t>(
        &mut self,
        what: &'t str,
        span: &'t Span,
        once: &mut HashMap<&'t str, &'t Span>,
    ) -> Option<()> {
        match once.insert(what, span) {
            None => Some(()),
            Some(first) => {
                let error = Diagnostic::error(span.clone(), format!("the transition has a {what} already"));
                self.report(error.note(first.clone(), "here"))
            }
        }
    }

    /// Finds out which variables a clause uses, although it is wrong.
    fn touch(&mut self, clause: &Clause) {
        let expr = match &clause.kind {
            ClauseKind::Arc { tokens, .. } | ClauseKind::Inhibit { tokens: Some(tokens), .. } => tokens,
            ClauseKind::When(expr) | ClauseKind::Priority(expr) | ClauseKind::Delay(expr) => expr,
            ClauseKind::Let { value, .. } => value,
            ClauseKind::Inhibit { .. } | ClauseKind::Reset(_) => return,
        };
        self.silently(|checker| checker.bag(expr, None));
    }

    /// Warns of a delay that nothing notices.
    fn delays(&mut self, transition: &ast::Transition, body: &Transition) {
        let timed = body.outputs.iter().any(|arc| self.net.places[arc.place].timed);
        let delay = transition.clauses.iter().find(|clause| matches!(clause.kind, ClauseKind::Delay(_)));
        if let (Some(delay), false) = (delay, timed) {
            let message = "the delay has no effect: no output place is timed";
            self.diagnostics.push(Diagnostic::warning(delay.span.clone(), message));
        }
    }
}

/// Notes where a clause stands, which made so many outputs and guards.
fn note(source: &mut TransitionSource<Span>, clause: &Clause, (outputs, guards): (usize, usize)) {
    match &clause.kind {
        ClauseKind::Arc { tokens, .. } => source.outputs.extend(vec![tokens.span.clone(); outputs]),
        ClauseKind::When(condition) => source.guards.extend(vec![condition.span.clone(); guards]),
        ClauseKind::Delay(delay) => source.delay = Some(delay.span.clone()),
        _ => {}
    }
}

/// Whether a clause could be read.
fn is_whole(clause: &Clause) -> bool {
    let expr = match &clause.kind {
        ClauseKind::Arc { tokens, .. } | ClauseKind::Inhibit { tokens: Some(tokens), .. } => tokens,
        ClauseKind::When(expr) | ClauseKind::Priority(expr) | ClauseKind::Delay(expr) => expr,
        ClauseKind::Let { value, .. } => value,
        ClauseKind::Inhibit { .. } | ClauseKind::Reset(_) => return true,
    };
    expr.kind != ast::ExprKind::Broken
}
