//! What is not wrong, but hardly meant.

use std::collections::HashSet;

use sweepnet_colour::{Node, Term};

use super::Checker;
use crate::ast::{ItemKind, Name, Span};
use crate::diagnostic::{Diagnostic, Severity};

impl Checker<'_> {
    /// Warns of names that nothing uses, of places that never have a token, and of transitions that never
    /// fire because of them.
    pub(super) fn lint(&mut self) {
        if self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return;
        }
        let (marked, fireable) = self.markable();
        for item in self.items {
            match &item.kind {
                ItemKind::Param { name, .. } => self.unused("parameter", name),
                ItemKind::Type { name, .. } => self.unused("type", name),
                ItemKind::Function { name, .. } => self.unused("function", name),
                ItemKind::Place(place) => {
                    for name in &place.names {
                        let Some(position) = self.scope.places.get(&name.text) else { continue };
                        let message = match (self.met_places.contains(position), marked.contains(position)) {
                            (false, _) => format!("nothing uses the place '{}'", name.text),
                            (true, false) => format!("the place '{}' never has a token", name.text),
                            (true, true) => continue,
                        };
                        self.diagnostics.push(Diagnostic::warning(name.span.clone(), message));
                    }
                }
                ItemKind::Transition(transition) => {
                    let name = &transition.name;
                    if let Some(position) = self.scope.transitions.get(&name.text)
                        && !fireable.contains(position)
                    {
                        let message =
                            format!("'{}' never fires: a place it needs never has a token", name.text);
                        self.diagnostics.push(Diagnostic::warning(name.span.clone(), message));
                    }
                }
                ItemKind::Net(_) | ItemKind::Progress(_) | ItemKind::Property(_) => {}
            }
        }
    }

    /// Warns of a guard that tells nothing apart. One that a parameter decides may do so with another value.
    pub(super) fn constant_guard(&mut self, guard: &Term, span: &Span) {
        let message = match settled(guard).filter(|_| !self.met_param) {
            Some(false) => "this guard is never true: the transition never fires",
            Some(true) => "this guard is always true",
            None => return,
        };
        self.diagnostics.push(Diagnostic::warning(span.clone(), message));
    }

    fn unused(&mut self, kind: &str, name: &Name) {
        if !self.used.contains(&name.text) {
            let message = format!("nothing uses the {kind} '{}'", name.text);
            self.diagnostics.push(Diagnostic::warning(name.span.clone(), message));
        }
    }

    /// Places that may have tokens at some time, and transitions all of whose inputs may.
    fn markable(&self) -> (HashSet<usize>, HashSet<usize>) {
        let may = |place: &sweepnet_colour::Place| place.derived.is_some() || !place.initial.is_empty();
        let mut marked: HashSet<usize> =
            self.net.places.iter().enumerate().filter(|(_, place)| may(place)).map(|(i, _)| i).collect();
        let mut fireable = HashSet::new();
        loop {
            let before = fireable.len();
            for (position, transition) in self.net.transitions.iter().enumerate() {
                // Arcs whose tokens are not plain may need none.
                let mut needed =
                    transition.inputs.iter().chain(&transition.reads).filter(|arc| needs(&arc.tokens));
                if !fireable.contains(&position) && needed.all(|arc| marked.contains(&arc.place)) {
                    fireable.insert(position);
                    marked.extend(transition.outputs.iter().map(|arc| arc.place));
                }
            }
            if fireable.len() == before {
                return (marked, fireable);
            }
        }
    }
}

/// Whether a multiset surely has a token.
fn needs(bag: &sweepnet_colour::Bag) -> bool {
    use sweepnet_colour::Bag;
    match bag {
        Bag::One(_) | Bag::All(_) => true,
        Bag::Times(count, inner) => matches!(count.node, Node::Integer(1..)) && needs(inner),
        Bag::Sum(parts) => parts.iter().any(needs),
        Bag::Let(_, _, inner) | Bag::For(_, _, None, inner) => needs(inner),
        Bag::If(_, yes, no) => needs(yes) && needs(no),
        _ => false,
    }
}

/// What a condition is, if constants in it decide that.
fn settled(condition: &Term) -> Option<bool> {
    let decided = |parts: &[Term], by: bool| parts.iter().any(|part| settled(part) == Some(by)).then_some(by);
    match &condition.node {
        Node::Constant(words) => words.first().map(|word| *word != 0),
        Node::And(parts) => decided(parts, false),
        Node::Or(parts) => decided(parts, true),
        _ => None,
    }
}
