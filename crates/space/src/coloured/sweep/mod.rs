//! The sweep on coloured markings: as [on those of place/transition nets](crate::search::sweep), states are taken in
//! order of a progress measure, and what lies behind is dropped.
//!
//! Each layer has its own set of strings. What differs is that a step's effect on the measure is not known beforehand,
//! so that every marking is measured, and that an event is remembered by its number among those of its source, from
//! which [`paths`] finds it again.

mod paths;
mod regress;

use std::ops::ControlFlow;

use sweepnet_colour::machine::{MarkingWorld, Occurrence, Scratch};
use sweepnet_colour::{ColouredNet, Event, Marking, ModelError};

use self::paths::Paths;
use super::measure::{ColouredSweepPlan, Gauge};
use super::observer::ColouredObserver;
use super::report::{Extent, Lost};
use super::running::{Halt, Running};
use super::strings::Strings;
use crate::search::sweep::again::Trail;
use crate::search::sweep::front::Front;
use crate::search::sweep::layers::{Keeping, Layers, Local};
use crate::search::sweep::routes::{Course, course};
use crate::search::sweep::terminal::Inner;
use crate::{Control, StateId, StopReason, SweepPaths, Watch};

/// See the [module](self).
pub(super) struct Sweep<'p> {
    net: &'p ColouredNet,
    plan: &'p ColouredSweepPlan,
    gauge: Gauge,
    front: Front,
    paths: Paths,
    inner: Option<Inner>,
    /// The path that is looked for, if this is a sweep for its sake.
    trail: Option<Trail>,
    lost: Option<Lost>,
    state_bytes: u64,
    /// The value of the last marking that was measured.
    value: Vec<i64>,
}

/// A state under expansion.
struct Source<'m> {
    id: StateId,
    mark: u64,
    marking: &'m Marking,
}

/// An event as it happens to a state: its number among those of the state, and what it leads to.
struct Step<'s> {
    number: u64,
    occurrence: Occurrence<'s>,
    target: Result<&'s Marking, ModelError>,
}

impl<'p> Sweep<'p> {
    /// A sweep that has not begun.
    pub fn new<O: ColouredObserver>(
        net: &'p ColouredNet,
        plan: &'p ColouredSweepPlan,
        at: &Running<'_, O>,
    ) -> Self {
        Self {
            net,
            plan,
            gauge: Gauge::new(net, &plan.measure),
            front: Front::new(plan.measure.order, plan.profile, plan.behind),
            paths: Paths::new(&plan.paths, &at.budget),
            inner: at.observer.wants_terminal().then(|| Inner::new(&at.budget)),
            trail: None,
            lost: None,
            state_bytes: 0,
            value: Vec::new(),
        }
    }

    /// Tells how it went.
    pub fn tell(self, extent: &mut Extent) {
        extent.peak_states = self.front.tally.peak;
        extent.state_bytes = self.state_bytes;
        extent.search_bytes = self.paths.bytes();
        extent.swept = Some(self.front.swept(&self.plan.measure.text, self.paths.on_disk()));
        extent.lost = self.lost;
    }

    /// Visits all states.
    pub fn go<O: ColouredObserver>(
        &mut self,
        at: &mut Running<'_, O>,
        layers: &mut Layers<Strings>,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        layers.keep(Keeping { numbers: true, marks: self.trail.is_some() });
        if self.plan.paths == SweepPaths::Again {
            // A way costs as much as the sweep so far.
            at.growth = None;
        }
        self.begin(at, layers, control)?;
        let mut marking = at.machine.initial().clone();
        let (mut scratch, mut bytes) = (Scratch::asking(at.patience), Vec::new());
        while let Some(slot) = self.front.next_layer(layers) {
            at.counts.depth = self.front.tally.values;
            if let Some(inner) = &mut self.inner {
                inner.clear();
            }
            while let Some(local) = layers.next(slot) {
                layers.get(local, &mut bytes);
                at.read(&bytes, &mut marking)?;
                let source = Source { id: layers.number(local), mark: layers.mark(local), marking: &marking };
                if let Some(inner) = &mut self.inner {
                    inner.begin(local.at)?;
                }
                let successors = self.expand(&source, &mut scratch, at, layers, control)?;
                at.unless_stopped()?;
                layers.expanded(slot);
                at.expanded(&marking, source.id, successors, |at| self.way(at, source.id, control))?;
            }
            self.show_terminal(slot, at, layers, control)?;
            self.front.leave(slot, at.counts.explored, layers)?;
        }
        Ok(())
    }

    /// Puts the initial state in.
    fn begin<O: ColouredObserver>(
        &mut self,
        at: &mut Running<'_, O>,
        layers: &mut Layers<Strings>,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        at.check_initial()?;
        let initial = at.initial();
        self.measure(&at.world(&initial), at.watch)?;
        let slot = layers.enter(&self.value)?;
        let wrong = |fault| Halt::Wrong(ModelError::whole(fault), Vec::new());
        let string = at.codec.encode(&initial, &mut at.work).map_err(wrong)?;
        let hash = layers.look_ahead(slot, string);
        layers.insert(slot, string, hash, 0)?;
        self.state_bytes = string.len() as u64;
        self.front.tally.peak = 1;
        self.paths.push(0, 0)?;
        at.discovered(&initial, StateId::INITIAL, |at| self.way(at, StateId::INITIAL, control))
    }

    /// Measures how far a marking is.
    #[inline]
    fn measure(&mut self, world: &MarkingWorld<'_>, watch: &Watch) -> Result<(), Halt> {
        let measured = self.gauge.read(world, &mut self.value);
        measured.map_err(|_| Halt::Stopped(watch.stopped().unwrap_or(StopReason::NoProgressValue)))
    }

    /// Takes all steps of a state; tells how many there are.
    fn expand<O: ColouredObserver>(
        &mut self,
        source: &Source<'_>,
        scratch: &mut Scratch<'_>,
        at: &mut Running<'_, O>,
        layers: &mut Layers<Strings>,
        control: &mut Control<'_>,
    ) -> Result<u64, Halt> {
        let mut number = 0;
        let mut outcome = at.poll(|| (layers.found(), Some(self.front.progress(layers))), control);
        if outcome.is_ok() {
            let machine = at.machine;
            let _ = machine.successors(source.marking, scratch, &mut |occurrence, target| {
                let step = Step { number, occurrence, target };
                outcome = self.step(source, step, at, layers, control);
                number += 1;
                if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        outcome.map(|()| number)
    }

    /// Takes a step.
    fn step<O: ColouredObserver>(
        &mut self,
        source: &Source<'_>,
        step: Step<'_>,
        at: &mut Running<'_, O>,
        layers: &mut Layers<Strings>,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let Step { number, occurrence, target } = step;
        at.fires(occurrence.transition);
        let encoded = target.and_then(|target| {
            let string = at.codec.encode(target, &mut at.work).map_err(ModelError::whole)?;
            Ok((target, string))
        });
        let (target, string) = match encoded {
            Ok(encoded) => encoded,
            Err(error) => {
                let event = at.machine.event(&occurrence);
                return Err(at.wrong(error, event, |at| self.way(at, source.id, control)));
            }
        };
        let world = MarkingWorld { machine: at.machine, marking: target, patience: at.patience };
        self.measure(&world, at.watch)?;
        let course = course(&self.front.value, &self.value, self.plan.measure.order);
        if course == Course::Regress {
            self.front.tally.regress_edges += 1;
            if self.inner.take().is_some() {
                at.observer.regressed();
            }
            if self.plan.monotone {
                return Err(self.lose(source, at.machine.event(&occurrence), target));
            }
        }
        let slot = layers.enter(&self.value)?;
        let mark =
            self.trail.as_ref().map_or(0, |trail| trail.mark(layers.found(), source.id.0, source.mark));
        let hash = layers.look_ahead(slot, string);
        let length = string.len() as u64;
        let found = layers.insert(slot, string, hash, mark)?;
        if let Some(inner) = &mut self.inner {
            inner.step((course == Course::Keep).then_some(found.at))?;
        }
        let id = found.number.map_or(StateId::UNNUMBERED, StateId);
        let mut outcome = Ok(());
        if found.new {
            self.state_bytes += length;
            self.front.tally.peak = self.front.tally.peak.max(layers.kept());
            if course == Course::Regress {
                layers.persist(Local { slot, at: found.at })?;
                self.front.tally.persistent += 1;
            }
            // So many events of one state are never gone through.
            let number = u32::try_from(number).map_err(|_| at.budget.refusal())?;
            if self.trail.as_mut().is_some_and(|trail| trail.found(id.0, source.id.0, number, mark)) {
                return Err(Halt::Stopped(StopReason::Decided));
            }
            self.paths.push(source.id.0, number)?;
            outcome = at.discovered(target, id, |at| self.way(at, id, control));
        }
        at.edge(source.id, &occurrence, id);
        outcome.and_then(|()| at.poll(|| (layers.found(), Some(self.front.progress(layers))), control))
    }

    /// Shows the terminal components of the layer.
    fn show_terminal<O: ColouredObserver>(
        &self,
        slot: u32,
        at: &mut Running<'_, O>,
        layers: &Layers<Strings>,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let Some(inner) = &self.inner else { return Ok(()) };
        let machine = at.machine;
        let (mut marking, mut bytes) = (machine.initial().clone(), Vec::new());
        inner.terminal(|component| {
            let mut last = StateId::UNNUMBERED;
            for position in component {
                let local = Local { slot, at: u64::from(*position) };
                layers.get(local, &mut bytes);
                at.read(&bytes, &mut marking)?;
                last = layers.number(local);
                at.observer.terminal(&at.world(&marking), last);
                at.unless_stopped()?;
            }
            if at.observer.terminal_end() {
                at.witness(|at| self.way(at, last, control))?;
            }
            at.unless_done()
        })
    }

    /// The events that lead to a state, through states that may be gone.
    fn way<O: ColouredObserver>(
        &self,
        at: &mut Running<'_, O>,
        to: StateId,
        control: &mut Control<'_>,
    ) -> Result<Vec<Event>, Halt> {
        if let Some(numbers) = self.paths.way(to)
            && let Some(events) = paths::replay(at, &numbers)?
        {
            return Ok(events);
        }
        let numbers = paths::again(self.net, self.plan, at, to, control)?;
        Ok(paths::replay(at, &numbers)?.expect("a sweep that is repeated takes the same steps"))
    }
}
