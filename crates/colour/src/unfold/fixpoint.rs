//! The least fixpoint: which values places may hold, and which bindings may fire.
//!
//! Each new value is matched with each pattern on its place, and the rest of the transition's pattern is drawn from
//! the values known by then; so the last value that a binding needs finds it. A binding that lacks a token which is no
//! pattern (a calculated one, or one of a comprehension) waits for that value.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use super::colours::{AllColours, Colours};
use super::{Limits, UnfoldError};
use crate::binding::{Plan, items};
use crate::compile::{BagCode, Compiler, WordCode};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::net::{Arc, ColouredNet};
use crate::patience::Patience;
use crate::pattern::Pattern;
use crate::tokens::Draft;
use crate::types::TypeId;

type Hashing = rapidhash::quality::RandomState;

/// A token of an instance: place, value's number, how many.
pub(super) type Flow = (u32, u32, u64);

/// A transition with a binding.
type Bound = (usize, Box<[u64]>);

/// A binding that may fire.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) transition: usize,
    pub(super) binding: Box<[u64]>,
    pub(super) inputs: Vec<Flow>,
    pub(super) reads: Vec<Flow>,
    pub(super) outputs: Vec<Flow>,
    pub(super) fault: Option<Fault>,
}

/// All values and instances.
pub(super) struct Found {
    pub(super) colours: Vec<Colours>,
    pub(super) instances: Vec<Instance>,
}

/// A pattern on a place, and how the rest of the transition is found.
struct Trigger {
    transition: usize,
    type_: TypeId,
    pattern: Pattern,
    plan: Plan,
}

/// The compiled parts of a transition.
struct Parts {
    variables: Vec<(usize, usize)>,
    frame: usize,
    guards: Vec<WordCode>,
    inputs: Vec<(usize, BagCode)>,
    reads: Vec<(usize, BagCode)>,
    outputs: Vec<(usize, BagCode)>,
}

struct Fixpoint<'a> {
    net: &'a ColouredNet,
    limits: &'a Limits<'a>,
    compiler: Compiler,
    parts: Vec<Parts>,
    colours: AllColours,
    /// New values whose patterns are still to be matched.
    queue: Vec<(u32, u32)>,
    seen: Vec<HashSet<Box<[u64]>, Hashing>>,
    /// Bindings that wait for a value: by place and value.
    waiting: HashMap<(usize, Box<[u64]>), Vec<Bound>, Hashing>,
    /// Bindings that have waited long enough.
    ready: Vec<Bound>,
    instances: Vec<Instance>,
    nodes: usize,
    steps: u32,
}

/// Finds all values and instances.
pub(super) fn run(net: &ColouredNet, limits: &Limits<'_>) -> Result<Found, UnfoldError> {
    let compiler = Compiler::for_net(net);
    let place_types: Vec<TypeId> = net.places.iter().map(|place| place.type_).collect();
    let mut colours: Vec<Colours> =
        place_types.iter().map(|type_| Colours::new(&net.types, *type_)).collect();
    let mut triggers: Vec<Vec<Trigger>> = net.places.iter().map(|_| Vec::new()).collect();
    let mut untriggered = Vec::new();
    for (t, transition) in net.transitions.iter().enumerate() {
        let items = items(transition);
        let is_pattern = |at: &usize| Pattern::outlook(items[*at].value, &[], compiler.types()).is_some();
        let patterns: Vec<usize> = (0..items.len()).filter(is_pattern).collect();
        for at in &patterns {
            let mut bound = Vec::new();
            let item = &items[*at];
            let Some(pattern) = Pattern::of(item.value, &mut bound, &compiler) else { continue };
            let plan =
                Plan::new(transition, bound, &|i| i != *at && patterns.contains(&i), &place_types, &compiler);
            for (place, component) in plan.known_components() {
                colours[place].index(component);
            }
            triggers[item.place].push(Trigger {
                transition: t,
                type_: place_types[item.place],
                pattern,
                plan,
            });
        }
        if patterns.is_empty() {
            untriggered.push((t, Plan::new(transition, Vec::new(), &|_| false, &place_types, &compiler)));
        }
    }
    let mut fixpoint = Fixpoint {
        parts: net.transitions.iter().map(|transition| Parts::new(transition, &compiler)).collect(),
        net,
        limits,
        compiler,
        colours: AllColours(colours),
        queue: Vec::new(),
        seen: net.transitions.iter().map(|_| HashSet::default()).collect(),
        waiting: HashMap::default(),
        ready: Vec::new(),
        instances: Vec::new(),
        nodes: 0,
        steps: 0,
    };
    for (p, place) in net.places.iter().enumerate() {
        if net.is_only_defined(p) {
            continue;
        }
        for (value, _) in &place.initial {
            fixpoint.value(p, value)?;
        }
    }
    for (t, plan) in &untriggered {
        fixpoint.match_all(*t, plan, None)?;
    }
    loop {
        while let Some((transition, binding)) = fixpoint.ready.pop() {
            fixpoint.consider(transition, binding)?;
        }
        let Some((place, number)) = fixpoint.queue.pop() else { break };
        for trigger in &triggers[place as usize] {
            let value = fixpoint.colours.0[place as usize].value(number as usize).to_vec();
            fixpoint.match_all(trigger.transition, &trigger.plan, Some((trigger, &value)))?;
        }
    }
    Ok(Found { colours: fixpoint.colours.0, instances: fixpoint.instances })
}

impl Parts {
    fn new(transition: &crate::Transition, compiler: &Compiler) -> Self {
        let bags = |arcs: &[Arc]| arcs.iter().map(|arc| (arc.place, compiler.bag(&arc.tokens))).collect();
        let variables = transition.variables.iter();
        Self {
            variables: variables.map(|v| (v.slot, compiler.types().width(v.type_))).collect(),
            frame: transition.frame,
            guards: transition.guards.iter().map(|guard| compiler.word(guard)).collect(),
            inputs: bags(&transition.inputs),
            reads: bags(&transition.reads),
            outputs: bags(&transition.outputs),
        }
    }

    fn binding(&self, slots: &[u64]) -> Box<[u64]> {
        self.variables.iter().flat_map(|(slot, width)| slots[*slot..slot + width].iter().copied()).collect()
    }

    /// A frame with a binding.
    pub(super) fn restore(&self, binding: &[u64]) -> Vec<u64> {
        let mut slots = vec![0; self.frame];
        let mut at = 0;
        for (slot, width) in &self.variables {
            slots[*slot..slot + width].copy_from_slice(&binding[at..at + width]);
            at += width;
        }
        slots
    }
}

impl Fixpoint<'_> {
    /// Counts what is made, and asks now and then whether to go on.
    fn spend(&mut self, nodes: usize) -> Result<(), UnfoldError> {
        self.nodes += nodes;
        if self.nodes > self.limits.nodes {
            return Err(UnfoldError::TooLarge(self.limits.nodes));
        }
        self.steps += 1;
        if self.steps.is_multiple_of(1 << 10) && !(self.limits.go_on)() {
            return Err(UnfoldError::Stopped);
        }
        Ok(())
    }

    /// A value that a place may hold.
    fn value(&mut self, place: usize, value: &[u64]) -> Result<u32, UnfoldError> {
        let (number, is_new) = self.colours.0[place].add(&self.net.types, value);
        if is_new {
            self.spend(1)?;
            self.queue.push((place as u32, number));
            if !self.waiting.is_empty()
                && let Some(waiting) = self.waiting.remove(&(place, value.into()))
            {
                self.ready.extend(waiting);
            }
        }
        Ok(number)
    }

    /// Finds the bindings of a transition, all of them or those with a certain token.
    fn match_all(
        &mut self,
        transition: usize,
        plan: &Plan,
        token: Option<(&Trigger, &[u64])>,
    ) -> Result<(), UnfoldError> {
        let mut slots = vec![0; self.parts[transition].frame];
        let mut frame = Frame::new(&mut slots, Patience::asking(self.limits.go_on));
        if let Some((trigger, value)) = token {
            let types = self.compiler.shared_types();
            let matches = trigger.pattern.matches(&types, trigger.type_, value, &mut frame).unwrap_or(false);
            if frame.is_interrupted() {
                return Err(UnfoldError::Stopped);
            }
            if !matches {
                return Ok(());
            }
        }
        let (mut found, mut unbound) = (Vec::new(), None);
        let (parts, known) = (&self.parts[transition], &self.seen[transition]);
        let limits = self.limits;
        let ended = plan.run(&self.colours, &mut frame, &mut |frame, fault| {
            if let Some(Fault::Unbound { variable }) = fault {
                unbound = Some(variable);
            }
            let binding = parts.binding(frame.slots);
            if !known.contains(&binding) {
                found.push(binding);
            }
            match unbound.is_some() || found.len() > limits.nodes {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        if let Some(variable) = unbound {
            return Err(UnfoldError::Unbound { transition, variable });
        }
        if found.len() > limits.nodes {
            return Err(UnfoldError::TooLarge(limits.nodes));
        }
        if ended.is_break() {
            return Err(UnfoldError::Stopped);
        }
        for binding in found {
            if self.seen[transition].insert(binding.clone()) {
                self.consider(transition, binding)?;
            }
        }
        Ok(())
    }

    /// Makes an instance of a binding if all its tokens may be there; else it waits for the first that may not.
    fn consider(&mut self, transition: usize, binding: Box<[u64]>) -> Result<(), UnfoldError> {
        let mut slots = self.parts[transition].restore(&binding);
        let (needs, outputs, fault) = {
            let parts = &self.parts[transition];
            let mut frame = Frame::new(&mut slots, Patience::asking(self.limits.go_on));
            let verdicts: Vec<Result<u64, Fault>> =
                parts.guards.iter().map(|guard| guard(&mut frame)).collect();
            if frame.is_interrupted() {
                return Err(UnfoldError::Stopped);
            }
            if verdicts.contains(&Ok(0)) {
                return Ok(());
            }
            let mut fault = verdicts.into_iter().find_map(Result::err);
            let draw = |(place, tokens): &(usize, BagCode), frame: &mut Frame<'_>| {
                let mut draft = Draft::new(self.compiler.width_of(*place));
                tokens(frame, &mut draft, 1)?;
                draft.settle()?;
                Ok::<_, Fault>((*place, draft))
            };
            let all = |arcs: &[(usize, BagCode)], frame: &mut Frame<'_>| {
                arcs.iter().map(|arc| draw(arc, frame)).collect::<Result<Vec<_>, Fault>>()
            };
            let (inputs, reads) = (all(&parts.inputs, &mut frame), all(&parts.reads, &mut frame));
            if frame.is_interrupted() {
                return Err(UnfoldError::Stopped);
            }
            // An input token without a value is nowhere.
            let (Ok(inputs), Ok(reads)) = (inputs, reads) else { return Ok(()) };
            let outputs = match fault {
                Some(_) => Vec::new(),
                None => all(&parts.outputs, &mut frame).unwrap_or_else(|error| {
                    fault = Some(error);
                    Vec::new()
                }),
            };
            if frame.is_interrupted() {
                return Err(UnfoldError::Stopped);
            }
            ([inputs, reads], outputs, fault)
        };
        let missing = needs.iter().flatten().find_map(|(place, draft)| {
            let colours = &self.colours.0[*place];
            let missing = draft.iter().find(|(value, _)| colours.find(value).is_none());
            missing.map(|(value, _)| (*place, Box::from(value)))
        });
        if let Some(missing) = missing {
            self.spend(1)?;
            self.waiting.entry(missing).or_default().push((transition, binding));
            return Ok(());
        }
        let mut flows = |drafts: &[(usize, Draft)]| -> Result<Vec<Flow>, UnfoldError> {
            let mut flows = Vec::new();
            for (place, draft) in drafts {
                for (value, count) in draft.iter() {
                    let number = self.value(*place, value)?;
                    flows.push((*place as u32, number, count as u64));
                }
            }
            Ok(flows)
        };
        let [inputs, reads] = [flows(&needs[0])?, flows(&needs[1])?];
        let outputs = flows(&outputs)?;
        self.spend(1 + inputs.len() + reads.len() + outputs.len())?;
        self.instances.push(Instance { transition, binding, inputs, reads, outputs, fault });
        Ok(())
    }
}
