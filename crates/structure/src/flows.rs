//! P-flows: all linear invariants, with weights of either sign.
//!
//! The solutions of y·C = 0 without y ≥ 0 form a vector space of dimension |P| - rank(C). A basis comes from
//! Gaussian elimination, fraction free: each row is freed of the columns that earlier rows have taken as their
//! pivot; what is left takes a pivot of its own, and if nothing is left, the combination is a flow. Cubic at
//! worst, nearly linear on sparse nets; a budget of list entries and of bytes ends it, and rows that grow too long or
//! overflow are dropped, with the flows that they would have led to.

use crate::entries::{Entries, bytes_of, gcd, linear};
use crate::sparse::SparseMatrix;

/// Rows longer than this are dropped.
const LONGEST: usize = 1_024;

/// Independent solutions of y·A = 0, as many as the budget allows; excluded rows have weight 0.
pub(crate) fn flow_basis(
    matrix: &SparseMatrix,
    excluded: impl Fn(usize) -> bool,
    mut budget: usize,
    mut bytes: usize,
) -> Vec<Entries> {
    let mut rows: Vec<usize> = (0..matrix.height()).filter(|row| !excluded(*row)).collect();
    rows.sort_by_key(|row| matrix.row(*row).len());
    // By column: which of the rows kept has its pivot there.
    let mut owner: Vec<Option<u32>> = vec![None; matrix.width()];
    let mut kept: Vec<(u32, Entries, Entries)> = Vec::new();
    let mut flows = Vec::new();
    'rows: for row in rows {
        let mut rest: Entries = matrix.row(row).map(|(column, value)| (column as u32, value)).collect();
        let mut weights: Entries = vec![(row as u32, 1)];
        // A row holds no pivot older than its own, so taking the oldest first, none comes back.
        while let Some(oldest) = rest.iter().filter_map(|(column, _)| owner[*column as usize]).min() {
            let (pivot, their_rest, their_weights) = &kept[oldest as usize];
            let cost = rest.len() + weights.len() + their_rest.len() + their_weights.len();
            if cost > budget {
                return flows;
            }
            budget -= cost;
            let sum = cancel(*pivot, (&rest, &weights), (their_rest, their_weights));
            let Some(sum) = sum.filter(|(r, w)| r.len() <= LONGEST && w.len() <= LONGEST) else {
                continue 'rows;
            };
            (rest, weights) = sum;
        }
        let taken = size_of::<(u32, Entries, Entries)>() + bytes_of(&rest) + bytes_of(&weights);
        match bytes.checked_sub(taken) {
            Some(left) => bytes = left,
            None => return flows,
        }
        match rest.first() {
            None => flows.push(weights),
            Some((pivot, _)) => {
                owner[*pivot as usize] = Some(kept.len() as u32);
                kept.push((*pivot, rest, weights));
            }
        }
    }
    flows
}

/// A combination of two rows without the column; nothing on overflow.
fn cancel(column: u32, a: (&Entries, &Entries), b: (&Entries, &Entries)) -> Option<(Entries, Entries)> {
    let entry = |rest: &Entries| rest.binary_search_by_key(&column, |e| e.0).ok().map(|i| rest[i].1);
    let (x, y) = (entry(a.0)?, entry(b.0)?);
    let divisor = i128::try_from(gcd(x.unsigned_abs(), y.unsigned_abs())).ok()?;
    let (for_a, for_b) = (y.checked_div(divisor)?, x.checked_div(divisor)?.checked_neg()?);
    let mut weights = linear(a.1, for_a, b.1, for_b)?;
    let mut rest = linear(a.0, for_a, b.0, for_b)?;
    let divisor = weights.iter().fold(0, |g, (_, w)| gcd(g, w.unsigned_abs()));
    if divisor > 1 {
        let divisor = i128::try_from(divisor).ok()?;
        weights.iter_mut().chain(&mut rest).for_each(|(_, w)| *w /= divisor);
    }
    Some((rest, weights))
}
