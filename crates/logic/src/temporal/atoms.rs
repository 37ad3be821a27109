//! Where the predicates of temporal questions hold.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use sweepnet_net::{PlaceId, TransitionId};
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
        let view = &Once { view, known: RefCell::default() };
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

/// A marking of which nobody asks twice whether some of many transitions is enabled.
struct Once<'a, V: ?Sized> {
    view: &'a V,
    /// What was found, by where the list is: predicates share it, and outlive this.
    known: RefCell<Vec<(*const [TransitionId], bool)>>,
}

impl<V: View + ?Sized> View for Once<'_, V> {
    fn tokens(&self, place: PlaceId) -> u64 {
        self.view.tokens(place)
    }

    fn is_enabled(&self, transition: TransitionId) -> bool {
        self.view.is_enabled(transition)
    }

    fn any_enabled(&self, transitions: &Arc<[TransitionId]>) -> bool {
        let list = Arc::as_ptr(transitions);
        let mut known = self.known.borrow_mut();
        match known.iter().find(|(other, _)| std::ptr::addr_eq(*other, list)) {
            Some((_, found)) => *found,
            None => {
                let found = self.view.any_enabled(transitions);
                known.push((list, found));
                found
            }
        }
    }

    fn is_dead(&self) -> bool {
        self.view.is_dead()
    }

    fn is_initial(&self) -> bool {
        self.view.is_initial()
    }
}
