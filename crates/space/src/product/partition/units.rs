//! Components from the unit structure of the file (NUPN): in a unit, at most one place is marked at a time, so its
//! local markings are as few as its places. The claim is the file's; it is used only if no state of the sample
//! refutes it.

use sweepnet_net::{Net, PlaceId};

use super::measure::Measure;

/// The sequence of units, sorted by first place, with places outside of units on their own; nothing if there is no
/// unit structure, or the sample refutes it.
pub fn sequence(net: &Net, measure: &Measure<'_>) -> Option<Vec<Vec<PlaceId>>> {
    let units = net.units()?;
    let mut position = vec![None; net.places().len()];
    for (at, place) in measure.sample().places().iter().enumerate() {
        position[place.index()] = Some(at);
    }
    let mut free = position.clone();
    let mut sequence: Vec<Vec<PlaceId>> = Vec::new();
    let mut tokens = vec![0u64; measure.sample().len()];
    for unit in &units.units {
        let mut set = Vec::new();
        tokens.fill(0);
        for place in &unit.places {
            match position[place.index()] {
                Some(at) => {
                    // A place of two units belongs to the first.
                    if free[place.index()].take().is_some() {
                        set.push(*place);
                    }
                    for (sum, count) in tokens.iter_mut().zip(measure.sample().column(at).iter()) {
                        *sum += u64::from(count);
                    }
                }
                None => {
                    let initial = net.place(*place).initial;
                    tokens.iter_mut().for_each(|sum| *sum = sum.saturating_add(initial));
                }
            }
        }
        if tokens.iter().any(|sum| *sum > 1) {
            return None;
        }
        if !set.is_empty() {
            set.sort_unstable();
            sequence.push(set);
        }
    }
    sequence
        .extend(free.iter().enumerate().filter(|(_, at)| at.is_some()).map(|(p, _)| vec![PlaceId::new(p)]));
    sequence.sort();
    (!sequence.is_empty()).then_some(sequence)
}
