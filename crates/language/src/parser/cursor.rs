//! The small things that are read, and what is said when they are not there.

use super::{Parsed, Parser};
use crate::ast::{Name, Span};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> &Token {
        self.peek_at(0)
    }

    /// The token that many after the next; the end if there are not so many.
    pub(super) fn peek_at(&self, distance: usize) -> &Token {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    /// The next sign or keyword.
    pub(super) fn lexeme(&self) -> &'static str {
        self.peek().kind.lexeme()
    }

    /// Whether this sign or keyword is next.
    pub(super) fn sees(&self, lexeme: &str) -> bool {
        self.lexeme() == lexeme
    }

    /// A token as it is written.
    pub(super) fn written(&self, token: &Token) -> &'a str {
        &self.text[token.span.clone()]
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Passes this sign or keyword if it is next.
    pub(super) fn eat(&mut self, lexeme: &str) -> bool {
        let seen = self.sees(lexeme);
        if seen {
            self.advance();
        }
        seen
    }

    /// Passes this sign or keyword, which must be next.
    pub(super) fn expect(&mut self, lexeme: &str, expected: &str) -> Parsed<()> {
        if self.eat(lexeme) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Passes what closes a bracket that was opened at `open`.
    pub(super) fn close(&mut self, lexeme: &str, open: &Span, expected: &str) -> Parsed<()> {
        if self.eat(lexeme) {
            return Ok(());
        }
        let mut error = self.unexpected(expected);
        let line = |at: usize| self.text[..at].matches('\n').count();
        if error.note.is_none() && line(open.start) != line(error.span.start) {
            error.note = Some((open.clone(), format!("`{}` is open since here", &self.text[open.clone()])));
        }
        Err(error)
    }

    /// Items with commas between them, and perhaps after them, up to what closes the list.
    pub(super) fn list<T>(
        &mut self,
        closing: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let open = self.tokens[self.at.saturating_sub(1)].span.clone();
        let mut items = Vec::new();
        while !self.sees(closing) {
            items.push(item(self)?);
            if !self.eat(",") {
                break;
            }
        }
        self.close(closing, &open, &format!("`,` or `{closing}`"))?;
        Ok(items)
    }

    /// A name, or why there is none.
    pub(super) fn name(&mut self, expected: &str) -> Parsed<Name> {
        let token = self.peek().clone();
        let text = match token.kind {
            Kind::Quoted(name) => name,
            Kind::Word => self.text[token.span.clone()].to_owned(),
            Kind::Keyword(word) if !token.first => {
                let message = format!("'{word}' is a word of the language; as a name it needs quotes");
                return Err(Box::new(Diagnostic::error(token.span, message).expected(expected)));
            }
            Kind::Integer => {
                let message =
                    format!("'{}' is a number; as a name it needs quotes", &self.text[token.span.clone()]);
                return Err(Box::new(Diagnostic::error(token.span, message).expected(expected)));
            }
            _ => return Err(self.unexpected(expected)),
        };
        self.advance();
        Ok(Name { text, span: token.span })
    }

    /// Whether a name is next.
    pub(super) fn sees_name(&self) -> bool {
        matches!(self.peek().kind, Kind::Word | Kind::Quoted(_))
    }

    /// From there to the last token that was read.
    pub(super) fn since(&self, start: usize) -> Span {
        start..self.previous_end().max(start)
    }

    /// Where the last token that was read ends.
    pub(super) fn previous_end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end)
    }

    /// The next token should have been something else.
    pub(super) fn unexpected(&self, expected: &str) -> Box<Diagnostic> {
        let token = self.peek();
        Box::new(match &token.kind {
            Kind::Wrong(reason) => Diagnostic::error(token.span.clone(), reason.clone()),
            _ if self.at_boundary() || self.at_clause() => {
                let end = self.previous_end();
                Diagnostic::error(end..end, "this ends too early").expected(expected)
            }
            _ => {
                let message = format!("'{}' is not expected here", self.written(token));
                Diagnostic::error(token.span.clone(), message).expected(expected)
            }
        })
    }
}
