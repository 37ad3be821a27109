//! Which set suits the states found, and how much room its components should have.
//!
//! A bitmap has a bit for each rank, used or not, and is much faster than a table of remainders. It pays to make ranks
//! fit for it: components get little more than the local markings they have if those hardly grow any more.

use crate::set::held::Kind;
use crate::set::{Bitmap, TAG_BITS};

use super::radix::Radix;

/// Bitmaps of up to so many bits are taken without asking how full they will be, until levels shrink.
pub const SMALL_BITMAP: u64 = 1 << 23;

/// No bitmap is made for more ranks than this.
const MOST_IN_BITMAP: u64 = 1 << 38;

/// A bitmap takes over when it has no more than so many bits (and a tag) for each state there is or, as far as can be
/// told, will be. It is left when it has more than one above that; once levels shrink, so that most of it is there, a
/// large one for half of that, and a small one, which is quickly left, for nothing.
const WORTH_A_BITMAP: f64 = 7.0;
const WORTH_KEEPING: f64 = 1.0;

/// While levels still become larger, forecasts are mostly too low: so many times the states may be hoped for, in a
/// bitmap of up to so many bits. If it turns out too large for what there is, it is left again.
const HOPE: f64 = 4.0;
/// Where so many states are found, half as many may be hoped for.
const MUCH: u64 = 1 << 23;
const MOST_IN_HOPE: f64 = (1u64 << 30) as f64;

/// Bits per state of a quotient table besides the logarithm of the ranks for each, and bits of a table without states.
const BESIDE: f64 = 3.0;
const OF_A_TABLE: f64 = 240.0;

/// Room for a component that is full, as a part of what it has.
const ROOM: u32 = 8;

/// Room that a component keeps that is not full, as a part of what it has.
const SPARE: u32 = 16;

/// Which set is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The smallest.
    Best,
    /// This one, where it can be had.
    This(Kind),
}

/// How much of a bitmap there is memory for.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    /// Its ranks.
    pub ranks: f64,
    /// The part of them.
    pub part: f64,
}

impl Touched {
    /// For how many there will be memory where there are so many ranks. In a smaller bitmap no fewer are touched, unless
    /// there are none left.
    fn of(self, ranks: f64) -> f64 {
        (self.part * self.ranks).min(ranks).max(self.part * ranks)
    }
}

/// What is to be expected of the rest of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outlook {
    /// States found.
    pub found: u64,
    /// States in all, most likely at least.
    pub expected: u64,
    /// Whether levels still become larger.
    pub is_rising: bool,
    /// Whether a bitmap was left already because too few states came.
    pub is_disappointed: bool,
}

impl Outlook {
    /// Whether no more than this part of the states found is to come.
    pub fn lacks_at_most_one_in(self, part: u64) -> bool {
        self.expected <= self.found + self.found / part
    }

    /// The states that are counted on: once a bitmap was left in vain, not many more than there are.
    fn believed(self) -> u64 {
        if self.is_disappointed { self.expected.min(self.found + self.found / 4) } else { self.expected }
    }

    /// The ranks that a bitmap may have in hope of states that are not forecast, if so many are worth it for those that
    /// are.
    fn hoped(self, worth: f64) -> f64 {
        let times = if self.found < MUCH { HOPE } else { HOPE / 2.0 };
        match self.is_rising && !self.is_disappointed {
            true => (worth * times).min(MOST_IN_HOPE),
            false => 0.0,
        }
    }
}

impl Wish {
    /// Which kind of set it means, for ranks of this form. If they are in a bitmap already, only what was `touched` of it
    /// counts when levels shrink: hardly any more will be touched later.
    pub fn kind(self, radix: &Radix, tagged: bool, outlook: Outlook, touched: Option<Touched>) -> Kind {
        let tag = if tagged { u64::from(TAG_BITS) } else { 0 };
        match (self, radix.ranks()) {
            (Self::This(Kind::Bitmap), Some(ranks)) if ranks <= MOST_IN_BITMAP => Kind::Bitmap,
            (Self::This(Kind::Bitmap), _) => Kind::Quotient,
            (Self::This(kind), _) => kind,
            (Self::Best, Some(ranks)) => {
                let falls = touched.is_some() && !outlook.is_rising || outlook.is_disappointed;
                let keeping = match touched.is_some() {
                    false => 0.0,
                    true if !falls => WORTH_KEEPING,
                    true if ranks > SMALL_BITMAP => WORTH_KEEPING / 2.0,
                    true => 0.0,
                };
                let most = outlook.believed() as f64 * (WORTH_A_BITMAP + keeping + tag as f64);
                let small = match falls {
                    // For few states there is no smaller set.
                    true => size_in_bits(Kind::Quotient, radix, tagged, outlook.believed()),
                    false => SMALL_BITMAP as f64,
                };
                let ranks = ranks as f64;
                let needed = touched.filter(|_| !outlook.is_rising).map_or(ranks, |it| it.of(ranks));
                let bits = needed * tag.max(1) as f64;
                let does = bits <= small || bits * Bitmap::WITH_PAGES <= most.max(outlook.hoped(most));
                if does { Kind::Bitmap } else { Kind::Quotient }
            }
            (Self::Best, None) => Kind::Quotient,
        }
    }
}

/// Bits that a set of this kind takes for so many states with ranks of this form.
pub fn size_in_bits(kind: Kind, radix: &Radix, tagged: bool, states: u64) -> f64 {
    let tag = if tagged { f64::from(TAG_BITS) } else { 0.0 };
    let states = states.max(1) as f64;
    let beyond = (f64::from(radix.bits()) - states.log2()).max(0.0);
    match kind {
        Kind::Bitmap => radix.log2().exp2() * tag.max(1.0),
        Kind::Quotient => states * (beyond + BESIDE + tag) + OF_A_TABLE,
        Kind::Plain => states * f64::from(radix.words() as u32) * 64.0 * 2.0,
    }
}

/// Capacities to begin with, given those that are probably needed and the local markings seen in a sample: little more
/// than these where they make do with a bitmap, in which it costs little to make room when it is needed.
pub fn to_begin_with(wish: Wish, capacities: &[u32], seen: &[u32], tagged: bool) -> Vec<u32> {
    let little: Vec<u32> =
        capacities.iter().zip(seen).map(|(most, seen)| (seen + seen / ROOM + 2).min(*most)).collect();
    let kind = |capacities: &[u32]| wish.kind(&Radix::new(capacities), tagged, Outlook::default(), None);
    let helps = little.len() == capacities.len() && kind(&little) == Kind::Bitmap;
    if helps { little } else { capacities.to_vec() }
}

/// How local markings grew of late, while the states did by half or more.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    before: Moment,
    last: Moment,
}

#[derive(Clone, Debug, Default)]
struct Moment {
    states: u64,
    counts: Vec<u32>,
}

impl Pace {
    /// So many local markings of each component at so many states.
    pub fn note(&mut self, states: u64, counts: &[u32]) {
        if states / 3 * 2 >= self.last.states || self.last.counts.len() != counts.len() {
            let now = Moment { states, counts: counts.to_vec() };
            self.before = std::mem::replace(&mut self.last, now);
        }
    }

    /// Capacities of components with these counts that leave nothing to spare: as many more as are expected until all
    /// states are found.
    pub fn snug(&self, counts: &[u32], outlook: Outlook) -> Vec<u32> {
        let known = self.before.counts.len() == counts.len() && self.before.states > 0;
        let doublings = |more: u64, less: u64| (more.max(1) as f64 / less.max(1) as f64).log2();
        // What rises is at most halfway.
        let expected = outlook.expected.max(if outlook.is_rising { 2 * outlook.found } else { 0 });
        let (past, future) =
            (doublings(outlook.found, self.before.states), doublings(expected, outlook.found));
        let capacity = |(root, count): (usize, &u32)| {
            let then = if known { self.before.counts[root] } else { 1 };
            let growth = doublings(u64::from(*count), u64::from(then)) / past.max(0.5);
            let more = f64::from(*count) * (growth.clamp(0.0, 1.0) * future.max(0.0)).exp2();
            (more.ceil() as u32).max(*count)
        };
        counts.iter().enumerate().map(capacity).collect()
    }
}

/// Capacities with some more room for components whose tables were made larger because they were full, and less for
/// those that have much to spare; and with nearly nothing to spare for them. (Room for one more is what lets a search go
/// on that needs it in several components at once.)
pub fn with_little_room(capacities: &[u32], tables: &[u32], counts: &[u32]) -> [Vec<u32>; 2] {
    let capacity = |root: usize, spare: u32| {
        let count = counts[root];
        match tables[root] > capacities[root] {
            true => count.saturating_add(count / ROOM + 1),
            false => capacities[root].min(count.saturating_add(spare)),
        }
    };
    let roots = 0..counts.len();
    let some = roots.clone().map(|root| capacity(root, counts[root] / SPARE + 2)).collect();
    [some, roots.map(|root| capacity(root, 1)).collect()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_longer_grows_gets_nothing_to_spare() {
        let mut pace = Pace::default();
        pace.note(1_000, &[10, 100, 7]);
        pace.note(2_000, &[10, 150, 9]);
        pace.note(2_100, &[10, 150, 9]);
        let outlook = Outlook { found: 4_000, expected: 8_000, is_rising: true, ..Outlook::default() };
        assert_eq!(pace.snug(&[10, 400, 7], outlook), [10, 800, 7]);
        assert_eq!(
            with_little_room(&[12, 400, 7, 90], &[12, 500, 7, 90], &[10, 400, 7, 64]),
            [vec![12, 451, 7, 70], vec![11, 451, 7, 65]]
        );
    }

    #[test]
    fn a_bitmap_that_is_touched_in_part_is_kept() {
        let radix = Radix::new(&[1_000, 1_000, 15]);
        let touched = |part| Some(Touched { ranks: 15e6, part });
        let outlook =
            Outlook { found: 2_000_000, expected: 2_000_000, is_rising: false, ..Outlook::default() };
        assert_eq!(Wish::Best.kind(&radix, false, outlook, None), Kind::Quotient);
        assert_eq!(Wish::Best.kind(&radix, false, outlook, touched(1.0)), Kind::Quotient);
        assert_eq!(Wish::Best.kind(&radix, false, outlook, touched(0.95)), Kind::Bitmap);
        assert_eq!(Wish::Best.kind(&radix, true, outlook, touched(1.0)), Kind::Quotient);
        assert_eq!(Wish::Best.kind(&radix, true, outlook, touched(0.2)), Kind::Bitmap);
        let rising = Outlook { is_rising: true, is_disappointed: true, ..outlook };
        assert_eq!(Wish::Best.kind(&radix, true, rising, touched(0.2)), Kind::Quotient);
        // With fewer ranks, as many are touched.
        let (smaller, half) = (Radix::new(&[1_000, 1_000, 16]), Touched { ranks: 32e6, part: 0.5 });
        assert_eq!(Wish::Best.kind(&smaller, false, outlook, Some(half)), Kind::Quotient);
    }
}
