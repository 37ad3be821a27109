//! What guides the search in a window: T-semiflows of which all others are sums.

use sweepnet_net::Net;
use sweepnet_structure::effort::GoOn;
use sweepnet_structure::integrality::{Integrality, integrality};
use sweepnet_structure::{Limit, Structure, transition_semiflows_while};

use crate::WindowPlan;

/// How much work may go into it: some seconds at most.
const LIMIT: Limit = Limit { rows: 20_000, work: 400_000_000 };

impl WindowPlan {
    /// A plan for a net: its minimal T-semiflows, or the Hilbert basis where these are not enough.
    pub fn of(net: &Net, structure: &Structure, go_on: GoOn<'_>) -> Self {
        let semiflows = transition_semiflows_while(&structure.incidence, LIMIT, go_on);
        let (integral, integrality, missing) =
            match integrality(&structure.incidence, &semiflows, LIMIT, go_on) {
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
