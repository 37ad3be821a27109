//! Every combination of search, codec, store, partition and number of threads agrees with the naive twin on random
//! nets, also when tables begin with two entries and sets and partitions change after every level.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n cargo test -p sweepnet-space --test twin` runs just that one.

mod seen;

use std::collections::HashSet;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_space::product::partition::Knowledge;
use sweepnet_space::{
    CodecChoice, Control, Limits, Observer, Plan, Report, SearchChoice, StateId, StopReason, StoreChoice,
    Trace, View, explore,
};
use sweepnet_testkit::seeds::{only, seeds};
use sweepnet_testkit::{naive, nets, random};

use seen::Seen;

const NETS: u64 = 1_000;
const WIDE_NETS: u64 = 8;
const SHARING_NETS: u64 = 80;
const BORROWING_NETS: u64 = 150;
const LIMIT: usize = 2_000;

/// Checks what a search on several threads tells: each state once, with its successors.
#[derive(Default)]
struct Parts {
    markings: Vec<Marking>,
    expanded: u64,
    successors: u64,
    deadlocks: u64,
    max_total: u128,
    fired: Vec<TransitionId>,
    asked: Vec<Marking>,
    paths: Vec<(Marking, Vec<TransitionId>)>,
}

impl Observer for Parts {
    fn wants_maxima(&self) -> bool {
        true
    }

    fn wants_paths(&self) -> bool {
        true
    }

    fn wants_fired(&self) -> bool {
        true
    }

    fn wants_totals(&self) -> bool {
        true
    }

    fn discovered(&mut self, state: &View<'_>) -> bool {
        let marking = state.marking();
        assert_eq!(state.total_tokens(), marking.total());
        self.max_total = self.max_total.max(marking.total());
        // Ask for the paths to some states.
        let ask =
            marking.tokens().iter().fold(7u64, |sum, n| sum.wrapping_mul(31).wrapping_add(*n)) % 61 == 0;
        if state.id == StateId::INITIAL && ask {
            self.asked.push(marking.clone());
        }
        self.markings.push(marking);
        ask
    }

    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        self.expanded += 1;
        self.successors += successors;
        self.deadlocks += u64::from(successors == 0);
        let marking = state.marking();
        for place in 0..marking.tokens().len() {
            let place = PlaceId::new(place);
            assert_eq!(state.tokens(place), marking[place]);
        }
        successors == 0 && self.deadlocks < 5
    }

    fn fired(&mut self, event: TransitionId) {
        self.fired.push(event);
    }

    fn again(&mut self, state: &View<'_>, _: Option<u64>) -> bool {
        self.asked.push(state.marking());
        true
    }

    fn witness(&mut self, path: Vec<TransitionId>) {
        let marking = self.asked.last().expect("a path was asked for").clone();
        self.paths.push((marking, path));
    }

    fn fork(&self) -> Option<Self> {
        Some(Self::default())
    }

    fn join(&mut self, part: Self) {
        self.markings.extend(part.markings);
        self.expanded += part.expanded;
        self.successors += part.successors;
        self.deadlocks += part.deadlocks;
        self.max_total = self.max_total.max(part.max_total);
    }
}

/// Every set with some partition and number of threads, calm and under stress.
fn set_plans(seed: u64, partitions: &[&str]) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (at, store) in StoreChoice::ALL.iter().enumerate() {
        for stress in [false, true] {
            let partition = partitions[(seed as usize + at) % partitions.len()];
            plans.push(Plan {
                codec: CodecChoice::Product,
                store: *store,
                partition: partition.parse().expect("a choice"),
                threads: Some(1 + (seed as usize + at + usize::from(stress)) % 3),
                stress,
                ..Plan::default()
            });
        }
    }
    plans
}

const PARTITIONS: &[&str] = &["auto", "one", "file", "file:3", "file:7", "semiflows", "clusters"];

/// In how many of some ways something was so in the end.
#[derive(Default)]
struct Ways {
    /// A component followed from the others.
    determined: u64,
    /// A place was left out because it is a complement of others.
    without_some: u64,
}

/// Explores a net whose places are all bounded in sets, on several threads.
fn compare_sets(net: &Net, knowledge: &Knowledge, seed: u64, partitions: &[&str]) -> Ways {
    let twin = naive::explore(net, LIMIT);
    let mut ways = Ways::default();
    for plan in set_plans(seed, partitions) {
        let plan = Plan { knowledge: knowledge.clone(), ..plan };
        let how = format!(
            "{}, {}, {:?} threads, stress {}",
            plan.store.name(),
            plan.partition,
            plan.threads,
            plan.stress
        );
        let mut seen = Parts::default();
        let limits = Limits { memory: u64::MAX, time: None, states: Some(LIMIT as u64 + 500) };
        let mut control = Control::new(&limits, Default::default(), |_| {});
        let report = explore(net, &plan, &mut control, &mut seen);
        assert_eq!(report.codec, CodecChoice::Product);
        if let Some(components) = &report.components {
            ways.determined += u64::from(components.partition.determined);
            ways.without_some += u64::from(!components.complements.is_empty());
        }
        let distinct: HashSet<_> = seen.markings.iter().collect();
        assert_eq!(distinct.len(), seen.markings.len(), "{how}: every state is shown once");
        assert_eq!(seen.markings.len() as u64, report.states, "{how}: every state is shown");
        assert_eq!(seen.successors, report.counts.arcs, "{how}: every arc is counted");
        for (marking, path) in &seen.paths {
            let trace = Trace::replay(net, path.clone()).expect("a path can be fired");
            assert_eq!(trace.last(), marking, "{how}: the path leads to its state");
            if let Some(level) = twin.states.get(marking) {
                assert_eq!(path.len() as u64, *level, "{how}: the path is shortest");
            }
        }
        if !twin.complete {
            continue;
        }
        assert_eq!(report.stopped, None, "{how}");
        assert_eq!(report.states, twin.states.len() as u64, "{how}: states");
        assert_eq!(report.counts.arcs, twin.arcs, "{how}: arcs");
        assert_eq!(report.counts.deadlocks, twin.deadlocks, "{how}: deadlocks");
        assert_eq!(seen.deadlocks, twin.deadlocks, "{how}: deadlocks shown");
        assert_eq!(report.counts.explored, report.states, "{how}: explored");
        assert_eq!(seen.expanded, report.states, "{how}: expanded");
        assert_eq!(report.counts.depth, twin.levels(), "{how}: levels");
        assert_eq!(report.maxima, Some(twin.maxima()), "{how}: maxima");
        assert_eq!(seen.max_total, twin.max_total(), "{how}: tokens");
        assert!(seen.markings.iter().all(|m| twin.states.contains_key(m)), "{how}: markings");
        let fires = |t: &TransitionId| twin.states.keys().any(|m| net.is_enabled(m, *t));
        let mut fired = seen.fired.clone();
        fired.sort_unstable();
        assert_eq!(fired, net.transition_ids().filter(fires).collect::<Vec<_>>(), "{how}: fired");
    }
    ways
}

fn plans() -> Vec<Plan> {
    let mut plans = Vec::new();
    // A window may drop states: it has a test of its own.
    let searches = SearchChoice::ALL[1..].iter().filter(|search| **search != SearchChoice::Window);
    for search in searches {
        for codec in &CodecChoice::ALL[1..] {
            let plan = Plan { search: *search, codec: *codec, store: StoreChoice::Flat, ..Plan::default() };
            plans.push(Plan { seed: Some(1), ..plan.clone() });
            plans.push(Plan { beyond_unbounded: 500, ..plan.clone() });
            plans.push(plan);
        }
    }
    plans
}

fn run(net: &Net, plan: &Plan) -> (Report, Seen) {
    let mut seen = Seen::default();
    // Wide nets have many arcs for each state: a little more than the twin looks at is enough of them.
    let most = if net.places().len() > 20 { LIMIT + 500 } else { 20 * LIMIT };
    let limits = Limits { memory: u64::MAX, time: None, states: Some(most as u64) };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let report = explore(net, plan, &mut control, &mut seen);
    (report, seen)
}

/// Explores one net in every way and compares; tells whether it was bounded.
fn compare(net: &Net, knowledge: &Knowledge, with_product: bool) -> Option<bool> {
    let twin = naive::explore(net, LIMIT);
    let mut bounded = None;
    for plan in plans() {
        // Sampling takes its time: the product is tried on some of the nets.
        if plan.codec == CodecChoice::Product && !(with_product && plan.seed.is_none()) {
            continue;
        }
        let plan = Plan { knowledge: knowledge.clone(), ..plan };
        let (report, seen) = run(net, &plan);
        let how = format!("{} {}", plan.search.name(), plan.codec.name());
        seen.check(net, &how);
        if plan.search == SearchChoice::BreadthFirst {
            for (marking, path) in seen.asked.iter().zip(&seen.paths) {
                let shortest = twin.states.get(marking).is_none_or(|level| path.len() as u64 == *level);
                assert!(shortest, "{how}: the path is shortest");
            }
        }
        assert_eq!(seen.markings.len() as u64, report.states, "{how}: every state is shown");
        let distinct: std::collections::HashSet<_> = seen.markings.iter().collect();
        assert_eq!(distinct.len(), seen.markings.len(), "{how}: every state is shown once");
        assert_eq!(seen.edges.len() as u64, report.counts.arcs, "{how}: every arc is shown");
        match report.stopped {
            None => {
                assert!(twin.complete || report.states > LIMIT as u64, "{how}: complete");
                bounded = Some(true);
                if twin.complete {
                    assert_eq!(report.states, twin.states.len() as u64, "{how}: states");
                    assert_eq!(report.counts.arcs, twin.arcs, "{how}: arcs");
                    assert_eq!(seen.edges.len() as u64, twin.arcs, "{how}: edges");
                    let successors: u64 = seen.expanded.iter().map(|(_, successors)| successors).sum();
                    assert_eq!(successors, twin.arcs, "{how}: successors");
                    assert_eq!(report.counts.deadlocks, twin.deadlocks, "{how}: deadlocks");
                    assert_eq!(report.counts.explored, report.states, "{how}: explored");
                    assert_eq!(report.maxima, Some(twin.maxima()), "{how}: maxima");
                    let max_total = seen.markings.iter().map(Marking::total).max();
                    assert_eq!(max_total, Some(twin.max_total()), "{how}: tokens");
                    assert!(seen.markings.iter().all(|m| twin.states.contains_key(m)), "{how}: markings");
                    if plan.search == SearchChoice::BreadthFirst {
                        assert_eq!(report.counts.depth, twin.levels(), "{how}: levels");
                    }
                }
            }
            Some(StopReason::Unbounded) => {
                assert!(!twin.complete, "{how}: a finite net is not unbounded");
                bounded = Some(false);
                let pump = report.pump.expect("an unbounded net comes with a reason");
                let mut events = pump.prefix.clone();
                for _ in 0..20 {
                    events.extend(&pump.cycle);
                }
                let trace = Trace::replay(net, events).expect("a pump can be fired again and again");
                for (place, more) in &pump.places {
                    let start = trace.markings(net).nth(pump.prefix.len()).expect("it is on the way")[*place];
                    assert_eq!(trace.last()[*place], start + 20 * more, "{how}: growth");
                }
            }
            Some(StopReason::States) => assert!(!twin.complete, "{how}: many states"),
            Some(other) => panic!("{how}: stopped by {other:?}"),
        }
    }
    bounded
}

/// Compares all nets that `make` gives for the seeds; how many were bounded and unbounded.
fn compare_all(usual: std::ops::Range<u64>, make: fn(u64) -> Net) -> (u64, u64) {
    let (mut bounded, mut unbounded) = (0, 0);
    for seed in seeds(usual) {
        let net = make(seed);
        let outcome = std::panic::catch_unwind(|| {
            let structure = sweepnet_structure::Structure::of(&net, Default::default());
            let known = Plan::knowing(&net, &structure);
            let with_product = seed % 8 == 0;
            let outcome = compare(&net, &known.knowledge, with_product);
            // Without what structure knows, every place starts narrow and has to grow.
            assert_eq!(compare(&net, &Knowledge::default(), false), outcome);
            if known.is_bounded(&net) {
                compare_sets(&net, &known.knowledge, seed, PARTITIONS);
            }
            outcome
        });
        match outcome {
            Ok(Some(true)) => bounded += 1,
            Ok(Some(false)) => unbounded += 1,
            Ok(None) => {}
            Err(panic) => {
                eprintln!("seed {seed}: {net:#?}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{bounded} bounded, {unbounded} unbounded");
    (bounded, unbounded)
}

#[test]
fn all_ways_to_explore_agree_with_the_naive_twin_on_random_nets() {
    let (bounded, unbounded) = compare_all(0..NETS, random::net);
    assert!(only().is_some() || bounded > NETS / 3 && unbounded > NETS / 10, "the nets are of all kinds");
}

#[test]
fn all_ways_to_explore_agree_with_the_naive_twin_on_wide_nets() {
    compare_all(0..WIDE_NETS, random::wide_net);
}

/// Compares nets whose places are all bounded, divided in these ways, each with the seed of what is chosen for it at random; in
/// how many ways something was so.
fn compare_bounded(nets: impl Iterator<Item = (u64, Net)>, partitions: &[&str]) -> Ways {
    let mut ways = Ways::default();
    for (seed, net) in nets {
        println!("{}", net.name);
        let known = Plan::knowing(&net, &sweepnet_structure::Structure::of(&net, Default::default()));
        assert!(known.is_bounded(&net));
        let of_it = compare_sets(&net, &known.knowledge, seed, partitions);
        ways.determined += of_it.determined;
        ways.without_some += of_it.without_some;
        compare(&net, &known.knowledge, true);
    }
    ways
}

#[test]
fn components_that_follow_from_others_change_nothing() {
    let literature = [nets::readers_writers(5), nets::mesh(1), nets::philosophers(6), nets::token_ring(5)];
    let random = seeds(0..SHARING_NETS).map(|seed| (seed, random::sharing_net(seed)));
    let determined = compare_bounded((0..).zip(literature).chain(random), PARTITIONS).determined;
    println!("{determined} times");
    assert!(only().is_some() || determined > SHARING_NETS / 2, "it is seen often: {determined} times");
}

#[test]
fn a_line_is_explored_without_its_free_sections() {
    let net = nets::railway(3, 60);
    let known = Plan::knowing(&net, &sweepnet_structure::Structure::of(&net, Default::default()));
    for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
        let plan = Plan { search, codec: CodecChoice::Product, ..known.clone() };
        let report = explore(&net, &plan, &mut Control::unlimited(), &mut ());
        assert_eq!(report.states, 3 * 34_220);
        assert_eq!(report.components.unwrap().complements.len(), 60);
    }
}

#[test]
fn philosophers_have_the_components_that_their_forks_allow() {
    let net = nets::philosophers(11);
    let plan = Plan::knowing(&net, &sweepnet_structure::Structure::of(&net, Default::default()));
    let report = explore(&net, &plan, &mut Control::unlimited(), &mut ());
    assert_eq!(report.states, 16_238);
    let components = report.components.unwrap();
    assert_eq!(components.complements.len(), 11);
    assert_eq!(components.changes, 0);
    // Philosophers in a row have 3, 7, 17, 41, ... local markings, and ranks have room for these and no more.
    let rows = [3u32, 7, 17, 41, 99, 239, 577];
    assert!(components.local_markings.iter().all(|count| rows.contains(count)), "{components:?}");
    let product: f64 = components.local_markings.iter().map(|count| f64::from(*count).log2()).sum();
    assert!((product - components.log2_ranks).abs() < 0.01, "{components:?}");
}

/// Philosophers of whom only the one whose turn it is takes a fork, and only the first two ever eat: far fewer states than
/// their forks allow.
fn philosophers_in_turn(n: usize) -> Net {
    let mut initial: Vec<String> = (0..n).flat_map(|i| [format!("think{i}"), format!("fork{i}")]).collect();
    initial.push("turn0".to_owned());
    let mut transitions = Vec::new();
    for i in 0..n {
        let next = (i + 1) % n;
        transitions.push(format!("left{i}: think{i} fork{i} turn{i} -> hungry{i} turn{next}"));
        transitions.push(format!("not{i}: turn{i} ?think{i} -> turn{next}"));
        transitions.push(format!("still{i}: turn{i} ?hungry{i} -> turn{next}"));
        let first = if i < 2 { "" } else { "turn0 turn1" };
        transitions.push(format!("right{i}: hungry{i} fork{next} {first} -> eat{i} {first}"));
        transitions.push(format!("down{i}: eat{i} -> think{i} fork{i} fork{next}"));
    }
    let initial: Vec<(&str, u64)> = initial.iter().map(|place| (place.as_str(), 1)).collect();
    let transitions: Vec<&str> = transitions.iter().map(String::as_str).collect();
    nets::net("philosophers in turn", &initial, &transitions)
}

#[test]
fn where_few_states_are_reached_of_those_allowed_all_of_them_are_found() {
    let net = philosophers_in_turn(9);
    let states = naive::explore(&net, usize::MAX).states.len() as u64;
    let plan = Plan::knowing(&net, &sweepnet_structure::Structure::of(&net, Default::default()));
    let report = explore(&net, &plan, &mut Control::unlimited(), &mut ());
    assert_eq!(report.states, states);
    let components = report.components.unwrap();
    assert_eq!(components.complements.len(), 9);
    println!("{states} states, {components:?}");
}

#[test]
fn places_that_are_complements_of_others_change_nothing() {
    let literature = [
        nets::railway(2, 7),
        nets::railway(2, 40),
        nets::railway(3, 6),
        nets::philosophers(6),
        philosophers_in_turn(5),
    ];
    let random = seeds(0..BORROWING_NETS).map(|seed| (seed, random::borrowing_net(seed)));
    let without_some = compare_bounded((0..).zip(literature).chain(random), &["auto"]).without_some;
    println!("{without_some} times");
    assert!(only().is_some() || without_some > BORROWING_NETS / 2, "it is seen often: {without_some} times");
}

#[test]
fn nets_of_the_literature_have_their_known_numbers_of_states() {
    for (net, states, arcs, levels) in [
        (nets::kanban(2), 4_600, 28_120, 29),
        (nets::kanban(4), 454_475, 3_979_850, 57),
        (nets::readers_writers(4), 90, 245, 13),
        (nets::readers_writers(32), 64_889, 290_136, 97),
    ] {
        let mut control = Control::unlimited();
        let report = explore(&net, &Plan::default(), &mut control, &mut ());
        assert_eq!((report.states, report.counts.arcs), (states, arcs), "{}", net.name);
        assert_eq!(report.counts.depth, levels, "{}", net.name);
        assert!(report.is_complete());
    }
}

#[test]
fn a_tiny_budget_stops_the_search_with_what_it_knows() {
    let net = nets::kanban(5);
    let used = sweepnet_space::budget::resident_bytes().unwrap_or(0);
    for extra in [0, 100_000, 1_000_000, 5_000_000] {
        let limits = Limits { memory: used + extra, time: None, states: None };
        let mut control = Control::new(&limits, Default::default(), |_| {});
        let report = explore(&net, &Plan::default(), &mut control, &mut ());
        assert_eq!(report.stopped, Some(StopReason::Memory));
        assert!(report.states < 2_546_432);
    }
}

#[test]
fn the_number_of_states_can_be_limited_exactly() {
    let net = nets::kanban(2);
    for (limit, stopped) in [(1, Some(StopReason::States)), (4_599, Some(StopReason::States)), (4_600, None)]
    {
        let limits = Limits { memory: u64::MAX, time: None, states: Some(limit) };
        let mut control = Control::new(&limits, Default::default(), |_| {});
        let report = explore(&net, &Plan::default(), &mut control, &mut ());
        assert_eq!((report.stopped, report.states), (stopped, limit));
    }
}
