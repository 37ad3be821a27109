//! Properties: what stands around the formulas.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, Name, Property, Question, Span};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::nearest::nearest;

/// The words a question can begin with, to suggest.
pub const QUESTIONS: [&str; 18] = [
    "invariant",
    "reachable",
    "not reachable",
    "impossible",
    "deadlock-free",
    "bound",
    "safe",
    "conservative",
    "quasi-live",
    "dead",
    "fireable",
    "stable",
    "some-stable",
    "home",
    "reversible",
    "live",
    "ctl",
    "ltl",
];

/// What is expected where a question should be.
pub const A_QUESTION: &str = "a question, such as `invariant #p <= 1` or `deadlock-free`";

impl Parser<'_> {
    /// The property of a command line: `property name:` may be missing, or its first word.
    pub(super) fn only_property(mut self) -> Parsed<Property> {
        let property = self.property()?;
        self.eat(";");
        match self.peek().kind {
            Kind::End => Ok(property),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    /// The properties of a file that has nothing else.
    pub(super) fn properties(&mut self) -> Vec<Property> {
        let mut properties = Vec::new();
        loop {
            while self.eat(";") {}
            if self.peek().kind == Kind::End || self.gives_up() {
                return properties;
            }
            self.surface();
            let start = self.at;
            match self.property() {
                Ok(property) => {
                    properties.push(property);
                    if !self.at_boundary() {
                        let error = self.unexpected("an operator, `;` or the next property");
                        self.report(*error);
                        self.skip_property(start);
                    }
                }
                Err(error) => {
                    self.report(*error);
                    self.skip_property(start);
                }
            }
        }
    }

    /// A question, after `property` and a name if it has them.
    fn property(&mut self) -> Parsed<Property> {
        match self.eat("property") {
            true => self.named_property(),
            false => {
                let name = self.title();
                self.asked(name)
            }
        }
    }

    /// A property of a file, after `property`.
    pub(super) fn named_property(&mut self) -> Parsed<Property> {
        if let Some(name) = self.title() {
            return self.asked(Some(name));
        }
        let words = if matches!(self.peek().kind, Kind::Quoted(_)) { 1 } else { self.run().0 };
        if words == 0 || self.at_boundary() {
            return Err(self.unexpected("a name and a colon: `property name: …`"));
        }
        self.at += words;
        Err(self.unexpected("`:` and a question after the property's name"))
    }

    fn asked(&mut self, name: Option<Name>) -> Parsed<Property> {
        let start = self.peek().span.start;
        let question = self.question()?;
        Ok(Property { name, question, span: self.since(start) })
    }

    /// The property's name, if there is one with a colon behind it. It may contain `-`, as the names of the
    /// contest do.
    fn title(&mut self) -> Option<Name> {
        let span = self.peek().span.clone();
        let (text, span, length) = match &self.peek().kind {
            Kind::Quoted(name) => (name.clone(), span, 1),
            _ => {
                let (length, span) = self.run();
                (self.text[span.clone()].to_owned(), span, length)
            }
        };
        if length == 0 || self.peek_at(length).kind.lexeme() != ":" {
            return None;
        }
        self.at += length + 1;
        Some(Name { text, span })
    }

    /// How many tokens from here make a word with hyphens, such as `quasi-live` or `3-safe`, and where it
    /// stands.
    fn run(&self) -> (usize, Span) {
        let start = self.peek().span.start;
        let (mut length, mut end, mut word) = (0, start, start);
        for (at, token) in self.tokens[self.at..].iter().enumerate() {
            let hyphen = token.kind.lexeme() == "-";
            let part = matches!(token.kind, Kind::Word | Kind::Keyword(_) | Kind::Integer);
            if token.span.start != end || !(part || hyphen && at > 0) {
                break;
            }
            end = token.span.end;
            // A word does not end in a hyphen: `bound -#p` without its space.
            if part {
                (length, word) = (at + 1, end);
            }
        }
        (length, start..word)
    }

    fn question(&mut self) -> Parsed<Question> {
        let (length, span) = self.run();
        if length == 0 || self.at_boundary() {
            return Err(self.unexpected(A_QUESTION));
        }
        let word = &self.text[span.clone()];
        self.at += length;
        Ok(match word {
            "invariant" => Question::Invariant(self.expression()?),
            "reachable" => Question::Reachable(self.expression()?),
            "impossible" => Question::Unreachable(self.expression()?),
            "not" => {
                if self.written(self.peek()) != "reachable" {
                    return Err(self.unexpected("`reachable`"));
                }
                self.advance();
                Question::Unreachable(self.expression()?)
            }
            "deadlock-free" => {
                let name = Name { text: "deadlock".into(), span: span.clone() };
                Question::Unreachable(Expr { kind: ExprKind::Name(name), span })
            }
            "bound" => Question::Bound(self.expression()?),
            "safe" => match self.peek().kind {
                Kind::Integer => {
                    let token = self.peek().clone();
                    self.advance();
                    safe(self.written(&token), token.span)?
                }
                _ => Question::Safe(1),
            },
            "conservative" => Question::Conservative,
            "quasi-live" => Question::QuasiLive,
            "dead" => Question::Dead(self.name("a transition after `dead`")?),
            "fireable" => Question::Fireable(self.name("a transition after `fireable`")?),
            "stable" => Question::Stable(self.name("a place after `stable`")?),
            "some-stable" => Question::SomeStable,
            "home" => Question::Home(self.expression()?),
            "reversible" => Question::Reversible,
            "live" if self.at_boundary() => Question::AllLive,
            "live" => Question::Live(self.name("a transition after `live`")?),
            "ctl" => Question::Ctl(self.temporal()?),
            "ltl" => Question::Ltl(self.temporal()?),
            _ => {
                if let Some(bound) = word.strip_suffix("-safe").filter(|bound| digits(bound)) {
                    return safe(bound, span);
                }
                let error = Diagnostic::error(span, format!("'{word}' is no question"));
                return Err(Box::new(error.expected(A_QUESTION).suggest(nearest(word, QUESTIONS))));
            }
        })
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'_')
}

/// `safe 3`, `3-safe`
fn safe(digits: &str, span: Span) -> Parsed<Question> {
    let bound = digits.replace('_', "").parse();
    bound.map(Question::Safe).map_err(|_| {
        let expected = format!("at most {}", u64::MAX);
        Box::new(Diagnostic::error(span, "this bound is too large").expected(expected))
    })
}
