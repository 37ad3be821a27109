//! Classes, on the textbooks' smallest examples.
#![allow(missing_docs)]

mod common;

use common::net;
use sweepnet_net::NetBuilder;
use sweepnet_structure::{
    Class, Limit, is_conservative, is_consistent, place_semiflows, transition_semiflows,
};

#[test]
fn a_state_machine_may_choose_and_a_marked_graph_may_fork() {
    let choice = Class::of(&net(&[("p", 1)], "a: p -> q; b: p -> r; c: q -> p; d: r -> p"));
    assert!(choice.state_machine && !choice.marked_graph && choice.free_choice && choice.token_conserving);
    let fork = Class::of(&net(&[("p", 1)], "a: p -> q r; b: q r -> p"));
    assert!(!fork.state_machine && fork.marked_graph && fork.free_choice && !fork.token_conserving);
    assert!(choice.strongly_connected && fork.strongly_connected && choice.pure_net && fork.ordinary);
}

#[test]
fn choices_from_free_to_none() {
    // Both places choose between both transitions.
    let extended = Class::of(&net(&[], "a: p q -> r; b: p q -> s"));
    assert!(!extended.free_choice && extended.extended_free_choice && extended.asymmetric_choice);
    // q has one transition more.
    let asymmetric = Class::of(&net(&[], "a: p q -> r; b: q -> s"));
    assert!(!asymmetric.extended_free_choice && asymmetric.asymmetric_choice);
    // Each has one that the other has not (confusion).
    let confused = Class::of(&net(&[], "a: p -> r; b: p q -> s; c: q -> t"));
    assert!(!confused.asymmetric_choice && !confused.free_choice);
}

#[test]
fn a_workflow_begins_and_ends() {
    let class = Class::of(&net(&[("i", 1)], "a: i -> x y; b: x -> x2; c: x2 y -> o"));
    assert!(class.workflow && !class.strongly_connected);
    assert_eq!((class.source_places.len(), class.sink_places.len(), class.components), (1, 1, 1));
    let loose = Class::of(&net(&[("i", 1)], "a: i -> o; b: x -> y; c: y -> x"));
    assert!(!loose.workflow);
    assert_eq!(loose.components, 2);
}

#[test]
fn loops_weights_sources_and_sinks() {
    let class = Class::of(&net(&[("alone", 1)], "in: -> p; loop: p q -> p q*2; out: q -> ; idle: ->"));
    assert!(!class.pure_net && !class.ordinary && !class.free_choice);
    assert_eq!((class.source_transitions.len(), class.sink_transitions.len()), (2, 2));
    assert_eq!((class.isolated_places.len(), class.isolated_transitions.len()), (1, 1));
    assert_eq!((class.inputs, class.outputs, class.components), (3, 3, 3));
}

#[test]
fn a_net_with_other_arcs_is_in_no_classical_class() {
    let mut builder = NetBuilder::new("read");
    let [p, q] = ["p", "q"].map(|name| builder.place(name, 1).unwrap());
    let t = builder.transition("t").unwrap();
    builder.input(t, p, 1).unwrap();
    builder.output(t, p, 1).unwrap();
    builder.read(t, q, 1).unwrap();
    let class = Class::of(&builder.build().unwrap());
    assert!(class.ordinary && !class.state_machine && !class.free_choice);
    assert_eq!((class.reads, class.components, class.isolated_places.len()), (1, 1, 0));
}

#[test]
fn conservative_and_consistent() {
    let closed = net(&[("p", 1)], "a: p -> q*2; b: q*2 -> p");
    assert_eq!(is_conservative(&closed, &place_semiflows(&closed, Limit::default())), Some(true));
    assert_eq!(is_consistent(&closed, &transition_semiflows(&closed, Limit::default())), Some(true));
    let open = net(&[("p", 1)], "a: p -> p q; b: q -> q r");
    assert_eq!(is_conservative(&open, &place_semiflows(&open, Limit::default())), Some(false));
    assert_eq!(is_consistent(&open, &transition_semiflows(&open, Limit::default())), Some(false));
}
