//! The search in a sliding window agrees with the naive twin: whatever guides it, it never claims to have seen all
//! states when it has not, nor that none came twice when one did.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n cargo test -p sweepnet-space --test window` runs just that one.

mod seen;

use std::collections::{HashMap, HashSet};

use sweepnet_net::{Marking, Net};
use sweepnet_space::{Control, Limits, Plan, Report, SearchChoice, StateId, StopReason, WindowPlan, explore};
use sweepnet_structure::{Effort, Limit, Structure, transition_semiflows};
use sweepnet_testkit::seeds::{only, seeds};
use sweepnet_testkit::{naive, nets, random};

use seen::Seen;

const NETS: u64 = 1_500;
const LIMIT: usize = 600;

fn plan(net: &Net, structure: &Structure, window: WindowPlan) -> Plan {
    let window = WindowPlan { determined: structure.determined_places(net), integral: true, ..window };
    Plan { search: SearchChoice::Window, window: Some(window), ..Plan::knowing(net, structure) }
}

fn search(net: &Net, plan: &Plan, states: u64) -> (Report, Seen) {
    let limits = Limits { memory: 1 << 34, time: None, states: Some(states) };
    let mut seen = Seen::default();
    let report = explore(net, plan, &mut Control::new(&limits, Default::default(), |_| {}), &mut seen);
    (report, seen)
}

/// What holds however the search ended.
fn check_always(net: &Net, truth: &naive::Naive, report: &Report, seen: &Seen) {
    assert_eq!(report.states, seen.markings.len() as u64);
    assert!(
        seen.markings.iter().all(|marking| truth.states.contains_key(marking)),
        "a state cannot be reached"
    );
    let different: HashSet<&Marking> = seen.markings.iter().collect();
    if let Some(distinct) = report.distinct() {
        assert_eq!(distinct, different.len() as u64, "a state came twice");
    }
    assert!(seen.expanded.iter().zip(0..).all(|((id, _), at)| id.0 == at), "states are expanded in order");
    seen.check(net, "window");
}

/// What holds if it claims to be complete.
fn check_complete(net: &Net, truth: &naive::Naive, report: &Report, seen: &Seen) {
    let different: HashSet<&Marking> = seen.markings.iter().collect();
    assert_eq!(different.len(), truth.states.len(), "states are missing");
    let mut edges: HashMap<u64, u64> = HashMap::new();
    seen.edges.iter().for_each(|(source, _, _)| *edges.entry(source.0).or_default() += 1);
    for (at, marking) in seen.markings.iter().enumerate() {
        let enabled = net.enabled(marking).count() as u64;
        assert_eq!(seen.expanded[at], (StateId(at as u64), enabled));
        assert_eq!(edges.get(&(at as u64)).copied().unwrap_or(0), enabled, "edges are missing");
    }
    assert_eq!(report.maxima.as_deref(), Some(&truth.maxima()[..]));
    if report.exact {
        assert_eq!((report.counts.arcs, report.counts.deadlocks), (truth.arcs, truth.deadlocks));
    }
}

#[test]
fn the_window_never_claims_too_much() {
    let (mut complete, mut exact, mut dropped, mut twice) = (0, 0, 0, 0);
    for seed in seeds(0..NETS) {
        let net = random::net(seed);
        let truth = naive::explore(&net, LIMIT);
        if !truth.complete || !net.resets().is_empty() {
            continue;
        }
        println!("seed {seed}: {} states", truth.states.len());
        let effort = if seed % 3 == 0 { Effort::LEAST } else { Effort::default() };
        let structure = Structure::of(&net, effort);
        let mut semiflows = transition_semiflows(&net, Limit::default()).flows;
        // With some of them missing the search knows less, and may say less.
        let mut random = random::Random::new(seed ^ 0x77);
        if seed % 4 == 1 {
            semiflows.retain(|_| random.one_in(2));
        }
        let slot = (seed % 5 == 2).then_some(200);
        let window = WindowPlan { semiflows, bytes: Some(1 << 20), slot, ..WindowPlan::default() };
        let (report, seen) = search(&net, &plan(&net, &structure, window), 20 * LIMIT as u64);
        check_always(&net, &truth, &report, &seen);
        match report.stopped {
            None => {
                check_complete(&net, &truth, &report, &seen);
                complete += 1;
                exact += u64::from(report.exact);
                twice += u64::from(report.states > truth.states.len() as u64);
            }
            Some(StopReason::Dropped) => dropped += 1,
            Some(StopReason::States) => {}
            other => panic!("stopped by {other:?}"),
        }
    }
    println!(
        "{complete} complete, {exact} of them exact, {twice} with states found twice; {dropped} with drops"
    );
    assert!(only().is_some() || complete > 500 && exact > 400 && dropped > 3);
}

#[test]
fn wide_nets_are_searched_in_keys_of_many_words() {
    let mut searched = 0;
    for seed in 0..200 {
        let net = random::wide_net(seed);
        let truth = naive::explore(&net, 300);
        if !truth.complete || !net.resets().is_empty() {
            continue;
        }
        println!("seed {seed}: {} states", truth.states.len());
        let structure = Structure::of(&net, Effort::LEAST);
        let semiflows = transition_semiflows(&net, Limit::default()).flows;
        let window = WindowPlan { semiflows, bytes: Some(1 << 20), ..WindowPlan::default() };
        let (report, seen) = search(&net, &plan(&net, &structure, window), 6_000);
        check_always(&net, &truth, &report, &seen);
        if report.stopped.is_none() {
            check_complete(&net, &truth, &report, &seen);
            searched += 1;
        }
    }
    assert!(searched > 5, "{searched}");
}

#[test]
fn the_array_has_the_size_that_was_asked_for_and_a_window_that_outgrows_it_says_so() {
    let net = nets::kanban(2);
    let structure = Structure::of(&net, Effort::default());
    let semiflows = transition_semiflows(&net, Limit::default()).flows;
    let window =
        |bytes| WindowPlan { semiflows: semiflows.clone(), bytes: Some(bytes), ..WindowPlan::default() };
    let (report, _) = search(&net, &plan(&net, &structure, window(100_000)), u64::MAX);
    let windowed = report.windowed.clone().expect("it was a window");
    assert_eq!((report.stopped, report.states, report.distinct()), (None, 4_600, Some(4_600)));
    assert_eq!((windowed.semiflows, windowed.window, windowed.bytes), (5, 8, 100_000));
    let (report, _) = search(&net, &plan(&net, &structure, window(windowed.used)), u64::MAX);
    assert_eq!((report.stopped, report.states), (None, 4_600), "what is needed at a time is enough");
    assert!(report.windowed.is_some_and(|windowed| windowed.rounds > 0));
    let (report, _) = search(&net, &plan(&net, &structure, window(windowed.used - 8)), u64::MAX);
    assert_eq!(report.stopped, Some(StopReason::Window));
    let windowed = report.windowed.clone().expect("it was a window");
    assert!(windowed.overflowed && windowed.levels > 10 && report.states > 1_000);
}
