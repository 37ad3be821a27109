//! Whether every T-semiflow is a sum of minimal ones.
//!
//! The fundamental set F = {x₁, …, xₖ} of T-semiflows of minimal support is *integral* iff every T-semiflow, which
//! is a combination c₁·x₁ + … + cₖ·xₖ with rational cᵢ ≥ 0, is one with natural numbers, too. The partial search in
//! a sliding window rests on it. (Transitions with a reset arc are in no T-semiflow, whatever cycles they are part
//! of: where there are any, nothing follows for cycles.) Tests, from cheap to dear:
//!
//! 1. Each xᵢ has a transition of its own, of weight 1: then cᵢ is the weight of that transition.
//! 2. F is totally unimodular by the criterion of A. Schrijver that the paper's Theorem 3 cites: all weights are 1, no
//!    transition is in more than two semiflows, and the semiflows can be coloured with two colours so that those
//!    which share a transition differ. Then {c ≥ 0 | c·F = y} has integer corners.
//! 3. If integer combinations of *either* sign do not reach all integer vectors of the span, natural numbers do not,
//!    either; if they do, and F is linearly independent, the cᵢ are unique, hence integers.
//! 4. F is integral iff it is the [Hilbert basis](crate::hilbert) of the T-semiflows. This decides all that is left,
//!    unless it is too large.

use std::collections::{BTreeSet, HashMap};

use crate::effort::{GoOn, Stop};
use crate::entries::Entries;
use crate::farkas::Limit;
use crate::hilbert::hilbert_basis;
use crate::incidence::Incidence;
use crate::lattice::rank_and_index;
use crate::semiflows::{Semiflow, Semiflows};

/// Whether the T-semiflows of minimal support are integral.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integrality {
    /// They are, by this test.
    Integral(Test),
    /// They are not.
    NotIntegral {
        /// The semiflows of the Hilbert basis that are not of minimal support; empty if they are too many to list.
        missing: Vec<Semiflow>,
    },
    /// That could not be decided.
    Unknown(Doubt),
}

/// What decided that a set is integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// There are no semiflows.
    Empty,
    /// Each has a transition of its own.
    OwnTransitions,
    /// Total unimodularity.
    TotallyUnimodular,
    /// They are independent, and reach every integer vector of their span.
    Independent,
    /// They are the Hilbert basis.
    HilbertBasis,
}

/// Why integrality could not be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Not all semiflows of minimal support are known.
    NotAllKnown(Stop),
    /// The Hilbert basis could not be computed.
    TooLarge(Stop),
}

impl Test {
    /// In words, after "because".
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => "there are none",
            Self::OwnTransitions => "each has a transition of its own",
            Self::TotallyUnimodular => "they are totally unimodular",
            Self::Independent => "they are independent and generate all integer solutions",
            Self::HilbertBasis => "they are the Hilbert basis",
        }
    }
}

impl Doubt {
    /// In words, after "because".
    pub fn words(self) -> String {
        match self {
            Self::NotAllKnown(stop) => format!("not all of them are known: {}", stop.words()),
            Self::TooLarge(stop) => format!("the Hilbert basis was not computed: {}", stop.words()),
        }
    }
}

/// Decides whether the T-semiflows are integral, within the limits.
pub fn integrality(
    incidence: &Incidence,
    semiflows: &Semiflows,
    limit: Limit,
    go_on: GoOn<'_>,
) -> Integrality {
    if !semiflows.complete {
        return Integrality::Unknown(Doubt::NotAllKnown(semiflows.stopped.unwrap_or(Stop::Work)));
    }
    let flows = &semiflows.flows;
    let cheap = [
        (Test::Empty, flows.is_empty()),
        (Test::OwnTransitions, each_has_its_own(flows)),
        (Test::TotallyUnimodular, is_totally_unimodular(flows)),
    ];
    if let Some((test, _)) = cheap.iter().find(|(_, holds)| *holds) {
        return Integrality::Integral(*test);
    }
    let (rank, index) = match rank_and_index(&rows(flows), &mut { limit }, go_on) {
        Ok(it) => it,
        Err(Stop::Cancelled) => return Integrality::Unknown(Doubt::TooLarge(Stop::Cancelled)),
        // Without an answer of its own, the next test has to decide.
        Err(_) => (0, 1),
    };
    if rank == flows.len() && index == 1 {
        return Integrality::Integral(Test::Independent);
    }
    match hilbert_basis(incidence, semiflows, limit, go_on) {
        Ok(basis) if basis == *flows => Integrality::Integral(Test::HilbertBasis),
        Ok(basis) => {
            let minimal: BTreeSet<&Semiflow> = flows.iter().collect();
            Integrality::NotIntegral {
                missing: basis.into_iter().filter(|it| !minimal.contains(it)).collect(),
            }
        }
        Err(_) if index > 1 => Integrality::NotIntegral { missing: Vec::new() },
        Err(stop) => Integrality::Unknown(Doubt::TooLarge(stop)),
    }
}

fn rows(flows: &[Semiflow]) -> Vec<Entries> {
    let row = |flow: &Semiflow| flow.weights.iter().map(|(t, w)| (*t as u32, i128::from(*w))).collect();
    flows.iter().map(row).collect()
}

/// The semiflows that each transition is in.
fn users(flows: &[Semiflow]) -> HashMap<usize, Vec<usize>> {
    let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, flow) in flows.iter().enumerate() {
        for transition in flow.support() {
            users.entry(transition).or_default().push(i);
        }
    }
    users
}

fn each_has_its_own(flows: &[Semiflow]) -> bool {
    let users = users(flows);
    flows.iter().all(|flow| flow.weights.iter().any(|(t, weight)| *weight == 1 && users[t].len() == 1))
}

fn is_totally_unimodular(flows: &[Semiflow]) -> bool {
    let users = users(flows);
    let ones = flows.iter().flat_map(|flow| &flow.weights).all(|(_, weight)| *weight == 1);
    if !ones || users.values().any(|users| users.len() > 2) {
        return false;
    }
    let mut colours: Vec<Option<bool>> = vec![None; flows.len()];
    for start in 0..flows.len() {
        if colours[start].is_some() {
            continue;
        }
        colours[start] = Some(false);
        let mut open = vec![start];
        while let Some(flow) = open.pop() {
            for other in
                flows[flow].support().flat_map(|t| &users[&t]).copied().filter(|other| *other != flow)
            {
                if colours[other].is_none() {
                    colours[other] = colours[flow].map(|colour| !colour);
                    open.push(other);
                } else if colours[other] == colours[flow] {
                    return false;
                }
            }
        }
    }
    true
}
