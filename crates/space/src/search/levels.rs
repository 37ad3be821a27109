//! Breadth-first search over a set of ranks, on several threads, level by level.
//!
//! Threads take blocks of the present level, find successors by look-ups in the components' tables, and send them to
//! the set; whoever brings a new one puts it into the next level. The end of a level is the end of a *phase*: between
//! phases nobody else reads or writes, and tables, ranks or the set itself may be changed. A phase ends early where a
//! table is full, where memory is short, or where somebody wants the path to a state. The numbers of states and arcs
//! and the length of every path are those of one thread; which of several shortest paths is found may differ.
//!
//! Paths need no parents: members of the set carry their level (modulo 255), and a predecessor on a shortest path is
//! one that is a level lower. It is found by un-firing.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use sweepnet_net::{PlaceId, TransitionId};

use super::Counts;
use super::forecast::Forecast;
use super::frontier::{BLOCK, Form, Frontier, LARGE_BLOCK};
use super::in_hand::InHand;
use super::recent::Recent;
use crate::budget::{Hold, OutOfMemory};
use crate::divisible::Divisible;
use crate::product::tables::NoRoom;
use crate::product::{Expanding, Lot, MOST_SUCCESSORS, Product, Stuck};
use crate::set::held::AnyRank;
use crate::set::words::{marked, split};
use crate::set::{RankSet, TOGETHER};
use crate::{Budget, Control, Full, Observer, Progress, Shown, StateId, StopReason, System, View};

/// Levels smaller than this are not worth a second thread.
pub const WORTH_THREADS: u64 = 4 * BLOCK as u64;

/// Arcs between two looks at the clock; and how many a state is worth, and so many of its places: whoever watches may
/// look at each of them.
const ARCS_BETWEEN_POLLS: u64 = 1 << 14;
const ARCS_OF_A_STATE: u64 = 16;
const PLACES_OF_AN_ARC: u64 = 64;

/// Arcs of states that are expanded together, at most, if all transitions are enabled in all of them.
const ARCS_TOGETHER: u64 = 1 << 20;

/// States at which whoever explores first looks at how it goes, and up to which it looks only after each doubling.
const FIRST_LOOK: u64 = 1 << 14;
const FEW_LOOKS: u64 = 1 << 16;

/// Fewer states are not worth a look when levels begin to shrink.
const WORTH_A_LOOK: u64 = 1 << 8;

/// Where the search stands.
#[derive(Debug)]
pub struct Levels {
    /// States of the level that is being expanded.
    pub current: Frontier,
    /// States of the next.
    pub next: Frontier,
    /// The form of what waits.
    form: Form,
    /// What was counted; the depth is the number of levels begun.
    pub counts: Counts,
    /// At how many states to look again whether another set or partition would do better.
    pub next_look: u64,
    /// What the sizes of the levels so far promise.
    forecast: Forecast,
    /// Whether levels were seen to shrink since they last became larger, and at how many states somebody last looked.
    has_turned: bool,
    last_look: u64,
    /// Whether the present level is done.
    done: bool,
    /// What workers had in hand when there was no memory for it.
    in_hand: InHand,
}

/// A state to which somebody wants a path.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<const W: usize> {
    /// Its rank.
    pub rank: [u64; W],
    /// Its level, from 0.
    pub level: u64,
    /// How many successors it has, if it was expanded.
    pub successors: Option<u64>,
}

/// How a phase ended.
#[derive(Debug)]
pub enum Interlude {
    /// The level is done.
    Level,
    /// A table is full.
    Room,
    /// The set or the frontier could not take more.
    Full(Full),
    /// Somebody wants paths.
    Wanted,
    /// A place would hold more tokens than can be counted.
    Tokens(PlaceId),
    /// It was stopped.
    Stopped(StopReason),
}

impl Interlude {
    fn of(stuck: Stuck) -> Self {
        match stuck {
            Stuck::Room(NoRoom::Tables) => Self::Room,
            Stuck::Room(NoRoom::Memory(refusal)) => Self::Full(refusal.into()),
            Stuck::Tokens(place) => Self::Tokens(place),
        }
    }

    /// When several threads have something to say, the gravest is heard.
    fn weight(&self) -> u32 {
        match self {
            Self::Level => 0,
            Self::Room => 1,
            Self::Wanted => 2,
            Self::Full(_) => 3,
            Self::Tokens(_) => 4,
            Self::Stopped(_) => 5,
        }
    }
}

/// What all threads of a phase share.
pub(super) struct Scene<'a, const W: usize, S> {
    product: Product<'a, W>,
    set: &'a S,
    levels: &'a Levels,
    /// The level of what is found.
    level: u64,
    /// Bits of a rank; above them is the label of the event by which it was found.
    bits: u32,
    pause: AtomicBool,
}

impl<const W: usize, S: RankSet<W>> Scene<'_, W, S> {
    /// How many states are found.
    pub(super) fn states(&self) -> u64 {
        self.set.len()
    }

    /// Shows a new state to an observer.
    #[inline]
    fn show(&self, observer: &mut dyn Observer, candidate: &[u64; W], wanted: &mut Vec<Wanted<W>>) {
        let (rank, _) = split(candidate, self.bits);
        if observer.discovered(&View::new(StateId::UNNUMBERED, &Shown(&self.product, &rank))) {
            wanted.push(Wanted { rank, level: self.level, successors: None });
        }
    }
}

/// One thread's own.
pub struct Worker<const W: usize, B> {
    outbox: B,
    block: Vec<[u64; W]>,
    /// Those of the block that are expanded together.
    lot: Box<Lot<W>>,
    /// Successors that were not sent yet.
    met: Vec<[u64; W]>,
    found: Vec<[u64; W]>,
    recent: Recent<W>,
    counts: Counts,
    wanted: Vec<Wanted<W>>,
}

impl<const W: usize, B> Worker<W, B> {
    /// Bytes that a worker takes, outbox and stack included. If look-ups are dear, much of it is to spare them.
    pub fn bytes(dear: bool) -> usize {
        let sparing = if dear { Recent::<W>::BYTES + size_of::<[u64; W]>() * 64 * 128 } else { 0 };
        let met = 2 * (TOGETHER + MOST_SUCCESSORS as usize);
        sparing + size_of::<[u64; W]>() * (4 * LARGE_BLOCK + met) + Lot::<W>::BYTES + (96 << 10)
    }

    /// A worker with this outbox, who remembers what was sent if look-ups are dear.
    pub fn new(outbox: B, dear: bool) -> Self {
        Self {
            outbox,
            block: Vec::new(),
            lot: Box::default(),
            met: Vec::new(),
            found: Vec::new(),
            recent: Recent::new(dear),
            counts: Counts::default(),
            wanted: Vec::new(),
        }
    }

    /// Takes everything over that another one has in hand.
    fn take_over<S: RankSet<W, Outbox = B>>(&mut self, other: &mut Self, set: &S) {
        set.take_back(&mut other.outbox, &mut self.met);
        self.block.append(&mut other.block);
        self.met.append(&mut other.met);
        self.found.append(&mut other.found);
    }

    /// Works until the level is done or something happens. Everything found is in the next level then, except after
    /// a refusal.
    fn work<S: RankSet<W, Outbox = B>>(
        &mut self,
        scene: &Scene<'_, W, S>,
        observer: &mut dyn Observer,
        mut control: Option<&mut Control<'_>>,
    ) -> Interlude {
        let mut end = self.expand_blocks(scene, observer, &mut control);
        if end.weight() > 0 {
            scene.pause.store(true, Ordering::Relaxed);
        }
        if let Err(full) = self.hand_in(scene, observer) {
            end = if end.weight() > 3 { end } else { Interlude::Full(full) };
        }
        if end.weight() < 2 && !self.wanted.is_empty() {
            end = Interlude::Wanted;
        }
        end
    }

    /// What [`bit_instructions`](super::bit_instructions) compiles for some processors.
    #[inline(always)]
    pub(super) fn expand_blocks_anywhere<S: RankSet<W, Outbox = B>>(
        &mut self,
        scene: &Scene<'_, W, S>,
        observer: &mut dyn Observer,
        control: &mut Option<&mut Control<'_>>,
    ) -> Interlude {
        let Self { outbox, block, lot, met, found, recent, counts, wanted } = self;
        let product = scene.product;
        let (wants_new, wants_expanded) = (observer.wants_new(), observer.wants_expanded());
        let expanding = Expanding::new(product);
        let tag = tag(scene.level);
        let heft = ARCS_OF_A_STATE + product.automata.places() as u64 / PLACES_OF_AN_ARC;
        let most = (ARCS_BETWEEN_POLLS / heft).min(ARCS_TOGETHER / product.automata.transitions() as u64);
        let most = most.max(1) as usize;
        // Phases may be short, and all there is.
        let mut arcs_since_poll = ARCS_BETWEEN_POLLS;
        loop {
            if found.len() >= BLOCK && found.len() >= scene.levels.next.portion() {
                if let Err(refusal) = scene.levels.next.push(found) {
                    return Interlude::Full(refusal.into());
                }
                found.clear();
            }
            if block.is_empty() {
                if scene.pause.load(Ordering::Relaxed) || !scene.levels.current.take(block) {
                    return Interlude::Level;
                }
                continue;
            }
            if arcs_since_poll >= ARCS_BETWEEN_POLLS {
                arcs_since_poll = 0;
                if scene.pause.load(Ordering::Relaxed) {
                    return Interlude::Level;
                }
                if let Some(control) = control {
                    let before = scene.levels.counts;
                    let progress = |memory| Progress {
                        states: scene.set.len(),
                        explored: before.explored + counts.explored,
                        arcs: before.arcs + counts.arcs,
                        depth: before.depth,
                        memory,
                        sweep: None,
                    };
                    if let Err(reason) = control.poll(progress) {
                        return Interlude::Stopped(reason);
                    }
                }
            }
            expanding.take(lot, block, most);
            let expanded = expanding.expand(lot, |targets, mark| {
                let marked = |target: &[u64; W]| std::array::from_fn(|word| target[word] | mark[word]);
                if S::IS_DEAR {
                    met.extend(targets.iter().filter(|target| !recent.has(target)).map(marked));
                } else {
                    met.extend(targets.iter().map(marked));
                }
            });
            lot.note(expanded.is_ok());
            if let Err(stuck) = expanded {
                return Interlude::of(stuck);
            }
            let done = lot.size();
            block.truncate(block.len() - done);
            let (states, arcs) = (&lot.ranks[..done], &lot.arcs[..done]);
            let all_arcs: u64 = arcs.iter().sum();
            counts.arcs += all_arcs;
            counts.explored += done as u64;
            counts.deadlocks += arcs.iter().filter(|arcs| **arcs == 0).count() as u64;
            arcs_since_poll += heft * done as u64 + all_arcs;
            if wants_expanded {
                for (rank, arcs) in states.iter().zip(arcs) {
                    let view = Shown(&product, rank);
                    if observer.expanded(&View::new(id_at(scene.level - 1), &view), *arcs) {
                        wanted.push(Wanted { rank: *rank, level: scene.level - 1, successors: Some(*arcs) });
                    }
                }
            }
            if met.len() >= TOGETHER {
                let before = found.len();
                let sent = scene.set.send_all(outbox, met, tag, found);
                if wants_new {
                    found[before..].iter().for_each(|new| scene.show(observer, new, wanted));
                }
                if let Err(full) = sent {
                    return Interlude::Full(full);
                }
            }
            if !wanted.is_empty() {
                return Interlude::Wanted;
            }
            if (wants_new | wants_expanded) && observer.is_done() {
                return Interlude::Stopped(StopReason::Decided);
            }
        }
    }

    /// Empties the outbox into the set, and puts what was found and what was not expanded into their levels.
    fn hand_in<S: RankSet<W, Outbox = B>>(
        &mut self,
        scene: &Scene<'_, W, S>,
        observer: &mut dyn Observer,
    ) -> Result<(), Full> {
        let Self { outbox, block, met, found, wanted, .. } = self;
        let before = found.len();
        let tag = tag(scene.level);
        let sent = scene.set.send_all(outbox, met, tag, found);
        let flushed = sent.and_then(|()| scene.set.flush(outbox, tag, &mut |new| found.push(new)));
        if observer.wants_new() {
            found[before..].iter().for_each(|new| scene.show(observer, new, wanted));
        }
        scene.levels.current.push(block)?;
        block.clear();
        scene.levels.next.push(found)?;
        found.clear();
        flushed
    }
}

/// What stands for the number of a state at a level: the initial one is alone at its own.
pub fn id_at(level: u64) -> StateId {
    if level == 0 { StateId::INITIAL } else { StateId::UNNUMBERED }
}

/// How many tags there are.
const TAGS: u64 = 255;

/// What a member of a level is tagged with.
pub fn tag(level: u64) -> u8 {
    (level % TAGS) as u8
}

impl Levels {
    /// A search that begins with this state.
    pub fn new<const W: usize>(initial: [u64; W], form: Form, budget: &Budget) -> Result<Self, OutOfMemory> {
        let levels = Self {
            current: Frontier::new(form, budget),
            next: Frontier::new(form, budget),
            form,
            counts: Counts::default(),
            next_look: FIRST_LOOK,
            forecast: Forecast::default(),
            has_turned: false,
            last_look: 0,
            done: true,
            in_hand: InHand::default(),
        };
        levels.next.push(&[initial])?;
        Ok(levels)
    }

    /// Puts off the next look from so many states.
    pub fn look_again(&mut self, states: u64) {
        self.last_look = states;
        self.next_look = if states < FEW_LOOKS { (states * 2).min(FEW_LOOKS) } else { states + states / 4 };
    }

    /// Whether levels begin to shrink when there are so many states: a good time to look, too.
    pub fn turns(&mut self, states: u64) -> bool {
        let is_rising = self.is_rising();
        let is_worth_it = states >= WORTH_A_LOOK && states - self.last_look >= self.last_look / 8;
        let turns = !self.has_turned && !is_rising && is_worth_it;
        self.has_turned = !is_rising && (self.has_turned || turns);
        turns
    }

    /// How many states there will be, most likely at least, if so many are found.
    pub fn expected(&self, found: u64) -> u64 {
        self.forecast.states(found)
    }

    /// Whether levels still become larger.
    pub fn is_rising(&self) -> bool {
        self.forecast.is_rising(self.done.then(|| self.next.len()))
    }

    /// Whether there is nothing left to expand.
    pub fn is_over(&self) -> bool {
        self.done && self.next.is_empty()
    }

    /// Makes all waiting ranks anew. Labels stay as they are if they mean the same as before.
    pub fn translate(
        &mut self,
        form: Form,
        keep_labels: bool,
        budget: &Budget,
        translate: &mut impl FnMut(AnyRank) -> AnyRank,
    ) -> Result<(), OutOfMemory> {
        for frontier in [&mut self.current, &mut self.next] {
            let mut translated = Frontier::new(form, budget);
            translated.expect(frontier.expected());
            let mut states: Vec<AnyRank> = Vec::new();
            loop {
                let is_last = !frontier.take(&mut states);
                if !is_last && states.len() < translated.portion() {
                    continue;
                }
                for state in &mut states {
                    *state = translated_state(state, (self.form.bits, form.bits), keep_labels, translate);
                }
                translated.push(&states)?;
                states.clear();
                if is_last {
                    break;
                }
            }
            translated.put_in_order();
            *frontier = translated;
        }
        self.in_hand.translate((self.form.bits, form.bits), keep_labels, translate);
        self.form = form;
        Ok(())
    }

    /// Takes what workers could not hand in for want of memory, so that others can go on with it, perhaps with other ranks
    /// and another set.
    pub fn keep<const W: usize, S: RankSet<W>>(
        &mut self,
        set: &S,
        workers: Vec<Worker<W, S::Outbox>>,
        budget: &Budget,
    ) -> Result<(), OutOfMemory> {
        for mut worker in workers {
            set.take_back(&mut worker.outbox, &mut worker.met);
            self.in_hand.add(&worker.block, &worker.met, &worker.found, budget)?;
        }
        Ok(())
    }

    /// Hands a worker what is kept, until it has handed it in with memory of its own.
    pub fn hand_over<const W: usize, B>(&mut self, worker: &mut Worker<W, B>) -> Vec<Hold> {
        let Worker { block, met, found, .. } = worker;
        self.in_hand.hand_over(block, met, found)
    }

    /// Shows the ranks of all that is kept.
    pub fn each_in_hand(&self, mut visit: impl FnMut(AnyRank)) {
        self.in_hand.each(|state| visit(split(state, self.form.bits).0));
    }

    /// Works on the present level with as many threads as there are workers, or begins the next one. States to
    /// which somebody wants paths are added to `wanted`, however the phase ends. Fewer than `worth_threads` states
    /// are left to one thread.
    #[expect(clippy::too_many_arguments)]
    pub fn phase<const W: usize, S: RankSet<W>>(
        &mut self,
        product: Product<'_, W>,
        set: &S,
        workers: &mut [Worker<W, S::Outbox>],
        observer: &mut dyn Divisible,
        control: &mut Control<'_>,
        wanted: &mut Vec<Wanted<W>>,
        worth_threads: u64,
    ) -> Interlude {
        if self.done {
            self.done = false;
            std::mem::swap(&mut self.current, &mut self.next);
            self.current.put_in_order();
            self.next.expect(self.current.len());
            self.counts.depth += 1;
            self.forecast.level(self.current.len());
        }
        let level = self.counts.depth;
        let scene = Scene {
            product,
            set,
            levels: self,
            level,
            bits: product.radix.bits(),
            pause: AtomicBool::new(false),
        };
        let parts = match workers.len() {
            2.. if scene.levels.current.len() >= worth_threads => observer.parts(workers.len()),
            _ => None,
        };
        let (first, others) = workers.split_first_mut().expect("there is a worker");
        let end = match parts {
            None => first.work(&scene, observer.whole(), Some(control)),
            Some(parts) => {
                let end = std::thread::scope(|scope| {
                    let scene = &scene;
                    let mut parts = parts.into_iter();
                    let whole = parts.next().expect("the observer itself is one of them");
                    let spawn = |(worker, part)| {
                        let (worker, part): (&mut Worker<W, S::Outbox>, &mut dyn Observer) = (worker, part);
                        scope.spawn(move || worker.work(scene, part, None))
                    };
                    let handles: Vec<_> = others.iter_mut().zip(parts).map(spawn).collect();
                    let mut end = first.work(scene, whole, Some(control));
                    for handle in handles {
                        match handle.join() {
                            Ok(theirs) => end = graver(end, theirs),
                            Err(panic) => std::panic::resume_unwind(panic),
                        }
                    }
                    end
                });
                observer.unite();
                end
            }
        };
        self.done = matches!(end, Interlude::Level);
        // Whoever was refused something has it still in hand, and may have nothing to do in the next phase.
        let (first, others) = workers.split_first_mut().expect("there is a worker");
        others.iter_mut().for_each(|other| first.take_over(other, set));
        debug_assert!(!self.done || first.met.is_empty() && first.block.is_empty() && first.found.is_empty());
        for worker in workers {
            let Counts { arcs, explored, deadlocks, .. } = std::mem::take(&mut worker.counts);
            self.counts.arcs += arcs;
            self.counts.explored += explored;
            self.counts.deadlocks += deadlocks;
            wanted.append(&mut worker.wanted);
        }
        end
    }
}

/// A state that waits, with its rank made anew, from so many bits to so many. Its label stays if that means the same as
/// before.
pub fn translated_state(
    state: &AnyRank,
    (from, to): (u32, u32),
    keep_label: bool,
    translate: &mut impl FnMut(AnyRank) -> AnyRank,
) -> AnyRank {
    let (rank, label) = split(state, from);
    marked(translate(rank), to, if keep_label { label } else { 0 })
}

/// The graver of two ends: what the other had to say comes again.
fn graver(a: Interlude, b: Interlude) -> Interlude {
    if a.weight() >= b.weight() { a } else { b }
}

/// The events on a shortest path to a member of the set, unless the run is to end before they are found.
///
/// A predecessor on a shortest path is one level lower, and so is its tag. In a search of fewer levels than there are
/// tags that is all there is to it. In a longer one, a state may have the right tag and be a whole round of tags
/// higher; the way back from there never comes to the initial state in time, and another one is tried.
pub fn path<const W: usize, S: RankSet<W>>(
    product: Product<'_, W>,
    set: &S,
    wanted: &Wanted<W>,
    control: &mut Control<'_>,
) -> Result<Vec<TransitionId>, StopReason> {
    let initial = System::initial(&product);
    let is_short = wanted.level < TAGS;
    let before = |rank: &[u64; W], level: u64| {
        product.predecessors(rank, is_short, |source| {
            set.tag_of(*source) == Some(tag(level)) && (level > 0 || *source == initial)
        })
    };
    // For each step back, the predecessors that have not been tried, and the one that is.
    let mut steps: Vec<Vec<([u64; W], TransitionId)>> = Vec::new();
    let mut hopeless = HashSet::new();
    let mut rank = wanted.rank;
    let nowhere = "every state but the first has a predecessor";
    while (steps.len() as u64) < wanted.level {
        control.poll_quietly()?;
        let level = wanted.level - 1 - steps.len() as u64;
        let mut sources = before(&rank, level);
        sources.retain(|(source, _)| !hopeless.contains(&(*source, level)));
        while sources.is_empty() {
            // Back to the last choice: the state it led to was not the right one.
            sources = steps.pop().expect(nowhere);
            let (wrong, _) = sources.pop().expect(nowhere);
            hopeless.insert((wrong, wanted.level - 1 - steps.len() as u64));
        }
        rank = sources.last().expect(nowhere).0;
        steps.push(sources);
    }
    Ok(steps.iter().rev().map(|sources| sources.last().expect(nowhere).1).collect())
}
