//! Siphons and traps against their definitions and against exploration.
#![allow(missing_docs)]

mod common;

use std::collections::{HashMap, HashSet};

use common::{Random, Shape, explore, net, random_net, seeds};
use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_structure::siphons::{largest_siphon, largest_trap, minimal_siphons, minimal_traps};
use sweepnet_structure::{Class, Limit, Siphons, Stop};

const SPECIAL: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: true };

fn siphons(net: &Net) -> Siphons {
    Siphons::of(net, &Class::of(net), Limit::NONE, &|| true)
}

fn names(net: &Net, set: &[PlaceId]) -> String {
    set.iter().map(|p| &*net.place(*p).id).collect::<Vec<_>>().join(" ")
}

fn is_siphon(net: &Net, set: u32) -> bool {
    let inside = |p: PlaceId| set >> p.index() & 1 == 1;
    net.transition_ids().all(|t| {
        let needs = || net.inputs().of(t).iter().chain(net.reads().of(t)).any(|arc| inside(arc.place));
        !net.outputs().of(t).iter().any(|arc| inside(arc.place)) || needs()
    })
}

fn is_trap(net: &Net, set: u32) -> bool {
    let inside = |p: PlaceId| set >> p.index() & 1 == 1;
    net.transition_ids().all(|t| {
        let takes = net.inputs().of(t).iter().chain(net.resets().of(t)).any(|arc| inside(arc.place));
        !takes || net.outputs().of(t).iter().any(|arc| inside(arc.place))
    })
}

fn bits(set: &[PlaceId]) -> u32 {
    set.iter().fold(0, |bits, p| bits | 1 << p.index())
}

fn minimal(all: &[u32]) -> HashSet<u32> {
    all.iter().copied().filter(|a| !all.iter().any(|b| b != a && b & a == *b)).collect()
}

#[test]
fn sets_are_those_of_the_definition_and_stay_as_they_are() {
    let (mut empty_ones, mut marked_ones) = (0, 0);
    for seed in seeds(1500) {
        let net = random_net(&mut Random::new(seed ^ 0x5197), SPECIAL);
        let subsets = 1..1u32 << net.places().len();
        let all_siphons: Vec<u32> = subsets.clone().filter(|set| is_siphon(&net, *set)).collect();
        let all_traps: Vec<u32> = subsets.clone().filter(|set| is_trap(&net, *set)).collect();
        let found = siphons(&net);
        assert_eq!((found.siphons.stopped, found.traps.stopped), (None, None));
        let as_bits = |sets: &[Vec<PlaceId>]| sets.iter().map(|set| bits(set)).collect::<HashSet<u32>>();
        assert_eq!(as_bits(&found.siphons.sets), minimal(&all_siphons), "siphons, seed {seed}: {net:?}");
        assert_eq!(found.siphons.sets.len(), minimal(&all_siphons).len(), "twice, seed {seed}");
        assert_eq!(as_bits(&found.traps.sets), minimal(&all_traps), "traps, seed {seed}: {net:?}");
        let among = (subsets.end - 1) & Random::new(seed).below(64) as u32;
        let among_ids: Vec<PlaceId> = net.place_ids().filter(|p| among >> p.index() & 1 == 1).collect();
        let union = |all: &[u32]| all.iter().filter(|set| **set & !among == 0).fold(0, |a, b| a | b);
        assert_eq!(
            bits(&largest_siphon(&net, among_ids.iter().copied())),
            union(&all_siphons),
            "seed {seed}"
        );
        assert_eq!(bits(&largest_trap(&net, among_ids.iter().copied())), union(&all_traps), "seed {seed}");
        let emptiable = bits(&found.emptiable);
        assert!(emptiable == 0 || is_siphon(&net, emptiable), "seed {seed}");
        let marked = |marking: &Marking, set: &[PlaceId]| set.iter().any(|p| marking[*p] > 0);
        let start = net.initial_marking();
        let (markings, _) = explore(&net, 500);
        let stay_empty: Vec<_> = found.siphons.sets.iter().filter(|set| !marked(&start, set)).collect();
        let stay_marked: Vec<_> = found.traps.sets.iter().filter(|set| marked(&start, set)).collect();
        empty_ones += stay_empty.len();
        marked_ones += stay_marked.len();
        for marking in &markings {
            assert!(!marked(marking, &found.empty), "seed {seed}");
            assert!(stay_empty.iter().all(|set| !marked(marking, set)), "seed {seed}");
            assert!(stay_marked.iter().all(|set| marked(marking, set)), "seed {seed}");
        }
        if found.deadlock_free {
            assert!(markings.iter().all(|marking| net.enabled(marking).next().is_some()), "seed {seed}");
        }
    }
    println!("{empty_ones} siphons stayed empty, {marked_ones} traps stayed marked");
}

/// Whether every transition can fire again from every reachable marking; nothing if these are too many.
fn is_live(net: &Net) -> Option<bool> {
    const MOST: usize = 400;
    let (markings, _) = explore(net, MOST);
    if markings.len() >= MOST {
        return None;
    }
    let number: HashMap<&Marking, usize> = markings.iter().enumerate().map(|(i, m)| (m, i)).collect();
    let mut can: Vec<HashSet<TransitionId>> = vec![HashSet::new(); markings.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (i, marking) in markings.iter().enumerate() {
            let before = can[i].len();
            for t in net.enabled(marking) {
                let next = number[&net.fire(marking, t).unwrap()];
                let more = can[next].clone();
                can[i].insert(t);
                can[i].extend(more);
            }
            changed |= can[i].len() > before;
        }
    }
    Some(can.iter().all(|can| can.len() == net.transitions().len()))
}

#[test]
fn liveness_is_as_explored() {
    let shape = Shape { places: 6, transitions: 5, weights: 1, special_arcs: false };
    let (mut live, mut not_live) = (0, 0);
    for seed in seeds(6000) {
        let net = random_net(&mut Random::new(seed ^ 0xc0), shape);
        let found = siphons(&net);
        let (Some(claim), Some(truth)) = (found.live, is_live(&net)) else { continue };
        assert_eq!(claim, truth, "seed {seed}: {net:?}");
        if truth { live += 1 } else { not_live += 1 }
    }
    println!("{live} live nets, {not_live} that are not");
    if std::env::var_os("SEED").is_none() {
        assert!(live > 20 && not_live > 200, "{live}, {not_live}");
    }
}

#[test]
fn philosophers_can_empty_the_table() {
    let rules = "l0: t0 f0 -> h0; r0: h0 f1 -> e0; d0: e0 -> t0 f0 f1; l1: t1 f1 -> h1; r1: h1 f0 -> e1; d1: e1 -> t1 f0 f1";
    let net = net(&[("t0", 1), ("t1", 1), ("f0", 1), ("f1", 1)], rules);
    let found = siphons(&net);
    // All forks and both who eat: empty when each has taken one fork.
    let unguarded: Vec<String> =
        found.unguarded.iter().map(|at| names(&net, &found.siphons.sets[*at])).collect();
    assert_eq!(unguarded, ["f0 f1 e0 e1"]);
    assert_eq!(names(&net, &found.emptiable), "f0 f1 e0 e1");
    assert_eq!((found.deadlock_free, found.live), (false, None));
    assert!(found.empty.is_empty());
}

#[test]
fn limits_are_told() {
    let rules: Vec<String> =
        (0..24).map(|i| format!("a{i}: p{i} -> p{}; b{i}: p{i} q{i} -> q{i}", (i + 1) % 24)).collect();
    let net = net(&[("p0", 1)], &rules.join(";"));
    assert_eq!(minimal_traps(&net, Limit::NONE, &|| false).stopped, Some(Stop::Cancelled));
    assert_eq!(
        minimal_siphons(&net, Limit { rows: 3, work: 1 << 30, ..Limit::NONE }, &|| true).stopped,
        Some(Stop::Rows)
    );
    assert_eq!(
        minimal_siphons(&net, Limit { rows: 100, work: 0, ..Limit::NONE }, &|| true).stopped,
        Some(Stop::Work)
    );
}
