//! What derived places are, and progress.

use sweepnet_colour::derive::places_of;
use sweepnet_colour::{Closed, Sort};

use super::Checker;
use super::frame::Access;
use super::places::Declared;
use crate::ast::{Expr, ExprKind, ItemKind, Progress};
use crate::diagnostic::Diagnostic;

impl Checker<'_> {
    /// The definitions of derived places.
    pub(super) fn definitions(&mut self, declared: &[Declared]) {
        for Declared { places, place } in declared {
            let Some(definition) = &place.derived else { continue };
            if let Some(initial) = &place.initial {
                let message = "a derived place has what it is derived from, and no initial tokens of its own";
                let error = Diagnostic::error(initial.span.clone(), message);
                self.report::<()>(error.note(definition.span.clone(), "it is derived here"));
            }
            if let Some(timed) = &place.timed {
                let error = Diagnostic::error(timed.clone(), "a derived place has no times of its own");
                self.report::<()>(error.note(definition.span.clone(), "it is derived here"));
            }
            let Some(first) = places.first().filter(|first| !self.broken_places.contains(first)) else {
                continue;
            };
            let type_ = self.net.places[*first].type_;
            let closed = self.framed(Access::Places, |checker| checker.bag(definition, Some(type_)));
            let Some(Closed { body: (body, _), frame }) = closed else { continue };
            for position in places {
                self.net.places[*position].derived = Some(Closed { body: body.clone(), frame });
            }
        }
        self.find_cycle(declared);
    }

    /// Reports places that are derived from themselves.
    fn find_cycle(&mut self, declared: &[Declared]) {
        if self.net.derivation_order().is_ok() {
            return;
        }
        let needs: Vec<Vec<usize>> = self
            .net
            .places
            .iter()
            .map(|place| place.derived.as_ref().map(places_of).unwrap_or_default())
            .collect();
        // What is left when all that can be derived is taken away depends on a cycle.
        let mut done: Vec<bool> = self.net.places.iter().map(|place| place.derived.is_none()).collect();
        while let Some(ready) =
            (0..done.len()).find(|place| !done[*place] && needs[*place].iter().all(|need| done[*need]))
        {
            done[ready] = true;
        }
        let Some(mut at) = done.iter().position(|done| !done) else { return };
        let mut path: Vec<usize> = Vec::new();
        while !path.contains(&at) {
            path.push(at);
            let Some(next) = needs[at].iter().find(|need| !done[**need]) else { return };
            at = *next;
        }
        let from = path.iter().position(|place| *place == at).unwrap_or(0);
        let mut names: Vec<&str> = path[from..].iter().map(|place| &*self.net.places[*place].id).collect();
        names.push(&self.net.places[at].id);
        let message = format!("'{}' is derived from itself: {}", self.net.places[at].id, names.join(" -> "));
        let declaring = declared.iter().find(|item| item.places.contains(&at));
        let span =
            declaring.and_then(|item| item.place.derived.as_ref()).map_or(0..0, |expr| expr.span.clone());
        self.error::<()>(&span, message);
    }

    /// How far states are.
    pub(super) fn progress(&mut self) {
        for item in self.items {
            let ItemKind::Progress(measure) = &item.kind else { continue };
            self.net.progress = self.measure(measure);
        }
    }

    /// A measure of progress; parts in which something is wrong are left out.
    pub(super) fn measure(&mut self, measure: &Progress) -> sweepnet_colour::Progress {
        let parts: Vec<&Expr> = match measure.parts.as_slice() {
            [Expr { kind: ExprKind::Tuple(inner), .. }] if !inner.is_empty() && !measure.componentwise => {
                inner.iter().collect()
            }
            parts => parts.iter().collect(),
        };
        let term =
            |part| self.framed(Access::Marking, |checker: &mut Self| checker.term(part, Some(Sort::Int)));
        let parts = parts.into_iter().filter_map(term).collect();
        sweepnet_colour::Progress { parts, componentwise: measure.componentwise }
    }
}
