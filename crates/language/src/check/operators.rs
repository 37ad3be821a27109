//! Operators with two operands.

use sweepnet_colour::term::{Arithmetic, Collection, Relation};
use sweepnet_colour::{Node, Shape, Sort, Term, TypeId};

use super::expressions::chain;
use super::{BOOL, Checker};
use crate::ast::{Binary, Expr, ExprKind};

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: &Expr,
        right: &Expr,
        whole: &Expr,
        expected: Option<Sort>,
    ) -> Option<Term> {
        match operator {
            Binary::And | Binary::Or => self.connected(operator, whole),
            Binary::Implies | Binary::Iff | Binary::Xor => {
                let left = self.term(left, Some(BOOL));
                let right = self.conditionally(|checker| checker.term(right, Some(BOOL)));
                let (left, right) = (left?, right?);
                Some(match operator {
                    Binary::Implies => disjunction(vec![Term::truth(Node::Not(Box::new(left))), right]),
                    Binary::Iff => Term::compare(Relation::Equal, left, right),
                    _ => Term::compare(Relation::NotEqual, left, right),
                })
            }
            Binary::Equal => self.comparison(Relation::Equal, left, right),
            Binary::NotEqual => self.comparison(Relation::NotEqual, left, right),
            Binary::Less => self.comparison(Relation::Less, left, right),
            Binary::LessEqual => self.comparison(Relation::LessEqual, left, right),
            Binary::Greater => self.comparison(Relation::Greater, left, right),
            Binary::GreaterEqual => self.comparison(Relation::GreaterEqual, left, right),
            Binary::Add | Binary::Subtract if self.is_multiset(whole, &[]) => {
                self.multiset_as_value(whole, expected)
            }
            Binary::Add | Binary::Subtract => {
                self.arithmetic(&chain(whole, &[Binary::Add, Binary::Subtract]), expected)
            }
            Binary::Multiply | Binary::Divide | Binary::Modulo => {
                self.arithmetic(&[(None, left), (Some(operator), right)], expected)
            }
        }
    }

    /// `a and b and c`, `a or b or c`
    fn connected(&mut self, operator: Binary, whole: &Expr) -> Option<Term> {
        let mut parts = Vec::new();
        for (position, (_, operand)) in chain(whole, &[operator]).into_iter().enumerate() {
            parts.push(match position {
                0 => self.term(operand, Some(BOOL)),
                // Only evaluated if those before do not decide.
                _ => self.conditionally(|checker| checker.term(operand, Some(BOOL))),
            });
        }
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        Some(if operator == Binary::And { conjunction(parts) } else { disjunction(parts) })
    }

    /// Two expressions that should be of one sort; the one that tells it helps the other. Integers of
    /// different types become plain integers.
    pub(super) fn pair(&mut self, left: &Expr, right: &Expr) -> Option<(Term, Term)> {
        let Some(first) = self.term(left, None) else {
            if self.frame.untyped.take().is_none() {
                // Wrong in itself. Errors of the other side are reported, but not that its type can't be
                // told.
                self.term(right, None);
                self.frame.untyped = None;
                return None;
            }
            let second = self.term(right, None)?;
            let sort = second.sort;
            return Some((self.term(left, Some(sort))?, second));
        };
        if !self.is_numeric(first.sort) {
            // Of two subsets, values are compared as those of their base.
            let sort = match first.sort {
                Sort::Of(id) => Sort::Of(self.whole(id)),
                Sort::Int => Sort::Int,
            };
            let second = self.term(right, Some(sort))?;
            return Some((self.coerce(first, sort, &left.span)?, second));
        }
        let second = match self.term(right, None) {
            Some(second) => second,
            None => {
                self.frame.untyped.take()?;
                self.term(right, Some(first.sort))?
            }
        };
        if first.sort == second.sort {
            return Some((first, second));
        }
        if !self.is_numeric(second.sort) {
            if let ExprKind::Integer(n) = left.kind
                && let Some(constant) = self.numbered(n, Some(second.sort))
            {
                let second = self.coerce(second, constant.sort, &right.span)?;
                return Some((constant, second));
            }
            return self.mismatch(first.sort, second.sort, &right.span);
        }
        let first = self.coerce(first, Sort::Int, &left.span)?;
        Some((first, self.coerce(second, Sort::Int, &right.span)?))
    }

    fn comparison(&mut self, relation: Relation, left: &Expr, right: &Expr) -> Option<Term> {
        if !self.is_multiset(left, &[]) && !self.is_multiset(right, &[]) {
            let (left, right) = self.pair(left, right)?;
            return Some(Term::compare(relation, left, right));
        }
        let (first, second) = match self.bag(left, None) {
            Some((first, id)) => (first, self.bag(right, Some(id))?.0),
            None => {
                self.frame.untyped.take()?;
                let (second, id) = self.bag(right, None)?;
                (self.bag(left, Some(id))?.0, second)
            }
        };
        Some(Term::truth(Node::CompareBags(relation, Box::new(first), Box::new(second))))
    }

    /// Integers, or sets with `+ - *`, or lists with `+`.
    fn arithmetic(&mut self, operands: &[(Option<Binary>, &Expr)], expected: Option<Sort>) -> Option<Term> {
        let collection = match expected {
            Some(Sort::Of(id)) => self.collection(id),
            _ => None,
        };
        if let Some(id) = collection {
            return self.combined(operands, id);
        }
        let leader = operands.first()?.1;
        let mut terms = Vec::with_capacity(operands.len());
        let first = match self.term(leader, None) {
            Some(first) => {
                if let Sort::Of(id) = first.sort
                    && let Some(id) = self.collection(id)
                {
                    return self.combined(operands, id);
                }
                self.coerce(first, Sort::Int, &leader.span)
            }
            None if self.frame.untyped.take().is_some() => {
                // The second operand may be a collection that tells the type: `[x] + l`.
                let second = self.term(operands.get(1)?.1, None)?;
                if let Sort::Of(id) = second.sort
                    && let Some(id) = self.collection(id)
                {
                    return self.combined(operands, id);
                }
                self.term(leader, Some(Sort::Int))
            }
            None => None,
        };
        let mut whole = first.is_some();
        terms.extend(first.map(|first| (Binary::Add, first)));
        for (operator, operand) in &operands[1..] {
            match self.term(operand, Some(Sort::Int)) {
                Some(term) => terms.push((operator.unwrap_or(Binary::Add), term)),
                None => whole = false,
            }
        }
        if !whole {
            return None;
        }
        let span = leader.span.start..operands.last()?.1.span.end;
        match terms.len() {
            0..=SHALLOW => {
                let mut terms = terms.into_iter();
                let (_, mut sum) = terms.next()?;
                for (operator, term) in terms {
                    sum = self.folded(Term::arithmetic(arithmetic(operator), sum, term), &span)?;
                }
                Some(sum)
            }
            _ => Some(balanced(&mut terms)),
        }
    }

    /// The type itself, without constraints, if it is one of sets or lists.
    fn collection(&self, id: TypeId) -> Option<TypeId> {
        let id = self.whole(id);
        matches!(self.net.types.shape(id), Shape::Set(_) | Shape::List { .. }).then_some(id)
    }

    fn combined(&mut self, operands: &[(Option<Binary>, &Expr)], id: TypeId) -> Option<Term> {
        let is_set = matches!(self.net.types.shape(id), Shape::Set(_));
        let mut result: Option<Option<Term>> = None;
        for (operator, operand) in operands {
            let term = self.term(operand, Some(Sort::Of(id)));
            let operation = match (operator, is_set) {
                (None, _) => {
                    result = Some(term);
                    continue;
                }
                (Some(Binary::Add), true) => Collection::Union,
                (Some(Binary::Subtract), true) => Collection::Difference,
                (Some(Binary::Multiply), true) => Collection::Intersection,
                (Some(Binary::Add), false) => Collection::Concatenate,
                _ => {
                    let found = self.net.types.describe(id);
                    return self.error(&operand.span, format!("there is no such operation on {found}"));
                }
            };
            result = Some(match (result.flatten(), term) {
                (Some(left), Some(right)) => {
                    let node = Node::Collection(operation, vec![left, right]);
                    self.folded(Term::new(node, Sort::Of(id)), &operand.span)
                }
                _ => None,
            });
        }
        result.flatten()
    }
}

/// Longer sums are made as trees that are not deep.
const SHALLOW: usize = 64;

/// A sum as a balanced tree. Overflow aside, the order does not matter.
fn balanced(terms: &mut [(Binary, Term)]) -> Term {
    match terms {
        [] => Term::int(0),
        [(operator, term)] => {
            let term = std::mem::replace(term, Term::int(0));
            match operator {
                Binary::Subtract => Term::arithmetic(Arithmetic::Subtract, Term::int(0), term),
                _ => term,
            }
        }
        terms => {
            let (left, right) = terms.split_at_mut(terms.len() / 2);
            Term::arithmetic(Arithmetic::Add, balanced(left), balanced(right))
        }
    }
}

fn arithmetic(operator: Binary) -> Arithmetic {
    match operator {
        Binary::Subtract => Arithmetic::Subtract,
        Binary::Multiply => Arithmetic::Multiply,
        Binary::Divide => Arithmetic::Divide,
        Binary::Modulo => Arithmetic::Modulo,
        _ => Arithmetic::Add,
    }
}

/// All of them, without those that are true anyway, and without those behind one that is false anyway.
pub(super) fn conjunction(parts: Vec<Term>) -> Term {
    let mut kept = simplified(parts, true);
    match kept.len() {
        0 => Term::bool(true),
        1 => kept.remove(0),
        _ => Term::and(kept),
    }
}

/// One of them at least, without those that are false anyway, and without those behind one that is true
/// anyway.
fn disjunction(parts: Vec<Term>) -> Term {
    let mut kept = simplified(parts, false);
    match kept.len() {
        0 => Term::bool(false),
        1 => kept.remove(0),
        _ => Term::or(kept),
    }
}

fn simplified(parts: Vec<Term>, neutral: bool) -> Vec<Term> {
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        match &part.node {
            Node::Constant(words) if (words.first() != Some(&0)) == neutral => {}
            Node::Constant(_) => {
                kept.push(part);
                break;
            }
            _ => kept.push(part),
        }
    }
    kept
}
