//! A model: what a file declares, checked and ready to be explored.

use sweepnet_colour::{ColouredNet, Patience, Progress, Sources};

use crate::ast::{Property as Asked, Span};
use crate::check::{self, Scope};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::{Kind, lex};
use crate::parser::{parse_file, parse_progress, parse_properties, parse_property};
use crate::question::Property;

/// A net, the questions that its file asks, and what its names mean.
#[derive(Clone, Debug)]
pub struct Model {
    /// The net.
    pub net: ColouredNet,
    /// The questions.
    pub properties: Vec<Property>,
    /// The names, for questions from elsewhere.
    pub scope: Scope,
    /// Where its parts stand in the text.
    pub sources: Sources<Span>,
}

/// Another value for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// An integer; 0 and 1 also stand for truth values.
    Integer(i64),
    /// A truth value.
    Truth(bool),
}

impl Setting {
    /// The value that a text says, written as in a file: `9`, `-1_000`, `true`. Nothing if it says none.
    pub fn read(text: &str) -> Option<Self> {
        let tokens = lex(text).tokens;
        let (sign, value) = match tokens.as_slice() {
            [value, _] => ("", value),
            [sign, value, _] if sign.kind == Kind::Sign("-") => ("-", value),
            _ => return None,
        };
        match (sign, &value.kind) {
            ("", Kind::Keyword("true")) => Some(Self::Truth(true)),
            ("", Kind::Keyword("false")) => Some(Self::Truth(false)),
            (sign, Kind::Integer) => {
                let digits = text[value.span.clone()].replace('_', "");
                format!("{sign}{digits}").parse().ok().map(Self::Integer)
            }
            _ => None,
        }
    }
}

/// Reads a file with other integers for some of its parameters; see [`read_with`].
pub fn read(text: &str, params: &[(String, i64)]) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    let params: Vec<(String, Setting)> =
        params.iter().map(|(name, value)| (name.clone(), Setting::Integer(*value))).collect();
    read_with(text, &params)
}

/// Reads a file with other values for some of its parameters. With the model come warnings; without it, all
/// errors of the file. An error about a parameter that the file does not have concerns no place in it: its
/// span is `0..0`.
pub fn read_with(
    text: &str,
    params: &[(String, Setting)],
) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_while(text, params, Patience::default())
}

/// The same as long as somebody waits. If that ends, constants that are not worked out by then are errors, which say
/// nothing about the file.
pub fn read_while(
    text: &str,
    params: &[(String, Setting)],
    patience: Patience<'_>,
) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (file, mut diagnostics) = parse_file(text);
    let (model, found) = check::file(text, &file, &diagnostics, params, patience);
    diagnostics.extend(found);
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    diagnostics.dedup();
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
        return Err(diagnostics);
    }
    Ok((model, diagnostics))
}

/// Reads one question about a net. Types that only the question uses are added to those of the net.
#[expect(clippy::result_large_err, reason = "reading one property fails once")]
pub fn read_property(text: &str, net: &mut ColouredNet, scope: &Scope) -> Result<Property, Diagnostic> {
    let asked = parse_property(text)?;
    let mut read =
        resolve(text, std::slice::from_ref(&asked), net, scope).map_err(|mut errors| errors.remove(0))?;
    Ok(read.remove(0))
}

/// Reads a file of questions about a net. Types that only the questions use are added to those of the net.
pub fn read_properties(
    text: &str,
    net: &mut ColouredNet,
    scope: &Scope,
) -> Result<Vec<Property>, Vec<Diagnostic>> {
    let (asked, mut errors) = parse_properties(text);
    match resolve(text, &asked, net, scope) {
        Ok(properties) if errors.is_empty() => Ok(properties),
        Ok(_) => Err(errors),
        Err(found) => {
            errors.extend(found);
            errors.sort_by_key(|error| (error.span.start, error.span.end));
            Err(errors)
        }
    }
}

/// Reads a measure of progress for a net, as its file could declare it; the parts of a tuple may also stand without
/// parentheses. Types that only the measure uses are added to those of the net.
#[expect(clippy::result_large_err, reason = "reading one measure fails once")]
pub fn read_progress(text: &str, net: &mut ColouredNet, scope: &Scope) -> Result<Progress, Diagnostic> {
    let measure = parse_progress(text)?;
    let (progress, errors) = check::progress(text, &measure, net, scope);
    match errors.into_iter().find(|error| error.severity == Severity::Error) {
        Some(error) => Err(error),
        None if progress.parts.is_empty() => {
            Err(Diagnostic::error(0..text.len(), "this says nothing").expected("an integer"))
        }
        None => Ok(progress),
    }
}

fn resolve(
    text: &str,
    asked: &[Asked],
    net: &mut ColouredNet,
    scope: &Scope,
) -> Result<Vec<Property>, Vec<Diagnostic>> {
    let (properties, errors) = check::questions(text, asked, net, scope);
    if errors.is_empty() { Ok(properties) } else { Err(errors) }
}
