//! The sliding window: levels by how often events have fired, in circular memory, guided by T-semiflows.
//!
//! A state is known by how often each event has fired on a way to it, its Parikh vector; its level is the sum. Firing
//! a T-semiflow changes nothing, so a vector that a semiflow fits into belongs to a marking whose level is lower by the
//! semiflow's rank: it is looked for there, and if it is not found it is *dropped*, and the result is no longer known to
//! be complete. A vector that none fits into is new. No semiflow reaches further back than the largest rank, the
//! *window*: older levels are forgotten, and their memory is used again.
//!
//! Each level is a sorted list of keys (`lists`) in a `ring`, and the next one is merged from it (`merge`). Vectors are
//! not kept: they follow from markings (`recovery`). Where the level follows from the marking, a marking is looked
//! for in the one level where it must be, and no marking can be found twice. Otherwise it is looked for in the whole
//! window; what was forgotten may be found again, and nobody says how many different states there are.

mod events;
mod guide;
mod learned;
mod level;
mod lists;
mod merge;
mod number;
mod recovery;
mod ring;
mod shape;

use std::sync::Arc;

use sweepnet_net::{Net, TransitionId};

use self::learned::Learned;
use self::level::{Levels, Memory, New, Pause, Sink, Tally};
use self::lists::Format;
use self::merge::Narrow;
use self::ring::Ring;
use self::shape::{Owner, Shape};
use super::sweep::spool::{Spool, SpoolError};
use super::{Halt, OnTheWay, Record, Running, Search, Way};
use crate::budget::{Budget, Hold};
use crate::growth::{self, GrowthWatch};
use crate::product::partition::Knowledge;
use crate::progress::Linear;
use crate::report::Windowed;
use crate::{Codec, Control, Full, Keys, Observer, Pump, StateId, StopReason, SweepPaths, WindowPlan};

/// What is searched.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    net: &'a Net,
    knowledge: &'a Knowledge,
    budget: &'a Budget,
}

/// What the search counts as stored: everything it finds, although little of it is kept.
#[derive(Debug)]
pub struct Kept {
    states: u64,
    most: u64,
    bytes: usize,
}

impl Kept {
    /// Nothing yet.
    pub fn new(_bits: usize, most: u64, _budget: &Budget) -> Result<Self, Full> {
        Ok(Self { states: 0, most, bytes: 0 })
    }
}

impl Keys for Kept {
    fn len(&self) -> u64 {
        self.states
    }

    fn limit_states(&mut self, most: u64) {
        self.most = most;
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn recode(&mut self, _: usize, _: &mut dyn FnMut(&[u64], &mut [u64])) -> Result<(), Full> {
        Ok(())
    }
}

/// The levels, with keys of as many words as they need.
enum Width {
    One(Levels<1>),
    Two(Levels<2>),
    Four(Levels<4>),
    Sixteen(Box<Levels<16>>),
    Most(Box<Levels<MOST_WORDS>>),
}

/// Words of the widest keys, and of all widths.
const MOST_WORDS: usize = 128;
const WIDTHS: [usize; 5] = [1, 2, 4, 16, MOST_WORDS];

/// Bytes of an event besides what it adds to a key, as a rule; and how many times events are in memory at most: while keys
/// change their form, there are old and new ones, and both grow.
const EVENT_BYTES: usize = 256;
const EVENT_COPIES: usize = 5;

/// Does the same whatever the width.
macro_rules! with_levels {
    ($width:expr, $levels:ident => $then:expr) => {
        match $width {
            Width::One($levels) => $then,
            Width::Two($levels) => $then,
            Width::Four($levels) => $then,
            Width::Sixteen($levels) => $then,
            Width::Most($levels) => $then,
        }
    };
}

/// Makes levels of the width that a shape needs; a shape that is too wide is an error.
macro_rules! of_width {
    ($words:expr, $make:ident => $then:expr) => {
        match $words {
            ..=1 => {
                type $make = Levels<1>;
                Width::One($then)
            }
            2 => {
                type $make = Levels<2>;
                Width::Two($then)
            }
            3..=4 => {
                type $make = Levels<4>;
                Width::Four($then)
            }
            5..=16 => {
                type $make = Levels<16>;
                Width::Sixteen(Box::new($then))
            }
            17..=MOST_WORDS => {
                type $make = Levels<MOST_WORDS>;
                Width::Most(Box::new($then))
            }
            _ => return Err(Halt::Stopped(StopReason::TooWide).into()),
        }
    };
}

/// See the [module](self).
pub struct Window {
    record: Record,
    plan: Arc<WindowPlan>,
    knowledge: Knowledge,
    spool: Paths,
    levels: Option<Width>,
    learned: Option<Learned>,
    tally: Tally,
    overflowed: bool,
    /// What events take.
    events: Option<Hold>,
}

/// How paths are found again.
enum Paths {
    /// Nobody asks for any.
    None,
    Spool(Spool),
    /// The disk does not take them.
    Refused,
}

impl Window {
    /// A search that has not begun, for this observer. `watch_growth` tells whether the net may be unbounded.
    pub fn new(
        net: &Net,
        plan: &WindowPlan,
        knowledge: &Knowledge,
        observer: &dyn Observer,
        watch_growth: bool,
        budget: &Budget,
    ) -> Self {
        let wants_paths = observer.wants_paths() || watch_growth;
        let folder = match &plan.paths {
            SweepPaths::SpoolIn(folder) => Some(folder.as_path()),
            SweepPaths::Spool | SweepPaths::Again => None,
        };
        let spool = match wants_paths {
            true => Spool::new(folder, budget).map_or(Paths::Refused, Paths::Spool),
            false => Paths::None,
        };
        let tally = Tally { states: 0, arcs: 0, dropped: 0, levels: 0, most_kept: 0, limit: u64::MAX };
        Self {
            record: Record::new(net, observer.wants_maxima(), observer.wants_fired(), watch_growth),
            plan: Arc::new(plan.clone()),
            knowledge: knowledge.clone(),
            spool,
            levels: None,
            learned: None,
            tally,
            overflowed: false,
            events: None,
        }
    }

    /// The window with the initial state only.
    fn begin(&mut self, net: &Net, wants_edges: bool, budget: &Budget) -> Result<(), Halt> {
        if !net.resets().is_empty() {
            return Err(Halt::Stopped(StopReason::ResetArcs));
        }
        let subject = Subject { net, knowledge: &self.knowledge, budget };
        let mut changes = vec![false; net.places().len()];
        for t in net.transition_ids().filter(|t| !self.knowledge.is_dead(*t)) {
            let arcs = net.inputs().of(t).iter().chain(net.outputs().of(t));
            for place in arcs.map(|arc| arc.place) {
                changes[place.index()] |= net.inputs().weight(t, place) != net.outputs().weight(t, place);
            }
        }
        let shape = Shape::new(net, &changes, &self.knowledge.bounds, &self.plan.determined)
            .map_err(|_| Halt::Stopped(StopReason::TooWide))?;
        if shape.words > MOST_WORDS {
            return Err(Halt::Stopped(StopReason::TooWide));
        }
        // Keys may need another width before long.
        let wider = WIDTHS.into_iter().find(|words| *words > shape.words).unwrap_or(MOST_WORDS);
        let of_an_event = wider * size_of::<u64>() + EVENT_BYTES;
        self.events = Some(budget.hold(net.transitions().len() * of_an_event * EVENT_COPIES)?);
        let ranks = self.plan.semiflows.iter().map(|flow| usize::try_from(flow.rank()).unwrap_or(usize::MAX));
        let window = ranks.max().unwrap_or(1).max(1);
        let left = budget.limit().saturating_sub(budget.used()).saturating_sub(1 << 20);
        let bytes = self.plan.bytes.unwrap_or(if wants_edges { left / 2 } else { left / 8 * 7 });
        let (memory, words) = match self.plan.slot {
            None => (Memory { format: Format::Runs, window, slots: None }, bytes / 8),
            Some(slot) => {
                let slots = bytes / u64::from(slot);
                let format = Format::Slots(slot * 8);
                // A level begins with a word of its own: what it takes to have room for all slots all the same.
                let words = (slots * u64::from(slot)).div_ceil(8) + window as u64 + 2;
                (Memory { format, window, slots: Some(slots) }, words)
            }
        };
        let ring = Ring::new(usize::try_from(words).unwrap_or(usize::MAX), budget)?;
        self.learned = Some(Learned::new(net, &shape, self.plan.semiflows.clone()));
        self.levels = match Self::levels(&subject, shape, ring, memory) {
            Ok(levels) => Some(levels),
            Err(pause) => return Err(self.ended(pause)),
        };
        self.tally.states = 1;
        self.tally.levels = 1;
        self.tally.most_kept = 1;
        Ok(())
    }

    fn watching<'s, 'a, 'r, M: Codec>(
        &'s mut self,
        at: &'s mut Running<'a, M>,
        control: &'s mut Control<'r>,
        state: M::State,
    ) -> Watching<'s, 'a, 'r, M> {
        Watching { at, record: &mut self.record, spool: &mut self.spool, control, state }
    }

    /// The level of a marking, times a unit, if it follows from it.
    fn level(&self) -> Option<(Linear, u64)> {
        let learned = self.learned.as_ref().filter(|learned| learned.is_ranked)?;
        let shape = with_levels!(self.levels.as_ref()?, levels => &levels.shape);
        let (weights, unit) = learned.level()?;
        let mut terms = Vec::new();
        for (field, weight) in weights {
            if let Owner::Place(place) = shape.fields[field as usize].owner {
                terms.push((place, i64::try_from(weight).ok()?));
            }
        }
        terms.sort_unstable();
        Some((Linear { terms, constant: 0 }, unit))
    }

    fn levels(subject: &Subject<'_>, shape: Shape, ring: Ring, memory: Memory) -> Result<Width, Pause> {
        Ok(of_width!(shape.words, Made => Made::new(subject, shape, ring, memory)?))
    }

    /// What a pause means that nothing can be done about.
    fn ended(&mut self, pause: Pause) -> Halt {
        match pause {
            Pause::Halt(halt) => halt,
            Pause::Overflow => {
                self.overflowed = true;
                Halt::Stopped(StopReason::Window)
            }
            Pause::Enter(_) | Pause::Narrow(_) => unreachable!("these are seen to where they occur"),
        }
    }

    /// Makes room for what a pause shows to be missing, or tells that there is none.
    fn make_room(&mut self, pause: Pause, net: &Net, budget: &Budget) -> Result<(), Halt> {
        let (Some(levels), Some(learned)) = (self.levels.take(), self.learned.as_mut()) else {
            return Err(Halt::Complete);
        };
        let shape = with_levels!(&levels, levels => levels.shape.clone());
        let before = learned.clone();
        let shape = match pause {
            Pause::Enter(event) => {
                let kept = learned.enter(event);
                if kept.is_empty() {
                    self.levels = Some(levels);
                    return Ok(());
                }
                // How large a count may be is not known: it has fired no more often than there are levels.
                let most = self.tally.levels;
                shape.with_events(kept.into_iter().map(|event| (event, most)))
            }
            Pause::Narrow(Narrow { field, count }) => match shape.widened(field, count) {
                Some(wider) => wider,
                None => {
                    self.levels = Some(levels);
                    return Err(Halt::Stopped(StopReason::TooWide));
                }
            },
            other => {
                self.levels = Some(levels);
                return Err(self.ended(other));
            }
        };
        let subject = Subject { net, knowledge: &self.knowledge, budget };
        match Self::recoded(levels, &subject, shape, &before) {
            Ok(levels) => self.levels = Some(levels),
            Err(pause) => return Err(self.ended(pause)),
        }
        Ok(())
    }

    fn recoded(
        levels: Width,
        subject: &Subject<'_>,
        shape: Shape,
        learned: &Learned,
    ) -> Result<Width, Pause> {
        with_levels!(levels, old => {
            Ok(of_width!(shape.words, Made => {
                let new: Made = old.recoded(subject, shape, |event, key, shape| learned.count(event, key, shape))?;
                new
            }))
        })
    }
}

impl Search<Kept> for Window {
    fn go<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        kept: &mut Kept,
        control: &mut Control<'_>,
    ) -> Result<(), Halt> {
        let (net, budget) = (at.net, control.budget().clone());
        let state = at.model.initial();
        if self.levels.is_none() {
            // Nothing is known of terminal components: levels are forgotten before it is.
            at.observer.regressed();
            self.begin(net, at.observer.wants_edges(), &budget)?;
            let new = New { number: 0, parent: 0, event: TransitionId::new(0) };
            kept.states = 1;
            let mut counts = net.initial_marking().tokens().to_vec();
            // A state has a word at least.
            counts.resize(counts.len().max(1), 0);
            self.watching(at, control, state.clone()).found(new, &counts)?;
        }
        self.tally.limit = kept.most;
        let outcome = loop {
            let (Some(mut levels), Some(learned)) = (self.levels.take(), self.learned.take()) else {
                break Ok(());
            };
            let mut tally = self.tally.clone();
            let mut watching = self.watching(at, control, state.clone());
            let step = with_levels!(&mut levels, levels => levels.step(&learned, &mut tally, &mut watching));
            kept.bytes = with_levels!(&levels, levels => levels.ring.most() as usize * 8);
            (self.tally, self.levels, self.learned) = (tally, Some(levels), Some(learned));
            self.record.counts.arcs = self.tally.arcs;
            self.record.counts.depth = self.tally.levels;
            kept.states = self.tally.states;
            match step {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(pause) => {
                    if let Err(halt) = self.make_room(pause, net, &budget) {
                        break Err(halt);
                    }
                }
            }
        };
        outcome?;
        match (self.tally.dropped, self.plan.integral) {
            (0, true) => Ok(()),
            (0, false) => Err(Halt::Stopped(StopReason::NotIntegral)),
            _ => Err(Halt::Stopped(StopReason::Dropped)),
        }
    }

    fn record(&self) -> &Record {
        &self.record
    }

    fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    fn bytes(&self) -> usize {
        match &self.spool {
            Paths::Spool(spool) => spool.bytes(),
            Paths::None | Paths::Refused => 0,
        }
    }

    fn peak_states(&self) -> Option<u64> {
        Some(self.tally.most_kept)
    }

    fn windowed(&self) -> Option<Windowed> {
        let ring = |read: fn(&Ring) -> u64| {
            self.levels.as_ref().map_or(0, |levels| with_levels!(levels, levels => read(&levels.ring)))
        };
        let ranks = self.plan.semiflows.iter().map(|flow| flow.rank());
        let window = ranks.max().unwrap_or(0).max(1);
        let array = self.plan.slot.map_or_else(|| ring(Ring::size) * 8, |_| self.plan.bytes.unwrap_or(0));
        let rounds = match self.plan.slot {
            Some(slot) => self.tally.states.checked_div(array / u64::from(slot)).unwrap_or(0),
            None => ring(Ring::written).checked_div(ring(Ring::size)).unwrap_or(0),
        };
        Some(Windowed {
            semiflows: self.plan.semiflows.len(),
            window,
            integrality: self.plan.integrality.clone(),
            integral: self.plan.integral,
            key_bits: self
                .levels
                .as_ref()
                .map_or(0, |levels| with_levels!(levels, levels => levels.shape.bits())),
            levels: self.tally.levels,
            bytes: array,
            used: ring(Ring::most) * 8,
            written: ring(Ring::written) * 8,
            rounds,
            dropped: self.tally.dropped,
            ranked: self.learned.as_ref().is_none_or(|learned| learned.is_ranked),
            level: self.level(),
            overflowed: self.overflowed,
            spooled: match &self.spool {
                Paths::Spool(spool) => spool.on_disk(),
                Paths::None | Paths::Refused => 0,
            },
        })
    }
}

/// Tells the observer what is found.
struct Watching<'s, 'a, 'r, M: Codec> {
    at: &'s mut Running<'a, M>,
    record: &'s mut Record,
    spool: &'s mut Paths,
    control: &'s mut Control<'r>,
    state: M::State,
}

impl<M: Codec> Sink for Watching<'_, '_, '_, M> {
    fn found(&mut self, new: New, counts: &[u64]) -> Result<(), Halt> {
        if let Paths::Spool(spool) = self.spool {
            match spool.push(new.parent, new.event.index() as u32) {
                Ok(()) => {}
                Err(SpoolError::Memory(refusal)) => return Err(refusal.into()),
                Err(SpoolError::Disk) => *self.spool = Paths::Refused,
            }
        }
        self.at.model.decode(counts, &mut self.state);
        let way = Back { number: new.number, spool: self.spool };
        self.record.discovered(self.at, StateId(new.number), &self.state, &way)
    }

    fn fires(&mut self, event: TransitionId) {
        self.record.fires(self.at, event);
    }

    fn wants_edges(&self) -> bool {
        self.at.observer.wants_edges()
    }

    fn edge(&mut self, source: u64, event: TransitionId, target: u64) {
        self.at.observer.edge(StateId(source), event, StateId(target));
    }

    fn expanded(&mut self, number: u64, counts: &[u64], successors: u64) -> Result<(), Halt> {
        self.at.model.decode(counts, &mut self.state);
        let way = Back { number, spool: self.spool };
        self.record.expanded(self.at, StateId(number), &self.state, successors, &way)
    }

    fn poll(&mut self, tally: &Tally) -> Result<(), Halt> {
        let record = &mut *self.record;
        (record.counts.arcs, record.counts.depth) = (tally.arcs, tally.levels);
        self.control.poll(|memory| record.progress(tally.states, memory)).map_err(Halt::Stopped)
    }
}

/// The way to a state, through states that may be forgotten.
struct Back<'a> {
    number: u64,
    spool: &'a Paths,
}

impl<M: Codec> Way<M> for Back<'_> {
    fn events(&self, _: &OnTheWay<'_, M>) -> Result<Vec<TransitionId>, Halt> {
        let events = match self.spool {
            Paths::Spool(spool) => spool.way(StateId(self.number)).ok(),
            Paths::None | Paths::Refused => None,
        };
        let events = events.ok_or(Halt::Stopped(StopReason::NoSpool))?;
        Ok(events.into_iter().map(|event| TransitionId::new(event as usize)).collect())
    }

    fn pump(&self, at: &OnTheWay<'_, M>, _: &GrowthWatch) -> Option<Pump> {
        growth::look_along(at.net, &self.events(at).ok()?)
    }
}
