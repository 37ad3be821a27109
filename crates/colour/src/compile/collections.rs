//! Lists and sets. Both are opened into their components, changed, and closed again.

use std::sync::Arc;

use super::{Code, Compiler, ENUMERABLE};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::term::{Collection, Node, Sort, Term};
use crate::types::{Shape, TypeId, Types};

impl Compiler {
    pub(super) fn collection(&self, term: &Term) -> Code {
        let id = self.type_of(term);
        match &term.node {
            Node::List(elements) => {
                let elements: Vec<Code> = elements.iter().map(|element| self.term(element)).collect();
                let max = list_of(self.types(), id).map_or(0, |(_, max)| max);
                self.closing(id, move |frame, out| {
                    if elements.len() > max {
                        return Err(Fault::ListFull);
                    }
                    out.push(elements.len() as u64);
                    elements.iter().try_for_each(|element| element.push(frame, out))
                })
            }
            Node::Set(elements) => {
                let elements: Vec<_> = elements.iter().map(|element| self.word(element)).collect();
                let width = self.set_width(id);
                self.closing(id, move |frame, out| {
                    let start = out.len();
                    out.resize(start + width, 0);
                    for element in &elements {
                        let number = element(frame)?;
                        out[start + (number / 64) as usize] |= 1 << (number % 64);
                    }
                    Ok(())
                })
            }
            Node::SetOf(slot, domain, condition, value) => {
                let (slot, condition, value) = (*slot, self.condition(condition), self.word(value));
                let size = self.types().size(*domain).filter(|size| *size <= ENUMERABLE);
                let width = self.set_width(id);
                self.closing(id, move |frame, out| {
                    let start = out.len();
                    out.resize(start + width, 0);
                    for number in 0..size.ok_or(Fault::TooLarge)? {
                        frame.step()?;
                        frame.slots[slot] = number;
                        if condition(frame)? {
                            let number = value(frame)?;
                            out[start + (number / 64) as usize] |= 1 << (number % 64);
                        }
                    }
                    Ok(())
                })
            }
            Node::Collection(operation, operands) => self.operation(term, *operation, operands),
            _ => unreachable!("the other terms are compiled elsewhere"),
        }
    }

    /// Words of a set's bits.
    fn set_width(&self, id: TypeId) -> usize {
        match self.types().shape(id) {
            Shape::Set(element) => self.types().size(*element).unwrap_or(0).div_ceil(64) as usize,
            _ => 0,
        }
    }

    fn operation(&self, term: &Term, operation: Collection, operands: &[Term]) -> Code {
        let of = self.type_of(&operands[0]);
        let (id, sort, types) = (self.type_of(term), term.sort, Arc::clone(&self.types));
        let operands: Vec<Code> = operands.iter().map(|operand| self.term(operand)).collect();
        let open = move |frame: &mut Frame<'_>| -> Result<(Vec<u64>, Vec<u64>), Fault> {
            let (mut words, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
            operands[0].push(frame, &mut words)?;
            types.open(of, &words, &mut first);
            if let Some(operand) = operands.get(1) {
                operand.push(frame, &mut second)?;
                if operation == Collection::Concatenate {
                    words.clear();
                    std::mem::swap(&mut words, &mut second);
                    types.open(of, &words, &mut second);
                }
            }
            Ok((first, second))
        };
        let is_list = list_of(self.types(), of);
        let work = move |frame: &mut Frame<'_>, out: &mut Vec<u64>| {
            let (first, second) = open(frame)?;
            match is_list {
                Some((width, max)) => on_list(operation, &first, &second, width, max, out),
                None => {
                    on_set(operation, &first, &second, out);
                    Ok(())
                }
            }
        };
        match (sort, operation) {
            // What is not a collection is an integer, a truth value or an element: its words are its own.
            (Sort::Int, _) | (_, Collection::Has) => Code::Word(Code::Wide(Box::new(work)).word()),
            (_, Collection::First | Collection::Last | Collection::At) => {
                let code = Code::Wide(Box::new(work));
                if self.is_word(sort) { Code::Word(code.word()) } else { code }
            }
            _ => self.closing(id, work),
        }
    }
}

/// For a list: words of an element, and how many there may be.
fn list_of(types: &Types, id: TypeId) -> Option<(usize, usize)> {
    match types.shape(id) {
        Shape::List { element, max } => Some((types.width(*element), *max as usize)),
        _ => None,
    }
}

/// Works on a list: `first` is its length and elements, `second` the other operand.
fn on_list(
    operation: Collection,
    first: &[u64],
    second: &[u64],
    width: usize,
    max: usize,
    out: &mut Vec<u64>,
) -> Result<(), Fault> {
    let (length, elements) = (first[0] as usize, &first[1..]);
    let element = |at: usize| &elements[at * width..(at + 1) * width];
    let room = |more: usize| (length + more <= max).then_some(()).ok_or(Fault::ListFull);
    let some = (length > 0).then_some(()).ok_or(Fault::NoSuchElement);
    let list = |out: &mut Vec<u64>, length: usize, parts: [&[u64]; 2]| {
        out.push(length as u64);
        parts.iter().for_each(|part| out.extend_from_slice(part));
    };
    match operation {
        Collection::Append => {
            room(1)?;
            list(out, length + 1, [elements, second]);
        }
        Collection::Prepend => {
            room(1)?;
            list(out, length + 1, [second, elements]);
        }
        Collection::Concatenate => {
            room(second[0] as usize)?;
            list(out, length + second[0] as usize, [elements, &second[1..]]);
        }
        Collection::First => {
            some?;
            out.extend_from_slice(element(0));
        }
        Collection::Last => {
            some?;
            out.extend_from_slice(element(length - 1));
        }
        Collection::Rest => {
            some?;
            list(out, length - 1, [&elements[width..], &[]]);
        }
        Collection::Front => {
            some?;
            list(out, length - 1, [&elements[..(length - 1) * width], &[]]);
        }
        Collection::At => {
            let at = usize::try_from(second[0] as i64).ok().filter(|at| *at < length);
            out.extend_from_slice(element(at.ok_or(Fault::NoSuchElement)?));
        }
        Collection::Has => out.push(u64::from(elements.chunks_exact(width).any(|one| one == second))),
        _ => out.push(length as u64),
    }
    Ok(())
}

/// Works on a set: `first` is its bits, `second` the other operand.
fn on_set(operation: Collection, first: &[u64], second: &[u64], out: &mut Vec<u64>) {
    let bit = |at: usize| {
        let number = second[0];
        if at as u64 == number / 64 { 1u64 << (number % 64) } else { 0 }
    };
    let each = |combine: &dyn Fn(usize, u64) -> u64, out: &mut Vec<u64>| {
        out.extend(first.iter().enumerate().map(|(at, word)| combine(at, *word)));
    };
    match operation {
        Collection::Insert => each(&|at, word| word | bit(at), out),
        Collection::Remove => each(&|at, word| word & !bit(at), out),
        Collection::Union => each(&|at, word| word | second[at], out),
        Collection::Intersection => each(&|at, word| word & second[at], out),
        Collection::Difference => each(&|at, word| word & !second[at], out),
        Collection::Has => {
            out.push(u64::from(first.iter().enumerate().any(|(at, word)| word & bit(at) != 0)));
        }
        _ => out.push(first.iter().map(|word| u64::from(word.count_ones())).sum()),
    }
}
