//! Partitions: a sort divided into elements, which are values of a sort of their own.

use std::rc::Rc;

use sweepnet_colour::term::{Node, Relation, Sort, Term};
use sweepnet_colour::{Bag, Shape, TypeId};

use super::declarations::{Declarations, Operator, id, new};
use super::named::Then;
use super::scope::Scope;
use super::sorts::names;
use super::terms::Terms;
use crate::error::clip;
use crate::pnml::tree::Element;
use crate::{ErrorKind, Position, ReadError};

/// What a partition says about its sort.
pub(super) struct Partition {
    /// The sort that it divides.
    pub(super) base: TypeId,
    /// The sort of its elements.
    pub(super) elements: TypeId,
    /// Runs of values in the same element, in order: the number of the first value, and the element.
    runs: Vec<(u64, u64)>,
}

impl<'e> Declarations<'e> {
    /// Reads a partition; gives the sort of its elements.
    pub(super) fn partition(
        &mut self,
        declaration: &'e Element,
        partition: &'e str,
        depth: usize,
    ) -> Result<TypeId, ReadError> {
        let wrong = |why: String| ErrorKind::Partition { id: clip(partition), why };
        let mut parts = Vec::new();
        let mut base = None;
        for part in declaration.content() {
            match &*part.name {
                "partitionelement" => parts.push((id(part, "partitionelement")?, part)),
                _ => base = Some(self.divided_sort(part, depth)?),
            }
        }
        let base = base.ok_or_else(|| wrong("has no sort".to_owned()).at(declaration.at))?;
        let size = self.types.size(base);
        let size = size.ok_or_else(|| wrong("divides too large a sort".to_owned()).at(declaration.at))?;
        let elements = self.make(Shape::Enum { names: names(&parts), cyclic: false }, declaration.at)?;
        let mut numbers = Vec::new();
        for (element, (id, part)) in parts.iter().enumerate() {
            let element = element as u64;
            new(&mut self.operators, *id, Operator::Element(partition, element), "operator", part.at)?;
            for value in part.operands()? {
                match Terms::new(self, Scope::constant()).value(value, base)?.node {
                    Node::Constant(words) => numbers.push((words[0], element)),
                    _ => {
                        let found = format!("<{}>", clip(&value.name));
                        return Err(ErrorKind::unexpected(found, "a constant").at(value.at));
                    }
                }
            }
        }
        numbers.sort_unstable();
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let value = self.types.show(base, &[pair[0].0]);
            return Err(wrong(format!("has the value '{}' twice", clip(&value))).at(declaration.at));
        }
        if numbers.len() as u64 != size {
            let missing = (0..).zip(&numbers).find(|(n, (number, _))| n != number);
            let missing = missing.map_or(numbers.len() as u64, |(n, _)| n);
            let value = self.types.show(base, &[missing]);
            return Err(wrong(format!("does not have the value '{}'", clip(&value))).at(declaration.at));
        }
        numbers.dedup_by_key(|(_, element)| *element);
        self.partitions.insert(partition, Partition { base, elements, runs: numbers }.into());
        Ok(elements)
    }
}

impl<'d, 'e> Terms<'d, 'e> {
    /// The name of an element, as a value of the sort of elements.
    pub(super) fn element(&self, id: &str, number: u64, at: Position) -> Result<Term, ReadError> {
        Ok(Term::constant([number], self.find_partition(id, at)?.elements))
    }

    /// The name of an element where tokens are expected: all its values, if these are of the divided sort.
    pub(super) fn spread_element(
        &mut self,
        (id, number): (&str, u64),
        term: &'e Element,
        type_: TypeId,
        then: Then<'_, 'd, 'e>,
    ) -> Result<Bag, ReadError> {
        let partition = self.find_partition(id, term.at)?;
        if partition.base != type_ || partition.elements == type_ {
            let value = self.value(term, type_)?;
            return then(self, value);
        }
        let size = self.declared.types.size(type_).unwrap_or(0);
        let ends: Vec<u64> = partition.runs.iter().skip(1).map(|(first, _)| *first).chain([size]).collect();
        let mut tokens = Vec::new();
        for ((first, element), end) in partition.runs.iter().zip(ends) {
            for value in (*first..end).take_while(|_| *element == number) {
                self.declared.count_term(term.at)?;
                tokens.push(then(self, Term::constant([value], type_))?);
            }
        }
        Ok(Bag::Sum(tokens))
    }

    fn find_partition(&self, id: &str, at: Position) -> Result<Rc<Partition>, ReadError> {
        let found = self.declared.partitions.get(id).cloned();
        found.ok_or_else(|| ErrorKind::Undeclared { kind: "partition", id: clip(id) }.at(at))
    }

    /// `<partitionelementof>`: the element that a value is in.
    pub(super) fn element_of(&mut self, term: &'e Element) -> Result<Term, ReadError> {
        let id = term.require("partitionelementof", "refpartition", "the id of a partition")?;
        let partition = self.find_partition(id, term.at)?;
        let [operand] = term.exactly()?;
        let value = self.value(operand, partition.base)?;
        let sort = Sort::Of(partition.elements);
        if matches!(value.node, Node::Variable(_) | Node::Constant(_)) {
            return Ok(partition.search(&value, &partition.runs));
        }
        let slot = self.bind(partition.base, term.at)?;
        let found = partition.search(&Term::variable(slot, value.sort), &partition.runs);
        Ok(Term::new(Node::Let(slot, Box::new(value), Box::new(found)), sort))
    }
}

impl Partition {
    /// The element of a value that is in one of these runs, by bisection.
    fn search(&self, value: &Term, runs: &[(u64, u64)]) -> Term {
        let (below, above) = runs.split_at(runs.len() / 2);
        if below.is_empty() {
            return Term::constant([above[0].1], self.elements);
        }
        let first = Term::constant([above[0].0], self.base);
        let is_below = Term::compare(Relation::Less, value.clone(), first);
        let (below, above) = (self.search(value, below), self.search(value, above));
        let choice = Node::If(Box::new(is_below), Box::new(below), Box::new(above));
        Term::new(choice, Sort::Of(self.elements))
    }
}
