//! Formulas of linear time in negation normal form, each sub-formula once, simplified while they are built.
//!
//! Only `X`, `U` and `R` are left: `F φ` is `true U φ`, `G φ` is `false R φ`, `φ W ψ` is `ψ R (φ or ψ)`, and
//! negation stands before atoms only. The rules are the usual ones (Somenzi and Bloem 2000): constants,
//! absorption, and what follows from a formula being *eventual* (true as soon as it is true later) or
//! *universal* (true later whenever it is true now).

use std::collections::HashMap;

use sweepnet_language::question::{Modal, Until};

use super::formula::Ltl;
use crate::predicate::Predicate;

/// The position of a sub-formula.
pub type Id = u32;

/// A sub-formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// An atom by position, or its negation.
    Literal(u32, bool),
    /// All hold. At least two, in order.
    And(Vec<Id>),
    /// Some hold. At least two, in order.
    Or(Vec<Id>),
    /// `X`
    Next(Id),
    /// `U`
    Until(Id, Id),
    /// `R`
    Release(Id, Id),
}

/// All sub-formulas.
#[derive(Debug)]
pub struct Arena {
    nodes: Vec<Node>,
    /// Whether each is eventual, and whether it is universal.
    kinds: Vec<(bool, bool)>,
    known: HashMap<Node, Id>,
}

/// Always true, in every arena.
pub const TRUE: Id = 0;
/// Never true, in every arena.
pub const FALSE: Id = 1;

impl Default for Arena {
    fn default() -> Self {
        let mut arena = Self { nodes: Vec::new(), kinds: Vec::new(), known: HashMap::new() };
        arena.add(Node::True);
        arena.add(Node::False);
        arena
    }
}

impl Arena {
    /// A sub-formula.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    fn add(&mut self, node: Node) -> Id {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = self.nodes.len() as Id;
        self.kinds.push((self.makes_eventual(&node), self.makes_universal(&node)));
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    /// A formula and its negation. Atoms are numbered by their position in the list, which has
    /// all of them in order.
    pub fn both(&mut self, formula: &Ltl, atoms: &[&Predicate]) -> (Id, Id) {
        match formula {
            Ltl::Atom(Predicate::True) => (TRUE, FALSE),
            Ltl::Atom(Predicate::False) => (FALSE, TRUE),
            Ltl::Atom(predicate) => match atoms.binary_search(&predicate) {
                Ok(at) => {
                    (self.add(Node::Literal(at as u32, true)), self.add(Node::Literal(at as u32, false)))
                }
                Err(_) => (FALSE, FALSE),
            },
            Ltl::Not(operand) => {
                let (yes, no) = self.both(operand, atoms);
                (no, yes)
            }
            Ltl::And(operands) => {
                let (yes, no) = operands.iter().map(|operand| self.both(operand, atoms)).unzip();
                (self.and(yes), self.or(no))
            }
            Ltl::Or(operands) => {
                let (yes, no) = operands.iter().map(|operand| self.both(operand, atoms)).unzip();
                (self.or(yes), self.and(no))
            }
            Ltl::Xor(operands) => {
                let mut result = (FALSE, TRUE);
                for operand in operands {
                    let (yes, no) = self.both(operand, atoms);
                    let (one, other) = (self.and(vec![result.0, no]), self.and(vec![result.1, yes]));
                    let (both, none) = (self.and(vec![result.0, yes]), self.and(vec![result.1, no]));
                    result = (self.or(vec![one, other]), self.or(vec![both, none]));
                }
                result
            }
            Ltl::Unary((), modal, operand) => {
                let (yes, no) = self.both(operand, atoms);
                match modal {
                    Modal::Next => (self.next(yes), self.next(no)),
                    Modal::Finally => (self.until(TRUE, yes), self.release(FALSE, no)),
                    Modal::Globally => (self.release(FALSE, yes), self.until(TRUE, no)),
                }
            }
            Ltl::Binary((), until, left, right) => {
                let ((left, not_left), (right, not_right)) =
                    (self.both(left, atoms), self.both(right, atoms));
                match until {
                    Until::Until => (self.until(left, right), self.release(not_left, not_right)),
                    Until::Release => (self.release(left, right), self.until(not_left, not_right)),
                    Until::WeakUntil => {
                        let (either, neither) =
                            (self.or(vec![left, right]), self.and(vec![not_left, not_right]));
                        (self.release(right, either), self.until(not_right, neither))
                    }
                }
            }
        }
    }

    fn and(&mut self, operands: Vec<Id>) -> Id {
        self.junction(operands, true)
    }

    fn or(&mut self, operands: Vec<Id>) -> Id {
        self.junction(operands, false)
    }

    fn junction(&mut self, operands: Vec<Id>, conjunction: bool) -> Id {
        let (neutral, absorbing) = if conjunction { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat = Vec::with_capacity(operands.len());
        for operand in operands {
            match (self.node(operand), conjunction) {
                (Node::And(inner), true) | (Node::Or(inner), false) => flat.extend_from_slice(inner),
                _ => flat.push(operand),
            }
        }
        self.gather(&mut flat, conjunction);
        flat.retain(|operand| *operand != neutral);
        flat.sort_unstable();
        flat.dedup();
        let clash = |id: &Id| match self.node(*id) {
            Node::Literal(atom, truth) => {
                let opposite = self.known.get(&Node::Literal(*atom, !truth));
                opposite.is_some_and(|opposite| flat.binary_search(opposite).is_ok())
            }
            _ => false,
        };
        if flat.contains(&absorbing) || flat.iter().any(clash) {
            return absorbing;
        }
        match (flat.len(), conjunction) {
            (0, _) => neutral,
            (1, _) => flat[0],
            (_, true) => self.add(Node::And(flat)),
            (_, false) => self.add(Node::Or(flat)),
        }
    }

    /// Several `X` become one, and several `G` in a conjunction, and several `F` in a disjunction.
    fn gather(&mut self, operands: &mut Vec<Id>, conjunction: bool) {
        let (mut nexts, mut modals) = (Vec::new(), Vec::new());
        for id in operands.iter() {
            match *self.node(*id) {
                Node::Next(inner) => nexts.push(inner),
                Node::Release(FALSE, inner) if conjunction => modals.push(inner),
                Node::Until(TRUE, inner) if !conjunction => modals.push(inner),
                _ => {}
            }
        }
        if nexts.len() > 1 {
            operands.retain(|id| !matches!(self.node(*id), Node::Next(_)));
            let inner = self.junction(nexts, conjunction);
            operands.push(self.next(inner));
        }
        if modals.len() > 1 {
            operands.retain(|id| match self.node(*id) {
                Node::Release(FALSE, _) => !conjunction,
                Node::Until(TRUE, _) => conjunction,
                _ => true,
            });
            let inner = self.junction(modals, conjunction);
            operands.push(if conjunction { self.release(FALSE, inner) } else { self.until(TRUE, inner) });
        }
    }

    fn next(&mut self, operand: Id) -> Id {
        if self.is_eventual(operand) && self.is_universal(operand) {
            return operand;
        }
        self.add(Node::Next(operand))
    }

    fn until(&mut self, left: Id, right: Id) -> Id {
        if left == FALSE || left == right || self.is_eventual(right) {
            return right;
        }
        match *self.node(right) {
            // `φ U (φ U ψ)`
            Node::Until(inner, _) if inner == left => return right,
            // `F (φ U ψ)`
            Node::Until(_, inner) if left == TRUE => return self.until(TRUE, inner),
            Node::Next(inner) if left == TRUE => {
                let later = self.until(TRUE, inner);
                return self.next(later);
            }
            _ => {}
        }
        self.add(Node::Until(left, right))
    }

    fn release(&mut self, left: Id, right: Id) -> Id {
        if left == TRUE || left == right || self.is_universal(right) {
            return right;
        }
        match *self.node(right) {
            Node::Release(inner, _) if inner == left => return right,
            Node::Release(_, inner) if left == FALSE => return self.release(FALSE, inner),
            Node::Next(inner) if left == FALSE => {
                let later = self.release(FALSE, inner);
                return self.next(later);
            }
            _ => {}
        }
        self.add(Node::Release(left, right))
    }

    /// Whether it is true as soon as it is true later.
    fn is_eventual(&self, id: Id) -> bool {
        self.kinds[id as usize].0
    }

    /// Whether it is true later whenever it is true now.
    fn is_universal(&self, id: Id) -> bool {
        self.kinds[id as usize].1
    }

    fn makes_eventual(&self, node: &Node) -> bool {
        match node {
            Node::True | Node::False => true,
            Node::Literal(..) => false,
            Node::And(operands) | Node::Or(operands) => operands.iter().all(|id| self.is_eventual(*id)),
            Node::Next(operand) => self.is_eventual(*operand),
            Node::Until(left, right) => *left == TRUE || self.is_eventual(*right),
            Node::Release(left, right) => self.is_eventual(*left) && self.is_eventual(*right),
        }
    }

    fn makes_universal(&self, node: &Node) -> bool {
        match node {
            Node::True | Node::False => true,
            Node::Literal(..) => false,
            Node::And(operands) | Node::Or(operands) => operands.iter().all(|id| self.is_universal(*id)),
            Node::Next(operand) => self.is_universal(*operand),
            Node::Until(left, right) => self.is_universal(*left) && self.is_universal(*right),
            Node::Release(left, right) => *left == FALSE || self.is_universal(*right),
        }
    }
}
