//! Searching coloured nets on their own markings: known answers, and the published sizes of encoded state spaces.

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::unfold::Limits;
use sweepnet_colour::{ColouredNet, Event, Machine, ModelError, Term, TypeId};
use sweepnet_space::coloured::{CodecOptions, ColouredObserver, ColouredPlan, ColouredReport, explore};
use sweepnet_space::{Control, Plan, SearchChoice, StateId, StopReason};
use sweepnet_testkit::coloured_nets::{dbm, dining, leader, numbers, one, place, transition, var};
use sweepnet_testkit::{coloured_twin, random_coloured};

fn run_as(net: &ColouredNet, search: SearchChoice, codec: CodecOptions) -> ColouredReport {
    let machine = Machine::new(net);
    let plan = ColouredPlan { search, codec, ..ColouredPlan::default() };
    explore(net, &machine, &plan, &mut Control::unlimited(), &mut ())
}

fn run(net: &ColouredNet) -> ColouredReport {
    run_as(net, SearchChoice::Auto, CodecOptions::default())
}

/// Tables 1 and 2 of multi-set-encoding: |D|, then the columns MARIA, (cap.) and (red.) with the place `unused`, then
/// without it.
const SIZES: [(u64, [u64; 3], [u64; 3]); 10] = [
    (1, [4, 2, 2], [4, 2, 2]),
    (2, [28, 15, 9], [21, 14, 9]),
    (3, [223, 168, 86], [150, 111, 86]),
    (4, [1_403, 1_090, 414], [724, 543, 414]),
    (5, [8_439, 7_487, 2_396], [3_565, 3_159, 2_396]),
    (6, [46_109, 42_292, 10_807], [15_725, 14_266, 10_807]),
    (7, [208_807, 198_599, 43_569], [60_786, 55_683, 43_569]),
    (8, [908_810, 873_816, 168_089], [233_702, 217_213, 168_089]),
    (9, [4_423_852, 4_308_020, 738_397], [998_945, 952_558, 738_397]),
    (10, [18_006_540, 17_685_747, 2_683_381], [3_559_389, 3_526_147, 2_683_381]),
];

fn sizes_are_those_of_the_paper(sites: std::ops::RangeInclusive<u64>) {
    let columns = [(false, false), (true, false), (true, true)];
    for (n, with, without) in SIZES.into_iter().filter(|(n, ..)| sites.contains(n)) {
        for (unused, expected) in [(true, with), (false, without)] {
            let net = dbm(n, unused);
            for ((capacities, derived), bytes) in columns.into_iter().zip(expected) {
                let report = run_as(&net, SearchChoice::Auto, CodecOptions { capacities, derived });
                assert!(report.is_complete(), "{:?}", report.model_error);
                assert_eq!(report.states, 1 + n * 3u64.pow(n as u32 - 1));
                assert_eq!(report.state_bytes, bytes, "|D| = {n}, unused {unused}, {capacities} {derived}");
            }
        }
    }
}

#[test]
fn sizes_up_to_9_sites_are_those_of_the_paper() {
    sizes_are_those_of_the_paper(1..=9);
}

#[test]
#[ignore = "half a minute"]
fn sizes_of_10_sites_are_those_of_the_paper() {
    sizes_are_those_of_the_paper(10..=10);
}

#[test]
fn both_searches_find_the_same() {
    for net in [dbm(5, true), dbm(6, false), dining(6), leader(5)] {
        let [wide, deep] = [SearchChoice::BreadthFirst, SearchChoice::DepthFirst]
            .map(|search| run_as(&net, search, CodecOptions::default()));
        assert_eq!(wide.states, deep.states, "{}", net.name);
        assert_eq!(wide.counts.arcs, deep.counts.arcs, "{}", net.name);
        assert_eq!(wide.counts.deadlocks, deep.counts.deadlocks, "{}", net.name);
        assert_eq!(wide.maxima, deep.maxima, "{}", net.name);
        assert_eq!(wide.state_bytes, deep.state_bytes, "{}", net.name);
        assert!(wide.is_complete() && deep.is_complete());
    }
}

fn small_nets() -> Vec<ColouredNet> {
    let mut nets: Vec<ColouredNet> = (1..=5).flat_map(|n| [dbm(n, true), dbm(n, false)]).collect();
    nets.extend((2..=6).map(dining));
    nets.extend((1..=5).map(leader));
    nets
}

#[test]
fn the_naive_twin_agrees() {
    for net in small_nets() {
        let twin = coloured_twin::explore(&net, 100_000).expect("the net is small and right");
        let report = run(&net);
        assert_eq!(report.states, twin.states, "{}", net.name);
        assert_eq!(report.counts.arcs, twin.arcs, "{}", net.name);
        assert_eq!(report.counts.deadlocks, twin.deadlocks, "{}", net.name);
        assert_eq!(report.maxima.tokens, twin.max_tokens, "{}", net.name);
    }
}

/// Compares with the twin and, where there is one, with the unfolding; tells whether the net has an end and is right.
fn agrees(net: &ColouredNet) -> bool {
    const MOST: usize = 400;
    let limits = sweepnet_space::Limits { memory: u64::MAX, time: None, states: Some(MOST as u64) };
    let twin = coloured_twin::explore(net, MOST);
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
        let mut control = Control::new(&limits, Default::default(), |_| {});
        let plan = ColouredPlan { search, ..ColouredPlan::default() };
        let report = explore(net, &Machine::new(net), &plan, &mut control, &mut ());
        let Some(twin) = &twin else {
            assert!(!report.is_complete(), "{}: the twin has more states or an error", net.name);
            continue;
        };
        assert_eq!(report.stopped, None, "{}: {:?}", net.name, report.model_error);
        let counts = report.counts;
        assert_eq!(
            (report.states, counts.arcs, counts.deadlocks, &report.maxima.tokens),
            (twin.states, twin.arcs, twin.deadlocks, &twin.max_tokens),
            "{}",
            net.name
        );
    }
    let unfolded = net.unfold(&Limits { nodes: 1_000_000, go_on: &|| true });
    if let (Some(twin), Ok(unfolding)) = (&twin, unfolded) {
        let flat =
            sweepnet_space::explore(&unfolding.net, &Plan::default(), &mut Control::unlimited(), &mut ());
        assert_eq!((flat.states, flat.counts.arcs), (twin.states, twin.arcs), "{}: unfolding", net.name);
    }
    twin.is_some_and(|twin| twin.states > 2)
}

/// How many of these random nets are worth comparing; all of them agree.
fn agreeing(seeds: std::ops::Range<u64>) -> usize {
    seeds.filter(|seed| agrees(&random_coloured::net(*seed, seed % 4 == 0))).count()
}

#[test]
fn the_naive_twin_agrees_on_random_nets() {
    let worthwhile = agreeing(0..400);
    assert!(worthwhile > 40, "{worthwhile}");
}

#[test]
#[ignore = "some minutes"]
fn the_naive_twin_agrees_on_many_random_nets() {
    agreeing(400..6000);
}

#[test]
fn the_unfolding_agrees() {
    for net in small_nets() {
        let unfolding = net.unfold(&Limits { nodes: 1_000_000, go_on: &|| true }).expect("it is small");
        let flat =
            sweepnet_space::explore(&unfolding.net, &Plan::default(), &mut Control::unlimited(), &mut ());
        let report = run(&net);
        assert_eq!(report.states, flat.states, "{}", net.name);
        assert_eq!(report.counts.arcs, flat.counts.arcs, "{}", net.name);
        assert_eq!(report.counts.deadlocks, flat.counts.deadlocks, "{}", net.name);
        assert_eq!(report.counts.depth, flat.counts.depth, "{}", net.name);
    }
}

#[test]
#[ignore = "some minutes"]
fn large_nets_have_the_published_states_and_arcs() {
    let expected = [(dbm(12, false), 2_125_765, 15_588_960)];
    for (net, states, arcs) in expected {
        let report = run(&net);
        assert_eq!((report.states, report.counts.arcs), (states, arcs), "{}", net.name);
    }
}

/// Asks for a path to the first state without successors, or to the first with so many tokens in a place.
struct Seeks {
    wanted: Option<(usize, u64)>,
    path: Option<Vec<Event>>,
}

impl ColouredObserver for Seeks {
    fn discovered(&mut self, state: &MarkingWorld<'_>, _: StateId) -> bool {
        self.path.is_none()
            && self.wanted.is_some_and(|(place, tokens)| state.marking.places[place].total() >= tokens)
    }

    fn expanded(&mut self, _: &MarkingWorld<'_>, _: StateId, successors: u64) -> bool {
        self.path.is_none() && self.wanted.is_none() && successors == 0
    }

    fn witness(&mut self, path: Vec<Event>) {
        self.path = Some(path);
    }

    fn is_done(&self) -> bool {
        self.path.is_some()
    }
}

#[test]
fn a_path_leads_where_it_was_asked_to() {
    let net = dining(5);
    let eating = net.find_place("eating").expect("there is one");
    let machine = Machine::new(&net);
    for (search, shortest) in [(SearchChoice::BreadthFirst, true), (SearchChoice::DepthFirst, false)] {
        let mut seeks = Seeks { wanted: Some((eating, 2)), path: None };
        let plan = ColouredPlan { search, ..ColouredPlan::default() };
        let report = explore(&net, &machine, &plan, &mut Control::unlimited(), &mut seeks);
        assert_eq!(report.stopped, Some(StopReason::Decided));
        let path = seeks.path.expect("two can eat at once");
        assert!(path.len() >= 6 && (!shortest || path.len() == 6), "{}", path.len());
        let last = path.iter().fold(machine.initial().clone(), |marking, event| {
            machine.fire(&marking, event).expect("it is enabled").expect("it is right")
        });
        assert_eq!(last.places[eating].total(), 2);
    }
}

#[test]
fn a_broken_capacity_is_shown_with_the_events_that_break_it() {
    let mut net = dining(3);
    let eating = net.find_place("with_left").expect("there is one");
    net.places[eating].capacity = Some(vec![0..=1]);
    let machine = Machine::new(&net);
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
        let report = run_as(&net, search, CodecOptions::default());
        assert_eq!(report.stopped, Some(StopReason::ModelError));
        let (error, path) = report.model_error.expect("it is there");
        assert_eq!(error, ModelError::Capacity { place: eating, tokens: 2 });
        let (last, before) = path.split_last().expect("the initial marking is right");
        let marking = before.iter().fold(machine.initial().clone(), |marking, event| {
            machine.fire(&marking, event).expect("it is enabled").expect("it is right")
        });
        assert_eq!(machine.fire(&marking, last), Some(Err(error)));
    }
    net.places[eating].capacity = Some(vec![1..=1]);
    let report = run(&net);
    assert_eq!((report.stopped, report.states), (Some(StopReason::ModelError), 0));
    let error = ModelError::Capacity { place: eating, tokens: 0 };
    assert_eq!(report.model_error, Some((error, Vec::new())));
}

#[test]
fn a_limit_of_states_stops_the_search() {
    let net = dbm(6, false);
    let limits = sweepnet_space::Limits { memory: u64::MAX, time: None, states: Some(100) };
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
        let mut control = Control::new(&limits, Default::default(), |_| {});
        let plan = ColouredPlan { search, ..ColouredPlan::default() };
        let report = explore(&net, &Machine::new(&net), &plan, &mut control, &mut ());
        assert_eq!((report.stopped, report.states), (Some(StopReason::States), 100));
    }
}

/// Two rounds that a number goes through, each step of which takes so long.
fn clockwork(delays: [i64; 2]) -> ColouredNet {
    let mut net = ColouredNet::default();
    let hand = numbers(&mut net, 4);
    for (name, delay) in ["slow", "fast"].into_iter().zip(delays) {
        let at = place(&mut net, name, hand, [0]);
        net.places[at].timed = true;
        let t = transition(&mut net, name, &[hand]);
        t.inputs = vec![one(at, var(0, hand))];
        t.outputs = vec![one(at, sweepnet_testkit::coloured_nets::next(var(0, hand)))];
        t.delay = Some(Term::int(delay));
    }
    net
}

#[test]
fn time_brings_things_into_an_order() {
    // Both hands step at the times 0, 6, 12, …; the fast one alone at 2, 4, 8, …: the common period is 24. Where both
    // are ready, either one may be first.
    let report = run(&clockwork([6, 2]));
    assert!(report.is_complete());
    // Every 6 units there are 5 states and 6 arcs: both hands have stepped, then the fast one, then the fast one again;
    // then one or the other steps first. There are 4 such rounds, and the initial state with its 2 arcs.
    assert_eq!((report.states, report.counts.arcs, report.counts.deadlocks), (21, 26, 0));
    assert_eq!(report.maxima.tokens, [1, 1]);
    let deep = run_as(&clockwork([6, 2]), SearchChoice::DepthFirst, CodecOptions::default());
    assert_eq!((deep.states, deep.counts.arcs), (21, 26));
    // With the time itself in the states there is no end to them.
    let net = clockwork([6, 2]);
    let mut machine = Machine::new(&net);
    machine.keep_clock();
    let limits = sweepnet_space::Limits { memory: u64::MAX, time: None, states: Some(1000) };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let report = explore(&net, &machine, &ColouredPlan::default(), &mut control, &mut ());
    assert_eq!(report.stopped, Some(StopReason::States));
}

#[test]
fn priorities_come_first() {
    let mut net = dining(4);
    let chairs = net.find_place("chairs").expect("there are chairs");
    let tired = place(&mut net, "tired", TypeId::UNIT, []);
    let t = transition(&mut net, "tire", &[]);
    t.inputs = vec![one(chairs, Term::unit())];
    t.outputs = vec![one(tired, Term::unit())];
    t.priority = 1;
    let twin = coloured_twin::explore(&net, 1000).expect("it is small");
    let report = run(&net);
    assert_eq!((report.states, report.counts.arcs), (twin.states, twin.arcs));
    // All chairs go before anybody sits down.
    assert_eq!((report.states, report.counts.deadlocks), (4, 1));
}

#[test]
#[ignore = "a measurement"]
fn the_time_of_10_sites_and_that_of_the_twin() {
    for unused in [true, false] {
        let net = dbm(10, unused);
        let report = run(&net);
        let per_state = report.store_bytes as f64 / report.states as f64;
        println!("{}: {:?}, {per_state:.1} bytes per state", report.states, report.time);
    }
    let start = std::time::Instant::now();
    let twin = coloured_twin::explore(&dbm(8, false), usize::MAX).expect("it is right");
    println!("twin, 8 sites: {} states in {:?}", twin.states, start.elapsed());
    println!("8 sites: {:?}", run(&dbm(8, false)).time);
}
