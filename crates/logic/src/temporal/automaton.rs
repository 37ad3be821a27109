//! From a formula of linear time to a Büchi automaton.
//!
//! The automaton is generalised, with acceptance on its transitions (Couvreur 1999). A state is a set of formulas that
//! have to hold from here on. Each is spelt out into what has to hold now and what has to hold from the next marking
//! on: `φ U ψ` is "ψ, or φ and again `φ U ψ` later", and a transition that takes the second way *promises* ψ. A run
//! accepts if it leaves out each promise again and again. Transitions that another one makes superfluous are dropped;
//! so are states from which no run accepts; states that behave alike are one.

use std::collections::{BTreeSet, HashMap};
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
/// States that behave alike are found in a few rounds, or they are not worth it.
const MOST_ROUNDS: usize = 50;

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
        automaton.prune();
        automaton.merge();
        Ok(automaton)
    }

    /// Drops the states from which no run accepts.
    fn prune(&mut self) {
        let count = self.states.len();
        let component = self.components();
        let mut seen = vec![0; count];
        let mut has_cycle = vec![false; count];
        for (from, row) in self.states.iter().enumerate() {
            for transition in row {
                if component[transition.target as usize] == component[from] {
                    seen[component[from]] |= transition.accepts;
                    has_cycle[component[from]] = true;
                }
            }
        }
        let mut useful: Vec<bool> =
            (0..count).map(|s| has_cycle[component[s]] && seen[component[s]] == self.all).collect();
        loop {
            let leads = |s: &usize| self.states[*s].iter().any(|t| useful[t.target as usize]);
            let more: Vec<usize> = (0..count).filter(|s| !useful[*s] && leads(s)).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|s| useful[s] = true);
        }
        if !useful[0] {
            self.states.clear();
            return;
        }
        let mut new = 0;
        let renumbered: Vec<u32> = useful
            .iter()
            .map(|useful| {
                new += u32::from(*useful);
                new.saturating_sub(1)
            })
            .collect();
        let mut kept = useful.iter();
        self.states.retain(|_| kept.next() == Some(&true));
        for row in &mut self.states {
            row.retain(|t| useful[t.target as usize]);
            row.iter_mut().for_each(|t| t.target = renumbered[t.target as usize]);
        }
    }

    /// Makes one of states that behave alike.
    fn merge(&mut self) {
        let count = self.states.len();
        let (mut classes, mut number, mut rounds) = (vec![0u32; count], 1, 0);
        loop {
            rounds += 1;
            if rounds > MOST_ROUNDS {
                return;
            }
            let mut known = HashMap::new();
            let refined: Vec<u32> = (0..count)
                .map(|s| {
                    let moved = |t: &Transition| Transition { target: classes[t.target as usize], ..*t };
                    let row: BTreeSet<Transition> = self.states[s].iter().map(moved).collect();
                    let fresh = known.len() as u32;
                    *known.entry(row).or_insert(fresh)
                })
                .collect();
            classes = refined;
            if known.len() == number {
                break;
            }
            number = known.len();
        }
        // Classes are numbered in the order of their first states, so that the initial one stays first.
        let mut merged: Vec<Vec<Transition>> = Vec::new();
        for (s, row) in self.states.iter().enumerate() {
            if classes[s] as usize == merged.len() {
                let moved = |t: &Transition| Transition { target: classes[t.target as usize], ..*t };
                let row: BTreeSet<Transition> = row.iter().map(moved).collect();
                merged.push(row.into_iter().collect());
            }
        }
        self.states = merged;
    }

    /// The strongly connected component of each state, by Kosaraju's two searches.
    fn components(&self) -> Vec<usize> {
        let count = self.states.len();
        let forward: Vec<Vec<usize>> =
            self.states.iter().map(|row| row.iter().map(|t| t.target as usize).collect()).collect();
        let mut backward = vec![Vec::new(); count];
        for (from, targets) in forward.iter().enumerate() {
            targets.iter().for_each(|to| backward[*to].push(from));
        }
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for root in 0..count {
            depth_first(&forward, root, &mut seen, &mut |s| order.push(s));
        }
        let (mut seen, mut component) = (vec![false; count], vec![0; count]);
        for root in order.into_iter().rev() {
            depth_first(&backward, root, &mut seen, &mut |s| component[s] = root);
        }
        component
    }
}

/// Visits what is reached from a root and not seen yet; calls `leave` in postorder.
fn depth_first(edges: &[Vec<usize>], root: usize, seen: &mut [bool], leave: &mut dyn FnMut(usize)) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut stack = vec![(root, 0)];
    while let Some((state, at)) = stack.last_mut() {
        match edges[*state].get(*at) {
            Some(target) => {
                *at += 1;
                if !std::mem::replace(&mut seen[*target], true) {
                    stack.push((*target, 0));
                }
            }
            None => {
                leave(*state);
                stack.pop();
            }
        }
    }
}
