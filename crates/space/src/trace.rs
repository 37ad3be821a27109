//! Paths: the events between states, and the markings they lead through.

use std::ops::ControlFlow;

use sweepnet_net::{FireError, Marking, Net, TransitionId};
use thiserror::Error;

use crate::{Codec, StateId, Store};

/// A firing sequence from the initial marking, replayed on the net itself. Markings on the way are not kept (a
/// trace may have millions of steps) but can be walked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What fires.
    pub events: Vec<TransitionId>,
    last: Marking,
}

/// A sequence that the net cannot fire.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("step {step} of the trace cannot be fired: {reason}")]
pub struct ReplayError {
    /// The step, from 1.
    pub step: usize,
    /// Why.
    pub reason: FireError,
}

impl Trace {
    /// Fires a sequence on the net, by its plain firing rule.
    pub fn replay(net: &Net, events: Vec<TransitionId>) -> Result<Self, ReplayError> {
        let mut last = net.initial_marking();
        for (at, event) in events.iter().enumerate() {
            net.fire_in(&mut last, *event).map_err(|reason| ReplayError { step: at + 1, reason })?;
        }
        Ok(Self { events, last })
    }

    /// The marking it ends in.
    pub fn last(&self) -> &Marking {
        &self.last
    }

    /// Shows the markings it leads through, from the initial one on: one more than events. The net must be the one that
    /// it was replayed on.
    pub fn walk(&self, net: &Net, mut visit: impl FnMut(&Marking)) {
        let mut marking = net.initial_marking();
        visit(&marking);
        for event in &self.events {
            if net.fire_in(&mut marking, *event).is_err() {
                return;
            }
            visit(&marking);
        }
    }

    /// The same, as an iterator over copies.
    pub fn markings<'a>(&'a self, net: &'a Net) -> impl Iterator<Item = Marking> + 'a {
        let mut events = self.events.iter();
        std::iter::successors(Some(net.initial_marking()), move |marking| {
            events.next().and_then(|event| net.fire(marking, *event).ok())
        })
    }
}

/// The events that lead along a path of stored states: for each step, the first event that makes it.
pub fn events_along<M: Codec, S: Store>(model: &M, store: &S, path: &[StateId]) -> Vec<TransitionId> {
    let words = crate::store::key_words(model.bits());
    let (mut source_key, mut target_key, mut buffer) = (vec![0; words], vec![0; words], Vec::new());
    let mut source = model.initial();
    let step = |pair: &[StateId]| {
        store.get(pair[0], &mut source_key);
        store.get(pair[1], &mut target_key);
        model.decode(&source_key, &mut source);
        let mut found = None;
        // A successor that outgrows the encoding comes after the one that is looked for, which is stored.
        let _ = model.successors(&source, 0, |event, target| {
            if model.encode(target, &mut buffer) == target_key {
                found = Some(event);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    };
    path.windows(2).filter_map(step).collect()
}
