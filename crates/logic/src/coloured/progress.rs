//! Measures of progress of coloured nets, on their unfoldings.
//!
//! What is linear or a polynomial in token counts becomes just that. The rest keeps the shape of its term: what depends
//! on conditions is decided in each marking.

use std::sync::Arc;

use sweepnet_colour::term::{Arithmetic, Part};
use sweepnet_colour::{ColouredNet, Node, Patience, Progress, Term, Unfolding};
use sweepnet_net::PlaceId;
use sweepnet_space::progress::{Component, Function, Measure, Order};

use super::Untranslated;
use super::translate::Translator;
use crate::progress::{Tokens, component};
use crate::{Expression, Predicate};

/// A measure over the unfolding of a net, or why there is none: `clock` has no value there, for example. How it is
/// written is for the caller to say.
pub fn translate_progress(
    net: &ColouredNet,
    unfolding: &Unfolding,
    progress: &Progress,
    text: &str,
    patience: Patience<'_>,
) -> Result<Measure, Untranslated> {
    let mut timed = false;
    let mut components = Vec::with_capacity(progress.parts.len());
    for part in &progress.parts {
        part.body.walk(&mut |part| timed |= matches!(part, Part::Term(Term { node: Node::Clock, .. })));
        if timed {
            return Err(Untranslated::Clock);
        }
        let mut translator = Translator::new(net, unfolding, patience);
        components.push(match tree(&mut translator, &part.body, &mut vec![0; part.frame])? {
            Tree::Polynomial(expression) => component(expression),
            tree => Component::Function(Arc::new(tree)),
        });
    }
    let order = if progress.componentwise { Order::Componentwise } else { Order::Lexicographic };
    Ok(Measure { components, order, text: text.to_owned() })
}

/// An integer that may depend on conditions.
#[derive(Debug)]
enum Tree {
    Polynomial(Expression),
    Sum(Vec<Tree>),
    Operation(Arithmetic, Box<[Tree; 2]>),
    Choice(Predicate, Box<[Tree; 2]>),
}

fn tree(translator: &mut Translator<'_>, term: &Term, slots: &mut [u64]) -> Result<Tree, Untranslated> {
    if !translator.depends(term) {
        return leaf(translator, term, slots);
    }
    Ok(match &term.node {
        Node::Arithmetic(operator, left, right) => {
            let both = [tree(translator, left, slots)?, tree(translator, right, slots)?];
            operation(*operator, both)?
        }
        Node::If(condition, then, other) => match translator.predicate(condition, slots)? {
            Predicate::True => tree(translator, then, slots)?,
            Predicate::False => tree(translator, other, slots)?,
            condition => {
                let both = [tree(translator, then, slots)?, tree(translator, other, slots)?];
                Tree::Choice(condition, Box::new(both))
            }
        },
        Node::Quantified(_, slot, domain, body) => {
            let (mut plain, mut parts) = (Vec::new(), Vec::new());
            for number in 0..translator.size(*domain)? {
                slots[*slot] = number;
                match tree(translator, body, slots)? {
                    Tree::Polynomial(expression) => plain.push(expression),
                    part => parts.push(part),
                }
            }
            let plain = Tree::Polynomial(Expression::sum(plain)?);
            if parts.is_empty() {
                return Ok(plain);
            }
            parts.push(plain);
            Tree::Sum(parts)
        }
        _ => leaf(translator, term, slots)?,
    })
}

/// What is spelt out by cases, one choice after the other.
fn leaf(translator: &mut Translator<'_>, term: &Term, slots: &mut [u64]) -> Result<Tree, Untranslated> {
    let mut cases = translator.expression(term, slots)?.0;
    let (_, last) = cases.pop().ok_or(Untranslated::NotLinear)?;
    let choose = |other, (case, it)| Tree::Choice(case, Box::new([Tree::Polynomial(it), other]));
    // Exactly one case holds: where no other does, the last one.
    Ok(cases.into_iter().fold(Tree::Polynomial(last), choose))
}

fn operation(operator: Arithmetic, both: [Tree; 2]) -> Result<Tree, Untranslated> {
    Ok(match (operator, both) {
        (Arithmetic::Add, [Tree::Polynomial(a), Tree::Polynomial(b)]) => {
            Tree::Polynomial(Expression::sum([a, b])?)
        }
        (Arithmetic::Subtract, [Tree::Polynomial(a), Tree::Polynomial(b)]) => {
            Tree::Polynomial(Expression::sum([a, b.negate()])?)
        }
        (Arithmetic::Multiply, [Tree::Polynomial(a), Tree::Polynomial(b)]) => {
            Tree::Polynomial(Expression::product([a, b])?)
        }
        (operator, both) => Tree::Operation(operator, Box::new(both)),
    })
}

impl Function for Tree {
    fn value(&self, tokens: &dyn Fn(PlaceId) -> u64) -> Option<i64> {
        self.eval(&Tokens(tokens)).and_then(|value| i64::try_from(value).ok())
    }
}

impl Tree {
    fn eval(&self, view: &Tokens<'_>) -> Option<i128> {
        match self {
            Self::Polynomial(expression) => expression.eval(view).ok(),
            Self::Sum(parts) => parts.iter().try_fold(0_i128, |sum, part| sum.checked_add(part.eval(view)?)),
            Self::Choice(condition, both) => {
                let chosen = usize::from(!condition.eval(view).ok()?);
                both[chosen].eval(view)
            }
            Self::Operation(operator, both) => {
                let (a, b) = (both[0].eval(view)?, both[1].eval(view)?);
                match operator {
                    Arithmetic::Add => a.checked_add(b),
                    Arithmetic::Subtract => a.checked_sub(b),
                    Arithmetic::Multiply => a.checked_mul(b),
                    Arithmetic::Divide => divide(a, b).map(|(quotient, _)| quotient),
                    Arithmetic::Modulo => divide(a, b).map(|(_, rest)| rest),
                    Arithmetic::Min => Some(a.min(b)),
                    Arithmetic::Max => Some(a.max(b)),
                }
            }
        }
    }
}

/// Quotient, rounded down, and rest; nothing if the divisor is 0.
fn divide(a: i128, b: i128) -> Option<(i128, i128)> {
    let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
    let down = rest != 0 && (rest < 0) != (b < 0);
    Some(if down { (quotient - 1, rest + b) } else { (quotient, rest) })
}
