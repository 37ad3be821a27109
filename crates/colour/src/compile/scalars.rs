//! Numbers, truth values, variables, and what steers evaluation.

use std::sync::Arc;

use super::{Code, Compiler, ENUMERABLE, WordCode};
use crate::fault::Fault;
use crate::term::{Arithmetic, Node, Quantifier, Relation, Sort, Term};
use crate::types::Shape;
use crate::value::{beyond, within};

impl Compiler {
    pub(super) fn scalar(&self, term: &Term) -> Code {
        match &term.node {
            Node::Constant(words) if !self.is_word(term.sort) => {
                let words = words.clone();
                Code::Wide(Box::new(move |_, out| {
                    out.extend_from_slice(&words);
                    Ok(())
                }))
            }
            Node::Variable(slot) if !self.is_word(term.sort) => {
                let (slot, width) = (*slot, self.types().width(self.type_of(term)));
                Code::Wide(Box::new(move |frame, out| {
                    out.extend_from_slice(&frame.slots[slot..slot + width]);
                    Ok(())
                }))
            }
            Node::If(condition, then, other) => {
                let condition = self.condition(condition);
                match (self.term(then), self.term(other)) {
                    (Code::Word(then), Code::Word(other)) => {
                        Code::Word(Box::new(move |f| if condition(f)? { then(f) } else { other(f) }))
                    }
                    (then, other) => Code::Wide(Box::new(move |f, out| match condition(f)? {
                        true => then.push(f, out),
                        false => other.push(f, out),
                    })),
                }
            }
            Node::Let(slot, value, body) => {
                let (slot, value) = (*slot, self.term(value));
                match self.term(body) {
                    Code::Word(body) => Code::Word(Box::new(move |frame| {
                        value.store(frame, slot)?;
                        body(frame)
                    })),
                    Code::Wide(body) => Code::Wide(Box::new(move |frame, out| {
                        value.store(frame, slot)?;
                        body(frame, out)
                    })),
                }
            }
            Node::Convert(value) => {
                let (from, to) = (self.type_of(value), self.type_of(term));
                let (value, types) = (self.term(value), Arc::clone(&self.types));
                let wide = move |frame: &mut crate::Frame<'_>, out: &mut Vec<u64>| {
                    let mut words = Vec::new();
                    value.push(frame, &mut words)?;
                    let fits = types.encode(to, &types.decode(from, &words), out);
                    fits.then_some(()).ok_or(Fault::NotInSubset { type_: to })
                };
                match self.is_word(term.sort) {
                    true => Code::Word(Code::Wide(Box::new(wide)).word()),
                    false => Code::Wide(Box::new(wide)),
                }
            }
            _ => Code::Word(self.one_word(term)),
        }
    }

    fn one_word(&self, term: &Term) -> WordCode {
        match &term.node {
            Node::Integer(n) => {
                let n = *n as u64;
                Box::new(move |_| Ok(n))
            }
            Node::Constant(words) => {
                let word = words[0];
                Box::new(move |_| Ok(word))
            }
            Node::Variable(slot) => {
                let slot = *slot;
                Box::new(move |frame| Ok(frame.slots[slot]))
            }
            Node::Widen(value) => self.widen(value),
            Node::Narrow(value) => self.narrow(term, value),
            Node::Arithmetic(operator, left, right) => {
                arithmetic(*operator, self.word(left), self.word(right))
            }
            Node::Compare(relation, left, right) => self.compare(*relation, left, right),
            Node::Not(operand) => {
                let operand = self.word(operand);
                Box::new(move |frame| Ok(operand(frame)? ^ 1))
            }
            Node::And(operands) => {
                let operands: Vec<WordCode> = operands.iter().map(|operand| self.word(operand)).collect();
                Box::new(move |frame| {
                    for operand in &operands {
                        if operand(frame)? == 0 {
                            return Ok(0);
                        }
                    }
                    Ok(1)
                })
            }
            Node::Or(operands) => {
                let operands: Vec<WordCode> = operands.iter().map(|operand| self.word(operand)).collect();
                Box::new(move |frame| {
                    for operand in &operands {
                        if operand(frame)? != 0 {
                            return Ok(1);
                        }
                    }
                    Ok(0)
                })
            }
            Node::Step { from, by, wraps } => {
                let (from_code, by, wraps) = (self.word(from), i128::from(*by), *wraps);
                let size = self.types().size(self.type_of(term)).map(i128::from);
                Box::new(move |frame| {
                    let to = i128::from(from_code(frame)?) + by;
                    match size {
                        Some(size) if wraps => Ok(to.rem_euclid(size) as u64),
                        Some(size) if (0..size).contains(&to) => Ok(to as u64),
                        _ => Err(Fault::BeyondTheEnd),
                    }
                })
            }
            Node::Quantified(quantifier, slot, domain, body) => {
                let (slot, body) = (*slot, self.word(body));
                let size = self.types().size(*domain).filter(|size| *size <= ENUMERABLE);
                let quantifier = *quantifier;
                Box::new(move |frame| {
                    let mut sum = 0i64;
                    for number in 0..size.ok_or(Fault::TooLarge)? {
                        frame.step()?;
                        frame.slots[slot] = number;
                        let value = body(frame)?;
                        match quantifier {
                            Quantifier::Forall if value == 0 => return Ok(0),
                            Quantifier::Exists if value != 0 => return Ok(1),
                            Quantifier::Sum => sum = sum.checked_add(value as i64).ok_or(Fault::Overflow)?,
                            _ => {}
                        }
                    }
                    Ok(match quantifier {
                        Quantifier::Forall => 1,
                        Quantifier::Exists => 0,
                        Quantifier::Sum => sum as u64,
                    })
                })
            }
            _ => unreachable!("the other terms are compiled elsewhere"),
        }
    }

    fn widen(&self, value: &Term) -> WordCode {
        let (id, value) = (self.type_of(value), self.word(value));
        let low = self.types().low(id).unwrap_or(0);
        match self.types().shape(id) {
            Shape::Subset { runs, .. } => {
                let runs = runs.clone();
                Box::new(move |frame| Ok(low.wrapping_add(beyond(&runs, value(frame)?) as i64) as u64))
            }
            _ if low == 0 => value,
            _ => Box::new(move |frame| Ok(low.wrapping_add(value(frame)? as i64) as u64)),
        }
    }

    fn narrow(&self, term: &Term, value: &Term) -> WordCode {
        let (id, value) = (self.type_of(term), self.word(value));
        let low = self.types().low(id).unwrap_or(0);
        let outside = move |n: i64| Fault::OutOfRange { value: n, type_: id };
        match self.types().shape(id) {
            Shape::Subset { runs, .. } => {
                let runs = runs.clone();
                Box::new(move |frame| {
                    let n = value(frame)? as i64;
                    let number = n.checked_sub(low).and_then(|n| u64::try_from(n).ok());
                    number.and_then(|number| within(&runs, number)).ok_or_else(|| outside(n))
                })
            }
            _ => {
                let size = self.types().size(id).unwrap_or(0);
                Box::new(move |frame| {
                    let n = value(frame)? as i64;
                    let number = n.wrapping_sub(low) as u64;
                    if n < low || number >= size { Err(outside(n)) } else { Ok(number) }
                })
            }
        }
    }

    fn compare(&self, relation: Relation, left: &Term, right: &Term) -> WordCode {
        let signed = left.sort == Sort::Int;
        match (self.term(left), self.term(right)) {
            (Code::Word(left), Code::Word(right)) => match relation {
                Relation::Equal => Box::new(move |f| Ok(u64::from(left(f)? == right(f)?))),
                Relation::NotEqual => Box::new(move |f| Ok(u64::from(left(f)? != right(f)?))),
                _ if signed => Box::new(move |f| {
                    let (left, right) = (left(f)? as i64, right(f)? as i64);
                    Ok(u64::from(relation.holds(left.cmp(&right))))
                }),
                _ => Box::new(move |f| Ok(u64::from(relation.holds(left(f)?.cmp(&right(f)?))))),
            },
            (left, right) => Box::new(move |frame| {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                left.push(frame, &mut a)?;
                right.push(frame, &mut b)?;
                Ok(u64::from(relation.holds(a.cmp(&b))))
            }),
        }
    }
}

fn arithmetic(operator: Arithmetic, left: WordCode, right: WordCode) -> WordCode {
    macro_rules! checked {
        ($method:ident) => {
            Box::new(move |frame| {
                let (left, right) = (left(frame)? as i64, right(frame)? as i64);
                left.$method(right).map(|n| n as u64).ok_or(Fault::Overflow)
            })
        };
    }
    match operator {
        Arithmetic::Add => checked!(checked_add),
        Arithmetic::Subtract => checked!(checked_sub),
        Arithmetic::Multiply => checked!(checked_mul),
        Arithmetic::Min => Box::new(move |frame| Ok((left(frame)? as i64).min(right(frame)? as i64) as u64)),
        Arithmetic::Max => Box::new(move |frame| Ok((left(frame)? as i64).max(right(frame)? as i64) as u64)),
        Arithmetic::Divide | Arithmetic::Modulo => Box::new(move |frame| {
            let (left, right) = (left(frame)? as i64, right(frame)? as i64);
            if right == 0 {
                return Err(Fault::DivisionByZero);
            }
            let (mut quotient, mut rest) =
                (left.checked_div(right).ok_or(Fault::Overflow)?, left.wrapping_rem(right));
            if rest != 0 && (rest < 0) != (right < 0) {
                quotient -= 1;
                rest += right;
            }
            Ok(if operator == Arithmetic::Divide { quotient } else { rest } as u64)
        }),
    }
}

impl Relation {
    /// Whether it holds between two things in this order.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
        }
    }
}
