//! Terms made ready to be evaluated often: each becomes a closure over the closures of its parts, so that nothing is
//! looked up or decided again.
//!
//! `scalars` has numbers, truth values and variables, `structures` structs, arrays and unions, `collections` lists and
//! sets, `bags` multisets and what asks of them.

mod bags;
mod collections;
mod constants;
mod scalars;
mod structures;

use std::sync::Arc;

use crate::fault::Fault;
use crate::frame::Frame;
use crate::net::ColouredNet;
use crate::term::{Node, Sort, Term};
use crate::types::{TypeId, Types};

pub use bags::BagCode;

/// A compiled term that gives one word: an integer, or the number of a narrow value.
pub type WordCode = Box<dyn Fn(&mut Frame<'_>) -> Result<u64, Fault> + Send + Sync>;

/// A compiled term that gives the words of a wide value, behind what is there.
pub type WideCode = Box<dyn Fn(&mut Frame<'_>, &mut Vec<u64>) -> Result<(), Fault> + Send + Sync>;

/// A compiled term.
pub enum Code {
    /// One word.
    Word(WordCode),
    /// Several words.
    Wide(WideCode),
}

/// The largest type that a quantifier or `all` goes through.
pub const ENUMERABLE: u64 = 1 << 24;

impl Code {
    /// Appends the value's words.
    #[inline]
    pub fn push(&self, frame: &mut Frame<'_>, out: &mut Vec<u64>) -> Result<(), Fault> {
        match self {
            Self::Word(code) => {
                let word = code(frame)?;
                out.push(word);
                Ok(())
            }
            Self::Wide(code) => code(frame, out),
        }
    }

    /// The value of a term that gives one word.
    fn word(self) -> WordCode {
        match self {
            Self::Word(code) => code,
            Self::Wide(code) => Box::new(move |frame| {
                let mut words = Vec::new();
                code(frame, &mut words)?;
                Ok(words[0])
            }),
        }
    }

    /// Writes the value into the frame.
    pub fn store(&self, frame: &mut Frame<'_>, slot: usize) -> Result<(), Fault> {
        match self {
            Self::Word(code) => frame.slots[slot] = code(frame)?,
            Self::Wide(code) => {
                let mut words = Vec::new();
                code(frame, &mut words)?;
                frame.slots[slot..slot + words.len()].copy_from_slice(&words);
            }
        }
        Ok(())
    }
}

/// Makes closures of terms.
#[derive(Clone)]
pub struct Compiler {
    types: Arc<Types>,
    /// Words of the values in each place.
    places: Arc<[usize]>,
}

impl Compiler {
    /// A compiler for terms over these types that do not speak of places.
    pub fn new(types: &Types) -> Self {
        Self { types: Arc::new(types.clone()), places: Arc::new([]) }
    }

    /// A compiler for the terms of a net.
    pub fn for_net(net: &ColouredNet) -> Self {
        let places = net.places.iter().map(|place| net.types.width(place.type_)).collect();
        Self { types: Arc::new(net.types.clone()), places }
    }

    /// The types.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// Words of the values in a place of the net.
    pub fn width_of(&self, place: usize) -> usize {
        self.places.get(place).copied().unwrap_or(1)
    }

    /// The types, to keep.
    pub fn shared_types(&self) -> Arc<Types> {
        Arc::clone(&self.types)
    }

    /// Compiles a term that gives one word: an integer, a truth value, a narrow value.
    pub fn word(&self, term: &Term) -> WordCode {
        self.term(term).word()
    }

    /// Compiles a term that is true or false.
    pub fn condition(
        &self,
        term: &Term,
    ) -> impl Fn(&mut Frame<'_>) -> Result<bool, Fault> + Send + Sync + use<> {
        let code = self.word(term);
        move |frame| Ok(code(frame)? != 0)
    }

    /// Compiles a term.
    pub fn term(&self, term: &Term) -> Code {
        match &term.node {
            Node::Integer(_)
            | Node::Constant(_)
            | Node::Variable(_)
            | Node::Widen(_)
            | Node::Narrow(_)
            | Node::Convert(_)
            | Node::Arithmetic(..)
            | Node::Compare(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::If(..)
            | Node::Let(..)
            | Node::Step { .. }
            | Node::Quantified(..) => self.scalar(term),
            Node::Struct(_)
            | Node::Field(..)
            | Node::WithField(..)
            | Node::Element(..)
            | Node::WithElement(..)
            | Node::Fill(..)
            | Node::Variant(..)
            | Node::Is(..)
            | Node::Content(..) => self.structure(term),
            Node::List(_) | Node::Set(_) | Node::SetOf(..) | Node::Collection(..) => self.collection(term),
            Node::Count(_)
            | Node::CountOf(..)
            | Node::CompareBags(..)
            | Node::Enabled(..)
            | Node::Deadlock
            | Node::Initial
            | Node::Clock => Code::Word(self.question(term)),
        }
    }

    /// Whether a sort takes one word.
    fn is_word(&self, sort: Sort) -> bool {
        match sort {
            Sort::Int => true,
            Sort::Of(id) => self.types.is_narrow(id),
        }
    }

    /// The type of a term that is a value.
    fn type_of(&self, term: &Term) -> TypeId {
        term.type_of().unwrap_or(TypeId::UNIT)
    }

    /// A code for values of a type, from one that appends the words of their components.
    fn closing(
        &self,
        id: TypeId,
        parts: impl Fn(&mut Frame<'_>, &mut Vec<u64>) -> Result<(), Fault> + Send + Sync + 'static,
    ) -> Code {
        let types = Arc::clone(&self.types);
        let wide = move |frame: &mut Frame<'_>, out: &mut Vec<u64>| {
            let start = out.len();
            parts(frame, out)?;
            types.close(id, out, start).then_some(()).ok_or(Fault::NotInSubset { type_: id })
        };
        if self.types.is_narrow(id) {
            Code::Wide(Box::new(wide)).word().into()
        } else {
            Code::Wide(Box::new(wide))
        }
    }
}

impl From<WordCode> for Code {
    fn from(code: WordCode) -> Self {
        Self::Word(code)
    }
}
