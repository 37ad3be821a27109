//! How hard to try. All limits are counts, never seconds, so that the same net gives the same answer on any
//! machine. Bytes are counted, too: they are those of the rows that an analysis keeps, with some allowance for what the
//! allocator adds, not what the process really has in memory.

use crate::farkas::Limit;

/// Asked now and then, while an analysis is under way, whether to go on. What was proven till then is the answer.
pub type GoOn<'a> = &'a dyn Fn() -> bool;

/// Why an analysis gave up before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There would have been more rows (or sets) at a time than allowed.
    Rows,
    /// It took more steps than allowed.
    Work,
    /// Its rows (or sets) would have taken more bytes than allowed.
    Memory,
    /// A number left the range of exact arithmetic.
    Numbers,
    /// Nobody wanted the answer any more.
    Cancelled,
}

impl Stop {
    /// In words, after "because".
    pub fn words(self) -> &'static str {
        match self {
            Self::Rows => "there are too many",
            Self::Work => "it takes too long",
            Self::Memory => "there is no memory for them",
            Self::Numbers => "numbers grow too large",
            Self::Cancelled => "it was stopped",
        }
    }
}

/// Limits of the analyses whose cost can explode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// For P-semiflows.
    pub semiflows: Limit,
    /// For sub-invariants, sought where semiflows leave places unbounded.
    pub sub_invariants: Limit,
    /// For linear programs: the sum of their sizes (nonzeros) that may be solved.
    pub programs: usize,
    /// What may be kept at a time, in bytes; also of linear programs.
    pub bytes: usize,
}

impl Default for Effort {
    /// Some tenths of a second at most on nets with hundreds of nodes.
    fn default() -> Self {
        let (semiflows, sub_invariants) = (Limit::default(), Limit::default());
        Self { semiflows, sub_invariants, programs: 100_000, bytes: usize::MAX }
    }
}

/// What the solver takes for each number of a linear program, as measured on nets of some hundred places.
const PROGRAM_BYTES: usize = 300;

/// Nets with more arcs than this get only what takes time linear in their size.
const LARGE: usize = 1_000_000;

impl Effort {
    /// As hard as a net of its size deserves.
    pub fn for_net(net: &sweepnet_net::Net) -> Self {
        if net.arc_count() > LARGE { Self::LEAST } else { Self::default() }
    }

    /// Only what takes time linear in the net (or nearly so).
    pub const LEAST: Self = Self {
        semiflows: Limit { rows: 0, work: 0, bytes: usize::MAX },
        sub_invariants: Limit { rows: 0, work: 0, bytes: usize::MAX },
        programs: 0,
        bytes: usize::MAX,
    };

    /// The same with no more than so many bytes at a time.
    #[must_use]
    pub fn within(self, bytes: usize) -> Self {
        Self {
            semiflows: self.semiflows.within(bytes),
            sub_invariants: self.sub_invariants.within(bytes),
            bytes: self.bytes.min(bytes),
            ..self
        }
    }

    /// Whether there is memory for a linear program with so many numbers that are not 0.
    pub(crate) fn has_room_for(&self, numbers: usize) -> bool {
        numbers.saturating_mul(PROGRAM_BYTES) <= self.bytes
    }
}
