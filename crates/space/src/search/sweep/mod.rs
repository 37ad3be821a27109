//! The sweep: states in order of a progress measure, and what lies behind is dropped.
//!
//! States are taken from the [layer](layers) with the least progress. When it is expanded nothing can lead there any
//! more, unless a step loses progress, and it is dropped whole. Every step is checked. The target of one that loses
//! progress is kept for ever, and swept from again when the present sweep is over, until there are no new ones
//! (Kristensen and Mailund). States that were dropped and are met again are explored again: then the number of states
//! explored is not that of different states, and nobody says that it is.
//!
//! Paths lead through states that are gone. They are read backwards from a `spool` on disk, or found by sweeping
//! `again`. `terminal` components are known when their layer is dropped, as long as no step loses progress.

pub(crate) mod again;
pub(crate) mod front;
pub mod layers;
mod profile;
pub mod routes;
pub mod shelf;
pub(crate) mod spool;
pub(crate) mod terminal;

use std::cell::RefCell;
use std::ops::ControlFlow;

use sweepnet_net::{Net, TransitionId};

use self::again::Trail;
use self::front::Front;
use self::layers::{Keeping, Layers, Local};
use self::routes::{Course, Route, Routes, course, value_of};
use self::spool::{Spool, SpoolError};
use self::terminal::Inner;
use super::batch::Batch;
use super::{Halt, OnTheWay, Record, Running, Search, Way};
use crate::budget::Budget;
use crate::growth::{self, GrowthWatch};
use crate::report::{Regress, RegressStep, Swept};
use crate::store::key_words;
use crate::{
    Codec, Control, Keys, Observer, Progress, Pump, Shown, StateId, StopReason, SweepPaths, SweepPlan, View,
};

/// See the [module](self).
#[derive(Debug)]
pub struct Sweep {
    record: Record,
    plan: SweepPlan,
    paths: Paths,
    keeping: Keeping,
    routes: Routes,
    inner: Option<Inner>,
    trail: Option<Trail>,
    front: Front,
    /// The layer under expansion, the rank of the transition to go on with, and how many successors the state under
    /// expansion had before that.
    here: Option<u32>,
    from: u32,
    successors: u64,
}

/// How paths are found again.
#[derive(Debug)]
enum Paths {
    /// Nobody asks for any.
    None,
    Spool(Spool),
    Again,
}

impl Sweep {
    /// A sweep that has not begun, for this observer. `watch_growth` tells whether the net may be unbounded.
    pub fn new(
        net: &Net,
        plan: &SweepPlan,
        observer: &dyn Observer,
        watch_growth: bool,
        budget: &Budget,
    ) -> Self {
        let wants_paths = observer.wants_paths() || watch_growth;
        let spool = |folder| Spool::new(folder, budget).map_or(Paths::Again, Paths::Spool);
        let paths = match &plan.paths {
            _ if !wants_paths => Paths::None,
            SweepPaths::Spool => spool(None),
            SweepPaths::SpoolIn(folder) => spool(Some(folder.as_path())),
            SweepPaths::Again => Paths::Again,
        };
        Self {
            record: Record::new(net, observer.wants_maxima(), observer.wants_fired(), watch_growth),
            plan: plan.clone(),
            paths,
            keeping: Keeping { numbers: wants_paths || observer.wants_edges(), marks: false },
            routes: Routes::new(net, &plan.measure),
            inner: observer.wants_terminal().then(|| Inner::new(budget)),
            trail: None,
            front: Front::new(plan.measure.order, plan.profile, plan.behind),
            here: None,
            from: 0,
            successors: 0,
        }
    }

    fn progress(&self, layers: &Layers, memory: u64) -> Progress {
        let sweep = self.front.progress(layers);
        Progress { sweep: Some(sweep), ..self.record.progress(layers.len(), memory) }
    }

    /// Puts the initial state in.
    fn begin<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        layers: &mut Layers,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        layers.keep(self.keeping);
        let state = at.model.initial();
        let value = value_of(&self.plan.measure, at.model, &state)?;
        let slot = layers.enter(&value)?;
        let mut buffer = Vec::new();
        let key = at.model.encode(&state, &mut buffer);
        let hash = layers.look_ahead(slot, key);
        layers.insert(slot, key, hash, 0)?;
        self.spool(0, TransitionId::new(0))?;
        self.front.tally.peak = 1;
        self.new_state(at, StateId::INITIAL, &state, control)
    }

    /// Writes down where a new state comes from.
    #[inline]
    fn spool(&mut self, parent: u64, event: TransitionId) -> Result<(), Halt> {
        if let Paths::Spool(spool) = &mut self.paths {
            match spool.push(parent, event.index() as u32) {
                Ok(()) => {}
                Err(SpoolError::Memory(refusal)) => return Err(refusal.into()),
                // A full disk is no reason to give up: paths are found by sweeping again.
                Err(SpoolError::Disk) => self.paths = Paths::Again,
            }
        }
        Ok(())
    }

    #[inline]
    fn new_state<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        id: StateId,
        state: &M::State,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let way = Gone { id, paths: &self.paths, plan: &self.plan, control: RefCell::new(control) };
        self.record.discovered(at, id, state, &way)
    }

    /// The next layer, if there is one.
    fn next_layer(&mut self, layers: &Layers) -> Option<u32> {
        let next = self.front.next_layer(layers)?;
        self.record.counts.depth = self.front.tally.values;
        self.routes.forget();
        if let Some(inner) = &mut self.inner {
            inner.clear();
        }
        Some(next)
    }

    /// Shows the terminal components of the layer.
    fn show_terminal<M: Codec>(
        &self,
        slot: u32,
        at: &mut Running<'_, M>,
        layers: &Layers,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let Some(inner) = &self.inner else { return Ok(()) };
        let (model, mut state) = (at.model, at.model.initial());
        let mut key = vec![0; key_words(model.bits())];
        inner.terminal(|component| {
            let mut last = StateId::UNNUMBERED;
            for position in component {
                let local = Local { slot, at: u64::from(*position) };
                layers.get(local, &mut key);
                model.decode(&key, &mut state);
                last = layers.number(local);
                at.observer.terminal(&View::new(last, &Shown(model, &state)));
            }
            if at.observer.terminal_end() {
                let way =
                    Gone { id: last, paths: &self.paths, plan: &self.plan, control: RefCell::new(control) };
                at.witness(self.record.counts.depth, &way)?;
            }
            at.unless_done()
        })
    }
}

impl Search<Layers> for Sweep {
    fn go<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        layers: &mut Layers,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        if layers.is_empty() {
            self.begin(at, layers, control)?;
        }
        let model = at.model;
        let words = key_words(model.bits());
        let (mut key, mut buffer) = (vec![0; words], Vec::new());
        let mut expansion =
            Expansion { state: model.initial(), successor: model.initial(), id: StateId::INITIAL };
        let (mut batch, mut ahead) = (Batch::default(), Vec::new());
        let mut steps = 0_u64;
        loop {
            let slot = match self.here {
                Some(slot) => slot,
                None => match self.next_layer(layers) {
                    Some(slot) => *self.here.insert(slot),
                    None => return Ok(()),
                },
            };
            while let Some(local) = layers.next(slot) {
                if steps.is_multiple_of(self.record.poll_interval) {
                    control.poll(|memory| self.progress(layers, memory)).map_err(Halt::Stopped)?;
                }
                steps += 1;
                layers.get(local, &mut key);
                model.decode(&key, &mut expansion.state);
                expansion.id = layers.number(local);
                let mark = layers.mark(local);
                if let Some(inner) = &mut self.inner {
                    inner.begin(local.at)?;
                }
                loop {
                    batch.clear();
                    let outcome = model.successors(&expansion.state, self.from, |event, target| {
                        batch.push(event, model.encode(target, &mut buffer))
                    });
                    ahead.clear();
                    for (event, key) in batch.events.iter().zip(batch.keys.chunks_exact(words)) {
                        let route = self.route(*event, key, &mut expansion, model, layers)?;
                        ahead.push((route, layers.look_ahead(route.slot, key)));
                    }
                    for (i, key) in batch.keys.chunks_exact(words).enumerate() {
                        let step =
                            Step { event: batch.events[i], key, route: ahead[i].0, hash: ahead[i].1, mark };
                        self.step(step, &mut expansion, at, layers, control)?;
                    }
                    match outcome {
                        Ok(ControlFlow::Continue(())) => break,
                        // The batch was full.
                        Ok(ControlFlow::Break(())) => {}
                        Err(outgrown) => {
                            self.from = model.rank(outgrown.event);
                            return Err(Halt::Outgrown(outgrown));
                        }
                    }
                }
                let outdegree = std::mem::take(&mut self.successors);
                self.from = 0;
                layers.expanded(slot);
                let way = Gone {
                    id: expansion.id,
                    paths: &self.paths,
                    plan: &self.plan,
                    control: RefCell::new(control),
                };
                self.record.expanded(at, expansion.id, &expansion.state, outdegree, &way)?;
            }
            self.show_terminal(slot, at, layers, control)?;
            self.here = None;
            self.front.leave(slot, self.record.counts.explored, layers)?;
        }
    }

    fn record(&self) -> &Record {
        &self.record
    }

    fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    fn bytes(&self) -> usize {
        match &self.paths {
            Paths::Spool(spool) => spool.bytes(),
            Paths::None | Paths::Again => 0,
        }
    }

    fn peak_states(&self) -> Option<u64> {
        Some(self.front.tally.peak)
    }

    fn swept(&self) -> Option<Swept> {
        let spooled = match &self.paths {
            Paths::Spool(spool) => spool.on_disk(),
            Paths::None | Paths::Again => 0,
        };
        Some(self.front.swept(&self.plan.measure.text, spooled))
    }
}

/// A state under expansion, and room for its successors.
struct Expansion<T> {
    state: T,
    successor: T,
    id: StateId,
}

/// A step that is to be taken.
struct Step<'k> {
    event: TransitionId,
    key: &'k [u64],
    route: Route,
    hash: u64,
    /// The mark of its source.
    mark: u64,
}

impl Sweep {
    /// Where a step leads, as far as progress is concerned.
    #[inline]
    fn route<M: Codec>(
        &mut self,
        event: TransitionId,
        key: &[u64],
        expansion: &mut Expansion<M::State>,
        model: &M,
        layers: &mut Layers,
    ) -> Result<Route, Halt> {
        if let Some(route) =
            self.routes.by_event(event, &self.front.value, self.plan.measure.order, layers)?
        {
            return Ok(route);
        }
        model.decode(key, &mut expansion.successor);
        let value = value_of(&self.plan.measure, model, &expansion.successor)?;
        Ok(Route {
            slot: layers.enter(&value)?,
            course: course(&self.front.value, &value, self.plan.measure.order),
        })
    }

    /// Takes a step.
    #[inline]
    fn step<M: Codec>(
        &mut self,
        step: Step<'_>,
        expansion: &mut Expansion<M::State>,
        at: &mut Running<'_, M>,
        layers: &mut Layers,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let model = at.model;
        let Step { event, key, route, hash, mark } = step;
        self.from = model.rank(event);
        if route.course == Course::Regress {
            self.regress(&step, expansion, at, layers)?;
        }
        let source = expansion.id;
        let next_number = layers.len();
        let mark = self.trail.as_ref().map_or(0, |trail| trail.mark(next_number, source.0, mark));
        let found = layers.insert(route.slot, key, hash, mark)?;
        self.from += 1;
        self.successors += 1;
        self.record.counts.arcs += 1;
        self.record.fires(at, event);
        if let Some(inner) = &mut self.inner {
            inner.step((route.course == Course::Keep).then_some(found.at))?;
        }
        let target = found.number.map_or(StateId::UNNUMBERED, StateId);
        let mut outcome = Ok(());
        if found.new {
            self.front.tally.peak = self.front.tally.peak.max(layers.kept());
            if route.course == Course::Regress {
                layers.persist(Local { slot: route.slot, at: found.at })?;
                self.front.tally.persistent += 1;
            }
            if let Some(trail) = &mut self.trail
                && trail.found(target.0, source.0, event.index() as u32, mark)
            {
                return Err(Halt::Stopped(StopReason::Decided));
            }
            self.spool(source.0, event)?;
            model.decode(key, &mut expansion.successor);
            outcome = self.new_state(at, target, &expansion.successor, control);
        }
        if at.observer.wants_edges() {
            at.observer.edge(source, event, target);
        }
        outcome
    }

    /// A step loses progress.
    #[cold]
    fn regress<M: Codec>(
        &mut self,
        step: &Step<'_>,
        expansion: &mut Expansion<M::State>,
        at: &mut Running<'_, M>,
        layers: &Layers,
    ) -> Result<(), Halt> {
        self.front.tally.regress_edges += 1;
        if self.inner.take().is_some() {
            at.observer.regressed();
        }
        if self.plan.monotone {
            at.model.decode(step.key, &mut expansion.successor);
            let step_taken = RegressStep::Plain {
                source: at.model.marking(&expansion.state),
                event: step.event,
                target: at.model.marking(&expansion.successor),
            };
            let (from, to) = (self.front.value.to_vec(), layers.value(step.route.slot).to_vec());
            self.front.tally.regress = Some(Regress { step: step_taken, from, to });
            return Err(Halt::Stopped(StopReason::Regress));
        }
        Ok(())
    }
}

/// Events that were kept as numbers.
fn transitions(events: &[u32]) -> Vec<TransitionId> {
    events.iter().map(|event| TransitionId::new(*event as usize)).collect()
}

/// The way to a state, through states that may be gone.
struct Gone<'a, 'c, 'r> {
    id: StateId,
    paths: &'a Paths,
    plan: &'a SweepPlan,
    control: RefCell<&'c mut Control<'r>>,
}

impl<M: Codec> Way<M> for Gone<'_, '_, '_> {
    fn events(&self, at: &OnTheWay<'_, M>) -> Result<Vec<TransitionId>, Halt> {
        if let Paths::Spool(spool) = self.paths
            && let Ok(events) = spool.way(self.id)
        {
            return Ok(transitions(&events));
        }
        again::way(at, self.plan, self.id, &mut self.control.borrow_mut())
    }

    fn pump(&self, at: &OnTheWay<'_, M>, _: &GrowthWatch) -> Option<Pump> {
        growth::look_along(at.net, &self.events(at).ok()?)
    }
}
