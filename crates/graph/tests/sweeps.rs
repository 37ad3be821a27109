//! Graphs of sweeps: isomorphic to the reachability graph if no step loses progress, bisimilar to it in any case, with
//! exactly its markings.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n cargo test -p sweepnet-graph --test sweeps` runs just that one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use sweepnet_graph::{Builder, Graph, walk};
use sweepnet_net::{Marking, Net};
use sweepnet_space::progress::{Component, Linear, Measure, Order};
use sweepnet_space::{Budget, Control, Plan, Report, SearchChoice, SweepPlan, explore};
use sweepnet_testkit::naive;
use sweepnet_testkit::random::{Random, net};
use sweepnet_testkit::seeds::{only, seeds};

const NETS: u64 = 600;
const LIMIT: usize = 400;

fn graph(net: &Net, search: SearchChoice, sweep: Option<SweepPlan>) -> (Report, Graph) {
    let plan = Plan { search, sweep, ..Plan::default() };
    let mut builder = Builder::new(net.transitions().len(), &Budget::of(u64::MAX));
    let report = explore(net, &plan, &mut Control::unlimited(), &mut builder);
    (report, builder.finish(true).expect("there is memory"))
}

/// The coarsest partition of the nodes of two graphs in which nodes of a block go by the same events to the same blocks,
/// as the block of each node; those of the second graph come behind those of the first.
fn blocks(first: &Graph, second: &Graph) -> Vec<usize> {
    let offset = first.nodes() as usize;
    let mut edges: Vec<Vec<(u32, usize)>> = vec![Vec::new(); offset + second.nodes() as usize];
    for (graph, offset) in [(first, 0), (second, offset)] {
        graph.scan(|node, out| {
            let out = out.iter().map(|edge| (edge.event, edge.target as usize + offset));
            edges[node as usize + offset] = out.collect();
        });
    }
    let mut block = vec![0; edges.len()];
    let mut count = 1;
    loop {
        let mut numbers = BTreeMap::new();
        let signature = |node: usize| {
            let steps: BTreeSet<(u32, usize)> =
                edges[node].iter().map(|(event, to)| (*event, block[*to])).collect();
            (block[node], steps)
        };
        let signatures: Vec<_> = (0..edges.len()).map(signature).collect();
        let next = signatures.into_iter().map(|signature| {
            let new = numbers.len();
            *numbers.entry(signature).or_insert(new)
        });
        block = next.collect();
        if numbers.len() == count {
            return block;
        }
        count = numbers.len();
    }
}

/// Whether going along the same events from the initial nodes pairs the nodes of both graphs one to one. Events are
/// deterministic, so there is one way to do it.
fn isomorphic(first: &Graph, second: &Graph) -> bool {
    let (mut pairs, mut open) = (BTreeMap::from([(0, 0)]), vec![(0, 0)]);
    let (mut left, mut right) = (first.reader(), second.reader());
    while let Some((a, b)) = open.pop() {
        let (a, b) = (left.out(a).to_vec(), right.out(b).to_vec());
        if a.len() != b.len() {
            return false;
        }
        for (a, b) in a.iter().zip(&b) {
            if a.event != b.event || pairs.get(&a.target).is_some_and(|known| *known != b.target) {
                return false;
            }
            if pairs.insert(a.target, b.target).is_none() {
                open.push((a.target, b.target));
            }
        }
    }
    let images: BTreeSet<u64> = pairs.values().copied().collect();
    pairs.len() as u64 == first.nodes() && images.len() as u64 == second.nodes()
}

#[test]
fn sweeps_give_the_graph_or_an_unfolding_of_it() {
    let (mut exact, mut unfolded) = (0, 0);
    for seed in seeds(0..NETS) {
        let net = net(seed);
        let truth = naive::explore(&net, LIMIT);
        if !truth.complete {
            continue;
        }
        println!("seed {seed}");
        let mut random = Random::new(seed ^ 0x6ea9);
        let terms = net.place_ids().map(|place| (place, random.below(4) as i64 - 1)).collect();
        let components = vec![Component::Linear(Linear { terms, constant: 0 })];
        let measure = Measure { components, order: Order::Lexicographic, text: "random".into() };
        let (_, reference) = graph(&net, SearchChoice::BreadthFirst, None);
        let (report, swept) = graph(&net, SearchChoice::Sweep, Some(SweepPlan::by(measure)));
        let blocks = blocks(&reference, &swept);
        assert_eq!(blocks[0], blocks[reference.nodes() as usize], "the graphs are not bisimilar");
        match report.distinct() {
            Some(states) => {
                exact += 1;
                assert_eq!(states, truth.states.len() as u64);
                assert!(isomorphic(&reference, &swept));
            }
            None => unfolded += 1,
        }
        let mut markings: Vec<Option<Marking>> = vec![None; swept.nodes() as usize];
        let walked =
            walk(&swept, &net, &Budget::of(u64::MAX), &Control::unlimited().watch(), |node, marking| {
                assert!(markings[node as usize].replace(marking.clone()).is_none(), "a node is visited once");
                ControlFlow::Continue(())
            });
        assert_eq!(walked, Ok(ControlFlow::Continue(())));
        // Each node has the marking that its edges say, and together they are those of the net.
        swept.scan(|node, out| {
            let marking = markings[node as usize].as_ref().expect("every node is visited");
            for edge in out {
                let event = sweepnet_net::TransitionId::new(edge.event as usize);
                assert_eq!(net.fire(marking, event).ok().as_ref(), markings[edge.target as usize].as_ref());
            }
        });
        let found: BTreeSet<Vec<u64>> = markings.iter().flatten().map(|m| m.tokens().to_vec()).collect();
        assert_eq!(found, truth.states.keys().map(|m| m.tokens().to_vec()).collect());
    }
    println!("{exact} without losses, {unfolded} with");
    assert!(only().is_some() || exact > 50 && unfolded > 50);
}
