//! What is to be done: which search, encoding, store, partition, and what is known of the net.

use std::path::PathBuf;
use std::sync::Arc;

use sweepnet_net::{Net, PlaceId};
use sweepnet_structure::{Determined, Semiflow, Structure};

use crate::product::partition::{Knowledge, PartitionChoice};
use crate::progress::Measure;

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
        /// In order of a progress measure, forgetting what lies behind.
        Sweep = "sweep",
        /// By levels, guided by T-semiflows, in circular memory.
        Window = "window",
    }
);

choice!(
    /// How states are encoded.
    CodecChoice {
        /// Bits per place by its bound.
        Fields = "fields",
        /// 64 bits per place.
        Plain = "plain",
        /// Numbers of local markings, in mixed radix.
        Product = "product",
        /// Multisets of values, for coloured nets.
        Multiset = "multiset",
    }
);

choice!(
    /// How states are kept.
    StoreChoice {
        /// States one after another, with an index.
        Flat = "flat",
        /// A bit for each state there could be.
        Bitmap = "bitmap",
        /// A table of remainders.
        Quotient = "quotient",
    }
);

/// How a sweep is to go: by a measure of markings, or of coloured ones.
#[derive(Clone, Debug)]
pub struct SweepPlan<M = Measure> {
    /// How far a state is.
    pub measure: Arc<M>,
    /// Whether to stop at the first step that leads back. Otherwise its target is kept for ever, and swept from again.
    pub monotone: bool,
    /// How paths are found again.
    pub paths: SweepPaths,
    /// Whether to keep how many states each progress value had.
    pub profile: bool,
    /// How far behind the present progress value, by its first integer, states are kept. A step that loses no more than
    /// this is recognised if it leads to a state that was found before. Not for partial orders.
    pub behind: u64,
}

impl<M> SweepPlan<M> {
    /// A sweep by a measure, with everything else as usual.
    pub fn by(measure: M) -> Self {
        Self {
            measure: Arc::new(measure),
            monotone: false,
            paths: SweepPaths::default(),
            profile: false,
            behind: 0,
        }
    }
}

/// How the path to a state is found when the states on it have been dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SweepPaths {
    /// Each state's parent and event are written to a file among the system's temporary ones.
    #[default]
    Spool,
    /// The same in a folder of the user's.
    SpoolIn(PathBuf),
    /// By sweeping again.
    Again,
}

/// How a search in a sliding window is to go.
#[derive(Clone, Debug, Default)]
pub struct WindowPlan {
    /// The T-semiflows that guide it.
    pub semiflows: Vec<Semiflow>,
    /// Whether it is known that every T-semiflow is a sum of these.
    pub integral: bool,
    /// Why that is known, or why not.
    pub integrality: String,
    /// Places that need not be kept.
    pub determined: Vec<Determined>,
    /// The size of the array in bytes; what the budget leaves, if nothing is said.
    pub bytes: Option<u64>,
    /// The size of a slot in bytes, if every state is to take one; otherwise states take what they need.
    pub slot: Option<u32>,
    /// How paths are found again; never by searching again.
    pub paths: SweepPaths,
}

/// What is known of a net before it is explored, and how it is to be explored.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The order.
    pub search: SearchChoice,
    /// The encoding.
    pub codec: CodecChoice,
    /// The store.
    pub store: StoreChoice,
    /// How places are divided into components.
    pub partition: PartitionChoice,
    /// Threads; as many as the machine has cores, if nothing is said and the state space is large.
    pub threads: Option<usize>,
    /// What is known of the net.
    pub knowledge: Knowledge,
    /// Places that the observer allows so many tokens only: what makes them grow is not repeated for ever.
    pub limited: Arc<[PlaceId]>,
    /// How many more states to look at when the net turns out to be unbounded: there is no end to them, but
    /// what is asked may be found among the next ones.
    pub beyond_unbounded: u64,
    /// For tests: begin with the smallest tables, use every thread for every level, and change the set and the
    /// partition after each level, so that everything that can happen does.
    #[doc(hidden)]
    pub stress: bool,
    /// How the sweep goes; without it there is none.
    pub sweep: Option<SweepPlan>,
    /// How the search in a window goes; without it there are no semiflows.
    pub window: Option<WindowPlan>,
    /// Try transitions in an order that this number chooses, instead of the net's own.
    pub seed: Option<u64>,
}

impl Plan {
    /// A plan that makes use of what structure knows of a net.
    pub fn knowing(net: &Net, structure: &Structure) -> Self {
        Self { knowledge: Knowledge::of(net, structure), ..Self::default() }
    }

    /// Whether every place of the net has a proven bound.
    pub fn is_bounded(&self, net: &Net) -> bool {
        self.knowledge.bounds.len() == net.places().len() && !self.knowledge.bounds.contains(&None)
    }
}
