//! How hard to try. All limits are counts, never seconds, so that the same net gives the same answer on any
//! machine.

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
}

impl Default for Effort {
    /// Some tenths of a second at most on nets with hundreds of nodes.
    fn default() -> Self {
        Self { semiflows: Limit::default(), sub_invariants: Limit::default(), programs: 100_000 }
    }
}

/// Nets with more arcs than this get only what takes time linear in their size.
const LARGE: usize = 1_000_000;

impl Effort {
    /// As hard as a net of its size deserves.
    pub fn for_net(net: &sweepnet_net::Net) -> Self {
        if net.arc_count() > LARGE { Self::LEAST } else { Self::default() }
    }

    /// Only what takes time linear in the net (or nearly so).
    pub const LEAST: Self = Self {
        semiflows: Limit { rows: 0, work: 0 },
        sub_invariants: Limit { rows: 0, work: 0 },
        programs: 0,
    };
}
