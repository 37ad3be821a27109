//! Properties: what stands around the formulas.

use std::collections::HashSet;
use std::ops::Range;

use sweepnet_language::nearest::nearest;
use sweepnet_language::parser::{A_QUESTION, QUESTIONS};
use sweepnet_net::Net;

use super::error::SyntaxError;
use super::formula::Value;
use super::names::Names;
use super::reader::Reader;
use super::token::{Kind, SEPARATOR, tokens};
use crate::expression::Expression;
use crate::predicate::Predicate;
use crate::property::{Property, Question};
use crate::temporal::Formula;

/// More errors than this help nobody.
const MAX_ERRORS: usize = 100;

/// Reads all properties of a file.
pub(super) fn file(text: &str, net: &Net) -> Result<Vec<Property>, Vec<SyntaxError>> {
    let (tokens, names) = (tokens(text), Names::new(net));
    let mut reader = Reader::new(text, &tokens, &names);
    let (mut properties, mut errors, mut known) = (Vec::new(), Vec::new(), HashSet::new());
    loop {
        while reader.peek_text() == ";" {
            reader.advance();
        }
        if reader.peek().kind == Kind::End || errors.len() >= MAX_ERRORS {
            break;
        }
        let start = reader.peek().span.clone();
        match reader.property().and_then(|property| reader.separator().map(|()| property)) {
            Ok(property) if known.contains(&property.name) => {
                errors
                    .push(reader.error(start, format!("there are two properties named '{}'", property.name)));
            }
            Ok(property) => {
                known.insert(property.name.clone());
                properties.push(property);
            }
            Err(error) => {
                errors.push(error);
                while !reader.at_separator() {
                    reader.advance();
                }
            }
        }
    }
    if errors.is_empty() { Ok(properties) } else { Err(errors) }
}

impl Reader<'_> {
    /// A question, after a name if it has one.
    pub(super) fn property(&mut self) -> Result<Property, SyntaxError> {
        let announced = self.peek_text() == SEPARATOR;
        if announced {
            self.advance();
        }
        let name = self.title();
        if announced && name.is_none() {
            return Err(self.unexpected("a name and a colon: `property name: …`"));
        }
        let start = self.peek().span.start;
        let question = self.question()?;
        let text = self.text[start..self.previous_end].to_owned();
        Ok(Property { name: name.unwrap_or_else(|| text.clone()), text, question })
    }

    /// The property's name, if there is one with a colon behind it. It may contain `-`, as the names of the contest
    /// do.
    fn title(&mut self) -> Option<String> {
        let (name, length) = match &self.peek().kind {
            Kind::Quoted(name) => (name.clone(), 1),
            _ => {
                let length = self.run();
                let last = length.checked_sub(1)?;
                (self.text[self.tokens[0].span.start..self.tokens[last].span.end].to_owned(), length)
            }
        };
        if self.tokens.get(length)?.kind != Kind::Sign(":") {
            return None;
        }
        (0..=length).for_each(|_| self.advance());
        Some(name)
    }

    /// How many tokens from here make a word with hyphens, such as `quasi-live` or `3-safe`.
    fn run(&self) -> usize {
        let mut length = 0;
        let mut end = self.peek().span.start;
        for token in self.tokens {
            let part = matches!(token.kind, Kind::Word | Kind::Number | Kind::Sign("-"));
            if !part || token.span.start != end {
                break;
            }
            end = token.span.end;
            length += 1;
        }
        // `bound -#p` without its space.
        while length > 0 && self.tokens[length - 1].kind == Kind::Sign("-") {
            length -= 1;
        }
        length
    }

    fn question(&mut self) -> Result<Question, SyntaxError> {
        let length = self.run();
        if length == 0 {
            return Err(self.unexpected(A_QUESTION));
        }
        let span = self.peek().span.start..self.tokens[length - 1].span.end;
        let word = &self.text[span.clone()];
        (0..length).for_each(|_| self.advance());
        Ok(match word {
            "invariant" => Question::Invariant(self.predicate()?),
            "reachable" => Question::Reachable(self.predicate()?),
            "impossible" => Question::Unreachable(self.predicate()?),
            "not" if self.peek_text() == "reachable" => {
                self.advance();
                Question::Unreachable(self.predicate()?)
            }
            "not" => return Err(self.unexpected("`reachable`")),
            "deadlock-free" => Question::Unreachable(Predicate::Deadlock),
            "bound" => Question::Bound(self.expression()?),
            "safe" => match &self.peek().kind {
                Kind::Number => {
                    let (span, digits) = (self.peek().span.clone(), self.peek_text());
                    self.advance();
                    self.safe(digits, span)?
                }
                _ => Question::Safe(1),
            },
            "conservative" => Question::Conservative,
            "quasi-live" => Question::QuasiLive,
            "dead" => Question::Dead(self.transition("dead")?),
            "fireable" => Question::Reachable(Predicate::Enabled(self.transition("fireable")?)),
            "stable" => Question::Stable(self.place("stable")?),
            "some-stable" => Question::SomeStable,
            "home" => Question::Home(self.predicate()?),
            "reversible" => Question::Home(Predicate::Initial),
            "live" if self.at_separator() => Question::Live,
            "live" => Question::Home(Predicate::Enabled(self.transition("live")?)),
            "ctl" => Question::Ctl(self.branching()?),
            "ltl" => Question::Ltl(self.linear()?),
            _ => {
                if let Some(k) = word.strip_suffix("-safe").filter(|k| k.bytes().all(|b| b.is_ascii_digit()))
                {
                    return self.safe(k, span);
                }
                let error = self.error(span, format!("'{word}' is no question"));
                return Err(error
                    .expected(A_QUESTION)
                    .suggest(nearest(word, QUESTIONS.into_iter().chain([SEPARATOR]))));
            }
        })
    }

    fn safe(&self, digits: &str, span: Range<usize>) -> Result<Question, SyntaxError> {
        let number = digits.parse().map(Question::Safe);
        number.map_err(|_| self.error(span, "a place holds at most 2^64 - 1 tokens"))
    }

    pub(super) fn predicate(&mut self) -> Result<Predicate, SyntaxError> {
        let operand = self.formula()?;
        // `#p % 2 = 0`: it is not the number that is wrong, but what stops it from becoming a comparison.
        if matches!(operand.0, Value::Number(_)) && !self.at_separator() {
            return Err(self.unexpected("a comparison, such as #p <= 1"));
        }
        let span = operand.1.clone();
        match self.truth(operand, "")? {
            Formula::Atom(predicate) => Ok(predicate),
            // Temporal operators are read in temporal formulas only.
            _ => Err(self.error(span, "this is about paths, not a predicate")),
        }
    }

    pub(super) fn expression(&mut self) -> Result<Expression, SyntaxError> {
        let operand = self.formula()?;
        self.number(operand, "")
    }

    pub(super) fn at_separator(&self) -> bool {
        self.peek().kind == Kind::End || self.peek_text() == ";" || self.peek_text() == SEPARATOR
    }

    fn separator(&mut self) -> Result<(), SyntaxError> {
        let titled = self.tokens.get(self.run().max(1)).is_some_and(|t| t.kind == Kind::Sign(":"));
        match titled {
            _ if self.at_separator() => Ok(()),
            true => Err(self.unexpected("`;` or `property` before the name of the next property")),
            false => Err(self.unexpected("an operator, `;` or the next `property`")),
        }
    }
}
