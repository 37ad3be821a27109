//! Types.

use super::recovery::starts_item;
use super::{Parsed, Parser};
use crate::ast::{Expr, Name, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::lexer::Kind;
use crate::nearest::nearest;
use crate::operators::{Level, NEGATE, SUM};

/// How much belongs to a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// All, also `where`.
    Full,
    /// No `where`, because of what surrounds the type.
    Simple,
    /// No operators either: in `all Site - waiting` the type is `Site`.
    Tight,
}

/// The words that start a type, to suggest.
const TYPES: [&str; 9] = ["unit", "bool", "enum", "cyclic", "struct", "union", "array", "list", "set"];

impl Parser<'_> {
    /// A type.
    pub(super) fn type_expression(&mut self, mode: Mode, expected: &str) -> Parsed<TypeExpr> {
        self.nested(|parser| {
            let simple = parser.simple_type(mode, expected)?;
            if mode != Mode::Full || !parser.eat("where") {
                return Ok(simple);
            }
            let condition = parser.expression()?;
            let span = simple.span.start..parser.previous_end();
            Ok(TypeExpr { kind: TypeKind::Where(Box::new(simple), Box::new(condition)), span })
        })
    }

    fn simple_type(&mut self, mode: Mode, expected: &str) -> Parsed<TypeExpr> {
        let start = self.peek().span.start;
        let part = if mode == Mode::Tight { Mode::Tight } else { Mode::Simple };
        let kind = match self.lexeme() {
            _ if self.sees_range(mode) => self.range(mode)?,
            "unit" => self.word(TypeKind::Unit),
            "bool" => self.word(TypeKind::Bool),
            "enum" => self.enumeration()?,
            "cyclic" => {
                self.advance();
                let inner = self.type_expression(part, "a range or an enumeration after `cyclic`")?;
                TypeKind::Cyclic(Box::new(inner))
            }
            "struct" => self.structure()?,
            "union" => self.union()?,
            "array" => self.array(part)?,
            "list" => self.bounded_list(part)?,
            "set" => {
                self.advance();
                self.expect("of", "`of` and the type of the elements")?;
                TypeKind::Set(Box::new(self.type_expression(part, "the type of the elements")?))
            }
            "(" => return self.tuple_type(),
            _ if self.sees_name() => {
                let name = self.name(expected)?;
                self.misspelt_type(&name)?;
                TypeKind::Named(name)
            }
            _ => return Err(self.unexpected(expected)),
        };
        Ok(TypeExpr { kind, span: self.since(start) })
    }

    fn word(&mut self, kind: TypeKind) -> TypeKind {
        self.advance();
        kind
    }

    /// `strct { … }`: a name is a type by itself, so what follows shows that a keyword was meant.
    fn misspelt_type(&self, name: &Name) -> Parsed<()> {
        let follows = |lexeme: &&str| match *lexeme {
            "enum" | "struct" | "union" => self.sees("{") && !self.peek().first,
            "array" => self.sees("["),
            "list" | "set" => self.sees("of"),
            "cyclic" => matches!(self.peek().kind, Kind::Integer) || self.sees("enum"),
            _ => false,
        };
        let near = nearest(&name.text, TYPES.into_iter().filter(follows));
        if near.is_empty() {
            return Ok(());
        }
        let message = format!("'{}' is no kind of type", name.text);
        Err(Box::new(Diagnostic::error(name.span.clone(), message).suggest(near)))
    }

    /// Whether an integer range is next, rather than a type's name or a tuple.
    fn sees_range(&self, mode: Mode) -> bool {
        let arithmetic = |lexeme: &str| matches!(lexeme, ".." | "+" | "-" | "*" | "/" | "mod");
        match (&self.peek().kind, self.lexeme()) {
            (Kind::Integer, _) | (_, "-" | "#") => true,
            _ if mode == Mode::Tight => false,
            (_, "max") => self.peek_at(1).kind.lexeme() == "(",
            (Kind::Word | Kind::Quoted(_), _) => {
                let next = self.peek_at(1).kind.lexeme();
                arithmetic(next) || matches!(next, "(" | "[" | ".")
            }
            (_, "(") => self.closing().is_some_and(|at| arithmetic(self.tokens[at + 1].kind.lexeme())),
            _ => false,
        }
    }

    /// The token that closes the bracket that is next, if it does so before the next item.
    pub(super) fn closing(&self) -> Option<usize> {
        let mut open = 0usize;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            match token.kind.lexeme() {
                _ if token.first && starts_item(token) => return None,
                "(" | "[" | "{" => open += 1,
                ")" | "]" | "}" => {
                    open = open.checked_sub(1)?;
                    if open == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// `1..N`
    fn range(&mut self, mode: Mode) -> Parsed<TypeKind> {
        let level: Level = if mode == Mode::Tight { NEGATE } else { SUM };
        let from = self.operators(level)?;
        self.expect("..", "`..` and the end of the range")?;
        let to: Expr = self.operators(level)?;
        Ok(TypeKind::Range(Box::new(from), Box::new(to)))
    }

    /// `(A, B)`; `(A)` is `A`
    fn tuple_type(&mut self) -> Parsed<TypeExpr> {
        let open = self.peek().span.clone();
        self.advance();
        let (mut parts, mut comma) = (Vec::new(), true);
        while comma && !self.sees(")") {
            parts.push(self.type_expression(Mode::Full, "a type")?);
            comma = self.eat(",");
        }
        self.close(")", &open, "`,` or `)`")?;
        let span = self.since(open.start);
        match parts.pop() {
            Some(only) if parts.is_empty() && !comma => Ok(TypeExpr { span, ..only }),
            last => {
                parts.extend(last);
                Ok(TypeExpr { kind: TypeKind::Tuple(parts), span })
            }
        }
    }

    fn enumeration(&mut self) -> Parsed<TypeKind> {
        self.advance();
        self.expect("{", "`{` and the values of the enumeration")?;
        Ok(TypeKind::Enum(self.list("}", |parser| parser.name("a value's name"))?))
    }

    fn structure(&mut self) -> Parsed<TypeKind> {
        self.advance();
        self.expect("{", "`{` and the fields of the struct")?;
        let fields = self.list("}", |parser| {
            let name = parser.name("a field's name")?;
            parser.expect(":", "`:` and the field's type")?;
            Ok((name, parser.type_expression(Mode::Full, "a field's type after `:`")?))
        })?;
        Ok(TypeKind::Struct(fields))
    }

    fn union(&mut self) -> Parsed<TypeKind> {
        self.advance();
        self.expect("{", "`{` and the variants of the union")?;
        let variants = self.list("}", |parser| {
            let name = parser.name("a variant's name")?;
            let content = match parser.eat(":") {
                true => Some(parser.type_expression(Mode::Full, "a variant's type after `:`")?),
                false => None,
            };
            Ok((name, content))
        })?;
        Ok(TypeKind::Union(variants))
    }

    /// `array [Site] of bool`
    fn array(&mut self, part: Mode) -> Parsed<TypeKind> {
        self.advance();
        let open = self.peek().span.clone();
        self.expect("[", "`[` and the type of the indices")?;
        let index = self.type_expression(Mode::Full, "the type of the indices")?;
        self.close("]", &open, "`]`")?;
        self.expect("of", "`of` and the type of the elements")?;
        let element = self.type_expression(part, "the type of the elements")?;
        Ok(TypeKind::Array(Box::new(index), Box::new(element)))
    }

    /// `list of Site max 4`
    fn bounded_list(&mut self, part: Mode) -> Parsed<TypeKind> {
        self.advance();
        self.expect("of", "`of` and the type of the elements")?;
        let element = self.type_expression(part, "the type of the elements")?;
        self.expect("max", "`max` and the greatest length of the list")?;
        let level: Level = if part == Mode::Tight { NEGATE } else { SUM };
        Ok(TypeKind::List(Box::new(element), Box::new(self.operators(level)?)))
    }
}
