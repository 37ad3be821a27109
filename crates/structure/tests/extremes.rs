//! Nets at the edges: empty, huge numbers, long, wide. Nothing panics, nothing wraps, nothing takes for ever.
#![allow(missing_docs)]

mod common;

use common::net;
use sweepnet_net::{Net, NetBuilder};
use sweepnet_structure::invariants::{place_invariants, transition_invariants};
use sweepnet_structure::state_equation::{Range, feasible};
use sweepnet_structure::{
    Class, Effort, Limit, Properties, Siphons, Structure, Why, dead_transitions, hilbert_basis, integrality,
    is_conservative, is_consistent, place_semiflows, transition_semiflows,
};

fn analyse(net: &Net) -> Structure {
    let structure = Structure::of(net, Effort::default());
    structure.determined_places(net);
    structure.implicit_places(net);
    structure.class(net);
    let cycles = transition_semiflows(net, Limit::default());
    let (incidence, limit, go_on) = (&structure.incidence, Limit::default(), &|| true);
    integrality(incidence, &cycles, limit, go_on);
    let _ = hilbert_basis(incidence, &cycles, limit, go_on);
    let _ = (place_invariants(incidence, limit, go_on), transition_invariants(incidence, limit, go_on));
    Siphons::of(net, &Class::of(net), limit, go_on);
    Properties::of(net, incidence, &structure.place_semiflows, &cycles, Effort::default(), go_on);
    let target: Vec<Range> =
        net.place_ids().map(|place| Range { place, least: 1, most: Some(u64::MAX) }).collect();
    feasible(net, &structure, &target, Effort::default(), go_on);
    dead_transitions(net, &structure.bounds);
    structure
}

#[test]
fn nothing_at_all() {
    let structure = analyse(&NetBuilder::new("empty").build().unwrap());
    assert!(structure.bounds.is_bounded());
    assert_eq!(structure.bounds.sum_bound(&[]), Some(0));
}

#[test]
fn places_without_transitions_and_transitions_without_places() {
    let lonely = analyse(&net(&[("p", u64::MAX), ("q", 0)], ""));
    assert_eq!(lonely.bounds.tokens(), [Some(u64::MAX), Some(0)]);
    let mut builder = NetBuilder::new("idle");
    builder.transition("t").unwrap();
    assert_eq!(analyse(&builder.build().unwrap()).dead_transitions().count(), 0);
}

#[test]
fn the_largest_weights_and_markings() {
    let most = u64::MAX;
    let rules = format!(
        "t: a*{most} b*{most} -> c*{most}; u: c*{} -> a*{most} d*3; v: d*{most} -> b*{} a*2; w: b -> b*{most}",
        most - 1,
        most - 2
    );
    let net = net(&[("a", most), ("b", most), ("c", most), ("d", most)], &rules);
    let structure = analyse(&net);
    for flow in &structure.place_semiflows.flows {
        let weights = flow.weights.iter().map(|(p, w)| (*p, i128::from(*w)));
        assert_eq!(structure.incidence.by_place().combine(weights), Some(vec![]));
    }
}

#[test]
fn weights_that_no_number_holds_are_dropped() {
    // Each step multiplies by a large prime: y(p0) would be about 2^(31 * 12).
    let rules: Vec<String> = (0..12).map(|i| format!("t{i}: p{i} -> p{}*2147483647", i + 1)).collect();
    let net = net(&[("p0", 1)], &rules.join(";"));
    let flows = place_semiflows(&net, Limit::default());
    assert_eq!((flows.flows.len(), flows.complete), (0, false));
    let structure = analyse(&net);
    assert_eq!(structure.bounds.of(net.find_place("p0").unwrap()), Some(1));
    assert_eq!(structure.bounds.of(net.find_place("p2").unwrap()), Some(2_147_483_647 * 2_147_483_647));
    assert_eq!(structure.bounds.of(net.find_place("p12").unwrap()), None);
}

#[test]
fn a_place_that_grows_has_no_bound() {
    let net = net(&[("clock", 1)], "tick: clock -> clock count; tock: clock count*2 -> clock");
    let bounds = analyse(&net).bounds;
    let count = net.find_place("count").unwrap();
    assert_eq!((bounds.of(count), bounds.why(count)), (None, Why::Unknown));
    assert_eq!(bounds.sum_bound(&[(count, 1)]), None);
    assert_eq!(bounds.sum_bound(&[(count, -1)]), Some(0));
}

#[test]
fn an_empty_siphon_is_dead_and_so_is_what_waits_for_it() {
    let net = net(
        &[("key", 1), ("p", 0)],
        "round: x y -> y x; more: x -> x z; both: key*2 -> p; after: p key -> key q; ok: key -> key2; back: key2 -> key",
    );
    let structure = analyse(&net);
    let names: Vec<&str> = structure.dead_transitions().map(|t| &*net.transition(t).id).collect();
    assert_eq!(names, ["round", "more", "both", "after"]);
    for place in ["x", "y", "z", "p", "q"] {
        assert_eq!(structure.bounds.of(net.find_place(place).unwrap()), Some(0));
    }
}

/// One token in a ring of n places.
fn ring(n: usize) -> Net {
    let mut builder = NetBuilder::new("ring");
    let places: Vec<_> =
        (0..n).map(|i| builder.place(&format!("p{i}"), u64::from(i == 0)).unwrap()).collect();
    for i in 0..n {
        let t = builder.transition(&format!("t{i}")).unwrap();
        builder.input(t, places[i], 1).unwrap();
        builder.output(t, places[(i + 1) % n], 1).unwrap();
    }
    builder.build().unwrap()
}

#[test]
fn a_long_ring() {
    let net = ring(100_000);
    let structure = analyse(&net);
    assert!(structure.bounds.tokens().iter().all(|bound| *bound == Some(1)));
    let class = Class::of(&net);
    assert!(class.state_machine && class.marked_graph && class.free_choice && class.strongly_connected);
    assert_eq!((class.components, class.token_conserving, class.workflow), (1, true, false));
    assert_eq!(is_conservative(&net, &structure.place_semiflows), Some(true));
    assert_eq!(is_consistent(&net, &transition_semiflows(&net, Limit::default())), Some(true));
}

#[test]
fn many_clients_of_one_lock() {
    let n = 20_000;
    let mut builder = NetBuilder::new("lock");
    let lock = builder.place("lock", 1).unwrap();
    for i in 0..n {
        let [idle, busy] =
            [("idle", 1), ("busy", 0)].map(|(s, k)| builder.place(&format!("{s}{i}"), k).unwrap());
        let [take, give] = ["take", "give"].map(|s| builder.transition(&format!("{s}{i}")).unwrap());
        for (t, from, to) in [(take, idle, busy), (give, busy, idle)] {
            builder.input(t, from, 1).unwrap();
            builder.output(t, to, 1).unwrap();
        }
        builder.input(take, lock, 1).unwrap();
        builder.output(give, lock, 1).unwrap();
    }
    let net = builder.build().unwrap();
    let structure = analyse(&net);
    assert!(structure.bounds.tokens().iter().all(|bound| *bound == Some(1)));
}
