//! The sweep on coloured markings agrees with the naive twin and with the paper's algorithm taken literally, on random
//! coloured nets with random measures, whether steps lose progress or not.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n cargo test -p sweepnet-space --test coloured_sweep` runs just that
//! one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::term::Arithmetic;
use sweepnet_colour::{Bag, Closed, ColouredNet, Event, Machine, Marking, Node, Sort, Term};
use sweepnet_space::coloured::{
    ColouredMeasure, ColouredObserver, ColouredPlan, ColouredReport, ColouredSweepPlan, explore,
};
use sweepnet_space::progress::Order;
use sweepnet_space::report::RegressStep;
use sweepnet_space::{Control, Limits, SearchChoice, StateId, StopReason, SweepPaths};
use sweepnet_testkit::coloured_nets::{dbm, dining, leader};
use sweepnet_testkit::coloured_twin::{self, State};
use sweepnet_testkit::seeds::{only, seeds};
use sweepnet_testkit::{random, random_coloured};

const NETS: u64 = 500;
const LIMIT: usize = 300;

/// Weights of places, for each integer of a measure.
type Weights = Vec<Vec<i64>>;

fn random_weights(net: &ColouredNet, random: &mut random::Random) -> Weights {
    let mut integer = || net.places.iter().map(|_| random.below(5) as i64 - 1).collect();
    let first = integer();
    let second = integer();
    if random.one_in(2) { vec![first, second] } else { vec![first] }
}

/// The sum of the places' tokens, each with its weight.
fn weighted(weights: &[i64]) -> Closed<Term> {
    let count = |place| Term::new(Node::Count(Box::new(Bag::Place(place))), Sort::Int);
    let times = |(place, weight): (usize, &i64)| {
        Term::arithmetic(Arithmetic::Multiply, Term::int(*weight), count(place))
    };
    let terms = weights.iter().enumerate().map(times);
    Closed {
        body: terms.fold(Term::int(0), |sum, term| Term::arithmetic(Arithmetic::Add, sum, term)),
        frame: 0,
    }
}

fn value(weights: &Weights, state: &State) -> Vec<i64> {
    let tokens = |place: usize| state[place].values().sum::<u64>() as i64;
    let integer = |weights: &Vec<i64>| weights.iter().enumerate().map(|(p, weight)| weight * tokens(p)).sum();
    weights.iter().map(integer).collect()
}

fn is_at_most(order: Order, low: &[i64], high: &[i64]) -> bool {
    match order {
        Order::Lexicographic => low <= high,
        Order::Componentwise => low.iter().zip(high).all(|(a, b)| a <= b),
    }
}

/// A marking as the twin has it.
fn state(net: &ColouredNet, marking: &Marking) -> State {
    let places = net.places.iter().zip(&marking.places);
    let tokens = places.map(|(place, tokens)| {
        tokens.iter().map(|(words, count)| (net.types.decode(place.type_, words), count)).collect()
    });
    tokens.collect()
}

/// Figure 3 of the paper, taken literally: what was explored, and the most states after a state's successors were put in.
fn literal(initial: &State, graph: &HashMap<State, Vec<State>>, weights: &Weights) -> (u64, u64) {
    let mut known = HashSet::from([initial]);
    let mut persistent = HashSet::new();
    let mut roots = vec![initial];
    let (mut explored, mut peak) = (1, 1);
    while !roots.is_empty() {
        let mut open: Vec<&State> = std::mem::take(&mut roots);
        while !open.is_empty() {
            let least = (0..open.len()).min_by_key(|i| value(weights, open[*i])).unwrap();
            let source = open.remove(least);
            for target in &graph[source] {
                if known.insert(target) {
                    explored += 1;
                    if value(weights, source) <= value(weights, target) {
                        open.push(target);
                    } else {
                        persistent.insert(target);
                        roots.push(target);
                    }
                }
            }
            peak = peak.max(known.len() as u64);
            let least = open.iter().map(|state| value(weights, state)).min();
            let waits = |state: &State| least.as_ref().is_some_and(|least| *least <= value(weights, state));
            known.retain(|state| persistent.contains(state) || waits(state));
        }
    }
    (explored, peak)
}

/// Writes down what a search tells.
#[derive(Default)]
struct Seen {
    markings: Vec<Marking>,
    edges: Vec<(StateId, Event, StateId)>,
    expanded: HashSet<u64>,
    asked: Vec<Marking>,
    paths: Vec<Vec<Event>>,
    component: Vec<Marking>,
    terminal: Vec<Vec<Marking>>,
    regressed: bool,
}

impl ColouredObserver for Seen {
    fn wants_edges(&self) -> bool {
        true
    }

    fn wants_terminal(&self) -> bool {
        true
    }

    fn discovered(&mut self, state: &MarkingWorld<'_>, id: StateId) -> bool {
        assert_eq!(id.0, self.markings.len() as u64, "states are numbered as they are found");
        self.markings.push(state.marking.clone());
        let ask = id.0 % 7 == 3;
        if ask {
            self.asked.push(state.marking.clone());
        }
        ask
    }

    fn edge(&mut self, source: StateId, event: Event, target: StateId) {
        assert!(!self.expanded.contains(&source.0) && target.0 < self.markings.len() as u64);
        self.edges.push((source, event, target));
    }

    fn expanded(&mut self, state: &MarkingWorld<'_>, id: StateId, successors: u64) -> bool {
        assert_eq!(*state.marking, self.markings[id.0 as usize]);
        assert!(self.expanded.insert(id.0), "a node is expanded once");
        let edges = self.edges.iter().filter(|(source, _, _)| *source == id).count() as u64;
        assert_eq!(edges, successors, "all its edges have been told");
        let ask = id.0 % 11 == 4;
        if ask {
            self.asked.push(state.marking.clone());
        }
        ask
    }

    fn terminal(&mut self, state: &MarkingWorld<'_>, id: StateId) {
        assert_eq!(*state.marking, self.markings[id.0 as usize]);
        self.component.push(state.marking.clone());
    }

    fn terminal_end(&mut self) -> bool {
        self.asked.push(self.component.last().unwrap().clone());
        self.terminal.push(std::mem::take(&mut self.component));
        true
    }

    fn regressed(&mut self) {
        self.regressed = true;
    }

    fn witness(&mut self, path: Vec<Event>) {
        self.paths.push(path);
    }
}

impl Seen {
    /// Every path leads where it was asked to.
    fn check_paths(&self, machine: &Machine) {
        assert_eq!(self.asked.len(), self.paths.len());
        for (marking, path) in self.asked.iter().zip(&self.paths) {
            let last = path.iter().fold(machine.initial().clone(), |marking, event| {
                machine.fire(&marking, event).expect("it is possible").expect("it is right")
            });
            // A path without steps ends in the initial marking, whatever is derived there.
            assert!(path.is_empty() || last == *marking);
        }
    }

    /// Each node has the successors of its marking, once for each binding.
    fn check_edges(&self, net: &ColouredNet, machine: &Machine, graph: &HashMap<State, Vec<State>>) {
        let mut steps: BTreeMap<u64, Vec<State>> = BTreeMap::new();
        for (source, event, target) in &self.edges {
            let (source_marking, target) =
                (&self.markings[source.0 as usize], &self.markings[target.0 as usize]);
            assert_eq!(machine.fire(source_marking, event), Some(Ok(target.clone())));
            steps.entry(source.0).or_default().push(state(net, target));
        }
        for (node, marking) in self.markings.iter().enumerate() {
            let mut found = steps.remove(&(node as u64)).unwrap_or_default();
            let mut expected = graph[&state(net, marking)].clone();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "node {node}");
        }
    }
}

fn run(net: &ColouredNet, plan: &ColouredPlan) -> (ColouredReport, Seen) {
    let mut seen = Seen::default();
    let report = explore(net, &Machine::new(net), plan, &mut Control::unlimited(), &mut seen);
    (report, seen)
}

fn sweep(net: &ColouredNet, sweep: ColouredSweepPlan) -> (ColouredReport, Seen) {
    let plan = ColouredPlan { search: SearchChoice::Sweep, sweep: Some(sweep), ..ColouredPlan::default() };
    run(net, &plan)
}

/// The terminal components of a graph, by going forward from each state.
fn terminal_components(graph: &HashMap<State, Vec<State>>) -> BTreeSet<BTreeSet<&State>> {
    let reach = |from| {
        let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = open.pop() {
            open.extend(graph[state].iter().filter(|target| found.insert(*target)));
        }
        found
    };
    let reached: HashMap<&State, BTreeSet<&State>> =
        graph.keys().map(|state| (state, reach(state))).collect();
    let is_terminal = |state: &&State| reached[*state].iter().all(|next| reached[*next].contains(*state));
    graph.keys().filter(is_terminal).map(|state| reached[state].clone()).collect()
}

/// Sweeps by a random measure and compares; tells whether progress was lost.
fn agrees(net: &ColouredNet, (initial, graph): &(State, HashMap<State, Vec<State>>), seed: u64) -> bool {
    let machine = Machine::new(net);
    let mut random = random::Random::new(seed ^ 0x5eed);
    let weights = random_weights(net, &mut random);
    let order = if random.one_in(3) { Order::Componentwise } else { Order::Lexicographic };
    let terms = weights.iter().map(|weights| weighted(weights)).collect();
    let by = ColouredSweepPlan::by(ColouredMeasure { terms, order, text: "random".into() });
    let (report, seen) = sweep(net, by.clone());
    assert_eq!((report.stopped, report.search), (None, SearchChoice::Sweep));
    let swept = report.swept.as_ref().unwrap();

    // All states, and nothing else; each node has the successors of its marking.
    let found: HashSet<State> = seen.markings.iter().map(|marking| state(net, marking)).collect();
    assert_eq!(found, graph.keys().cloned().collect());
    seen.check_edges(net, &machine, graph);
    seen.check_paths(&machine);

    // The paper's numbers. With a genuine partial order the two may take states in different orders.
    if order == Order::Lexicographic {
        assert_eq!((report.states, report.peak_states), literal(initial, graph, &weights));
    }
    assert_eq!(seen.markings.len() as u64, report.states);
    let value_of = |node: &StateId| value(&weights, &state(net, &seen.markings[node.0 as usize]));
    let loses = |(source, _, target): &&(StateId, Event, StateId)| {
        !is_at_most(order, &value_of(source), &value_of(target))
    };
    assert_eq!(seen.edges.iter().filter(loses).count() as u64, swept.regress_edges);
    if swept.persistent == 0 {
        assert_eq!(report.distinct(), Some(graph.len() as u64));
    }
    if graph.len() < 60 {
        let without = ColouredSweepPlan { paths: SweepPaths::Again, ..by.clone() };
        sweep(net, without).1.check_paths(&machine);
    }

    // Terminal components, if progress is never lost.
    assert_eq!(seen.regressed, swept.regress_edges > 0);
    if !seen.regressed {
        let told: Vec<BTreeSet<State>> =
            seen.terminal.iter().map(|states| states.iter().map(|m| state(net, m)).collect()).collect();
        let told: BTreeSet<BTreeSet<&State>> = told.iter().map(|states| states.iter().collect()).collect();
        assert_eq!(told.len(), seen.terminal.len(), "a component is told once");
        assert_eq!(told, terminal_components(graph));
    }

    // Whoever wants no losses is told of the first.
    let (report, _) = sweep(net, ColouredSweepPlan { monotone: true, ..by });
    let regress = report.swept.as_ref().unwrap().regress.clone();
    assert_eq!(report.stopped == Some(StopReason::Regress), regress.is_some());
    assert_eq!(regress.is_some(), swept.regress_edges > 0);
    if let (Some(regress), Some(lost)) = (regress, report.lost) {
        assert_eq!(machine.fire(&lost.source, &lost.event), Some(Ok(lost.target.clone())));
        assert_eq!(regress.from, value(&weights, &state(net, &lost.source)));
        assert_eq!(regress.to, value(&weights, &state(net, &lost.target)));
        assert!(!is_at_most(order, &regress.from, &regress.to));
        let RegressStep::Coloured { source, .. } = regress.step else { unreachable!() };
        let tokens: u64 = lost.source.places.iter().map(|tokens| tokens.total()).sum();
        assert_eq!(source.iter().map(|(_, count)| count).sum::<u64>(), tokens);
    }
    seen.regressed
}

#[test]
fn sweeps_agree_with_the_twin_and_with_the_paper() {
    let mut losses = [0, 0];
    for seed in seeds(0..NETS) {
        let net = random_coloured::net(seed, seed % 4 == 0);
        let Some(truth) = coloured_twin::graph(&net, LIMIT) else { continue };
        if truth.1.len() > 2 {
            println!("seed {seed}: {} states", truth.1.len());
            losses[usize::from(agrees(&net, &truth, seed))] += 1;
        }
    }
    println!("{} without losses, {} with some", losses[0], losses[1]);
    assert!(only().is_some() || (losses[0] > 20 && losses[1] > 20));
}

#[test]
fn nets_of_the_literature_are_swept_by_any_measure() {
    for net in [dbm(3, true), dbm(4, false), dining(4), leader(4)] {
        let truth = coloured_twin::graph(&net, 10_000).expect("the net is small and right");
        for seed in 0..10 {
            println!("{}, seed {seed}: {} states", net.name, truth.1.len());
            agrees(&net, &truth, seed);
        }
    }
}

#[test]
fn every_search_tells_all_edges() {
    for seed in 0..200 {
        let net = random_coloured::net(seed, seed % 4 == 0);
        let Some((_, graph)) = coloured_twin::graph(&net, LIMIT) else { continue };
        let machine = Machine::new(&net);
        for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst, SearchChoice::Sweep] {
            // A sweep without a measure takes all states for one layer.
            let (report, seen) = run(&net, &ColouredPlan { search, ..ColouredPlan::default() });
            assert_eq!((report.stopped, report.states), (None, graph.len() as u64), "seed {seed}");
            assert_eq!(report.peak_states, report.states);
            seen.check_edges(&net, &machine, &graph);
            seen.check_paths(&machine);
        }
    }
}

/// A model in the language, with these parameters, and a measure of these terms.
fn model(text: &str, params: &[(&str, i64)], terms: &[&str]) -> (ColouredNet, ColouredMeasure) {
    let params: Vec<(String, i64)> =
        params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let (mut model, _) = sweepnet_language::read(text, &params).expect("the model is right");
    let mut term = |text: &&str| {
        let text = format!("bound {text}");
        let read = sweepnet_language::read_property(&text, &mut model.net, &model.scope);
        match read.expect("the term is right").question {
            sweepnet_language::Question::Bound(term) => term,
            other => panic!("{other:?} is no bound"),
        }
    };
    let measure = ColouredMeasure {
        terms: terms.iter().map(&mut term).collect(),
        order: Order::Lexicographic,
        text: terms.join(", "),
    };
    (model.net, measure)
}

/// An example, with these parameters, and a measure of these terms.
fn example(name: &str, params: &[(&str, i64)], terms: &[&str]) -> (ColouredNet, ColouredMeasure) {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    model(&std::fs::read_to_string(path).expect("the example is there"), params, terms)
}

fn plainly(net: &ColouredNet, plan: &ColouredPlan) -> ColouredReport {
    explore(net, &Machine::new(net), plan, &mut Control::unlimited(), &mut ())
}

fn sweeping(plan: ColouredSweepPlan) -> ColouredPlan {
    ColouredPlan { search: SearchChoice::Sweep, sweep: Some(plan), ..ColouredPlan::default() }
}

#[test]
fn database_managers_have_the_published_numbers() {
    let progress = [
        "if #initially = 1 then 0 else 1 + #waiting",
        "sum s in Site: s * waiting(s)",
        "sum s in Site, r in Site: (received(s, r) + 2 * acknowledged(s, r)) * power(N - r)",
    ];
    let published = [(4, 219, 14), (5, 813, 33), (6, 2_919, 88), (7, 10_209, 251), (8, 34_995, 738)];
    for (n, explored, peak) in published {
        let (net, measure) = example("database-managers.snet", &[("N", n)], &progress);
        let report = plainly(&net, &sweeping(ColouredSweepPlan::by(measure)));
        assert!(report.is_complete());
        assert_eq!((report.counts.explored, report.peak_states), (explored, peak), "{n} managers");
        assert_eq!(report.distinct(), None);
    }
}

#[test]
fn stop_and_wait_has_the_published_numbers() {
    for packets in [10, 20, 40, 100] {
        let progress = "if #initially = 1 then 0 else 1 + sum r in Number: r * received(r)";
        let (net, measure) = example("stop-and-wait.snet", &[("P", packets)], &[progress]);
        let plan = ColouredSweepPlan { monotone: true, ..ColouredSweepPlan::by(measure) };
        let report = plainly(&net, &sweeping(plan));
        assert!(report.is_complete());
        assert_eq!(report.distinct(), Some(271 * packets as u64 - 134));
        assert_eq!(report.peak_states, 287);
    }
}

#[test]
fn the_clock_is_a_measure_that_never_falls() {
    let (mut net, measure) = example("timed.snet", &[], &["clock"]);
    // Without its own measure the net does not speak of the time.
    net.progress = Default::default();
    let mut machine = Machine::new(&net);
    assert!(!machine.keeps_clock());
    machine.keep_clock();
    let mut timed = Seen::default();
    let report = explore(&net, &machine, &ColouredPlan::default(), &mut Control::unlimited(), &mut timed);

    let plan = ColouredSweepPlan { monotone: true, profile: true, ..ColouredSweepPlan::by(measure) };
    let (swept, seen) = sweep(&net, plan);
    assert_eq!((swept.stopped, swept.distinct()), (None, Some(report.states)));
    assert_eq!(swept.counts.arcs, report.counts.arcs);
    let set = |seen: &Seen| seen.markings.iter().cloned().collect::<HashSet<Marking>>();
    assert_eq!(set(&seen), set(&timed));
    assert!(swept.peak_states < swept.states / 2, "{} of {}", swept.peak_states, swept.states);
    seen.check_paths(&machine);
    let clock: Vec<i64> = swept.swept.unwrap().profile.iter().map(|point| point.value[0]).collect();
    let mut times: Vec<i64> = timed.markings.iter().map(|marking| marking.clock).collect();
    times.sort_unstable();
    times.dedup();
    assert_eq!(clock, times);
}

#[test]
fn states_of_different_times_are_different_where_the_clock_is_the_measure() {
    let text = "
        net \"Paces\"
        type Step = 0..3
        place reached: Step timed = 0
        transition walk(k) { in reached: k; out reached: k + 1; when k < 3; delay 2 }
        transition run(k) { in reached: k; out reached: k + 1; when k < 3; delay 1 }
    ";
    let (net, measure) = model(text, &[], &["clock"]);
    // Each step takes 1 or 2, so the next one is taken at any time from its number to twice that: with each of them
    // there are two waiting times. Without the time there are just the two.
    assert_eq!(plainly(&net, &ColouredPlan::default()).states, 1 + 2 + 2 + 2);
    let plan = ColouredSweepPlan { monotone: true, ..ColouredSweepPlan::by(measure) };
    let report = plainly(&net, &sweeping(plan));
    assert_eq!((report.stopped, report.distinct()), (None, Some(1 + 2 + 4 + 6)));
    assert_eq!(report.swept.unwrap().values, 5, "from 0 to 4");
}

#[test]
fn limits_and_measures_without_a_value_end_a_sweep() {
    let (net, measure) = example("stop-and-wait.snet", &[], &["#data_in"]);
    let limits = Limits { memory: u64::MAX, time: None, states: Some(100) };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let plan = sweeping(ColouredSweepPlan::by(measure));
    let report = explore(&net, &Machine::new(&net), &plan, &mut control, &mut ());
    assert_eq!((report.stopped, report.states), (Some(StopReason::States), 100));
    let mut control = Control::new(&Limits { memory: 1, ..limits }, Default::default(), |_| {});
    let report = explore(&net, &Machine::new(&net), &plan, &mut control, &mut ());
    assert_eq!((report.stopped, report.states), (Some(StopReason::Memory), 0));
    let (net, measure) = example("stop-and-wait.snet", &[], &["1 / (#initially)"]);
    let report = plainly(&net, &sweeping(ColouredSweepPlan::by(measure)));
    assert_eq!((report.stopped, report.states), (Some(StopReason::NoProgressValue), 1));
}

#[test]
fn an_error_of_the_model_is_shown_with_its_path() {
    let (mut net, measure) = example("stop-and-wait.snet", &[], &["#initially"]);
    let ready = net.find_place("receiver_acknowledges").expect("there is one");
    net.places[ready].capacity = Some(vec![0..=0]);
    let machine = Machine::new(&net);
    for paths in [SweepPaths::Spool, SweepPaths::Again] {
        let plan = ColouredSweepPlan { paths, ..ColouredSweepPlan::by(measure.clone()) };
        let report = plainly(&net, &sweeping(plan));
        assert_eq!(report.stopped, Some(StopReason::ModelError));
        let (error, path) = report.model_error.expect("it is there");
        let (last, before) = path.split_last().expect("the initial marking is right");
        let marking = before.iter().fold(machine.initial().clone(), |marking, event| {
            machine.fire(&marking, event).expect("it is possible").expect("it is right")
        });
        assert_eq!(machine.fire(&marking, last), Some(Err(error)));
    }
}
