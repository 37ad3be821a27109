//! What the search has learned of its events on the way.

use std::cell::Cell;

use sweepnet_net::{Net, TransitionId};
use sweepnet_structure::Semiflow;
use sweepnet_structure::entries::Entries;

use super::events::changes;
use super::number::Number;
use super::recovery::{Course, Recovery};
use super::shape::{Field, Owner, Shape};

/// See the [module](self).
#[derive(Clone, Debug)]
pub struct Learned {
    semiflows: Vec<Semiflow>,
    /// By event, the semiflows with it.
    with: Vec<Vec<u32>>,
    /// By semiflow, how many of its events have not led to a new state.
    missing: Vec<usize>,
    /// By event, whether it has led to a new state.
    entered: Vec<bool>,
    recovery: Recovery,
    /// What the fields of places held at first.
    initial: Vec<u64>,
    /// By event, the semiflows with it of which all other events have led to new states.
    candidates: Vec<Vec<u32>>,
    /// By event, where it leads, once somebody has asked.
    courses: Vec<Cell<Option<Course>>>,
    /// Whether a state's level follows from its marking.
    pub is_ranked: bool,
}

impl Learned {
    /// Nothing yet.
    pub fn new(net: &Net, shape: &Shape, semiflows: Vec<Semiflow>) -> Self {
        let columns: Vec<_> = net.transition_ids().map(|t| changes(net, shape, t)).collect();
        let initial = shape.fields[..shape.places].iter().map(|field| match field.owner {
            Owner::Place(place) => net.place(place).initial,
            Owner::Event(_) => 0,
        });
        let mut with = vec![Vec::new(); columns.len()];
        for (at, flow) in semiflows.iter().enumerate() {
            flow.support().for_each(|event| with[event].push(at as u32));
        }
        let mut learned = Self {
            with,
            missing: semiflows.iter().map(|flow| flow.weights.len()).collect(),
            semiflows,
            entered: vec![false; columns.len()],
            candidates: vec![Vec::new(); columns.len()],
            courses: vec![Cell::new(None); columns.len()],
            initial: initial.collect(),
            recovery: Recovery::new(columns, shape.places),
            is_ranked: true,
        };
        (0..learned.semiflows.len()).for_each(|at| learned.consider(at));
        learned
    }

    /// Whether an event has led to a new state.
    pub fn has_entered(&self, event: TransitionId) -> bool {
        self.entered[event.index()]
    }

    /// An event leads to a new state for the first time: the events whose counts have to be kept from now on, besides
    /// those that are.
    pub fn enter(&mut self, event: TransitionId) -> Vec<usize> {
        let event = event.index();
        self.entered[event] = true;
        let kept = match self.recovery.enter(event) {
            Some(false) => Vec::new(),
            Some(true) => {
                // It leads one level up from now on: so it must always have done.
                self.is_ranked &= self.recovery.course(event) == Course::Level(1);
                vec![event]
            }
            None => {
                let kept = |at: &usize| self.entered[*at] && !self.recovery.is_free(*at);
                let all = (0..self.entered.len()).filter(kept).collect();
                self.recovery = Recovery::of_nothing(&self.entered);
                self.is_ranked = false;
                all
            }
        };
        self.courses.fill(Cell::new(None));
        for at in self.with[event].clone() {
            self.missing[at as usize] -= 1;
            self.consider(at as usize);
        }
        kept
    }

    /// Makes a semiflow a candidate for those of its events of which all others have led to new states.
    fn consider(&mut self, at: usize) {
        let missing = self.missing[at];
        for (event, _) in &self.semiflows[at].weights {
            if missing == 0 && self.entered[*event] || missing == 1 && !self.entered[*event] {
                let candidates = &mut self.candidates[*event];
                if !candidates.contains(&(at as u32)) {
                    candidates.push(at as u32);
                }
            }
        }
    }

    /// Where an event leads.
    #[inline]
    pub fn course(&self, event: TransitionId) -> Course {
        if !self.is_ranked {
            return Course::Unknown;
        }
        let known = &self.courses[event.index()];
        known.get().unwrap_or_else(|| {
            let course = self.recovery.course(event.index());
            known.set(Some(course));
            course
        })
    }

    /// The level of a state, but for a constant, as a sum over the fields of places, times a unit.
    pub fn level(&self) -> Option<(Entries, u64)> {
        self.recovery.level()
    }

    /// Whether a semiflow fits into what has fired, once an event fires in a state.
    #[inline]
    pub fn fits<const W: usize>(&self, event: TransitionId, key: &Number<W>, shape: &Shape) -> bool {
        let candidates = &self.candidates[event.index()];
        candidates.iter().any(|at| self.is_within(&self.semiflows[*at as usize], event, key, shape))
    }

    fn is_within<const W: usize>(
        &self,
        flow: &Semiflow,
        event: TransitionId,
        key: &Number<W>,
        shape: &Shape,
    ) -> bool {
        flow.weights.iter().all(|(t, weight)| {
            let fired = self.count(*t, key, shape) + u64::from(*t == event.index());
            fired >= *weight
        })
    }

    /// How often an event has fired on the way to a state.
    pub fn count<const W: usize>(&self, event: usize, key: &Number<W>, shape: &Shape) -> u64 {
        let gain = |field: u32| {
            let at = field as usize;
            i128::from(shape.fields[at].of(key)) - i128::from(self.initial[at])
        };
        let kept = |event: u32| shape.event(event as usize).map_or(0, |field: &Field| field.of(key));
        // What cannot be worked out is not said to have fired: then less fits, and more is looked at.
        self.recovery.count(event, gain, kept).unwrap_or(0)
    }
}
