//! What guides the search in a window: T-semiflows of which all others are sums.

use sweepnet_net::Net;
use sweepnet_structure::effort::GoOn;
use sweepnet_structure::integrality::{Integrality, integrality};
use sweepnet_structure::{Limit, Structure, transition_semiflows_while};

use crate::WindowPlan;
use crate::budget::Budget;

/// How much work may go into it: some seconds at most.
const LIMIT: Limit = Limit { rows: 20_000, work: 400_000_000, bytes: usize::MAX };

/// Budgets below this get less work: they are for searches that are over soon.
const SMALL_BUDGET: u64 = 256 << 20;

impl WindowPlan {
    /// A plan for a net: its minimal T-semiflows, or the Hilbert basis where these are not enough; within what a budget
    /// has room for.
    pub fn of(net: &Net, structure: &Structure, budget: &Budget, go_on: GoOn<'_>) -> Self {
        let limit = if budget.limit() < SMALL_BUDGET { Limit::default() } else { LIMIT };
        let limit = limit.within(budget.room());
        let semiflows = transition_semiflows_while(&structure.incidence, limit, go_on);
        let (integral, integrality, missing) =
            match integrality(&structure.incidence, &semiflows, limit, go_on) {
                Integrality::Integral(test) => (true, test.words().to_owned(), Vec::new()),
                Integrality::NotIntegral { missing } if missing.is_empty() => {
                    (false, "they are not integral, and the Hilbert basis is too large".to_owned(), missing)
                }
                Integrality::NotIntegral { missing } => {
                    (true, "with the rest of the Hilbert basis".to_owned(), missing)
                }
                Integrality::Unknown(doubt) => (false, doubt.words(), Vec::new()),
            };
        Self {
            semiflows: semiflows.flows.into_iter().chain(missing).collect(),
            integral,
            integrality,
            determined: structure.determined_places(net),
            ..Self::default()
        }
    }
}
