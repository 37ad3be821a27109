//! Sequences of places by what their author wrote: the order in the file, and the numbers in the names.
//!
//! Authors and generators write related places together, so runs in file order are often good components. Where a
//! net was unfolded from a coloured one, the file is sorted by coloured places and a process is scattered over all
//! of it, but its number is in the names: `wait_3`, `AMC_2_3`.

use sweepnet_net::{Net, PlaceId};

use super::measure::Measure;
use crate::hashing::HashSet;

/// The places that change, in file order.
pub fn by_file(measure: &Measure<'_>) -> Vec<PlaceId> {
    measure.sample().places().to_vec()
}

/// The places that change, sorted by the first number in their names, and by the last one; only sequences that are
/// not those of the file, and only where most names have numbers.
pub fn by_names(net: &Net, measure: &Measure<'_>) -> Vec<Vec<PlaceId>> {
    let file = by_file(measure);
    let numbers: Vec<Vec<u64>> = file.iter().map(|place| numbers(&net.place(*place).id)).collect();
    let numbered = numbers.iter().filter(|list| !list.is_empty()).count();
    if numbered * 2 < file.len() {
        return Vec::new();
    }
    let different: HashSet<Option<&u64>> = numbers.iter().map(|list| list.first()).collect();
    if different.len() * 2 > file.len() {
        // Serial numbers, not those of processes.
        return Vec::new();
    }
    let sorted = |key: &dyn Fn(&[u64]) -> Option<u64>| {
        let mut order: Vec<usize> = (0..file.len()).collect();
        order.sort_by_key(|i| key(&numbers[*i]));
        order.into_iter().map(|i| file[i]).collect::<Vec<_>>()
    };
    let mut sequences = vec![sorted(&|list| list.first().copied()), sorted(&|list| list.last().copied())];
    sequences.dedup();
    sequences.retain(|sequence| *sequence != file);
    sequences
}

/// The numbers in a name, from left to right.
fn numbers(name: &str) -> Vec<u64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// Each place a set of its own.
pub fn singles(places: &[PlaceId]) -> Vec<Vec<PlaceId>> {
    places.iter().map(|place| vec![*place]).collect()
}

/// A sequence as so many runs of equal size.
pub fn equal_runs(places: &[PlaceId], count: usize) -> Vec<Vec<PlaceId>> {
    let count = count.clamp(1, places.len().max(1));
    (0..count).map(|i| places[i * places.len() / count..(i + 1) * places.len() / count].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_names() {
        assert_eq!(numbers("AMC_2_13"), [2, 13]);
        assert_eq!(numbers("ACK"), []);
        assert_eq!(numbers("p0"), [0]);
    }

    #[test]
    fn equal_runs_are_all_there_is() {
        let places: Vec<PlaceId> = (0..10).map(PlaceId::new).collect();
        for count in 1..12 {
            let runs = equal_runs(&places, count);
            assert_eq!(runs.concat(), places);
            assert!(runs.iter().all(|run| !run.is_empty()));
        }
    }
}
