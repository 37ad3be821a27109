//! Terms that stand for a value or an integer.

use sweepnet_colour::term::{Node, Slot, Sort, Term};
use sweepnet_colour::{Shape, TypeId};

use super::declarations::{Declarations, Operator};
use super::scope::Scope;
use crate::error::clip;
use crate::pnml::tree::{DEEPEST, Element};
use crate::{ErrorKind, Position, ReadError};

/// Reads the terms of one label, or of all labels around a transition.
pub(super) struct Terms<'d, 'e> {
    pub(super) declared: &'d mut Declarations<'e>,
    pub(super) scope: Scope,
    depth: usize,
}

impl<'d, 'e> Terms<'d, 'e> {
    pub(super) fn new(declared: &'d mut Declarations<'e>, scope: Scope) -> Self {
        Self { declared, scope, depth: 0 }
    }

    /// A term that must be of this type.
    pub(super) fn value(&mut self, term: &'e Element, wanted: TypeId) -> Result<Term, ReadError> {
        let found = self.term(term, Some(wanted))?;
        let types = &self.declared.types;
        match (found.sort, &found.node) {
            (Sort::Of(type_), _) if type_ == wanted => Ok(found),
            (Sort::Int, Node::Integer(n)) if types.is_integer(wanted) => {
                self.constant(*n, wanted).ok_or_else(|| self.outside(*n, wanted, term.at))
            }
            (Sort::Int, _) if types.is_integer(wanted) => {
                Ok(Term::new(Node::Narrow(Box::new(found)), Sort::Of(wanted)))
            }
            (sort, _) => {
                let expected = format!("a value of {}", clip(&types.describe(wanted)));
                Err(ErrorKind::unexpected(self.describe(sort), expected).at(term.at))
            }
        }
    }

    /// A term that must be an integer.
    pub(super) fn integer(&mut self, term: &'e Element) -> Result<Term, ReadError> {
        let found = self.term(term, None)?;
        match found.sort {
            Sort::Int => Ok(found),
            Sort::Of(type_) if self.declared.types.is_integer(type_) => Ok(self.widen(found)),
            sort => Err(ErrorKind::unexpected(self.describe(sort), "a number").at(term.at)),
        }
    }

    /// A term of any type. If one is wanted, it helps with what has no type of its own, but is not checked.
    pub(super) fn term(&mut self, term: &'e Element, wanted: Option<TypeId>) -> Result<Term, ReadError> {
        self.enter(term.at)?;
        let read = match &*term.name {
            "variable" => self.variable(term),
            "useroperator" => self.user_operator(term, wanted),
            "tuple" => self.tuple(term, wanted),
            "dotconstant" => Ok(Term::unit()),
            "booleanconstant" => match term.require("booleanconstant", "value", "true or false")? {
                "true" | "1" => Ok(Term::bool(true)),
                "false" | "0" => Ok(Term::bool(false)),
                other => {
                    let found = format!("value=\"{}\"", clip(other));
                    Err(ErrorKind::unexpected(found, "true or false").at(term.at))
                }
            },
            "numberconstant" => term.number("numberconstant", "value", "a number").map(Term::int),
            "finiteintrangeconstant" => self.range_constant(term),
            "successor" => self.step(term, 1),
            "predecessor" => self.step(term, -1),
            "partitionelementof" => self.element_of(term),
            _ => self.operator(term),
        }?;
        self.leave();
        Ok(read)
    }

    /// Goes one level deeper.
    pub(super) fn enter(&mut self, at: Position) -> Result<(), ReadError> {
        self.declared.count_term(at)?;
        self.depth += 1;
        if self.depth > DEEPEST { Err(ErrorKind::TooDeep.at(at)) } else { Ok(()) }
    }

    /// Comes back from one level deeper.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The slot of a new variable inside a term.
    pub(super) fn bind(&mut self, type_: TypeId, at: Position) -> Result<Slot, ReadError> {
        self.scope.bind(&self.declared.types, type_).ok_or_else(|| ErrorKind::TooMuch.at(at))
    }

    fn variable(&mut self, term: &'e Element) -> Result<Term, ReadError> {
        let number = self.declared.find_variable(term)?;
        self.scope.find(self.declared, number).ok_or_else(|| {
            let found = format!("the variable '{}'", clip(self.declared.variable_list[number].name));
            ErrorKind::unexpected(found, "a term without variables").at(term.at)
        })
    }

    fn user_operator(&mut self, term: &'e Element, wanted: Option<TypeId>) -> Result<Term, ReadError> {
        match self.find_operator(term)? {
            Operator::Constant(type_, number) => Ok(Term::constant([number], type_)),
            Operator::Element(partition, number) => self.element(partition, number, term.at),
            Operator::Named(operator) => self.call(term, operator, wanted),
        }
    }

    /// The operator that an element refers to.
    pub(super) fn find_operator(&self, term: &'e Element) -> Result<Operator<'e>, ReadError> {
        let id = term.require("useroperator", "declaration", "the id of a constant or operator")?;
        let found = self.declared.operators.get(id).copied();
        found.ok_or_else(|| ErrorKind::Undeclared { kind: "constant or operator", id: clip(id) }.at(term.at))
    }

    /// A tuple. One of a single component is that component, where no product is wanted.
    fn tuple(&mut self, tuple: &'e Element, wanted: Option<TypeId>) -> Result<Term, ReadError> {
        let parts = tuple.operands()?;
        if let [part] = parts[..] {
            return self.term(part, wanted);
        }
        if parts.is_empty() {
            return Ok(Term::unit());
        }
        let mut terms = Vec::with_capacity(parts.len());
        if let Some(wanted) = wanted {
            for (part, type_) in self.fields(tuple, &parts, wanted)? {
                terms.push(self.value(part, type_)?);
            }
            return Ok(Term::new(Node::Struct(terms), Sort::Of(wanted)));
        }
        let mut types = Vec::with_capacity(parts.len());
        for part in parts {
            let read = self.term(part, None)?;
            types.push(self.type_of(&read, part)?);
            terms.push(read);
        }
        let made = self.declared.types.tuple(&types).map_err(|e| ErrorKind::from(e).at(tuple.at))?;
        Ok(Term::new(Node::Struct(terms), Sort::Of(made)))
    }

    /// The components of a tuple, with the types that they must be of.
    pub(super) fn fields(
        &self,
        tuple: &Element,
        parts: &[&'e Element],
        wanted: TypeId,
    ) -> Result<Vec<(&'e Element, TypeId)>, ReadError> {
        let types = &self.declared.types;
        let fields = types.fields(wanted);
        if fields.len() != parts.len() {
            let found = format!("a tuple of {} components", parts.len());
            let expected = match fields.len() {
                0 => format!("a value of {}", clip(&types.describe(wanted))),
                n => format!("a value of {}: {n} components", clip(&types.describe(wanted))),
            };
            return Err(ErrorKind::unexpected(found, expected).at(tuple.at));
        }
        Ok(parts.iter().copied().zip(fields.iter().map(|(_, type_)| *type_)).collect())
    }

    fn range_constant(&mut self, term: &'e Element) -> Result<Term, ReadError> {
        let n = term.number("finiteintrangeconstant", "value", "a number")?;
        let range = self.declared.sort(term.only("<finiteintrange>")?)?;
        if !self.declared.types.is_integer(range) {
            let found = format!("a value of {}", clip(&self.declared.types.describe(range)));
            return Err(ErrorKind::unexpected(found, "a range of integers").at(term.at));
        }
        self.constant(n, range).ok_or_else(|| self.outside(n, range, term.at))
    }

    /// The next value or the one before, on enumerations and ranges of any kind; after the last comes the first. The
    /// standard defines it on cyclic enumerations only, but others are used as if they were.
    fn step(&mut self, term: &'e Element, by: i64) -> Result<Term, ReadError> {
        let [operand] = term.exactly()?;
        let from = self.term(operand, None)?;
        let ordered = from.type_of().is_some_and(|type_| self.is_ordered(type_));
        if !ordered {
            let expected = "a value of an enumeration or range";
            return Err(ErrorKind::unexpected(self.describe(from.sort), expected).at(operand.at));
        }
        let sort = from.sort;
        Ok(Term::new(Node::Step { from: Box::new(from), by, wraps: true }, sort))
    }

    /// Whether values of a type come one after another.
    pub(super) fn is_ordered(&self, type_: TypeId) -> bool {
        matches!(self.declared.types.shape(type_), Shape::Bool | Shape::Range { .. } | Shape::Enum { .. })
    }

    /// An integer as a value of a range, if it is there.
    pub(super) fn constant(&self, n: i64, range: TypeId) -> Option<Term> {
        let Shape::Range { low, high, .. } = self.declared.types.shape(range) else { return None };
        (low..=high).contains(&&n).then(|| Term::constant([n.wrapping_sub(*low) as u64], range))
    }

    fn outside(&self, n: i64, range: TypeId, at: Position) -> ReadError {
        let expected = format!("a value of {}", clip(&self.declared.types.describe(range)));
        ErrorKind::unexpected(n.to_string(), expected).at(at)
    }

    /// The integer that a value of a range is.
    pub(super) fn widen(&self, term: Term) -> Term {
        match (term.sort, &term.node) {
            (Sort::Int, _) => term,
            (Sort::Of(type_), Node::Constant(words)) => {
                let low = self.declared.types.low(type_).unwrap_or(0);
                Term::int(low.wrapping_add(words[0] as i64))
            }
            _ => Term::new(Node::Widen(Box::new(term)), Sort::Int),
        }
    }

    /// The type of a term that must be a value.
    pub(super) fn type_of(&self, term: &Term, element: &Element) -> Result<TypeId, ReadError> {
        let integer = || ErrorKind::unexpected("a number", "a value of a finite sort").at(element.at);
        term.type_of().ok_or_else(integer)
    }

    /// What a sort is called in messages.
    pub(super) fn describe(&self, sort: Sort) -> String {
        match sort {
            Sort::Int => "a number".to_owned(),
            Sort::Of(type_) => format!("a value of {}", clip(&self.declared.types.describe(type_))),
        }
    }
}
