//! Several expressions and how they are compared, for measures of progress.

use sweepnet_space::progress::Order;

use super::error::SyntaxError;
use super::reader::Reader;
use super::token::{Kind, Token};
use crate::expression::Expression;

impl Reader<'_> {
    /// `e`, `(e1, e2)`, `e1, e2`, `e1; e2`, `vector(e1, e2)`
    pub(super) fn measure(&mut self) -> Result<(Vec<Expression>, Order), SyntaxError> {
        if self.peek_text() == "vector" && self.follows("(") {
            self.advance();
            return Ok((self.list(Self::expression)?, Order::Componentwise));
        }
        if self.peek_text() == "(" && self.is_tuple() {
            return Ok((self.list(Self::expression)?, Order::Lexicographic));
        }
        let mut parts = vec![self.expression()?];
        while matches!(self.peek_text(), "," | ";") && !self.is_last() {
            self.advance();
            parts.push(self.expression()?);
        }
        Ok((parts, Order::Lexicographic))
    }

    fn follows(&self, sign: &str) -> bool {
        self.tokens.get(1).is_some_and(|token| &self.text[token.span.clone()] == sign)
    }

    /// Whether nothing comes behind the next token.
    fn is_last(&self) -> bool {
        self.tokens.get(1).is_none_or(|token| token.kind == Kind::End)
    }

    /// Whether the parenthesis that opens here has a comma of its own.
    fn is_tuple(&self) -> bool {
        let mut depth = 0_usize;
        // In `#(p, q)` the comma belongs to `#`, and it is one level deeper.
        for Token { kind, .. } in self.tokens {
            match kind {
                Kind::Sign("(") => depth += 1,
                Kind::Sign(")") => depth = depth.saturating_sub(1),
                Kind::Sign(",") if depth == 1 => return true,
                _ => {}
            }
            if depth == 0 {
                return false;
            }
        }
        false
    }
}
