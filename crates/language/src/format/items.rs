//! Declarations and clauses.

use super::expressions::{expression, name, operand};
use super::layout::{Doc, INDENT, commas, concat, filled, group, line, nest, parentheses, text};
use super::temporal::formula;
use super::types::{type_expression, without_where};
use crate::ast::{
    ArcKind, Clause, ClauseKind, Expr, ExprKind, ItemKind, Name, Place, Progress, Property, Question, Span,
    Transition, TypeExpr, TypeKind, Variable,
};
use crate::lexer::{Kind, lex, quote};
use crate::operators::SUM;

/// Something that starts on a line of its own.
pub(super) struct Line {
    doc: Doc,
    /// Columns before it.
    indent: usize,
}

impl Line {
    /// Its text, with all line breaks but the last.
    pub(super) fn text(&self) -> String {
        format!("{}{}", " ".repeat(self.indent), self.doc.lines(self.indent))
    }

    /// Adds it to a text.
    pub(super) fn print(&self, to: &mut String) {
        to.push_str(&self.text());
        to.push('\n');
    }
}

/// All lines of an item.
pub(super) fn lines(item: &ItemKind) -> Vec<Line> {
    match item {
        ItemKind::Transition(transition) => {
            let clauses = transition.clauses.iter().map(clause);
            [head(transition)].into_iter().chain(clauses).chain([tail()]).collect()
        }
        _ => vec![whole(item)],
    }
}

/// An item that is no transition.
pub(super) fn whole(item: &ItemKind) -> Line {
    let doc = match item {
        ItemKind::Net(net) => concat([text("net "), plain(net)]),
        ItemKind::Param { name, value } => {
            concat([text("param "), plain(name), text(" = "), expression(value, false)])
        }
        ItemKind::Type { name, definition } => {
            concat([text("type "), plain(name), text(" = "), type_expression(definition, false)])
        }
        ItemKind::Function { name, parameters, result, body } => {
            let mut head = vec![text("fn "), plain(name), variables(parameters)];
            if let Some(result) = result {
                head.extend([text(": "), without_where(result, false)]);
            }
            head.push(text(" ="));
            group(concat([concat(head), nest(concat([line(), expression(body, false)]))]))
        }
        ItemKind::Place(declared) => place(declared),
        ItemKind::Transition(transition) => return head(transition),
        ItemKind::Progress(measure) => concat([text("progress "), progress(measure)]),
        ItemKind::Property(asked) => property(asked),
    };
    Line { doc, indent: 0 }
}

/// The first line of a transition.
pub(super) fn head(transition: &Transition) -> Line {
    let variables = match transition.variables.is_empty() {
        true => text(""),
        false => variables(&transition.variables),
    };
    Line { doc: concat([text("transition "), plain(&transition.name), variables, text(" {")]), indent: 0 }
}

/// The lines of a type with one of its parts on each, and where the parts are in the text; nothing if it has no parts.
pub(super) fn parts_of_type(item: &ItemKind) -> Option<(Line, Vec<(Line, Span)>)> {
    let ItemKind::Type { name: declared, definition } = item else { return None };
    let typed = |part: &Name, type_: Option<&TypeExpr>| {
        let doc = match type_ {
            Some(type_) => concat([name(part, false), text(": "), type_expression(type_, false)]),
            None => name(part, false),
        };
        (doc, part.span.start..type_.map_or(part.span.end, |type_| type_.span.end))
    };
    let (word, parts): (_, Vec<(Doc, Span)>) = match &definition.kind {
        TypeKind::Struct(fields) => {
            ("struct {", fields.iter().map(|(field, type_)| typed(field, Some(type_))).collect())
        }
        TypeKind::Union(variants) => {
            ("union {", variants.iter().map(|(variant, type_)| typed(variant, type_.as_ref())).collect())
        }
        TypeKind::Enum(values) => ("enum {", values.iter().map(|value| typed(value, None)).collect()),
        _ => return None,
    };
    let head = concat([text("type "), plain(declared), text(" = "), text(word)]);
    let count = parts.len();
    let line = |(at, (doc, span)): (usize, (Doc, Span))| {
        let doc = if at + 1 < count { concat([doc, text(",")]) } else { doc };
        (Line { doc, indent: INDENT }, span)
    };
    Some((Line { doc: head, indent: 0 }, parts.into_iter().enumerate().map(line).collect()))
}

/// The last line of a transition.
pub(super) fn tail() -> Line {
    Line { doc: text("}"), indent: 0 }
}

/// A clause.
pub(super) fn clause(clause: &Clause) -> Line {
    let arc = |word: &str, place: &Name, tokens: &Expr| {
        concat([text(word), plain(place), text(": "), expression(tokens, false)])
    };
    let value = |word: &str, value: &Expr| concat([text(word), expression(value, false)]);
    let doc = match &clause.kind {
        ClauseKind::Arc { kind: ArcKind::In, place, tokens } => arc("in ", place, tokens),
        ClauseKind::Arc { kind: ArcKind::Out, place, tokens } => arc("out ", place, tokens),
        ClauseKind::Arc { kind: ArcKind::Read, place, tokens } => arc("read ", place, tokens),
        ClauseKind::Inhibit { place, tokens: Some(tokens) } => arc("inhibit ", place, tokens),
        ClauseKind::Inhibit { place, tokens: None } => concat([text("inhibit "), plain(place)]),
        ClauseKind::Reset(place) => concat([text("reset "), plain(place)]),
        ClauseKind::Let { name, value } => {
            concat([text("let "), plain(name), text(" = "), expression(value, false)])
        }
        ClauseKind::When(condition) => value("when ", condition),
        ClauseKind::Priority(priority) => value("priority ", priority),
        ClauseKind::Delay(delay) => value("delay ", delay),
    };
    Line { doc, indent: INDENT }
}

fn plain(name: &Name) -> Doc {
    self::name(name, false)
}

fn variables(variables: &[Variable]) -> Doc {
    let variable = |variable: &Variable| match &variable.type_ {
        Some(type_) => concat([plain(&variable.name), text(": "), type_expression(type_, false)]),
        None => plain(&variable.name),
    };
    parentheses(commas(variables.iter().map(variable)))
}

fn place(place: &Place) -> Doc {
    let names = group(nest(filled(place.names.iter().map(plain))));
    let mut more = Vec::new();
    if let Some(ranges) = &place.capacity {
        let range = |(from, to): &(Expr, Expr)| match from == to {
            true => operand(from, SUM, false),
            false => concat([operand(from, SUM, false), text(".."), operand(to, SUM, false)]),
        };
        more.extend([line(), text("capacity "), commas(ranges.iter().map(range))]);
    }
    if let Some(tokens) = &place.initial {
        more.extend([line(), text("= "), expression(tokens, false)]);
    }
    if let Some(tokens) = &place.derived {
        more.extend([line(), text("derived "), expression(tokens, false)]);
    }
    if place.timed.is_some() {
        more.extend([line(), text("timed")]);
    }
    let type_ = without_where(&place.type_, false);
    group(concat([text("place "), names, text(": "), type_, nest(concat(more))]))
}

/// Several expressions are a tuple; one that is a tuple itself must not be taken for several.
fn progress(measure: &Progress) -> Doc {
    let several = || parentheses(commas(measure.parts.iter().map(|part| expression(part, false))));
    match measure.parts.as_slice() {
        _ if measure.componentwise => concat([text("vector"), several()]),
        [only] if matches!(only.kind, ExprKind::Tuple(_)) => {
            parentheses(concat([expression(only, false), text(",")]))
        }
        [only] => expression(only, false),
        _ => several(),
    }
}

fn property(property: &Property) -> Doc {
    let name = property.name.as_ref().map_or("", |name| &name.text);
    let question = match &property.question {
        Question::Invariant(predicate) => concat([text("invariant "), expression(predicate, false)]),
        Question::Reachable(predicate) => concat([text("reachable "), expression(predicate, false)]),
        Question::Unreachable(predicate) => concat([text("not reachable "), expression(predicate, false)]),
        Question::Bound(bound) => concat([text("bound "), expression(bound, false)]),
        Question::Safe(1) => text("safe"),
        Question::Safe(bound) => text(format!("safe {bound}")),
        Question::Conservative => text("conservative"),
        Question::QuasiLive => text("quasi-live"),
        Question::Dead(transition) => concat([text("dead "), plain(transition)]),
        Question::Fireable(transition) => concat([text("fireable "), plain(transition)]),
        Question::Stable(place) => concat([text("stable "), plain(place)]),
        Question::SomeStable => text("some-stable"),
        Question::Home(predicate) => concat([text("home "), expression(predicate, false)]),
        Question::Reversible => text("reversible"),
        Question::AllLive => text("live"),
        Question::Live(transition) => concat([text("live "), plain(transition)]),
        Question::Ctl(asked) => concat([text("ctl "), formula(asked)]),
        Question::Ltl(asked) => concat([text("ltl "), formula(asked)]),
    };
    concat([text("property "), text(title(name)), text(": "), question])
}

/// The name of a property, which may have hyphens and digits.
fn title(name: &str) -> String {
    let mut end = 0;
    let word = lex(name).tokens.iter().all(|token| {
        let adjacent = std::mem::replace(&mut end, token.span.end) == token.span.start;
        let part = matches!(token.kind, Kind::Word | Kind::Keyword(_) | Kind::Integer | Kind::End);
        adjacent && (part || token.kind.lexeme() == "-")
    });
    if word && !name.is_empty() && !name.starts_with('-') && !name.ends_with('-') {
        return name.to_owned();
    }
    quote(name)
}
