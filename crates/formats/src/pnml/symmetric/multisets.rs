//! Terms where tokens are expected.
//!
//! A multiset may also be a component of a tuple, which then stands for the tuples of all its tokens: `(x, all S)` is
//! the sum over y in S of `(x, y)`, and sums, differences and multiples inside a tuple are those of tuples. An element
//! of a partition stands for all its values.

use sweepnet_colour::term::{Node, Sort, Term};
use sweepnet_colour::{Bag, Shape, TypeId};

use super::declarations::Operator;
use super::named::Then;
use super::operators::is_multiset;
use super::terms::Terms;
use crate::pnml::tree::Element;
use crate::{ErrorKind, ReadError};

impl<'d, 'e> Terms<'d, 'e> {
    /// The tokens that a term stands for; one, if it is a value.
    pub(super) fn bag(&mut self, term: &'e Element, type_: TypeId) -> Result<Bag, ReadError> {
        self.spread(term, type_, &mut |_, value| Ok(Bag::One(value)))
    }

    /// All that becomes of the tokens that a term stands for.
    pub(super) fn spread(
        &mut self,
        term: &'e Element,
        type_: TypeId,
        then: Then<'_, 'd, 'e>,
    ) -> Result<Bag, ReadError> {
        self.enter(term.at)?;
        let read = match &*term.name {
            "all" => self.all(term, type_, then)?,
            "empty" => {
                self.check_sort(term, type_)?;
                Bag::Empty
            }
            "numberof" | "scalarproduct" => match term.operands()?[..] {
                [operand] if &*term.name == "numberof" => self.spread(operand, type_, then)?,
                [count, operand] => {
                    let times = self.count(count)?;
                    self.spread(operand, type_, then)?.times(times)
                }
                _ => {
                    let [_, _] = term.exactly()?;
                    Bag::Empty
                }
            },
            "add" => self.sum(&term.operands()?, type_, then)?,
            "subtract" => match term.operands()?[..] {
                [from, ref less @ ..] if !less.is_empty() => {
                    let from = self.spread(from, type_, then)?;
                    Bag::Difference(Box::new(from), Box::new(self.sum(less, type_, then)?))
                }
                _ => {
                    let [_, _] = term.exactly()?;
                    Bag::Empty
                }
            },
            "tuple" => self.spread_tuple(term, type_, then)?,
            "useroperator" => match self.find_operator(term)? {
                Operator::Named(operator) => self.call_bag(term, operator, type_, then)?,
                Operator::Element(id, number) => self.spread_element((id, number), term, type_, then)?,
                Operator::Constant(..) => {
                    let value = self.value(term, type_)?;
                    then(self, value)?
                }
            },
            _ => {
                let value = self.value(term, type_)?;
                then(self, value)?
            }
        };
        self.leave();
        Ok(read)
    }

    fn sum(
        &mut self,
        terms: &[&'e Element],
        type_: TypeId,
        then: Then<'_, 'd, 'e>,
    ) -> Result<Bag, ReadError> {
        let mut parts = Vec::with_capacity(terms.len());
        for term in terms {
            match self.spread(term, type_, then)? {
                Bag::Sum(more) => parts.extend(more),
                Bag::Empty => {}
                part => parts.push(part),
            }
        }
        Ok(match parts.len() {
            0 => Bag::Empty,
            1 => parts.remove(0),
            _ => Bag::Sum(parts),
        })
    }

    fn all(&mut self, term: &'e Element, type_: TypeId, then: Then<'_, 'd, 'e>) -> Result<Bag, ReadError> {
        self.check_sort(term, type_)?;
        let slot = self.bind(type_, term.at)?;
        let variable = Term::variable(slot, Sort::Of(type_));
        match then(self, variable.clone())? {
            Bag::One(value) if value == variable => Ok(Bag::All(type_)),
            each => Ok(Bag::For(slot, type_, None, Box::new(each))),
        }
    }

    fn check_sort(&mut self, term: &'e Element, wanted: TypeId) -> Result<(), ReadError> {
        let Some(sort) = term.content().next() else { return Ok(()) };
        let found = self.declared.sort(sort)?;
        if found == wanted {
            return Ok(());
        }
        let expected = self.describe(Sort::Of(wanted));
        Err(ErrorKind::unexpected(self.describe(Sort::Of(found)), expected).at(sort.at))
    }

    fn count(&mut self, count: &'e Element) -> Result<Term, ReadError> {
        let times = self.integer(count)?;
        match times.node {
            Node::Integer(n) if n < 0 => {
                let found = format!("{n} tokens");
                Err(ErrorKind::unexpected(found, "a number that is not negative").at(count.at))
            }
            _ => Ok(times),
        }
    }

    fn spread_tuple(
        &mut self,
        tuple: &'e Element,
        type_: TypeId,
        then: Then<'_, 'd, 'e>,
    ) -> Result<Bag, ReadError> {
        let parts = tuple.operands()?;
        if !matches!(self.declared.types.shape(type_), Shape::Struct(_))
            && let [part] = parts[..]
        {
            return self.spread(part, type_, then);
        }
        if parts.is_empty() || parts.iter().all(|part| self.is_value(part)) {
            let value = self.value(tuple, type_)?;
            return then(self, value);
        }
        let fields = self.fields(tuple, &parts, type_)?;
        self.spread_fields(&fields, Vec::new(), type_, then)
    }

    fn spread_fields(
        &mut self,
        parts: &[(&'e Element, TypeId)],
        mut done: Vec<Term>,
        tuple: TypeId,
        then: Then<'_, 'd, 'e>,
    ) -> Result<Bag, ReadError> {
        for (i, (part, type_)) in parts.iter().enumerate() {
            if self.is_value(part) {
                done.push(self.value(part, *type_)?);
                continue;
            }
            return self.spread(part, *type_, &mut |this, value| {
                let done = done.iter().cloned().chain([value]).collect();
                this.spread_fields(&parts[i + 1..], done, tuple, then)
            });
        }
        then(self, Term::new(Node::Struct(done), Sort::Of(tuple)))
    }

    /// Whether a term is certainly a single value.
    fn is_value(&self, term: &'e Element) -> bool {
        match &*term.name {
            "tuple" => term.operands().is_ok_and(|parts| parts.iter().all(|part| self.is_value(part))),
            "useroperator" => matches!(self.find_operator(term), Ok(Operator::Constant(..))),
            _ => !is_multiset(term),
        }
    }

    /// The type of the tokens of a multiset whose place is not known.
    pub(super) fn bag_type(&mut self, term: &'e Element) -> Result<TypeId, ReadError> {
        self.enter(term.at)?;
        let type_ = match &*term.name {
            "all" | "empty" => self.declared.sort(term.only("a sort")?)?,
            "numberof" | "scalarproduct" | "add" | "subtract" => match term.operands()?[..] {
                [.., last] => self.bag_type(last)?,
                [] => {
                    let [_, _] = term.exactly()?;
                    TypeId::UNIT
                }
            },
            "tuple" => {
                let mut types = Vec::new();
                for part in term.operands()? {
                    types.push(self.bag_type(part)?);
                }
                match types[..] {
                    [] => TypeId::UNIT,
                    [type_] => type_,
                    _ => self.declared.types.tuple(&types).map_err(|e| ErrorKind::from(e).at(term.at))?,
                }
            }
            _ => {
                let read = self.term(term, None)?;
                self.type_of(&read, term)?
            }
        };
        self.leave();
        Ok(type_)
    }
}
