//! Counts known from outside: the papers' nets, and business processes with their answers.

use std::path::Path;

use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, Report, Statistics, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::shared;

use crate::answers::read;

/// The papers' nets with their published states, arcs and breadth-first levels.
const PAPERS: [(&str, u64, u64, u64); 20] = [
    ("kanban-2", 4_600, 28_120, 29),
    ("kanban-4", 454_475, 3_979_850, 57),
    ("kanban-5", 2_546_432, 24_460_016, 71),
    ("fms-2", 3_444, 16_311, 29),
    ("fms-4", 438_600, 3_166_985, 57),
    ("multipoll-2", 11_328, 75_241, 18),
    ("multipoll-4", 106_280, 779_109, 26),
    ("multipoll-9", 1_943_160, 15_168_764, 46),
    ("mesh2x2-2", 200_544, 1_325_472, 29),
    ("csm-2", 76, 208, 13),
    ("csm-32", 95_876, 495_428, 133),
    ("csm-75", 1_170_704, 6_267_404, 305),
    ("csm-115", 4_162_544, 22_493_084, 465),
    ("readers-writers-4", 90, 245, 13),
    ("readers-writers-32", 64_889, 290_136, 97),
    ("readers-writers-62", 762_384, 3_587_661, 187),
    ("readers-writers-64", 860_145, 4_054_960, 193),
    ("readers-writers-114", 7_927_295, 38_316_160, 343),
    ("readers-writers-128", 12_440_545, 60_347_232, 385),
    ("readers-writers-255", 185_977_536, 0, 0),
];

fn explored(net: &Net) -> (Report, Statistics) {
    let structure = Structure::of(net, Default::default());
    let mut statistics = Statistics::new(net);
    let plan = Plan::knowing(net, &structure);
    let report = explore(net, &plan, &mut Control::unlimited(), &mut statistics);
    (report, statistics)
}

/// What came of comparing some nets: how many agree, and what differs.
#[derive(Debug, Default)]
pub struct Compared {
    /// Nets that agree in everything.
    pub passed: usize,
    /// What does not.
    pub mismatches: Vec<String>,
}

impl Compared {
    fn note(&mut self, name: &str, pairs: &[(&str, Option<u128>, Option<u128>)]) {
        let wrong = pairs.iter().filter(|(_, ours, known)| known.is_some() && ours != known);
        let before = self.mismatches.len();
        self.mismatches
            .extend(wrong.map(|(what, ours, known)| format!("{name}: {what}: {ours:?}, known {known:?}")));
        self.passed += usize::from(self.mismatches.len() == before);
    }
}

/// The papers' nets with at most so many states.
pub fn papers(models: &Path, up_to: u128) -> Compared {
    let mut compared = Compared::default();
    for (name, states, arcs, levels) in PAPERS.iter().filter(|row| u128::from(row.1) <= up_to) {
        let (report, _) = explored(&read(&models.join(format!("paper/{name}.pnml"))));
        let number = |n: u64| Some(u128::from(n));
        compared.note(
            name,
            &[
                ("states", number(report.states), number(*states)),
                ("arcs", number(report.counts.arcs), number(*arcs).filter(|n| *n > 0)),
                ("levels", number(report.counts.depth), number(*levels).filter(|n| *n > 0)),
            ],
        );
    }
    compared
}

/// The business processes with at most so many states.
pub fn processes(models: &Path, up_to: u128) -> Compared {
    let mut compared = Compared::default();
    let folder = models.join("formats/workflow");
    for row in shared::rows(&folder.join("answers.csv")) {
        let field =
            |heading: &str| row.iter().find(|(name, _)| name == heading).map(|(_, value)| value.as_str());
        let known = |heading: &str| field(heading).and_then(|value| value.parse::<u128>().ok());
        let Some(name) = field("instance") else { continue };
        if known("states").is_none_or(|states| states > up_to) {
            continue;
        }
        let (report, statistics) = explored(&read(&folder.join(format!("{name}.pnml"))));
        let number = |n: u64| Some(u128::from(n));
        let in_place = report.maxima.iter().flatten().max().copied().unwrap_or(0);
        compared.note(
            name,
            &[
                ("states", number(report.states), known("states")),
                ("arcs", number(report.counts.arcs), known("edges")),
                ("deadlocks", number(report.counts.deadlocks), known("dead_markings")),
                ("tokens in a marking", Some(statistics.max_total), known("max_tokens_in_marking")),
                ("tokens in a place", number(in_place), known("max_tokens_per_place")),
            ],
        );
    }
    compared
}
