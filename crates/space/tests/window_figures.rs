//! The figures of the paper on partial search with T-semiflows, as far as they are small; `cargo xtask window --large` has
//! the rest.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use sweepnet_formats::{Format, Model};
use sweepnet_net::Net;
use sweepnet_space::budget::Budget;
use sweepnet_space::{Control, Plan, Report, SearchChoice, WindowPlan, explore};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::shared;
use sweepnet_testkit::window_figures::{CIRCULAR, COUNTS, PROFILES, SLOT};

fn read(path: &Path) -> Net {
    let file = BufReader::new(File::open(path).expect("the net is there"));
    let document = sweepnet_formats::read(file, Format::Pnml, &Default::default()).expect("it can be read");
    match document.model {
        Model::Plain(net) => net,
        Model::Coloured(_) => panic!("{} is coloured", path.display()),
    }
}

/// Does something with each net of the list, its structure, and what guides the search.
fn each<T>(
    list: impl IntoIterator<Item = (String, T)>,
    mut then: impl FnMut(T, &Net, &Structure, WindowPlan),
) {
    let Some(models) = shared::models() else {
        return println!("skipped: the shared models are not there");
    };
    for (name, known) in list {
        println!("{name}");
        let net = read(&models.join(format!("paper/{name}.pnml")));
        let structure = Structure::of(&net, Effort::default());
        let plan = WindowPlan::of(&net, &structure, &Budget::of(u64::MAX), &|| true);
        then(known, &net, &structure, plan);
    }
}

fn search(net: &Net, structure: &Structure, window: WindowPlan) -> Report {
    let plan = Plan { search: SearchChoice::Window, window: Some(window), ..Plan::knowing(net, structure) };
    explore(net, &plan, &mut Control::unlimited(), &mut ())
}

#[test]
fn structure_is_that_of_figure_3() {
    each(PROFILES.map(|row| (row.net.to_owned(), row)), |row, net, _, plan| {
        let window = plan.semiflows.iter().map(|flow| flow.rank()).max();
        assert_eq!((net.transitions().len(), net.places().len()), (row.transitions, row.places));
        assert_eq!((plan.semiflows.len(), window), (row.semiflows, Some(row.window)));
        assert!(plan.integral, "{}", plan.integrality);
    });
}

#[test]
fn counts_are_those_of_figure_4_with_the_flag_up() {
    let small = COUNTS.into_iter().filter(|(_, markings)| *markings < 1_200_000);
    each(small.map(|(name, markings)| (name.to_owned(), markings)), |markings, net, structure, plan| {
        let report = search(net, structure, WindowPlan { bytes: Some(4 << 20), ..plan });
        assert_eq!((report.stopped, report.distinct()), (None, Some(markings)));
        assert_eq!(report.windowed.map(|windowed| windowed.dropped), Some(0));
    });
}

#[test]
fn circular_memory_is_used_as_in_figure_5() {
    let small = CIRCULAR.into_iter().filter(|row| row.processes <= 64);
    let rows = small.map(|row| (format!("readers-writers-{}", row.processes), row));
    each(rows, |row, net, structure, plan| {
        let bytes = Some(row.bytes);
        let report = search(net, structure, WindowPlan { bytes, slot: Some(SLOT), ..plan.clone() });
        let windowed = report.windowed.expect("it was a window");
        assert_eq!(windowed.overflowed, row.overflow);
        assert_eq!(report.states + u64::from(row.overflow), row.markings);
        assert_eq!(windowed.rounds, row.rounds);
        // Ours needs less than a third of what the paper's does.
        let third = Some(row.bytes / 3);
        let report = search(net, structure, WindowPlan { bytes: third, ..plan });
        assert_eq!(report.stopped, None, "in a third of {} bytes", row.bytes);
    });
}
