//! A sparse integer matrix, stored by rows: the entries of row `r` are `offsets[r]..offsets[r + 1]`, sorted by
//! column, none of them 0. Twenty bytes per entry. Exact: every operation that could leave `i128` says so.

/// A sparse matrix of exact integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparseMatrix {
    width: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<i128>,
}

impl SparseMatrix {
    /// A matrix without rows, `width` columns wide, to push rows to.
    pub fn new(width: usize) -> Self {
        Self { width, offsets: vec![0], columns: Vec::new(), values: Vec::new() }
    }

    /// Adds a row: entries sorted by column, each column at most once. Zeros are left out.
    pub fn push_row(&mut self, entries: impl IntoIterator<Item = (usize, i128)>) {
        for (column, value) in entries {
            debug_assert!(column < self.width);
            if value != 0 {
                self.columns.push(column as u32);
                self.values.push(value);
            }
        }
        self.offsets.push(self.columns.len());
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many entries are not 0.
    pub fn nonzeros(&self) -> usize {
        self.columns.len()
    }

    /// The entries of a row that are not 0, sorted by column.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, i128)> + Clone + '_ {
        let range = self.offsets[row]..self.offsets[row + 1];
        self.columns[range.clone()].iter().map(|c| *c as usize).zip(self.values[range].iter().copied())
    }

    /// One entry.
    pub fn get(&self, row: usize, column: usize) -> i128 {
        let range = self.offsets[row]..self.offsets[row + 1];
        let Ok(column) = u32::try_from(column) else { return 0 };
        self.columns[range.clone()].binary_search(&column).map_or(0, |i| self.values[range.start + i])
    }

    /// Rows become columns.
    pub fn transposed(&self) -> Self {
        let mut offsets = vec![0usize; self.width + 1];
        for column in &self.columns {
            offsets[*column as usize + 1] += 1;
        }
        for i in 0..self.width {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut columns = vec![0u32; self.columns.len()];
        let mut values = vec![0i128; self.values.len()];
        for row in 0..self.height() {
            for (column, value) in self.row(row) {
                let slot = next[column];
                next[column] += 1;
                columns[slot] = row as u32;
                values[slot] = value;
            }
        }
        Self { width: self.height(), offsets, columns, values }
    }

    /// The row vector `weights · matrix`, as pairs (column, value) without zeros, sorted by column; nothing if a
    /// number leaves `i128`.
    pub fn combine(&self, weights: impl IntoIterator<Item = (usize, i128)>) -> Option<Vec<(usize, i128)>> {
        let mut terms = Vec::new();
        for (row, weight) in weights {
            for (column, value) in self.row(row) {
                terms.push((column, value.checked_mul(weight)?));
            }
        }
        terms.sort_unstable_by_key(|(column, _)| *column);
        let mut sums: Vec<(usize, i128)> = Vec::with_capacity(terms.len());
        for (column, value) in terms {
            match sums.last_mut() {
                Some((last, sum)) if *last == column => *sum = sum.checked_add(value)?,
                _ => sums.push((column, value)),
            }
        }
        sums.retain(|(_, sum)| *sum != 0);
        Some(sums)
    }
}
