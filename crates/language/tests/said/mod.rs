//! What is said about a text, in short.

use sweepnet_language::{Diagnostic, Severity};

/// A line for each message: what is underlined, the message, hints and notes.
pub fn lines(text: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| line(text, diagnostic)).collect::<Vec<_>>().join("\n")
}

fn line(text: &str, diagnostic: &Diagnostic) -> String {
    let warning = if diagnostic.severity == Severity::Warning { "warning: " } else { "" };
    let mut line = format!("{warning}`{}` {}", &text[diagnostic.span.clone()], diagnostic.message);
    if !diagnostic.suggestions.is_empty() {
        line += &format!(" | did you mean {}?", diagnostic.suggestions.join(", "));
    } else if let Some(expected) = &diagnostic.expected {
        line += &format!(" | expected {expected}");
    }
    if let Some((span, message)) = &diagnostic.note {
        line += &format!(" | note: `{}` {message}", &text[span.clone()]);
    }
    line
}
