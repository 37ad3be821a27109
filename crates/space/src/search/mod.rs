//! Ways to visit all states.
//!
//! A search can stop at any state and be run again: its position is kept in state numbers and transitions, not
//! in encoded states, so that encoding and store may change in between.
//!
//! [`breadth_first`] finds shortest paths and needs no queue; [`depth_first`] goes deep early; [`sweep`] follows a
//! progress measure and forgets what lies behind; [`window`] forgets all but the last levels. States without numbers
//! are visited by [`levels`], on several threads, with a [`frontier`] beside the set; there it is the product's
//! [`exploration`](crate::product::exploration) that changes ranks, set and partition between two phases.

mod batch;
mod bit_instructions;
pub mod breadth_first;
pub mod depth_first;
mod forecast;
pub mod frontier;
mod in_hand;
pub mod levels;
mod recent;
pub mod sweep;
pub mod window;

pub use breadth_first::BreadthFirst;
pub use depth_first::DepthFirst;
pub use sweep::Sweep;
pub use window::Window;

use sweepnet_net::{Net, TransitionId};

use crate::growth::GrowthWatch;
use crate::report::{Swept, Windowed};
use crate::{
    Budget, Codec, Control, Full, Observer, Outgrown, Progress, Pump, Shown, StateId, StopReason, Store,
    View, trace,
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

impl From<crate::budget::OutOfMemory> for Halt {
    fn from(refusal: crate::budget::OutOfMemory) -> Self {
        Full::from(refusal).into()
    }
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

/// A way to visit all states, with keys kept in an `S`.
pub trait Search<S> {
    /// Whether it is made ready for each number of words that a state may have; otherwise for small ones and for all
    /// others together.
    const EVERY_WIDTH: bool = false;

    /// Goes on until something happens: `Ok` if every reachable state was visited.
    fn go<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
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
    fn run<M: Codec>(
        &mut self,
        net: &Net,
        model: &M,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt {
        let mut running = Running::new(net, model, observer, self.record(), control.budget());
        let halt = self.go(&mut running, store, control).err().unwrap_or(Halt::Complete);
        running.end(self.record_mut());
        halt
    }

    /// It is known that the net is unbounded: seen once is enough.
    fn has_grown(&mut self) {
        self.record_mut().growth = None;
    }

    /// What was counted so far.
    fn counts(&self) -> Counts {
        self.record().counts
    }

    /// The largest count of each place over all states found, if it was kept.
    fn maxima(&self) -> Option<&[u64]> {
        self.record().maxima.as_deref()
    }

    /// The most states that were kept at a time, if not all of them are.
    fn peak_states(&self) -> Option<u64> {
        None
    }

    /// How the sweep went, if it is one.
    fn swept(&self) -> Option<Swept> {
        None
    }

    /// How the search in a window went, if it is one.
    fn windowed(&self) -> Option<Windowed> {
        None
    }
}

/// The way to a state, worked out only if somebody wants to know.
trait Way<M> {
    /// The events from the initial state on.
    fn events(&self, at: &OnTheWay<'_, M>) -> Result<Vec<TransitionId>, Halt>;

    /// A sequence on the way that can be repeated for ever and makes the net grow.
    fn pump(&self, at: &OnTheWay<'_, M>, growth: &GrowthWatch) -> Option<Pump>;
}

/// What it takes to work out a way.
struct OnTheWay<'a, M> {
    net: &'a Net,
    model: &'a M,
    /// How long the way is, at most.
    depth: u64,
    budget: &'a Budget,
}

impl<M> OnTheWay<'_, M> {
    /// What the states of a way take, with its events so many times.
    fn bytes(&self, times: usize) -> usize {
        (self.depth as usize + 1) * (2 * size_of::<StateId>() + times * size_of::<TransitionId>())
    }
}

/// The way along states that are all in the store.
struct Stored<'a, S, P> {
    store: &'a S,
    path: P,
}

impl<M: Codec, S: Store, P: Fn() -> Vec<StateId>> Way<M> for Stored<'_, S, P> {
    fn events(&self, at: &OnTheWay<'_, M>) -> Result<Vec<TransitionId>, Halt> {
        // A path may be as long as there are states. What it takes must be there, or nobody can have it.
        let bytes = at.bytes(2);
        at.budget.charge(bytes).map_err(Full::from)?;
        at.budget.release(bytes);
        Ok(trace::events_along(at.model, self.store, &(self.path)()))
    }

    fn pump(&self, at: &OnTheWay<'_, M>, growth: &GrowthWatch) -> Option<Pump> {
        // To look takes the states, the events, and copies of them where something is to be verified. Where there is no
        // memory for that, nobody looks.
        let bytes = at.bytes(4);
        at.budget.charge(bytes).ok()?;
        let pump = growth.look(at.net, at.model, self.store, &(self.path)());
        at.budget.release(bytes);
        pump
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
        Progress { states, explored, arcs, depth, memory, sweep: None }
    }

    /// A transition fires: tells the observer if it is for the first time.
    #[inline(always)]
    fn fires<M: Codec>(&mut self, at: &mut Running<'_, M>, event: TransitionId) {
        if let Some(fired) = self.fired.get_mut(event.index())
            && !*fired
        {
            *fired = true;
            at.observer.fired(event);
        }
    }

    /// A new state: tells the observer, looks for growth.
    #[inline(always)]
    fn discovered<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        id: StateId,
        state: &M::State,
        way: &impl Way<M>,
    ) -> Result<(), Halt> {
        // The observer comes first: whatever is found out about a state, everybody has seen it.
        let decided = match at.observer.discovered(&View::new(id, &Shown(at.model, state))) {
            true => at.witness(self.counts.depth, way),
            false => Ok(()),
        };
        if let Some(maxima) = &mut at.maxima
            && at.model.raise(state, maxima)
            && decided.is_ok()
            && let Some(growth) = &mut self.growth
            && growth.is_due()
            && let Some(pump) = way.pump(&at.on_the_way(self.counts.depth), growth)
        {
            return Err(Halt::Unbounded(pump));
        }
        decided
    }

    /// All successors of a state are known.
    #[inline(always)]
    fn expanded<M: Codec>(
        &mut self,
        at: &mut Running<'_, M>,
        id: StateId,
        state: &M::State,
        successors: u64,
        way: &impl Way<M>,
    ) -> Result<(), Halt> {
        self.counts.explored += 1;
        self.counts.deadlocks += u64::from(successors == 0);
        if at.observer.expanded(&View::new(id, &Shown(at.model, state)), successors) {
            at.witness(self.counts.depth, way)?;
        }
        at.unless_done()
    }
}

/// What a search holds only while it runs.
pub struct Running<'a, M: Codec> {
    net: &'a Net,
    model: &'a M,
    observer: &'a mut dyn Observer,
    maxima: Option<M::Maxima>,
    budget: Budget,
}

impl<'a, M: Codec> Running<'a, M> {
    fn new(
        net: &'a Net,
        model: &'a M,
        observer: &'a mut dyn Observer,
        record: &Record,
        budget: &Budget,
    ) -> Self {
        let maxima = record.maxima.as_ref().map(|counts| model.pack_maxima(counts));
        Self { net, model, observer, maxima, budget: budget.clone() }
    }

    /// Keeps what must outlive the encoding.
    fn end(self, record: &mut Record) {
        if let Some(maxima) = self.maxima {
            record.maxima = Some(self.model.maxima(&maxima).tokens().to_vec());
        }
    }

    fn on_the_way(&self, depth: u64) -> OnTheWay<'_, M> {
        OnTheWay { net: self.net, model: self.model, depth, budget: &self.budget }
    }

    #[cold]
    fn witness(&mut self, depth: u64, way: &impl Way<M>) -> Result<(), Halt> {
        let events = way.events(&self.on_the_way(depth))?;
        self.observer.witness(events);
        self.unless_done()
    }

    #[inline(always)]
    fn unless_done(&self) -> Result<(), Halt> {
        if self.observer.is_done() { Err(Halt::Stopped(StopReason::Decided)) } else { Ok(()) }
    }
}
