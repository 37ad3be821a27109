//! The way to a state through states that are gone: for each step the number of its event among those that are possible
//! there, read from a [`Spool`] or found by sweeping [`again`].

use std::ops::ControlFlow;

use sweepnet_colour::machine::Scratch;
use sweepnet_colour::{ColouredNet, Event};

use super::Sweep;
use crate::coloured::measure::ColouredSweepPlan;
use crate::coloured::observer::ColouredObserver;
use crate::coloured::running::{Halt, Running};
use crate::search::sweep::again::Trail;
use crate::search::sweep::layers::Layers;
use crate::search::sweep::spool::{Spool, SpoolError};
use crate::{Budget, Control, StateId, StopReason, SweepPaths};

/// How paths are found again.
pub(super) enum Paths {
    Spool(Spool),
    Again,
}

impl Paths {
    /// As planned; by sweeping again if there is no disk to write to.
    pub fn new(planned: &SweepPaths, budget: &Budget) -> Self {
        let spool = |folder| Spool::new(folder, budget).map_or(Self::Again, Self::Spool);
        match planned {
            SweepPaths::Spool => spool(None),
            SweepPaths::SpoolIn(folder) => spool(Some(folder.as_path())),
            SweepPaths::Again => Self::Again,
        }
    }

    /// Writes down where a new state comes from.
    #[inline]
    pub fn push(&mut self, parent: u64, number: u32) -> Result<(), Halt> {
        if let Self::Spool(spool) = self {
            match spool.push(parent, number) {
                Ok(()) => {}
                Err(SpoolError::Memory(refusal)) => return Err(refusal.into()),
                // A full disk is no reason to give up: paths are found by sweeping again.
                Err(SpoolError::Disk) => *self = Self::Again,
            }
        }
        Ok(())
    }

    /// The events that lead to a state, if that was written down.
    pub fn way(&self, to: StateId) -> Option<Vec<u32>> {
        match self {
            Self::Spool(spool) => spool.way(to).ok(),
            Self::Again => None,
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Spool(spool) => spool.bytes(),
            Self::Again => 0,
        }
    }

    /// Bytes on disk.
    pub fn on_disk(&self) -> u64 {
        match self {
            Self::Spool(spool) => spool.on_disk(),
            Self::Again => 0,
        }
    }
}

/// The events with these numbers, one after another from the initial state on; nothing if there is none with its number.
pub(super) fn replay<O: ColouredObserver>(
    at: &Running<'_, O>,
    numbers: &[u32],
) -> Result<Option<Vec<Event>>, Halt> {
    at.room_for(numbers.len())?;
    let machine = at.machine;
    let (mut marking, mut next, mut scratch) = (at.initial(), at.initial(), Scratch::default());
    let mut events = Vec::with_capacity(numbers.len());
    for number in numbers {
        let mut left = *number;
        let mut found = None;
        let _ = machine.successors(&marking, &mut scratch, &mut |occurrence, target| {
            if left > 0 {
                left -= 1;
                return ControlFlow::Continue(());
            }
            if let Ok(target) = target {
                next.clone_from(target);
                found = Some(machine.event(&occurrence));
            }
            ControlFlow::Break(())
        });
        let Some(event) = found else { return Ok(None) };
        events.push(event);
        std::mem::swap(&mut marking, &mut next);
    }
    Ok(Some(events))
}

/// The numbers of the events that lead to a state, found as on
/// [place/transition nets](crate::search::sweep::again).
pub(super) fn again<O: ColouredObserver>(
    net: &ColouredNet,
    plan: &ColouredSweepPlan,
    at: &Running<'_, O>,
    to: StateId,
    control: &mut Control<'_>,
) -> Result<Vec<u32>, Halt> {
    let plan =
        ColouredSweepPlan { monotone: false, paths: SweepPaths::Again, profile: false, ..plan.clone() };
    let mut trail = Trail::to(to.0);
    loop {
        if let Some(numbers) = trail.events() {
            return Ok(numbers);
        }
        let mut nobody = ();
        let mut unwatched = at.unwatched(&mut nobody);
        let mut sweep = Sweep::new(net, &plan, &unwatched);
        sweep.trail = Some(trail);
        let mut layers = Layers::new((), u64::MAX, &at.budget)?;
        match sweep.go(&mut unwatched, &mut layers, control) {
            Ok(()) | Err(Halt::Stopped(StopReason::Decided)) => {}
            Err(halt) => return Err(halt),
        }
        trail = sweep.trail.take().expect("nothing takes the trail away");
        trail.learn();
    }
}
