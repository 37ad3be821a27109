//! What each element of a formula means, given what its children mean.

use std::sync::Arc;

use sweepnet_net::{PlaceId, TransitionId};

use super::temporal::{Written, formula, is_temporal, temporal, value};
use super::{Lists, Unsupported};
use crate::comparison::{Comparison, Relation};
use crate::expression::Expression;
use crate::predicate::Predicate;
use crate::property::Question;
use crate::temporal::{Formula, Ltl};
use crate::view::EvalError;

/// The meaning of an element.
#[derive(Debug)]
pub(super) enum Value {
    /// Of one marking.
    Truth(Predicate),
    /// Of one marking.
    Number(Expression),
    /// Of one marking and the paths from it, or of one path: a formula that is no predicate.
    Formula(Written),
    /// Of every path.
    Linear(Ltl),
    /// Of all reachable markings.
    Asked(Question),
    /// A part of an element that has several: its name, and what it says.
    Part(String, Box<Value>),
    Note(String, String),
    /// Nodes that the element around this one asks about.
    Places(Vec<PlaceId>),
    Transitions(Arc<[TransitionId]>),
    /// Has a meaning, but not here.
    Unsupported(String),
}

/// An element is no formula, for this reason.
pub(super) type Reason = String;

use Value::{Asked, Linear, Note, Number, Part, Places, Transitions, Truth};

/// The elements that hold text and nothing else.
pub(super) fn holds_text(element: &str) -> bool {
    let annotation = matches!(element, "if-no-successor" | "steps" | "strength" | "level");
    annotation || matches!(element, "place" | "transition" | "integer-constant")
}

/// The meaning of an element.
pub(super) fn meaning(
    element: &str,
    text: &str,
    mut children: Vec<Value>,
    nodes: &mut Lists<'_>,
) -> Result<Value, Reason> {
    let unsupported = |what: &str| Ok(Value::Unsupported(what.to_owned()));
    // Named before what is inside: levels of liveness are no formulas.
    if element == "is-live" {
        return unsupported("liveness (`is-live`)");
    }
    if let Some(i) = children.iter().position(|child| matches!(child, Value::Unsupported(_))) {
        return Ok(children.swap_remove(i));
    }
    match element {
        "place" => match nodes.nodes.places(text) {
            Some(places) => Ok(Places(places)),
            None => Err(format!("there is no place '{text}' in the net")),
        },
        "transition" => match nodes.transitions(text) {
            Some(transitions) => Ok(Transitions(transitions)),
            None => Err(format!("there is no transition '{text}' in the net")),
        },
        "integer-constant" => match text.parse() {
            Ok(number) => Expression::constant(number).map(Number).map_err(too_large),
            Err(_) => Err(format!("'{text}' is no integer of at most 127 bits")),
        },
        "tokens-count" => places(element, children).map(Number),
        "place-bound" => places(element, children).map(|sum| Asked(Question::Bound(sum))),
        "is-fireable" => {
            let all = some(element, children, |child| match child {
                Transitions(transitions) => Some(transitions),
                _ => None,
            })?;
            Ok(Truth(Predicate::or(all.into_iter().map(Predicate::any_enabled).collect())))
        }
        "true" | "false" | "deadlock" | "quasi-liveness" | "liveness" | "stable-marking" => {
            exactly::<0>(element, children)?;
            Ok(match element {
                "true" => Truth(Predicate::True),
                "false" => Truth(Predicate::False),
                "deadlock" => Truth(Predicate::Deadlock),
                "quasi-liveness" => Asked(Question::QuasiLive),
                "liveness" => Asked(Question::Live),
                _ => Asked(Question::SomeStable),
            })
        }
        "k-safe" => match exactly::<1>(element, children)? {
            [Number(n)] => match n.as_constant().map(u64::try_from) {
                Some(Ok(k)) => Ok(Asked(Question::Safe(k))),
                _ => Err("`k-safe` wants a number of tokens".into()),
            },
            _ => Err("`k-safe` wants a number of tokens".into()),
        },
        "negation" => negation(exactly(element, children)?),
        "conjunction" | "disjunction" | "exclusive-disjunction" | "implication" | "equivalence" => {
            if children.iter().any(|child| matches!(child, Asked(_) | Linear(_))) {
                return unsupported(&format!("a `{element}` of questions"));
            }
            let operands = some(element, children, formula)?;
            Ok(value(match (element, operands.len()) {
                ("conjunction", _) => Formula::and(operands),
                ("disjunction", _) => Formula::or(operands),
                ("exclusive-disjunction", 2..) => Formula::xor(operands),
                ("implication", 2) => Formula::implication(operands),
                ("equivalence", 2) => Formula::equivalence(operands),
                (_, n) => return Err(format!("`{element}` wants two operands and has {n}")),
            }))
        }
        "before" | "reach" => {
            let [part] = exactly(element, children)?;
            Ok(Part(element.to_owned(), Box::new(part)))
        }
        "if-no-successor" | "steps" | "strength" => Ok(Note(element.to_owned(), text.to_owned())),
        _ if is_temporal(element) => temporal(element, children),
        _ if element.starts_with("integer-") => arithmetic(element, children),
        _ => unsupported(&format!("the element `{element}`")),
    }
}

/// The question that a whole formula asks.
pub(super) fn question(children: Vec<Value>) -> Result<Result<Question, Unsupported>, Reason> {
    Ok(match exactly("formula", children)? {
        [Asked(question)] => Ok(question),
        // A predicate alone is about the initial marking; constants need no marking.
        [Truth(constant @ (Predicate::True | Predicate::False))] => Ok(Question::Invariant(constant)),
        [Truth(predicate)] => Ok(Question::Reachable(Predicate::and(vec![Predicate::Initial, predicate]))),
        [Value::Formula(formula)] => match formula.requantify(&|path| path) {
            Some(formula) => Ok(formula.into()),
            None => Err(Unsupported("a path formula without `all-paths` or `exists-path`".into())),
        },
        [Linear(formula)] => Ok(formula.into()),
        [Value::Unsupported(what)] => Err(Unsupported(what)),
        _ => return Err(wants("formula")),
    })
}

fn negation([operand]: [Value; 1]) -> Result<Value, Reason> {
    Ok(match operand {
        Truth(predicate) => Truth(!predicate),
        Value::Formula(formula) => Value::Formula(!formula),
        Asked(_) | Linear(_) => Value::Unsupported("a `negation` of a question".into()),
        _ => return Err(wants("negation")),
    })
}

fn arithmetic(element: &str, children: Vec<Value>) -> Result<Value, Reason> {
    let relation = match element {
        "integer-eq" => Some(Relation::Equal),
        "integer-ne" => Some(Relation::NotEqual),
        "integer-lt" => Some(Relation::Less),
        "integer-le" => Some(Relation::AtMost),
        "integer-gt" => Some(Relation::Greater),
        "integer-ge" => Some(Relation::AtLeast),
        "integer-sum" | "integer-product" | "integer-difference" => None,
        _ => return Ok(Value::Unsupported(format!("the element `{element}`"))),
    };
    if children.iter().any(|child| matches!(child, Asked(Question::Bound(_)))) {
        return Ok(Value::Unsupported(format!("a `place-bound` inside `{element}`")));
    }
    let numbers = some(element, children, |child| match child {
        Number(number) => Some(number),
        _ => None,
    })?;
    let result = match (element, relation) {
        ("integer-sum", _) => Expression::sum(numbers).map(Number),
        ("integer-product", _) => Expression::product(numbers).map(Number),
        _ => {
            let two = |n: Vec<_>| format!("`{element}` wants two numbers and has {}", n.len());
            let [left, right] = <[Expression; 2]>::try_from(numbers).map_err(two)?;
            match relation {
                Some(relation) => Comparison::new(left, relation, right).map(|c| Truth(c.into())),
                None => Expression::sum([left, right.negate()]).map(Number),
            }
        }
    };
    result.map_err(too_large)
}

/// All children, of one kind, and at least one.
fn some<T>(element: &str, children: Vec<Value>, kind: fn(Value) -> Option<T>) -> Result<Vec<T>, Reason> {
    let all: Option<Vec<T>> = children.into_iter().map(kind).collect();
    all.filter(|all| !all.is_empty()).ok_or_else(|| wants(element))
}

pub(super) fn exactly<const N: usize>(element: &str, children: Vec<Value>) -> Result<[Value; N], Reason> {
    children.try_into().map_err(|children: Vec<Value>| {
        format!(
            "`{element}` wants {N} element{} inside and has {}",
            if N == 1 { "" } else { "s" },
            children.len()
        )
    })
}

fn places(element: &str, children: Vec<Value>) -> Result<Expression, Reason> {
    let all = some(element, children, |child| match child {
        Places(places) => Some(places),
        _ => None,
    })?;
    Expression::places(all.into_iter().flatten()).map_err(too_large)
}

pub(super) fn wants(element: &str) -> Reason {
    let what = match element {
        "tokens-count" | "place-bound" => "one or more `place`",
        "is-fireable" => "one or more `transition`",
        _ if element.starts_with("integer-") => "numbers (`tokens-count`, `integer-constant`, …)",
        _ => "formulas",
    };
    format!("`{element}` wants {what} inside")
}

fn too_large(error: EvalError) -> Reason {
    error.to_string()
}
