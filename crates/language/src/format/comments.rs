//! Comments and blank lines, which are in the text and not in the tree.
//!
//! A comment on a line of its own stays before what it precedes; one at the end of a line stays there. One
//! inside something that is printed afresh, such as an expression over several lines, moves before it. The fields of a struct,
//! the variants of a union and the constants of an enumeration that has comments get lines of their own.

use super::items::{self, Line};
use super::layout::INDENT;
use crate::ast::{File, Item, ItemKind, Span, Transition};
use crate::lexer::{Lexed, lex};

/// A line of the result and where it was in the text.
struct Unit {
    line: Line,
    span: Span,
    role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// An item that is no transition.
    Item,
    /// `transition t(x) {`, `type T = struct {`
    Head,
    /// A clause, or a part of a type.
    Clause,
    /// `}`
    Tail,
}

/// The tree's text with the comments of the text it was read from.
pub(super) fn merge(text: &str, file: &File) -> String {
    let lexed = lex(text);
    let mut page = Page { text, result: String::new(), end: 0, tight: true };
    let mut comments = lexed.comments.iter().cloned().peekable();
    for unit in file.items.iter().flat_map(|item| units(item, &lexed)) {
        let start = unit.span.start;
        if let Some(comment) = comments.next_if(|comment| comment.start < start && page.beside(comment)) {
            page.append(comment);
        }
        let indent = if matches!(unit.role, Role::Clause | Role::Tail) { INDENT } else { 0 };
        while let Some(comment) = comments.next_if(|comment| comment.start < unit.span.end) {
            let shown = format!("{}{}", " ".repeat(indent), &text[comment.clone()]);
            page.put(&shown, page.blank(comment.start.min(start)), comment.end.min(start));
        }
        page.put(&unit.line.text(), page.blank(start) && unit.role != Role::Tail, unit.span.end);
        page.tight = unit.role == Role::Head;
    }
    if let Some(comment) = comments.next_if(|comment| page.beside(comment)) {
        page.append(comment);
    }
    for comment in comments {
        page.put(&text[comment.clone()], page.blank(comment.start), comment.end);
    }
    page.result
}

/// What was written so far.
struct Page<'a> {
    text: &'a str,
    result: String,
    /// Where in the text the last thing that was written ends.
    end: usize,
    /// At the start of the file or of a transition, where no blank lines stand.
    tight: bool,
}

impl Page<'_> {
    /// Whether there is a blank line between what was written last and this place.
    fn blank(&self, at: usize) -> bool {
        !self.tight && self.text[self.end..at.max(self.end)].matches('\n').count() > 1
    }

    /// Whether a comment stands on the line on which what was written last ends.
    fn beside(&self, comment: &Span) -> bool {
        !self.result.is_empty() && !self.text[self.end..comment.start.max(self.end)].contains('\n')
    }

    fn put(&mut self, lines: &str, blank: bool, end: usize) {
        if blank {
            self.result.push('\n');
        }
        self.result.push_str(lines);
        self.result.push('\n');
        (self.end, self.tight) = (end, false);
    }

    /// Adds a comment to the last line.
    fn append(&mut self, comment: Span) {
        self.result.truncate(self.result.trim_end().len());
        self.result.push_str("  ");
        self.result.push_str(&self.text[comment.clone()]);
        self.result.push('\n');
        self.end = comment.end;
    }
}

fn units(item: &Item, lexed: &Lexed) -> Vec<Unit> {
    if let Some(units) = parts_of_type(item, lexed) {
        return units;
    }
    match &item.kind {
        ItemKind::Transition(transition) => parts(item, transition, lexed),
        kind => vec![Unit { line: items::whole(kind), span: item.span.clone(), role: Role::Item }],
    }
}

/// A type with a line for each of its parts, if there are comments among them.
fn parts_of_type(item: &Item, lexed: &Lexed) -> Option<Vec<Unit>> {
    let (head, parts) = items::parts_of_type(&item.kind)?;
    let (_, first) = parts.first()?;
    let before = lexed.tokens.partition_point(|token| token.span.start < first.start);
    let open = lexed.tokens[..before].last()?.span.end;
    let next = lexed.comments.partition_point(|comment| comment.start < open);
    lexed.comments.get(next).filter(|comment| comment.end < item.span.end)?;
    let head = Unit { line: head, span: item.span.start..open, role: Role::Head };
    let parts = parts.into_iter().map(|(line, span)| Unit { line, span, role: Role::Clause });
    let close = item.span.end.saturating_sub(1)..item.span.end;
    let tail = Unit { line: items::tail(), span: close, role: Role::Tail };
    Some([head].into_iter().chain(parts).chain([tail]).collect())
}

fn parts(item: &Item, transition: &Transition, lexed: &Lexed) -> Vec<Unit> {
    let declared = transition.variables.last().map_or(&transition.name.span, |variable| {
        variable.type_.as_ref().map_or(&variable.name.span, |type_| &type_.span)
    });
    let from = lexed.tokens.partition_point(|token| token.span.start < declared.end);
    let open = lexed.tokens[from..].iter().find(|token| token.kind.lexeme() == "{");
    let open = open.map_or(declared.end, |token| token.span.end);
    let close = item.span.end.saturating_sub(1).max(open)..item.span.end;
    let head = Unit { line: items::head(transition), span: item.span.start..open, role: Role::Head };
    let clauses = transition.clauses.iter().map(|clause| Unit {
        line: items::clause(clause),
        span: clause.span.clone(),
        role: Role::Clause,
    });
    let tail = Unit { line: items::tail(), span: close, role: Role::Tail };
    [head].into_iter().chain(clauses).chain([tail]).collect()
}
