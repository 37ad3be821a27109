//! Operators.

use super::{Parsed, Parser};
use crate::ast::{Binary, Expr, ExprKind, Unary};
use crate::operators::{COMPARISON, IS, LOOSEST, Level, NEGATE, NOT, TIMES, infix, is_not, level};

impl Parser<'_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.operators(LOOSEST)
    }

    /// An expression whose outermost operators bind at least so tightly.
    pub(super) fn operators(&mut self, minimum: Level) -> Parsed<Expr> {
        self.nested(|parser| parser.chain(|parser| parser.climb(minimum)))
    }

    fn climb(&mut self, minimum: Level) -> Parsed<Expr> {
        let start = self.peek().span.start;
        let (mut left, mut inner) = self.comparisons(Self::prefix)?;
        loop {
            let lexeme = self.lexeme();
            let kind = match (lexeme, infix(lexeme)) {
                ("is", _) if minimum <= IS => {
                    self.advance();
                    ExprKind::Is(Box::new(left), self.name("a variant's name after `is`")?)
                }
                ("'", _) if minimum <= TIMES => {
                    self.advance();
                    let right = self.operators(TIMES)?;
                    ExprKind::Times(Box::new(left), Box::new(right))
                }
                (_, Some(operator)) if minimum <= level(operator) => {
                    let level = level(operator);
                    if level == COMPARISON {
                        left = self.compare(left, inner)?;
                        self.link()?;
                        continue;
                    }
                    self.advance();
                    // Only `->` groups to the right.
                    let tighter = Level::from(operator != Binary::Implies);
                    let (right, deeper) = self.comparisons(|parser| parser.operators(level + tighter))?;
                    inner = inner.max(deeper);
                    ExprKind::Binary(operator, Box::new(left), Box::new(right))
                }
                _ => return Ok(left),
            };
            self.link()?;
            left = Expr { kind, span: self.since(start) };
        }
    }

    /// Comparisons after their first operand: `a < b <= c` is `a < b and b <= c`.
    fn compare(&mut self, first: Expr, mut inner: usize) -> Parsed<Expr> {
        let (mut conjunction, mut left, mut links) = (None, first, 0);
        while let Some(operator) = infix(self.lexeme()).filter(|operator| level(*operator) == COMPARISON) {
            self.advance();
            let (right, deeper) = self.comparisons(|parser| parser.operators(COMPARISON + 1))?;
            inner = inner.max(deeper);
            let (start, end) = (left.span.start, right.span.end);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right.clone()));
            let comparison = Expr { kind, span: start..end };
            conjunction = Some(match conjunction {
                None => comparison,
                Some(before) => {
                    let before: Expr = before;
                    let span = before.span.start..end;
                    Expr { kind: ExprKind::Binary(Binary::And, Box::new(before), Box::new(comparison)), span }
                }
            });
            left = right;
            links += 1;
            if links > 1 {
                self.comparison_chain(inner)?;
                self.link()?;
            }
        }
        Ok(conjunction.unwrap_or(left))
    }

    /// Operators before their operand.
    fn prefix(&mut self) -> Parsed<Expr> {
        let start = self.peek().span.start;
        let kind = match self.lexeme() {
            lexeme if is_not(lexeme) => {
                self.advance();
                ExprKind::Unary(Unary::Not, Box::new(self.operators(NOT)?))
            }
            "-" => {
                self.advance();
                if self.smallest_integer() {
                    self.advance();
                    ExprKind::Integer(i64::MIN)
                } else {
                    ExprKind::Unary(Unary::Negate, Box::new(self.operators(NEGATE)?))
                }
            }
            _ => return self.count(),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `#p`
    fn count(&mut self) -> Parsed<Expr> {
        let start = self.peek().span.start;
        if !self.eat("#") {
            return self.postfix();
        }
        let counted = self.nested(Self::count)?;
        Ok(Expr { kind: ExprKind::Count(Box::new(counted)), span: self.since(start) })
    }
}
