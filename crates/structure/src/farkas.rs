//! Minimal-support non-negative solutions of `y · A = 0` by elimination.
//!
//! Start from the rows of `[A | I]` and annul the columns of A one after the other: each pair of rows with
//! opposite signs in the column is added up, with the smallest factors that cancel it, and the rows that had
//! an entry there are dropped. What is left at the end, on the right, are the solutions (J. Farkas 1902; for
//! Petri nets J. Martínez and M. Silva 1982; J. M. Colom and M. Silva 1990 compare the variants). After every
//! column the rows are exactly the solutions of minimal support of the columns so far, so a sum u + v is worth
//! keeping iff no third row has its support inside supp(u) ∪ supp(v): the adjacency test of the double
//! description method. It needs no comparison among the new rows.
//!
//! There can be exponentially many solutions, so everything is counted against a [`Limit`], in entries touched,
//! never in seconds: the answer depends on the input alone. When a column would make more rows than allowed, or
//! rows of more bytes, each row is combined with its cheapest partner only; the rows stay solutions, some others are
//! lost, and the answer says that it is not complete.
//!
//! Everything is sparse: a row is two sorted lists, columns know their rows, the next column is always the one
//! that adds fewest rows, and a row of support S is compared only with rows whose *first* index is in S, after
//! a 64-bit signature has ruled most of them out.

use std::collections::BTreeSet;

use crate::effort::{GoOn, Stop};
use crate::entries::{Entries, bytes_of, gcd, is_subset, linear, signature, union};
use crate::sparse::SparseMatrix;

/// How much work an elimination may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Rows alive at a time (the input's rows do not count).
    pub rows: usize,
    /// List entries touched, on top of an allowance proportional to the matrix's size.
    pub work: u64,
    /// Bytes of rows alive at a time, those of the input among them.
    pub bytes: usize,
}

impl Default for Limit {
    /// About a tenth of a second.
    fn default() -> Self {
        Self { rows: 4_000, work: 20_000_000, bytes: usize::MAX }
    }
}

impl Limit {
    /// No limit at all: for nets known to be small.
    pub const NONE: Self = Self { rows: usize::MAX, work: u64::MAX, bytes: usize::MAX };

    /// The same with no more than so many bytes.
    #[must_use]
    pub fn within(self, bytes: usize) -> Self {
        Self { bytes: self.bytes.min(bytes), ..self }
    }
}

/// What an entry costs that is counted with its column, against one that is only looked at.
const COUNT_COST: usize = 4;

/// What it costs to take a column out of the queue and put it back.
const QUEUE_COST: usize = 32;

/// The bytes of a column's place in the queue.
const QUEUE_BYTES: usize = 48;

/// The bytes of a row itself, dead or alive, where it is listed by its first index included.
const NEW_ROW: usize = size_of::<Row>() + 8;

/// The bytes that each entry takes in the list of its column, dead or alive.
const NEW_ENTRY: usize = 8;

/// Matrices with fewer rows get a second chance.
const SMALL: usize = 5_000;

#[derive(Default)]
struct Row {
    /// What is left to annul.
    rest: Entries,
    /// The combination of input rows that it is; strictly positive.
    weights: Entries,
    signature: u64,
    alive: bool,
}

#[derive(Clone, Default)]
struct Column {
    /// Rows with an entry here, and perhaps dead ones.
    rows: Vec<u32>,
    positive: i64,
    negative: i64,
    /// Counted anew, and out of the queue until that is done.
    touched: bool,
    /// When it was last put into the queue.
    stamp: u64,
}

impl Column {
    /// By how many rows annulling the column grows the matrix, at most.
    fn growth(&self) -> i64 {
        self.positive.saturating_mul(self.negative) - self.positive - self.negative
    }

    fn count(&mut self, value: i128, by: i64) {
        if value > 0 { self.positive += by } else { self.negative += by }
    }
}

struct Elimination<'a> {
    rows: Vec<Row>,
    columns: Vec<Column>,
    /// Columns not yet annulled that have entries, cheapest first, and among equals the one that rested longest:
    /// so that a long ring of rows is merged in pairs, not one by one into a row that is copied every time.
    queue: BTreeSet<(i64, u64, u32)>,
    clock: u64,
    touched: Vec<u32>,
    /// Rows by the first index of their support.
    by_first: Vec<Vec<u32>>,
    alive: usize,
    most_rows: usize,
    work: u64,
    most_work: u64,
    /// What rows and columns take, dead rows and all.
    bytes: usize,
    most_bytes: usize,
    /// Why the answer is not complete: what struck first.
    stopped: Option<Stop>,
    go_on: GoOn<'a>,
}

/// Work allowed on top of the limit, because merely looking at a large matrix takes that much.
fn linear_allowance(matrix: &SparseMatrix, limit: Limit) -> u64 {
    let size = (matrix.nonzeros() + matrix.height()) as u64;
    if limit.work == 0 { 64 * size } else { (2_000 * size).min(30_000_000).max(64 * size) }
}

/// The solutions found, and why they are not all of minimal support, if they are not.
pub(crate) fn solutions(
    matrix: &SparseMatrix,
    excluded: impl Fn(usize) -> bool,
    limit: Limit,
    go_on: GoOn<'_>,
) -> (Vec<Entries>, Option<Stop>) {
    let (mut solutions, stopped) = eliminate(matrix, &excluded, limit, go_on);
    if stopped.is_some() && limit.rows > 0 && matrix.height() < SMALL {
        // Whole families are lost where the limit struck. A run that never multiplies rows loses others.
        solutions.extend(eliminate(matrix, &excluded, Limit { rows: 0, ..limit }, go_on).0);
    }
    (solutions, stopped)
}

fn eliminate(
    matrix: &SparseMatrix,
    excluded: &impl Fn(usize) -> bool,
    limit: Limit,
    go_on: GoOn<'_>,
) -> (Vec<Entries>, Option<Stop>) {
    let bytes = matrix.height() * (size_of::<Row>() + size_of::<Vec<u32>>())
        + matrix.width() * (size_of::<Column>() + QUEUE_BYTES);
    if bytes > limit.bytes {
        return (Vec::new(), Some(Stop::Memory));
    }
    let mut elimination = Elimination {
        rows: Vec::with_capacity(matrix.height()),
        columns: vec![Column::default(); matrix.width()],
        queue: BTreeSet::new(),
        touched: Vec::new(),
        clock: 0,
        by_first: vec![Vec::new(); matrix.height()],
        alive: 0,
        most_rows: limit.rows.saturating_add(matrix.height()),
        work: 0,
        most_work: limit.work.saturating_add(linear_allowance(matrix, limit)),
        bytes,
        most_bytes: limit.bytes,
        stopped: None,
        go_on,
    };
    for row in (0..matrix.height()).filter(|row| !excluded(*row)) {
        let rest = matrix.row(row).map(|(c, v)| (c as u32, v)).collect();
        elimination.insert(rest, vec![(row as u32, 1)]);
        if elimination.bytes > elimination.most_bytes {
            return (Vec::new(), Some(Stop::Memory));
        }
    }
    elimination.requeue();
    while let Some((_, _, column)) = elimination.queue.pop_first() {
        elimination.annul(column as usize);
        let spent = elimination.work > elimination.most_work;
        if spent || !go_on() {
            elimination.stop(if spent { Stop::Work } else { Stop::Cancelled });
            break;
        }
    }
    let Elimination { rows, stopped, .. } = elimination;
    (rows.into_iter().filter(|r| r.alive && r.rest.is_empty()).map(|r| r.weights).collect(), stopped)
}

impl Elimination<'_> {
    fn stop(&mut self, why: Stop) {
        self.stopped.get_or_insert(why);
    }

    fn insert(&mut self, rest: Entries, weights: Entries) {
        let Ok(id) = u32::try_from(self.rows.len()) else {
            self.stop(Stop::Rows);
            return;
        };
        for (column, value) in &rest {
            self.recount(*column, *value, 1);
            self.columns[*column as usize].rows.push(id);
        }
        self.work += (COUNT_COST * rest.len() + weights.len()) as u64;
        self.bytes += row_bytes(&rest, &weights);
        self.by_first[weights[0].0 as usize].push(id);
        let signature = signature(&weights);
        self.rows.push(Row { rest, weights, signature, alive: true });
        self.alive += 1;
    }

    fn remove(&mut self, id: u32) {
        let row = &mut self.rows[id as usize];
        row.alive = false;
        let (rest, first) = (std::mem::take(&mut row.rest), row.weights[0].0);
        self.bytes -= bytes_of(&rest) + bytes_of(&row.weights);
        row.weights = Vec::new();
        self.by_first[first as usize].retain(|other| *other != id);
        for (column, value) in &rest {
            self.recount(*column, *value, -1);
        }
        self.work += (COUNT_COST * rest.len()) as u64;
        self.alive -= 1;
    }

    fn recount(&mut self, column: u32, value: i128, by: i64) {
        let entry = &mut self.columns[column as usize];
        if !std::mem::replace(&mut entry.touched, true) {
            self.queue.remove(&(entry.growth(), entry.stamp, column));
            self.touched.push(column);
        }
        entry.count(value, by);
    }

    /// Puts the columns whose entries have changed back in line.
    fn requeue(&mut self) {
        self.work += (QUEUE_COST * self.touched.len()) as u64;
        while let Some(column) = self.touched.pop() {
            let entry = &mut self.columns[column as usize];
            entry.touched = false;
            self.clock += 1;
            entry.stamp = self.clock;
            if entry.positive + entry.negative > 0 {
                self.queue.insert((entry.growth(), entry.stamp, column));
            }
        }
    }

    /// Annuls one column.
    fn annul(&mut self, column: usize) {
        let mut ids = std::mem::take(&mut self.columns[column].rows);
        ids.retain(|id| self.rows[*id as usize].alive);
        let value = |id: u32| -> i128 {
            let rest = &self.rows[id as usize].rest;
            rest.binary_search_by_key(&(column as u32), |e| e.0).map_or(0, |i| rest[i].1)
        };
        let (positive, negative): (Vec<u32>, Vec<u32>) = ids.iter().partition(|id| value(**id) > 0);
        let sums = self.all_sums(&positive, &negative, column as u32).unwrap_or_else(|stop| {
            self.stop(stop);
            self.cheapest_sums(&positive, &negative, column as u32)
        });
        for id in ids {
            self.remove(id);
        }
        for (rest, weights) in sums {
            self.insert(rest, weights);
        }
        self.requeue();
    }

    /// The minimal sums of all pairs, unless they are too many, or take too large a part of the work left.
    fn all_sums(
        &mut self,
        positive: &[u32],
        negative: &[u32],
        column: u32,
    ) -> Result<Vec<(Entries, Entries)>, Stop> {
        let few = positive.len() + negative.len();
        let allowed = self.most_work.saturating_sub(self.work) / 4;
        let budget = self.work.saturating_add(allowed);
        let (mut sums, mut bytes) = (Vec::new(), 0);
        for u in positive {
            for v in negative {
                if let Some(sum) = self.sum(*u, *v, column) {
                    bytes += row_bytes(&sum.0, &sum.1);
                    if self.bytes + bytes > self.most_bytes {
                        return Err(Stop::Memory);
                    }
                    sums.push(sum);
                }
                let grown = sums.len() > few && self.alive - few + sums.len() > self.most_rows;
                if grown || self.work > budget {
                    return Err(if grown { Stop::Rows } else { Stop::Work });
                }
                if !(self.go_on)() {
                    return Err(Stop::Cancelled);
                }
            }
        }
        Ok(sums)
    }

    /// Sums of each row with its cheapest partner, as long as there is room for them.
    fn cheapest_sums(&mut self, positive: &[u32], negative: &[u32], column: u32) -> Vec<(Entries, Entries)> {
        let (mut sums, mut bytes) = (Vec::new(), 0);
        for (u, v) in self.cheapest_pairs(positive, negative) {
            if !(self.go_on)() {
                break;
            }
            if let Some(sum) = self.sum(u, v, column) {
                bytes += row_bytes(&sum.0, &sum.1);
                if self.bytes + bytes > self.most_bytes {
                    self.stop(Stop::Memory);
                    break;
                }
                sums.push(sum);
            }
        }
        sums
    }

    /// Each row with its cheapest partner.
    fn cheapest_pairs(&self, positive: &[u32], negative: &[u32]) -> Vec<(u32, u32)> {
        let size = |id: &u32| {
            let row = &self.rows[*id as usize];
            (row.weights.len() + row.rest.len(), *id)
        };
        let best = |ids: &[u32]| ids.iter().copied().min_by_key(size);
        let (Some(plus), Some(minus)) = (best(positive), best(negative)) else { return Vec::new() };
        let mut pairs: Vec<_> = positive.iter().map(|u| (*u, minus)).collect();
        pairs.extend(negative.iter().filter(|v| **v != minus).map(|v| (plus, *v)));
        pairs
    }

    /// The sum of two rows that cancels the column; nothing if its support is not minimal, or on overflow.
    fn sum(&mut self, u: u32, v: u32, column: u32) -> Option<(Entries, Entries)> {
        let (a, b) = (&self.rows[u as usize], &self.rows[v as usize]);
        self.work += 4 * (a.weights.len() + b.weights.len()) as u64;
        let support = union(&a.weights, &b.weights);
        let signature = a.signature | b.signature;
        for first in &support {
            let bucket = &self.by_first[*first as usize];
            self.work += bucket.len() as u64;
            for id in bucket {
                let other = &self.rows[*id as usize];
                if *id != u && *id != v && other.signature & !signature == 0 {
                    self.work += other.weights.len() as u64;
                    if is_subset(&other.weights, &support) {
                        return None;
                    }
                }
            }
        }
        let (a, b) = (&self.rows[u as usize], &self.rows[v as usize]);
        self.work += (a.rest.len() + b.rest.len()) as u64;
        let sum = add_cancelling(a, b, column);
        if sum.is_none() {
            self.stop(Stop::Numbers);
        }
        sum
    }
}

/// The bytes that a row takes.
fn row_bytes(rest: &Entries, weights: &Entries) -> usize {
    NEW_ROW + rest.len() * NEW_ENTRY + bytes_of(rest) + bytes_of(weights)
}

fn add_cancelling(a: &Row, b: &Row, column: u32) -> Option<(Entries, Entries)> {
    let entry = |row: &Row| row.rest.binary_search_by_key(&column, |e| e.0).ok().map(|i| row.rest[i].1);
    let (x, y) = (entry(a)?.unsigned_abs(), entry(b)?.unsigned_abs());
    let divisor = gcd(x, y);
    let (for_a, for_b) = (i128::try_from(y / divisor).ok()?, i128::try_from(x / divisor).ok()?);
    let mut weights = linear(&a.weights, for_a, &b.weights, for_b)?;
    let mut rest = linear(&a.rest, for_a, &b.rest, for_b)?;
    // `rest` is an integer combination of input rows with these weights: what divides them divides it.
    let divisor = weights.iter().fold(0, |g, (_, w)| gcd(g, w.unsigned_abs()));
    if divisor > 1 {
        let divisor = i128::try_from(divisor).ok()?;
        weights.iter_mut().chain(&mut rest).for_each(|(_, w)| *w /= divisor);
    }
    // Rows may live long, and many are half as long as room was made for.
    rest.shrink_to_fit();
    weights.shrink_to_fit();
    Some((rest, weights))
}
