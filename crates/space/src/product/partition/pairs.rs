//! Trees of pairs: components paired with their neighbours, level by level (tree compression; Laarman, van de Pol
//! and Weber 2011).
//!
//! The local markings of a wide component are long, and many; numbers of pairs are short however wide what they
//! stand for. So a wide net is divided into many small components whose tables are small, and pairs of them are
//! numbered again, until few enough remain.

use super::{Part, Partition};

/// The partition with its neighbouring components paired once, twice, … until two remain.
pub fn levels(partition: &Partition) -> Vec<Partition> {
    let mut levels: Vec<Partition> = Vec::new();
    let mut parts = partition.parts.clone();
    while parts.len() > 2 {
        let mut paired = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            paired.push(match rest.next() {
                Some(right) => Part::Pair(Box::new(left), Box::new(right)),
                None => left,
            });
        }
        parts = paired;
        levels.push(Partition { proposer: partition.proposer, parts: parts.clone(), determined: false });
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::partition::Proposer;
    use sweepnet_net::PlaceId;

    #[test]
    fn five_become_three_become_two() {
        let groups = (0..5).map(|p| vec![PlaceId::new(p)]).collect();
        let flat = Partition::flat(Proposer::FileOrder, groups);
        let levels = levels(&flat);
        assert_eq!(levels.iter().map(|level| level.parts.len()).collect::<Vec<_>>(), [3, 2]);
        for level in levels {
            assert_eq!(level.parts.iter().flat_map(Part::places).count(), 5);
        }
    }
}
