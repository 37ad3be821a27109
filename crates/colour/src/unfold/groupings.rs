//! Which places of an unfolding belong together: those of one process, site, packet, …
//!
//! For each type that occurs in the places' types, places are grouped by the first (or the last) component of that
//! type; those without one are a group of their own.

use sweepnet_net::PlaceId;

use super::colours::Colours;
use crate::net::ColouredNet;
use crate::types::{Shape, TypeId, Types};

/// Groups of places, and the name of what they have in common.
type Grouping = (Box<str>, Vec<Vec<PlaceId>>);

/// The most types that are tried.
const MOST: usize = 6;

pub(super) fn of(net: &ColouredNet, colours: &[Colours], numbers: &[Vec<Option<PlaceId>>]) -> Vec<Grouping> {
    let mut leaves: Vec<(TypeId, usize)> = Vec::new();
    for (place, colours) in net.places.iter().zip(colours) {
        let mut own = Vec::new();
        leaf_types(&net.types, place.type_, &mut own);
        own.sort_unstable();
        own.dedup();
        for leaf in own {
            match leaves.iter_mut().find(|(id, _)| *id == leaf) {
                Some((_, count)) => *count += colours.len(),
                None => leaves.push((leaf, colours.len())),
            }
        }
    }
    // Those that concern most places first.
    leaves.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut groupings: Vec<Grouping> = Vec::new();
    for (leaf, _) in leaves.into_iter().take(MOST) {
        for last in [false, true] {
            let mut keyed = Vec::new();
            for (place, (colours, own)) in net.places.iter().zip(colours.iter().zip(numbers)) {
                for (at, id) in own.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?))) {
                    let mut words = Vec::new();
                    leaf_words(&net.types, place.type_, colours.value(at), leaf, &mut words);
                    let key = if last { words.last() } else { words.first() };
                    keyed.push((key.copied().unwrap_or(u64::MAX), id));
                }
            }
            keyed.sort_unstable();
            let groups = keyed.chunk_by(|a, b| a.0 == b.0);
            let groups: Vec<Vec<PlaceId>> =
                groups.map(|group| group.iter().map(|(_, id)| *id).collect()).collect();
            if !groupings.iter().any(|(_, other)| *other == groups) {
                groupings.push((net.types.describe(leaf).into(), groups));
            }
        }
    }
    groupings
}

/// The types of the components that are no structs, and have more than one value.
fn leaf_types(types: &Types, id: TypeId, leaves: &mut Vec<TypeId>) {
    match types.shape(id) {
        Shape::Struct(fields) => fields.iter().for_each(|(_, id)| leaf_types(types, *id, leaves)),
        Shape::Unit | Shape::Bool => {}
        _ => leaves.push(id),
    }
}

/// The first words of a value's components of a type, in order.
fn leaf_words(types: &Types, id: TypeId, value: &[u64], leaf: TypeId, words: &mut Vec<u64>) {
    if id == leaf {
        words.push(value[0]);
        return;
    }
    if let Shape::Struct(fields) = types.shape(id) {
        let mut parts = Vec::new();
        types.open(id, value, &mut parts);
        let mut at = 0;
        for (_, field) in fields {
            let width = types.width(*field);
            leaf_words(types, *field, &parts[at..at + width], leaf, words);
            at += width;
        }
    }
}
