//! Exploring by look-ups: the successors of ranks, as ranks.

use super::automata::{FEW_OWN, Following, SharedEvent, Stuck, Touch};
use super::lot::{Column, Lot, MOST_TOGETHER};
use super::passing::{LABELS, Passing};
use super::radix::Digit;
use super::system::Product;
use super::tables::{HEADER, UNKNOWN};
use crate::set::words::marked;
use crate::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// So many of the lowest bits, or all there are.
#[inline(always)]
fn lowest(bits: usize) -> u64 {
    if bits < 64 { (1 << bits) - 1 } else { u64::MAX }
}

/// All that is looked at to expand states, as close together as can be.
#[derive(Debug)]
pub struct Expanding<'a, const W: usize> {
    product: Product<'a, W>,
    passing: &'a Passing,
    shared: &'a [SharedEvent],
    touches: &'a [Touch],
    /// Words of a pattern.
    words: u32,
    /// The bits of its first word that mean something.
    first_word: u64,
    parts: Vec<Part<'a, W>>,
    /// What marks the states found by each shared event.
    marks: Vec<[u64; W]>,
    /// The parts that are in a rank, in the order in which they are taken out of it.
    order: &'a [u8],
    /// Arcs of every state that lead nowhere else.
    idle: u64,
    following: Option<&'a Following>,
    /// The part whose number follows from the others, beyond all parts if there is none.
    last: usize,
}

/// A component.
#[derive(Clone, Copy, Debug)]
struct Part<'a, const W: usize> {
    digit: Digit,
    rows: &'a [AtomicU32],
    cells: &'a [AtomicU32],
    dues: &'a [AtomicU32],
    patterns: &'a [AtomicU64],
    before: &'a [AtomicU32],
    /// The shared events that touch it, as words.
    touched: &'a [u64],
    /// How many cells every row has for its own events; 0 if only those that are enabled have cells.
    own_fixed: u32,
    /// What marks the states found by its own events; the first one all of them, if these are not told apart.
    marks: [[u64; W]; FEW_OWN as usize],
    /// By label, which own events are passed over.
    passed: &'a [u32; LABELS],
}

impl<const W: usize> Part<'_, W> {
    /// The cells of the header of a row.
    #[inline(always)]
    fn header(&self, row: u32) -> [u32; HEADER] {
        let header = self.cells[row as usize..].first_chunk::<HEADER>();
        header.expect("a row has a header").each_ref().map(|cell| cell.load(Ordering::Relaxed))
    }

    /// A word of the shared events that are enabled as far as it is concerned.
    #[inline(always)]
    fn enabled(&self, column: &Column, at: usize, word: usize) -> u64 {
        self.patterns[column.patterns[at] as usize + word].load(Ordering::Relaxed)
    }

    /// Its successor by the shared event of this bit of this word, if it is known.
    #[inline(always)]
    fn successor(&self, touch: &Touch, column: &Column, at: usize, (word, bit): (usize, u32)) -> u32 {
        let position = match touch.cell {
            UNKNOWN => self.position(column, at, (word, bit)),
            cell => cell,
        };
        self.cells[(column.shared[at] + position) as usize].load(Ordering::Acquire)
    }

    /// Where that is in a row that has only those by enabled events.
    #[inline(always)]
    fn position(&self, column: &Column, at: usize, (word, bit): (usize, u32)) -> u32 {
        let lower = self.enabled(column, at, word) & self.touched[word] & ((1 << bit) - 1);
        let before = match word {
            0 => 0,
            _ => self.before[column.patterns[at] as usize + word].load(Ordering::Relaxed),
        };
        before + lower.count_ones()
    }
}

impl<'a, const W: usize> Expanding<'a, W> {
    /// The tables as they are now.
    pub fn new(product: Product<'a, W>) -> Self {
        let automata = product.automata;
        let passing = automata.passing();
        let mark = |label: u8| marked([0; W], product.radix.bits(), u64::from(label) & product.labels());
        let part = |(root, digit): (usize, &Digit)| {
            let tables = automata.tables(root);
            Part {
                digit: *digit,
                rows: tables.rows(),
                cells: tables.cells(),
                dues: tables.dues(),
                patterns: tables.patterns(),
                before: tables.before(),
                touched: automata.touched(root),
                own_fixed: automata.own_fixed(root).unwrap_or(0),
                marks: std::array::from_fn(|event| mark(passing.of_own(root, event as u32))),
                passed: passing.own(root),
            }
        };
        let follows = automata.following().is_some();
        let ranked = &product.radix.order()[..product.radix.order().len() - usize::from(follows)];
        Self {
            product,
            passing,
            shared: automata.shared(),
            touches: automata.all_touches(),
            words: automata.shared().len().div_ceil(64).max(1) as u32,
            first_word: lowest(automata.shared().len()),
            parts: product.radix.digits().iter().enumerate().map(part).collect(),
            marks: automata.shared().iter().map(|event| mark(event.label)).collect(),
            order: ranked,
            idle: automata.idle().len() as u64,
            following: automata.following(),
            last: automata.following().map_or(usize::MAX, Following::root),
        }
    }

    /// Hands the successors of some states to `emit`, with what marks them, and notes how many arcs leave each. Successors that
    /// are the state itself, or that are found another way given the state's own label, are counted but not emitted. Tells how
    /// many states are done, and, if not all are, why: of the others some successors may have been emitted.
    #[inline(always)]
    pub fn expand(
        &self,
        lot: &mut Lot<W>,
        mut emit: impl FnMut([u64; W], [u64; W]),
    ) -> (usize, Result<(), Stuck>) {
        let len = lot.len.min(MOST_TOGETHER);
        if lot.columns.len() < self.parts.len() {
            lot.columns.resize_with(self.parts.len(), Column::default);
        }
        lot.rest = lot.ranks;
        lot.arcs[..len].fill(self.idle);
        lot.enabled[..len].fill(self.first_word);
        lot.left[..len].fill(self.following.map_or(0, Following::constant));
        for root in self.order {
            let root = usize::from(*root);
            let entered = match self.parts[root].own_fixed {
                0 => self.enter::<false>(root, lot),
                _ => self.enter::<true>(root, lot),
            };
            if let Err(stuck) = entered {
                return (0, Err(stuck));
            }
            self.follow_own(root, lot, &mut emit);
        }
        if let Some(following) = self.following
            && let Err(stuck) = self.find_last(following, lot)
        {
            return (0, Err(stuck));
        }
        for at in 0..len {
            lot.arcs[at] += u64::from(lot.enabled[at].count_ones());
            lot.enabled[at] &= !self.passing.shared(lot.labels[at], 0);
        }
        for at in 0..len {
            if let Err(stuck) = self.follow_shared(lot, at, &mut emit) {
                return (at, Err(stuck));
            }
        }
        (len, Ok(()))
    }

    /// Takes a component's numbers out of all ranks, and looks at their rows: with cells for all own events (`FEW`), or only for
    /// those that are enabled.
    #[inline(always)]
    fn enter<const FEW: bool>(&self, root: usize, lot: &mut Lot<W>) -> Result<(), Stuck> {
        let part = &self.parts[root];
        let digit = part.digit;
        let word = if W == 1 { 0 } else { digit.word };
        let len = lot.len.min(MOST_TOGETHER);
        let column = &mut lot.columns[root];
        for at in 0..len {
            (lot.rest[at][word], column.numbers[at]) = digit.divide(lot.rest[at][word]);
        }
        if self.following.is_some() {
            for at in 0..len {
                let due = part.dues[column.numbers[at] as usize].load(Ordering::Relaxed);
                lot.left[at] = lot.left[at].wrapping_sub(due);
            }
        }
        for at in 0..len {
            let number = column.numbers[at];
            let row = match part.rows[number as usize].load(Ordering::Acquire).checked_sub(1) {
                Some(row) => row,
                None => self.product.automata.row(root, number)?,
            };
            let [count, told, pattern] = part.header(row);
            let passed = part.passed[usize::from(lot.labels[at])];
            let all_or_none = if passed == 0 { told } else { 0 };
            column.own[at] = row + HEADER as u32;
            column.followed[at] = if FEW { told & !passed } else { all_or_none };
            column.shared[at] = row + HEADER as u32 + if FEW { part.own_fixed } else { told };
            column.patterns[at] = pattern * self.words;
            lot.arcs[at] += u64::from(count);
            lot.enabled[at] &= part.enabled(column, at, 0);
        }
        Ok(())
    }

    /// Emits the successors by a component's own events.
    #[inline(always)]
    fn follow_own(&self, root: usize, lot: &Lot<W>, emit: &mut impl FnMut([u64; W], [u64; W])) {
        let part = &self.parts[root];
        let (weight, word) = (part.digit.weight, if W == 1 { 0 } else { part.digit.word });
        let column = &lot.columns[root];
        for at in 0..lot.len.min(MOST_TOGETHER) {
            let mut followed = column.followed[at];
            if followed == 0 {
                continue;
            }
            let rank = lot.ranks[at];
            let base = rank[word].wrapping_sub(weight.wrapping_mul(u64::from(column.numbers[at])));
            let mut go = |successor: &AtomicU32, mark| {
                let successor = u64::from(successor.load(Ordering::Relaxed));
                let mut target = rank;
                target[word] = base.wrapping_add(weight.wrapping_mul(successor));
                emit(target, mark);
            };
            let cells = &part.cells[column.own[at] as usize..];
            if part.own_fixed > 0 {
                while followed != 0 {
                    let event = followed.trailing_zeros();
                    followed &= followed - 1;
                    go(&cells[event as usize], part.marks[event as usize % FEW_OWN as usize]);
                }
            } else {
                cells[..followed as usize].iter().for_each(|successor| go(successor, part.marks[0]));
            }
        }
    }

    /// Finds out what is enabled in the component that follows from the others. Its own events change nothing: all its places
    /// follow from others.
    #[inline(always)]
    fn find_last(&self, following: &Following, lot: &mut Lot<W>) -> Result<(), Stuck> {
        let part = &self.parts[self.last];
        let column = &mut lot.columns[self.last];
        for at in 0..lot.len.min(MOST_TOGETHER) {
            let left = lot.left[at];
            lot.enabled[at] &= match following.pattern(left) {
                Some(pattern) => pattern,
                None => {
                    let row = self.product.automata.row(self.last, following.number(left))?;
                    let [count, _, pattern] = part.header(row);
                    column.patterns[at] = pattern * self.words;
                    lot.arcs[at] += u64::from(count);
                    following.keep_pattern(left, part.enabled(column, at, 0));
                    part.enabled(column, at, 0)
                }
            };
        }
        Ok(())
    }

    /// Emits the successors of a state by the shared events that all components enable. Those of the first word that are
    /// followed are known.
    #[inline(always)]
    fn follow_shared(
        &self,
        lot: &mut Lot<W>,
        at: usize,
        emit: &mut impl FnMut([u64; W], [u64; W]),
    ) -> Result<(), Stuck> {
        self.emit_word(lot, at, 0, lot.enabled[at], emit)?;
        for word in 1..self.words as usize {
            let parts = self.parts.iter().zip(&lot.columns);
            let all = lowest(self.shared.len() - word * 64);
            let enabled = parts.fold(all, |all, (part, column)| all & part.enabled(column, at, word));
            lot.arcs[at] += u64::from(enabled.count_ones());
            self.emit_word(lot, at, word, enabled & !self.passing.shared(lot.labels[at], word), emit)?;
        }
        Ok(())
    }

    /// Emits the successors of a state by some shared events of a word.
    #[inline(always)]
    fn emit_word(
        &self,
        lot: &Lot<W>,
        at: usize,
        word: usize,
        mut events: u64,
        emit: &mut impl FnMut([u64; W], [u64; W]),
    ) -> Result<(), Stuck> {
        while events != 0 {
            let bit = events.trailing_zeros();
            events &= events - 1;
            self.emit_shared(lot, at, (word, bit), emit)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn emit_shared(
        &self,
        lot: &Lot<W>,
        at: usize,
        (word, bit): (usize, u32),
        emit: &mut impl FnMut([u64; W], [u64; W]),
    ) -> Result<(), Stuck> {
        let position = word * 64 + bit as usize;
        let event = &self.shared[position];
        if event.still {
            self.product.automata.note_fired(event.transition);
            return Ok(());
        }
        let mut target = lot.ranks[at];
        if let (Some(following), Some((step, local))) = (self.following, event.following) {
            let left = lot.left[at];
            if following.number(left.wrapping_add(step)) == UNKNOWN {
                self.product.automata.fill_shared(self.last, following.number(left), local)?;
            }
        }
        for touch in event.ranked(self.touches) {
            let root = touch.root as usize;
            let (part, column) = (&self.parts[root], &lot.columns[root]);
            let number = column.numbers[at];
            let successor = match part.successor(touch, column, at, (word, bit)) {
                UNKNOWN => self.product.automata.fill_shared(root, number, touch.event)?,
                known => known,
            };
            let step = u64::from(successor).wrapping_sub(u64::from(number));
            let word = if W == 1 { 0 } else { part.digit.word };
            target[word] = target[word].wrapping_add(part.digit.weight.wrapping_mul(step));
        }
        emit(target, self.marks[position]);
        Ok(())
    }
}
