//! The sweep agrees with the naive twin and with the paper's algorithm taken literally, on random nets with random
//! measures, whether steps lose progress or not.
//!
//! A failure prints the net's seed; `SWEEPNET_SEED=n cargo test -p sweepnet-space --test sweep` runs just that one.

mod seen;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_space::progress::{Component, Function, Linear, Measure, Order};
use sweepnet_space::report::RegressStep;
use sweepnet_space::{
    CodecChoice, Control, Plan, Report, SearchChoice, StateId, StopReason, SweepPaths, SweepPlan, explore,
};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::seeds::{only, seeds};
use sweepnet_testkit::{naive, random};

use seen::Seen;

const NETS: u64 = 1_500;
const LIMIT: usize = 600;

/// The capped number of tokens of a place.
#[derive(Debug)]
struct AtMostTwo(PlaceId);

impl Function for AtMostTwo {
    fn value(&self, tokens: &dyn Fn(PlaceId) -> u64) -> Option<i64> {
        Some(tokens(self.0).min(2) as i64)
    }
}

fn random_measure(net: &Net, random: &mut random::Random) -> Measure {
    let component = |random: &mut random::Random| {
        if random.one_in(5) {
            let place = PlaceId::new(random.below(net.places().len() as u64) as usize);
            return Component::Function(Arc::new(AtMostTwo(place)));
        }
        let weight = |random: &mut random::Random| random.below(5) as i64 - 1;
        let terms = net.place_ids().map(|place| (place, weight(random))).filter(|term| term.1 != 0).collect();
        Component::Linear(Linear { terms, constant: random.below(3) as i64 })
    };
    let components = (0..=random.below(2)).map(|_| component(random)).collect();
    let order = if random.one_in(3) { Order::Componentwise } else { Order::Lexicographic };
    Measure { components, order, text: "random".into() }
}

fn value(measure: &Measure, marking: &Marking) -> Vec<i64> {
    let tokens = |place: PlaceId| marking[place];
    let value = |component: &Component| match component {
        Component::Linear(linear) => linear.value(tokens),
        Component::Function(function) => function.value(&tokens),
    };
    measure.components.iter().map(|component| value(component).unwrap()).collect()
}

fn is_at_most(measure: &Measure, low: &[i64], high: &[i64]) -> bool {
    match measure.order {
        Order::Lexicographic => low <= high,
        Order::Componentwise => low.iter().zip(high).all(|(a, b)| a <= b),
    }
}

/// Figure 3 of the paper, taken literally: what was explored, and the most states after a state's successors were put in.
fn literal(net: &Net, measure: &Measure) -> (u64, u64) {
    let mut known = HashSet::from([net.initial_marking()]);
    let mut persistent = HashSet::new();
    let mut roots = vec![net.initial_marking()];
    let (mut explored, mut peak) = (1, 1);
    while !roots.is_empty() {
        let mut open: Vec<Marking> = std::mem::take(&mut roots);
        while !open.is_empty() {
            let least = (0..open.len()).min_by_key(|i| value(measure, &open[*i])).unwrap();
            let marking = open.remove(least);
            for event in net.enabled(&marking).collect::<Vec<_>>() {
                let target = net.fire(&marking, event).unwrap();
                if known.insert(target.clone()) {
                    explored += 1;
                    if is_at_most(measure, &value(measure, &marking), &value(measure, &target)) {
                        open.push(target);
                    } else {
                        persistent.insert(target.clone());
                        roots.push(target);
                    }
                }
            }
            peak = peak.max(known.len() as u64);
            let waits = |value_: &[i64]| open.iter().any(|m| is_at_most(measure, &value(measure, m), value_));
            known.retain(|marking| persistent.contains(marking) || waits(&value(measure, marking)));
        }
    }
    (explored, peak)
}

fn sweep(net: &Net, plan: &Plan, sweep: SweepPlan) -> (Report, Seen) {
    let plan = Plan { search: SearchChoice::Sweep, sweep: Some(sweep), ..plan.clone() };
    let mut seen = Seen { wants_terminal: true, ..Seen::default() };
    let report = explore(net, &plan, &mut Control::unlimited(), &mut seen);
    (report, seen)
}

/// The terminal components of the reachability graph, by going forward from each state.
fn terminal_components(net: &Net, markings: &[Marking]) -> BTreeSet<BTreeSet<Vec<u64>>> {
    let reach = |marking: &Marking| {
        let (mut found, mut open) = (HashSet::from([marking.clone()]), vec![marking.clone()]);
        while let Some(marking) = open.pop() {
            for event in net.enabled(&marking).collect::<Vec<_>>() {
                let target = net.fire(&marking, event).unwrap();
                if found.insert(target.clone()) {
                    open.push(target);
                }
            }
        }
        found
    };
    let reached: HashMap<&Marking, HashSet<Marking>> = markings.iter().map(|m| (m, reach(m))).collect();
    let is_terminal = |marking: &Marking| reached[marking].iter().all(|next| reached[next].contains(marking));
    let terminal = markings.iter().filter(|marking| is_terminal(marking));
    terminal.map(|m| reached[m].iter().map(|next| next.tokens().to_vec()).collect()).collect()
}

#[test]
fn sweeps_agree_with_the_twin_and_with_the_paper() {
    let (mut regressing, mut monotone, mut again, mut fewer) = (0, 0, 0, 0_u64);
    for seed in seeds(0..NETS) {
        let net = random::net(seed);
        let truth = naive::explore(&net, LIMIT);
        if !truth.complete {
            continue;
        }
        println!("seed {seed}: {} states", truth.states.len());
        let mut random = random::Random::new(seed ^ 0x5eed);
        let measure = random_measure(&net, &mut random);
        let structure = Structure::of(&net, Effort::for_net(&net));
        let codec =
            *random.pick(&[CodecChoice::Auto, CodecChoice::Fields, CodecChoice::Plain, CodecChoice::Product]);
        let plan = Plan { codec, ..Plan::knowing(&net, &structure) };
        let (explored, peak) = literal(&net, &measure);
        let by = SweepPlan::by(measure.clone());
        let (report, seen) = sweep(&net, &plan, by.clone());
        assert_eq!(report.stopped, None);
        let swept = report.swept.as_ref().unwrap();

        // All states, and nothing else; each node has the successors of its marking.
        let found: BTreeSet<Vec<u64>> = seen.markings.iter().map(|m| m.tokens().to_vec()).collect();
        let reachable: BTreeSet<Vec<u64>> = truth.states.keys().map(|m| m.tokens().to_vec()).collect();
        assert_eq!(found, reachable);
        let mut steps: BTreeMap<u64, BTreeSet<(TransitionId, Vec<u64>)>> = BTreeMap::new();
        for (source, event, target) in &seen.edges {
            let target = seen.markings[target.0 as usize].tokens().to_vec();
            assert!(steps.entry(source.0).or_default().insert((*event, target)), "an edge is told once");
        }
        for (node, marking) in seen.markings.iter().enumerate() {
            let true_steps =
                net.enabled(marking).map(|t| (t, net.fire(marking, t).unwrap().tokens().to_vec()));
            assert_eq!(steps.remove(&(node as u64)).unwrap_or_default(), true_steps.collect(), "node {node}");
        }
        assert_eq!(report.maxima, Some(truth.maxima()));

        // The paper's numbers. With a genuine partial order the two may take states in different orders.
        if measure.order == Order::Lexicographic {
            assert_eq!((report.states, report.peak_states), (explored, peak));
        }
        assert_eq!(seen.markings.len() as u64, report.states);
        let loses = |(source, _, target): &&(StateId, TransitionId, StateId)| {
            let value = |node: &StateId| value(&measure, &seen.markings[node.0 as usize]);
            !is_at_most(&measure, &value(source), &value(target))
        };
        assert_eq!(seen.edges.iter().filter(loses).count() as u64, swept.regress_edges);
        if swept.persistent == 0 {
            assert_eq!(report.distinct(), Some(truth.states.len() as u64));
        }

        // Paths.
        seen.check(&net, "spooled");
        if truth.states.len() < 60 {
            let without = SweepPlan { paths: SweepPaths::Again, ..by.clone() };
            sweep(&net, &plan, without).1.check(&net, "again");
            again += 1;
        }

        // With some layers kept, fewer steps lead to states that are not there; all states are found all the same.
        if measure.order == Order::Lexicographic {
            let (kept, seen) = sweep(&net, &plan, SweepPlan { behind: 1 + seed % 4, ..by.clone() });
            let found: BTreeSet<Vec<u64>> = seen.markings.iter().map(|m| m.tokens().to_vec()).collect();
            assert_eq!((kept.stopped, found), (None, reachable));
            assert!(kept.distinct().is_none_or(|states| states == truth.states.len() as u64));
            fewer += u64::from(kept.states < report.states);
            seen.check(&net, "layers kept");
            if truth.states.len() < 60 {
                let without = SweepPlan { paths: SweepPaths::Again, behind: 2, ..by.clone() };
                sweep(&net, &plan, without).1.check(&net, "layers kept, again");
            }
        }

        // Terminal components, if progress is never lost.
        if swept.regress_edges == 0 {
            monotone += 1;
            assert_eq!(seen.regressed, 0);
            let told: BTreeSet<_> = seen.terminal.iter().cloned().collect();
            assert_eq!(told.len(), seen.terminal.len(), "a component is told once");
            assert_eq!(told, terminal_components(&net, &truth.states.keys().cloned().collect::<Vec<_>>()));
        } else {
            regressing += 1;
            assert_eq!(seen.regressed, 1);
        }

        // Whoever wants no losses is told of the first.
        let (report, _) = sweep(&net, &plan, SweepPlan { monotone: true, ..by });
        let regress = report.swept.as_ref().unwrap().regress.clone();
        assert_eq!(report.stopped == Some(StopReason::Regress), regress.is_some());
        assert_eq!(regress.is_some(), swept.regress_edges > 0);
        if let Some(regress) = regress {
            let RegressStep::Plain { source, event, target } = &regress.step else { unreachable!() };
            assert_eq!(net.fire(source, *event).unwrap(), *target);
            assert_eq!(regress.from, value(&measure, source));
            assert_eq!(regress.to, value(&measure, target));
            assert!(!is_at_most(&measure, &regress.from, &regress.to));
        }
    }
    println!("{regressing} with losses, {monotone} without, {again} found paths by sweeping again");
    println!("{fewer} explored fewer states with some layers kept");
    assert!(only().is_some() || (regressing > 50 && monotone > 50 && again > 50 && fewer > 10));
}
