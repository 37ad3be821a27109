//! Where the predicates of temporal questions hold.

use std::collections::HashMap;

use sweepnet_space::budget::{Budget, OutOfMemory};

use super::bits::BitSet;
use crate::check::Undecided;
use crate::predicate::Predicate;
use crate::property::Question;
use crate::view::View;

/// For each predicate of some questions, the nodes of the graph where it holds. Every node has to be
/// [looked at](Self::look) once.
#[derive(Debug)]
pub struct Atoms {
    positions: HashMap<Predicate, usize>,
    predicates: Vec<Predicate>,
    sets: Vec<Result<BitSet, Undecided>>,
}

impl Atoms {
    /// The predicates of questions, which so far hold nowhere. They have to be the questions that are
    /// answered: [simplified](Question::simplify) before, if at all.
    pub fn new<'a>(
        questions: impl IntoIterator<Item = &'a Question>,
        nodes: u64,
        budget: &Budget,
    ) -> Result<Self, OutOfMemory> {
        let mut atoms = Self { positions: HashMap::new(), predicates: Vec::new(), sets: Vec::new() };
        for predicate in questions.into_iter().flat_map(Question::atoms) {
            if !atoms.positions.contains_key(predicate) {
                atoms.positions.insert(predicate.clone(), atoms.sets.len());
                atoms.predicates.push(predicate.clone());
                atoms.sets.push(Ok(BitSet::empty(budget, nodes)?));
            }
        }
        Ok(atoms)
    }

    /// The predicates, in the order of the [sets](Self::sets_mut).
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The sets, for whoever knows a faster way to fill them; or why a predicate has no value somewhere.
    pub fn sets_mut(&mut self) -> &mut [Result<BitSet, Undecided>] {
        &mut self.sets
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// Looks at the marking of a node.
    pub fn look<V: View + ?Sized>(&mut self, node: u64, view: &V) {
        for (predicate, set) in self.predicates.iter().zip(&mut self.sets) {
            let Ok(nodes) = set else { continue };
            match predicate.eval(view) {
                Ok(true) => nodes.insert(node),
                Ok(false) => {}
                Err(error) => *set = Err(error.into()),
            }
        }
    }

    /// Where a predicate holds.
    pub(super) fn of(&self, predicate: &Predicate) -> Result<&BitSet, Undecided> {
        let position = self.positions.get(predicate);
        match position.map(|at| &self.sets[*at]) {
            Some(Ok(set)) => Ok(set),
            Some(Err(why)) => Err(why.clone()),
            None => Err(Undecided::NotReplayed("a predicate was not looked for".into())),
        }
    }
}
