//! From a formula of linear time to a Büchi automaton.
//!
//! The automaton is generalised, with acceptance on its transitions (Couvreur 1999). A state is a set of
//! formulas that have to hold from here on. Each is spelt out into what has to hold now and what has to hold
//! from the next marking on: `φ U ψ` is "ψ, or φ and again `φ U ψ` later", and a transition that takes the
//! second way *promises* ψ. A run accepts if it leaves out each promise again and again. Transitions that
//! another one makes superfluous are dropped.

use std::collections::HashMap;
use std::rc::Rc;

use super::nnf::{Arena, Id, Node, TRUE};

/// The most promises that a formula may make, and the most atoms that it may have.
const MOST_PROMISES: usize = 64;
pub(super) const MOST_ATOMS: usize = 128;
/// The most states and transitions that are built.
const MOST_STATES: usize = 2_000;
const MOST_TRANSITIONS: usize = 100_000;
/// The most comparisons of ways with each other: a second or two.
const MOST_WORK: usize = 100_000_000;

/// The automaton of a formula becomes too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transition {
    /// Atoms that have to hold in the marking that is left.
    pub positive: u128,
    /// Atoms that must not.
    pub negative: u128,
    /// The sets of acceptance that it is in.
    pub accepts: u64,
    /// The state that it leads to.
    pub target: u32,
}

/// An automaton that starts in state 0. It accepts if each set of acceptance is seen again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The transitions of each state. Without states, nothing is accepted.
    pub states: Vec<Vec<Transition>>,
    /// All sets of acceptance.
    pub all: u64,
}

/// One way to fulfil a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    positive: u128,
    negative: u128,
    promises: u64,
    /// What has to hold from the next marking on, in order.
    next: Vec<Id>,
}

const NOTHING: Term = Term { positive: 0, negative: 0, promises: 0, next: Vec::new() };

impl Term {
    /// Both at once, if they do not contradict each other.
    fn and(&self, other: &Self) -> Option<Self> {
        let (positive, negative) = (self.positive | other.positive, self.negative | other.negative);
        if positive & negative != 0 {
            return None;
        }
        let mut next = [&self.next[..], &other.next[..]].concat();
        next.sort_unstable();
        next.dedup();
        Some(Self { positive, negative, promises: self.promises | other.promises, next })
    }

    /// Whether it asks for nothing that the other does not ask for.
    fn is_implied_by(&self, other: &Self) -> bool {
        let within = |a: u128, b: u128| a & !b == 0;
        within(self.positive, other.positive)
            && within(self.negative, other.negative)
            && self.promises & !other.promises == 0
            && self.next.iter().all(|id| other.next.binary_search(id).is_ok())
    }
}

/// The ways to fulfil formulas.
struct Tableau<'a> {
    arena: &'a Arena,
    covers: HashMap<Id, Rc<[Term]>>,
    /// The untils that are promised, in the order of their bits.
    promises: Vec<Id>,
    /// Comparisons so far.
    work: usize,
}

impl Tableau<'_> {
    /// Adds a way unless one that is there makes it superfluous; drops those that it makes superfluous.
    fn add(&mut self, terms: &mut Vec<Term>, term: Term) -> Result<(), TooLarge> {
        self.work += terms.len() + 1;
        if self.work > MOST_WORK {
            return Err(TooLarge);
        }
        if !terms.iter().any(|known| known.is_implied_by(&term)) {
            terms.retain(|known| !term.is_implied_by(known));
            terms.push(term);
        }
        Ok(())
    }

    fn product(&mut self, left: &[Term], right: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = Vec::new();
        self.work += left.len() * right.len();
        for a in left {
            for term in right.iter().filter_map(|b| a.and(b)) {
                self.add(&mut terms, term)?;
            }
        }
        Ok(terms)
    }

    fn cover(&mut self, id: Id) -> Result<Rc<[Term]>, TooLarge> {
        if let Some(cover) = self.covers.get(&id) {
            return Ok(cover.clone());
        }
        let arena = self.arena;
        let cover: Vec<Term> = match arena.node(id) {
            Node::True => vec![NOTHING],
            Node::False => Vec::new(),
            Node::Literal(atom, truth) => {
                let mask = 1 << atom;
                let (positive, negative) = if *truth { (mask, 0) } else { (0, mask) };
                vec![Term { positive, negative, ..NOTHING }]
            }
            Node::And(operands) => self.all(operands)?,
            Node::Or(operands) => {
                let mut terms = Vec::new();
                for operand in operands {
                    for term in self.cover(*operand)?.iter() {
                        self.add(&mut terms, term.clone())?;
                    }
                }
                terms
            }
            Node::Next(operand) => vec![Term { next: self.obligations(*operand), ..NOTHING }],
            Node::Until(left, right) => {
                let promise = self.promise(id)?;
                let again = Term { promises: promise, next: vec![id], ..NOTHING };
                let mut terms = self.cover(*right)?.to_vec();
                let left = self.cover(*left)?;
                for term in self.product(&left, &[again])? {
                    self.add(&mut terms, term)?;
                }
                terms
            }
            Node::Release(left, right) => {
                let mut ends = self.cover(*left)?.to_vec();
                self.add(&mut ends, Term { next: vec![id], ..NOTHING })?;
                let right = self.cover(*right)?;
                self.product(&right, &ends)?
            }
        };
        let cover: Rc<[Term]> = cover.into();
        self.covers.insert(id, cover.clone());
        Ok(cover)
    }

    /// The ways to fulfil all of them.
    fn all(&mut self, ids: &[Id]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = vec![NOTHING];
        for id in ids {
            let cover = self.cover(*id)?;
            terms = self.product(&terms, &cover)?;
        }
        Ok(terms)
    }

    fn promise(&mut self, id: Id) -> Result<u64, TooLarge> {
        let at = self.promises.iter().position(|known| *known == id).unwrap_or_else(|| {
            self.promises.push(id);
            self.promises.len() - 1
        });
        if at < MOST_PROMISES { Ok(1 << at) } else { Err(TooLarge) }
    }

    /// A formula as a set of formulas that all have to hold.
    fn obligations(&self, id: Id) -> Vec<Id> {
        match self.arena.node(id) {
            Node::And(operands) => operands.clone(),
            _ if id == TRUE => Vec::new(),
            _ => vec![id],
        }
    }
}

impl Automaton {
    /// The automaton that accepts what a formula is true of.
    pub fn new(arena: &Arena, formula: Id) -> Result<Self, TooLarge> {
        let mut tableau = Tableau { arena, covers: HashMap::new(), promises: Vec::new(), work: 0 };
        let first = tableau.obligations(formula);
        let mut numbers = HashMap::from([(first.clone(), 0u32)]);
        let (mut sets, mut rows, mut count) = (vec![first], Vec::new(), 0);
        while rows.len() < sets.len() {
            let terms = tableau.all(&sets[rows.len()])?;
            count += terms.len();
            let mut row = Vec::with_capacity(terms.len());
            for term in terms {
                let fresh = sets.len() as u32;
                let target = *numbers.entry(term.next.clone()).or_insert(fresh);
                if target == fresh {
                    sets.push(term.next.clone());
                }
                row.push((term, target));
            }
            rows.push(row);
            if sets.len() > MOST_STATES || count > MOST_TRANSITIONS {
                return Err(TooLarge);
            }
        }
        let all = u64::MAX.checked_shr(64 - tableau.promises.len() as u32).unwrap_or(0);
        let transition = |(term, target): (Term, u32)| Transition {
            positive: term.positive,
            negative: term.negative,
            accepts: all & !term.promises,
            target,
        };
        let states = rows.into_iter().map(|row| row.into_iter().map(transition).collect()).collect();
        let mut automaton = Self { states, all };
        automaton.reduce();
        Ok(automaton)
    }
}
