//! Bases of all integer invariants.
//!
//! A **P-invariant** is an integer vector y over the places, of any sign, with y·C = 0; a **T-invariant** one over
//! the transitions with C·x = 0. They form a lattice, and a basis of it generates *every* invariant with integer
//! factors (and each in one way only). It comes from integer elimination of C with the identity beside it. Places
//! that are reset have weight 0, as have transitions with a reset arc: their effect is not a constant.

use crate::effort::{GoOn, Stop};
use crate::entries::Entries;
use crate::farkas::Limit;
use crate::incidence::Incidence;
use crate::lattice::echelon;
use crate::sparse::SparseMatrix;

/// An invariant: positions of places (or of transitions), sorted, with their weights, none of them 0.
pub type Invariant = Vec<(usize, i128)>;

/// A basis of the P-invariants, unless that takes more work than allowed.
pub fn place_invariants(
    incidence: &Incidence,
    limit: Limit,
    go_on: GoOn<'_>,
) -> Result<Vec<Invariant>, Stop> {
    basis(incidence.by_place(), incidence.reset_places(), limit, go_on)
}

/// A basis of the T-invariants, unless that takes more work than allowed.
pub fn transition_invariants(
    incidence: &Incidence,
    limit: Limit,
    go_on: GoOn<'_>,
) -> Result<Vec<Invariant>, Stop> {
    basis(incidence.by_transition(), incidence.resetting_transitions(), limit, go_on)
}

fn basis(
    matrix: &SparseMatrix,
    excluded: &[bool],
    limit: Limit,
    go_on: GoOn<'_>,
) -> Result<Vec<Invariant>, Stop> {
    let mut rows: Vec<usize> = (0..matrix.height()).filter(|row| !excluded[*row]).collect();
    rows.sort_by_key(|row| matrix.row(*row).len());
    let tracked = rows.into_iter().map(|row| {
        let entries: Entries = matrix.row(row).map(|(column, value)| (column as u32, value)).collect();
        (entries, vec![(row as u32, 1)])
    });
    let (_, vanished) = echelon(tracked, &mut { limit }, go_on)?;
    let mut basis = Vec::with_capacity(vanished.len());
    for weights in vanished {
        // The first weight is positive: of an invariant and its opposite, this one is shown.
        let sign = weights.first().map_or(1, |first| first.1.signum());
        let signed = weights.into_iter().map(|(row, weight)| Some((row as usize, weight.checked_mul(sign)?)));
        let invariant: Invariant = signed.collect::<Option<_>>().ok_or(Stop::Numbers)?;
        let sums = matrix.combine(invariant.iter().copied()).ok_or(Stop::Numbers)?;
        debug_assert!(sums.is_empty());
        basis.push(invariant);
    }
    basis.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    Ok(basis)
}
