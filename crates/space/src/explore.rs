//! One exploration: chooses encoding, store and search, and changes the encoding on the way where it must.

use std::time::Instant;

use sweepnet_net::{Net, TransitionId};

use crate::codec::fields::{FieldsEngine, Layout, PlainEngine};
use crate::divisible::{Divided, Divisible};
use crate::product::{self, run::Chosen};
use crate::progress::Measure;
use crate::report::Components;
use crate::search::sweep::layers::Layers;
use crate::search::window::Kept;
use crate::search::{BreadthFirst, DepthFirst, Halt, Search, Sweep, Window};
use crate::store::flat::Flat;
use crate::{
    Budget, CodecChoice, Control, Full, Keys, Observer, Outgrown, Plan, Pump, Report, SearchChoice,
    StopReason, StoreChoice, SweepPlan,
};

/// Explores a net as planned, under control, watched by an observer.
pub fn explore<O: Observer>(net: &Net, plan: &Plan, control: &mut Control<'_>, observer: &mut O) -> Report {
    watched_by(&mut Divided::new(observer), net, plan, control)
}

/// Explores a net, compiled once for all observers.
fn watched_by(observer: &mut dyn Divisible, net: &Net, plan: &Plan, control: &mut Control<'_>) -> Report {
    let mut plan = plan.clone();
    if plan.search == SearchChoice::Auto {
        plan.search = SearchChoice::BreadthFirst;
    }
    if plan.codec == CodecChoice::Multiset {
        // A place/transition net has no multisets of values.
        plan.codec = CodecChoice::Auto;
    }
    if let Some(report) = by_ranks(net, &plan, control, observer) {
        return report;
    }
    if plan.codec == CodecChoice::Auto {
        plan.codec = CodecChoice::Fields;
    }
    // Searches that need the states' numbers keep them in the store that gives numbers.
    plan.store = StoreChoice::Flat;
    search_in(net, plan, control, observer.whole())
}

/// Explores the states of a net as ranks in a set, if they can be, and if there are enough of them.
fn by_ranks(
    net: &Net,
    plan: &Plan,
    control: &mut Control<'_>,
    observer: &mut dyn Divisible,
) -> Option<Report> {
    if product::run::applies(net, plan, observer.whole()) {
        match product::run::explore(net, plan, control, observer) {
            Chosen::Done(report) => return Some(*report),
            Chosen::Declined => {}
        }
    } else if let Some(assuming) = product::run::assuming(net, plan, observer.whole()) {
        match product::run::explore(net, &assuming, control, observer) {
            // An assumption was wrong. What was seen are states all the same, but nothing follows from not seeing one.
            Chosen::Done(report) if matches!(report.stopped, Some(StopReason::TooManyTokens(_))) => {}
            Chosen::Done(report) => return Some(*report),
            Chosen::Declined => {}
        }
    }
    None
}

/// Makes an empty store for keys of so many bits, with at most so many states.
type MakeStore<S> = fn(usize, u64, &Budget) -> Result<S, Full>;

/// Chooses the search.
fn search_in(net: &Net, mut plan: Plan, control: &mut Control<'_>, observer: &mut dyn Observer) -> Report {
    let watch_growth = !plan.is_bounded(net);
    let budget = control.budget().clone();
    match plan.search {
        SearchChoice::BreadthFirst | SearchChoice::Auto => {
            let search = BreadthFirst::new(net, observer, watch_growth, &budget);
            with_engine(net, plan, search, Flat::new, control, observer)
        }
        SearchChoice::DepthFirst => {
            let search = DepthFirst::new(net, observer, watch_growth, &budget);
            with_engine(net, plan, search, Flat::new, control, observer)
        }
        SearchChoice::Sweep => {
            let sweep = plan.sweep.get_or_insert_with(|| SweepPlan::by(Measure::constant()));
            let search = Sweep::new(net, sweep, observer, watch_growth, &budget);
            with_engine(net, plan, search, Layers::new, control, observer)
        }
        SearchChoice::Window => {
            let window = plan.window.get_or_insert_default();
            let search = Window::new(net, window, &plan.knowledge, observer, watch_growth, &budget);
            // It has keys of its own, in fields; what observers see is a plain marking.
            plan.codec = CodecChoice::Fields;
            let engine = PlainEngine::new(net, plan.knowledge.dead.clone(), order(net, None));
            let report = Exploration { net, plan, engine, search }.run(Kept::new, control, observer);
            let key_bits = report.windowed.as_ref().map_or(0, |windowed| windowed.key_bits);
            Report { key_bits, ..report }
        }
    }
}

/// Chooses the encoding.
fn with_engine<S: Keys, F: Search<S>>(
    net: &Net,
    plan: Plan,
    search: F,
    make: MakeStore<S>,
    control: &mut Control<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let layout = match plan.codec {
        CodecChoice::Product => {
            return match product::run::engine(net, &plan, control) {
                Ok(engine) => Exploration { net, plan, engine, search }.run(make, control, observer),
                Err(reason) => Report::of_nothing(&plan, net, reason, observer.wants_maxima()),
            };
        }
        CodecChoice::Plain => Layout::plain(net),
        _ => Layout::tight(net, &plan.knowledge.bounds),
    };
    let engine = FieldsEngine::new(net, layout, plan.knowledge.dead.clone(), order(net, plan.seed));
    Exploration { net, plan, engine, search }.run(make, control, observer)
}

/// The order in which transitions are tried: the net's, or one that the seed chooses.
fn order(net: &Net, seed: Option<u64>) -> Vec<TransitionId> {
    let mut order: Vec<TransitionId> = net.transition_ids().collect();
    if let Some(seed) = seed {
        // Sorted by a hash: the same seed gives the same order on every machine.
        let hash = |t: &TransitionId| {
            let bytes = [seed.to_le_bytes(), (t.index() as u64).to_le_bytes()].concat();
            rapidhash::v3::rapidhash_v3(&bytes)
        };
        order.sort_by_cached_key(hash);
    }
    order
}

/// A net made ready to be explored in one kind of encoding, and what to do when that becomes too narrow. Searches
/// run inside an engine, because the type of states may depend on what it has learned.
pub trait Engine {
    /// Bits of a key.
    fn bits(&self) -> usize;

    /// Runs a search with the present encoding until something happens.
    fn run<F: Search<S>, S: Keys>(
        &mut self,
        search: &mut F,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt;

    /// Bytes of tables that it keeps besides the store.
    fn table_bytes(&self) -> usize {
        0
    }

    /// The net's components, if it has any.
    fn components(&self) -> Option<Components> {
        None
    }

    /// Makes room for a state that did not fit, and re-encodes what is stored. The number tells how often this
    /// has happened in the run.
    fn outgrow<S: Keys>(&mut self, outgrown: Outgrown, times: u64, store: &mut S) -> Result<(), StopReason>;
}

/// An exploration under way.
struct Exploration<'a, E, F> {
    net: &'a Net,
    plan: Plan,
    engine: E,
    search: F,
}

impl<E: Engine, F> Exploration<'_, E, F> {
    fn run<S: Keys>(
        mut self,
        make: MakeStore<S>,
        control: &mut Control<'_>,
        observer: &mut dyn Observer,
    ) -> Report
    where
        F: Search<S>,
    {
        let start = Instant::now();
        let mut progress = Course::default();
        let made = make(self.engine.bits(), control.max_states(), &control.budget().clone());
        let (stopped, store_bytes) = match made {
            Err(full) => (Some(stop_reason(full)), 0),
            Ok(mut store) => {
                let stopped = self.course(&mut store, &mut progress, control, observer);
                (stopped, store.bytes())
            }
        };
        let initial = || self.net.initial_marking().tokens().to_vec();
        Report {
            search: self.plan.search,
            codec: self.plan.codec,
            store: self.plan.store,
            stopped,
            pump: progress.pump,
            states: progress.states,
            exact: self.search.swept().is_none_or(|swept| swept.is_exact())
                && self.search.windowed().is_none_or(|windowed| windowed.ranked),
            counts: self.search.counts(),
            maxima: observer
                .wants_maxima()
                .then(|| self.search.maxima().map_or_else(initial, <[u64]>::to_vec)),
            key_bits: self.engine.bits(),
            store_bytes,
            table_bytes: self.engine.table_bytes(),
            search_bytes: self.search.bytes(),
            peak_states: self.search.peak_states().unwrap_or(progress.states),
            widenings: progress.widenings,
            components: self.engine.components(),
            threads: 1,
            swept: self.search.swept(),
            windowed: self.search.windowed(),
            time: start.elapsed(),
        }
    }

    /// Runs the search to its end, through all changes of the encoding. Tells why it ended early.
    fn course<S: Keys>(
        &mut self,
        store: &mut S,
        course: &mut Course,
        control: &mut Control<'_>,
        observer: &mut dyn Observer,
    ) -> Option<StopReason>
    where
        F: Search<S>,
    {
        let mut limited = false;
        loop {
            let halt = self.engine.run(&mut self.search, store, observer, control);
            course.states = store.len();
            match halt {
                Halt::Complete => return None,
                Halt::Stopped(StopReason::States) if limited => return Some(StopReason::Unbounded),
                Halt::Stopped(reason) => return Some(reason),
                Halt::Outgrown(outgrown) => {
                    course.widenings += 1;
                    if let Err(reason) = self.engine.outgrow(outgrown, course.widenings, store) {
                        return Some(reason);
                    }
                }
                Halt::Unbounded(pump)
                    if pump.places.iter().any(|(place, _)| self.plan.limited.contains(place)) => {}
                Halt::Unbounded(pump) => {
                    self.search.has_grown();
                    course.pump = Some(pump);
                    let last = store.len().saturating_add(self.plan.beyond_unbounded);
                    if last < control.max_states() {
                        store.limit_states(last);
                        limited = true;
                    }
                }
            }
        }
    }
}

/// What happened on the way.
#[derive(Default)]
struct Course {
    states: u64,
    pump: Option<Pump>,
    widenings: u64,
}

/// What a full store means for a run.
pub fn stop_reason(full: Full) -> StopReason {
    match full {
        Full::Memory(_) => StopReason::Memory,
        Full::States => StopReason::States,
    }
}
