//! Exploring by look-ups: the successors of ranks, as ranks.

use super::automata::{Following, SharedEvent, Stuck, Touch};
use super::lot::{Column, Lot, MOST_TOGETHER};
use super::passing::{LABELS, Passing};
use super::radix::Digit;
use super::system::Product;
use super::tables::{HEADER, UNKNOWN};
use super::turning::{ones, turn};
use crate::set::words::{marked, mask};
use crate::sync::atomic::{AtomicU32, AtomicU64, Ordering};

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
    parts: Vec<Part<'a>>,
    /// Bits of a rank, above which states are marked with a label, and of a label, if there is room for one.
    bits: u32,
    labels: u64,
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
struct Part<'a> {
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
    /// By label, which own events are passed over.
    passed: &'a [u32; LABELS],
}

impl Part<'_> {
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
            first_word: mask(automata.shared().len() as u32),
            parts: product.radix.digits().iter().enumerate().map(part).collect(),
            bits: product.radix.bits(),
            labels: product.labels(),
            order: ranked,
            idle: automata.idle().len() as u64,
            following: automata.following(),
            last: automata.following().map_or(usize::MAX, Following::root),
        }
    }

    /// Puts the last of some marked states into a lot, no more than so many.
    #[inline(always)]
    pub fn take(&self, lot: &mut Lot<W>, states: &[[u64; W]], most: usize) {
        lot.take(states, most, (self.bits, self.labels));
    }

    /// What marks a state with a label.
    #[inline(always)]
    fn mark(&self, label: u8) -> [u64; W] {
        marked([0; W], self.bits, u64::from(label) & self.labels)
    }

    /// Hands the successors of some states to `emit`, some at a time, with what marks these, and notes how many arcs leave each
    /// state. Successors that are the state itself, or that are found another way given the state's own label, are counted but
    /// not emitted. If a table has no room, some have been emitted, and nothing that was noted counts.
    #[inline(always)]
    pub fn expand(&self, lot: &mut Lot<W>, mut emit: impl FnMut(&[[u64; W]], [u64; W])) -> Result<(), Stuck> {
        let len = lot.size();
        if lot.columns.len() < self.parts.len() {
            lot.columns.resize_with(self.parts.len(), Column::default);
        }
        lot.rest = lot.ranks;
        lot.arcs[..len].fill(self.idle);
        lot.enabled[..len].fill(self.first_word);
        lot.left[..len].fill(self.following.map_or(0, Following::constant));
        for root in self.order {
            let root = usize::from(*root);
            if self.parts[root].own_fixed > 0 {
                self.enter::<true>(root, lot)?;
                self.follow_few(root, lot, &mut emit);
            } else {
                self.enter::<false>(root, lot)?;
                self.follow_many(root, lot, &mut emit);
            }
        }
        if let Some(following) = self.following {
            self.find_last(following, lot)?;
        }
        for word in 0..self.words as usize {
            if word > 0 {
                self.enable(word, lot);
            }
            for at in 0..len {
                lot.arcs[at] += u64::from(lot.enabled[at].count_ones());
                lot.enabled[at] &= !self.passing.shared(lot.labels[at], word);
            }
            let Lot { enabled, states, .. } = lot;
            for bit in ones(turn(&enabled[..len], states)) {
                self.follow_shared((word, bit), lot, &mut emit)?;
            }
        }
        Ok(())
    }

    /// Takes a component's numbers out of all ranks, and looks at their rows: with cells for all own events (`FEW`), or only for
    /// those that are enabled.
    #[inline(always)]
    fn enter<const FEW: bool>(&self, root: usize, lot: &mut Lot<W>) -> Result<(), Stuck> {
        let part = &self.parts[root];
        let digit = part.digit;
        let len = lot.size();
        let column = &mut lot.columns[root];
        for at in 0..len {
            let word = digit.word_of(&mut lot.rest[at]);
            (*word, column.numbers[at]) = digit.divide(*word);
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

    /// Emits the successors by a component's own events, where every row has a cell for each of them.
    #[inline(always)]
    fn follow_few(&self, root: usize, lot: &mut Lot<W>, emit: &mut impl FnMut(&[[u64; W]], [u64; W])) {
        let part = &self.parts[root];
        let (digit, len) = (part.digit, lot.size());
        let Lot { ranks, columns, states, targets, .. } = lot;
        let column = &columns[root];
        for event in ones(turn(&column.followed[..len], states)) {
            let mut count = 0;
            for at in ones(states[event as usize % MOST_TOGETHER]) {
                let at = at as usize % MOST_TOGETHER;
                let successor = part.cells[(column.own[at] + event) as usize].load(Ordering::Relaxed);
                targets[count % MOST_TOGETHER] = digit.changed(ranks[at], column.numbers[at], successor);
                count += 1;
            }
            emit(&targets[..count], self.mark(self.passing.of_own(root, event)));
        }
    }

    /// The same where rows have cells for what is enabled only.
    #[inline(always)]
    fn follow_many(&self, root: usize, lot: &mut Lot<W>, emit: &mut impl FnMut(&[[u64; W]], [u64; W])) {
        let part = &self.parts[root];
        let (digit, len) = (part.digit, lot.size());
        let Lot { ranks, columns, targets, .. } = lot;
        let column = &columns[root];
        // These events are not told apart.
        let mark = self.mark(self.passing.of_own(root, 0));
        for (at, rank) in ranks.iter().enumerate().take(len) {
            let cells = &part.cells[column.own[at] as usize..][..column.followed[at] as usize];
            for some in cells.chunks(MOST_TOGETHER) {
                for (successor, target) in some.iter().zip(&mut *targets) {
                    *target = digit.changed(*rank, column.numbers[at], successor.load(Ordering::Relaxed));
                }
                emit(&targets[..some.len()], mark);
            }
        }
    }

    /// Finds out what is enabled in the component that follows from the others. Its own events change nothing: all its places
    /// follow from others.
    #[inline(always)]
    fn find_last(&self, following: &Following, lot: &mut Lot<W>) -> Result<(), Stuck> {
        let (part, len) = (&self.parts[self.last], lot.size());
        let column = &mut lot.columns[self.last];
        for at in 0..len {
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

    /// Finds out which events of a word all components enable.
    #[inline(always)]
    fn enable(&self, word: usize, lot: &mut Lot<W>) {
        let len = lot.size();
        lot.enabled[..len].fill(mask((self.shared.len() - word * 64) as u32));
        for (part, column) in self.parts.iter().zip(&lot.columns) {
            for at in 0..len {
                lot.enabled[at] &= part.enabled(column, at, word);
            }
        }
    }

    /// Emits the successors by a shared event of the states that enable it.
    #[inline(always)]
    fn follow_shared(
        &self,
        (word, bit): (usize, u32),
        lot: &mut Lot<W>,
        emit: &mut impl FnMut(&[[u64; W]], [u64; W]),
    ) -> Result<(), Stuck> {
        let position = word * 64 + bit as usize;
        let event = &self.shared[position];
        if event.still {
            self.product.automata.note_fired(event.transition);
            return Ok(());
        }
        let Lot { ranks, left, columns, states, targets, .. } = lot;
        let chosen = states[bit as usize % MOST_TOGETHER];
        if let (Some(following), Some((step, local))) = (self.following, event.following) {
            for at in ones(chosen) {
                let left = left[at as usize % MOST_TOGETHER];
                if following.number(left.wrapping_add(step)) == UNKNOWN {
                    self.product.automata.fill_shared(self.last, following.number(left), local)?;
                }
            }
        }
        for (at, target) in ones(chosen).zip(&mut *targets) {
            *target = ranks[at as usize % MOST_TOGETHER];
        }
        for touch in event.ranked(self.touches) {
            let root = touch.root as usize;
            let (part, column) = (&self.parts[root], &columns[root]);
            let digit = part.digit;
            for (at, target) in ones(chosen).zip(&mut *targets) {
                let at = at as usize % MOST_TOGETHER;
                let number = column.numbers[at];
                let successor = match part.successor(touch, column, at, (word, bit)) {
                    UNKNOWN => self.product.automata.fill_shared(root, number, touch.event)?,
                    known => known,
                };
                *target = digit.changed(*target, number, successor);
            }
        }
        emit(&targets[..chosen.count_ones() as usize], self.mark(event.label));
        Ok(())
    }
}
