//! One exploration: chooses encoding, store and search, and changes the encoding on the way where it must.

use std::time::{Duration, Instant};

use sweepnet_net::{Net, TransitionId};
use sweepnet_structure::Structure;

use crate::codec::fields::{FieldsEngine, Layout};
use crate::search::{BreadthFirst, Counts, DepthFirst, Halt, Search};
use crate::store::flat::Flat;
use crate::{Budget, Control, Full, Observer, Outgrown, Pump, StopReason, Store};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name {
            /// The best for the net, as far as can be told.
            #[default]
            Auto,
            $($(#[$variant_doc])* $variant),+
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[Self::Auto, $(Self::$variant),+];

            /// Its name on the command line and in reports.
            pub fn name(self) -> &'static str {
                match self {
                    Self::Auto => "auto",
                    $(Self::$variant => $text),+
                }
            }
        }
    };
}

choice!(
    /// In which order states are visited.
    SearchChoice {
        /// Breadth-first.
        BreadthFirst = "bfs",
        /// Depth-first.
        DepthFirst = "dfs",
    }
);

choice!(
    /// How states are encoded.
    CodecChoice {
        /// Bits per place by its bound.
        Fields = "fields",
        /// 64 bits per place.
        Plain = "plain",
    }
);

choice!(
    /// How states are kept.
    StoreChoice {
        /// Keys one after another, with an index.
        Flat = "flat",
    }
);

/// What is known of a net before it is explored, and how it is to be explored.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The order.
    pub search: SearchChoice,
    /// The encoding.
    pub codec: CodecChoice,
    /// The store.
    pub store: StoreChoice,
    /// A proven bound per place, where there is one.
    pub bounds: Vec<Option<u64>>,
    /// For each transition, whether it is known that it can never fire.
    pub dead: Vec<bool>,
    /// How many more states to look at when the net turns out to be unbounded: there is no end to them, but
    /// what is asked may be found among the next ones.
    pub beyond_unbounded: u64,
    /// Try transitions in an order that this number chooses, instead of the net's own.
    pub seed: Option<u64>,
}

impl Plan {
    /// A plan that makes use of what structure knows of a net.
    pub fn knowing(net: &Net, structure: &Structure) -> Self {
        Self {
            bounds: structure.bounds.tokens().to_vec(),
            dead: net.transition_ids().map(|t| structure.bounds.is_dead(t)).collect(),
            ..Self::default()
        }
    }

    /// The same with every `auto` decided.
    pub fn decided(mut self) -> Self {
        if self.search == SearchChoice::Auto {
            self.search = SearchChoice::BreadthFirst;
        }
        if self.codec == CodecChoice::Auto {
            self.codec = CodecChoice::Fields;
        }
        if self.store == StoreChoice::Auto {
            self.store = StoreChoice::Flat;
        }
        self
    }
}

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Report {
    /// The search that was used.
    pub search: SearchChoice,
    /// The encoding that was used.
    pub codec: CodecChoice,
    /// The store that was used.
    pub store: StoreChoice,
    /// Why it ended early; nothing if every reachable state was visited.
    pub stopped: Option<StopReason>,
    /// How it was seen that the net is unbounded.
    pub pump: Option<Pump>,
    /// Distinct states found.
    pub states: u64,
    /// Arcs, explored states, deadlocks, depth.
    pub counts: Counts,
    /// The largest count of each place over the states found, if it was asked for.
    pub maxima: Option<Vec<u64>>,
    /// Bits of a key, at the end.
    pub key_bits: usize,
    /// Bytes of the store, index included.
    pub store_bytes: usize,
    /// Bytes of what the search kept besides: parents, stack.
    pub search_bytes: usize,
    /// The most states that were stored at a time.
    pub peak_states: u64,
    /// How often the encoding was changed because a place outgrew it.
    pub widenings: u64,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// Whether every reachable state was visited.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Bits per state in the store, index included.
    pub fn bits_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.store_bytes as f64 * 8.0 / self.states as f64 }
    }
}

/// Explores a net as planned, under control, watched by an observer.
pub fn explore<O: Observer>(net: &Net, plan: &Plan, control: &mut Control<'_>, observer: &mut O) -> Report {
    let plan = plan.clone().decided();
    match plan.store {
        StoreChoice::Flat | StoreChoice::Auto => search_in(net, plan, Flat::new, control, observer),
    }
}

/// Makes an empty store for keys of so many bits, with at most so many states.
type MakeStore<S> = fn(usize, u64, &Budget) -> Result<S, Full>;

/// Chooses the search.
fn search_in<S: Store, O: Observer>(
    net: &Net,
    plan: Plan,
    make: MakeStore<S>,
    control: &mut Control<'_>,
    observer: &mut O,
) -> Report {
    let watch_growth = plan.bounds.len() != net.places().len() || plan.bounds.contains(&None);
    let maxima = observer.wants_maxima();
    let budget = control.budget().clone();
    match plan.search {
        SearchChoice::BreadthFirst | SearchChoice::Auto => {
            let search = BreadthFirst::new(net, observer.wants_paths(), maxima, watch_growth, &budget);
            with_engine(net, plan, search, make, control, observer)
        }
        SearchChoice::DepthFirst => {
            let search = DepthFirst::new(net, maxima, watch_growth, &budget);
            with_engine(net, plan, search, make, control, observer)
        }
    }
}

/// Chooses the encoding.
fn with_engine<S: Store, F: Search, O: Observer>(
    net: &Net,
    plan: Plan,
    search: F,
    make: MakeStore<S>,
    control: &mut Control<'_>,
    observer: &mut O,
) -> Report {
    let layout = match plan.codec {
        CodecChoice::Plain => Layout::plain(net),
        CodecChoice::Fields | CodecChoice::Auto => Layout::tight(net, &plan.bounds),
    };
    let engine = FieldsEngine::new(net, layout, plan.dead.clone(), order(net, plan.seed));
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
    fn run<F: Search, S: Store, O: Observer>(
        &mut self,
        search: &mut F,
        store: &mut S,
        observer: &mut O,
        control: &mut Control<'_>,
    ) -> Halt;

    /// Makes room for a state that did not fit, and re-encodes what is stored. The number tells how often this
    /// has happened in the run.
    fn outgrow<S: Store>(&mut self, outgrown: Outgrown, times: u64, store: &mut S) -> Result<(), StopReason>;
}

/// An exploration under way.
struct Exploration<'a, E, F> {
    net: &'a Net,
    plan: Plan,
    engine: E,
    search: F,
}

impl<E: Engine, F: Search> Exploration<'_, E, F> {
    fn run<S: Store, O: Observer>(
        mut self,
        make: MakeStore<S>,
        control: &mut Control<'_>,
        observer: &mut O,
    ) -> Report {
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
            counts: self.search.counts(),
            maxima: observer
                .wants_maxima()
                .then(|| self.search.maxima().map_or_else(initial, <[u64]>::to_vec)),
            key_bits: self.engine.bits(),
            store_bytes,
            search_bytes: self.search.bytes(),
            peak_states: progress.states,
            widenings: progress.widenings,
            time: start.elapsed(),
        }
    }

    /// Runs the search to its end, through all changes of the encoding. Tells why it ended early.
    fn course<S: Store, O: Observer>(
        &mut self,
        store: &mut S,
        course: &mut Course,
        control: &mut Control<'_>,
        observer: &mut O,
    ) -> Option<StopReason> {
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
                Halt::Unbounded(pump) => {
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
