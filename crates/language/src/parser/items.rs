//! Declarations.

use super::recovery::ITEMS;
use super::types::Mode;
use super::{Parsed, Parser};
use crate::ast::{Argument, Expr, ExprKind, File, Item, ItemKind, Name, Progress, Variable};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::nearest::nearest;

/// Words between operands, to suggest.
const INFIX: [&str; 7] = ["and", "or", "xor", "mod", "is", "with", "where"];

/// Words behind a place's type, to suggest.
const PLACE: [&str; 3] = ["capacity", "derived", "timed"];

/// What several integers are called that are all compared.
const VECTOR: &str = "vector";

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut items = Vec::new();
        loop {
            while self.eat(";") {}
            if self.peek().kind == Kind::End || self.gives_up() {
                return File { items };
            }
            self.surface();
            let (start, reported) = (self.at, self.errors.len());
            match self.item() {
                Ok(item) => {
                    items.push(item);
                    if self.errors.len() == reported && !self.at_boundary() {
                        let error = self.stray();
                        self.report(*error);
                        self.skip_item();
                    }
                }
                Err(error) => {
                    self.report(*error);
                    self.at = self.at.max(start + 1).min(self.tokens.len() - 1);
                    self.skip_item();
                }
            }
        }
    }

    /// What stands behind an item, or where one should.
    fn stray(&self) -> Box<Diagnostic> {
        let token = self.peek();
        let word = self.written(token);
        if matches!(token.kind, Kind::Wrong(_)) || token.kind.lexeme() != "" || token.kind == Kind::Integer {
            return self.unexpected("an operator or the next declaration");
        }
        if !token.first {
            let item = self.tokens[..self.at].iter().rev().find(|token| ITEMS.contains(&token.kind.lexeme()));
            let place = item.is_some_and(|item| item.kind.lexeme() == "place");
            let words = INFIX.into_iter().chain(PLACE.into_iter().filter(|_| place));
            let mut error = self.unexpected("an operator or the next declaration");
            error.suggestions = nearest(word, words);
            return error;
        }
        let error = Diagnostic::error(token.span.clone(), format!("'{word}' starts no declaration"));
        let expected = "`param`, `type`, `place`, `fn`, `transition`, `progress` or `property`";
        Box::new(error.expected(expected).suggest(nearest(word, ITEMS)))
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.peek().span.start;
        let lexeme = self.lexeme();
        if !ITEMS.contains(&lexeme) {
            return Err(match self.peek().kind {
                Kind::Word | Kind::Quoted(_) => self.stray(),
                _ => {
                    self.unexpected("`param`, `type`, `place`, `fn`, `transition`, `progress` or `property`")
                }
            });
        }
        self.advance();
        let kind = match lexeme {
            "net" => ItemKind::Net(self.name("the net's name")?),
            "param" => self.param()?,
            "type" => self.type_declaration()?,
            "fn" => self.function()?,
            "place" => ItemKind::Place(self.place()?),
            "transition" => ItemKind::Transition(self.transition()?),
            "progress" => {
                let expression = self.item_expression(Self::expression);
                ItemKind::Progress(progress(expression))
            }
            _ => ItemKind::Property(self.named_property()?),
        };
        Ok(Item { kind, span: self.since(start) })
    }

    fn param(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the parameter's name")?;
        self.expect("=", "`=` and the parameter's value")?;
        Ok(ItemKind::Param { name, value: self.item_expression(Self::expression) })
    }

    fn type_declaration(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the type's name")?;
        self.expect("=", "`=` and a type")?;
        let definition = self.item_type(|parser| parser.type_expression(Mode::Full, "a type after `=`"));
        Ok(ItemKind::Type { name, definition })
    }

    fn function(&mut self) -> Parsed<ItemKind> {
        let name = self.name("the function's name")?;
        self.expect("(", "`(` and the function's parameters")?;
        let parameters = self.list(")", |parser| parser.variable("a parameter's name"))?;
        let result = match self.eat(":") {
            true => Some(self.type_without_where("the result's type after `:`")?),
            false => None,
        };
        self.expect("=", "`=` and the function's value")?;
        Ok(ItemKind::Function { name, parameters, result, body: self.item_expression(Self::expression) })
    }

    /// `x`, `x: T`
    pub(super) fn variable(&mut self, expected: &str) -> Parsed<Variable> {
        let name = self.name(expected)?;
        let type_ = match self.eat(":") {
            true => Some(self.type_expression(Mode::Full, "a type after `:`")?),
            false => None,
        };
        Ok(Variable { name, type_ })
    }

    /// A measure of progress by itself: `e`, `e1, e2`, `e1; e2` or as in a file.
    pub(super) fn only_progress(&mut self) -> Parsed<Progress> {
        let mut parts = vec![self.expression()?];
        while self.eat(",") || self.eat(";") {
            if self.peek().kind == Kind::End {
                break;
            }
            parts.push(self.expression()?);
        }
        if self.peek().kind != Kind::End {
            return Err(self.unexpected("an operator, `,` or the end"));
        }
        Ok(match parts.len() {
            1 => progress(parts.remove(0)),
            _ => Progress { parts, componentwise: false },
        })
    }
}

/// `e`, `(e1, e2)`, `vector(e1, e2)`
fn progress(expression: Expr) -> Progress {
    let is_vector = |name: &Name, arguments: &[Argument]| {
        name.text == VECTOR && !arguments.is_empty() && arguments.iter().all(|a| a.name.is_none())
    };
    match expression.kind {
        ExprKind::Tuple(parts) => Progress { parts, componentwise: false },
        ExprKind::Call(name, arguments) if is_vector(&name, &arguments) => {
            let parts = arguments.into_iter().map(|argument| argument.value).collect();
            Progress { parts, componentwise: true }
        }
        _ => Progress { parts: vec![expression], componentwise: false },
    }
}
