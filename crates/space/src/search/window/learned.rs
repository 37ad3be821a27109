//! What the search has learned of its events on the way.

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
    /// By event, whether it has led to a new state.
    entered: Vec<bool>,
    recovery: Recovery,
    /// What the fields of places held at first.
    initial: Vec<u64>,
    /// By event, the semiflows with it of which all other events have led to new states.
    candidates: Vec<Vec<u32>>,
    /// By event, where it leads.
    courses: Vec<Course>,
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
        let mut learned = Self {
            semiflows,
            entered: vec![false; columns.len()],
            candidates: vec![Vec::new(); columns.len()],
            courses: vec![Course::Unknown; columns.len()],
            initial: initial.collect(),
            recovery: Recovery::new(columns, shape.places),
            is_ranked: true,
        };
        learned.look_again();
        learned
    }

    /// Whether an event has led to a new state.
    pub fn has_entered(&self, event: TransitionId) -> bool {
        self.entered[event.index()]
    }

    /// An event leads to a new state for the first time: the events whose counts have to be kept from now on, besides
    /// those that are.
    pub fn enter(&mut self, event: TransitionId) -> Vec<usize> {
        self.entered[event.index()] = true;
        let kept = match self.recovery.enter(event.index()) {
            Some(true) => vec![event.index()],
            Some(false) => Vec::new(),
            None => {
                let kept = |at: &usize| self.entered[*at] && !self.recovery.is_free(*at);
                let all = (0..self.entered.len()).filter(kept).collect();
                self.recovery = Recovery::of_nothing(&self.entered);
                all
            }
        };
        self.look_again();
        kept
    }

    /// Works out what follows from what is known.
    fn look_again(&mut self) {
        for event in 0..self.entered.len() {
            self.courses[event] = self.recovery.course(event);
            let others_entered = |flow: &Semiflow| flow.support().all(|t| t == event || self.entered[t]);
            let with = self.semiflows.iter().enumerate();
            let with = with.filter(|(_, flow)| flow.weight(event) > 0 && others_entered(flow));
            self.candidates[event] = with.map(|(at, _)| at as u32).collect();
        }
        let ranked = |event: usize| !self.entered[event] || self.courses[event] == Course::Level(1);
        self.is_ranked &= (0..self.entered.len()).all(ranked);
    }

    /// Where an event leads.
    #[inline]
    pub fn course(&self, event: TransitionId) -> Course {
        if self.is_ranked { self.courses[event.index()] } else { Course::Unknown }
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
