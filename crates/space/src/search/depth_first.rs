//! Depth-first search, on a stack of its own. The stack is the path to the present state.

use std::ops::ControlFlow;

use sweepnet_net::Net;

use super::{Halt, Record, Running, Search, Stored};
use crate::budget::{Budget, Charged};
use crate::store::key_words;
use crate::{Codec, Control, Full, Inserted, Observer, StateId, Store};

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: u64,
    /// The rank of the transition to go on with.
    from: u32,
    /// How many successors it had before that.
    successors: u32,
}

/// See the [module](self).
#[derive(Debug)]
pub struct DepthFirst {
    record: Record,
    stack: Charged<Frame>,
}

impl DepthFirst {
    /// A search that has not begun, for this observer. `watch_growth` tells whether the net may be unbounded.
    pub fn new(net: &Net, observer: &dyn Observer, watch_growth: bool, budget: &Budget) -> Self {
        let record = Record::new(net, observer.wants_maxima(), observer.wants_fired(), watch_growth);
        Self { record, stack: Charged::new(budget) }
    }
}

impl<S: Store> Search<S> for DepthFirst {
    fn go<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        store: &mut S,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let Self { record, stack } = self;
        let path = |stack: &[Frame]| stack.iter().map(|frame| StateId(frame.id)).collect::<Vec<_>>();
        let model = at.model;
        let mut buffer = Vec::new();
        let mut state = model.initial();
        if store.is_empty() {
            store.insert(model.encode(&state, &mut buffer))?;
            stack.push(Frame { id: 0, from: 0, successors: 0 }).map_err(Full::from)?;
            record.discovered(
                at,
                StateId::INITIAL,
                &state,
                &Stored { store, path: || vec![StateId::INITIAL] },
            )?;
        }
        let wants_edges = at.observer.wants_edges();
        let mut key = vec![0; key_words(model.bits())];
        let mut steps = 0u64;
        while let Some(mut frame) = stack.last().copied() {
            steps += 1;
            if steps.is_multiple_of(record.poll_interval) {
                control.poll(|memory| record.progress(store.len(), memory)).map_err(Halt::Stopped)?;
            }
            // Room for a successor first: one that is in the store must get onto the stack.
            stack.reserve(stack.len() + 1).map_err(Full::from)?;
            let id = StateId(frame.id);
            store.get(id, &mut key);
            model.decode(&key, &mut state);
            let mut found = None;
            let mut full = None;
            let expansion = model.successors(&state, frame.from, |event, target| {
                let (target_id, new) = match store.insert(model.encode(target, &mut buffer)) {
                    Ok(Inserted::Seen(id)) => (id, false),
                    Ok(Inserted::New(id)) => (id, true),
                    Err(reason) => {
                        full = Some(reason);
                        return ControlFlow::Break(());
                    }
                };
                frame.successors += 1;
                frame.from = model.rank(event) + 1;
                record.counts.arcs += 1;
                record.fires(at, event);
                if new {
                    found = Some((target_id, event, target.clone()));
                    return ControlFlow::Break(());
                }
                if wants_edges {
                    at.observer.edge(id, event, target_id);
                }
                ControlFlow::Continue(())
            });
            *stack.last_mut().expect("the frame is on the stack") = frame;
            if let Some(full) = full {
                return Err(full.into());
            }
            if let Err(outgrown) = expansion {
                return Err(Halt::Outgrown(outgrown));
            }
            if let Some((target_id, event, target)) = found {
                stack.push_reserved(Frame { id: target_id.0, from: 0, successors: 0 });
                record.counts.depth = record.counts.depth.max(stack.len() as u64 - 1);
                let outcome =
                    record.discovered(at, target_id, &target, &Stored { store, path: || path(stack) });
                if wants_edges {
                    at.observer.edge(id, event, target_id);
                }
                outcome?;
                // Until a state is expanded, everything below it is.
                at.unless_done()?;
                continue;
            }
            let outdegree = u64::from(frame.successors);
            let outcome = record.expanded(at, id, &state, outdegree, &Stored { store, path: || path(stack) });
            stack.pop();
            outcome?;
        }
        Ok(())
    }

    fn record(&self) -> &Record {
        &self.record
    }

    fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    fn bytes(&self) -> usize {
        self.stack.bytes()
    }
}
