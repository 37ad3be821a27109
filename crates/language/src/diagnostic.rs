//! What is wrong with a text, and where.

use crate::ast::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text has no meaning.
    Error,
    /// The text has a meaning, perhaps another than was meant.
    Warning,
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The bytes of the text that are wrong.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What could stand there instead, in words.
    pub expected: Option<String>,
    /// Names or keywords that may have been meant, the likeliest first.
    pub suggestions: Vec<String>,
    /// Another place that explains this one.
    pub note: Option<(Span, String)>,
}

/// Characters shown to each side of the place; lines can be as long as a generated formula.
const CONTEXT: usize = 60;

impl Diagnostic {
    /// An error.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            span,
            message: message.into(),
            expected: None,
            suggestions: Vec::new(),
            note: None,
        }
    }

    /// A warning.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Says what could stand there instead.
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Names what may have been meant.
    pub fn suggest(mut self, suggestions: Vec<String>) -> Self {
        self.suggestions = suggestions;
        self
    }

    /// Points at another place.
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.note = Some((span, message.into()));
        self
    }

    /// What people read, with the line it is about and the place underlined:
    ///
    /// ```text
    /// error: dbm.snet:12:6: there is no place 'sent1'
    ///    |
    /// 12 |   in sent1: (s, r)
    ///    |      ^^^^^ did you mean 'sent'?
    /// ```
    pub fn render(&self, file: &str, text: &str) -> String {
        self.render_as(
            match self.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            file,
            text,
        )
    }

    /// The same with another word for how bad it is.
    pub fn render_as(&self, severity: &str, file: &str, text: &str) -> String {
        let mut shown = String::new();
        excerpt(&mut shown, severity, &self.message, file, text, &self.span, self.hint());
        if let Some((span, message)) = &self.note {
            excerpt(&mut shown, "note", message, file, text, span, None);
        }
        shown
    }

    /// What people read of an error that concerns no place in the text, in one line.
    pub fn render_without_place(&self, file: &str) -> String {
        let hint = self.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("error: {file}: {}{hint}\n", self.message)
    }

    /// What is said beside the underlined place.
    fn hint(&self) -> Option<String> {
        hint(&self.suggestions, self.expected.as_deref())
    }
}

/// What helps to mend an error: the names that may have been meant, or else what could stand there.
pub fn hint(suggestions: &[String], expected: Option<&str>) -> Option<String> {
    let quoted: Vec<String> = suggestions.iter().map(|s| format!("'{s}'")).collect();
    match quoted.split_last() {
        Some((only, [])) => Some(format!("did you mean {only}?")),
        Some((last, others)) => Some(format!("did you mean {} or {last}?", others.join(", "))),
        None => expected.map(|expected| format!("expected {expected}")),
    }
}

/// Line and column of a byte, from 1, the column in characters.
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..boundary(text, at)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// The place itself, or the first before it at which the text can be cut.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// One message with the line it is about.
fn excerpt(
    shown: &mut String,
    severity: &str,
    message: &str,
    file: &str,
    text: &str,
    span: &Span,
    hint: Option<String>,
) {
    let (line, column) = position(text, span.start);
    let span = boundary(text, span.start)..boundary(text, span.end.max(span.start));
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.start..].find('\n').map_or(text.len(), |at| span.start + at);
    let hint = hint.map(|hint| format!(" {hint}")).unwrap_or_default();
    let line_text = &text[start..end];
    let below = underlined(line as u64, line_text, span.start - start..span.end.min(end) - start);
    shown.push_str(&format!("{severity}: {file}:{line}:{column}: {message}\n{below}{hint}\n"));
}

/// A line with its number, and what is underlined in it (in bytes):
///
/// ```text
///    |
/// 12 |   in sent1: (s, r)
///    |      ^^^^^
/// ```
pub fn underlined(number: u64, line: &str, span: Span) -> String {
    let (window, carets) = window(line, span);
    let gutter = " ".repeat(number.to_string().len());
    let carets = format!("{}{}", " ".repeat(carets.start), "^".repeat(carets.len()));
    let line = format!("{number} | {window}");
    format!("{gutter} |\n{}\n{gutter} | {carets}", line.trim_end())
}

/// The part of the line around the span (in bytes), and where in it the span is (in characters).
fn window(line: &str, span: Span) -> (String, std::ops::Range<usize>) {
    let mut visible: Vec<char> = line[..span.start].chars().rev().take(CONTEXT + 1).collect();
    visible.reverse();
    if visible.len() > CONTEXT {
        visible[0] = '…';
    }
    let inside: Vec<char> = line[span.clone()].trim_end().chars().take(CONTEXT).collect();
    let after: Vec<char> = line[span.end..].trim_end().chars().take(CONTEXT + 1).collect();
    let underlined = visible.len()..visible.len() + inside.len().max(1);
    let clipped = line[span].trim_end().chars().nth(CONTEXT).is_some();
    visible.extend(inside);
    match clipped {
        true => visible.push('…'),
        false => {
            visible.extend(after.iter().take(CONTEXT));
            visible.extend((after.len() > CONTEXT).then_some('…'));
        }
    }
    // A tab, or anything else that takes no or several columns, would shift the underlining.
    let shown: String = visible.into_iter().map(|c| if c.is_control() { ' ' } else { c }).collect();
    (shown.trim_end().to_owned(), underlined)
}
