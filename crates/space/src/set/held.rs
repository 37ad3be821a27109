//! The set of a run, whichever it is.

use super::bitmap::Bitmap;
use super::runs::Runs;
use super::{Plain, Quotient, RankSet, Shape, TAG_BITS};
use crate::Full;

/// Ranks of any width, as they are handed from one set to another.
pub type AnyRank = [u64; 4];

/// One of the exact sets, for ranks of one, two or four words.
#[derive(Debug)]
pub enum Held {
    /// One bit for each rank there is.
    Bitmap(Bitmap),
    /// Remainders.
    Quotient1(Quotient<1>),
    /// The same, for ranks of two words.
    Quotient2(Quotient<2>),
    /// The same, for ranks of up to four words.
    Quotient4(Quotient<4>),
    /// Whole ranks.
    Plain1(Plain<1>),
    /// The same, for ranks of two words.
    Plain2(Plain<2>),
    /// The same, for ranks of up to four words.
    Plain4(Plain<4>),
}

/// Bytes that members may take while they wait on their way from one set to another: the least, the most, and how many
/// for each of those the set has. (A member that waits takes a few times as much as one in a table. Where all can wait,
/// each part of the new set is made once, in the size it needs, and never grows.)
const LEAST_INTAKE: usize = 256 << 10;
const MOST_INTAKE: usize = 16 << 20;
const FOR_EACH_BYTE: usize = 3;

/// Runs of ranks that are moved together, at most, for each member of a bitmap.
const RUNS_FOR_EACH: u64 = 8;

/// More parts of a set than this do not make moving it any smaller: what allocators hold back counts as well.
const MOST_PARTS: usize = 16;

/// Which of the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Bitmap`].
    Bitmap,
    /// [`Quotient`].
    Quotient,
    /// [`Plain`].
    Plain,
}

/// Calls something generic over the set and the words of its ranks.
macro_rules! with_set {
    ($held:expr, $set:ident, $words:ident => $body:expr) => {
        match $held {
            $crate::set::held::Held::Bitmap($set) => {
                const $words: usize = 1;
                $body
            }
            $crate::set::held::Held::Quotient1($set) => {
                const $words: usize = 1;
                $body
            }
            $crate::set::held::Held::Quotient2($set) => {
                const $words: usize = 2;
                $body
            }
            $crate::set::held::Held::Quotient4($set) => {
                const $words: usize = 4;
                $body
            }
            $crate::set::held::Held::Plain1($set) => {
                const $words: usize = 1;
                $body
            }
            $crate::set::held::Held::Plain2($set) => {
                const $words: usize = 2;
                $body
            }
            $crate::set::held::Held::Plain4($set) => {
                const $words: usize = 4;
                $body
            }
        }
    };
}
pub(crate) use with_set;

impl Held {
    /// An empty set for ranks of so many words. `ranks` tells how many there are, where that fits a word; without
    /// it there is no bitmap.
    pub fn new(kind: Kind, words: usize, ranks: Option<u64>, shape: &Shape) -> Result<Self, Full> {
        // A tag takes room in a rank's words.
        let tag_bits = if shape.tagged { TAG_BITS } else { 0 };
        let words = words.max((shape.bits + tag_bits).div_ceil(64) as usize);
        Ok(match (kind, words, ranks) {
            (Kind::Bitmap, 1, Some(ranks)) => Self::Bitmap(Bitmap::with_ranks(ranks, shape)?),
            (Kind::Quotient | Kind::Bitmap, 1, _) => Self::Quotient1(Quotient::new(shape)?),
            (Kind::Quotient | Kind::Bitmap, 2, _) => Self::Quotient2(Quotient::new(shape)?),
            (Kind::Quotient | Kind::Bitmap, _, _) => Self::Quotient4(Quotient::new(shape)?),
            (Kind::Plain, 1, _) => Self::Plain1(Plain::new(shape)?),
            (Kind::Plain, 2, _) => Self::Plain2(Plain::new(shape)?),
            (Kind::Plain, _, _) => Self::Plain4(Plain::new(shape)?),
        })
    }

    /// Which it is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Bitmap(_) => Kind::Bitmap,
            Self::Quotient1(_) | Self::Quotient2(_) | Self::Quotient4(_) => Kind::Quotient,
            Self::Plain1(_) | Self::Plain2(_) | Self::Plain4(_) => Kind::Plain,
        }
    }

    /// The words of its ranks.
    pub fn words(&self) -> usize {
        with_set!(self, _set, W => W)
    }

    /// How many members there are.
    pub fn len(&self) -> u64 {
        with_set!(self, set, _W => set.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        with_set!(self, set, _W => set.bytes())
    }

    /// Whether it is divided into far too few parts for so many members.
    pub fn is_coarse(&self, members: u64) -> bool {
        with_set!(self, set, _W => set.is_coarse(members))
    }

    /// The bytes of a part of it that is moved or grows alone.
    fn part_bytes(&self) -> usize {
        with_set!(self, set, _W => set.bytes() / set.parts().clamp(1, MOST_PARTS))
    }

    /// The part of its bits that a bitmap has memory for; nothing if it is none.
    pub fn touched(&self) -> Option<f64> {
        match self {
            Self::Bitmap(bitmap) => Some(bitmap.touched()),
            _ => None,
        }
    }

    /// Shows every member.
    pub fn each(&self, visit: &mut dyn FnMut(AnyRank)) {
        with_set!(self, set, W => set.each(&mut |rank: [u64; W]| visit(widened(rank))));
    }

    /// Moves all members into another set, translated on the way, giving memory back. What waits on the way may take so
    /// many bytes (see [`intakes`](Self::intakes)).
    ///
    /// What the allocator is given back it need not pass on to the system, and counts until somebody looks what the
    /// process really has: that is done now and then.
    pub fn pour_into(
        self,
        other: &Self,
        translation: &mut impl Translation,
        shape: &Shape,
        intake: usize,
    ) -> Result<(), Full> {
        let (budget, count) = (&shape.budget, self.len());
        let look = (count / 16).max(1 << 10);
        // Where members are few and far between, it is quicker to go from one to the next.
        let runs = translation.runs().filter(|runs| runs.count() <= count.saturating_mul(RUNS_FOR_EACH));
        let this = match (self, other, runs) {
            (Self::Bitmap(from), Self::Bitmap(to), Some(runs)) => return from.stretch_into(to, &runs),
            (this, _, _) => this,
        };
        let mut moved = 0;
        with_set!(this, from, W => with_set!(other, to, V => to.fill(count, intake, |take| {
            from.drain(&mut |rank: [u64; W], tag| {
                moved += 1;
                if moved % look == 0 {
                    budget.catch_up();
                }
                take(translation.translate::<W, V>(rank), tag)
            })
        })))
    }

    /// How many bytes members may take that wait on their way to another set: as many as make it fast, and the least
    /// that will do. Nobody waits for a bitmap.
    pub fn intakes(&self, to: Kind) -> [usize; 2] {
        match to {
            Kind::Bitmap => [0, 0],
            _ => [(self.bytes() * FOR_EACH_BYTE).clamp(LEAST_INTAKE, MOST_INTAKE), LEAST_INTAKE],
        }
    }

    /// The bytes it takes to move the members elsewhere, beside what one set takes.
    pub fn in_motion(&self, intake: usize) -> usize {
        // Members that wait, and what the old set has given back to the allocator only; and a part of the new one may
        // be growing.
        intake + self.part_bytes() + (64 << 10)
    }
}

/// How ranks become other ranks.
pub trait Translation {
    /// The rank that another one becomes.
    fn translate<const W: usize, const V: usize>(&mut self, rank: [u64; W]) -> [u64; V];

    /// Which ranks move together, where it is a matter of strides and ranks have one word.
    fn runs(&self) -> Option<Runs> {
        None
    }
}

/// A rank with as many words as any may have.
pub fn widened<const W: usize>(rank: [u64; W]) -> AnyRank {
    let mut wide = [0; 4];
    wide[..W].copy_from_slice(&rank);
    wide
}

/// A rank with only so many words.
pub fn narrowed<const W: usize>(rank: AnyRank) -> [u64; W] {
    let mut narrow = [0; W];
    narrow.copy_from_slice(&rank[..W]);
    narrow
}
