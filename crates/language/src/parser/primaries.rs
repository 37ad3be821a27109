//! Expressions without operators, and what can stand behind them.

use super::types::Mode;
use super::{Parsed, Parser};
use crate::ast::{Argument, Binder, Comprehension, Expr, ExprKind, Name, Quantifier, Span};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;

/// The magnitude of the smallest integer, which is no integer without its sign.
const SMALLEST: &str = "9223372036854775808";

/// What braces or brackets contain.
enum Contents {
    Values(Vec<Expr>),
    Comprehension(Comprehension),
}

impl Parser<'_> {
    /// `e.field`, `a[i]`, `r with { field: v }`, `a with [i: v]`
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek().span.start;
        let mut left = self.primary()?;
        loop {
            let kind = match self.lexeme() {
                "." => {
                    self.advance();
                    ExprKind::Field(Box::new(left), self.field()?)
                }
                "[" => {
                    let open = self.peek().span.clone();
                    self.advance();
                    let index = self.expression()?;
                    self.close("]", &open, "`]`")?;
                    ExprKind::Index(Box::new(left), Box::new(index))
                }
                "with" => {
                    self.advance();
                    self.with(left)?
                }
                _ => return Ok(left),
            };
            self.link()?;
            left = Expr { kind, span: self.since(start) };
        }
    }

    /// A field's name, or its number in a tuple.
    fn field(&mut self) -> Parsed<Name> {
        let token = self.peek().clone();
        if token.kind != Kind::Integer {
            return self.name("a field after `.`");
        }
        self.advance();
        Ok(Name { text: self.written(&token).replace('_', ""), span: token.span })
    }

    fn with(&mut self, left: Expr) -> Parsed<ExprKind> {
        if self.eat("{") {
            return Ok(ExprKind::WithFields(Box::new(left), self.list("}", Self::record_field)?));
        }
        self.expect("[", "`{ field: value }` or `[index: value]` after `with`")?;
        let elements = self.list("]", |parser| {
            let index = parser.expression()?;
            parser.expect(":", "`:` and the new value")?;
            Ok((index, parser.expression()?))
        })?;
        Ok(ExprKind::WithElements(Box::new(left), elements))
    }

    fn record_field(&mut self) -> Parsed<(Name, Expr)> {
        let name = self.name("a field's name")?;
        self.expect(":", "`:` and the field's value")?;
        Ok((name, self.expression()?))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        let start = token.span.start;
        let kind = match (&token.kind, token.kind.lexeme()) {
            (Kind::Integer, _) => self.integer()?,
            (Kind::Word | Kind::Quoted(_), _) => self.name_or_call()?,
            (_, "max") if self.peek_at(1).kind.lexeme() == "(" => self.name_or_call()?,
            (_, "it") => {
                self.advance();
                ExprKind::Name(Name { text: "it".into(), span: token.span })
            }
            (_, truth @ ("true" | "false")) => {
                self.advance();
                ExprKind::Bool(truth == "true")
            }
            (_, "(") => return self.parentheses(),
            (_, "{") => self.braces()?,
            (_, "[") => {
                self.advance();
                match self.contents("]", &token.span)? {
                    Contents::Values(values) => ExprKind::Brackets(values),
                    Contents::Comprehension(all) => ExprKind::BracketComprehension(Box::new(all)),
                }
            }
            (_, "set") => self.set()?,
            (_, "all") => {
                self.advance();
                ExprKind::All(self.type_expression(Mode::Tight, "a type after `all`")?)
            }
            (_, "if") => self.conditional()?,
            (_, "let") => self.local()?,
            (_, "forall") => self.quantified(Quantifier::Forall)?,
            (_, "exists") => self.quantified(Quantifier::Exists)?,
            (_, "sum") => self.quantified(Quantifier::Sum)?,
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// Whether the smallest integer is next, without its sign.
    pub(super) fn smallest_integer(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Integer && self.written(token).replace('_', "") == SMALLEST
    }

    fn integer(&mut self) -> Parsed<ExprKind> {
        let token = self.peek().clone();
        self.advance();
        let digits = self.written(&token).replace('_', "");
        digits.parse().map(ExprKind::Integer).map_err(|_| {
            let expected = format!("at most {}", i64::MAX);
            Box::new(Diagnostic::error(token.span, "this integer is too large").expected(expected))
        })
    }

    /// `x`, `f(x)`, `enabled(t, s = 1)`
    fn name_or_call(&mut self) -> Parsed<ExprKind> {
        let token = self.peek().clone();
        let name = match token.kind {
            Kind::Keyword(word) => {
                self.advance();
                Name { text: word.into(), span: token.span }
            }
            _ => self.name("a name")?,
        };
        if !self.eat("(") {
            return Ok(ExprKind::Name(name));
        }
        let (binding, mut first) = (name.text == "enabled", true);
        let arguments = self.list(")", |parser| {
            let named = binding && !std::mem::take(&mut first) && parser.sees_name();
            let name = match parser.peek_at(1).kind.lexeme() {
                "=" | "==" if named => {
                    let name = parser.name("a variable")?;
                    parser.advance();
                    Some(name)
                }
                _ => None,
            };
            Ok(Argument { name, value: parser.expression()? })
        })?;
        Ok(ExprKind::Call(name, arguments))
    }

    /// `()`, `(a)`, `(a,)`, `(a, b)`
    fn parentheses(&mut self) -> Parsed<Expr> {
        let open = self.peek().span.clone();
        self.advance();
        let (mut values, mut comma) = (Vec::new(), true);
        while comma && !self.sees(")") {
            values.push(self.expression()?);
            comma = self.eat(",");
        }
        self.close(")", &open, "`,` or `)`")?;
        let span = self.since(open.start);
        match values.pop() {
            Some(only) if values.is_empty() && !comma => Ok(Expr { span, ..only }),
            last => {
                values.extend(last);
                Ok(Expr { kind: ExprKind::Tuple(values), span })
            }
        }
    }

    /// `{ a, b }`, `{ field: v }`, `{ e for x in T }`
    fn braces(&mut self) -> Parsed<ExprKind> {
        let open = self.peek().span.clone();
        self.advance();
        if self.sees_name() && self.peek_at(1).kind.lexeme() == ":" {
            return Ok(ExprKind::Record(self.list("}", Self::record_field)?));
        }
        Ok(match self.contents("}", &open)? {
            Contents::Values(values) => ExprKind::Braces(values),
            Contents::Comprehension(all) => ExprKind::Comprehension(Box::new(all)),
        })
    }

    /// What follows an opening brace or bracket.
    fn contents(&mut self, closing: &str, open: &Span) -> Parsed<Contents> {
        let (mut values, mut comma) = (Vec::new(), true);
        while comma && !self.sees(closing) {
            let value = self.expression()?;
            if values.is_empty() && self.eat("for") {
                let binders = self.binders()?;
                let condition = if self.eat("if") { Some(self.expression()?) } else { None };
                self.close(closing, open, &format!("`,`, `if` or `{closing}`"))?;
                return Ok(Contents::Comprehension(Comprehension { body: value, binders, condition }));
            }
            values.push(value);
            comma = self.eat(",");
        }
        self.close(closing, open, &format!("`,` or `{closing}`"))?;
        Ok(Contents::Values(values))
    }

    /// `set { a, b }`
    fn set(&mut self) -> Parsed<ExprKind> {
        self.advance();
        let start = self.peek().span.start;
        if !self.sees("{") {
            return Err(self.unexpected("`{` and the elements of the set"));
        }
        let kind = self.braces()?;
        let span = self.since(start);
        if matches!(kind, ExprKind::Record(_)) {
            let error = Diagnostic::error(span, "a set has elements, not fields");
            return Err(Box::new(error.expected("`set { a, b }`")));
        }
        Ok(ExprKind::Set(Box::new(Expr { kind, span })))
    }

    /// `x in T, y in U`
    fn binders(&mut self) -> Parsed<Vec<Binder>> {
        let mut binders = Vec::new();
        while binders.is_empty() || self.eat(",") {
            let variable = self.name("a variable")?;
            self.expect("in", "`in` and the variable's type")?;
            let domain = self.type_expression(Mode::Full, "the variable's type after `in`")?;
            binders.push(Binder { variable, domain });
        }
        Ok(binders)
    }

    /// `if c then a else b`
    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.advance();
        let condition = self.expression()?;
        self.expect("then", "`then`")?;
        let yes = self.expression()?;
        self.expect("else", "`else`")?;
        let no = self.expression()?;
        Ok(ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// `let x = e in body`
    fn local(&mut self) -> Parsed<ExprKind> {
        self.advance();
        let name = self.name("a name after `let`")?;
        self.expect("=", "`=` and a value")?;
        let value = self.expression()?;
        self.expect("in", "`in` and an expression that uses the value")?;
        let body = self.expression()?;
        Ok(ExprKind::Let(name, Box::new(value), Box::new(body)))
    }

    /// `forall x in T: c`; `forall x in T, y in U: c` is `forall x in T: forall y in U: c`.
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<ExprKind> {
        self.advance();
        let mut binders = self.binders()?;
        self.expect(":", "`:` and an expression")?;
        let outermost = binders.remove(0);
        let mut body = self.expression()?;
        for binder in binders.into_iter().rev() {
            self.link()?;
            let span = self.since(binder.variable.span.start);
            body = Expr { kind: ExprKind::Quantified(quantifier, Box::new(binder), Box::new(body)), span };
        }
        Ok(ExprKind::Quantified(quantifier, Box::new(outermost), Box::new(body)))
    }
}
