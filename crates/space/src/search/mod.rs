//! Ways to visit all states.
//!
//! A search can stop at any state and be run again: its position is kept in state numbers and transitions, not
//! in encoded states, so that encoding and store may change in between.
//!
//! [`breadth_first`] finds shortest paths and needs no queue; [`depth_first`] goes deep early. States without numbers
//! are visited by [`levels`], on several threads, with a [`frontier`] beside the set; there it is the product's
//! [`exploration`](crate::product::exploration) that changes ranks, set and partition between two phases.

pub mod breadth_first;
pub mod depth_first;
mod forecast;
pub mod frontier;
pub mod levels;
mod recent;

pub use breadth_first::BreadthFirst;
pub use depth_first::DepthFirst;

use sweepnet_net::{Net, TransitionId};

use crate::growth::GrowthWatch;
use crate::{
    Budget, Codec, Control, Full, Observer, Outgrown, Progress, Pump, StateId, StopReason, Store, View, trace,
};

/// Why a search returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Every reachable state was visited.
    Complete,
    /// It was stopped.
    Stopped(StopReason),
    /// A state does not fit the encoding. With a wider one, run it again.
    Outgrown(Outgrown),
    /// The net is unbounded.
    Unbounded(Pump),
}

impl From<Full> for Halt {
    fn from(full: Full) -> Self {
        Self::Stopped(crate::explore::stop_reason(full))
    }
}

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Firings seen: (state, transition) pairs.
    pub arcs: u64,
    /// States whose successors are all known.
    pub explored: u64,
    /// Explored states without successors.
    pub deadlocks: u64,
    /// Levels (breadth-first), or the greatest depth reached (depth-first); the initial state is at depth 0,
    /// level 1.
    pub depth: u64,
}

/// A way to visit all states.
pub trait Search {
    /// Goes on until something happens: `Ok` if every reachable state was visited.
    fn go<M: Codec, S: Store, O: Observer>(
        &mut self,
        at: &mut Running<'_, M, O>,
        store: &mut S,
        control: &mut Control<'_>,
    ) -> Result<(), Halt>;

    /// What it keeps besides its position.
    fn record(&self) -> &Record;

    /// The same, to change.
    fn record_mut(&mut self) -> &mut Record;

    /// Bytes held besides the store.
    fn bytes(&self) -> usize;

    /// Goes on until something happens, with this encoding and store.
    fn run<M: Codec, S: Store, O: Observer>(
        &mut self,
        net: &Net,
        model: &M,
        store: &mut S,
        observer: &mut O,
        control: &mut Control<'_>,
    ) -> Halt {
        let mut running = Running::new(net, model, observer, self.record(), control.budget());
        let halt = self.go(&mut running, store, control).err().unwrap_or(Halt::Complete);
        running.end(self.record_mut());
        if matches!(halt, Halt::Unbounded(_)) {
            // Seen once is enough.
            self.record_mut().growth = None;
        }
        halt
    }

    /// What was counted so far.
    fn counts(&self) -> Counts {
        self.record().counts
    }

    /// The largest count of each place over all states found, if it was kept.
    fn maxima(&self) -> Option<&[u64]> {
        self.record().maxima.as_deref()
    }
}

/// How often a search looks at its control: every so many states, fewer where each of them takes long because
/// there are many transitions to try.
fn poll_interval(net: &Net) -> u64 {
    (256 / (1 + net.transitions().len() as u64 / 64)).max(1)
}

/// What every search keeps besides its position.
#[derive(Debug)]
pub struct Record {
    counts: Counts,
    maxima: Option<Vec<u64>>,
    growth: Option<GrowthWatch>,
    /// For each transition, whether it has fired; nothing where nobody wants to know.
    fired: Vec<bool>,
    poll_interval: u64,
}

impl Record {
    fn new(net: &Net, keep_maxima: bool, fired: bool, watch_growth: bool) -> Self {
        Self {
            counts: Counts::default(),
            maxima: (keep_maxima || watch_growth).then(|| net.initial_marking().tokens().to_vec()),
            growth: watch_growth.then(GrowthWatch::default),
            fired: if fired { vec![false; net.transitions().len()] } else { Vec::new() },
            poll_interval: poll_interval(net),
        }
    }

    fn progress(&self, states: u64, memory: u64) -> Progress {
        let Counts { arcs, explored, depth, .. } = self.counts;
        Progress { states, explored, arcs, depth, memory }
    }

    /// A transition fires: tells the observer if it is for the first time.
    #[inline(always)]
    fn fires<M: Codec, O: Observer>(&mut self, at: &mut Running<'_, M, O>, event: TransitionId) {
        if let Some(fired) = self.fired.get_mut(event.index())
            && !*fired
        {
            *fired = true;
            at.observer.fired(event);
        }
    }

    /// A new state: tells the observer, looks for growth. `path` gives the states on the way to it.
    #[inline(always)]
    fn discovered<M: Codec, S: Store, O: Observer>(
        &mut self,
        at: &mut Running<'_, M, O>,
        store: &S,
        id: StateId,
        state: &M::State,
        path: impl Fn() -> Vec<StateId> + Clone,
    ) -> Result<(), Halt> {
        // The observer comes first: whatever is found out about a state, everybody has seen it.
        let decided = match at.observer.discovered(&View::new(id, at.model, state)) {
            true => at.witness(store, self.counts.depth, path.clone()),
            false => Ok(()),
        };
        if let Some(maxima) = &mut at.maxima
            && at.model.raise(state, maxima)
            && let Some(growth) = &mut self.growth
            && growth.is_due()
            && let Some(pump) = growth.look(at.net, at.model, store, &path())
        {
            return Err(Halt::Unbounded(pump));
        }
        decided
    }

    /// All successors of a state are known.
    #[inline(always)]
    fn expanded<M: Codec, S: Store, O: Observer>(
        &mut self,
        at: &mut Running<'_, M, O>,
        store: &S,
        id: StateId,
        state: &M::State,
        successors: u64,
        path: impl Fn() -> Vec<StateId>,
    ) -> Result<(), Halt> {
        self.counts.explored += 1;
        self.counts.deadlocks += u64::from(successors == 0);
        if at.observer.expanded(&View::new(id, at.model, state), successors) {
            at.witness(store, self.counts.depth, path)?;
        }
        at.unless_done()
    }
}

/// What a search holds only while it runs.
pub struct Running<'a, M: Codec, O> {
    net: &'a Net,
    model: &'a M,
    observer: &'a mut O,
    maxima: Option<M::Maxima>,
    budget: Budget,
}

impl<'a, M: Codec, O: Observer> Running<'a, M, O> {
    fn new(net: &'a Net, model: &'a M, observer: &'a mut O, record: &Record, budget: &Budget) -> Self {
        let maxima = record.maxima.as_ref().map(|counts| model.pack_maxima(counts));
        Self { net, model, observer, maxima, budget: budget.clone() }
    }

    /// Keeps what must outlive the encoding.
    fn end(self, record: &mut Record) {
        if let Some(maxima) = self.maxima {
            record.maxima = Some(self.model.maxima(&maxima).tokens().to_vec());
        }
    }

    #[cold]
    fn witness<S: Store>(
        &mut self,
        store: &S,
        depth: u64,
        path: impl Fn() -> Vec<StateId>,
    ) -> Result<(), Halt> {
        // A path may be as long as there are states. What it takes must be there, or nobody can have it.
        let bytes = (depth as usize + 1) * (2 * size_of::<StateId>() + 2 * size_of::<TransitionId>());
        self.budget.charge(bytes).map_err(Full::from)?;
        self.budget.release(bytes);
        let events: Vec<TransitionId> = trace::events_along(self.model, store, &path());
        self.observer.witness(events);
        self.unless_done()
    }

    #[inline(always)]
    fn unless_done(&self) -> Result<(), Halt> {
        if self.observer.is_done() { Err(Halt::Stopped(StopReason::Decided)) } else { Ok(()) }
    }
}
