//! From text to questions.
//!
//! [`token`] cuts text into words, [`names`] finds places and transitions, `formula` reads predicates and
//! expressions, `temporal` the operators of temporal logic among them, `questions` reads what stands around them
//! (both through a `reader`), and [`error`] says what went wrong and where. The
//! language itself is described in [`property`](crate::property).

pub mod error;
pub(crate) mod formula;
mod measure;
pub mod names;
pub(crate) mod questions;
pub(crate) mod reader;
pub(crate) mod temporal;
pub mod token;

pub use error::SyntaxError;

use sweepnet_net::Net;
use sweepnet_space::progress::Order;

use crate::{Expression, Predicate, Property};
use names::Names;
use reader::Reader;

/// How deep predicates may be nested: parentheses, and operators inside operators. Longer chains of one operator
/// are not deeper, except for the temporal operators `U`, `W` and `R`.
pub const MAX_DEPTH: usize = 1000;

/// Reads one property, with or without a name.
pub fn parse_property(text: &str, net: &Net) -> Result<Property, SyntaxError> {
    let names = Names::new(net);
    let tokens = token::tokens(text);
    Reader::new(text, &tokens, &names).only(Reader::property)
}

/// Reads a file of properties. All that is wrong is reported at once: one error for each property, up to the
/// hundredth.
pub fn parse_properties(text: &str, net: &Net) -> Result<Vec<Property>, Vec<SyntaxError>> {
    questions::file(text, net)
}

/// Reads a predicate.
pub fn parse_predicate(text: &str, net: &Net) -> Result<Predicate, SyntaxError> {
    let names = Names::new(net);
    let tokens = token::tokens(text);
    Reader::new(text, &tokens, &names).only(Reader::predicate)
}

/// Reads an expression.
pub fn parse_expression(text: &str, net: &Net) -> Result<Expression, SyntaxError> {
    let names = Names::new(net);
    let tokens = token::tokens(text);
    Reader::new(text, &tokens, &names).only(Reader::expression)
}

/// Reads the parts of a measure of progress.
pub(crate) fn parse_measure(text: &str, net: &Net) -> Result<(Vec<Expression>, Order), SyntaxError> {
    let names = Names::new(net);
    let tokens = token::tokens(text);
    Reader::new(text, &tokens, &names).only(Reader::measure)
}
