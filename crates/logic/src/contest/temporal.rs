//! The elements that are about paths.
//!
//! The contest writes both logics with the same elements. In branching time each operator stands directly
//! inside `all-paths` or `exists-path`; in linear time one `all-paths` stands around everything.

use sweepnet_language::question::{Modal, Path, Until};

use super::formula::{Reason, Value, exactly, wants};
use crate::predicate::Predicate;
use crate::temporal::Formula;

/// A formula some of whose operators may have no quantifier yet.
pub(super) type Written = Formula<Option<Path>>;

/// Whether an element is about paths.
pub(super) fn is_temporal(element: &str) -> bool {
    let operator = matches!(element, "finally" | "globally" | "next" | "until" | "exists-path" | "all-paths");
    operator || matches!(element, "invariant" | "possibility" | "impossibility")
}

/// The formula that a child is, if it is one.
pub(super) fn formula(child: Value) -> Option<Written> {
    match child {
        Value::Truth(predicate) => Some(predicate.into()),
        Value::Formula(formula) => Some(formula),
        _ => None,
    }
}

/// What a formula is as a child.
pub(super) fn value(formula: Written) -> Value {
    match formula {
        Formula::Atom(predicate) => Value::Truth(predicate),
        formula => Value::Formula(formula),
    }
}

/// The meaning of an element that is about paths.
pub(super) fn temporal(element: &str, mut children: Vec<Value>) -> Result<Value, Reason> {
    let notes = |child: &Value| matches!(child, Value::Note(..));
    let mut strong = true;
    for note in children.extract_if(.., |child| notes(child)) {
        let Value::Note(name, text) = note else { continue };
        match (element, name.as_str(), text.as_str()) {
            ("next", "if-no-successor", "false") | ("next", "steps", "1") => {}
            ("until", "strength", "strong" | "weak") => strong = text == "strong",
            _ => return Ok(Value::Unsupported(format!("`{name}` {text} in `{element}`"))),
        }
    }
    if children.iter().any(|child| matches!(child, Value::Asked(_) | Value::Linear(_))) {
        return Ok(Value::Unsupported(format!("`{element}` of a question")));
    }
    if element == "until" {
        return until(element, children, strong);
    }
    let [child] = exactly(element, children)?;
    let operand = formula(child).ok_or_else(|| wants(element))?;
    let of_paths = |path, modal, operand: Written| match is_state(&operand) {
        true => Value::Formula(Formula::unary(Some(path), modal, operand)),
        false => Value::Unsupported(format!("`{element}` of a path formula")),
    };
    Ok(match element {
        "finally" => Value::Formula(Formula::unary(None, Modal::Finally, operand)),
        "globally" => Value::Formula(Formula::unary(None, Modal::Globally, operand)),
        "next" => Value::Formula(Formula::unary(None, Modal::Next, operand)),
        "invariant" => of_paths(Path::All, Modal::Globally, operand),
        "possibility" => of_paths(Path::Some, Modal::Finally, operand),
        "impossibility" => match of_paths(Path::Some, Modal::Finally, operand) {
            Value::Formula(formula) => Value::Formula(!formula),
            other => other,
        },
        "all-paths" => quantified(element, Path::All, operand),
        _ => quantified(element, Path::Some, operand),
    })
}

fn until(element: &str, children: Vec<Value>, strong: bool) -> Result<Value, Reason> {
    let (mut before, mut reach) = (None, None);
    for child in children {
        let Value::Part(name, part) = child else { return Err(wants(element)) };
        let place = if name == "before" { &mut before } else { &mut reach };
        if matches!(*part, Value::Asked(_) | Value::Linear(_)) {
            return Ok(Value::Unsupported(format!("`{element}` of a question")));
        }
        let formula = formula(*part).ok_or_else(|| wants(&name))?;
        if place.replace(formula).is_some() {
            return Err(wants(element));
        }
    }
    let (Some(before), Some(reach)) = (before, reach) else { return Err(wants(element)) };
    let until = if strong { Until::Until } else { Until::WeakUntil };
    Ok(Value::Formula(Formula::binary(None, until, before, reach)))
}

/// Whether it is about a marking and the paths from it: each of its operators has a quantifier.
fn is_state(formula: &Written) -> bool {
    all_operators(formula, &|path| path.is_some())
}

fn all_operators(formula: &Written, is: &dyn Fn(&Option<Path>) -> bool) -> bool {
    match formula {
        Formula::Atom(_) => true,
        Formula::Not(operand) => all_operators(operand, is),
        Formula::And(operands) | Formula::Or(operands) | Formula::Xor(operands) => {
            operands.iter().all(|operand| all_operators(operand, is))
        }
        Formula::Unary(path, _, operand) => is(path) && all_operators(operand, is),
        Formula::Binary(path, _, left, right) => {
            is(path) && all_operators(left, is) && all_operators(right, is)
        }
    }
}

/// A formula about all or some paths. What can be read as either logic is taken as branching time, which
/// makes a difference for `X` alone, in an initial marking that is dead.
fn quantified(element: &str, path: Path, formula: Written) -> Value {
    match formula {
        // No operator looks beyond the first marking, and each path has the same one.
        formula if is_state(&formula) => value(formula),
        Formula::Unary(None, modal, operand) if is_state(&operand) => {
            Value::Formula(Formula::Unary(Some(path), modal, operand))
        }
        Formula::Binary(None, until, left, right) if is_state(&left) && is_state(&right) => {
            Value::Formula(Formula::Binary(Some(path), until, left, right))
        }
        formula if path == Path::All && all_operators(&formula, &|path| path.is_none()) => {
            match formula.requantify(&|_| Some(())) {
                Some(formula) => Value::Linear(formula),
                None => Value::Truth(Predicate::False),
            }
        }
        _ => Value::Unsupported(format!("`{element}` of a formula of neither logic")),
    }
}
