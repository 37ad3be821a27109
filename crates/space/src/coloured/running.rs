//! A search on coloured markings under way: what all orders have in common.
//!
//! A state is decoded when its turn comes, its successors are fired one by one, and each is encoded and looked up. No
//! events are kept: those of a path are found again by firing from each state on it until the encoding is the next
//! one's, or as often as it takes to come to the one with a known number. Since any firing may turn out to be an error
//! of the model, which is shown with a path, every search can always give one.

use std::ops::ControlFlow;

use sweepnet_colour::machine::{MarkingWorld, Occurrence, Scratch};
use sweepnet_colour::{ColouredNet, Event, Machine, Marking, ModelError, Patience};

use super::growth::{ColouredPump, Growth};
use super::multiset::{CodecOptions, CodecScratch, MultisetCodec};
use super::observer::ColouredObserver;
use super::report::ColouredMaxima;
use super::strings::Strings;
use crate::budget::{Budget, OutOfMemory};
use crate::control::SweepProgress;
use crate::search::Counts;
use crate::{Control, Full, Progress, StateId, StopReason, Watch};

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

/// What all searches work with.
pub(super) struct Running<'a, O> {
    pub machine: &'a Machine,
    pub codec: MultisetCodec,
    pub observer: &'a mut O,
    pub counts: Counts,
    pub maxima: ColouredMaxima,
    /// What watches for growth, until it is found.
    pub growth: Option<Growth>,
    /// Growth that was found, and how many states there may be from then on.
    pub pump: Option<(ColouredPump, u64)>,
    beyond_unbounded: u64,
    fired: Vec<bool>,
    steps: u64,
    pub work: CodecScratch,
    scratch: Scratch<'a>,
    pub budget: Budget,
    /// What tells whether to go on while one state is looked at, however long that takes.
    pub watch: &'a Watch,
    /// The same for whatever is evaluated.
    pub patience: Patience<'a>,
}

impl<'a, O: ColouredObserver> Running<'a, O> {
    /// A search that has not begun.
    pub fn new(
        net: &ColouredNet,
        machine: &'a Machine,
        codec: CodecOptions,
        observer: &'a mut O,
        control: &Control<'_>,
        (watch, patience): (&'a Watch, Patience<'a>),
    ) -> Self {
        let codec = MultisetCodec::new(net, codec);
        Self {
            machine,
            codec: if machine.keeps_clock() { codec.with_clock() } else { codec },
            observer,
            counts: Counts::default(),
            maxima: ColouredMaxima::new(net.places.len()),
            growth: Some(Growth::new(net)),
            pump: None,
            beyond_unbounded: 0,
            fired: vec![false; net.transitions.len()],
            steps: 0,
            work: CodecScratch::default(),
            scratch: Scratch::asking(patience),
            budget: control.budget().clone(),
            watch,
            patience,
        }
    }

    /// The same, which goes on for so many states when the net has turned out to be unbounded.
    pub fn beyond(self, states: u64) -> Self {
        Self { beyond_unbounded: states, ..self }
    }

    /// The same from the beginning, watched by nobody.
    pub fn unwatched<'b>(&'b self, nobody: &'b mut ()) -> Running<'b, ()> {
        Running {
            machine: self.machine,
            codec: self.codec.clone(),
            observer: nobody,
            counts: Counts::default(),
            maxima: ColouredMaxima::new(self.machine.initial().places.len()),
            growth: None,
            pump: None,
            beyond_unbounded: 0,
            fired: vec![false; self.fired.len()],
            steps: 0,
            work: CodecScratch::default(),
            scratch: Scratch::asking(self.patience),
            budget: self.budget.clone(),
            watch: self.watch,
            patience: self.patience,
        }
    }

    /// Whether the initial state is right.
    pub fn check_initial(&self) -> Result<(), Halt> {
        let checked = self.machine.check_initial(self.patience);
        self.unless_stopped()?;
        checked.map_err(|error| Halt::Wrong(error, Vec::new()))
    }

    /// The initial state, with its derived places.
    pub fn initial(&self) -> Marking {
        let mut initial = self.machine.initial().clone();
        // Whether they have a value is checked first of all.
        let _ = self.machine.derive(&mut initial, &mut Scratch::default());
        initial
    }

    /// Puts the initial state into the store.
    pub fn begin(&mut self, store: &mut Strings) -> Result<(), Halt> {
        let machine = self.machine;
        self.check_initial()?;
        let too_many = |fault| Halt::Wrong(ModelError::whole(fault), Vec::new());
        store.insert(self.codec.encode(machine.initial(), &mut self.work).map_err(too_many)?)?;
        self.discovered(machine.initial(), StateId::INITIAL, |_| Ok(Vec::new()))
    }

    /// One step further: looks at the control now and then.
    #[inline]
    pub fn step(&mut self, store: &Strings, control: &mut Control<'_>) -> Result<(), Halt> {
        self.poll(|| (store.len(), None), control)
    }

    /// One step further of a search that has found so many states, and may be a sweep.
    #[inline]
    pub fn poll(
        &mut self,
        found: impl FnOnce() -> (u64, Option<SweepProgress>),
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        self.steps += 1;
        if !self.steps.is_multiple_of(POLL_INTERVAL) {
            return Ok(());
        }
        let Counts { arcs, explored, depth, .. } = self.counts;
        let (states, sweep) = found();
        let progress = |memory| Progress { states, explored, arcs, depth, memory, sweep };
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
    pub fn load(
        &mut self,
        store: &Strings,
        id: StateId,
        bytes: &mut Vec<u8>,
        marking: &mut Marking,
    ) -> Result<(), Halt> {
        store.get(id, bytes);
        self.read(bytes, marking)
    }

    /// Reads an encoded state.
    pub fn read(&mut self, bytes: &[u8], marking: &mut Marking) -> Result<(), Halt> {
        self.codec.decode(bytes, marking, &mut self.work);
        let derived = self.machine.derive(marking, &mut self.scratch);
        self.unless_stopped()?;
        debug_assert!(derived.is_ok(), "it was derived before");
        Ok(())
    }

    /// A marking as the observer sees it.
    pub fn world<'m>(&self, marking: &'m Marking) -> MarkingWorld<'m>
    where
        'a: 'm,
    {
        MarkingWorld { machine: self.machine, marking, patience: self.patience }
    }

    /// Whether what was just evaluated counts: if somebody was told to stop, it may be anything.
    #[inline]
    pub fn unless_stopped(&self) -> Result<(), Halt> {
        self.watch.stopped().map_or(Ok(()), |reason| Err(Halt::Stopped(reason)))
    }

    /// A new state. `way` gives the events that lead to it.
    pub fn discovered(
        &mut self,
        marking: &Marking,
        id: StateId,
        way: impl FnOnce(&mut Self) -> Result<Vec<Event>, Halt>,
    ) -> Result<(), Halt> {
        let is_record = self.maxima.raise(marking);
        let is_wanted = self.observer.discovered(&self.world(marking), id);
        self.unless_stopped()?;
        // Somebody who wants the path gets it, and growth is looked for at the next record.
        if is_wanted {
            return self.witness(way);
        }
        if is_record && self.growth.as_mut().is_some_and(Growth::is_due) {
            self.look_for_growth(id, way)?;
        }
        match &self.pump {
            Some((_, last)) if id.0 >= *last => Err(Halt::Stopped(StopReason::Unbounded)),
            _ => Ok(()),
        }
    }

    /// Looks whether the way to a state can go on for ever.
    #[cold]
    fn look_for_growth(
        &mut self,
        id: StateId,
        way: impl FnOnce(&mut Self) -> Result<Vec<Event>, Halt>,
    ) -> Result<(), Halt> {
        // Where there is no memory to look, the search goes on without.
        let Ok(events) = way(self) else { return self.unless_stopped() };
        let growth = self.growth.as_ref();
        if let Some(pump) =
            growth.and_then(|growth| growth.look(self.machine, &events, &self.budget, self.watch))
        {
            self.growth = None;
            self.pump = Some((pump, id.0.saturating_add(self.beyond_unbounded)));
        }
        Ok(())
    }

    /// An edge, for whoever wants to know.
    #[inline]
    pub fn edge(&mut self, source: StateId, occurrence: &Occurrence<'_>, target: StateId) {
        if self.observer.wants_edges() {
            let event = self.machine.event(occurrence);
            self.observer.edge(source, event, target);
        }
    }

    /// All successors of a state are known.
    pub fn expanded(
        &mut self,
        marking: &Marking,
        id: StateId,
        successors: u64,
        way: impl FnOnce(&mut Self) -> Result<Vec<Event>, Halt>,
    ) -> Result<(), Halt> {
        self.counts.explored += 1;
        self.counts.deadlocks += u64::from(successors == 0);
        let is_wanted = self.observer.expanded(&self.world(marking), id, successors);
        self.unless_stopped()?;
        if is_wanted {
            self.witness(way)?;
        }
        self.unless_done()
    }

    /// An event that fails, from a state that `way` leads to.
    #[cold]
    pub fn wrong(
        &mut self,
        error: ModelError,
        event: Event,
        way: impl FnOnce(&mut Self) -> Result<Vec<Event>, Halt>,
    ) -> Halt {
        match way(self) {
            Ok(mut events) => {
                events.push(event);
                Halt::Wrong(error, events)
            }
            Err(halt) => halt,
        }
    }

    /// Gives the observer the way it asked for.
    #[cold]
    pub fn witness(&mut self, way: impl FnOnce(&mut Self) -> Result<Vec<Event>, Halt>) -> Result<(), Halt> {
        let events = way(self)?;
        self.observer.witness(events);
        self.unless_done()
    }

    /// Whether to go on.
    pub fn unless_done(&self) -> Result<(), Halt> {
        if self.observer.is_done() { Err(Halt::Stopped(StopReason::Decided)) } else { Ok(()) }
    }

    /// The events that lead along a path of stored states: for each step, the first event that makes it.
    pub fn events_along(
        &mut self,
        store: &Strings,
        path: impl FnOnce() -> Vec<StateId>,
    ) -> Result<Vec<Event>, Halt> {
        self.room_for(self.counts.depth as usize + 1)?;
        let path = path();
        let mut marking = self.machine.initial().clone();
        let (mut bytes, mut scratch) = (Vec::new(), Scratch::default());
        let mut events = Vec::with_capacity(path.len());
        for pair in path.windows(2) {
            self.load(store, pair[0], &mut bytes, &mut marking)?;
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
    /// Whether there is room for so many states and events. A path may be as long as there are states: what it takes
    /// must be there, or nobody can have it.
    pub fn room_for(&self, steps: usize) -> Result<(), OutOfMemory> {
        let bytes = steps * (2 * size_of::<StateId>() + 2 * size_of::<Event>());
        self.budget.charge(bytes)?;
        self.budget.release(bytes);
        Ok(())
    }
}
