//! The firing rule, arc kind by arc kind.

use sweepnet_net::{BuildError, FireError, Marking, Net, NetBuilder};

/// A net with one transition `t` on places `a` and `b`, wired by `wire`.
fn net(a: u64, b: u64, wire: impl Fn(&mut NetBuilder)) -> Net {
    let mut net = NetBuilder::new("test");
    net.place("a", a).unwrap();
    net.place("b", b).unwrap();
    net.transition("t").unwrap();
    wire(&mut net);
    net.build().unwrap()
}

fn ids(net: &NetBuilder) -> (sweepnet_net::TransitionId, sweepnet_net::PlaceId, sweepnet_net::PlaceId) {
    (net.find_transition("t").unwrap(), net.find_place("a").unwrap(), net.find_place("b").unwrap())
}

fn step(net: &Net) -> Result<Marking, FireError> {
    net.fire(&net.initial_marking(), net.find_transition("t").unwrap())
}

fn marking(counts: [u64; 2]) -> Marking {
    Marking::new(Box::new(counts))
}

#[test]
fn input_and_output_arcs_move_tokens_by_their_weights() {
    let wired = |n: &mut NetBuilder| {
        let (t, a, b) = ids(n);
        n.input(t, a, 2).unwrap();
        n.output(t, b, 3).unwrap();
    };
    assert_eq!(step(&net(2, 1, wired)), Ok(marking([0, 4])));
    assert_eq!(step(&net(1, 1, wired)), Err(FireError::NotEnabled));
}

#[test]
fn several_arcs_between_two_nodes_add_up() {
    let wired = |n: &mut NetBuilder| {
        let (t, a, _) = ids(n);
        n.input(t, a, 1).unwrap();
        n.input(t, a, 2).unwrap();
    };
    assert_eq!(step(&net(3, 0, wired)), Ok(marking([0, 0])));
    assert_eq!(step(&net(2, 0, wired)), Err(FireError::NotEnabled));
}

#[test]
fn read_arcs_look_and_leave() {
    let wired = |n: &mut NetBuilder| {
        let (t, a, b) = ids(n);
        n.read(t, a, 2).unwrap();
        n.output(t, b, 1).unwrap();
    };
    assert_eq!(step(&net(2, 0, wired)), Ok(marking([2, 1])));
    assert_eq!(step(&net(1, 0, wired)), Err(FireError::NotEnabled));
}

#[test]
fn inhibitor_arcs_forbid_from_their_weight_on() {
    let wired = |n: &mut NetBuilder| {
        let (t, a, b) = ids(n);
        n.inhibitor(t, a, 2).unwrap();
        n.output(t, b, 1).unwrap();
    };
    assert_eq!(step(&net(1, 0, wired)), Ok(marking([1, 1])));
    assert_eq!(step(&net(2, 0, wired)), Err(FireError::NotEnabled));
}

#[test]
fn reset_arcs_empty_after_taking_and_before_giving() {
    let wired = |n: &mut NetBuilder| {
        let (t, a, b) = ids(n);
        n.input(t, a, 1).unwrap();
        n.reset(t, a).unwrap();
        n.output(t, a, 5).unwrap();
        n.reset(t, b).unwrap();
    };
    assert_eq!(step(&net(9, 7, wired)), Ok(marking([5, 0])));
    assert_eq!(step(&net(0, 7, wired)), Err(FireError::NotEnabled));
}

#[test]
fn counts_never_wrap() {
    let wired = |n: &mut NetBuilder| {
        let (t, a, _) = ids(n);
        n.output(t, a, 1).unwrap();
    };
    let full = net(u64::MAX, 0, wired);
    assert_eq!(step(&full), Err(FireError::TooManyTokens(full.find_place("a").unwrap())));
}

#[test]
fn names_are_unique_and_weights_positive() {
    let mut n = NetBuilder::new("test");
    let a = n.place("a", 0).unwrap();
    assert_eq!(n.place("a", 1), Err(BuildError::DuplicatePlace("a".into())));
    let t = n.transition("a").unwrap();
    assert_eq!(n.transition("a"), Err(BuildError::DuplicateTransition("a".into())));
    assert_eq!(n.input(t, a, 0), Err(BuildError::ZeroWeight));
    n.output(t, a, u64::MAX).unwrap();
    n.output(t, a, 1).unwrap();
    assert!(matches!(n.build(), Err(BuildError::WeightOverflow { .. })));
}

#[test]
fn a_label_finds_a_node_only_if_it_is_the_only_one() {
    let mut n = NetBuilder::new("test");
    let a = n.place("p1", 0).unwrap();
    let b = n.place("p2", 0).unwrap();
    let c = n.place("p3", 0).unwrap();
    n.label_place(a, "buffer");
    n.label_place(b, "slot");
    n.label_place(c, "slot");
    let net = n.build().unwrap();
    assert_eq!(net.find_place("buffer"), Some(a));
    assert_eq!(net.find_place("slot"), None);
    assert_eq!(net.find_place("p3"), Some(c));
}
