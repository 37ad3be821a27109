//! Temporal formulas.
//!
//! `X`, `F`, `G`, `U`, `W`, `R`, `A`, `E` and the pairs such as `AG` are ordinary names elsewhere. Here they
//! are operators where an operator can stand; in quotes they are always names.

use super::{Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, Modal, Path, Temporal, TemporalKind, Unary, Until};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};
use crate::operators::{AND, COMPARISON, LOOSEST, Level, UNTIL, infix, is_not, level};

/// What a word is that stands before a formula.
enum Before {
    Modal(Option<Path>, Modal),
    Path(Path),
}

/// Whether a name has to be in quotes in a temporal formula.
pub(crate) fn is_temporal_word(word: &str) -> bool {
    let pair = word.len() == 2
        && word.is_ascii()
        && Path::of(&word[..1]).is_some()
        && Modal::of(&word[1..]).is_some();
    pair || Path::of(word).is_some() || Modal::of(word).is_some() || Until::of(word).is_some()
}

/// Whether a formula can begin so, after an operator. What could as well continue an expression does not
/// count.
fn begins(token: &Token) -> bool {
    let lexeme = token.kind.lexeme();
    matches!(token.kind, Kind::Word | Kind::Quoted(_) | Kind::Integer)
        || is_not(lexeme)
        || matches!(
            lexeme,
            "(" | "#"
                | "true"
                | "false"
                | "if"
                | "let"
                | "forall"
                | "exists"
                | "sum"
                | "all"
                | "set"
                | "it"
                | "max"
        )
}

/// Whether an operand can end so.
fn ends(token: &Token) -> bool {
    matches!(token.kind, Kind::Word | Kind::Quoted(_) | Kind::Integer)
        || matches!(token.kind.lexeme(), ")" | "]" | "}" | "true" | "false" | "it" | "unit" | "bool")
}

impl Parser<'_> {
    /// A temporal formula.
    pub(super) fn temporal(&mut self) -> Parsed<Temporal> {
        self.connectives(LOOSEST)
    }

    fn connectives(&mut self, minimum: Level) -> Parsed<Temporal> {
        self.nested(|parser| parser.chain(|parser| parser.climb_connectives(minimum)))
    }

    fn climb_connectives(&mut self, minimum: Level) -> Parsed<Temporal> {
        let mut left = self.operand()?;
        loop {
            let operator =
                infix(self.lexeme()).filter(|operator| (minimum..=AND).contains(&level(*operator)));
            if let Some(operator) = operator {
                self.advance();
                let tighter = Level::from(operator != Binary::Implies);
                let right = self.connectives(level(operator) + tighter)?;
                left = binary(operator, left, right);
            } else if let Some(operator) = self.infix_word().filter(|_| minimum <= UNTIL) {
                self.advance();
                let right = self.connectives(UNTIL)?;
                let span = left.span.start..right.span.end;
                let kind = TemporalKind::Until(None, operator, Box::new(left), Box::new(right));
                left = Temporal { kind, span };
            } else {
                return Ok(left);
            }
            self.link()?;
        }
    }

    /// `U`, `W` or `R`, if it is next.
    fn infix_word(&self) -> Option<Until> {
        let token = self.peek();
        Until::of(self.written(token)).filter(|_| token.kind == Kind::Word)
    }

    fn operand(&mut self) -> Parsed<Temporal> {
        let start = self.peek().span.start;
        if is_not(self.lexeme()) {
            self.advance();
            let operand = self.nested(Self::operand)?;
            return Ok(negation(operand, self.since(start)));
        }
        match self.before(self.at) {
            Some((Before::Modal(path, modal), words)) => {
                self.at += words;
                let operand = self.nested(Self::operand)?;
                let kind = TemporalKind::Unary(path, modal, Box::new(operand));
                Ok(Temporal { kind, span: self.since(start) })
            }
            Some((Before::Path(path), words)) => {
                self.at += words;
                let inner = self.group()?;
                let span = self.since(start);
                Ok(Temporal { kind: self.quantify(path, inner)?, span })
            }
            None if self.sees("(") && self.temporal_inside() => {
                let inner = self.group()?;
                Ok(Temporal { span: self.since(start), ..inner })
            }
            None => {
                let state: Expr = self.operators(COMPARISON)?;
                Ok(Temporal { span: state.span.clone(), kind: TemporalKind::State(state) })
            }
        }
    }

    /// `( … )` or `[ … ]`
    fn group(&mut self) -> Parsed<Temporal> {
        let open = self.peek().span.clone();
        let closing = if self.sees("[") { "]" } else { ")" };
        self.advance();
        let inner = self.temporal()?;
        self.close(closing, &open, &format!("an operator or `{closing}`"))?;
        Ok(inner)
    }

    /// `A (p U q)`, `E (G p)`
    fn quantify(&self, path: Path, inner: Temporal) -> Parsed<TemporalKind> {
        match inner.kind {
            TemporalKind::Unary(None, modal, operand) => Ok(TemporalKind::Unary(Some(path), modal, operand)),
            TemporalKind::Until(None, until, left, right) => {
                Ok(TemporalKind::Until(Some(path), until, left, right))
            }
            _ => {
                let letter = if path == Path::All { "A" } else { "E" };
                let message = format!("`{letter}` wants a formula about paths");
                let error = Diagnostic::error(inner.span, message);
                Err(Box::new(error.expected(format!("`{letter} (p U q)`, or `X`, `F` or `G` first"))))
            }
        }
    }

    /// The operator before a formula that stands at this token, and how many words it has.
    fn before(&self, at: usize) -> Option<(Before, usize)> {
        let token = |distance: usize| &self.tokens[(at + distance).min(self.tokens.len() - 1)];
        let word = |distance: usize| match token(distance).kind {
            Kind::Word => self.written(token(distance)),
            _ => "",
        };
        let first = word(0);
        if let Some(modal) = Modal::of(first) {
            return begins(token(1)).then_some((Before::Modal(None, modal), 1));
        }
        let quantifier = Path::of(first.get(..1)?)?;
        if let Some(modal) = Modal::of(&first[1..]) {
            // Hardly a name, even where its operand is missing.
            let missing = token(1).kind == Kind::End || matches!(token(1).kind.lexeme(), ";" | ")" | "]");
            let operator = missing || token(1).first || begins(token(1));
            return operator.then_some((Before::Modal(Some(quantifier), modal), 1));
        }
        match (first.len(), Modal::of(word(1))) {
            (1, Some(modal)) if begins(token(2)) => Some((Before::Modal(Some(quantifier), modal), 2)),
            (1, _) if matches!(token(1).kind.lexeme(), "(" | "[") => Some((Before::Path(quantifier), 1)),
            _ => None,
        }
    }

    /// Whether there is a temporal operator in the parentheses that are next.
    fn temporal_inside(&self) -> bool {
        let Some(closing) = self.closing() else {
            return false;
        };
        (self.at + 1..closing).any(|at| {
            let (token, before) = (&self.tokens[at], &self.tokens[at - 1]);
            if token.kind != Kind::Word {
                return false;
            }
            if ends(before) {
                return Until::of(self.written(token)).is_some() && begins(&self.tokens[at + 1]);
            }
            !matches!(before.kind.lexeme(), "#" | "." | "'" | "in" | "all" | "of")
                && self.before(at).is_some()
        })
    }
}

/// Connectives between predicates are part of the predicate.
fn binary(operator: Binary, left: Temporal, right: Temporal) -> Temporal {
    let span = left.span.start..right.span.end;
    let kind = match (left.kind, right.kind) {
        (TemporalKind::State(left), TemporalKind::State(right)) => {
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            TemporalKind::State(Expr { kind, span: span.clone() })
        }
        (a, b) => {
            let (a, b) = (Temporal { kind: a, span: left.span }, Temporal { kind: b, span: right.span });
            TemporalKind::Binary(operator, Box::new(a), Box::new(b))
        }
    };
    Temporal { kind, span }
}

fn negation(operand: Temporal, span: crate::ast::Span) -> Temporal {
    let kind = match operand.kind {
        TemporalKind::State(state) => {
            let kind = ExprKind::Unary(Unary::Not, Box::new(state));
            TemporalKind::State(Expr { kind, span: span.clone() })
        }
        kind => TemporalKind::Not(Box::new(Temporal { kind, span: operand.span })),
    };
    Temporal { kind, span }
}
