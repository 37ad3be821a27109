//! One transition: its bindings, whether they are enabled, and firing.

use std::ops::ControlFlow;

use super::conditions::Working;
use super::{Machine, MarkingWorld, ModelError, Occurrence, Scratch, Site, Visit};
use crate::binding::{Plan, Source, items};
use crate::compile::{BagCode, Compiler, WordCode};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::marking::Marking;
use crate::net::{Arc, Transition};
use crate::patience::Patience;
use crate::term::Bag;
use crate::tokens::Draft;
use crate::types::TypeId;

/// A compiled arc.
struct Flow {
    place: usize,
    /// Words of a value, without its time.
    width: usize,
    timed: bool,
    tokens: BagCode,
}

/// A transition made ready.
pub(super) struct Compiled {
    plan: Plan,
    frame: usize,
    /// Where the words of each variable are.
    variables: Vec<(usize, usize)>,
    /// To be looked at again where one had no value.
    guards: Vec<WordCode>,
    inputs: Vec<Flow>,
    /// Whether finding a binding already shows that the input and read tokens are there.
    is_simple: bool,
    reads: Vec<Flow>,
    inhibitors: Vec<Flow>,
    empties: Vec<usize>,
    resets: Vec<usize>,
    outputs: Vec<Flow>,
    delay: Option<WordCode>,
    /// The conditions that it may break.
    breakable: Vec<usize>,
}

/// Memory for firing.
#[derive(Debug, Default)]
pub(super) struct Work {
    drafts: Vec<Draft>,
    next: Option<Marking>,
    words: Vec<u64>,
    conditions: Working,
}

impl Work {
    /// Memory for what must be true of markings.
    pub(super) fn conditions(&mut self) -> &mut Working {
        &mut self.conditions
    }
}

impl Compiled {
    pub(super) fn new(
        transition: &Transition,
        place_types: &[TypeId],
        timed: &[bool],
        breakable: Vec<usize>,
        compiler: &Compiler,
    ) -> Self {
        let flow = |arc: &Arc| Flow {
            place: arc.place,
            width: compiler.types().width(place_types[arc.place]),
            timed: timed[arc.place],
            tokens: compiler.bag(&arc.tokens),
        };
        let flows = |arcs: &[Arc]| arcs.iter().map(flow).collect::<Vec<Flow>>();
        Self {
            plan: Plan::new(transition, Vec::new(), &|_| true, place_types, compiler),
            frame: transition.frame,
            variables: transition
                .variables
                .iter()
                .map(|variable| (variable.slot, compiler.types().width(variable.type_)))
                .collect(),
            guards: transition.guards.iter().map(|guard| compiler.word(guard)).collect(),
            inputs: flows(&transition.inputs),
            is_simple: is_simple(transition),
            reads: flows(&transition.reads),
            inhibitors: flows(&transition.inhibitors),
            empties: transition.empties.clone(),
            resets: transition.resets.clone(),
            outputs: flows(&transition.outputs),
            delay: transition.delay.as_ref().map(|delay| compiler.word(delay)),
            breakable,
        }
    }

    /// Whether a frame has these values of some variables.
    pub(super) fn has(&self, slots: &[u64], values: &[(usize, Vec<u64>)]) -> bool {
        values.iter().all(|(variable, words)| {
            let (slot, width) = self.variables[*variable];
            slots[slot..slot + width] == **words
        })
    }

    /// The words of all variables.
    pub(super) fn binding(&self, slots: &[u64]) -> Box<[u64]> {
        self.variables.iter().flat_map(|(slot, width)| slots[*slot..slot + width].iter().copied()).collect()
    }

    /// Fires every binding that is enabled; tells whether there is one.
    pub(super) fn fire_all(
        &self,
        number: usize,
        machine: &Machine,
        marking: &Marking,
        wait: u64,
        scratch: &mut Scratch<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<(), bool> {
        let Scratch { slots, work, patience } = scratch;
        slots.clear();
        slots.resize(self.frame, 0);
        let world = MarkingWorld { machine, marking, patience: *patience };
        let mut frame = Frame::within(slots, &world);
        let source = Ready { machine, marking };
        let mut any = false;
        self.plan.run(&source, &mut frame, &mut |frame, fault| {
            let attempted = self.attempt(machine, marking, frame, fault, work);
            let next = match attempted {
                // Terms without a value are told apart from those that nobody waited for.
                _ if frame.is_interrupted() => return ControlFlow::Break(()),
                Err(ModelError::Fault { fault: Fault::Interrupted, .. }) => return ControlFlow::Break(()),
                Ok(true) => Ok(work.next.as_ref().expect("it was made")),
                Ok(false) => return ControlFlow::Continue(()),
                Err(error) => Err(error),
            };
            any = true;
            visit(Occurrence { transition: number, slots: frame.slots, wait }, next)
        })?;
        ControlFlow::Continue(any)
    }

    /// Fires the binding in the frame into `work.next`, if it is enabled.
    fn attempt(
        &self,
        machine: &Machine,
        marking: &Marking,
        frame: &mut Frame<'_>,
        fault: Option<Fault>,
        work: &mut Work,
    ) -> Result<bool, ModelError> {
        // A variable could not be gone through: there is no binding to look at.
        if let Some(fault @ Fault::Unbound { .. }) = fault {
            return Err(ModelError::whole(fault));
        }
        work.drafts.resize_with(self.inputs.len().max(self.outputs.len()), Draft::default);
        for (flow, draft) in self.inputs.iter().zip(&mut work.drafts) {
            // An input token without a value is nowhere.
            if flow.evaluate(frame, draft).is_err() {
                return Ok(false);
            }
        }
        if !self.is_simple && !self.has_tokens(marking, frame, work) {
            return Ok(false);
        }
        if !self.is_uninhibited(marking, frame) {
            return Ok(false);
        }
        if let Some(fault) = fault
            && !self.is_allowed(frame, fault)?
        {
            return Ok(false);
        }
        let next = work.next.get_or_insert_with(|| marking.clone());
        next.clone_from(marking);
        for (flow, draft) in self.inputs.iter().zip(&work.drafts) {
            for (value, count) in draft.iter() {
                let there = match flow.timed {
                    true => {
                        work.words.clear();
                        work.words.extend_from_slice(value);
                        work.words.push(0);
                        next.places[flow.place].remove(&work.words, count as u64)
                    }
                    false => next.places[flow.place].remove(value, count as u64),
                };
                debug_assert!(there, "what is enabled has its tokens");
            }
        }
        self.resets.iter().for_each(|place| next.places[*place].clear());
        self.put(frame, next, &mut work.drafts, &mut work.words)?;
        machine.check(&self.breakable, next, &mut work.conditions, frame.patience())?;
        Ok(true)
    }

    /// Whether all that is taken from a place together is there, and all that is read. The drafts hold what is taken.
    fn has_tokens(&self, marking: &Marking, frame: &mut Frame<'_>, work: &Work) -> bool {
        let ready = |flow: &Flow, value: &[u64]| ready(marking, flow.place, flow.timed, value);
        for (at, (flow, draft)) in self.inputs.iter().zip(&work.drafts).enumerate() {
            for (value, count) in draft.iter() {
                let others =
                    self.inputs[..at].iter().zip(&work.drafts).filter(|(f, _)| f.place == flow.place);
                let others = others.flat_map(|(_, draft)| draft.iter().filter(|(other, _)| *other == value));
                let taken = others.fold(count as u64, |sum, (_, count)| sum.saturating_add(count as u64));
                if ready(flow, value) < taken {
                    return false;
                }
            }
        }
        let mut draft = Draft::default();
        self.reads.iter().all(|flow| {
            flow.evaluate(frame, &mut draft).is_ok()
                && draft.iter().all(|(value, count)| ready(flow, value) >= count as u64)
        })
    }

    /// Whether a binding wants few tokens of a value in a place, by an inhibitor arc.
    pub(super) fn wants_few(&self, binding: &[u64], place: usize, value: &[u64]) -> bool {
        let mut slots = vec![0; self.frame];
        let mut rest = binding;
        for (slot, width) in &self.variables {
            let (words, others) = rest.split_at(*width);
            slots[*slot..slot + width].copy_from_slice(words);
            rest = others;
        }
        let mut frame = Frame::new(&mut slots, Patience::default());
        let mut draft = Draft::default();
        let mut names = |flow: &Flow| {
            flow.evaluate(&mut frame, &mut draft).is_ok() && draft.iter().any(|(other, _)| other == value)
        };
        self.empties.contains(&place) || self.inhibitors.iter().any(|flow| flow.place == place && names(flow))
    }

    fn is_uninhibited(&self, marking: &Marking, frame: &mut Frame<'_>) -> bool {
        let mut draft = Draft::default();
        self.empties.iter().all(|place| marking.places[*place].is_empty())
            && self.inhibitors.iter().all(|flow| {
                // What has no value is not there.
                flow.evaluate(frame, &mut draft).is_err()
                    || draft
                        .iter()
                        .all(|(value, count)| present(marking, flow.place, flow.timed, value) < count as u64)
            })
    }

    /// Whether the guards allow a binding in which one of them had no value: one that is false decides, else it is an
    /// error.
    fn is_allowed(&self, frame: &mut Frame<'_>, fault: Fault) -> Result<bool, ModelError> {
        if self.guards.iter().any(|guard| guard(frame) == Ok(0)) {
            return Ok(false);
        }
        let guard = self.guards.iter().position(|guard| guard(frame).is_err());
        Err(ModelError::Fault { fault, at: guard.map_or(Site::Whole, Site::Guard) })
    }

    /// Adds the output tokens.
    fn put(
        &self,
        frame: &mut Frame<'_>,
        next: &mut Marking,
        drafts: &mut [Draft],
        words: &mut Vec<u64>,
    ) -> Result<(), ModelError> {
        let delay = match &self.delay {
            Some(delay) => {
                delay(frame).and_then(|delay| u64::try_from(delay as i64).map_err(|_| Fault::NegativeDelay))
            }
            None => Ok(0),
        };
        let delay = delay.map_err(|fault| ModelError::Fault { fault, at: Site::Delay })?;
        for (at, (flow, draft)) in self.outputs.iter().zip(drafts).enumerate() {
            let put = flow.evaluate(frame, draft).and_then(|()| flow.put(draft, delay, next, words));
            put.map_err(|fault| ModelError::Fault { fault, at: Site::Output(at) })?;
        }
        Ok(())
    }
}

impl Flow {
    fn evaluate(&self, frame: &mut Frame<'_>, draft: &mut Draft) -> Result<(), Fault> {
        draft.restart(self.width);
        (self.tokens)(frame, draft, 1)?;
        draft.settle()
    }

    /// Adds tokens to a marking, which are ready after a delay.
    fn put(&self, draft: &Draft, delay: u64, next: &mut Marking, words: &mut Vec<u64>) -> Result<(), Fault> {
        for (value, count) in draft.iter() {
            if self.timed {
                words.clear();
                words.extend_from_slice(value);
                words.push(delay);
                next.places[self.place].add(words, count as u64)?;
            } else {
                next.places[self.place].add(value, count as u64)?;
            }
        }
        Ok(())
    }
}

/// How many tokens of a value are ready.
fn ready(marking: &Marking, place: usize, timed: bool, value: &[u64]) -> u64 {
    if !timed {
        return marking.places[place].count(value);
    }
    let mut words = value.to_vec();
    words.push(0);
    marking.places[place].count(&words)
}

/// How many tokens of a value there are, ready or not.
fn present(marking: &Marking, place: usize, timed: bool, value: &[u64]) -> u64 {
    if !timed {
        return marking.places[place].count(value);
    }
    let same = marking.places[place].iter().filter(|(words, _)| words[..words.len() - 1] == *value);
    same.map(|(_, count)| count).sum()
}

/// Whether each input or read arc is one token, each on a place of its own, so that a binding shows that they are
/// there.
fn is_simple(transition: &Transition) -> bool {
    let mut places: Vec<usize> = items(transition).iter().map(|item| item.place).collect();
    let arcs: Vec<&Arc> = transition.inputs.iter().chain(&transition.reads).collect();
    let single = |bag: &Bag| match bag {
        Bag::One(_) => true,
        Bag::Times(_, bag) => matches!(**bag, Bag::One(_)),
        _ => false,
    };
    let plain = places.len() == arcs.len() && arcs.iter().all(|arc| single(&arc.tokens));
    places.sort_unstable();
    places.dedup();
    plain && places.len() == arcs.len()
}

/// The tokens of a marking that are ready.
struct Ready<'a> {
    machine: &'a Machine,
    marking: &'a Marking,
}

impl Source for Ready<'_> {
    fn len(&self, place: usize) -> usize {
        self.marking.places[place].len()
    }

    fn token(&self, place: usize, at: usize) -> (&[u64], u64) {
        let tokens = &self.marking.places[place];
        let (value, count) = (tokens.value(at), tokens.count_at(at));
        if !self.machine.timed[place] {
            return (value, count);
        }
        let (wait, value) = value.split_last().expect("timed tokens have a time");
        (value, if *wait == 0 { count } else { 0 })
    }

    fn count(&self, place: usize, value: &[u64]) -> u64 {
        ready(self.marking, place, self.machine.timed[place], value)
    }
}
