//! A reset arc spoils equalities, and only those.
#![allow(missing_docs)]

use sweepnet_net::{Net, NetBuilder, PlaceId};
use sweepnet_structure::{Incidence, Limit, Structure, Why, place_semiflows, transition_semiflows};

/// A token goes from a to b and back; `flush` empties b while the token of c stays where it is.
fn flushed() -> (Net, [PlaceId; 3]) {
    let mut builder = NetBuilder::new("flushed");
    let places = [("a", 3), ("b", 0), ("c", 1)].map(|(name, n)| builder.place(name, n).unwrap());
    let [go, back, flush] = ["go", "back", "flush"].map(|name| builder.transition(name).unwrap());
    builder.input(go, places[0], 1).unwrap();
    builder.output(go, places[1], 1).unwrap();
    builder.input(back, places[1], 1).unwrap();
    builder.output(back, places[0], 1).unwrap();
    builder.input(flush, places[2], 1).unwrap();
    builder.output(flush, places[2], 1).unwrap();
    builder.reset(flush, places[1]).unwrap();
    (builder.build().unwrap(), places)
}

#[test]
fn no_semiflow_weighs_a_place_that_is_emptied() {
    let (net, [_, b, c]) = flushed();
    let flows = place_semiflows(&net, Limit::default());
    assert_eq!(flows.flows.iter().map(|flow| flow.weights.clone()).collect::<Vec<_>>(), [[(c.index(), 1)]]);
    let incidence = Incidence::of(&net);
    assert!(incidence.is_reset(b) && !incidence.is_reset(c));
    // go and back undo each other; what flush does depends on the marking.
    let cycles = transition_semiflows(&net, Limit::default());
    assert_eq!(cycles.flows.iter().map(|flow| flow.weights.clone()).collect::<Vec<_>>(), [[(0, 1), (1, 1)]]);
}

#[test]
fn the_sum_still_bounds_it() {
    let (net, [a, b, _]) = flushed();
    let bounds = Structure::of(&net, Default::default()).bounds;
    assert_eq!((bounds.of(a), bounds.of(b)), (Some(3), Some(3)));
    let Why::SubInvariant(index) = bounds.why(b) else { panic!("{:?}", bounds.why(b)) };
    assert!(!bounds.certificates()[index].is_equality());
    assert_eq!(bounds.sum_bound(&[(a, 1), (b, 1)]), Some(3));
}

#[test]
fn what_empties_a_place_before_it_fills_it_bounds_it() {
    let mut builder = NetBuilder::new("refill");
    let tank = builder.place("tank", 2).unwrap();
    let refill = builder.transition("refill").unwrap();
    builder.reset(refill, tank).unwrap();
    builder.output(refill, tank, 5).unwrap();
    let net = builder.build().unwrap();
    let bounds = Structure::of(&net, Default::default()).bounds;
    assert_eq!((bounds.of(tank), bounds.why(tank)), (Some(5), Why::Guarded));
}

#[test]
fn an_inhibitor_arc_is_a_capacity() {
    let mut builder = NetBuilder::new("buffer");
    let buffer = builder.place("buffer", 0).unwrap();
    let [put, get] = ["put", "get"].map(|name| builder.transition(name).unwrap());
    builder.output(put, buffer, 2).unwrap();
    builder.inhibitor(put, buffer, 4).unwrap();
    builder.input(get, buffer, 1).unwrap();
    let net = builder.build().unwrap();
    let bounds = Structure::of(&net, Default::default()).bounds;
    // Put fires with at most 3 tokens there.
    assert_eq!((bounds.of(buffer), bounds.why(buffer)), (Some(5), Why::Guarded));
}
