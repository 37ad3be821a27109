//! Values of terms and multisets that depend on nothing.

use crate::compile::Compiler;
use crate::fault::Fault;
use crate::frame::Frame;
use crate::net::{Closed, Listed};
use crate::patience::Patience;
use crate::term::{Bag, Term};
use crate::tokens::Draft;
use crate::types::Types;

/// The words of a term's value; of an integer, its 64 bits.
pub fn constant(types: &Types, term: &Closed<Term>, patience: Patience<'_>) -> Result<Box<[u64]>, Fault> {
    let mut slots = vec![0; term.frame];
    let mut words = Vec::new();
    Compiler::new(types).term(&term.body).push(&mut Frame::new(&mut slots, patience), &mut words)?;
    Ok(words.into())
}

/// The tokens of a multiset, in order, each value once.
pub fn constant_bag(types: &Types, bag: &Closed<Bag>, patience: Patience<'_>) -> Result<Listed, Fault> {
    let mut slots = vec![0; bag.frame];
    let compiler = Compiler::new(types);
    let mut draft = Draft::new(compiler.bag_width(&bag.body));
    compiler.bag(&bag.body)(&mut Frame::new(&mut slots, patience), &mut draft, 1)?;
    draft.settle()?;
    Ok(draft.iter().map(|(value, count)| (value.into(), count as u64)).collect())
}
