//! The search on coloured markings: what breadth-first and depth-first search have in common.
//!
//! A state is decoded when its turn comes, its successors are fired one by one, and each is encoded and looked up. No
//! events are kept: those of a path are found again by firing from each state on it until the encoding is the next
//! one's. Since any firing may turn out to be an error of the model, which is shown with a path, both searches can
//! always give one.

use std::ops::ControlFlow;
use std::time::Instant;

use sweepnet_colour::machine::{MarkingWorld, Scratch};
use sweepnet_colour::{ColouredNet, Event, Machine, Marking, ModelError};

use super::breadth_first::BreadthFirst;
use super::depth_first::DepthFirst;
use super::multiset::{CodecOptions, CodecScratch, MultisetCodec};
use super::observer::ColouredObserver;
use super::report::{ColouredMaxima, ColouredReport};
use super::strings::Strings;
use crate::budget::{Budget, OutOfMemory};
use crate::search::Counts;
use crate::{Control, Full, Progress, SearchChoice, StateId, StopReason};

/// How a coloured net is to be searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct ColouredPlan {
    /// The order.
    pub search: SearchChoice,
    /// What the codec makes use of.
    pub codec: CodecOptions,
}

/// Explores a coloured net as planned, under control, watched by an observer.
pub fn explore(
    net: &ColouredNet,
    machine: &Machine,
    plan: &ColouredPlan,
    control: &mut Control<'_>,
    observer: &mut impl ColouredObserver,
) -> ColouredReport {
    let start = Instant::now();
    let codec = MultisetCodec::new(net, plan.codec);
    let budget = control.budget().clone();
    let mut at = Running {
        machine,
        codec: if machine.keeps_clock() { codec.with_clock() } else { codec },
        observer,
        counts: Counts::default(),
        maxima: ColouredMaxima::new(net.places.len()),
        fired: vec![false; net.transitions.len()],
        steps: 0,
        work: CodecScratch::default(),
        scratch: Scratch::default(),
        budget: budget.clone(),
    };
    let search = match plan.search {
        SearchChoice::Auto => SearchChoice::BreadthFirst,
        chosen => chosen,
    };
    let made = Strings::new(control.max_states(), &budget).map_err(Halt::from);
    let (mut states, mut state_bytes, mut store_bytes, mut search_bytes) = (0, 0, 0, 0);
    let outcome = made.and_then(|mut store| {
        let outcome = match search {
            SearchChoice::DepthFirst => {
                let mut search = DepthFirst::new(&budget);
                let outcome = search.go(&mut at, &mut store, control);
                search_bytes = search.bytes();
                outcome
            }
            _ => {
                let mut search = BreadthFirst::new(&budget);
                let outcome = search.go(&mut at, &mut store, control);
                search_bytes = search.bytes();
                outcome
            }
        };
        (states, state_bytes, store_bytes) = (store.len(), store.string_bytes(), store.bytes());
        outcome
    });
    let (stopped, model_error) = match outcome {
        Ok(()) => (None, None),
        Err(Halt::Stopped(reason)) => (Some(reason), None),
        Err(Halt::Wrong(error, path)) => (Some(StopReason::ModelError), Some((error, path))),
    };
    let Running { counts, maxima, .. } = at;
    ColouredReport {
        search,
        stopped,
        model_error,
        states,
        counts,
        maxima,
        state_bytes,
        store_bytes,
        search_bytes,
        time: start.elapsed(),
    }
}

/// Why a search ended early.
pub(super) enum Halt {
    Stopped(StopReason),
    Wrong(ModelError, Vec<Event>),
}

impl From<Full> for Halt {
    fn from(full: Full) -> Self {
        Self::Stopped(crate::explore::stop_reason(full))
    }
}

impl From<OutOfMemory> for Halt {
    fn from(refusal: OutOfMemory) -> Self {
        Full::from(refusal).into()
    }
}

/// How often a search looks at its control: every so many arcs and states.
const POLL_INTERVAL: u64 = 128;

/// What both searches work with.
pub(super) struct Running<'a, O> {
    pub machine: &'a Machine,
    pub codec: MultisetCodec,
    pub observer: &'a mut O,
    pub counts: Counts,
    pub maxima: ColouredMaxima,
    fired: Vec<bool>,
    steps: u64,
    pub work: CodecScratch,
    scratch: Scratch<'a>,
    budget: Budget,
}

impl<O: ColouredObserver> Running<'_, O> {
    /// Puts the initial state into the store.
    pub fn begin(&mut self, store: &mut Strings) -> Result<(), Halt> {
        let machine = self.machine;
        machine.check_initial().map_err(|error| Halt::Wrong(error, Vec::new()))?;
        let too_many = |fault| Halt::Wrong(ModelError::Fault(fault), Vec::new());
        store.insert(self.codec.encode(machine.initial(), &mut self.work).map_err(too_many)?)?;
        self.discovered(machine.initial(), StateId::INITIAL, store, || vec![StateId::INITIAL])
    }

    /// One step further: looks at the control now and then.
    #[inline]
    pub fn step(&mut self, store: &Strings, control: &mut Control<'_>) -> Result<(), Halt> {
        self.steps += 1;
        if !self.steps.is_multiple_of(POLL_INTERVAL) {
            return Ok(());
        }
        let Counts { arcs, explored, depth, .. } = self.counts;
        let progress = |memory| Progress { states: store.len(), explored, arcs, depth, memory, sweep: None };
        control.poll(progress).map_err(Halt::Stopped)
    }

    /// A transition fires.
    #[inline]
    pub fn fires(&mut self, transition: usize) {
        self.counts.arcs += 1;
        if !self.fired[transition] {
            self.fired[transition] = true;
            self.observer.fired(transition);
        }
    }

    /// Reads a stored state. (Definitions that had a value when it was stored have one now.)
    pub fn load(&mut self, store: &Strings, id: StateId, bytes: &mut Vec<u8>, marking: &mut Marking) {
        store.get(id, bytes);
        self.codec.decode(bytes, marking, &mut self.work);
        let derived = self.machine.derive(marking, &mut self.scratch);
        debug_assert!(derived.is_ok(), "it was derived before");
    }

    /// A new state. `path` gives the states on the way to it.
    pub fn discovered(
        &mut self,
        marking: &Marking,
        id: StateId,
        store: &Strings,
        path: impl FnOnce() -> Vec<StateId>,
    ) -> Result<(), Halt> {
        self.maxima.raise(marking);
        if self.observer.discovered(&MarkingWorld { machine: self.machine, marking }, id) {
            self.witness(store, path)?;
        }
        Ok(())
    }

    /// All successors of a state are known.
    pub fn expanded(
        &mut self,
        marking: &Marking,
        id: StateId,
        successors: u64,
        store: &Strings,
        path: impl FnOnce() -> Vec<StateId>,
    ) -> Result<(), Halt> {
        self.counts.explored += 1;
        self.counts.deadlocks += u64::from(successors == 0);
        if self.observer.expanded(&MarkingWorld { machine: self.machine, marking }, id, successors) {
            self.witness(store, path)?;
        }
        self.unless_done()
    }

    /// An event that fails, from a state that `path` leads to.
    #[cold]
    pub fn wrong(
        &mut self,
        error: ModelError,
        event: Event,
        store: &Strings,
        path: impl FnOnce() -> Vec<StateId>,
    ) -> Halt {
        match self.events_along(store, path) {
            Ok(mut events) => {
                events.push(event);
                Halt::Wrong(error, events)
            }
            Err(refusal) => refusal.into(),
        }
    }

    #[cold]
    fn witness(&mut self, store: &Strings, path: impl FnOnce() -> Vec<StateId>) -> Result<(), Halt> {
        let events = self.events_along(store, path)?;
        self.observer.witness(events);
        self.unless_done()
    }

    fn unless_done(&self) -> Result<(), Halt> {
        if self.observer.is_done() { Err(Halt::Stopped(StopReason::Decided)) } else { Ok(()) }
    }

    /// The events that lead along a path of stored states: for each step, the first event that makes it.
    fn events_along(
        &mut self,
        store: &Strings,
        path: impl FnOnce() -> Vec<StateId>,
    ) -> Result<Vec<Event>, OutOfMemory> {
        // A path may be as long as there are states. What it takes must be there, or nobody can have it.
        let bytes = (self.counts.depth as usize + 1) * (2 * size_of::<StateId>() + 2 * size_of::<Event>());
        self.budget.charge(bytes)?;
        self.budget.release(bytes);
        let path = path();
        let mut marking = self.machine.initial().clone();
        let (mut bytes, mut scratch) = (Vec::new(), Scratch::default());
        let mut events = Vec::with_capacity(path.len());
        for pair in path.windows(2) {
            self.load(store, pair[0], &mut bytes, &mut marking);
            let (machine, codec, work) = (self.machine, &self.codec, &mut self.work);
            let _ = machine.successors(&marking, &mut scratch, &mut |occurrence, next| {
                let Ok(next) = next else { return ControlFlow::Continue(()) };
                match codec.encode(next, work) {
                    Ok(string) if store.equals(pair[1].0, string) => {
                        events.push(machine.event(&occurrence));
                        ControlFlow::Break(())
                    }
                    _ => ControlFlow::Continue(()),
                }
            });
        }
        Ok(events)
    }
}
