//! Counts known from outside: the papers' nets, and business processes with their answers.

use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, Report, Statistics, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::shared;
use xtask::answers::read;

fn explored(net: &Net) -> (Report, Statistics) {
    let structure = Structure::of(net, Default::default());
    let mut statistics = Statistics::new(net);
    let report = explore(net, &Plan::knowing(net, &structure), &mut Control::unlimited(), &mut statistics);
    assert!(report.is_complete(), "{}", net.name);
    (report, statistics)
}

#[test]
fn the_papers_nets_have_their_published_counts() {
    let Some(models) = shared::models() else { return };
    // States, arcs, breadth-first levels.
    for (name, states, arcs, levels) in [
        ("kanban-2", 4_600, 28_120, 29),
        ("kanban-4", 454_475, 3_979_850, 57),
        ("fms-2", 3_444, 16_311, 29),
        ("fms-4", 438_600, 3_166_985, 57),
        ("multipoll-2", 11_328, 75_241, 18),
        ("multipoll-4", 106_280, 779_109, 26),
        ("mesh2x2-2", 200_544, 1_325_472, 29),
        ("csm-2", 76, 208, 13),
        ("csm-32", 95_876, 495_428, 133),
        ("readers-writers-4", 90, 245, 13),
        ("readers-writers-32", 64_889, 290_136, 97),
        ("readers-writers-64", 860_145, 4_054_960, 193),
    ] {
        let (report, _) = explored(&read(&models.join(format!("paper/{name}.pnml"))));
        let counts = (report.states, report.counts.arcs, report.counts.depth);
        assert_eq!(counts, (states, arcs, levels), "{name}");
    }
}

#[test]
fn business_processes_have_their_known_counts() {
    let Some(models) = shared::models() else { return };
    let folder = models.join("formats/workflow");
    let mut compared = 0;
    for row in shared::rows(&folder.join("answers.csv")) {
        let field =
            |heading: &str| row.iter().find(|(name, _)| name == heading).map(|(_, value)| value.as_str());
        let number = |heading: &str| field(heading).and_then(|value| value.parse::<u128>().ok());
        let Some(name) = field("instance") else { continue };
        let Some(states) = number("states").filter(|states| *states <= 50_000) else { continue };
        let (report, statistics) = explored(&read(&folder.join(format!("{name}.pnml"))));
        assert_eq!(u128::from(report.states), states, "{name}");
        assert_eq!(Some(u128::from(report.counts.arcs)), number("edges"), "{name}");
        assert_eq!(Some(u128::from(report.counts.deadlocks)), number("dead_markings"), "{name}");
        assert_eq!(Some(statistics.max_total), number("max_tokens_in_marking"), "{name}");
        let in_place = report.maxima.iter().flatten().max().copied().unwrap_or(0);
        assert_eq!(Some(u128::from(in_place)), number("max_tokens_per_place"), "{name}");
        compared += 1;
    }
    println!("{compared} nets compared");
    assert!(compared > 50);
}
