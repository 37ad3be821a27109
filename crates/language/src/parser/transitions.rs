//! Transitions and their clauses.

use super::recovery::CLAUSES;
use super::{Parsed, Parser};
use crate::ast::{ArcKind, Clause, ClauseKind, Transition};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::nearest::nearest;

/// What can stand where a clause should.
const A_CLAUSE: &str = "`in`, `out`, `read`, `inhibit`, `reset`, `let`, `when`, `priority` or `delay`";

impl Parser<'_> {
    /// A transition, after `transition`.
    pub(super) fn transition(&mut self) -> Parsed<Transition> {
        let name = self.name("the transition's name")?;
        let variables = match self.eat("(") {
            true => self.list(")", |parser| parser.variable("a variable's name"))?,
            false => Vec::new(),
        };
        let open = self.peek().span.clone();
        let expected =
            if variables.is_empty() { "`(` and variables, or `{` and clauses" } else { "`{` and clauses" };
        self.expect("{", expected)?;
        let mut clauses = Vec::new();
        loop {
            while self.eat(";") {}
            if self.gives_up() || self.eat("}") {
                break;
            }
            if self.at_boundary() {
                let error = Diagnostic::error(
                    name.span.clone(),
                    format!("the transition '{}' is not closed", name.text),
                );
                self.report(error.expected("`}` after its last clause").note(open, "it is open since here"));
                break;
            }
            self.surface();
            let (start, reported) = (self.at, self.errors.len());
            match self.clause() {
                Ok(clause) => {
                    clauses.push(clause);
                    if self.errors.len() == reported && !self.clause_ends() {
                        let error = self.stray_in_clause();
                        self.report(*error);
                        self.skip_clause(start);
                    }
                }
                Err(error) => {
                    self.report(*error);
                    self.skip_clause(start);
                }
            }
        }
        Ok(Transition { name, variables, clauses })
    }

    fn clause_ends(&self) -> bool {
        self.at_boundary() || self.sees("}") || CLAUSES.contains(&self.lexeme())
    }

    /// What stands behind a clause.
    fn stray_in_clause(&self) -> Box<Diagnostic> {
        let token = self.peek();
        if token.first && matches!(token.kind, Kind::Word | Kind::Quoted(_)) {
            return self.no_clause();
        }
        let mut error = self.unexpected("an operator, the next clause or `}`");
        if token.kind == Kind::Word {
            error.suggestions = nearest(self.written(token), ["and", "or", "xor", "mod", "is", "with"]);
        }
        error
    }

    /// A word that starts no clause.
    fn no_clause(&self) -> Box<Diagnostic> {
        let token = self.peek();
        let word = self.written(token);
        let error = Diagnostic::error(token.span.clone(), format!("'{word}' starts no clause"));
        Box::new(error.expected(A_CLAUSE).suggest(nearest(word, CLAUSES)))
    }

    fn clause(&mut self) -> Parsed<Clause> {
        let (start, first) = (self.at, self.peek().span.start);
        let lexeme = self.lexeme();
        if !CLAUSES.contains(&lexeme) {
            return Err(match self.peek().kind {
                Kind::Wrong(_) => self.unexpected(A_CLAUSE),
                _ => self.no_clause(),
            });
        }
        self.advance();
        let kind = match lexeme {
            "in" => self.arc(ArcKind::In, start)?,
            "out" => self.arc(ArcKind::Out, start)?,
            "read" => self.arc(ArcKind::Read, start)?,
            "inhibit" => {
                let place = self.name("a place after `inhibit`")?;
                let tokens = if self.eat(":") { Some(self.clause_expression(start)) } else { None };
                ClauseKind::Inhibit { place, tokens }
            }
            "reset" => ClauseKind::Reset(self.name("a place after `reset`")?),
            "let" => {
                let name = self.name("a name after `let`")?;
                self.expect("=", "`=` and a value")?;
                ClauseKind::Let { name, value: self.clause_expression(start) }
            }
            "when" => ClauseKind::When(self.clause_expression(start)),
            "priority" => ClauseKind::Priority(self.clause_expression(start)),
            _ => ClauseKind::Delay(self.clause_expression(start)),
        };
        Ok(Clause { kind, span: self.since(first) })
    }

    /// `in p: M`
    fn arc(&mut self, kind: ArcKind, start: usize) -> Parsed<ClauseKind> {
        let place = self.name("a place")?;
        self.expect(":", "`:` and tokens")?;
        Ok(ClauseKind::Arc { kind, place, tokens: self.clause_expression(start) })
    }
}
