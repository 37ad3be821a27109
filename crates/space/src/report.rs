//! What came of an exploration.

use std::time::Duration;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};

use crate::product::partition::Partition;
use crate::progress::Linear;
use crate::search::Counts;
use crate::{CodecChoice, Plan, Pump, SearchChoice, StopReason, StoreChoice};

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
    /// States found. In a sweep that had to go back, those that were dropped and found again count again: see
    /// [`distinct`](Self::distinct).
    pub states: u64,
    /// Whether no state was found twice.
    pub exact: bool,
    /// Arcs, explored states, deadlocks, depth.
    pub counts: Counts,
    /// The largest count of each place over the states found, if it was asked for.
    pub maxima: Option<Vec<u64>>,
    /// Bits of a key, at the end.
    pub key_bits: usize,
    /// Bytes of the store, index included.
    pub store_bytes: usize,
    /// Bytes of the components' tables.
    pub table_bytes: usize,
    /// Bytes of what the search kept besides: parents, stack, frontier.
    pub search_bytes: usize,
    /// The most states that were stored at a time.
    pub peak_states: u64,
    /// How often the encoding was changed because a place or a component outgrew it.
    pub widenings: u64,
    /// The components, if states were kept as numbers of local markings.
    pub components: Option<Components>,
    /// How many threads there were.
    pub threads: usize,
    /// How the sweep went, if it was one.
    pub swept: Option<Swept>,
    /// How the search in a window went, if it was one.
    pub windowed: Option<Windowed>,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// The report of an exploration that could not begin.
    pub fn of_nothing(plan: &Plan, net: &Net, reason: StopReason, wants_maxima: bool) -> Self {
        Self {
            search: plan.search,
            codec: plan.codec,
            store: plan.store,
            stopped: Some(reason),
            pump: None,
            states: 0,
            exact: true,
            counts: Counts::default(),
            maxima: wants_maxima.then(|| net.initial_marking().tokens().to_vec()),
            key_bits: 0,
            store_bytes: 0,
            table_bytes: 0,
            search_bytes: 0,
            peak_states: 0,
            widenings: 0,
            components: None,
            threads: 1,
            swept: None,
            windowed: None,
            time: Duration::ZERO,
        }
    }

    /// How many different states were found; nothing if nobody knows, because some that were dropped may have been found
    /// again.
    pub fn distinct(&self) -> Option<u64> {
        self.exact.then_some(self.states)
    }

    /// Whether every reachable state was visited.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Bits per state in the store, index included.
    pub fn bits_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.store_bytes as f64 * 8.0 / self.states as f64 }
    }
}

/// How a sweep went.
#[derive(Clone, Debug)]
pub struct Swept {
    /// The measure, as it is written.
    pub measure: String,
    /// How far behind states were kept.
    pub behind: u64,
    /// How often it began anew, the first time included.
    pub sweeps: u64,
    /// Steps along which progress was lost.
    pub regress_edges: u64,
    /// States that were kept for ever, because such a step led there.
    pub persistent: u64,
    /// States that were dropped.
    pub dropped: u64,
    /// Different progress values that were met.
    pub values: u64,
    /// The step that ended it, where none may lose progress.
    pub regress: Option<Regress>,
    /// How many states each progress value had, if that was asked for: neighbours are merged where there are many.
    pub profile: Vec<Point>,
    /// Bytes that wait on disk, so that paths can be found again.
    pub spooled: u64,
}

impl Swept {
    /// Whether no state was found twice.
    pub fn is_exact(&self) -> bool {
        self.persistent == 0
    }
}

/// How a search in a window went.
#[derive(Clone, Debug)]
pub struct Windowed {
    /// T-semiflows that guided it.
    pub semiflows: usize,
    /// Their largest rank, 1 at least: so many levels are kept.
    pub window: u128,
    /// Whether it is known that every T-semiflow is a sum of these.
    pub integral: bool,
    /// Why that is known, or why not.
    pub integrality: String,
    /// Bits of a key, at the end.
    pub key_bits: usize,
    /// Levels that were built.
    pub levels: u64,
    /// Bytes of the array.
    pub bytes: u64,
    /// The most bytes of it that were needed at a time.
    pub used: u64,
    /// Bytes written in all.
    pub written: u64,
    /// How often the array was filled from end to end.
    pub rounds: u64,
    /// Markings that were not found where they should be, and were dropped.
    pub dropped: u64,
    /// Whether a state's level follows from its marking, so that none was found twice.
    pub ranked: bool,
    /// The level of a marking, times a unit, if it follows from it.
    pub level: Option<(Linear, u64)>,
    /// Whether the window outgrew the array.
    pub overflowed: bool,
    /// Bytes that wait on disk, so that paths can be found again.
    pub spooled: u64,
}

/// A step along which progress was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regress {
    /// The step.
    pub step: RegressStep,
    /// How far its start is.
    pub from: Vec<i64>,
    /// How far its end is.
    pub to: Vec<i64>,
}

/// A step along which progress was lost, by where it starts, what fires, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegressStep {
    /// A step of a place/transition net.
    Plain {
        /// Where it starts.
        source: Marking,
        /// What fires.
        event: TransitionId,
        /// Where it leads.
        target: Marking,
    },
    /// A step of a coloured net, in words: tokens are called as the places of an unfolding, each with its count.
    Coloured {
        /// Where it starts.
        source: Vec<(String, u64)>,
        /// What fires.
        event: String,
        /// Where it leads.
        target: Vec<(String, u64)>,
    },
}

/// A stretch of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The sweep it belongs to, from 1.
    pub sweep: u64,
    /// Its first progress value.
    pub value: Vec<i64>,
    /// States explored in it.
    pub explored: u64,
    /// The most states that were kept meanwhile.
    pub kept: u64,
    /// The most of them that were persistent.
    pub persistent: u64,
}

/// The components of a net and how they turned out.
#[derive(Clone, Debug)]
pub struct Components {
    /// The places of each.
    pub partition: Partition,
    /// Why they were chosen.
    pub reason: String,
    /// Local markings of each that were met.
    pub local_markings: Vec<u32>,
    /// Whether the last of them follows from the others, and takes no room in ranks.
    pub determined: bool,
    /// Places that hold a token exactly when some others hold none, and are explored without.
    pub complements: Vec<PlaceId>,
    /// log2 of the number of ranks, S.
    pub log2_ranks: f64,
    /// How often the partition was changed on the way.
    pub changes: u64,
}
