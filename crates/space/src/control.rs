//! What may end a run before its time, and what is told meanwhile.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sweepnet_net::PlaceId;

use crate::budget::{Budget, OutOfMemory, is_outgrown, resident_bytes};
use crate::program;

/// Why a search stopped before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Everything asked was decided; there was no reason to go on.
    Decided,
    /// The memory budget is used up.
    Memory,
    /// The time is up.
    Time,
    /// As many states as allowed were found.
    States,
    /// Somebody asked to stop (Ctrl-C, SIGTERM).
    Interrupted,
    /// The net is unbounded: it has infinitely many states.
    Unbounded,
    /// The graph that is asked is not complete.
    Incomplete,
    /// The graph that is asked is not that of the net.
    OtherGraph,
    /// A step lost progress, where none may.
    Regress,
    /// The progress measure has no value: a number becomes too large.
    NoProgressValue,
    /// The window has outgrown its memory.
    Window,
    /// A marking was not found where it should be, and was dropped.
    Dropped,
    /// Nobody knows whether T-semiflows are sums of those that guided the search.
    NotIntegral,
    /// The net has reset arcs, which the search cannot take.
    ResetArcs,
    /// States have too many counts for the search.
    TooWide,
    /// The disk does not take what is needed to find paths again.
    NoSpool,
    /// A place would hold more than 2^64 - 1 tokens.
    TooManyTokens(PlaceId),
    /// The model is wrong: something happens that it rules out, or a term has no value.
    ModelError,
}

impl From<OutOfMemory> for StopReason {
    fn from(_: OutOfMemory) -> Self {
        Self::Memory
    }
}

/// What a run may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Memory in bytes, for the process.
    pub memory: u64,
    /// Time from the start of the run.
    pub time: Option<Duration>,
    /// States in the store.
    pub states: Option<u64>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// States whose successors are all known.
    pub explored: u64,
    /// Arcs fired.
    pub arcs: u64,
    /// The level under way (breadth-first) or the greatest depth (depth-first).
    pub depth: u64,
    /// Bytes on the budget's account.
    pub memory: u64,
    /// Where the sweep is, if it is one.
    pub sweep: Option<SweepProgress>,
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug)]
pub struct SweepProgress {
    /// The present progress value, its first integer.
    pub value: i64,
    /// States that are kept.
    pub kept: u64,
    /// States that were dropped.
    pub dropped: u64,
    /// The sweep under way, from 1.
    pub sweep: u64,
}

/// Watches the clock, the memory and the stop flag for a search, and passes news of it on.
pub struct Control<'a> {
    budget: Budget,
    states: u64,
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    report: Box<dyn FnMut(Progress) + 'a>,
    next_look: Instant,
    looks: u64,
}

/// How often the clock's slow watches (resident memory, progress) are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How often a close watch looks: the system tells within some 20 microseconds, and a millisecond is not enough to take
/// what is kept back of the budget.
const CLOSE_LOOK: Duration = Duration::from_millis(1);

/// So many looks give back the program's pages before that is left to every fourth.
const OFTEN_AT_FIRST: u64 = 16;
const OFTEN_LATER: u64 = 4;

impl<'a> Control<'a> {
    /// A control that starts its clock now.
    pub fn new(limits: &Limits, interrupted: Arc<AtomicBool>, report: impl FnMut(Progress) + 'a) -> Self {
        let now = Instant::now();
        Self {
            budget: Budget::for_process(limits.memory),
            states: limits.states.unwrap_or(u64::MAX),
            deadline: limits.time.and_then(|time| now.checked_add(time)),
            interrupted,
            report: Box::new(report),
            next_look: now + LOOK,
            looks: 0,
        }
    }

    /// The same with a clock that started earlier.
    pub fn started(mut self, limits: &Limits, start: Instant) -> Self {
        self.deadline = limits.time.and_then(|time| start.checked_add(time));
        self
    }

    /// The same with another account: of a part of the process, for tests.
    #[doc(hidden)]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// A control that never stops anything, for tests and small jobs.
    pub fn unlimited() -> Self {
        let limits = Limits { memory: u64::MAX, time: None, states: None };
        Self::new(&limits, Arc::default(), |_| {})
    }

    /// A control with the same limits, but for the number of states, that tells nobody how far it is.
    pub fn within(&self, states: u64) -> Control<'static> {
        Control {
            budget: self.budget.clone(),
            states: states.min(self.states),
            deadline: self.deadline,
            interrupted: Arc::clone(&self.interrupted),
            report: Box::new(|_| {}),
            next_look: self.next_look,
            looks: 0,
        }
    }

    /// The run's memory account.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The most states that may be stored.
    pub fn max_states(&self) -> u64 {
        self.states
    }

    /// Looks at everything that may end the run, with nothing to tell.
    pub fn poll_quietly(&mut self) -> Result<(), StopReason> {
        let nothing = |memory| Progress { states: 0, explored: 0, arcs: 0, depth: 0, memory, sweep: None };
        self.poll(nothing)
    }

    /// What tells, from anywhere, whether the run is to end: for long work between two [polls](Self::poll).
    pub fn watch(&self) -> Watch {
        Watch {
            deadline: self.deadline,
            interrupted: Arc::clone(&self.interrupted),
            limit: self.budget.resident_limit(),
            is_close: false,
            next_look: Cell::new(self.next_look),
            stopped: Cell::default(),
        }
    }

    /// The same for work that takes memory without asking for it: it looks at the memory much more often, and ends the
    /// work before the limit.
    pub fn close_watch(&self) -> Watch {
        Watch { is_close: true, next_look: Cell::new(Instant::now()), ..self.watch() }
    }

    /// Looks at everything that may end the run. Called every few hundred states.
    pub fn poll(&mut self, progress: impl FnOnce(u64) -> Progress) -> Result<(), StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(StopReason::Time);
        }
        if now >= self.next_look {
            self.next_look = now + LOOK;
            // The account is an estimate from below (allocators round up and keep what they are given back); the
            // system's word is final.
            self.budget.catch_up();
            if resident_bytes().is_some_and(|bytes| bytes > self.budget.resident_limit()) {
                return Err(StopReason::Memory);
            }
            (self.report)(progress(self.budget.used()));
            // What ran only to get so far is given back; more rarely later, as there is less of it.
            self.looks += 1;
            if self.looks.is_power_of_two() {
                program::give_back();
            } else if self.looks < OFTEN_AT_FIRST || self.looks.is_multiple_of(OFTEN_LATER) {
                program::give_back_pages();
            }
        }
        Ok(())
    }
}

/// A look at what may end a run; see [`Control::watch`].
#[derive(Debug)]
pub struct Watch {
    deadline: Option<Instant>,
    interrupted: Arc<AtomicBool>,
    limit: u64,
    is_close: bool,
    next_look: Cell<Instant>,
    stopped: Cell<Option<StopReason>>,
}

impl Watch {
    /// Looks; tells whether the run goes on.
    pub fn goes_on(&self) -> bool {
        if self.stopped.get().is_none() {
            self.stopped.set(self.reason());
        }
        self.stopped.get().is_none()
    }

    /// Looks; the reason if the run is to end.
    pub fn look(&self) -> Result<(), StopReason> {
        self.goes_on();
        self.stopped().map_or(Ok(()), Err)
    }

    /// Why it told somebody that the run does not go on.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped.get()
    }

    fn reason(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(StopReason::Time);
        }
        if now < self.next_look.get() {
            return None;
        }
        self.next_look.set(now + if self.is_close { CLOSE_LOOK } else { LOOK });
        let is_over = match self.is_close {
            true => is_outgrown(self.limit),
            false => resident_bytes().is_some_and(|bytes| bytes > self.limit),
        };
        is_over.then_some(StopReason::Memory)
    }
}
