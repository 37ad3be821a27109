//! Depth-first search, on a stack of its own. The stack is the path to the present state.
//!
//! A state is expanded once: the encodings of its successors wait on a second stack until their turn comes, which takes
//! memory but saves firing again what was fired before.

use std::ops::ControlFlow;

use sweepnet_colour::machine::Scratch;
use sweepnet_colour::{Marking, ModelError};

use super::observer::ColouredObserver;
use super::search::{Halt, Running};
use super::strings::Strings;
use crate::budget::{Budget, Charged, OutOfMemory};
use crate::{Control, Inserted, StateId, Watch};

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
        let mut marking = at.machine.initial().clone();
        let watch = control.watch();
        let go_on = || watch.goes_on();
        let (mut scratch, mut bytes) = (Scratch::asking(&go_on), Vec::new());
        self.stack.push(Frame { id: StateId::INITIAL, first: 0, next: 0 })?;
        self.expand(at, &marking, &mut scratch, store, control, &watch)?;
        while let Some(frame) = self.stack.last().copied() {
            // Room for a successor first: one that is in the store must get onto the stack.
            self.stack.reserve(self.stack.len() + 1)?;
            let Some((string, next)) = self.waiting.get(frame.next) else {
                self.waiting.truncate(frame.first);
                self.stack.pop();
                continue;
            };
            let inserted = store.insert(string)?;
            if let Some(frame) = self.stack.last_mut() {
                frame.next = next;
            }
            if let Inserted::New(id) = inserted {
                let top = self.waiting.0.len();
                self.stack.push_reserved(Frame { id, first: top, next: top });
                at.counts.depth = at.counts.depth.max(self.stack.len() as u64 - 1);
                at.load(store, id, &mut bytes, &mut marking);
                let stack = &self.stack;
                at.discovered(&marking, id, store, || path(stack))?;
                self.expand(at, &marking, &mut scratch, store, control, &watch)?;
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
        watch: &Watch,
    ) -> Result<(), Halt> {
        let Self { stack, waiting } = self;
        let machine = at.machine;
        let mut successors = 0;
        let mut halt = at.step(store, control).err();
        let _ = machine.successors(marking, scratch, &mut |occurrence, target| {
            if halt.is_some() {
                return ControlFlow::Break(());
            }
            successors += 1;
            at.fires(occurrence.transition);
            let encoded =
                target.and_then(|target| at.codec.encode(target, &mut at.work).map_err(ModelError::Fault));
            let outcome = match encoded {
                Err(error) => Err(at.wrong(error, machine.event(&occurrence), store, || path(stack))),
                Ok(string) => match waiting.push(string) {
                    Err(refusal) => Err(refusal.into()),
                    Ok(()) => at.step(store, control),
                },
            };
            halt = outcome.err();
            if halt.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(halt) = halt.or_else(|| watch.stopped().map(Halt::Stopped)) {
            return Err(halt);
        }
        let id = stack.last().map_or(StateId::INITIAL, |frame| frame.id);
        at.expanded(marking, id, successors, store, || path(stack))
    }
}

fn path(stack: &[Frame]) -> Vec<StateId> {
    stack.iter().map(|frame| frame.id).collect()
}
