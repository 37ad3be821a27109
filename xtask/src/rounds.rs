//! `cargo xtask answers`: all known answers, in one round for each store and number of threads that is asked for.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use sweepnet_space::{Limits, StoreChoice};
use sweepnet_testkit::shared;

use crate::answers::{Comparison, Questions, Ways, verify};
use crate::counts;

/// Nets up to so many states are compared in a single round, and with each store: about ten minutes in both cases.
const IN_ONE_ROUND: u128 = 10_000_000;
const WITH_EACH_STORE: u128 = 300_000;

/// What to compare.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only nets with at most this many states [default: 10000000, with --each-store 300000]
    #[arg(long, value_name = "STATES")]
    up_to: Option<u128>,
    /// The contest's nets once with each store: auto, flat, bitmap, quotient; a line for each
    #[arg(long)]
    each_store: bool,
    /// With so many threads; several numbers give several rounds [default: as many as there are cores]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    threads: Vec<usize>,
    /// By sweeps along simple measures
    #[arg(long, conflicts_with_all = ["each_store", "threads"])]
    sweep: bool,
    /// Only so many megabytes of memory
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Only so many seconds for each search; a net has three
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Only nets whose name contains this
    #[arg(default_value = "")]
    name: String,
}

/// What came of a round.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    passed: usize,
    failed: usize,
    answers: usize,
    undecided: usize,
}

/// Compares, prints what differs, and tells whether all is well.
pub fn run(options: &Options) -> ExitCode {
    let up_to = options.up_to.unwrap_or(if options.each_store { WITH_EACH_STORE } else { IN_ONE_ROUND });
    let rounds = rounds(options);
    let is_single = rounds.len() == 1;
    let mut all = Score::default();
    let mut summary = Vec::new();
    for ways in rounds {
        let start = Instant::now();
        let score = round(options, ways, up_to, is_single);
        let Score { passed, failed, answers, undecided } = score;
        summary.push(format!(
            "{:<24} {passed:>4} nets passed, {failed} failed, {answers} answers agreed, {undecided} undecided, {:.1} s",
            name(ways),
            start.elapsed().as_secs_f64()
        ));
        all.passed += passed;
        all.failed += failed;
        all.answers += answers;
        all.undecided += undecided;
    }
    if let (Some(models), true, false) =
        (shared::models(), options.name.is_empty(), options.each_store || options.sweep)
    {
        for (what, more) in [
            ("papers' nets", counts::papers(&models, up_to)),
            ("business processes", counts::processes(&models, up_to)),
        ] {
            println!("{} {what} have their known counts", more.passed);
            more.mismatches.iter().for_each(|mismatch| println!("FAILED  {mismatch}"));
            all.passed += more.passed;
            all.failed += more.mismatches.len();
        }
    }
    summary.iter().for_each(|line| println!("{line}"));
    println!("{} answers agreed, {} undecided", all.answers, all.undecided);
    println!("{} passed, {} failed", all.passed, all.failed);
    if all.passed > 0 && all.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The rounds that are asked for.
fn rounds(options: &Options) -> Vec<Ways> {
    if options.sweep {
        return vec![Ways::Swept];
    }
    let stores = if options.each_store { StoreChoice::ALL } else { &[StoreChoice::Auto] };
    let threads: Vec<Option<usize>> = match options.threads.as_slice() {
        [] => vec![None],
        some => some.iter().copied().map(Some).collect(),
    };
    let with = |store: &StoreChoice| {
        let store = *store;
        threads.iter().map(move |threads| Ways::In { store, threads: *threads })
    };
    stores.iter().flat_map(with).collect()
}

fn name(ways: Ways) -> String {
    match ways {
        Ways::In { store, threads: Some(threads) } => format!("{}, {threads} threads", store.name()),
        Ways::In { store, threads: None } => store.name().to_owned(),
        Ways::Swept => "sweep".to_owned(),
        Ways::Usual | Ways::All => "auto".to_owned(),
    }
}

/// Compares the contest's nets in one way; nets that agree are named only if this is all there is.
fn round(options: &Options, ways: Ways, up_to: u128, is_single: bool) -> Score {
    let limits = Limits {
        memory: options.memory.map_or(u64::MAX, |megabytes| megabytes.saturating_mul(1 << 20)),
        time: options.time.map(Duration::from_secs),
        states: None,
    };
    let mut score = Score::default();
    for instance in shared::contest() {
        let states = instance.number("states");
        if !instance.name.contains(&options.name) || states.is_some_and(|states| states > up_to) {
            continue;
        }
        let start = Instant::now();
        let Comparison { agreed, undecided, mismatches, .. } =
            verify(&instance, ways, Questions::All, &limits);
        score.answers += agreed;
        score.undecided += undecided.len();
        if mismatches.is_empty() {
            score.passed += 1;
            if is_single {
                println!("ok      {:<40} {agreed:>4} answers  {:.2?}", instance.name, start.elapsed());
            }
        } else {
            score.failed += 1;
            println!("FAILED  {} ({})", instance.name, name(ways));
            mismatches.iter().for_each(|mismatch| println!("        {mismatch}"));
        }
        for (what, why) in undecided {
            println!("open    {}: {what}: {why:?}", instance.name);
        }
    }
    score
}
