//! The graph of a search on coloured markings, with the labels of its states. All of it is on the memory budget.

use std::collections::HashMap;

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::{Event, Fault, World};
use sweepnet_graph::{Builder, Graph, Numbering};
use sweepnet_net::TransitionId;
use sweepnet_space::budget::OutOfMemory;
use sweepnet_space::{Budget, StateId};

use super::labels::{Labelled, Labels};
use crate::check::Undecided;
use crate::property::Question;
use crate::temporal::{Atoms, BitSet};

/// Events by number, in the order in which they first happened.
pub(super) struct Events {
    numbers: HashMap<Event, u32>,
    charged: usize,
    budget: Budget,
}

impl Events {
    fn new(budget: &Budget) -> Self {
        Self { numbers: HashMap::new(), charged: 0, budget: budget.clone() }
    }

    /// The number of an event.
    fn number(&mut self, event: Event) -> Result<u32, OutOfMemory> {
        if let Some(number) = self.numbers.get(&event) {
            return Ok(*number);
        }
        let number = u32::try_from(self.numbers.len()).map_err(|_| self.budget.refusal())?;
        // Twice, because the table may be half empty; and once more for the list that it becomes.
        let bytes = 3 * size_of::<(Event, u32)>() + size_of_val(&*event.binding) + 16;
        self.budget.charge(bytes)?;
        self.charged += bytes;
        self.numbers.insert(event, number);
        Ok(number)
    }

    /// All events, by number.
    pub fn list(&self) -> Vec<&Event> {
        let mut events: Vec<(&Event, u32)> = self.numbers.iter().map(|(event, at)| (event, *at)).collect();
        events.sort_unstable_by_key(|(_, number)| *number);
        events.into_iter().map(|(event, _)| event).collect()
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.budget.release(self.charged);
    }
}

/// A graph under way.
pub(super) struct Record {
    builder: Builder,
    events: Events,
    /// For each label, the states that have it; or why it has no value in one.
    states: Vec<Result<BitSet, Fault>>,
    /// The states in which nothing can happen.
    dead: BitSet,
    refused: bool,
}

/// A whole graph.
pub(super) struct Recorded {
    /// Its edges.
    pub graph: Graph,
    /// Its events.
    pub events: Events,
    states: Vec<Result<BitSet, Fault>>,
    dead: BitSet,
    numbering: Numbering,
}

impl Record {
    /// Nothing yet of so many labels.
    pub fn new(labels: usize, budget: &Budget) -> Result<Self, OutOfMemory> {
        let states = (0..labels).map(|_| BitSet::empty(budget, 0).map(Ok)).collect::<Result<_, _>>()?;
        let (builder, events) = (Builder::new(0, budget), Events::new(budget));
        Ok(Self { builder, events, states, dead: BitSet::empty(budget, 0)?, refused: false })
    }

    /// Whether memory was refused: then there will be no graph.
    pub fn is_refused(&self) -> bool {
        self.refused || self.builder.is_refused()
    }

    /// A new state.
    pub fn discovered(&mut self, labels: &mut Labels<'_>, state: &MarkingWorld<'_>, id: StateId) {
        let grown = self.states.iter_mut().flatten().chain([&mut self.dead]);
        self.refused |= grown.map(|set| set.grow_to(id.0 + 1)).any(|grown| grown.is_err());
        self.look(labels, state, id, false);
    }

    /// An edge.
    pub fn edge(&mut self, source: StateId, event: Event, target: StateId) {
        match self.events.number(event) {
            Ok(number) => self.builder.edge(source.0, number, target.0),
            Err(_) => self.refused = true,
        }
    }

    /// A state whose successors are known.
    pub fn expanded(&mut self, labels: &mut Labels<'_>, state: &dyn World, id: StateId, dead: bool) {
        if dead && !self.refused {
            self.dead.insert(id.0);
        }
        self.look(labels, state, id, true);
        self.builder.expanded(id.0);
    }

    /// Looks at those labels of a state that wait until it is expanded, or do not.
    fn look(&mut self, labels: &mut Labels<'_>, state: &dyn World, id: StateId, expanded: bool) {
        if self.refused {
            return;
        }
        for (label, states) in self.states.iter_mut().enumerate() {
            if labels.waits(label) == expanded
                && let Ok(set) = states
            {
                match labels.has(label, state) {
                    Ok(true) => set.insert(id.0),
                    Ok(false) => {}
                    Err(fault) => *states = Err(fault),
                }
            }
        }
    }

    /// The whole graph, if there is memory for it.
    pub fn finish(self) -> Result<Recorded, OutOfMemory> {
        let Self { builder, events, states, dead, .. } = self;
        let (graph, numbering) = builder.finish_numbered(true)?;
        Ok(Recorded { graph, events, states, dead, numbering })
    }
}

impl Recorded {
    /// Where the predicates of questions about labels hold.
    pub fn atoms(&self, questions: &[Question], budget: &Budget) -> Result<Atoms, OutOfMemory> {
        let mut atoms = Atoms::new(questions, self.graph.nodes(), budget)?;
        let mut state = Labelled { labels: vec![false; self.states.len()], dead: false, initial: false };
        for id in 0..self.dead.nodes() {
            for (has, states) in state.labels.iter_mut().zip(&self.states) {
                *has = states.as_ref().is_ok_and(|states| states.contains(id));
            }
            (state.dead, state.initial) = (self.dead.contains(id), id == 0);
            atoms.look(self.numbering.node(id), &state);
        }
        // What has no value somewhere makes the whole unknown.
        let fault = |label: &TransitionId| self.states[label.index()].as_ref().err();
        let faults: Vec<Option<Fault>> = atoms
            .predicates()
            .iter()
            .map(|predicate| predicate.transitions().iter().find_map(fault).cloned())
            .collect();
        for (set, fault) in atoms.sets_mut().iter_mut().zip(faults) {
            if let Some(fault) = fault {
                *set = Err(Undecided::NoValue(fault));
            }
        }
        Ok(atoms)
    }
}
