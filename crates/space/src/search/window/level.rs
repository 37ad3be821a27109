//! The levels of the window, and how the next one comes to be.

use std::collections::VecDeque;

use sweepnet_net::TransitionId;

use super::Subject;
use super::events::{self, Event};
use super::learned::Learned;
use super::lists::{Cursor, Format, List, Writer};
use super::merge::{Merge, Narrow, Step};
use super::number::Number;
use super::recovery::Course;
use super::ring::{Overflow, Ring};
use super::shape::{Owner, Shape};
use crate::StopReason;
use crate::budget::{Charged, OutOfMemory};
use crate::search::Halt;

/// Whoever is told what the search finds. States are given as counts, by place.
pub trait Sink {
    /// A new state.
    fn found(&mut self, new: New, counts: &[u64]) -> Result<(), Halt>;

    /// An event is enabled somewhere.
    fn fires(&mut self, event: TransitionId);

    /// Whether edges are wanted.
    fn wants_edges(&self) -> bool;

    /// An edge.
    fn edge(&mut self, source: u64, event: TransitionId, target: u64);

    /// All edges of a state were seen.
    fn expanded(&mut self, number: u64, counts: &[u64], successors: u64) -> Result<(), Halt>;

    /// Time goes by.
    fn poll(&mut self, tally: &Tally) -> Result<(), Halt>;
}

/// A new state, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct New {
    /// Its number.
    pub number: u64,
    /// The number of the state before it.
    pub parent: u64,
    /// What fired there.
    pub event: TransitionId,
}

/// What was counted.
#[derive(Clone, Debug)]
pub struct Tally {
    /// States found.
    pub states: u64,
    /// Edges seen.
    pub arcs: u64,
    /// Markings that were dropped, because they were not where they should be.
    pub dropped: u64,
    /// Levels that are complete.
    pub levels: u64,
    /// The most states of a window.
    pub most_kept: u64,
    /// How many states there may be.
    pub limit: u64,
}

/// Why it does not go on.
#[derive(Debug)]
pub enum Pause {
    /// Somebody wants it to stop.
    Halt(Halt),
    /// An event leads to a new state for the first time.
    Enter(TransitionId),
    /// A field is too narrow.
    Narrow(Narrow),
    /// The window has outgrown its memory.
    Overflow,
}

impl From<Halt> for Pause {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl From<OutOfMemory> for Pause {
    fn from(refusal: OutOfMemory) -> Self {
        Self::Halt(refusal.into())
    }
}

impl From<Narrow> for Pause {
    fn from(narrow: Narrow) -> Self {
        Self::Narrow(narrow)
    }
}

impl From<Overflow> for Pause {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

/// An edge of the level, by where its source lies.
#[derive(Clone, Copy, Debug)]
struct Edge {
    source: u64,
    event: TransitionId,
    target: u64,
}

/// How the memory is used.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// How keys are written.
    pub format: Format,
    /// Levels that are kept besides the one under way, at most; at least 1.
    pub window: usize,
    /// Keys that there is room for, where they have slots.
    pub slots: Option<u64>,
}

/// The window with its keys.
pub struct Levels<const W: usize> {
    /// Where counts are in a key.
    pub shape: Shape,
    events: Vec<Event<W>>,
    mask: Number<W>,
    /// The array.
    pub ring: Ring,
    memory: Memory,
    /// Complete levels, the oldest first.
    lists: VecDeque<List>,
    /// The level under way.
    next: List,
    writer: Writer<W>,
    /// The last marking that was settled in the level under way.
    settled: Option<Number<W>>,
    /// States of the last level that have been expanded, once the level under way is complete.
    expanded: Option<u64>,
    edges: Charged<Edge>,
    counts: Vec<u64>,
}

/// How many markings are settled between two looks at the clock.
const POLL: u64 = 256;

/// An older level, read along.
struct Reader<const W: usize> {
    cursor: Cursor<W>,
    goes_on: bool,
}

impl<const W: usize> Levels<W> {
    /// The first level, with the initial state only.
    pub fn new(subject: &Subject<'_>, shape: Shape, ring: Ring, memory: Memory) -> Result<Self, Pause> {
        let initial = subject.net.initial_marking();
        let mut key = Number::ZERO;
        for field in &shape.fields {
            if let Owner::Place(place) = field.owner {
                key.add_shifted(i128::from(initial[place]), field.word, field.shift);
            }
        }
        let mut levels = Self::empty(subject, shape, ring, memory)?;
        levels.append(&key)?;
        levels.complete()?;
        Ok(levels)
    }

    fn empty(subject: &Subject<'_>, shape: Shape, ring: Ring, memory: Memory) -> Result<Self, Pause> {
        if let Format::Slots(bits) = memory.format
            && shape.bits() > bits as usize
        {
            return Err(Pause::Overflow);
        }
        Ok(Self {
            events: events::compile(subject.net, &shape, |t| subject.knowledge.is_dead(t)),
            mask: shape.mask(),
            counts: vec![0; shape.forms.len().max(1)],
            next: List { start: ring.head(), len: 0, first: 0 },
            ring,
            memory,
            lists: VecDeque::new(),
            writer: Writer::new(memory.format),
            settled: None,
            expanded: None,
            edges: Charged::new(subject.budget),
            shape,
        })
    }

    /// The same in another shape. `count` tells how often an event has fired on the way to a state.
    pub fn recoded<const V: usize>(
        mut self,
        subject: &Subject<'_>,
        shape: Shape,
        count: impl Fn(usize, &Number<W>, &Shape) -> u64,
    ) -> Result<Levels<V>, Pause> {
        self.writer.finish(&mut self.ring)?;
        let old = self.ring.take_out(subject.budget)?;
        let mut levels = Levels::<V>::empty(subject, shape, self.ring, self.memory)?;
        let places = self.shape.places;
        let translate = |key: &Number<W>, shape: &Shape| {
            let mut new = Number::<V>::ZERO;
            for (at, field) in shape.fields.iter().enumerate() {
                let value = match field.owner {
                    Owner::Place(_) => self.shape.fields[at].of(key),
                    Owner::Event(event) => count(event.index(), key, &self.shape),
                };
                new.add_shifted(i128::from(value), field.word, field.shift);
            }
            debug_assert_eq!(places, shape.places);
            new
        };
        for list in self.lists.iter().chain([&self.next]) {
            levels.next = List { start: levels.ring.head(), len: 0, first: list.first };
            let mut cursor = Cursor::<W>::new(list, self.memory.format, &old);
            while cursor.next(&old) {
                let key = translate(&cursor.key, &levels.shape);
                levels.append(&key)?;
            }
            if levels.lists.len() < self.lists.len() {
                levels.complete()?;
            }
        }
        levels.settled = self.settled.map(|key| translate(&key, &levels.shape));
        levels.expanded = self.expanded;
        levels.edges = self.edges;
        Ok(levels)
    }

    /// Appends a key to the level under way.
    #[inline]
    fn append(&mut self, key: &Number<W>) -> Result<(), Pause> {
        if let Some(slots) = self.memory.slots {
            let kept = self.lists.iter().map(|list| list.len).sum::<u64>();
            if kept + self.next.len >= slots {
                return Err(Pause::Overflow);
            }
        }
        self.writer.push(key, &mut self.ring)?;
        self.next.len += 1;
        Ok(())
    }

    /// The level under way is complete; the next one begins.
    fn complete(&mut self) -> Result<(), Pause> {
        self.writer.finish(&mut self.ring)?;
        let first = self.next.first + self.next.len;
        self.lists.push_back(self.next);
        self.next = List { start: self.ring.head(), len: 0, first };
        Ok(())
    }

    /// Builds the next level; tells whether it has any states.
    pub fn step(&mut self, learned: &Learned, tally: &mut Tally, sink: &mut dyn Sink) -> Result<bool, Pause> {
        if self.expanded.is_none() {
            self.fill(learned, tally, sink)?;
            let key = |edge: &Edge| (edge.source, edge.event);
            self.edges.sort_unstable_by_key(key);
            self.expanded = Some(0);
        }
        self.expand(tally, sink)?;
        self.expanded = None;
        self.settled = None;
        self.edges.clear();
        let kept = self.lists.iter().chain([&self.next]).map(|list| list.len).sum();
        tally.most_kept = tally.most_kept.max(kept);
        if self.next.len == 0 {
            return Ok(false);
        }
        self.complete()?;
        tally.levels += 1;
        while self.lists.len() > self.memory.window {
            self.lists.pop_front();
        }
        if let Some(oldest) = self.lists.front() {
            self.ring.release(oldest.start);
        }
        Ok(true)
    }

    /// Settles all markings that the last level leads to.
    fn fill(&mut self, learned: &Learned, tally: &mut Tally, sink: &mut dyn Sink) -> Result<(), Pause> {
        let Some(source) = self.lists.back().copied() else { return Ok(()) };
        let mut merge = Merge::new(&self.events, &source, self.memory.format, &self.ring)?;
        merge.enabled().for_each(|at| sink.fires(self.events[at].transition));
        let mut older: Vec<Option<Reader<W>>> = self.lists.iter().map(|_| None).collect();
        let (mut steps, mut settled) = (Vec::new(), 0_u64);
        loop {
            merge.next(&self.events, &self.mask, &self.ring, &mut steps)?;
            let Some(first) = steps.first() else { return Ok(()) };
            let is_behind = |last: &Number<W>| first.target.and(&self.mask) <= last.and(&self.mask);
            if self.settled.as_ref().is_some_and(is_behind) {
                continue;
            }
            if settled.is_multiple_of(POLL) {
                sink.poll(tally)?;
            }
            settled += 1;
            self.settle(&steps, source.first, &mut older, learned, tally, sink)?;
        }
    }

    /// Settles a marking: finds it, adds it, or drops it.
    #[inline]
    fn settle(
        &mut self,
        steps: &[Step<W>],
        sources: u64,
        older: &mut [Option<Reader<W>>],
        learned: &Learned,
        tally: &mut Tally,
        sink: &mut dyn Sink,
    ) -> Result<(), Pause> {
        let first = &steps[0];
        let found = self.find(&first.target, first.event, learned, older);
        let mut added = None;
        let target = match found {
            Some(number) => Some(number),
            None => {
                let fits = |step: &Step<W>| {
                    let source = step.target.minus(&self.events[step.at].step);
                    learned.fits(step.event, &source, &self.shape)
                };
                let known = |step: &&Step<W>| learned.has_entered(step.event);
                let new = steps.iter().filter(known).find(|step| !fits(step));
                let new = new.or_else(|| steps.iter().find(|step| !fits(step)));
                if let Some(step) = new {
                    if !learned.has_entered(step.event) {
                        return Err(Pause::Enter(step.event));
                    }
                    if tally.states >= tally.limit {
                        return Err(Halt::Stopped(StopReason::States).into());
                    }
                    self.append(&step.target)?;
                    added = Some(step);
                }
                new.map(|_| tally.states)
            }
        };
        tally.arcs += steps.len() as u64;
        tally.dropped += u64::from(target.is_none());
        tally.states += u64::from(added.is_some());
        self.settled = Some(first.target);
        if let Some(target) = target.filter(|_| sink.wants_edges()) {
            for step in steps {
                self.edges.push(Edge { source: step.source, event: step.event, target })?;
            }
        }
        if let (Some(step), Some(number)) = (added, target) {
            self.shape.counts(&step.target, &mut self.counts);
            let new = New { number, parent: sources + step.source, event: step.event };
            sink.found(new, &self.counts)?;
        }
        Ok(())
    }

    /// The number of a marking in an older level.
    #[inline]
    fn find(
        &self,
        key: &Number<W>,
        event: TransitionId,
        learned: &Learned,
        older: &mut [Option<Reader<W>>],
    ) -> Option<u64> {
        match learned.course(event) {
            Course::New | Course::Level(1..) => None,
            Course::Level(offset) => {
                let back = usize::try_from(offset.unsigned_abs()).ok()?;
                let at = older.len().checked_sub(1 + back)?;
                self.look(key, at, &mut older[at])
            }
            Course::Unknown => (0..older.len()).rev().find_map(|at| self.look(key, at, &mut older[at])),
        }
    }

    /// The same in one level.
    #[inline]
    fn look(&self, key: &Number<W>, at: usize, reader: &mut Option<Reader<W>>) -> Option<u64> {
        let (list, wanted) = (&self.lists[at], key.and(&self.mask));
        let reader = reader.get_or_insert_with(|| {
            let mut cursor = Cursor::new(list, self.memory.format, &self.ring);
            let goes_on = cursor.next(&self.ring);
            Reader { cursor, goes_on }
        });
        while reader.goes_on && reader.cursor.key.and(&self.mask) < wanted {
            reader.goes_on = reader.cursor.next(&self.ring);
        }
        let is_there = reader.goes_on && reader.cursor.key.and(&self.mask) == wanted;
        is_there.then(|| list.first + reader.cursor.position - 1)
    }

    /// Shows the states of the last level with all their edges.
    fn expand(&mut self, tally: &Tally, sink: &mut dyn Sink) -> Result<(), Pause> {
        let Some(source) = self.lists.back().copied() else { return Ok(()) };
        let done = self.expanded.unwrap_or(0);
        let mut cursor = Cursor::<W>::new(&source, self.memory.format, &self.ring);
        let mut edges = self.edges.iter().peekable();
        while cursor.next(&self.ring) {
            let at = cursor.position - 1;
            let is_done = at < done;
            while let Some(edge) = edges.next_if(|edge| edge.source == at) {
                if !is_done {
                    sink.edge(source.first + at, edge.event, edge.target);
                }
            }
            if is_done {
                continue;
            }
            if at.is_multiple_of(POLL) {
                sink.poll(tally)?;
            }
            self.expanded = Some(at + 1);
            let successors = self.events.iter().filter(|event| event.is_enabled(&cursor.key)).count();
            self.shape.counts(&cursor.key, &mut self.counts);
            sink.expanded(source.first + at, &self.counts, successors as u64)?;
        }
        Ok(())
    }
}
