//! Places: types, capacities and what they have at first.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use sweepnet_colour::sources::PlaceSource;
use sweepnet_colour::{Closed, Fault, eval};

use super::Checker;
use super::evaluation::evaluated;
use super::frame::Access;
use crate::ast::{self, Expr, ItemKind, Span};
use crate::diagnostic::{Diagnostic, Severity};

/// The places that one item declares.
pub(super) struct Declared<'a> {
    /// Their positions.
    pub places: Vec<usize>,
    /// The item.
    pub place: &'a ast::Place,
}

impl<'a> Checker<'a> {
    /// Types and capacities.
    pub(super) fn places(&mut self) -> Vec<Declared<'a>> {
        let (mut declared, mut seen) = (Vec::new(), HashSet::new());
        self.sources.places.resize_with(self.net.places.len(), PlaceSource::default);
        for item in self.items {
            let ItemKind::Place(place) = &item.kind else { continue };
            let (type_, capacity) = (self.type_(&place.type_), self.capacity(place));
            let own = place.names.iter().filter(|name| seen.insert(name.text.as_str()));
            let places: Vec<usize> =
                own.filter_map(|name| self.scope.places.get(&name.text).copied()).collect();
            for name in &place.names {
                let source = self.scope.places.get(&name.text).map(|at| &mut self.sources.places[*at]);
                let ranges = place.capacity.as_deref().unwrap_or_default();
                let ends = ranges.first().zip(ranges.last());
                if let Some(source) = source.filter(|source| source.name.is_empty()) {
                    source.name = name.span.clone();
                    source.capacity = ends.map(|((from, _), (_, to))| from.span.start..to.span.end);
                    source.derived = place.derived.as_ref().map(|definition| definition.span.clone());
                }
            }
            for position in &places {
                match type_ {
                    Some(type_) => self.net.places[*position].type_ = type_,
                    None => _ = self.broken_places.insert(*position),
                }
                self.net.places[*position].capacity.clone_from(&capacity);
            }
            declared.push(Declared { places, place });
        }
        declared
    }

    /// Ranges in order that do not touch.
    fn capacity(&mut self, place: &ast::Place) -> Option<Vec<RangeInclusive<u64>>> {
        let mut ranges: Vec<Option<RangeInclusive<u64>>> = Vec::new();
        for (from, to) in place.capacity.as_ref()? {
            let (low, high) = (self.natural(from), self.natural(to));
            ranges.push(match (low, high) {
                (Some(low), Some(high)) if low > high => {
                    self.error(&(from.span.start..to.span.end), format!("the range {low}..{high} is empty"))
                }
                (low, high) => low.zip(high).map(|(low, high)| low..=high),
            });
        }
        let mut ranges = ranges.into_iter().collect::<Option<Vec<_>>>()?;
        ranges.sort_by_key(|range| *range.start());
        let mut merged: Vec<RangeInclusive<u64>> = Vec::new();
        for range in ranges {
            match merged.last_mut() {
                Some(last) if *range.start() <= last.end().saturating_add(1) => {
                    *last = *last.start()..=*last.end().max(range.end());
                }
                _ => merged.push(range),
            }
        }
        Some(merged)
    }

    /// A constant that is not negative.
    fn natural(&mut self, expr: &Expr) -> Option<u64> {
        let n = self.integer(expr)?;
        match u64::try_from(n) {
            Ok(n) => Some(n),
            Err(_) => self.error(&expr.span, format!("a place can't have {n} tokens")),
        }
    }

    /// Initial markings, also those of derived places if nothing is wrong.
    pub(super) fn initial(&mut self, declared: &[Declared]) {
        for Declared { places, place } in declared {
            let Some(first) = places.first().filter(|first| !self.broken_places.contains(first)) else {
                continue;
            };
            let Some(initial) = &place.initial else {
                if place.derived.is_none() {
                    self.check_capacities(places, place);
                }
                continue;
            };
            let type_ = self.net.places[*first].type_;
            let closed = self.framed(Access::Constant, |checker| checker.bag(initial, Some(type_)));
            let Some(Closed { body: (body, _), frame }) = closed else { continue };
            let closed = Closed { body, frame };
            let tokens =
                evaluated(self.patience, |patience| eval::constant_bag(&self.net.types, &closed, patience));
            match tokens {
                Ok(tokens) => {
                    for position in places {
                        self.net.places[*position].initial.clone_from(&tokens);
                    }
                    self.check_capacities(places, place);
                }
                Err(fault) => {
                    let message = self.fault(fault);
                    self.error::<()>(&initial.span, message);
                }
            }
        }
        if self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return;
        }
        let derived: Vec<&Declared> = declared.iter().filter(|item| item.place.derived.is_some()).collect();
        let net = &mut self.net;
        if let Err((position, fault)) = evaluated(self.patience, |patience| net.derive_initial(patience)) {
            let span = derived.iter().find(|item| item.places.contains(&position));
            let span =
                span.and_then(|item| item.place.derived.as_ref()).map_or(0..0, |expr| expr.span.clone());
            return self.cannot_derive(position, fault, &span);
        }
        for Declared { places, place } in derived {
            self.check_capacities(places, place);
        }
    }

    fn cannot_derive(&mut self, position: usize, fault: Fault, span: &Span) {
        let message = format!("'{}' initially: {}", self.net.places[position].id, self.fault(fault));
        self.error::<()>(span, message);
    }

    /// Reports initial markings outside of the capacity.
    fn check_capacities(&mut self, places: &[usize], place: &ast::Place) {
        for position in places {
            let node = &self.net.places[*position];
            let tokens = node.initial.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
            let outside =
                |ranges: &Vec<RangeInclusive<u64>>| !ranges.iter().any(|range| range.contains(&tokens));
            if !node.capacity.as_ref().is_some_and(outside) {
                continue;
            }
            let span = [&place.initial, &place.derived].into_iter().flatten().next().map(|expr| &expr.span);
            let span = span.or(place.names.first().map(|name| &name.span)).cloned().unwrap_or(0..0);
            let tokens = super::calls::counted(usize::try_from(tokens).unwrap_or(usize::MAX), "token");
            let message = format!("'{}' initially has {tokens}, which is outside of its capacity", node.id);
            self.report::<()>(Diagnostic::error(span, message));
        }
    }
}
