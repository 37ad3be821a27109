//! Finding out that a coloured net is unbounded.
//!
//! As in [place/transition nets](crate::growth): if a marking m' is reached from m by a sequence of events, has at least
//! as many tokens of each value in each place, and more somewhere, then the sequence can be fired again and again. What an
//! event takes and gives depends on its binding alone, so that more tokens never disable it, but for these:
//!
//! - an inhibitor arc of an event in the sequence, for a value of which there are more;
//! - a capacity of a place that grew, or a definition that mentions it and is not linear: repeating leads to an error;
//! - a transition of higher priority, or one that is enabled sooner while the sequence waits: none may take or read
//!   tokens from a place that grew, unless nothing in the sequence waits or gives way;
//! - timers: timed places must have the same tokens, and the clock, where it matters, the same time.
//!
//! Places that the sequence empties do not count as growing. Whatever is found is fired twice on the net itself.

use sweepnet_colour::{ColouredNet, Event, Machine, Marking};

use crate::Watch;
use crate::budget::Budget;
use crate::growth::GrowthWatch;

/// Tokens that there are more of: the place, the words of the value, and how many more.
pub type Grown = (usize, Box<[u64]>, u64);

/// A sequence of events that can be repeated for ever, and what grows with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouredPump {
    /// How to come to where it starts.
    pub prefix: Vec<Event>,
    /// What is repeated.
    pub cycle: Vec<Event>,
    /// What grows each time.
    pub grows: Vec<Grown>,
}

/// All pairs are compared on paths up to this length.
const LONGEST_PATH_FOR_PAIRS: usize = 256;

/// Pairs that cover each other but prove nothing are given up after so many.
const MOST_CANDIDATES: usize = 64;

/// Watches for growth along paths.
pub(super) struct Growth {
    watch: GrowthWatch,
    net: Knowledge,
}

/// What keeps sequences from being repeated.
struct Knowledge {
    timed: Vec<bool>,
    /// Places that nothing keeps from growing.
    unlimited: Vec<bool>,
    /// Places from which some transition takes or reads tokens.
    needed: Vec<bool>,
    transitions: Vec<Known>,
    /// Whether arcs and guards of all transitions depend on their variables only.
    all_local: bool,
}

/// What matters of a transition.
struct Known {
    resets: Vec<usize>,
    /// Whether arcs and guards depend on its variables only.
    local: bool,
    /// Whether no transition comes before it.
    first: bool,
}

impl Growth {
    pub fn new(net: &ColouredNet) -> Self {
        let mut needed = vec![false; net.places.len()];
        for arc in net.transitions.iter().flat_map(|t| t.inputs.iter().chain(&t.reads)) {
            needed[arc.place] = true;
        }
        let highest = net.transitions.iter().map(|t| t.priority).max().unwrap_or(0);
        let known = |(at, t): (usize, &sweepnet_colour::Transition)| Known {
            resets: t.resets.clone(),
            local: net.is_local(at),
            first: t.priority == highest,
        };
        let transitions: Vec<Known> = net.transitions.iter().enumerate().map(known).collect();
        let net = Knowledge {
            timed: net.places.iter().map(|place| place.timed).collect(),
            unlimited: net.unlimited_places(),
            needed,
            all_local: transitions.iter().all(|known| known.local),
            transitions,
        };
        Self { watch: GrowthWatch::default(), net }
    }

    /// Whether a state that brought a new maximum is to be looked at.
    pub fn is_due(&mut self) -> bool {
        self.watch.is_due()
    }

    /// Looks along a path for a sequence that can be repeated for ever: what the last marking covers of those before it,
    /// and on short paths what any does. Nothing if there is no memory to look.
    pub fn look(
        &self,
        machine: &Machine,
        events: &[Event],
        budget: &Budget,
        watch: &Watch,
    ) -> Option<ColouredPump> {
        let mut left = MOST_CANDIDATES;
        if events.len() < LONGEST_PATH_FOR_PAIRS {
            let size =
                machine.initial().places.iter().map(|tokens| 48 + 8 * (tokens.width() + 1) * tokens.len());
            let bytes = (events.len() + 1) * 4 * size.sum::<usize>();
            budget.charge(bytes).ok()?;
            let found = self.among_all(machine, events, &mut left);
            budget.release(bytes);
            return found;
        }
        let last = run(machine, machine.initial().clone(), events)?;
        let mut marking = machine.initial().clone();
        for (at, event) in events.iter().enumerate() {
            if let Some(pump) =
                self.candidate(machine, events, (at, &marking), (events.len(), &last), &mut left)
            {
                return Some(pump);
            }
            marking = machine.fire(&marking, event)?.ok().filter(|_| watch.goes_on())?;
        }
        None
    }

    /// Compares all markings on a path, the last with the nearest first.
    fn among_all(&self, machine: &Machine, events: &[Event], left: &mut usize) -> Option<ColouredPump> {
        let mut markings = vec![machine.initial().clone()];
        for event in events {
            markings.push(machine.fire(markings.last()?, event)?.ok()?);
        }
        let pairs =
            (1..markings.len()).rev().flat_map(|later| (0..later).rev().map(move |earlier| (earlier, later)));
        pairs.into_iter().find_map(|(earlier, later)| {
            let (below, above) = ((earlier, &markings[earlier]), (later, &markings[later]));
            self.candidate(machine, events, below, above, left)
        })
    }

    /// Two markings on a path, each with the number of events before it.
    fn candidate(
        &self,
        machine: &Machine,
        events: &[Event],
        below: (usize, &Marking),
        above: (usize, &Marking),
        left: &mut usize,
    ) -> Option<ColouredPump> {
        let grows = self.net.more(below.1, above.1).filter(|_| *left > 0)?;
        *left -= 1;
        let cycle = &events[below.0..above.0];
        let grows = self.net.repeatable(machine, cycle, grows)?;
        // The proof of the pudding.
        let once_more = run(machine, above.1.clone(), cycle)?;
        let again = self.net.more(above.1, &once_more)?;
        let same = grows.iter().all(|it| again.contains(it));
        same.then(|| ColouredPump { prefix: events[..below.0].to_vec(), cycle: cycle.to_vec(), grows })
    }
}

/// Fires events from a marking on.
fn run(machine: &Machine, from: Marking, events: &[Event]) -> Option<Marking> {
    events.iter().try_fold(from, |marking, event| machine.fire(&marking, event)?.ok())
}

impl Knowledge {
    /// What one marking has more than another, if it has no less of anything and more of something.
    fn more(&self, below: &Marking, above: &Marking) -> Option<Vec<Grown>> {
        if below.clock != above.clock {
            return None;
        }
        let mut more = Vec::new();
        for (place, (below, above)) in below.places.iter().zip(&above.places).enumerate() {
            if self.timed[place] {
                (below == above).then_some(())?;
                continue;
            }
            if below.len() > above.len() || below.iter().any(|(value, count)| above.count(value) < count) {
                return None;
            }
            for (value, count) in above.iter() {
                let grown = count - below.count(value);
                if grown > 0 {
                    more.push((place, value.into(), grown));
                }
            }
        }
        (!more.is_empty()).then_some(more)
    }

    /// What grows for ever if this is what grows by events; nothing if they cannot be repeated.
    fn repeatable(&self, machine: &Machine, cycle: &[Event], mut grows: Vec<Grown>) -> Option<Vec<Grown>> {
        let is_limited = grows.iter().any(|(place, ..)| !self.unlimited[*place]);
        let fires_anyway = |event: &Event| {
            let is_inhibited =
                || grows.iter().any(|(place, value, _)| machine.wants_few(event, *place, value));
            self.transitions[event.transition].local && !is_inhibited()
        };
        if is_limited || !cycle.iter().all(fires_anyway) {
            return None;
        }
        let gives_way = |event: &Event| event.wait > 0 || !self.transitions[event.transition].first;
        let is_overtaken = || !self.all_local || grows.iter().any(|(place, ..)| self.needed[*place]);
        if cycle.iter().any(gives_way) && is_overtaken() {
            return None;
        }
        let is_reset = |place: usize| {
            cycle.iter().any(|event| self.transitions[event.transition].resets.contains(&place))
        };
        grows.retain(|(place, ..)| !is_reset(*place));
        (!grows.is_empty()).then_some(grows)
    }
}
