//! Exploring by look-ups: the successors of a rank, as ranks.

use super::automata::{Following, MOST_ROOTS, SharedEvent, Stuck, Touch};
use super::passing::Passing;
use super::radix::Digit;
use super::system::Product;
use super::tables::{HEADER, UNKNOWN};
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
    /// As many as there are roots; what is beyond them is never looked at.
    parts: [Part<'a>; MOST_ROOTS],
    /// The parts that are in a rank, in the order in which they are taken out of it.
    order: &'a [u8],
    /// Arcs of every state that lead nowhere else.
    idle: u64,
    following: Option<&'a Following>,
    /// The part whose number follows from the others, beyond all parts if there is none.
    last: usize,
}

/// A component, and its part of the state that is being expanded.
#[derive(Clone, Copy, Debug)]
struct Part<'a> {
    digit: Digit,
    rows: &'a [AtomicU32],
    cells: &'a [AtomicU32],
    dues: &'a [AtomicU32],
    patterns: &'a [AtomicU64],
    before: &'a [AtomicU32],
    /// The shared events that touch it, as words, and the first of these.
    touched: &'a [u64],
    first_touched: u64,
    number: u32,
    /// Where the row's successors by shared events begin.
    shared: u32,
    /// Where the words of its pattern begin.
    pattern: u32,
    /// The shared events that touch it and that it enables, the first word of them.
    first: u64,
    /// How many cells every row has for its own events; 0 if only those that are enabled have cells.
    own_fixed: u32,
    /// The label of states found by its own events, if these are not told apart.
    label: u8,
}

/// What can happen in a local marking without the rest of the state.
#[derive(Clone, Copy, Debug)]
struct Own<'a> {
    /// How many events are enabled.
    count: u32,
    /// Which these are, where every row has cells for all of them.
    enabled: u32,
    /// Where they lead.
    successors: &'a [AtomicU32],
}

impl<'a> Part<'a> {
    /// Goes to a local marking whose row is there or can be `made`.
    #[inline(always)]
    fn enter(
        &mut self,
        number: u32,
        words: u32,
        made: impl FnOnce() -> Result<u32, Stuck>,
    ) -> Result<Own<'a>, Stuck> {
        let row = match self.rows[number as usize].load(Ordering::Acquire).checked_sub(1) {
            Some(row) => row,
            None => made()?,
        };
        let (header, cells) = self.cells[row as usize..].split_at(HEADER);
        let cell = |at: usize| header[at].load(Ordering::Relaxed);
        let (count, enabled, pattern) = (cell(0), cell(1), cell(2));
        self.number = number;
        let own_cells = if self.own_fixed > 0 { self.own_fixed } else { enabled };
        self.shared = row + HEADER as u32 + own_cells;
        self.pattern = pattern * words;
        Ok(Own { count, enabled, successors: &cells[..own_cells as usize] })
    }

    /// A word of the shared events that are enabled as far as it is concerned.
    #[inline(always)]
    fn enabled(&self, word: usize) -> u64 {
        self.patterns[self.pattern as usize + word].load(Ordering::Relaxed)
    }

    /// The first such word, kept for [`position`](Self::position).
    #[inline(always)]
    fn first_enabled(&mut self) -> u64 {
        let enabled = self.enabled(0);
        self.first = enabled & self.first_touched;
        enabled
    }

    /// Its successor by the shared event of this bit of this word, if it is known.
    #[inline(always)]
    fn successor(&self, touch: &Touch, word: usize, bit: u32) -> u32 {
        let position = if touch.cell != UNKNOWN { touch.cell } else { self.position(word, bit) };
        self.cells[(self.shared + position) as usize].load(Ordering::Acquire)
    }

    /// Where that is in a row that has only those by enabled events.
    #[inline(always)]
    fn position(&self, word: usize, bit: u32) -> u32 {
        let lower = (1 << bit) - 1;
        if word == 0 {
            return (self.first & lower).count_ones();
        }
        let own = self.enabled(word) & self.touched[word];
        let before = self.before[self.pattern as usize + word].load(Ordering::Relaxed);
        before + (own & lower).count_ones()
    }
}

impl<'a, const W: usize> Expanding<'a, W> {
    /// The tables as they are now.
    pub fn new(product: Product<'a, W>) -> Self {
        let automata = product.automata;
        let digits = product.radix.digits();
        let part = |root: usize| {
            // The first one stands for those that there are not.
            let root = if root < digits.len() { root } else { 0 };
            let tables = automata.tables(root);
            Part {
                digit: digits[root],
                rows: tables.rows(),
                cells: tables.cells(),
                dues: tables.dues(),
                patterns: tables.patterns(),
                before: tables.before(),
                touched: automata.touched(root),
                first_touched: automata.touched(root)[0],
                number: 0,
                shared: 0,
                pattern: 0,
                first: 0,
                own_fixed: automata.own_fixed(root).unwrap_or(0),
                label: automata.passing().of_own(root, 0),
            }
        };
        let follows = automata.following().is_some();
        let ranked = &product.radix.order()[..product.radix.order().len() - usize::from(follows)];
        Self {
            product,
            passing: automata.passing(),
            shared: automata.shared(),
            touches: automata.all_touches(),
            words: automata.shared().len().div_ceil(64).max(1) as u32,
            first_word: lowest(automata.shared().len()),
            parts: std::array::from_fn(part),
            order: ranked,
            idle: automata.idle().len() as u64,
            following: automata.following(),
            last: automata.following().map_or(usize::MAX, Following::root),
        }
    }

    /// Hands the successors of a state to `emit`, with labels, and tells how many arcs leave it. Successors that are
    /// the state itself, or that are found another way given the state's own label, are counted but not emitted. If a
    /// table has no room, some have been emitted and nothing is counted.
    #[inline(always)]
    pub fn expand(
        &mut self,
        rank: [u64; W],
        label: u8,
        mut emit: impl FnMut([u64; W], u8),
    ) -> Result<u64, Stuck> {
        let passed = self.passing.own(label);
        let words = self.words;
        let mut rest = rank;
        let mut arcs = self.idle;
        let mut left = self.following.map_or(0, Following::constant);
        // The first word of shared events is mostly all there is.
        let mut enabled = self.first_word;
        for root in self.order {
            let root = usize::from(*root);
            let part = &mut self.parts[root % MOST_ROOTS];
            let digit = part.digit;
            let word = if W == 1 { 0 } else { digit.word };
            let (above, number) = digit.divide(rest[word]);
            rest[word] = above;
            if self.following.is_some() {
                left = left.wrapping_sub(part.dues[number as usize].load(Ordering::Relaxed));
            }
            let own = part.enter(number, words, || self.product.automata.row(root, number))?;
            arcs += u64::from(own.count);
            enabled &= part.first_enabled();
            let base = rank[word].wrapping_sub(digit.weight.wrapping_mul(u64::from(number)));
            let mut go = |successor: &AtomicU32, label| {
                let successor = u64::from(successor.load(Ordering::Relaxed));
                let mut target = rank;
                target[word] = base.wrapping_add(digit.weight.wrapping_mul(successor));
                emit(target, label);
            };
            if part.own_fixed > 0 {
                let mut followed = own.enabled & !passed[root];
                while followed != 0 {
                    let event = followed.trailing_zeros();
                    followed &= followed - 1;
                    go(&own.successors[event as usize], self.passing.of_own(root, event));
                }
            } else if passed[root] == 0 {
                own.successors.iter().for_each(|successor| go(successor, part.label));
            }
        }
        if let Some(following) = self.following {
            match following.pattern(left) {
                Some(pattern) => enabled &= pattern,
                None => {
                    // Its own events change nothing: all its places follow from others.
                    let number = following.number(left);
                    let row = || self.product.automata.row(self.last, number);
                    let part = &mut self.parts[self.last % MOST_ROOTS];
                    arcs += u64::from(part.enter(number, words, row)?.count);
                    enabled &= part.enabled(0);
                    following.keep_pattern(left, part.enabled(0));
                }
            }
        }
        let mut word = 0;
        loop {
            arcs += u64::from(enabled.count_ones());
            enabled &= !self.passing.shared(label, word);
            while enabled != 0 {
                let bit = enabled.trailing_zeros();
                enabled &= enabled - 1;
                self.emit_shared(rank, left, word, bit, &mut emit)?;
            }
            word += 1;
            if word >= words as usize {
                break;
            }
            enabled = self.parts[..self.product.radix.digits().len()]
                .iter()
                .fold(u64::MAX, |all, part| all & part.enabled(word));
            enabled &= lowest(self.shared.len() - word * 64);
        }
        Ok(arcs)
    }

    #[inline(always)]
    fn emit_shared(
        &self,
        rank: [u64; W],
        left: u32,
        word: usize,
        bit: u32,
        emit: &mut impl FnMut([u64; W], u8),
    ) -> Result<(), Stuck> {
        let event = &self.shared[word * 64 + bit as usize];
        if event.still {
            self.product.automata.note_fired(event.transition);
            return Ok(());
        }
        let mut target = rank;
        if let (Some(following), Some((step, local))) = (self.following, event.following)
            && following.number(left.wrapping_add(step)) == UNKNOWN
        {
            self.product.automata.fill_shared(self.last, following.number(left), local)?;
        }
        for touch in event.ranked(self.touches) {
            let part = &self.parts[touch.root as usize % MOST_ROOTS];
            let successor = match part.successor(touch, word, bit) {
                UNKNOWN => {
                    self.product.automata.fill_shared(touch.root as usize, part.number, touch.event)?
                }
                known => known,
            };
            let step = u64::from(successor).wrapping_sub(u64::from(part.number));
            let at = if W == 1 { 0 } else { part.digit.word };
            target[at] = target[at].wrapping_add(part.digit.weight.wrapping_mul(step));
        }
        emit(target, event.label);
        Ok(())
    }
}
