//! Where reading goes on after an error.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token};

/// More errors than this help nobody.
pub(super) const MAX_ERRORS: usize = 100;

/// The words that start an item.
pub(super) const ITEMS: [&str; 8] =
    ["net", "param", "type", "place", "fn", "transition", "progress", "property"];

/// The words that start a clause.
pub(super) const CLAUSES: [&str; 9] =
    ["in", "out", "read", "inhibit", "reset", "let", "when", "priority", "delay"];

/// Whether this is one of [`ITEMS`].
pub(super) fn starts_item(token: &Token) -> bool {
    ITEMS.contains(&token.kind.lexeme())
}

impl Parser<'_> {
    /// Whether what is being read must have ended before the next token.
    pub(super) fn at_boundary(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::End || token.kind.lexeme() == ";" || starts_item(token)
    }

    /// Whether the next token starts a line as only a clause or the end of a transition does.
    pub(super) fn at_clause(&self) -> bool {
        let lexeme = self.lexeme();
        self.peek().first && self.at > 0 && (CLAUSES.contains(&lexeme) || lexeme == "}")
    }

    /// Whether enough was reported.
    pub(super) fn gives_up(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    pub(super) fn report(&mut self, error: Diagnostic) {
        if !self.gives_up() {
            self.errors.push(error);
        }
    }

    /// Goes to the next item that starts a line or follows a `;`, or to the end.
    pub(super) fn skip_item(&mut self) {
        self.surface();
        while self.peek().kind != Kind::End && !(self.separate(self.at) && starts_item(self.peek())) {
            self.advance();
        }
    }

    /// Whether this token starts a line or follows a `;`.
    fn separate(&self, at: usize) -> bool {
        self.tokens[at].first || at > 0 && self.tokens[at - 1].kind.lexeme() == ";"
    }

    /// Goes to the next clause that starts a line or follows a `;`, to the brace that closes the transition,
    /// or to the next item. `start` is the first token of the clause that is wrong; braces are counted from
    /// there.
    pub(super) fn skip_clause(&mut self, start: usize) {
        self.surface();
        let wrong = self.at.max(start + 1);
        let (mut at, mut open) = (start, 0usize);
        while self.tokens[at].kind != Kind::End {
            let token = &self.tokens[at];
            if at >= wrong {
                let clause = self.separate(at) && CLAUSES.contains(&token.kind.lexeme());
                if clause || token.first && starts_item(token) || token.kind.lexeme() == "}" && open == 0 {
                    break;
                }
            }
            match token.kind.lexeme() {
                "{" => open += 1,
                "}" => open = open.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
        self.at = at;
    }

    /// Goes to the next property of a file of properties: to `;` or `property`.
    pub(super) fn skip_property(&mut self, start: usize) {
        self.surface();
        self.at = self.at.max(start + 1).min(self.tokens.len() - 1);
        while !self.at_boundary() {
            self.advance();
        }
    }

    /// An expression of an item. If it is broken, this says so and goes on after the item, so that what the
    /// item declares is known all the same.
    pub(super) fn item_expression(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Expr {
        let start = self.peek().span.start;
        read(self).unwrap_or_else(|error| {
            self.report(*error);
            self.skip_item();
            Expr { kind: ExprKind::Broken, span: self.since(start) }
        })
    }

    /// A type of an item, likewise. A broken type is a range of broken expressions.
    pub(super) fn item_type(&mut self, read: impl FnOnce(&mut Self) -> Parsed<TypeExpr>) -> TypeExpr {
        let start = self.peek().span.start;
        read(self).unwrap_or_else(|error| {
            self.report(*error);
            self.skip_item();
            let span = self.since(start);
            let broken = || Box::new(Expr { kind: ExprKind::Broken, span: span.clone() });
            TypeExpr { kind: TypeKind::Range(broken(), broken()), span: span.clone() }
        })
    }

    /// An expression of a clause, likewise.
    pub(super) fn clause_expression(&mut self, clause: usize) -> Expr {
        let start = self.peek().span.start;
        self.expression().unwrap_or_else(|error| {
            self.report(*error);
            self.skip_clause(clause);
            Expr { kind: ExprKind::Broken, span: self.since(start) }
        })
    }
}
