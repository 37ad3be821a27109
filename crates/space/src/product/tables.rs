//! The tables of one component: its local markings by number, and what is enabled in each.
//!
//! Readers take no lock. Every table is an array of atomics of a fixed size; it is written to under the lock of
//! whoever fills it, published by a store with release order, and made larger only while nobody reads (`&mut`).
//!
//! A *row* tells what can happen in a local marking. Its cells are, in order:
//!
//! | cell | |
//! | --- | --- |
//! | 0 | how many of the component's own events are enabled, those that change nothing included |
//! | 1 | how many cells of own successors follow; where a component has few own events, which of them are enabled |
//! | 2 | the number of the *pattern*: the set of shared events that are enabled as far as this component goes |
//! | 3… | local successors by the component's own events (where events are kept: successor, event, …; where it has few, a cell for each of them) |
//! | … | local successors by the shared events of the pattern, [`UNKNOWN`] until the event really fires |

use crate::budget::{Budget, Charged, OutOfMemory};
use crate::store::flat::hash_of;
use crate::store::flat::index::Index;
use crate::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A successor that has no number yet.
pub const UNKNOWN: u32 = u32::MAX;

/// Cells before a row's successors.
pub const HEADER: usize = 3;

/// Cells that tables begin with, for each of a few local markings.
const FIRST_CELLS: usize = 4;

/// Fewer cells are few.
const FEW_CELLS: usize = 1 << 14;

/// What readers see of a component.
#[derive(Debug)]
pub struct Tables {
    key_words: usize,
    keys: Charged<AtomicU64>,
    /// What each number owes where a component follows from the others; empty where none does.
    dues: Charged<AtomicU32>,
    has_dues: bool,
    /// What is known of how many tokens each number stands for, plus one; empty where nobody asks for all.
    totals: Charged<AtomicU32>,
    has_totals: bool,
    /// Numbers are below this.
    limit: u32,
    /// Where the row of each number begins, plus 1; 0 if there is none.
    rows: Charged<AtomicU32>,
    cells: Charged<AtomicU32>,
    pattern_words: usize,
    patterns: Charged<AtomicU64>,
    /// For each word of each pattern, how many of the events that touch the component are enabled in those before it.
    before: Charged<AtomicU32>,
}

/// What the writer of a component's tables knows besides.
#[derive(Debug)]
pub struct Filling {
    numbers: u32,
    index: Index,
    cells: usize,
    /// How many rows there are.
    rows: usize,
    patterns: u32,
    pattern_index: Index,
    wants: Wants,
    /// For the next row.
    pub making: Making,
}

/// What it takes to make a row, kept for the next one.
#[derive(Debug, Default)]
pub struct Making {
    /// The local marking.
    pub key: Vec<u64>,
    /// Its enabled events.
    pub enabled: Vec<u32>,
    /// Its pattern.
    pub pattern: Vec<u64>,
    /// The row.
    pub row: Vec<u32>,
}

/// What there was no room for.
#[derive(Clone, Copy, Debug, Default)]
struct Wants {
    numbers: bool,
    cells: usize,
    patterns: bool,
}

/// Why a table could not be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// A table has its size; [`Tables::make_room`] helps.
    Tables,
    /// There is no memory.
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for NoRoom {
    fn from(refusal: OutOfMemory) -> Self {
        Self::Memory(refusal)
    }
}

impl Tables {
    /// Empty tables with room for so many local markings of so many words, and patterns of so many; with dues, if
    /// another component follows from this one and others; with totals, if somebody asks for those of all states.
    pub fn new(
        key_words: usize,
        numbers: usize,
        pattern_words: usize,
        (has_dues, has_totals): (bool, bool),
        budget: &Budget,
    ) -> Result<(Self, Filling), OutOfMemory> {
        let mut tables = Self {
            key_words,
            keys: Charged::new(budget),
            dues: Charged::new(budget),
            has_dues,
            totals: Charged::new(budget),
            has_totals,
            limit: 0,
            rows: Charged::new(budget),
            cells: Charged::new(budget),
            pattern_words,
            patterns: Charged::new(budget),
            before: Charged::new(budget),
        };
        tables.set_limit(numbers as u32)?;
        tables.cells.resize_default(FIRST_CELLS * numbers.min(64))?;
        tables.resize_patterns(2)?;
        let filling = Filling {
            numbers: 0,
            index: Index::new(budget)?,
            cells: 0,
            rows: 0,
            patterns: 0,
            pattern_index: Index::new(budget)?,
            wants: Wants::default(),
            making: Making::default(),
        };
        Ok((tables, filling))
    }

    /// Sets how many numbers there may be; no fewer than there are.
    pub fn set_limit(&mut self, limit: u32) -> Result<(), OutOfMemory> {
        let numbers = limit as usize;
        if numbers > self.rows.len() {
            self.keys.resize_default(numbers * self.key_words)?;
            if self.has_dues {
                self.dues.resize_default(numbers)?;
            }
            if self.has_totals {
                self.totals.resize_default(numbers)?;
            }
            // These tell for how many there is room: after a refusal, for as many as before.
            self.rows.resize_default(numbers)?;
        }
        self.limit = limit;
        Ok(())
    }

    fn resize_patterns(&mut self, patterns: usize) -> Result<(), OutOfMemory> {
        self.before.resize_default(patterns * self.pattern_words)?;
        // The last, because these tell for how many there is room.
        self.patterns.resize_default(patterns * self.pattern_words)
    }

    /// How many numbers there may be.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// The bytes they hold.
    pub fn bytes(&self) -> usize {
        self.keys.bytes()
            + self.dues.bytes()
            + self.totals.bytes()
            + self.rows.bytes()
            + self.cells.bytes()
            + self.patterns.bytes()
            + self.before.bytes()
    }

    /// The bytes of the rows, which can be computed again.
    pub fn row_bytes(&self) -> usize {
        self.cells.bytes()
    }

    /// Reads the local marking with this number.
    #[inline]
    pub fn key(&self, number: u32, into: &mut Vec<u64>) {
        let at = number as usize * self.key_words;
        into.clear();
        into.extend(self.keys[at..at + self.key_words].iter().map(|word| word.load(Ordering::Relaxed)));
    }

    /// One word of the local marking with this number.
    #[inline]
    pub fn key_word(&self, number: u32, word: usize) -> u64 {
        self.keys[number as usize * self.key_words + word].load(Ordering::Relaxed)
    }

    /// Shows the local marking with this number, on the stack where it is short.
    #[inline]
    pub fn with_key<T>(&self, number: u32, show: impl FnOnce(&[u64]) -> T) -> T {
        let mut short = [0; 8];
        if self.key_words <= short.len() {
            for (at, word) in short[..self.key_words].iter_mut().enumerate() {
                *word = self.key_word(number, at);
            }
            show(&short[..self.key_words])
        } else {
            let mut key = Vec::new();
            self.key(number, &mut key);
            show(&key)
        }
    }

    /// What a number owes ([`Following`](super::automata::Following)).
    #[inline(always)]
    pub fn due(&self, number: u32) -> u32 {
        self.dues[number as usize].load(Ordering::Relaxed)
    }

    /// What each number owes; nothing if there is nothing to owe.
    pub fn dues(&self) -> &[AtomicU32] {
        &self.dues
    }

    /// Sets what a number owes, before anybody knows the number.
    pub fn set_due(&self, number: u32, due: u32) {
        self.dues[number as usize].store(due, Ordering::Relaxed);
    }

    /// How many tokens a number stands for, which `count` can tell. Where there is room, it is asked only once.
    #[inline(always)]
    pub fn total(&self, number: u32, count: impl FnOnce() -> i128) -> i128 {
        let known = self.totals.get(number as usize).map_or(0, |total| total.load(Ordering::Relaxed));
        if known != 0 { i128::from(known - 1) } else { self.told(number, count()) }
    }

    /// Keeps how many tokens a number stands for, if that fits.
    #[cold]
    fn told(&self, number: u32, total: i128) -> i128 {
        if let (Some(cell), Ok(short)) = (self.totals.get(number as usize), u32::try_from(total + 1)) {
            cell.store(short, Ordering::Relaxed);
        }
        total
    }

    /// Where the row of a number begins, if it is there.
    #[inline(always)]
    pub fn row(&self, number: u32) -> Option<u32> {
        self.rows[number as usize].load(Ordering::Acquire).checked_sub(1)
    }

    /// Where the row of each number begins, plus 1; 0 if it is not there.
    pub fn rows(&self) -> &[AtomicU32] {
        &self.rows
    }

    /// The words of all patterns.
    pub fn patterns(&self) -> &[AtomicU64] {
        &self.patterns
    }

    /// For each word of all patterns, how many of the events that touch the component are enabled in the words of the
    /// pattern before it.
    pub fn before(&self) -> &[AtomicU32] {
        &self.before
    }

    /// All cells; a row's begin where [`row`](Self::row) says.
    #[inline(always)]
    pub fn cells(&self) -> &[AtomicU32] {
        &self.cells
    }

    /// Words of a pattern.
    pub fn pattern_words(&self) -> usize {
        self.pattern_words
    }

    /// The words of a pattern.
    #[inline(always)]
    pub fn pattern(&self, pattern: u32) -> &[AtomicU64] {
        let at = pattern as usize * self.pattern_words;
        &self.patterns[at..at + self.pattern_words]
    }

    fn key_is(&self, number: u32, key: &[u64]) -> bool {
        let at = number as usize * self.key_words;
        self.keys[at..at + self.key_words].iter().zip(key).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
    }

    fn pattern_is(&self, pattern: u32, words: &[u64]) -> bool {
        self.pattern(pattern).iter().zip(words).all(|(a, b)| a.load(Ordering::Relaxed) == *b)
    }

    /// The number of a local marking, if it has one.
    pub fn find(&self, filling: &Filling, key: &[u64]) -> Option<u32> {
        filling.index.find(hash_of(key), |id| self.key_is(id as u32, key)).ok().map(|id| id as u32)
    }

    /// The number of a local marking, which gets one if it has none.
    pub fn number(&self, filling: &mut Filling, key: &[u64]) -> Result<u32, NoRoom> {
        let hash = hash_of(key);
        let vacancy = match filling.index.find(hash, |id| self.key_is(id as u32, key)) {
            Ok(id) => return Ok(id as u32),
            Err(vacancy) => vacancy,
        };
        let number = filling.numbers;
        if number >= self.limit {
            filling.wants.numbers = true;
            return Err(NoRoom::Tables);
        }
        let mut vacancy = vacancy;
        if filling.index.is_full(u64::from(number) + 1) {
            filling.index.grow(u64::from(number), |id| self.with_key(id as u32, hash_of))?;
            vacancy = filling.index.vacancy(hash);
        }
        let at = number as usize * self.key_words;
        for (cell, word) in self.keys[at..].iter().zip(key) {
            cell.store(*word, Ordering::Relaxed);
        }
        filling.index.fill(vacancy, hash, u64::from(number));
        filling.numbers += 1;
        Ok(number)
    }

    /// The number of a pattern, which gets one if it has none. `touched` has the events that touch the component.
    pub fn pattern_number(
        &self,
        filling: &mut Filling,
        words: &[u64],
        touched: impl Fn(usize) -> u64,
    ) -> Result<u32, NoRoom> {
        let hash = hash_of(words);
        let vacancy = match filling.pattern_index.find(hash, |id| self.pattern_is(id as u32, words)) {
            Ok(id) => return Ok(id as u32),
            Err(vacancy) => vacancy,
        };
        let number = filling.patterns;
        if (number as usize + 1) * self.pattern_words > self.patterns.len() {
            filling.wants.patterns = true;
            return Err(NoRoom::Tables);
        }
        let mut vacancy = vacancy;
        if filling.pattern_index.is_full(u64::from(number) + 1) {
            let hash_of_pattern = |id: u64| {
                let words = self.pattern(id as u32).iter().map(|word| word.load(Ordering::Relaxed));
                hash_of(&words.collect::<Vec<_>>())
            };
            filling.pattern_index.grow(u64::from(number), hash_of_pattern)?;
            vacancy = filling.pattern_index.vacancy(hash);
        }
        let mut count = 0;
        for (word, bits) in words.iter().enumerate() {
            let at = number as usize * self.pattern_words + word;
            self.patterns[at].store(*bits, Ordering::Relaxed);
            self.before[at].store(count, Ordering::Relaxed);
            count += (bits & touched(word)).count_ones();
        }
        filling.pattern_index.fill(vacancy, hash, u64::from(number));
        filling.patterns += 1;
        Ok(number)
    }

    /// Publishes the row of a number; where it begins.
    pub fn publish(&self, filling: &mut Filling, number: u32, row: &[u32]) -> Result<u32, NoRoom> {
        let at = filling.cells;
        let end = at + row.len();
        if end > self.cells.len() || end >= UNKNOWN as usize {
            filling.wants.cells = filling.wants.cells.max(row.len());
            return Err(NoRoom::Tables);
        }
        for (cell, value) in self.cells[at..end].iter().zip(row) {
            cell.store(*value, Ordering::Relaxed);
        }
        filling.cells = end;
        filling.rows += 1;
        self.rows[number as usize].store(at as u32 + 1, Ordering::Release);
        Ok(at as u32)
    }

    /// Makes what was asked for larger. Rows are given up first where they hold more than `most_row_bytes`.
    pub fn make_room(&mut self, filling: &mut Filling, most_row_bytes: usize) -> Result<(), OutOfMemory> {
        let wants = std::mem::take(&mut filling.wants);
        if wants.numbers {
            let more = self.limit.saturating_add(self.limit / 4 + 16).min(UNKNOWN - 1);
            if more <= self.limit {
                return Err(self.refusal());
            }
            self.set_limit(more)?;
        }
        if wants.patterns {
            let old = self.patterns.len() / self.pattern_words;
            self.resize_patterns(old + old / 4 + 2)?;
        }
        if wants.cells > 0 {
            let old = self.cells.len();
            let more = old + (old / 8).max(wants.cells).max(64);
            if more * size_of::<u32>() > most_row_bytes && filling.cells > 0 || more >= UNKNOWN as usize {
                self.drop_rows(filling);
                if wants.cells > self.cells.len() {
                    self.cells.resize_default(wants.cells)?;
                }
            } else {
                // Small tables grow fast, if there is memory: to twice what they have, or what rows for all numbers seem to take.
                let all = (filling.cells / filling.rows.max(1)).saturating_mul(self.limit as usize);
                let fast = if old < FEW_CELLS { all.min(2 * old) } else { old };
                let fast = fast.min(most_row_bytes / size_of::<u32>()).max(more);
                self.cells.resize_default(fast).or_else(|_| self.cells.resize_default(more))?;
            }
        }
        Ok(())
    }

    fn refusal(&self) -> OutOfMemory {
        OutOfMemory { limit: u64::from(UNKNOWN) }
    }

    /// Gives up all rows: they will be computed again where they are needed.
    pub fn drop_rows(&mut self, filling: &mut Filling) {
        self.rows.iter().for_each(|row| row.store(0, Ordering::Relaxed));
        filling.cells = 0;
        filling.rows = 0;
    }
}

impl Filling {
    /// How many local markings have numbers.
    pub fn numbers(&self) -> u32 {
        self.numbers
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.index.bytes() + self.pattern_index.bytes()
    }
}
