//! What is promised of the figures, whatever the net: what breaks a promise is named below the table.

use super::{Figures, Row};

/// The most bits per state in the set where log2(S/R) is at most [`TIGHT`], and how many beside it elsewhere.
const FEW_BITS: f64 = 8.0;
const TIGHT: f64 = 4.0;
const BITS_BESIDE: f64 = 6.0;

/// More states than this take no more than so many times what their set takes.
const MANY_STATES: f64 = 1e7;
const MOST_PER_STORE: f64 = 3.0;

/// How many times as long the naive twin takes, at least; and where a partition pays: where so many states are explored in ranks
/// that choosing one takes a small part of the time.
const TIMES_THE_TWIN: f64 = 8.0;
const TIMES_WHERE_IT_PAYS: f64 = 20.0;
const ENOUGH_TO_PAY: f64 = 1e5;

/// What one net breaks, each in a few words.
pub fn broken(row: &Row) -> Vec<String> {
    let times = times_promised(&row.ours);
    let slow = row.ratio("cpu_seconds").filter(|ratio| *ratio < times);
    let slow = slow.map(|ratio| format!("the naive twin takes {ratio:.1} times as long, not {times}"));
    too_many_bits(&row.ours).into_iter().chain(too_much_memory(&row.ours)).chain(slow).collect()
}

/// How many times as long the naive twin is promised to take.
fn times_promised(figures: &Figures) -> f64 {
    let has_ranks = figures.get("log2_slack").is_some();
    let pays = has_ranks && figures.get("states").is_some_and(|states| states >= ENOUGH_TO_PAY);
    if pays { TIMES_WHERE_IT_PAYS } else { TIMES_THE_TWIN }
}

/// What a set takes for each state, and what is promised, in bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    /// log2(S/R).
    pub slack: f64,
    /// What it takes.
    pub taken: f64,
    /// The most that it may take.
    pub promised: f64,
}

impl Bits {
    /// Of a set of ranks; nothing of any other.
    pub fn of(figures: &Figures) -> Option<Self> {
        let slack = figures.get("log2_slack")?;
        let taken = figures.get("store_bytes")? * 8.0 / figures.get("states")?;
        let promised = if slack <= TIGHT { FEW_BITS } else { slack + BITS_BESIDE };
        Some(Self { slack, taken, promised })
    }

    /// Whether these are more than promised.
    pub fn are_too_many(self) -> bool {
        self.taken > self.promised
    }
}

/// Whether the set takes more bits for each state than promised, and how many.
pub fn too_many_bits(figures: &Figures) -> Option<String> {
    let bits = Bits::of(figures).filter(|bits| bits.are_too_many())?;
    Some(format!("{:.1} bits per state in the set, not {:.1}", bits.taken, bits.promised))
}

fn too_much_memory(figures: &Figures) -> Option<String> {
    let peak = figures.get("peak_per_store")?;
    (figures.get("states")? > MANY_STATES && peak > MOST_PER_STORE)
        .then(|| format!("{peak:.2} times what the set takes at the peak, not {MOST_PER_STORE}"))
}
