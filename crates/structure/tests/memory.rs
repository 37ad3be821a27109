//! Analyses that may keep so many bytes only stop when they would keep more, and what they say then is true.
#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;

use common::net;
use sweepnet_net::Net;
use sweepnet_structure::integrality::Doubt;
use sweepnet_structure::invariants::{place_invariants, transition_invariants};
use sweepnet_structure::progress::{fewest_regressing, independent_effects};
use sweepnet_structure::siphons::{minimal_siphons, minimal_traps};
use sweepnet_structure::{
    Effort, Incidence, Integrality, Limit, Stop, Structure, hilbert_basis, integrality, transition_semiflows,
};

/// A ring of steps with two choices each: 2^steps minimal T-semiflows.
fn ring(steps: usize) -> Net {
    let step = |i: usize| {
        let next = (i + 1) % steps;
        format!("a{i}: p{i} -> p{next}; b{i}: p{i} -> p{next}")
    };
    net(&[("p0", 1)], &(0..steps).map(step).collect::<Vec<_>>().join("; "))
}

fn within(bytes: usize) -> Limit {
    Limit::NONE.within(bytes)
}

#[test]
fn semiflows_that_do_not_fit_are_left_out() {
    let net = ring(10);
    let all = transition_semiflows(&net, Limit::NONE);
    assert_eq!((all.flows.len(), all.stopped), (1 << 10, None));
    let all: BTreeSet<_> = all.flows.into_iter().collect();
    for bytes in [0, 1 << 10, 1 << 14, 1 << 17] {
        let some = transition_semiflows(&net, within(bytes));
        assert_eq!((some.complete, some.stopped), (false, Some(Stop::Memory)), "{bytes} bytes");
        assert!(some.flows.iter().all(|flow| all.contains(flow)), "{bytes} bytes");
        let kept: usize = some.flows.iter().map(|flow| size_of_val(&flow.weights[..])).sum();
        assert!(kept <= bytes, "{kept} of {bytes} bytes");
    }
    assert_eq!(transition_semiflows(&net, within(1 << 22)).flows.len(), 1 << 10);
}

#[test]
fn what_was_not_decided_for_lack_of_memory_is_not_claimed() {
    let net = ring(8);
    let incidence = Incidence::of(&net);
    let all = transition_semiflows(&net, Limit::NONE);
    let decided = |limit: Limit| integrality(&incidence, &all, limit, &|| true);
    assert_eq!(decided(within(1 << 10)), Integrality::Unknown(Doubt::TooLarge(Stop::Memory)));
    assert!(matches!(decided(Limit::NONE), Integrality::Integral(_)));
    assert_eq!(hilbert_basis(&incidence, &all, within(1 << 10), &|| true), Err(Stop::Memory));
    assert_eq!(place_invariants(&incidence, within(0), &|| true), Err(Stop::Memory));
    assert_eq!(transition_invariants(&incidence, within(1 << 10), &|| true), Err(Stop::Memory));
    assert_eq!(Stop::Memory.words(), "there is no memory for them");
}

#[test]
fn siphons_and_traps_that_do_not_fit_are_left_out() {
    let rules: Vec<String> =
        (0..24).map(|i| format!("a{i}: p{i} -> p{}; b{i}: p{i} q{i} -> q{i}", (i + 1) % 24)).collect();
    let net = net(&[("p0", 1)], &rules.join(";"));
    for sets in [minimal_siphons(&net, within(200), &|| true), minimal_traps(&net, within(0), &|| true)] {
        assert_eq!(sets.stopped, Some(Stop::Memory));
        assert!(sets.sets.len() < 4);
    }
}

#[test]
fn without_memory_there_are_still_the_plainest_facts() {
    let net = ring(10);
    let incidence = Incidence::of(&net);
    let poor = Structure::of(&net, Effort::default().within(0));
    assert_eq!(poor.place_semiflows.stopped, Some(Stop::Memory));
    assert!(poor.place_semiflows.flows.is_empty());
    // No step changes the number of all tokens.
    assert_eq!(poor.bounds.tokens(), [Some(1); 10]);
    assert_eq!(independent_effects(&incidence, &[], 0), None);
    assert!(fewest_regressing(&net, &incidence, &[], &Effort::default().within(0)).is_empty());
}
