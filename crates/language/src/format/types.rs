//! Types.

use super::expressions::{expression, name, operand};
use super::layout::{Doc, braces, brackets, commas, concat, filled, parentheses, text};
use crate::ast::{Binary, Expr, ExprKind, Name, TypeExpr, TypeKind, Unary};
use crate::operators::{SUM, level};

/// A type between delimiters.
pub(super) fn type_expression(type_: &TypeExpr, temporal: bool) -> Doc {
    let part = |part: &TypeExpr| without_where(part, temporal);
    let whole = |part: &TypeExpr| type_expression(part, temporal);
    match &type_.kind {
        TypeKind::Unit => text("unit"),
        TypeKind::Bool => text("bool"),
        TypeKind::Range(from, to) => concat([start(from, temporal), text(".."), operand(to, SUM, temporal)]),
        TypeKind::Enum(values) => {
            concat([text("enum "), braces(filled(values.iter().map(|value| name(value, temporal))))])
        }
        TypeKind::Cyclic(inner) => concat([text("cyclic "), part(inner)]),
        TypeKind::Struct(fields) => {
            let field =
                |(field, type_): &(Name, TypeExpr)| concat([name(field, temporal), text(": "), whole(type_)]);
            concat([text("struct "), braces(commas(fields.iter().map(field)))])
        }
        TypeKind::Tuple(parts) if parts.len() == 1 => {
            parentheses(concat(parts.iter().map(whole).chain([text(",")])))
        }
        TypeKind::Tuple(parts) => parentheses(commas(parts.iter().map(whole))),
        TypeKind::Union(variants) => {
            let variant = |(variant, content): &(Name, Option<TypeExpr>)| match content {
                Some(content) => concat([name(variant, temporal), text(": "), whole(content)]),
                None => name(variant, temporal),
            };
            concat([text("union "), braces(commas(variants.iter().map(variant)))])
        }
        TypeKind::Array(index, element) => {
            concat([text("array "), brackets(whole(index)), text(" of "), part(element)])
        }
        TypeKind::List(element, bound) => {
            concat([text("list of "), part(element), text(" max "), operand(bound, SUM, temporal)])
        }
        TypeKind::Set(element) => concat([text("set of "), part(element)]),
        TypeKind::Where(inner, condition) => {
            concat([part(inner), text(" where "), expression(condition, temporal)])
        }
        TypeKind::Named(type_) => name(type_, temporal),
    }
}

/// A type where `where` needs parentheses.
pub(super) fn without_where(type_: &TypeExpr, temporal: bool) -> Doc {
    match type_.kind {
        TypeKind::Where(..) => parentheses(type_expression(type_, temporal)),
        _ => type_expression(type_, temporal),
    }
}

/// What `all` can stand before without parentheses.
pub(super) fn operand_of_all(type_: &TypeExpr, temporal: bool) -> Doc {
    let doc = type_expression(type_, temporal);
    match type_.kind {
        TypeKind::Unit
        | TypeKind::Bool
        | TypeKind::Enum(_)
        | TypeKind::Struct(_)
        | TypeKind::Tuple(_)
        | TypeKind::Union(_)
        | TypeKind::Named(_) => doc,
        _ => parentheses(doc),
    }
}

/// The start of a range, in parentheses if it would not be seen to be one.
fn start(from: &Expr, temporal: bool) -> Doc {
    match starts_range(from) {
        true => operand(from, SUM, temporal),
        false => parentheses(expression(from, temporal)),
    }
}

fn starts_range(from: &Expr) -> bool {
    match &from.kind {
        ExprKind::Name(name) => name.text != "it",
        ExprKind::Integer(_)
        | ExprKind::Call(..)
        | ExprKind::Count(_)
        | ExprKind::Unary(Unary::Negate, _) => true,
        ExprKind::Binary(operator, left, _) => arithmetic(*operator) && starts_range(left),
        _ => false,
    }
}

fn arithmetic(operator: Binary) -> bool {
    level(operator) >= SUM
}
