//! Lists and sets as trees.

use sweepnet_colour::Value;
use sweepnet_colour::term::Collection;

/// The set of these elements.
pub fn set(mut elements: Vec<Value>) -> Value {
    elements.sort();
    elements.dedup();
    Value::Set(elements)
}

fn list(elements: Vec<Value>) -> Value {
    Value::List(elements.len(), elements)
}

/// An operation on lists and sets; the length of a list is not looked at.
pub fn apply(operation: Collection, operands: Vec<Value>) -> Option<Value> {
    let mut operands = operands.into_iter();
    let (first, second) = (operands.next()?, operands.next());
    match first {
        Value::List(_, elements) => on_list(operation, elements, second),
        Value::Set(elements) => on_set(operation, elements, second),
        _ => None,
    }
}

fn on_list(operation: Collection, mut elements: Vec<Value>, second: Option<Value>) -> Option<Value> {
    Some(match operation {
        Collection::Append => {
            elements.push(second?);
            list(elements)
        }
        Collection::Prepend => {
            elements.insert(0, second?);
            list(elements)
        }
        Collection::First => elements.first()?.clone(),
        Collection::Last => elements.last()?.clone(),
        Collection::Rest => list(elements.split_first()?.1.to_vec()),
        Collection::Front => list(elements.split_last()?.1.to_vec()),
        Collection::Concatenate => {
            let Value::List(_, others) = second? else { return None };
            elements.extend(others);
            list(elements)
        }
        Collection::Length => Value::Int(elements.len() as i64),
        Collection::At => {
            let Value::Int(at) = second? else { return None };
            elements.get(usize::try_from(at).ok()?)?.clone()
        }
        Collection::Has => Value::Bool(elements.contains(&second?)),
        _ => return None,
    })
}

fn on_set(operation: Collection, mut elements: Vec<Value>, second: Option<Value>) -> Option<Value> {
    let others = |second: Option<Value>| match second? {
        Value::Set(others) => Some(others),
        _ => None,
    };
    Some(match operation {
        Collection::Length => Value::Int(elements.len() as i64),
        Collection::Has => Value::Bool(elements.contains(&second?)),
        Collection::Insert => {
            elements.push(second?);
            set(elements)
        }
        Collection::Remove => {
            let gone = second?;
            elements.retain(|element| *element != gone);
            set(elements)
        }
        Collection::Union => {
            elements.extend(others(second)?);
            set(elements)
        }
        Collection::Intersection => {
            let kept = others(second)?;
            elements.retain(|element| kept.contains(element));
            set(elements)
        }
        Collection::Difference => {
            let gone = others(second)?;
            elements.retain(|element| !gone.contains(element));
            set(elements)
        }
        _ => return None,
    })
}
