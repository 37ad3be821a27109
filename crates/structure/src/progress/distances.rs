//! Weights from the graph of the net alone: how far a place is from what is marked at first.

use sweepnet_net::Net;

use super::{Weights, primitive};

/// As weight of each place, the fewest rounds after which it can have a token, if in each round everything fires whose
/// inputs have had tokens, whatever was taken since. Nothing if that is 0 for all places. Takes linear time.
pub fn distances(net: &Net) -> Option<Weights> {
    let mut weights: Vec<Option<i128>> =
        net.places().iter().map(|place| (place.initial > 0).then_some(0)).collect();
    let mut consumers = vec![Vec::new(); net.places().len()];
    let mut missing = vec![0_usize; net.transitions().len()];
    for t in net.transition_ids() {
        for arc in net.inputs().of(t).iter().chain(net.reads().of(t)) {
            if weights[arc.place.index()].is_none() {
                missing[t.index()] += 1;
                consumers[arc.place.index()].push(t);
            }
        }
    }
    let mut ready: Vec<_> = net.transition_ids().filter(|t| missing[t.index()] == 0).collect();
    let mut round = 0;
    while !ready.is_empty() {
        round += 1;
        let mut next = Vec::new();
        for t in ready {
            for arc in net.outputs().of(t) {
                let place = arc.place.index();
                if weights[place].is_some() {
                    continue;
                }
                weights[place] = Some(round);
                for consumer in std::mem::take(&mut consumers[place]) {
                    missing[consumer.index()] -= 1;
                    if missing[consumer.index()] == 0 {
                        next.push(consumer);
                    }
                }
            }
        }
        ready = next;
    }
    let weights: Vec<i128> = weights.into_iter().map(Option::unwrap_or_default).collect();
    primitive(&weights)
}
