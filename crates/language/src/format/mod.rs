//! The one layout that all texts can have.
//!
//! The tree is printed afresh, with as few parentheses as keep its meaning; comments and blank lines are
//! taken from the text (`comments`). Lines are broken where they would be longer than `layout::WIDTH`.

mod comments;
mod expressions;
mod items;
mod layout;
mod temporal;
mod types;

use crate::ast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::parser::parse_file;

/// The text in its canonical layout, or why it has none.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (file, errors) = parse_file(text);
    match errors.iter().any(|error| error.severity == Severity::Error) {
        true => Err(errors),
        false => Ok(comments::merge(text, &file)),
    }
}

/// A text that says what a tree says.
pub fn print(file: &ast::File) -> String {
    let mut text = String::new();
    for item in &file.items {
        for line in items::lines(&item.kind) {
            line.print(&mut text);
        }
    }
    text
}

/// An expression on one line.
pub fn print_expression(expression: &ast::Expr) -> String {
    expressions::expression(expression, false).flat()
}

/// A type on one line.
pub fn print_type(type_: &ast::TypeExpr) -> String {
    types::type_expression(type_, false).flat()
}
