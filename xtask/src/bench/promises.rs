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

/// How many times as fast two threads are as one, at least, where that is promised; and a machine is quiet where one thread
/// waits for its processor for no more than this part of its time.
const TIMES_OF_TWO: f64 = 1.6;
const QUIET: f64 = 0.05;

/// What one row breaks, each in a few words. All rows are there to compare it with.
pub fn broken(row: &Row, rows: &[Row]) -> Vec<String> {
    let times = times_promised(&row.ours);
    let slow = row.ratio("cpu_seconds").filter(|ratio| *ratio < times);
    let slow = slow.map(|ratio| format!("the naive twin takes {ratio:.1} times as long, not {times}"));
    let one = rows.iter().find(|one| one.net == row.net && one.threads == 1);
    let slow_together =
        one.filter(|_| row.scales && row.threads == 2).and_then(|one| slow_together(one, row));
    [too_many_bits(&row.ours), too_much_memory(&row.ours), slow, slow_together]
        .into_iter()
        .flatten()
        .collect()
}

/// Whether two threads are not as much faster than one as promised. Nothing where the machine is not quiet.
fn slow_together(one: &Row, two: &Row) -> Option<String> {
    let [alone, together] = [one, two].map(|row| row.ours.get("wall_seconds"));
    let times = alone? / together?;
    let is_quiet = alone? <= one.ours.get("cpu_seconds")? * (1.0 + QUIET);
    (is_quiet && times < TIMES_OF_TWO)
        .then(|| format!("two threads are {times:.2} times as fast as one, not {TIMES_OF_TWO}"))
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

#[cfg(test)]
mod tests {
    use super::super::How;
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        how: How,
    }

    fn row(threads: usize, cpu: f64, wall: f64) -> Row {
        let mut ours = Figures::default();
        ours.set("cpu_seconds", cpu).set("wall_seconds", wall);
        let how = Arguments::parse_from(["bench"]).how;
        Row { net: "n".into(), threads, how, scales: true, ours, naive: None, smaller: None, rival: None }
    }

    #[test]
    fn two_threads_are_compared_with_one_where_the_machine_is_quiet() {
        for (one, two, are_slow) in [
            (row(1, 2.0, 2.0), row(2, 2.2, 1.2), false),
            (row(1, 2.0, 2.0), row(2, 2.5, 1.3), true),
            (row(1, 2.0, 2.2), row(2, 2.5, 1.5), false),
        ] {
            let rows = [one, two];
            assert!(broken(&rows[0], &rows).is_empty());
            assert_eq!(broken(&rows[1], &rows).len(), usize::from(are_slow));
            assert!(broken(&Row { scales: false, ..rows[1].clone() }, &rows).is_empty());
        }
    }
}
