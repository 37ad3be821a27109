//! Logic, comparison and arithmetic.

use sweepnet_colour::term::{Arithmetic, Node, Relation, Sort, Term};
use sweepnet_colour::{Bag, TypeId};

use super::terms::Terms;
use crate::error::clip;
use crate::pnml::tree::Element;
use crate::{ErrorKind, ReadError};

impl<'e> Terms<'_, 'e> {
    /// A term that begins with an operator of the standard.
    pub(super) fn operator(&mut self, term: &'e Element) -> Result<Term, ReadError> {
        match &*term.name {
            "and" => Ok(Term::and(self.conditions(term, true)?)),
            "or" => Ok(Term::or(self.conditions(term, false)?)),
            "not" => {
                let [operand] = term.exactly()?;
                let operand = self.value(operand, TypeId::BOOL)?;
                Ok(Term::truth(Node::Not(Box::new(operand))))
            }
            "imply" => {
                let [condition, consequence] = term.exactly()?;
                let condition = self.value(condition, TypeId::BOOL)?;
                let consequence = self.value(consequence, TypeId::BOOL)?;
                Ok(Term::or(vec![Term::truth(Node::Not(Box::new(condition))), consequence]))
            }
            "equality" => self.comparison(term, Relation::Equal),
            "inequality" => self.comparison(term, Relation::NotEqual),
            "lessthan" | "lt" | "ltp" => self.comparison(term, Relation::Less),
            "lessthanorequal" | "leq" => self.comparison(term, Relation::LessEqual),
            "greaterthan" | "gt" | "gtp" => self.comparison(term, Relation::Greater),
            "greaterthanorequal" | "geq" => self.comparison(term, Relation::GreaterEqual),
            "addition" => self.arithmetic(term, Arithmetic::Add),
            "subtraction" => self.arithmetic(term, Arithmetic::Subtract),
            "mult" => self.arithmetic(term, Arithmetic::Multiply),
            "div" => self.arithmetic(term, Arithmetic::Divide),
            "mod" => self.arithmetic(term, Arithmetic::Modulo),
            "cardinality" => {
                let [bag] = term.exactly()?;
                let bag = self.any_bag(bag)?;
                Ok(Term::new(Node::Count(Box::new(bag)), Sort::Int))
            }
            "cardinalityof" => {
                let [bag, value] = term.exactly()?;
                let type_ = self.bag_type(bag)?;
                let (bag, value) = (self.bag(bag, type_)?, self.value(value, type_)?);
                Ok(Term::new(Node::CountOf(Box::new(bag), Box::new(value)), Sort::Int))
            }
            "contains" => self.bag_comparison(term, Relation::GreaterEqual),
            "all" | "empty" | "numberof" | "add" | "subtract" | "scalarproduct" => {
                let found = format!("<{}>, a multiset", &*term.name);
                Err(ErrorKind::unexpected(found, "a single value").at(term.at))
            }
            name => Err(ErrorKind::Unsupported { kind: "operator", name: clip(name) }.at(term.at)),
        }
    }

    /// The parts of a conjunction or disjunction; those of one inside another are its own.
    fn conditions(&mut self, term: &'e Element, conjunction: bool) -> Result<Vec<Term>, ReadError> {
        let mut parts = Vec::new();
        for operand in term.operands()? {
            let part = self.value(operand, TypeId::BOOL)?;
            match (part.node, conjunction) {
                (Node::And(more), true) | (Node::Or(more), false) => parts.extend(more),
                (node, _) => parts.push(Term::truth(node)),
            }
        }
        Ok(parts)
    }

    fn arithmetic(&mut self, term: &'e Element, operator: Arithmetic) -> Result<Term, ReadError> {
        let [left, right] = term.exactly()?;
        Ok(Term::arithmetic(operator, self.integer(left)?, self.integer(right)?))
    }

    fn comparison(&mut self, term: &'e Element, relation: Relation) -> Result<Term, ReadError> {
        let [left, right] = term.exactly()?;
        let is_equality = matches!(relation, Relation::Equal | Relation::NotEqual);
        if is_equality && (is_multiset(left) || is_multiset(right)) {
            return self.bag_comparison(term, relation);
        }
        let a = self.term(left, None)?;
        let b = self.term(right, a.type_of())?;
        let unordered = a.type_of().filter(|type_| !is_equality && !self.is_ordered(*type_));
        if let Some(type_) = unordered {
            let found = self.describe(Sort::Of(type_));
            return Err(ErrorKind::unexpected(found, "a value of an enumeration or range").at(left.at));
        }
        if a.sort == b.sort {
            return Ok(Term::compare(relation, a, b));
        }
        if !self.is_number(a.sort) || !self.is_number(b.sort) {
            let found = self.describe(b.sort);
            return Err(ErrorKind::unexpected(found, self.describe(a.sort)).at(right.at));
        }
        let (a, b) = self.align(a, b);
        Ok(Term::compare(relation, a, b))
    }

    fn is_number(&self, sort: Sort) -> bool {
        match sort {
            Sort::Int => true,
            Sort::Of(type_) => self.declared.types.is_integer(type_),
        }
    }

    /// Brings two numbers of different ranges to the same: a constant to the range of the other if it is in there,
    /// else both to integers.
    fn align(&self, a: Term, b: Term) -> (Term, Term) {
        let (wide_a, wide_b) = (self.widen(a.clone()), self.widen(b.clone()));
        let fitted = |wide: &Term, other: &Term| match (&wide.node, other.sort) {
            (Node::Integer(n), Sort::Of(range)) => self.constant(*n, range),
            _ => None,
        };
        if let Some(b) = fitted(&wide_b, &a) {
            (a, b)
        } else if let Some(a) = fitted(&wide_a, &b) {
            (a, b)
        } else {
            (wide_a, wide_b)
        }
    }

    fn any_bag(&mut self, bag: &'e Element) -> Result<Bag, ReadError> {
        let type_ = self.bag_type(bag)?;
        self.bag(bag, type_)
    }

    fn bag_comparison(&mut self, term: &'e Element, relation: Relation) -> Result<Term, ReadError> {
        let [left, right] = term.exactly()?;
        let type_ = self.bag_type(if is_multiset(left) { left } else { right })?;
        let (left, right) = (self.bag(left, type_)?, self.bag(right, type_)?);
        Ok(Term::truth(Node::CompareBags(relation, Box::new(left), Box::new(right))))
    }
}

/// Whether a term can only be a multiset.
pub(super) fn is_multiset(term: &Element) -> bool {
    matches!(&*term.name, "all" | "empty" | "numberof" | "add" | "subtract" | "scalarproduct")
}
