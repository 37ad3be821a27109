//! The counts of many states, a column for each place: in a byte as long as all are small, as they nearly always are.

/// See the [module](self).
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// For how many states each column has room.
    room: usize,
    low: Vec<u8>,
    /// The second bytes; none while all are 0.
    high: Vec<u8>,
}

impl Columns {
    /// So many columns, with room for so many states.
    pub(super) fn new(columns: usize, room: usize) -> Self {
        Self { room, low: vec![0; columns * room], high: Vec::new() }
    }

    /// For how many states there is room.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Writes a state, a count for each column.
    pub(super) fn set(&mut self, state: usize, counts: &[u16]) {
        if self.high.is_empty() && counts.iter().any(|count| *count > u16::from(u8::MAX)) {
            self.high = vec![0; self.low.len()];
        }
        let cells = (state..).step_by(self.room.max(1));
        for (cell, count) in cells.zip(counts) {
            let [low, high] = count.to_le_bytes();
            self.low[cell] = low;
            if let Some(cell) = self.high.get_mut(cell) {
                *cell = high;
            }
        }
    }

    /// One column.
    pub(super) fn column(&self, column: usize) -> Column<'_> {
        let of = |bytes| part(bytes, column, self.room);
        Column { low: of(&self.low), high: of(&self.high) }
    }

    /// The same columns, some of them, in this order.
    pub(super) fn only(&self, columns: impl Iterator<Item = usize> + Clone) -> Self {
        let of = |bytes| columns.clone().flat_map(|column| part(bytes, column, self.room)).copied().collect();
        Self { room: self.room, low: of(&self.low), high: of(&self.high) }
    }

    /// Has these states in this order, and room for no others.
    pub(super) fn arrange(&mut self, order: &[u32]) {
        for bytes in [&mut self.low, &mut self.high] {
            let columns = bytes.len().checked_div(self.room).unwrap_or(0);
            let mut arranged = Vec::with_capacity(order.len());
            for column in 0..columns {
                arranged.clear();
                arranged.extend(order.iter().map(|state| bytes[column * self.room + *state as usize]));
                bytes[column * order.len()..][..order.len()].copy_from_slice(&arranged);
            }
            bytes.truncate(columns * order.len());
            bytes.shrink_to_fit();
        }
        self.room = order.len();
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.low.len() + self.high.len()
    }
}

/// A column's part of the low or the high bytes; nothing if there are none.
fn part(bytes: &[u8], column: usize, room: usize) -> &[u8] {
    bytes.get(column * room..(column + 1) * room).unwrap_or(&[])
}

/// The counts of a place, by state.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    low: &'a [u8],
    high: &'a [u8],
}

impl<'a> Column<'a> {
    /// The counts.
    pub fn iter(self) -> impl Iterator<Item = u16> + 'a {
        let high = self.high.iter().copied().chain(std::iter::repeat(0));
        self.low.iter().zip(high).map(|(low, high)| u16::from_le_bytes([*low, high]))
    }

    /// The count of one state.
    pub fn of(self, state: usize) -> u16 {
        u16::from_le_bytes([self.low[state], self.high.get(state).copied().unwrap_or(0)])
    }

    /// The bytes of the counts, with what each of them is worth: counts are their sums. Bytes that are all 0 may be
    /// missing.
    pub fn bytes(self) -> [(&'a [u8], u16); 2] {
        [(self.low, 1), (self.high, 256)]
    }

    /// Whether all counts are the same.
    pub fn is_still(self) -> bool {
        [self.low, self.high].iter().all(|bytes| bytes.iter().all(|byte| Some(byte) == bytes.first()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_large_and_small() {
        for large in [7, 255, 256, 65_535] {
            let mut columns = Columns::new(3, 5);
            let states = [[1, 2, 0], [200, 2, 3], [4, 2, large], [255, 2, 9]];
            for (state, counts) in states.iter().enumerate() {
                columns.set(state, counts);
            }
            columns.arrange(&[3, 1, 2]);
            let counts = |columns: &Columns, column| columns.column(column).iter().collect::<Vec<_>>();
            assert_eq!(counts(&columns, 0), [255, 200, 4]);
            assert_eq!(counts(&columns, 1), [2, 2, 2]);
            assert_eq!((columns.column(2).of(1), columns.column(2).of(2)), (3, large));
            assert_eq!(counts(&columns, 2), [9, 3, large]);
            assert_eq!([0, 1, 2].map(|column| columns.column(column).is_still()), [false, true, false]);
            let some = columns.only([2, 0].into_iter());
            assert_eq!([counts(&some, 0), counts(&some, 1)], [vec![9, 3, large], vec![255, 200, 4]]);
            let sum = |state: usize| {
                let part = |(bytes, worth): (&[u8], u16)| {
                    bytes.get(state).map_or(0, |byte| u16::from(*byte) * worth)
                };
                columns.column(2).bytes().map(part).iter().sum::<u16>()
            };
            assert_eq!([0, 1, 2].map(sum), [9, 3, large]);
            assert_eq!(columns.bytes(), if large < 256 { 9 } else { 18 });
        }
    }

    #[test]
    fn there_may_be_nothing() {
        let mut columns = Columns::new(0, 5);
        columns.set(3, &[]);
        columns.arrange(&[1, 0]);
        let mut empty = Columns::new(2, 5);
        empty.arrange(&[]);
        assert_eq!((columns.bytes(), empty.bytes(), empty.column(1).iter().count()), (0, 0, 0));
    }
}
