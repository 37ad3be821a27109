//! Text as XML can hold it.

use std::borrow::Cow;

use super::attributes::is_legal;

/// Escapes for element content and attribute values alike. What XML forbids becomes U+FFFD.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let plain = |c: char| is_legal(c) && !matches!(c, '&' | '<' | '>' | '"' | '\t' | '\n' | '\r');
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Readers turn these into blanks unless they are given by number.
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            _ if is_legal(c) => escaped.push(c),
            _ => escaped.push('\u{FFFD}'),
        }
    }
    Cow::Owned(escaped)
}
