//! A position among the tokens of a text, and the small things that are read there.

use std::ops::Range;

use sweepnet_net::{PlaceId, TransitionId};

use sweepnet_language::nearest::nearest;

use super::error::SyntaxError;
use super::names::{Missing, Names};
use super::temporal::Logic;
use super::token::{Kind, SEPARATOR, Token};
use crate::print::Name;

/// A position among the tokens of a text.
pub(crate) struct Reader<'a> {
    pub(super) text: &'a str,
    /// What is left to read; ends with [`Kind::End`].
    pub(super) tokens: &'a [Token],
    names: &'a Names<'a>,
    /// Where the last token that was read ends.
    pub(super) previous_end: usize,
    /// The logic whose operators are read, if any are.
    pub(super) logic: Option<Logic>,
    /// How many `U`, `W` and `R` of the formula continue a chain.
    pub(super) chained: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token], names: &'a Names<'a>) -> Self {
        Self { text, tokens, names, previous_end: 0, logic: None, chained: 0 }
    }

    /// Reads something, and then nothing.
    pub(super) fn only<T>(mut self, read: fn(&mut Self) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        let value = read(&mut self)?;
        if self.peek_text() == ";" {
            self.advance();
        }
        match self.peek().kind {
            Kind::End => Ok(value),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    pub(super) fn peek(&self) -> &'a Token {
        &self.tokens[0]
    }

    /// The next token as it is written, if it is a word, a number or a sign.
    pub(super) fn peek_text(&self) -> &'a str {
        match self.peek().kind {
            Kind::Word | Kind::Number | Kind::Sign(_) => &self.text[self.peek().span.clone()],
            Kind::Quoted(_) | Kind::Wrong(_) | Kind::End => "",
        }
    }

    /// The next token, if it is a sign.
    pub(super) fn peek_sign(&self) -> &'static str {
        match self.peek().kind {
            Kind::Sign(sign) => sign,
            _ => "",
        }
    }

    pub(super) fn advance(&mut self) {
        if let [first, rest @ ..] = self.tokens
            && !rest.is_empty()
        {
            self.previous_end = first.span.end;
            self.tokens = rest;
        }
    }

    /// `(a, b, …)`, at least one.
    pub(super) fn list<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        let mut items = Vec::new();
        if self.peek_text() != "(" {
            return Err(self.unexpected("`(`"));
        }
        while items.is_empty() || self.peek_text() == "," {
            self.advance();
            items.push(item(self)?);
        }
        if self.peek_text() != ")" {
            return Err(self.unexpected("`,` or `)`"));
        }
        self.advance();
        Ok(items)
    }

    pub(super) fn place(&mut self, wanted_by: &str) -> Result<PlaceId, SyntaxError> {
        let (name, span) = self.name("the name of a place")?;
        let kinds = ["place", "transition"];
        self.names.place(&name).map_err(|missing| self.missing(&name, span, missing, kinds, wanted_by))
    }

    pub(super) fn transition(&mut self, wanted_by: &str) -> Result<TransitionId, SyntaxError> {
        let (name, span) = self.name("the name of a transition")?;
        let kinds = ["transition", "place"];
        self.names.transition(&name).map_err(|missing| self.missing(&name, span, missing, kinds, wanted_by))
    }

    fn name(&mut self, expected: &str) -> Result<(String, Range<usize>), SyntaxError> {
        let span = self.peek().span.clone();
        let name = match &self.peek().kind {
            Kind::Quoted(name) => name.clone(),
            Kind::Word if self.peek_text() != SEPARATOR => self.peek_text().to_owned(),
            Kind::Number => {
                let message = format!("'{}' is a number; as a name it needs quotes", self.peek_text());
                return Err(self.error(span, message));
            }
            // Not followed by a name, so that it starts no property.
            Kind::Word if !matches!(self.tokens[1].kind, Kind::Word | Kind::Quoted(_)) => {
                return Err(self.error(span, "'property' starts a property; as a name it needs quotes"));
            }
            _ => return Err(self.unexpected(expected)),
        };
        self.advance();
        Ok((name, span))
    }

    fn missing(
        &self,
        name: &str,
        span: Range<usize>,
        missing: Missing,
        [wanted, other]: [&str; 2],
        wanted_by: &str,
    ) -> SyntaxError {
        match missing {
            Missing::OtherKind => {
                self.error(span, format!("'{name}' is a {other}; `{wanted_by}` wants a {wanted}"))
            }
            Missing::Ambiguous(ids) => self
                .error(span, format!("several {wanted}s have the label '{name}'; use the id of one of them"))
                .suggest(ids),
            Missing::Unknown(near) => {
                self.error(span, format!("there is no {wanted} '{name}'")).suggest(near)
            }
        }
    }

    /// A name that stands where a predicate or an expression should.
    pub(super) fn stray_name(&self, words: &[&'static str]) -> SyntaxError {
        let span = self.peek().span.clone();
        let name = match &self.peek().kind {
            Kind::Quoted(name) => name,
            _ => self.peek_text(),
        };
        if name == SEPARATOR {
            return self.unexpected("a predicate or an expression");
        }
        if self.names.place(name).is_ok() {
            let hint = format!("`#{}`, its tokens", Name(name));
            return self
                .error(span, format!("'{name}' is a place, not a predicate or a number"))
                .expected(hint);
        }
        if self.names.transition(name).is_ok() {
            let hint = format!("`enabled({})`", Name(name));
            return self.error(span, format!("'{name}' is a transition, not a predicate")).expected(hint);
        }
        self.error(span, format!("'{name}' has no meaning here"))
            .expected("a predicate or an expression")
            .suggest(nearest(name, words.iter().copied()))
    }

    /// The next token should have been something else.
    pub(super) fn unexpected(&self, expected: &str) -> SyntaxError {
        let span = self.peek().span.clone();
        match &self.peek().kind {
            Kind::Wrong(reason) => self.error(span, reason.clone()),
            _ if self.at_separator() => {
                let end = self.previous_end;
                self.error(end..end, "this ends too early").expected(expected)
            }
            _ => {
                let message = format!("'{}' is not expected here", &self.text[span.clone()]);
                self.error(span, message).expected(expected)
            }
        }
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.text, span, message)
    }
}
