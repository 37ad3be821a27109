//! Breadth-first search: level by level, so that paths are shortest.
//!
//! The store numbers states in the order in which they are found, so the frontier is simply the stored states from the
//! next number on.

use std::ops::ControlFlow;

use sweepnet_colour::ModelError;
use sweepnet_colour::machine::Scratch;

use super::observer::ColouredObserver;
use super::running::{Halt, Running};
use super::strings::Strings;
use crate::budget::Budget;
use crate::parents::Parents;
use crate::{Control, Inserted, StateId};

/// See the [module](self).
pub(super) struct BreadthFirst {
    parents: Parents,
}

impl BreadthFirst {
    pub fn new(budget: &Budget) -> Self {
        Self { parents: Parents::new(budget) }
    }

    pub fn bytes(&self) -> usize {
        self.parents.bytes()
    }

    /// Visits all states.
    pub fn go<O: ColouredObserver>(
        &mut self,
        at: &mut Running<'_, O>,
        store: &mut Strings,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let parents = &mut self.parents;
        at.begin(store)?;
        let machine = at.machine;
        let mut marking = machine.initial().clone();
        let (mut scratch, mut bytes) = (Scratch::asking(at.patience), Vec::new());
        let (mut next, mut level_end) = (0, 0);
        while next < store.len() {
            if next == level_end {
                level_end = store.len();
                at.counts.depth += 1;
            }
            at.step(store, control)?;
            let id = StateId(next);
            at.load(store, id, &mut bytes, &mut marking)?;
            let mut successors = 0;
            let mut halt = None;
            let _ = machine.successors(&marking, &mut scratch, &mut |occurrence, target| {
                successors += 1;
                at.fires(occurrence.transition);
                let encoded = target.and_then(|target| {
                    at.codec
                        .encode(target, &mut at.work)
                        .map(|bytes| (target, bytes))
                        .map_err(ModelError::whole)
                });
                let outcome = match encoded {
                    Err(error) => {
                        let way = |at: &mut Running<'_, O>| at.events_along(store, || parents.path(id));
                        Err(at.wrong(error, machine.event(&occurrence), way))
                    }
                    Ok((target, string)) => match insert(store, parents, string) {
                        Err(halt) => Err(halt),
                        Ok(Inserted::Seen(seen)) => {
                            at.edge(id, &occurrence, seen);
                            at.step(store, control)
                        }
                        Ok(Inserted::New(child)) => {
                            let way =
                                |at: &mut Running<'_, O>| at.events_along(store, || parents.path(child));
                            let outcome = at.discovered(target, child, way);
                            at.edge(id, &occurrence, child);
                            outcome
                        }
                    },
                };
                match outcome {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(reason) => {
                        halt = Some(reason);
                        ControlFlow::Break(())
                    }
                }
            });
            halt.map_or(Ok(()), Err).and_then(|()| at.unless_stopped())?;
            parents.reserve(1)?;
            parents.next_parent();
            next += 1;
            at.expanded(&marking, id, successors, |at| at.events_along(store, || parents.path(id)))?;
        }
        Ok(())
    }
}

/// Stores a successor of the state under expansion.
#[inline]
fn insert(store: &mut Strings, parents: &mut Parents, string: &[u8]) -> Result<Inserted, Halt> {
    parents.reserve(1)?;
    let inserted = store.insert(string)?;
    if matches!(inserted, Inserted::New(_)) {
        parents.child();
    }
    Ok(inserted)
}
