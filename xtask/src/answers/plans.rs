//! In which ways a net is explored.

use sweepnet_logic::progress::weighted;
use sweepnet_net::Net;
use sweepnet_space::progress::Measure;
use sweepnet_space::{CodecChoice, Plan, SearchChoice, StoreChoice, SweepPlan};
use sweepnet_structure::Structure;

/// In how many ways a net is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// As `auto` does.
    Usual,
    /// By every search but the sweep, and every codec.
    All,
    /// By sweeps, along simple measures.
    Swept,
    /// As `auto` does, but in this store and with so many threads.
    In {
        /// The store.
        store: StoreChoice,
        /// Threads; as many as there are cores, if nothing is said.
        threads: Option<usize>,
    },
}

impl Ways {
    /// The plans for a net.
    pub(super) fn plans(self, net: &Net, structure: &Structure) -> Vec<Plan> {
        let usual = Plan::knowing(net, structure);
        match self {
            Self::Usual => vec![usual],
            Self::In { store, threads } => vec![Plan { store, threads, ..usual }],
            Self::All => {
                let searches = [SearchChoice::BreadthFirst, SearchChoice::DepthFirst];
                let plan = |search, codec| Plan { search, codec, ..usual.clone() };
                let codecs = |search| CodecChoice::ALL[1..].iter().map(move |codec| (search, *codec));
                searches.into_iter().flat_map(codecs).map(|(search, codec)| plan(search, codec)).collect()
            }
            Self::Swept => {
                let by = |measure| Plan {
                    search: SearchChoice::Sweep,
                    sweep: Some(SweepPlan::by(measure)),
                    ..usual.clone()
                };
                measures(net).into_iter().map(by).collect()
            }
        }
    }
}

/// Measures that anybody could think of: none, what is no longer where it was at first, and the tokens of the first place
/// that are gone, and of the last that have come.
fn measures(net: &Net) -> Vec<Measure> {
    let places = net.places().len();
    let initial = net.initial_marking();
    let of_one = |wanted: usize, weight| (0..places).map(|p| if p == wanted { weight } else { 0 }).collect();
    let departed: Vec<i64> = initial.tokens().iter().map(|tokens| -i64::from(*tokens > 0)).collect();
    let weights: [Vec<i64>; 3] = [departed, of_one(0, -1), of_one(places.saturating_sub(1), 1)];
    let measures = weights.iter().map(|weights| weighted(net, weights));
    std::iter::once(Measure::constant()).chain(measures).collect()
}
