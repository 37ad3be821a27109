//! Breadth-first search: level by level, so that paths are shortest.
//!
//! The store numbers states in the order in which they are found, so the frontier is simply the stored states
//! from the next number on: no queue, no second copy.

use std::ops::ControlFlow;

use sweepnet_net::Net;

use super::batch::Batch;
use super::{Halt, Record, Running, Search, Stored};
use crate::budget::Budget;
use crate::parents::Parents;
use crate::store::key_words;
use crate::{Codec, Control, Full, Inserted, Observer, StateId, Store};

/// See the [module](self).
#[derive(Debug)]
pub struct BreadthFirst {
    record: Record,
    parents: Option<Parents>,
    /// The state to expand, the rank of the transition to go on with, and how many successors it had before that.
    next: u64,
    from: u32,
    successors: u64,
    /// Where the level ends that is being expanded.
    level_end: u64,
}

impl BreadthFirst {
    /// A search that has not begun, for this observer. `watch_growth` tells whether the net may be unbounded.
    pub fn new(net: &Net, observer: &dyn Observer, watch_growth: bool, budget: &Budget) -> Self {
        let paths = observer.wants_paths();
        Self {
            record: Record::new(net, observer.wants_maxima(), observer.wants_fired(), watch_growth),
            parents: (paths || watch_growth).then(|| Parents::new(budget)),
            next: 0,
            from: 0,
            successors: 0,
            level_end: 0,
        }
    }
}

impl<S: Store> Search<S> for BreadthFirst {
    const EVERY_WIDTH: bool = true;

    fn go<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        store: &mut S,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let Self { record, parents, next, from, successors, level_end } = self;
        let path_to = |parents: &Option<Parents>, id| {
            parents.as_ref().map_or_else(Vec::new, |parents| parents.path(id))
        };
        let model = at.model;
        let mut buffer = Vec::new();
        let mut state = model.initial();
        let mut successor = model.initial();
        if store.is_empty() {
            store.insert(model.encode(&state, &mut buffer))?;
            record.discovered(
                at,
                StateId::INITIAL,
                &state,
                &Stored { store, path: || vec![StateId::INITIAL] },
            )?;
        }
        let wants_edges = at.observer.wants_edges();
        let mut key = vec![0; key_words(model.bits())];
        let (mut batch, mut outcomes) = (Batch::default(), Vec::new());
        while *next < store.len() {
            if *next == *level_end {
                *level_end = store.len();
                record.counts.depth += 1;
            }
            if next.is_multiple_of(record.poll_interval) {
                control.poll(|memory| record.progress(store.len(), memory)).map_err(Halt::Stopped)?;
            }
            let id = StateId(*next);
            store.get(id, &mut key);
            model.decode(&key, &mut state);
            loop {
                batch.clear();
                outcomes.clear();
                let expansion = model.successors(&state, *from, |event, target| {
                    batch.push(event, model.encode(target, &mut buffer))
                });
                if let Some(parents) = parents {
                    parents.reserve(batch.events.len() + 1).map_err(Full::from)?;
                }
                let inserted = store.insert_all(&batch.keys, key.len(), &mut outcomes);
                let mut halt = None;
                for (i, outcome) in outcomes.iter().enumerate() {
                    let event = batch.events[i];
                    *successors += 1;
                    record.counts.arcs += 1;
                    record.fires(at, event);
                    *from = model.rank(event) + 1;
                    let target = match *outcome {
                        Inserted::Seen(target) => target,
                        Inserted::New(target) => {
                            if let Some(parents) = parents {
                                parents.child();
                            }
                            model.decode(&batch.keys[i * key.len()..][..key.len()], &mut successor);
                            let way = Stored { store, path: || path_to(parents, target) };
                            // The rest of the batch is in the store already: it is reported before the halt.
                            halt = halt.or(record.discovered(at, target, &successor, &way).err());
                            target
                        }
                    };
                    if wants_edges {
                        at.observer.edge(id, event, target);
                    }
                }
                if let Some(halt) = halt {
                    return Err(halt);
                }
                inserted?;
                match expansion {
                    Ok(ControlFlow::Continue(())) => break,
                    // The batch was full.
                    Ok(ControlFlow::Break(())) => {}
                    Err(outgrown) => {
                        *from = model.rank(outgrown.event);
                        return Err(Halt::Outgrown(outgrown));
                    }
                }
            }
            if let Some(parents) = parents {
                parents.next_parent();
            }
            let outdegree = std::mem::take(successors);
            *next += 1;
            *from = 0;
            record.expanded(at, id, &state, outdegree, &Stored { store, path: || path_to(parents, id) })?;
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
        self.parents.as_ref().map_or(0, Parents::bytes)
    }
}
