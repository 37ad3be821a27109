//! Knowing a net again: a hash of everything that decides its graph.

use sweepnet_net::{Arcs, Net};

/// A hash of a net: its nodes with their names, its arcs, its initial marking. The same on every machine.
pub fn fingerprint(net: &Net) -> u64 {
    let mut bytes: Vec<u8> = Vec::new();
    let number = |bytes: &mut Vec<u8>, n: u64| bytes.extend_from_slice(&n.to_le_bytes());
    number(&mut bytes, net.places().len() as u64);
    for place in net.places() {
        number(&mut bytes, place.initial);
        number(&mut bytes, place.id.len() as u64);
        bytes.extend_from_slice(place.id.as_bytes());
    }
    number(&mut bytes, net.transitions().len() as u64);
    let kinds: [&Arcs; 5] = [net.inputs(), net.outputs(), net.reads(), net.inhibitors(), net.resets()];
    for transition in net.transition_ids() {
        let id = &net.transition(transition).id;
        number(&mut bytes, id.len() as u64);
        bytes.extend_from_slice(id.as_bytes());
        for arcs in kinds {
            let arcs = arcs.of(transition);
            number(&mut bytes, arcs.len() as u64);
            for arc in arcs {
                number(&mut bytes, arc.place.index() as u64);
                number(&mut bytes, arc.weight);
            }
        }
    }
    rapidhash::v3::rapidhash_v3(&bytes)
}
