//! Temporal formulas.

use super::expressions::{Context, sign, within};
use super::layout::{Doc, concat, group, line, nest, parentheses, text};
use crate::ast::{Binary, Modal, Path, Temporal, TemporalKind, Until};
use crate::operators::{ATOM, LOOSEST, Level, NOT, UNTIL, level};

/// A formula that nothing follows.
pub(super) fn formula(formula: &Temporal) -> Doc {
    part(formula, Context { minimum: LOOSEST, open: true, temporal: true })
}

fn part(formula: &Temporal, context: Context) -> Doc {
    let own = match &formula.kind {
        TemporalKind::State(state) => return within(state, context),
        TemporalKind::Not(_) | TemporalKind::Unary(..) => NOT,
        TemporalKind::Binary(operator, ..) => level(*operator),
        TemporalKind::Until(None, ..) => UNTIL,
        TemporalKind::Until(Some(_), ..) => ATOM,
    };
    if own < context.minimum {
        return parentheses(bare(formula, Context { open: true, ..context }));
    }
    bare(formula, context)
}

fn bare(formula: &Temporal, context: Context) -> Doc {
    let left =
        |formula: &Temporal, minimum: Level| part(formula, Context { minimum, open: false, ..context });
    let right = |formula: &Temporal, minimum: Level| part(formula, Context { minimum, ..context });
    match &formula.kind {
        TemporalKind::State(state) => within(state, context),
        TemporalKind::Not(inner) => concat([text("not "), right(inner, NOT)]),
        TemporalKind::Binary(operator, a, b) => {
            let to_the_right = *operator == Binary::Implies;
            let own = level(*operator);
            let (a, b) =
                (left(a, own + Level::from(to_the_right)), right(b, own + Level::from(!to_the_right)));
            group(concat([a, nest(concat([line(), text(sign(*operator)), text(" "), b]))]))
        }
        TemporalKind::Unary(path, modal, inner) => {
            let operator = format!("{}{} ", path.map_or("", letter), modal_letter(*modal));
            concat([text(operator), seen(right(inner, NOT))])
        }
        TemporalKind::Until(None, until, a, b) => {
            let (a, b) = (left(a, UNTIL + 1), seen(right(b, UNTIL)));
            group(concat([a, nest(concat([line(), text(until_letter(*until)), text(" "), b]))]))
        }
        TemporalKind::Until(Some(path), until, a, b) => {
            let (open, sign) = (Context { open: true, ..context }, text(until_letter(*until)));
            let a = part(a, Context { minimum: UNTIL + 1, open: false, ..context });
            let b = seen(part(b, Context { minimum: UNTIL, ..open }));
            concat([text(letter(*path)), text(" "), parentheses(concat([a, line(), sign, text(" "), b]))])
        }
    }
}

/// After an operator, what could as well continue an expression needs parentheses: `G -1 < x`.
fn seen(operand: Doc) -> Doc {
    if operand.starts_with(&['-', '[', '{']) { parentheses(operand) } else { operand }
}

fn letter(path: Path) -> &'static str {
    match path {
        Path::All => "A",
        Path::Some => "E",
    }
}

fn modal_letter(modal: Modal) -> &'static str {
    match modal {
        Modal::Next => "X",
        Modal::Finally => "F",
        Modal::Globally => "G",
    }
}

fn until_letter(until: Until) -> &'static str {
    match until {
        Until::Until => "U",
        Until::WeakUntil => "W",
        Until::Release => "R",
    }
}
