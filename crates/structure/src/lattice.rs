//! Integer elimination: everything that integer combinations of rows can do.
//!
//! Rows are changed only by adding an integer multiple of one to another, so they generate the same integer vectors
//! all the time; with the identity written beside them (Hermite's normal form, without its last refinement) the
//! rows that vanish name a basis of *all* integer solutions of y·A = 0, not just of a multiple of them.

use crate::effort::{GoOn, Stop};
use crate::entries::{Entries, bytes_of, linear};
use crate::farkas::Limit;

/// A row, and the combination of input rows that it is.
pub(crate) type Tracked = (Entries, Entries);

/// Brings rows to echelon form: each row kept has a first column of its own. Gives those, and the combinations that
/// vanish. What it takes is taken off the limit's work.
pub(crate) fn echelon(
    rows: impl IntoIterator<Item = Tracked>,
    limit: &mut Limit,
    go_on: GoOn<'_>,
) -> Result<(Vec<Tracked>, Vec<Entries>), Stop> {
    // By pivot column.
    let mut kept: std::collections::BTreeMap<u32, Tracked> = Default::default();
    let mut vanished = Vec::new();
    let mut bytes = 0;
    for (mut rest, mut weights) in rows {
        if !go_on() {
            return Err(Stop::Cancelled);
        }
        loop {
            let Some((column, value)) = rest.first().copied() else {
                bytes += row_bytes(&rest, &weights);
                vanished.push(weights);
                break;
            };
            let Some((their_rest, their_weights)) = kept.get_mut(&column) else {
                bytes += row_bytes(&rest, &weights);
                kept.insert(column, (rest, weights));
                break;
            };
            let cost = rest.len() + weights.len() + their_rest.len() + their_weights.len();
            limit.work = limit.work.checked_sub(cost as u64).ok_or(Stop::Work)?;
            let theirs = their_rest[0].1;
            // Euclid: the row with the smaller entry stays, and the other one loses multiples of it.
            if value.unsigned_abs() < theirs.unsigned_abs() {
                bytes += row_bytes(&rest, &weights);
                bytes -= row_bytes(their_rest, their_weights);
                std::mem::swap(&mut rest, their_rest);
                std::mem::swap(&mut weights, their_weights);
            }
            let factor =
                rest[0].1.checked_div(their_rest[0].1).and_then(i128::checked_neg).ok_or(Stop::Numbers)?;
            let sum = linear(&rest, 1, their_rest, factor).zip(linear(&weights, 1, their_weights, factor));
            (rest, weights) = sum.ok_or(Stop::Numbers)?;
        }
        if bytes > limit.bytes {
            return Err(Stop::Memory);
        }
    }
    Ok((kept.into_values().collect(), vanished))
}

/// The bytes of a row, where it is listed included.
fn row_bytes(rest: &Entries, weights: &Entries) -> usize {
    2 * size_of::<Tracked>() + bytes_of(rest) + bytes_of(weights)
}

/// Whether rows in echelon form generate a vector with integer factors; nothing if a number leaves `i128`.
pub(crate) fn generates(rows: &[Tracked], mut vector: Entries) -> Option<bool> {
    while let Some((column, value)) = vector.first().copied() {
        let Ok(at) = rows.binary_search_by_key(&column, |row| row.0[0].0) else { return Some(false) };
        let row = &rows[at].0;
        if value.checked_rem(row[0].1)? != 0 {
            return Some(false);
        }
        vector = linear(&vector, 1, row, (value / row[0].1).checked_neg()?)?;
    }
    Some(true)
}

/// Columns become rows.
pub(crate) fn transposed<'a>(rows: impl IntoIterator<Item = &'a [(u32, i128)]>) -> Vec<Entries> {
    let mut columns: std::collections::BTreeMap<u32, Entries> = Default::default();
    for (row, entries) in rows.into_iter().enumerate() {
        for (column, value) in entries {
            columns.entry(*column).or_default().push((row as u32, *value));
        }
    }
    columns.into_values().collect()
}

/// How many rows are independent, and the *index* of what they generate: 1 iff integer combinations reach every
/// integer vector that rational combinations reach; it is the greatest common divisor of the largest minors.
pub(crate) fn rank_and_index(
    rows: &[Entries],
    limit: &mut Limit,
    go_on: GoOn<'_>,
) -> Result<(usize, u128), Stop> {
    // Columns, at first, are as much as rows, and lists that grow are half empty.
    if 2 * rows.iter().map(bytes_of).sum::<usize>() > limit.bytes {
        return Err(Stop::Memory);
    }
    let untracked = |rows: Vec<Entries>| rows.into_iter().map(|row| (row, Vec::new()));
    let across = transposed(rows.iter().map(Vec::as_slice));
    let (across, _) = echelon(untracked(across), limit, go_on)?;
    let down = transposed(across.iter().map(|row| row.0.as_slice()));
    let (triangle, _) = echelon(untracked(down), limit, go_on)?;
    let pivots = triangle.iter().map(|row| row.0[0].1.unsigned_abs());
    let index = pivots.clone().try_fold(1u128, u128::checked_mul).ok_or(Stop::Numbers)?;
    Ok((triangle.len(), index))
}
