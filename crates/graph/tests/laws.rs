//! What must hold of every graph, on random nets and random graphs, against naive twins.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sweepnet_graph::{Builder, Components, Edge, Figures, FileError, Graph, Reverse, WalkError, path, walk};
use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::budget::Charged;
use sweepnet_space::{
    Budget, Control, Limits, Observer, Plan, SearchChoice, StateId, StopReason, View, explore,
};
use sweepnet_testkit::naive;
use sweepnet_testkit::random::{Random, net, wide_net};

/// Keeps what it sees, and passes it on to a builder; done when that is refused memory.
struct Twin {
    builder: Builder,
    markings: HashMap<u64, Marking>,
    edges: Vec<(u64, u32, u64)>,
    expanded: u64,
}

impl Twin {
    fn of(builder: Builder) -> Self {
        Self { builder, markings: HashMap::new(), edges: Vec::new(), expanded: 0 }
    }
}

impl Observer for Twin {
    fn wants_edges(&self) -> bool {
        true
    }

    fn discovered(&mut self, state: &View<'_>) -> bool {
        self.markings.insert(state.id.0, state.marking());
        false
    }

    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.edges.push((source.0, event.index() as u32, target.0));
        Observer::edge(&mut self.builder, source, event, target);
    }

    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        self.expanded += 1;
        Observer::expanded(&mut self.builder, state, successors)
    }

    fn is_done(&self) -> bool {
        self.builder.is_refused()
    }
}

fn edges_of(graph: &Graph) -> Vec<(u64, u32, u64)> {
    let mut edges = Vec::new();
    graph.scan(|node, out| edges.extend(out.iter().map(|edge| (node, edge.event, edge.target))));
    edges
}

/// Explores with at most so many states.
fn build(net: &Net, search: SearchChoice, seed: u64, most: usize) -> (Graph, Twin) {
    let mut control = Control::unlimited();
    let builder = || Builder::new(net.transitions().len(), &Budget::of(1 << 30));
    let mut twin = Twin::of(builder());
    let plan = Plan { search, seed: seed.is_multiple_of(3).then_some(seed), ..Plan::default() };
    let limits = Limits { memory: u64::MAX, time: None, states: Some(most as u64) };
    if most < usize::MAX {
        control = Control::new(&limits, Default::default(), |_| {});
    }
    let report = explore(net, &plan, &mut control, &mut twin);
    let graph = std::mem::replace(&mut twin.builder, builder()).finish(report.stopped.is_none());
    (graph.expect("there is memory"), twin)
}

#[test]
fn every_search_gives_the_graph_of_the_net() {
    for seed in 0..600 {
        let net = if seed % 20 == 0 { wide_net(seed) } else { net(seed) };
        for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
            let (graph, twin) = build(&net, search, seed, 3000);
            let (budget, watch) = (Budget::of(1 << 30), Control::unlimited().watch());
            let context = format!("seed {seed}, {}", search.name());
            assert_eq!(graph.edges(), twin.edges.len() as u64, "{context}");
            assert_eq!(graph.nodes(), twin.markings.len() as u64, "{context}");
            assert_eq!(graph.expanded_nodes(), twin.expanded, "{context}");
            // Every node once, with its own marking: so the graph is the one that was seen, with other
            // numbers.
            let mut markings: HashMap<Marking, u64> = HashMap::new();
            let walked = walk(&graph, &net, &budget, &watch, |node, marking| {
                assert_eq!(markings.insert(marking.clone(), node), None, "{context}");
                ControlFlow::Continue(())
            });
            assert_eq!(walked, Ok(ControlFlow::Continue(())), "{context}");
            assert_eq!(markings.len(), twin.markings.len(), "{context}");
            let number = |state: &u64| markings[&twin.markings[state]];
            let mut seen: Vec<_> = twin.edges.iter().map(|(s, e, t)| (number(s), *e, number(t))).collect();
            seen.sort_unstable();
            assert_eq!(edges_of(&graph), seen, "{context}");
            assert_eq!(number(&0), 0, "{context}");
            if graph.is_complete() {
                let naive = naive::explore(&net, 100_000);
                assert!(naive.states.keys().all(|marking| markings.contains_key(marking)), "{context}");
                let figures = Figures::of(&graph, &budget, &watch).unwrap();
                assert_eq!((figures.dead, figures.depth + 1), (naive.deadlocks, naive.levels()), "{context}");
                assert_eq!(figures.reachable, graph.nodes(), "{context}");
                let node = graph.nodes() / 2;
                let steps = path(&graph, 0, |other| other == node, &budget, &watch).unwrap();
                let steps = steps.expect("it is reached");
                let marking = markings.iter().find(|(_, number)| **number == node).expect("it was walked").0;
                assert_eq!(steps.len() as u64, naive.states[marking], "{context}");
            }
        }
    }
}

/// A random list of edges, by source, some of them with one event.
fn random_edges(random: &mut Random, nodes: u64, events: u64) -> BTreeMap<u64, Vec<(u32, u64)>> {
    let far = random.one_in(2);
    (0..nodes)
        .map(|source| {
            let count = random.below(6);
            let edges = (0..count).map(|_| {
                let target = if far { random.below(nodes) } else { (source + random.below(5)) % nodes };
                (random.below(events) as u32, target)
            });
            (source, edges.collect())
        })
        .collect()
}

#[test]
fn random_graphs_are_kept_in_any_order_of_expansion() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let nodes = 1 + random.below(if seed % 10 == 0 { 5000 } else { 100 });
        let most_events = 1 << random.below(16);
        let events = 1 + random.below(most_events);
        let edges = random_edges(&mut random, nodes, events);
        let mut order: Vec<u64> = (0..nodes).collect();
        let from = if random.one_in(3) { 0 } else { 1 };
        if random.one_in(4) {
            order.reverse();
        } else if random.one_in(2) {
            for i in (from + 1..order.len()).rev() {
                order.swap(i, from + random.below((i - from) as u64) as usize);
            }
        }
        let budget = Budget::of(1 << 30);
        let mut builder = Builder::new(1, &budget);
        for source in &order {
            edges[source].iter().for_each(|(event, target)| builder.edge(*source, *event, *target));
            builder.expanded(*source);
        }
        let graph = builder.finish(true).unwrap();
        assert_eq!((graph.nodes(), graph.expanded_nodes()), (nodes, nodes), "seed {seed}");
        // The initial state first, then all others as they were expanded, from one end or the other.
        if order[0] != 0 {
            order.reverse();
            order.retain(|state| *state != 0);
            order.insert(0, 0);
        }
        let number: HashMap<u64, u64> = order.iter().copied().zip(0..).collect();
        let mut expected: Vec<(u64, u32, u64)> = edges
            .iter()
            .flat_map(|(source, list)| {
                list.iter().map(|(event, target)| (number[source], *event, number[target]))
            })
            .collect();
        expected.sort_unstable();
        assert_eq!(edges_of(&graph), expected, "seed {seed}");
        check_random_access(&graph, &expected, &mut random, seed);
        check_reverse(&graph, &expected, seed);
        check_components(&graph, &expected, seed);
        assert!(graph.bytes() > 0);
    }
}

fn check_random_access(graph: &Graph, expected: &[(u64, u32, u64)], random: &mut Random, seed: u64) {
    let mut reader = graph.reader();
    for _ in 0..200 {
        let node = random.below(graph.nodes() + 2);
        let own = expected.iter().filter(|(source, ..)| *source == node);
        let own: Vec<Edge> = own.map(|(_, event, target)| Edge { event: *event, target: *target }).collect();
        assert_eq!(reader.out(node), own, "seed {seed}, node {node}");
    }
}

fn check_reverse(graph: &Graph, expected: &[(u64, u32, u64)], seed: u64) {
    let reverse = Reverse::of(graph, &Budget::of(1 << 30)).unwrap();
    let mut sources: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (source, _, target) in expected {
        sources.entry(*target).or_default().push(*source);
    }
    for node in 0..graph.nodes() {
        let found: Vec<u64> = reverse.sources(node).collect();
        assert_eq!(found, sources.remove(&node).unwrap_or_default(), "seed {seed}, node {node}");
    }
}

/// Two nodes are in one component if each reaches the other: by the definition.
#[expect(clippy::needless_range_loop, reason = "pairs of nodes are what it is about")]
fn check_components(graph: &Graph, expected: &[(u64, u32, u64)], seed: u64) {
    if graph.nodes() > 100 {
        return;
    }
    let n = graph.nodes() as usize;
    let mut reaches = vec![vec![false; n]; n];
    (0..n).for_each(|i| reaches[i][i] = true);
    expected.iter().for_each(|(source, _, target)| reaches[*source as usize][*target as usize] = true);
    for via in 0..n {
        for from in 0..n {
            if reaches[from][via] {
                (0..n).for_each(|to| reaches[from][to] |= reaches[via][to]);
            }
        }
    }
    let components = Components::of(graph, &Budget::of(1 << 30), &Control::unlimited().watch()).unwrap();
    let of = |node: usize| components.of_node(node as u64);
    for a in 0..n {
        for b in 0..n {
            assert_eq!(of(a) == of(b), reaches[a][b] && reaches[b][a], "seed {seed}: {a} and {b}");
            assert!(!reaches[a][b] || of(a) >= of(b), "seed {seed}: {a} and {b} in order");
        }
        let terminal = (0..n).all(|b| !reaches[a][b] || reaches[b][a]);
        assert_eq!(components.is_terminal(of(a)), terminal, "seed {seed}: {a}");
    }
    let numbers: std::collections::BTreeSet<u64> = (0..n).map(of).collect();
    assert_eq!(
        (numbers.len() as u64, numbers.last().map(|last| last + 1)),
        (components.count(), Some(components.count()))
    );
}

#[test]
fn a_small_budget_is_a_refusal() {
    let net = sweepnet_testkit::nets::kanban(2);
    let (whole, _) = build(&net, SearchChoice::DepthFirst, 1, usize::MAX);
    for limit in (0..100_000).step_by(997).chain([1 << 24]) {
        let is_ample = limit == 1 << 24;
        for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
            let budget = Budget::of(limit);
            let mut builder = Builder::new(net.transitions().len(), &budget);
            let report =
                explore(&net, &Plan { search, ..Plan::default() }, &mut Control::unlimited(), &mut builder);
            let refused = builder.is_done();
            match builder.finish(report.stopped.is_none()) {
                Ok(graph) => {
                    assert_eq!(graph.is_complete(), !refused, "{limit}");
                    assert!(refused || graph.edges() == whole.edges(), "{limit}");
                    assert!(!refused || !is_ample);
                }
                Err(refusal) => assert!(refusal.limit == limit && !is_ample),
            }
            assert_eq!(budget.used(), 0);
        }
        let (budget, watch) = (Budget::of(limit), Control::unlimited().watch());
        assert!(walk(&whole, &net, &budget, &watch, |_, _| ControlFlow::Continue(())).is_ok() || !is_ample);
        assert!(Figures::of(&whole, &budget, &watch).is_ok() || !is_ample);
        assert!(Reverse::of(&whole, &budget).is_ok() || !is_ample);
        assert!(path(&whole, 0, |_| false, &budget, &watch).is_ok_and(|path| path.is_none()) || !is_ample);
        assert_eq!(budget.used(), 0);
    }
}

#[test]
fn what_came_before_a_refusal_is_a_part_of_the_graph() {
    let net = sweepnet_testkit::nets::kanban(2);
    let (whole, _) = build(&net, SearchChoice::BreadthFirst, 1, usize::MAX);
    let mut parts = 0;
    for room in (0..60_000).step_by(331) {
        for search in [SearchChoice::BreadthFirst, SearchChoice::DepthFirst] {
            let (budget, ample) = (Budget::of((1 << 24) + room), Budget::of(1 << 30));
            let ballast = Charged::filled(&budget, 0_u8, 1 << 24).expect("there is memory");
            let builder = Builder::new(net.transitions().len(), &budget);
            let mut twin = Twin::of(builder);
            let plan = Plan { search, ..Plan::default() };
            explore(&net, &plan, &mut Control::unlimited(), &mut twin);
            // A search that ends gives memory back.
            drop(ballast);
            let refused = twin.builder.is_refused();
            let graph = twin.builder.finish(!refused).expect("there is memory now");
            assert_eq!(graph.is_complete(), !refused);
            parts += u32::from(refused && graph.edges() > 0);
            let mut found = HashMap::new();
            let walked = walk(&graph, &net, &ample, &Control::unlimited().watch(), |node, marking| {
                found.insert(node, marking.clone());
                ControlFlow::Continue(())
            });
            assert_eq!(walked, Ok(ControlFlow::Continue(())), "{room}");
            assert_eq!(found.len() as u64, graph.nodes(), "{room}: every node is reached");
            let seen: HashSet<_> = twin
                .edges
                .iter()
                .map(|(source, event, target)| (&twin.markings[source], *event, &twin.markings[target]))
                .collect();
            for (source, event, target) in edges_of(&graph) {
                assert!(seen.contains(&(&found[&source], event, &found[&target])), "{room}");
            }
            // Nodes that are said to have all their edges have them.
            let mut reader = graph.reader();
            for (node, marking) in &found {
                let edges = reader.out(*node).len();
                assert!(!graph.is_expanded(*node) || edges == net.enabled(marking).count(), "{room}");
            }
            assert!(!graph.is_complete() || graph.edges() == whole.edges());
            let file = tempfile::NamedTempFile::new().expect("there is a place for files");
            graph.write(&mut file.as_file()).expect("it can be written");
            assert_eq!(Graph::open(file.path()).expect("it is whole").edges(), graph.edges());
        }
    }
    assert!(parts > 50, "{parts} parts were met");
}

#[test]
fn limits_end_whatever_is_done_with_a_graph() {
    let net = sweepnet_testkit::nets::kanban(2);
    let (graph, _) = build(&net, SearchChoice::BreadthFirst, 1, usize::MAX);
    let file = tempfile::NamedTempFile::new().expect("there is a place for files");
    graph.write(&mut file.as_file()).expect("it can be written");
    let limits = Limits { memory: u64::MAX, time: Some(Duration::ZERO), states: None };
    let over = Control::new(&limits, Arc::default(), |_| {}).watch();
    let stop = Control::new(&limits, Arc::new(AtomicBool::new(true)), |_| {}).watch();
    let budget = Budget::of(1 << 24);
    for (watch, why) in [(over, StopReason::Time), (stop, StopReason::Interrupted)] {
        assert_eq!(Figures::of(&graph, &budget, &watch).err(), Some(why));
        assert_eq!(Components::of(&graph, &budget, &watch).err(), Some(why));
        let walked = walk(&graph, &net, &budget, &watch, |_, _| ControlFlow::Continue(()));
        assert_eq!(walked.err(), Some(WalkError::Stopped(why)));
        assert!(
            matches!(Graph::open_within(file.path(), &watch), Err(FileError::Stopped(found)) if found == why)
        );
        // A path of few nodes is found between two looks; not one of many.
        assert!(graph.nodes() > 4096);
        assert_eq!(path(&graph, 0, |_| false, &budget, &watch).err(), Some(why));
    }
}

#[test]
fn the_graph_of_another_net_is_not_walked() {
    let (graph, _) = build(&sweepnet_testkit::nets::kanban(1), SearchChoice::BreadthFirst, 1, usize::MAX);
    let other = sweepnet_testkit::nets::readers_writers(2);
    let walked = walk(&graph, &other, &Budget::of(1 << 20), &Control::unlimited().watch(), |_, _| {
        ControlFlow::Continue(())
    });
    assert!(walked.is_err_and(|error| error.to_string().contains("not the graph of this net")));
}
