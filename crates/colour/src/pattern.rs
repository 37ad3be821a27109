//! Patterns: terms that can be read backwards, from a token to the values of variables.

use std::sync::Arc;

use crate::compile::{Code, Compiler};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::term::{Arithmetic, Node, Part, Slot, Term};
use crate::types::{Shape, TypeId, Types};

/// What a token is matched with.
pub enum Pattern {
    /// A variable that takes the value.
    Bind(Slot),
    /// A value that it must be equal to.
    Equal(Code),
    /// The components of a struct.
    Struct(Vec<(TypeId, Pattern)>),
    /// The content of a variant of a union.
    Variant(usize, Option<Box<(TypeId, Pattern)>>),
    /// What is so many steps before the value, in a type of the same order.
    Before(Steps, Box<(TypeId, Pattern)>),
}

/// How far values are ahead of those that they are computed from, by their numbers.
pub struct Steps {
    by: i128,
    /// How many values there are to be computed from.
    size: i128,
    /// Whether the first value follows the last.
    wraps: bool,
}

impl Steps {
    /// The steps of `succ(x)`, `x + 1` and the like, with the term for x. No two values of x give the same, so that
    /// these terms can be read backwards.
    fn of<'a>(term: &'a Term, types: &Types) -> Option<(Self, &'a Term)> {
        let (from, by, wraps) = match &term.node {
            Node::Step { from, by, wraps } => (&**from, i128::from(*by), *wraps),
            Node::Narrow(sum) => {
                let Node::Arithmetic(operator, left, right) = &sum.node else { return None };
                let (from, by) = match (operator, &left.node, &right.node) {
                    (Arithmetic::Add, Node::Widen(from), Node::Integer(by))
                    | (Arithmetic::Add, Node::Integer(by), Node::Widen(from)) => (from, i128::from(*by)),
                    (Arithmetic::Subtract, Node::Widen(from), Node::Integer(by)) => (from, -i128::from(*by)),
                    _ => return None,
                };
                let low = |term: &Term| match types.shape(term.type_of()?) {
                    Shape::Range { low, .. } => Some(i128::from(*low)),
                    // The numbers of a subset skip integers.
                    _ => None,
                };
                (&**from, by + low(from)? - low(term)?, false)
            }
            _ => return None,
        };
        let size = i128::from(types.size(from.type_of()?)?);
        Some((Self { by, size, wraps }, from))
    }

    /// The number that leads to this one.
    fn back(&self, number: u64) -> Option<u64> {
        let before = i128::from(number) - self.by;
        match self.wraps {
            true => Some(before.rem_euclid(self.size) as u64),
            false => (0..self.size).contains(&before).then_some(before as u64),
        }
    }
}

impl Pattern {
    /// The pattern of a term, where some slots are bound already. Those that it binds become bound. Nothing if the
    /// term cannot be read backwards: if it calculates with a variable that is not bound.
    pub fn of(term: &Term, bound: &mut Vec<Slot>, compiler: &Compiler) -> Option<Self> {
        if is_bound(term, bound) {
            return Some(Self::Equal(compiler.term(term)));
        }
        match &term.node {
            Node::Variable(slot) => {
                bound.push(*slot);
                Some(Self::Bind(*slot))
            }
            Node::Struct(parts) => {
                let pattern = |part: &Term| Some((part.type_of()?, Self::of(part, bound, compiler)?));
                parts.iter().map(pattern).collect::<Option<_>>().map(Self::Struct)
            }
            Node::Variant(variant, content) => {
                let content = match content {
                    Some(content) => {
                        Some(Box::new((content.type_of()?, Self::of(content, bound, compiler)?)))
                    }
                    None => None,
                };
                Some(Self::Variant(*variant, content))
            }
            _ => {
                let (steps, from) = Steps::of(term, compiler.types())?;
                Some(Self::Before(steps, Box::new((from.type_of()?, Self::of(from, bound, compiler)?))))
            }
        }
    }

    /// How many parts of a term are known, and how many are not, if it can be a pattern at all.
    pub fn outlook(term: &Term, bound: &[Slot], types: &Types) -> Option<(usize, usize)> {
        let (mut bound, mut parts) = (bound.to_vec(), (0, 0));
        look(term, &mut bound, types, &mut parts).then_some(parts)
    }

    /// Matches a value; what it binds is in the frame afterwards, also if it does not match.
    pub fn matches(
        &self,
        types: &Arc<Types>,
        id: TypeId,
        value: &[u64],
        frame: &mut Frame<'_>,
    ) -> Result<bool, Fault> {
        match self {
            Self::Bind(slot) => {
                frame.slots[*slot..*slot + value.len()].copy_from_slice(value);
                Ok(true)
            }
            Self::Equal(Code::Word(code)) => Ok(code(frame)? == value[0]),
            Self::Equal(code) => {
                let mut words = Vec::new();
                code.push(frame, &mut words)?;
                Ok(words == value)
            }
            Self::Struct(parts) if types.is_narrow(id) => {
                let mut rest = value[0];
                for ((of, part), stride) in parts.iter().zip(types.strides(id)) {
                    if !part.matches(types, *of, &[rest / stride], frame)? {
                        return Ok(false);
                    }
                    rest %= stride;
                }
                Ok(true)
            }
            Self::Struct(parts) => {
                let mut rest = value;
                for (of, part) in parts {
                    let (first, other) = rest.split_at(types.width(*of));
                    if !part.matches(types, *of, first, frame)? {
                        return Ok(false);
                    }
                    rest = other;
                }
                Ok(true)
            }
            Self::Variant(variant, content) => {
                let mut parts = Vec::with_capacity(2);
                types.open(id, value, &mut parts);
                match content {
                    _ if parts[0] != *variant as u64 => Ok(false),
                    Some(content) => content.1.matches(types, content.0, &parts[1..], frame),
                    None => Ok(true),
                }
            }
            Self::Before(steps, from) => match steps.back(value[0]) {
                Some(before) => from.1.matches(types, from.0, &[before], frame),
                None => Ok(false),
            },
        }
    }
}

/// Counts the parts of a term that are known and those that are not, from left to right; false if it is no pattern.
fn look(term: &Term, bound: &mut Vec<Slot>, types: &Types, counts: &mut (usize, usize)) -> bool {
    if is_bound(term, bound) {
        counts.0 += 1;
        return true;
    }
    match &term.node {
        Node::Variable(slot) => {
            counts.1 += 1;
            bound.push(*slot);
            true
        }
        Node::Struct(parts) => parts.iter().all(|part| look(part, bound, types, counts)),
        Node::Variant(_, content) => {
            counts.0 += 1;
            content.as_ref().is_none_or(|content| look(content, bound, types, counts))
        }
        _ => Steps::of(term, types).is_some_and(|(_, from)| look(from, bound, types, counts)),
    }
}

/// The free variables of a term: those that no part of it binds.
pub fn variables(term: &Term) -> Vec<Slot> {
    let (mut used, mut own) = (Vec::new(), Vec::new());
    term.walk(&mut |part| collect(part, &mut used, &mut own));
    used.retain(|slot| !own.contains(slot));
    used.sort_unstable();
    used.dedup();
    used
}

/// The same for a multiset.
pub fn variables_of_bag(bag: &crate::term::Bag) -> Vec<Slot> {
    let (mut used, mut own) = (Vec::new(), Vec::new());
    bag.walk(&mut |part| collect(part, &mut used, &mut own));
    used.retain(|slot| !own.contains(slot));
    used.sort_unstable();
    used.dedup();
    used
}

fn collect(part: Part<'_>, used: &mut Vec<Slot>, own: &mut Vec<Slot>) {
    match part {
        Part::Term(term) => match &term.node {
            Node::Variable(slot) => used.push(*slot),
            Node::Let(slot, ..)
            | Node::Fill(slot, _)
            | Node::SetOf(slot, ..)
            | Node::Quantified(_, slot, ..) => own.push(*slot),
            _ => {}
        },
        Part::Bag(crate::term::Bag::For(slot, ..) | crate::term::Bag::Let(slot, ..)) => own.push(*slot),
        Part::Bag(_) => {}
    }
}

/// Whether all its variables are bound.
pub fn is_bound(term: &Term, bound: &[Slot]) -> bool {
    variables(term).iter().all(|slot| bound.contains(slot))
}
