//! Places.

use super::types::Mode;
use super::{Parsed, Parser};
use crate::ast::{Expr, Place, Span, TypeExpr};
use crate::diagnostic::Diagnostic;
use crate::operators::SUM;

impl Parser<'_> {
    /// A place, after `place`.
    pub(super) fn place(&mut self) -> Parsed<Place> {
        let mut names = vec![self.name("the place's name")?];
        while self.eat(",") {
            names.push(self.name("a place's name after `,`")?);
        }
        self.expect(":", "`:` and the place's type")?;
        let type_ = self.item_type(|parser| parser.type_without_where("a place's type after `:`"));
        let mut place = Place { names, type_, capacity: None, initial: None, derived: None, timed: None };
        let mut seen: Vec<(&str, Span)> = Vec::new();
        loop {
            let (word, span) = (self.lexeme(), self.peek().span.clone());
            if !matches!(word, "capacity" | "=" | "derived" | "timed") {
                return Ok(place);
            }
            if let Some((_, before)) = seen.iter().find(|(before, _)| *before == word) {
                let error = Diagnostic::error(span, format!("a second `{word}` for the same place"));
                self.report(error.note(before.clone(), "the first one"));
                self.skip_item();
                return Ok(place);
            }
            seen.push((word, span.clone()));
            self.advance();
            match word {
                "capacity" => place.capacity = Some(self.capacity()),
                "=" => place.initial = Some(self.item_expression(Self::expression)),
                "derived" => place.derived = Some(self.item_expression(Self::expression)),
                _ => place.timed = Some(span),
            }
        }
    }

    /// A type where `where` would take what follows the type.
    pub(super) fn type_without_where(&mut self, expected: &str) -> Parsed<TypeExpr> {
        let type_ = self.type_expression(Mode::Simple, expected)?;
        if self.sees("where") {
            let message = "a type with `where` needs parentheses here, or a name of its own";
            return Err(Box::new(Diagnostic::error(self.peek().span.clone(), message)));
        }
        Ok(type_)
    }

    /// `0..1, 5`
    fn capacity(&mut self) -> Vec<(Expr, Expr)> {
        let mut ranges = Vec::new();
        while ranges.is_empty() || self.eat(",") {
            let from = self.item_expression(|parser| parser.operators(SUM));
            let to = if self.eat("..") {
                self.item_expression(|parser| parser.operators(SUM))
            } else {
                from.clone()
            };
            ranges.push((from, to));
        }
        ranges
    }
}
