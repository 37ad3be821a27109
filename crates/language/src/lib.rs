//! The Sweepnet language (`.snet`): coloured nets as people write them.
//!
//! [`parser`] turns a text into a tree ([`ast`]) and reports what is wrong with it ([`diagnostic`]);
//! [`mod@format`] lays a text out as everybody does. [`read`] checks the tree as well and makes a coloured net of
//! it ([`model`]), with the questions that the text asks ([`question`]) and where its parts stand.

pub mod ast;
mod check;
pub mod diagnostic;
pub mod format;
pub mod lexer;
pub mod model;
pub mod nearest;
mod operators;
pub mod parser;
pub mod question;

pub use check::Scope;
pub use diagnostic::{Diagnostic, Severity};
pub use model::{Model, Setting, read, read_progress, read_properties, read_property, read_while, read_with};
pub use parser::{parse_file, parse_progress, parse_properties, parse_property};
pub use question::{Connective, Property, Question, Temporal};

/// Whether a text of unknown origin looks like one in this language: its first words are those of a declaration here
/// and of nothing elsewhere.
pub fn looks_like(text: &str) -> bool {
    let lexed = lexer::lex(text);
    let words: Vec<&str> = lexed.tokens.iter().take(3).map(|token| &text[token.span.clone()]).collect();
    match words[..] {
        ["net", name, ..] => name.starts_with('"'),
        ["param", _, "="] | ["type", _, "="] | ["fn", _, "("] | ["transition", _, "(" | "{"] => true,
        ["place", _, ":" | ","] => true,
        _ => false,
    }
}
