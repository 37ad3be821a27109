//! From text to tree.
//!
//! Recursive descent, with precedence climbing for operators. An error spoils the item or the clause it is in
//! and nothing else: reading goes on at the next one (`recovery`).

mod cursor;
mod depth;
mod expressions;
mod items;
mod places;
mod primaries;
mod questions;
mod recovery;
mod temporal;
mod transitions;
mod types;

use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::lexer::{self, Token};

pub use questions::{A_QUESTION, QUESTIONS};
pub(crate) use temporal::is_temporal_word;

/// A position among the tokens of a text, and what was wrong so far.
struct Parser<'a> {
    text: &'a str,
    /// Ends with [`lexer::Kind::End`].
    tokens: Vec<Token>,
    at: usize,
    depth: depth::Depth,
    errors: Vec<Diagnostic>,
}

/// Something, or why it could not be read.
type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Reads a file: what could be read, and what is wrong with the rest.
pub fn parse_file(text: &str) -> (ast::File, Vec<Diagnostic>) {
    let mut parser = Parser::new(text);
    let file = parser.file();
    (file, parser.errors)
}

/// Reads one property, such as `invariant #p <= 1` or `property safe: invariant #p <= 1`.
#[expect(clippy::result_large_err, reason = "reading one property fails once")]
pub fn parse_property(text: &str) -> Result<ast::Property, Diagnostic> {
    Parser::new(text).only_property().map_err(|error| *error)
}

/// Reads a file of properties only.
pub fn parse_properties(text: &str) -> (Vec<ast::Property>, Vec<Diagnostic>) {
    let mut parser = Parser::new(text);
    let properties = parser.properties();
    (properties, parser.errors)
}

/// Reads a measure of progress, such as `#p + 2 * #q`, `(#p, #q)` or `vector(#p, #q)`.
#[expect(clippy::result_large_err, reason = "reading one measure fails once")]
pub fn parse_progress(text: &str) -> Result<ast::Progress, Diagnostic> {
    Parser::new(text).only_progress().map_err(|error| *error)
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let tokens = lexer::lex(text).tokens;
        Self { text, tokens, at: 0, depth: depth::Depth::default(), errors: Vec::new() }
    }
}
