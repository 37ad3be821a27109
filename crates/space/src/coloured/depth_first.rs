//! Depth-first search, on a stack of its own. The stack is the path to the present state.
//!
//! A state is expanded once: the encodings of its successors wait on a second stack until their turn comes, which takes
//! memory but saves firing again what was fired before. If somebody wants to know of edges, the event that led to it
//! waits behind each of them, and a state counts as expanded only when all its edges are told.

use std::ops::ControlFlow;

use sweepnet_colour::machine::Scratch;
use sweepnet_colour::{Event, Marking, ModelError};

use super::observer::ColouredObserver;
use super::running::{Halt, Running};
use super::strings::Strings;
use crate::budget::{Budget, Charged, OutOfMemory};
use crate::{Control, Inserted, StateId};

/// A state on the stack.
#[derive(Clone, Copy, Debug)]
struct Frame {
    id: StateId,
    /// Where its waiting successors begin, and where the next of them is.
    first: usize,
    next: usize,
}

/// See the [module](self).
pub(super) struct DepthFirst {
    stack: Charged<Frame>,
    waiting: Waiting,
}

/// Strings that wait: the length of each in 4 bytes, then itself.
struct Waiting(Charged<u8>);

impl Waiting {
    fn push(&mut self, string: &[u8]) -> Result<(), OutOfMemory> {
        let from = self.0.len();
        let to = from + 4 + string.len();
        self.0.reserve(to)?;
        self.0.resize(to, 0)?;
        self.0[from..from + 4].copy_from_slice(&(string.len() as u32).to_le_bytes());
        self.0[from + 4..].copy_from_slice(string);
        Ok(())
    }

    /// The string at a position, and the position behind it.
    fn get(&self, at: usize) -> Option<(&[u8], usize)> {
        let (length, rest) = self.0.get(at..)?.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        Some((&rest[..length], at + 4 + length))
    }

    /// Puts an event behind the string that it led to.
    fn push_event(&mut self, event: &Event) -> Result<(), OutOfMemory> {
        let words = [event.transition as u64, event.wait].into_iter().chain(event.binding.iter().copied());
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        self.push(&bytes)
    }

    /// The event at a position, and the position behind it.
    fn event(&self, at: usize) -> Option<(Event, usize)> {
        let (bytes, next) = self.get(at)?;
        let (words, _) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let (transition, wait) = (words.next()? as usize, words.next()?);
        Some((Event { transition, wait, binding: words.collect() }, next))
    }

    /// How many strings there are from a position on.
    fn count(&self, mut at: usize) -> u64 {
        let mut count = 0;
        while let Some((_, next)) = self.get(at) {
            (count, at) = (count + 1, next);
        }
        count
    }

    fn truncate(&mut self, to: usize) {
        // What grows smaller is not refused.
        let _ = self.0.resize(to, 0);
    }
}

impl DepthFirst {
    pub fn new(budget: &Budget) -> Self {
        Self { stack: Charged::new(budget), waiting: Waiting(Charged::new(budget)) }
    }

    pub fn bytes(&self) -> usize {
        self.stack.bytes() + self.waiting.0.bytes()
    }

    /// Visits all states.
    pub fn go<O: ColouredObserver>(
        &mut self,
        at: &mut Running<'_, O>,
        store: &mut Strings,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        at.begin(store)?;
        let wants_edges = at.observer.wants_edges();
        let mut marking = at.machine.initial().clone();
        let (mut scratch, mut bytes) = (Scratch::asking(at.patience), Vec::new());
        self.stack.push(Frame { id: StateId::INITIAL, first: 0, next: 0 })?;
        self.expand(at, &marking, &mut scratch, store, control)?;
        while let Some(frame) = self.stack.last().copied() {
            // Room for a successor first: one that is in the store must get onto the stack.
            self.stack.reserve(self.stack.len() + 1)?;
            let Some((string, mut next)) = self.waiting.get(frame.next) else {
                if wants_edges {
                    // Behind each successor there is an event.
                    let successors = self.waiting.count(frame.first) / 2;
                    at.load(store, frame.id, &mut bytes, &mut marking)?;
                    let way = |at: &mut Running<'_, O>| at.events_along(store, || path(&self.stack));
                    at.expanded(&marking, frame.id, successors, way)?;
                }
                self.waiting.truncate(frame.first);
                self.stack.pop();
                continue;
            };
            let inserted = store.insert(string)?;
            let mut event = None;
            if wants_edges && let Some((found, behind)) = self.waiting.event(next) {
                (event, next) = (Some(found), behind);
            }
            if let Some(frame) = self.stack.last_mut() {
                frame.next = next;
            }
            let mut tell = |at: &mut Running<'_, O>, target| {
                if let Some(event) = event.take() {
                    at.observer.edge(frame.id, event, target);
                }
            };
            match inserted {
                Inserted::Seen(id) => tell(at, id),
                Inserted::New(id) => {
                    let top = self.waiting.0.len();
                    self.stack.push_reserved(Frame { id, first: top, next: top });
                    at.counts.depth = at.counts.depth.max(self.stack.len() as u64 - 1);
                    at.load(store, id, &mut bytes, &mut marking)?;
                    let stack = &self.stack;
                    let found = at.discovered(&marking, id, |at| at.events_along(store, || path(stack)));
                    tell(at, id);
                    found?;
                    self.expand(at, &marking, &mut scratch, store, control)?;
                }
            }
        }
        Ok(())
    }

    /// Fires all that is enabled in the state on top of the stack.
    fn expand<O: ColouredObserver>(
        &mut self,
        at: &mut Running<'_, O>,
        marking: &Marking,
        scratch: &mut Scratch<'_>,
        store: &Strings,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let Self { stack, waiting } = self;
        let machine = at.machine;
        let wants_edges = at.observer.wants_edges();
        let mut successors = 0;
        let mut halt = at.step(store, control).err();
        let _ = machine.successors(marking, scratch, &mut |occurrence, target| {
            if halt.is_some() {
                return ControlFlow::Break(());
            }
            successors += 1;
            at.fires(occurrence.transition);
            let encoded =
                target.and_then(|target| at.codec.encode(target, &mut at.work).map_err(ModelError::whole));
            let outcome = match encoded {
                Err(error) => {
                    let way = |at: &mut Running<'_, O>| at.events_along(store, || path(stack));
                    Err(at.wrong(error, machine.event(&occurrence), way))
                }
                Ok(string) => {
                    let pushed = waiting.push(string).and_then(|()| match wants_edges {
                        true => waiting.push_event(&machine.event(&occurrence)),
                        false => Ok(()),
                    });
                    pushed.map_err(Halt::from).and_then(|()| at.step(store, control))
                }
            };
            halt = outcome.err();
            if halt.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        halt.map_or(Ok(()), Err).and_then(|()| at.unless_stopped())?;
        if wants_edges {
            return Ok(());
        }
        let id = stack.last().map_or(StateId::INITIAL, |frame| frame.id);
        at.expanded(marking, id, successors, |at| at.events_along(store, || path(stack)))
    }
}

fn path(stack: &[Frame]) -> Vec<StateId> {
    stack.iter().map(|frame| frame.id).collect()
}
