//! Semiflows and sub-invariants grown from a single row, by local repair.
//!
//! Give one row weight 1. While some column of y·A is positive, some row with a negative entry there must gain
//! weight; the one whose gain leaves the least imbalance behind is taken (for equalities, the same with the
//! signs exchanged). On nets made of state machines, which most large nets are, this walks around one
//! component and closes. It never goes back on a choice, so it can miss what exists; what it returns is exact.
//! The work is proportional to the rows visited, whatever the size of the matrix: this is what is left for
//! nets on which elimination would take too long.

use std::collections::{BTreeMap, BTreeSet};

use crate::effort::GoOn;
use crate::entries::bytes_of;
use crate::farkas::Limit;
use crate::sparse::SparseMatrix;

/// What is asked of y·A.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// y·A = 0: a semiflow.
    Equal,
    /// y·A ≤ 0: a sub-invariant.
    AtMost,
}

/// What a number takes in a map.
const NUMBER_BYTES: usize = 64;

/// Solutions found from rows that are not `covered`, neither at first nor by a solution found before.
pub(crate) fn solutions(
    matrix: &SparseMatrix,
    relation: Relation,
    covered: impl Fn(usize) -> bool,
    excluded: impl Fn(usize) -> bool,
    limit: Limit,
    go_on: GoOn<'_>,
) -> Vec<Vec<(usize, u64)>> {
    let columns = matrix.transposed();
    let mut done: Vec<bool> = (0..matrix.height()).map(covered).collect();
    let (mut work, mut bytes) = (limit.work, limit.bytes);
    let mut solutions = Vec::new();
    for row in 0..matrix.height() {
        if done[row] || excluded(row) {
            continue;
        }
        let mut repair = Repair {
            matrix,
            columns: &columns,
            relation,
            weights: BTreeMap::new(),
            imbalance: BTreeMap::new(),
            wrong: BTreeSet::new(),
            most: bytes / NUMBER_BYTES,
            go_on,
        };
        // No single start may eat more than a part of what is left.
        let part = work / 4;
        let mut left = part;
        let closed = repair.grow(row, &excluded, &mut left);
        work -= part - left;
        if closed.is_some() {
            let weights: Option<Vec<_>> =
                repair.weights.iter().map(|(r, w)| Some((*r, u64::try_from(*w).ok()?))).collect();
            if let Some(weights) = weights {
                weights.iter().for_each(|(row, _)| done[*row] = true);
                bytes = bytes.saturating_sub(size_of_val(&weights) + bytes_of(&weights));
                solutions.push(weights);
            }
        }
        if work < 1_000 || !go_on() {
            break;
        }
    }
    solutions
}

struct Repair<'a> {
    matrix: &'a SparseMatrix,
    columns: &'a SparseMatrix,
    relation: Relation,
    weights: BTreeMap<usize, i128>,
    imbalance: BTreeMap<usize, i128>,
    /// The columns that violate the relation.
    wrong: BTreeSet<usize>,
    /// How many numbers there may be.
    most: usize,
    go_on: GoOn<'a>,
}

impl Repair<'_> {
    /// Repairs until no column is wrong; nothing if that fails, work or memory run out, or nobody wants it any more.
    fn grow(&mut self, row: usize, excluded: &impl Fn(usize) -> bool, work: &mut u64) -> Option<()> {
        self.add(row, 1, work)?;
        while let Some(column) = self.wrong.first().copied() {
            let numbers = self.weights.len() + self.imbalance.len() + self.wrong.len();
            (numbers <= self.most && (self.go_on)()).then_some(())?;
            let wrong = self.imbalance[&column];
            let mut best: Option<(u128, usize, i128)> = None;
            for (row, entry) in self.columns.row(column) {
                *work = work.checked_sub(1)?;
                // Only whole factors: a remainder would call for scaling everything.
                if excluded(row) || (entry > 0) == (wrong > 0) || wrong.checked_rem(entry) != Some(0) {
                    continue;
                }
                *work = work.checked_sub(self.matrix.row(row).len().min(64) as u64)?;
                let factor = wrong.checked_div(entry)?.checked_neg()?;
                let left = self.imbalance_after(row, factor)?;
                if best.is_none_or(|(least, ..)| left < least) {
                    best = Some((left, row, factor));
                }
            }
            let (_, row, factor) = best?;
            self.add(row, factor, work)?;
        }
        Some(())
    }

    fn is_wrong(&self, imbalance: i128) -> bool {
        match self.relation {
            Relation::Equal => imbalance != 0,
            Relation::AtMost => imbalance > 0,
        }
    }

    /// How much worse (beyond the columns it mends) a row would make things; looks at 64 entries at most.
    fn imbalance_after(&self, row: usize, factor: i128) -> Option<u128> {
        let offset = 1 << 64;
        self.matrix.row(row).take(64).try_fold(offset, |sum: u128, (column, entry)| {
            let now = self.imbalance.get(&column).copied().unwrap_or(0);
            let then = now.checked_add(entry.checked_mul(factor)?)?;
            let size = |x: i128| if self.is_wrong(x) { x.unsigned_abs().min(1 << 40) } else { 0 };
            Some(sum + size(then) - size(now))
        })
    }

    fn add(&mut self, row: usize, factor: i128, work: &mut u64) -> Option<()> {
        let weight = self.weights.entry(row).or_insert(0);
        *weight = weight.checked_add(factor)?;
        for (column, entry) in self.matrix.row(row) {
            *work = work.checked_sub(4)?;
            let imbalance = self.imbalance.entry(column).or_insert(0);
            *imbalance = imbalance.checked_add(entry.checked_mul(factor)?)?;
            let imbalance = *imbalance;
            if self.is_wrong(imbalance) {
                self.wrong.insert(column);
            } else {
                self.wrong.remove(&column);
            }
        }
        Some(())
    }
}
