//! What is wrong with a text, and where.

use std::fmt;
use std::ops::Range;

use sweepnet_language::diagnostic::{hint, position};
use thiserror::Error;

/// An error in a property, printed with the line it is in and the place underlined:
///
/// ```text
/// error: there is no place 'p11'
///   invariant #p11 <= 1
///              ^^^ did you mean 'p1'?
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What could stand there instead, in words.
    pub expected: Option<String>,
    /// Names or keywords that may have been meant, the likeliest first.
    pub suggestions: Vec<String>,
    /// The part of the line that is shown, and the columns in it that are underlined.
    excerpt: Box<(String, Range<usize>)>,
}

/// Characters shown to each side of the error; lines can be as long as a generated formula.
const CONTEXT: usize = 60;

impl SyntaxError {
    pub(crate) fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.start..].find('\n').map_or(text.len(), |at| span.start + at);
        let (line, column) = position(text, span.start);
        Self {
            line,
            column,
            excerpt: excerpt(&text[start..end], span.start - start..(span.end.min(end) - start)),
            span,
            message: message.into(),
            expected: None,
            suggestions: Vec::new(),
        }
    }

    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    pub(crate) fn suggest(mut self, suggestions: Vec<String>) -> Self {
        self.suggestions = suggestions;
        self
    }

    /// The error with the name of the file it is in, and its position in front: `file:3:12: error: …`.
    pub fn located<'a>(&'a self, origin: &'a str) -> impl fmt::Display + 'a {
        struct Located<'a>(&'a SyntaxError, &'a str);
        impl fmt::Display for Located<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}:{}:{}: {}", self.1, self.0.line, self.0.column, self.0)
            }
        }
        Located(self, origin)
    }
}

/// A window of the line around the span (in bytes), and where in it the span is (in characters).
fn excerpt(line: &str, span: Range<usize>) -> Box<(String, Range<usize>)> {
    let before: Vec<char> = line[..span.start].chars().rev().take(CONTEXT + 1).collect();
    let inside: Vec<char> = line[span.clone()].chars().take(CONTEXT).collect();
    let after: Vec<char> = line[span.end..].trim_end().chars().take(CONTEXT + 1).collect();
    let mut shown = String::new();
    let mut visible: Vec<char> = before.iter().rev().copied().collect();
    if before.len() > CONTEXT {
        visible[0] = '…';
    } else {
        let indent = visible.iter().take_while(|c| c.is_whitespace()).count();
        visible.drain(..indent);
    }
    let start = visible.len();
    let width = inside.len().max(1);
    shown.extend(visible.into_iter().chain(inside).chain(after.iter().copied().take(CONTEXT)));
    if after.len() > CONTEXT {
        shown.push('…');
    }
    // A tab, or anything else that takes no or several columns, would shift the underlining.
    let shown = shown.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Box::new((shown, start..start + width))
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, span) = &*self.excerpt;
        write!(f, "error: {}", self.message)?;
        let empty = line.is_empty();
        if !empty {
            write!(f, "\n  {line}\n  {}{}", " ".repeat(span.start), "^".repeat(span.len()))?;
        }
        match hint(&self.suggestions, self.expected.as_deref()) {
            Some(hint) if empty => write!(f, "; {hint}"),
            Some(hint) => write!(f, " {hint}"),
            None => Ok(()),
        }
    }
}
