//! Expressions.

use super::layout::{Doc, braces, brackets, commas, concat, filled, group, line, nest, parentheses, text};
use super::types::{operand_of_all, type_expression};
use crate::ast::{Argument, Binary, Binder, Comprehension, Expr, ExprKind, Name, Quantifier, Unary};
use crate::lexer::{is_plain_name, quote};
use crate::operators::{ATOM, COMPARISON, COUNT, IS, LOOSEST, Level, NEGATE, NOT, POSTFIX, TIMES, level};
use crate::parser::is_temporal_word;

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// Looser operators need parentheses.
    pub(super) minimum: Level,
    /// Nothing follows that `forall x in T: …` and its like would take.
    pub(super) open: bool,
    /// In a temporal formula, where some letters are operators.
    pub(super) temporal: bool,
}

impl Context {
    /// An operand of something that stands here.
    fn operand(self, minimum: Level, last: bool) -> Self {
        Self { minimum, open: self.open && last, ..self }
    }
}

/// A name, in quotes if it needs them.
pub(super) fn name(name: &Name, temporal: bool) -> Doc {
    text(match is_plain_name(&name.text) && !(temporal && is_temporal_word(&name.text)) {
        true => name.text.clone(),
        false => quote(&name.text),
    })
}

/// An expression between delimiters.
pub(super) fn expression(expression: &Expr, temporal: bool) -> Doc {
    within(expression, Context { minimum: LOOSEST, open: true, temporal })
}

/// An operand that something follows.
pub(super) fn operand(expression: &Expr, minimum: Level, temporal: bool) -> Doc {
    within(expression, Context { minimum, open: false, temporal })
}

/// An expression, in parentheses if it needs them.
pub(super) fn within(expression: &Expr, context: Context) -> Doc {
    let enclosed = match &expression.kind {
        ExprKind::If(..) | ExprKind::Let(..) | ExprKind::Quantified(..) => !context.open,
        kind => own_level(kind) < context.minimum,
    };
    if !enclosed {
        return bare(expression, context);
    }
    parentheses(bare(expression, Context { minimum: LOOSEST, open: true, ..context }))
}

fn own_level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Integer(value) if *value < 0 => NEGATE,
        ExprKind::Times(..) => TIMES,
        ExprKind::Count(_) => COUNT,
        ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::WithFields(..) | ExprKind::WithElements(..) => {
            POSTFIX
        }
        ExprKind::Is(..) => IS,
        ExprKind::Unary(Unary::Not, _) => NOT,
        ExprKind::Unary(Unary::Negate, _) => NEGATE,
        ExprKind::Binary(operator, ..) => level(*operator),
        _ => ATOM,
    }
}

fn bare(expression: &Expr, context: Context) -> Doc {
    let temporal = context.temporal;
    let whole = |expression: &Expr| self::expression(expression, temporal);
    let before = |expression: &Expr, minimum| within(expression, context.operand(minimum, false));
    match &expression.kind {
        ExprKind::Integer(value) => text(value.to_string()),
        ExprKind::Bool(value) => text(value.to_string()),
        ExprKind::Name(it) if it.text == "it" => text("it"),
        ExprKind::Name(variable) => name(variable, temporal),
        ExprKind::Tuple(parts) if parts.len() == 1 => {
            parentheses(concat(parts.iter().map(whole).chain([text(",")])))
        }
        ExprKind::Tuple(parts) => parentheses(commas(parts.iter().map(whole))),
        ExprKind::Record(fields) => braces(record(fields, temporal)),
        ExprKind::Braces(values) => braces(filled(values.iter().map(whole))),
        ExprKind::Comprehension(all) => braces(comprehension(all, temporal)),
        ExprKind::Brackets(values) => brackets(filled(values.iter().map(whole))),
        ExprKind::BracketComprehension(all) => brackets(comprehension(all, temporal)),
        ExprKind::Set(elements) => concat([text("set "), bare(elements, context)]),
        ExprKind::All(type_) => concat([text("all "), operand_of_all(type_, temporal)]),
        ExprKind::Times(left, right) => {
            concat([before(left, TIMES + 1), text("'"), within(right, context.operand(TIMES, true))])
        }
        ExprKind::Count(counted) => concat([text("#"), before(counted, COUNT)]),
        ExprKind::Call(function, arguments) => call(function, arguments, temporal),
        ExprKind::Field(left, field) => {
            concat([before(left, POSTFIX), text("."), field_name(field, temporal)])
        }
        ExprKind::Index(left, index) => concat([before(left, POSTFIX), brackets(whole(index))]),
        ExprKind::WithFields(left, fields) => {
            concat([before(left, POSTFIX), text(" with "), braces(record(fields, temporal))])
        }
        ExprKind::WithElements(left, elements) => {
            let element = |(index, value): &(Expr, Expr)| concat([whole(index), text(": "), whole(value)]);
            concat([before(left, POSTFIX), text(" with "), brackets(commas(elements.iter().map(element)))])
        }
        ExprKind::Is(left, variant) => concat([before(left, IS), text(" is "), name(variant, temporal)]),
        ExprKind::Unary(Unary::Not, inner) => {
            concat([text("not "), within(inner, context.operand(NOT, true))])
        }
        ExprKind::Unary(Unary::Negate, inner) => {
            concat([text("-"), within(inner, context.operand(NEGATE, true))])
        }
        ExprKind::Binary(..) => chain(expression, context),
        ExprKind::If(condition, yes, no) => group(concat([
            text("if "),
            whole(condition),
            nest(concat([line(), text("then "), whole(yes), line(), text("else "), whole(no)])),
        ])),
        ExprKind::Let(variable, value, body) => {
            let value = concat([text("let "), name(variable, temporal), text(" = "), whole(value)]);
            group(concat([value, line(), text("in "), whole(body)]))
        }
        ExprKind::Quantified(quantifier, binder, body) => {
            let word = match quantifier {
                Quantifier::Forall => "forall ",
                Quantifier::Exists => "exists ",
                Quantifier::Sum => "sum ",
            };
            // `forall x in T: forall y in U: c` is written `forall x in T, y in U: c`.
            let (mut head, mut body) = (vec![text(word), self::binder(binder, temporal)], body);
            while let ExprKind::Quantified(inner, binder, rest) = &body.kind
                && inner == quantifier
            {
                head.extend([text(", "), self::binder(binder, temporal)]);
                body = rest;
            }
            head.push(text(":"));
            group(concat([concat(head), nest(concat([line(), whole(body)]))]))
        }
        ExprKind::Broken => text("()"),
    }
}

/// `a + b - c`: operators of one level, which stand below each other if they do not fit on a line.
fn chain(expression: &Expr, context: Context) -> Doc {
    let mut links = Vec::new();
    let (mut first, mut minimum) = (expression, LOOSEST);
    while let ExprKind::Binary(operator, left, right) = &first.kind {
        let own = level(*operator);
        if own < minimum || !links.is_empty() && own != minimum {
            break;
        }
        let last = links.is_empty();
        let right_level = own + Level::from(*operator != Binary::Implies);
        let right = within(right, context.operand(right_level, last));
        let link = concat([line(), text(sign(*operator)), text(" "), right]);
        // Numbers fill their lines; each condition has its own.
        links.push(if own >= COMPARISON { group(link) } else { link });
        let tighter = *operator == Binary::Implies || own == COMPARISON;
        (first, minimum) = (left, own + Level::from(tighter));
    }
    links.reverse();
    group(concat([within(first, context.operand(minimum, false)), nest(concat(links))]))
}

/// How an operator is written.
pub(super) fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::Iff => "<->",
        Binary::Implies => "->",
        Binary::Or => "or",
        Binary::Xor => "xor",
        Binary::And => "and",
        Binary::Equal => "=",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Modulo => "mod",
    }
}

fn record(fields: &[(Name, Expr)], temporal: bool) -> Doc {
    let field = |(field, value): &(Name, Expr)| {
        concat([name(field, temporal), text(": "), expression(value, temporal)])
    };
    commas(fields.iter().map(field))
}

fn binder(binder: &Binder, temporal: bool) -> Doc {
    concat([name(&binder.variable, temporal), text(" in "), type_expression(&binder.domain, temporal)])
}

fn comprehension(all: &Comprehension, temporal: bool) -> Doc {
    let binders = all.binders.iter().map(|binder| self::binder(binder, temporal));
    let mut parts = vec![expression(&all.body, temporal), line(), text("for "), group(nest(commas(binders)))];
    if let Some(condition) = &all.condition {
        parts.extend([line(), text("if "), expression(condition, temporal)]);
    }
    concat(parts)
}

fn field_name(field: &Name, temporal: bool) -> Doc {
    let number = !field.text.is_empty() && field.text.bytes().all(|b| b.is_ascii_digit());
    if number { text(field.text.clone()) } else { name(field, temporal) }
}

fn call(function: &Name, arguments: &[Argument], temporal: bool) -> Doc {
    let binding = function.text == "enabled";
    let function = if function.text == "max" { text("max") } else { name(function, temporal) };
    let argument = |(at, argument): (usize, &Argument)| {
        let value = &argument.value;
        match &argument.name {
            Some(variable) => concat([name(variable, temporal), text(" = "), expression(value, temporal)]),
            // `enabled(t, s = 1)` would bind s.
            None if binding && at > 0 => {
                within(value, Context { minimum: COMPARISON + 1, open: true, temporal })
            }
            None => expression(value, temporal),
        }
    };
    concat([function, parentheses(commas(arguments.iter().enumerate().map(argument)))])
}
