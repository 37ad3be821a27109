//! The token game of a coloured net on markings: what is enabled, and what firing leads to.
//!
//! `transition` has one compiled transition, `conditions` what must be true of every marking that firing leads to
//! (capacities, derived places), `world` the marking as terms see it.
//!
//! Time: a transition is enabled now if the tokens that it needs are ready. If nothing is enabled now, the clock moves
//! on, to the first moment at which something is.

mod conditions;
mod transition;
mod world;

use std::ops::ControlFlow;

use thiserror::Error;

use crate::compile::Compiler;
use crate::fault::Fault;
use crate::marking::Marking;
use crate::net::{ColouredNet, Transition};
use crate::patience::Patience;
use crate::term::{Node, Part};
use crate::types::TypeId;
use conditions::{Condition, Working};
use transition::Compiled;
pub use world::MarkingWorld;

/// A coloured net made ready to be played.
pub struct Machine {
    transitions: Vec<Compiled>,
    /// The transitions by priority, the highest first.
    ranks: Vec<Vec<usize>>,
    conditions: Vec<Condition>,
    timed: Vec<bool>,
    is_timed: bool,
    keeps_clock: bool,
    initial: Marking,
}

/// Something that happens: a transition with the words of its variables, after the clock has moved on so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The transition, by position.
    pub transition: usize,
    /// The words of its variables, one after another.
    pub binding: Box<[u64]>,
    /// How far the clock moved on before.
    pub wait: u64,
}

/// What is wrong with the model, seen when an event fires.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// A term has no value.
    #[error("{fault}")]
    Fault {
        /// Why.
        fault: Fault,
        /// Where it stands.
        at: Site,
    },
    /// A place has a number of tokens that its capacity rules out.
    #[error("a place has {tokens} tokens, which its capacity rules out")]
    Capacity {
        /// The place.
        place: usize,
        /// How many it has.
        tokens: u64,
    },
    /// A derived place is not what its definition says.
    #[error("a derived place is not equal to its definition")]
    Derived {
        /// The place.
        place: usize,
    },
}

/// Where a term stands that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// A guard of the transition, by position.
    Guard(usize),
    /// An output arc of the transition, by position.
    Output(usize),
    /// The delay of the transition.
    Delay,
    /// The definition of a derived place.
    Definition(usize),
    /// Nowhere in particular: it is the binding, or the marking, that there is not.
    Whole,
}

impl ModelError {
    /// Something that is there has no value, or none that can be counted.
    pub fn whole(fault: Fault) -> Self {
        Self::Fault { fault, at: Site::Whole }
    }
}

/// Whoever is told of an event and what it leads to, and may break off.
pub type Visit<'v> = &'v mut dyn FnMut(Occurrence<'_>, Result<&Marking, ModelError>) -> ControlFlow<()>;

impl Machine {
    /// Makes a net ready.
    pub fn new(net: &ColouredNet) -> Self {
        let compiler = Compiler::for_net(net);
        let place_types: Vec<TypeId> = net.places.iter().map(|place| place.type_).collect();
        let timed: Vec<bool> = net.places.iter().map(|place| place.timed).collect();
        let conditions = conditions::of(net, &compiler);
        let compiled = |transition: &Transition| {
            let breakable = conditions::of_transition(net, &conditions, transition);
            Compiled::new(transition, &place_types, &timed, breakable, &compiler)
        };
        let transitions: Vec<Compiled> = net.transitions.iter().map(compiled).collect();
        let mut priorities: Vec<i64> = net.transitions.iter().map(|t| t.priority).collect();
        priorities.sort_unstable_by(|a, b| b.cmp(a));
        priorities.dedup();
        let rank = |priority: &i64| {
            (0..net.transitions.len()).filter(|t| net.transitions[*t].priority == *priority).collect()
        };
        Self {
            transitions,
            ranks: priorities.iter().map(rank).collect(),
            conditions,
            is_timed: net.is_timed(),
            timed,
            keeps_clock: mentions_clock(net),
            initial: Marking::initial(net),
        }
    }

    /// Keeps the time in markings, also if the net does not speak of it.
    pub fn keep_clock(&mut self) {
        self.keeps_clock = true;
    }

    /// Whether markings have the time: it matters in what happens, or somebody wants it.
    pub fn keeps_clock(&self) -> bool {
        self.keeps_clock && self.is_timed
    }

    /// Computes the derived places of a marking from the others, all of them.
    pub fn derive(&self, marking: &mut Marking, scratch: &mut Scratch<'_>) -> Result<(), Fault> {
        let Scratch { work, patience, .. } = scratch;
        let working = work.conditions();
        self.conditions.iter().try_for_each(|condition| condition.derive(self, marking, working, *patience))
    }

    /// The initial marking.
    pub fn initial(&self) -> &Marking {
        &self.initial
    }

    /// What is wrong with the initial marking, if something is.
    pub fn check_initial(&self, patience: Patience<'_>) -> Result<(), ModelError> {
        let (mut marking, mut working) = (self.initial.clone(), Working::default());
        let mut establish =
            |condition: &Condition| condition.establish(self, &mut marking, &mut working, patience);
        self.conditions.iter().try_for_each(&mut establish)
    }

    /// Calls `visit` with each event that is possible in a marking and what it leads to, until it breaks, or the
    /// patience of the scratch ends. The marking must be right, as the initial one and all that events lead to are:
    /// only what an event may break is looked at.
    pub fn successors(
        &self,
        marking: &Marking,
        scratch: &mut Scratch<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        if self.fire_all(marking, 0, scratch, visit)? || !self.is_timed {
            return ControlFlow::Continue(());
        }
        for wait in marking.waits(&self.timed) {
            let later = self.later(marking, wait);
            if let Ok(later) = later
                && self.fire_all(&later, wait, scratch, visit)?
            {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// A marking so much later.
    fn later(&self, marking: &Marking, wait: u64) -> Result<Marking, Fault> {
        let mut later = marking.clone();
        later.advance(wait, &self.timed)?;
        if self.keeps_clock {
            let wait = i64::try_from(wait).map_err(|_| Fault::Overflow)?;
            later.clock = later.clock.checked_add(wait).ok_or(Fault::Overflow)?;
        }
        Ok(later)
    }

    /// Fires all that is enabled now; tells whether anything is.
    fn fire_all(
        &self,
        marking: &Marking,
        wait: u64,
        scratch: &mut Scratch<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<(), bool> {
        for rank in &self.ranks {
            let mut any = false;
            for t in rank {
                any |= self.transitions[*t].fire_all(*t, self, marking, wait, scratch, visit)?;
            }
            if any {
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    /// Whether a transition has an enabled binding with these values of some of its variables, now or when the clock
    /// has moved on.
    fn is_enabled(
        &self,
        marking: &Marking,
        transition: usize,
        values: &[(usize, Vec<u64>)],
        patience: Patience<'_>,
    ) -> Result<bool, Fault> {
        let mut scratch = Scratch::asking(patience);
        let compiled = &self.transitions[transition];
        let mut found = false;
        let visit = &mut |occurrence: Occurrence<'_>, _: Result<&Marking, ModelError>| {
            if occurrence.transition == transition && compiled.has(occurrence.slots, values) {
                found = true;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        // Only what comes first counts where there are priorities or times.
        let is_cut_short = match self.is_timed || self.ranks.len() > 1 {
            true => self.successors(marking, &mut scratch, visit).is_break(),
            false => compiled.fire_all(transition, self, marking, 0, &mut scratch, visit).is_break(),
        };
        if is_cut_short && !found { Err(Fault::Interrupted) } else { Ok(found) }
    }

    /// Sees to it that a marking meets some of the conditions, those at these positions.
    fn check(
        &self,
        which: &[usize],
        marking: &mut Marking,
        working: &mut Working,
        patience: Patience<'_>,
    ) -> Result<(), ModelError> {
        which.iter().try_for_each(|at| self.conditions[*at].establish(self, marking, working, patience))
    }

    /// The event of an occurrence.
    pub fn event(&self, occurrence: &Occurrence<'_>) -> Event {
        let binding = self.transitions[occurrence.transition].binding(occurrence.slots);
        Event { transition: occurrence.transition, binding, wait: occurrence.wait }
    }

    /// Whether more tokens of a value in a place may keep an event from happening: an inhibitor arc looks at them.
    pub fn wants_few(&self, event: &Event, place: usize, value: &[u64]) -> bool {
        self.transitions[event.transition].wants_few(&event.binding, place, value)
    }

    /// Fires an event; nothing if it is not possible.
    pub fn fire(&self, marking: &Marking, event: &Event) -> Option<Result<Marking, ModelError>> {
        let (mut found, mut scratch) = (None, Scratch::default());
        let visit = &mut |occurrence: Occurrence<'_>, next: Result<&Marking, ModelError>| {
            if occurrence.transition == event.transition && self.event(&occurrence) == *event {
                found = Some(next.cloned());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        // Only what comes first counts where there are priorities or times.
        if self.is_timed || self.ranks.len() > 1 {
            let _ = self.successors(marking, &mut scratch, visit);
        } else {
            let transition = &self.transitions[event.transition];
            let _ = transition.fire_all(event.transition, self, marking, 0, &mut scratch, visit);
        }
        found
    }
}

/// An event as it happens: the transition with its frame.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a> {
    /// The transition, by position.
    pub transition: usize,
    /// The words of its frame.
    pub slots: &'a [u64],
    /// How far the clock moved on before.
    pub wait: u64,
}

/// Memory that is used again and again.
#[derive(Default)]
pub struct Scratch<'a> {
    slots: Vec<u64>,
    work: transition::Work,
    patience: Patience<'a>,
}

impl<'a> Scratch<'a> {
    /// One that asks now and then, while very many values are tried, whether to go on. If not, the search for
    /// events breaks off.
    pub fn asking(patience: Patience<'a>) -> Self {
        Self { patience, ..Self::default() }
    }
}

/// Whether what happens in a net depends on the time itself.
fn mentions_clock(net: &ColouredNet) -> bool {
    let mut found = false;
    let mut see = |part: Part<'_>| {
        if let Part::Term(term) = part {
            found |= term.node == Node::Clock;
        }
    };
    for transition in &net.transitions {
        let arcs = [&transition.inputs, &transition.reads, &transition.inhibitors, &transition.outputs];
        arcs.into_iter().flatten().for_each(|arc| arc.tokens.walk(&mut see));
        transition.guards.iter().chain(&transition.delay).for_each(|term| term.walk(&mut see));
    }
    net.progress.parts.iter().for_each(|term| term.body.walk(&mut see));
    found
}
