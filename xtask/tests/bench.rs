//! The benchmark on a small net: figures of both engines, in a file that later runs are compared with.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::Value;
use sweepnet_space::{Control, Plan, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::shared;
use xtask::bench::Figures;
use xtask::bench::coloured::{On, unfolded};
use xtask::bench::promises::too_many_bits;
use xtask::bench::subjects::{Given, SUBJECTS, Subject};

fn bench(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("bench").args(arguments).output().expect("the program starts")
}

#[test]
fn figures_are_printed_written_and_compared() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench.json");
    let file = file.to_str().expect("the path is text");
    let first = bench(&["--filter", "Railway 2x100", "--runs", "2", "--json", file]);
    let text = String::from_utf8_lossy(&first.stdout);
    assert!(first.status.success() && text.contains("9,900") && text.contains("19,600"), "{first:?}");

    let written = std::fs::read_to_string(file).expect("it was written");
    let written: Value = serde_json::from_str(&written).expect("it is JSON");
    let row = &written["rows"][0];
    for engine in ["ours", "naive"] {
        assert_eq!(
            (row[engine]["states"].as_u64(), row[engine]["arcs"].as_u64()),
            (Some(9_900), Some(19_600))
        );
        for figure in ["cpu_seconds", "wall_seconds", "states_per_cpu_second", "peak_resident_bytes"] {
            assert!(row[engine][figure].as_f64().is_some_and(|number| number > 0.0), "{engine} {figure}");
        }
    }
    assert!(row["ours"]["bits_per_state"].as_f64().is_some_and(|bits| bits > 10.0));

    let second = bench(&["--filter", "Railway 2x100", "--no-naive", "--markdown", "--compare", file]);
    let text = String::from_utf8_lossy(&second.stdout);
    assert!(second.status.success() && text.contains("| Railway 2x100 | 1 | 9,900 | 19,600 |"), "{second:?}");
    assert!(text.contains("old / new"), "{text}");
}

#[test]
fn a_name_that_no_net_has_is_an_error() {
    assert!(!bench(&["--filter", "no such net"]).status.success());
}

#[test]
fn the_contests_nets_have_the_states_that_its_tools_agreed_on() {
    for instance in shared::contest() {
        if let Some(subject) = SUBJECTS.iter().find(|subject| subject.name == instance.name) {
            assert_eq!(instance.number("states"), Some(subject.states.into()), "{}", subject.name);
        }
    }
}

#[test]
fn every_name_is_the_nets_own() {
    for subject in SUBJECTS.iter().filter(|subject| !subject.name.contains("-PT-")) {
        match subject.given() {
            Given::Plain(net) => assert_eq!(net.name, subject.name),
            // The file's name, its parameter, and on what it is explored.
            Given::Coloured(net, on) => {
                assert!(!net.places.is_empty());
                let ending = if on == On::Unfolding { " unfolded" } else { " coloured" };
                assert!(subject.name.ends_with(ending), "{}", subject.name);
            }
        }
    }
}

#[test]
fn the_twin_has_a_smaller_net_where_one_is_named() {
    for subject in SUBJECTS {
        let Some(smaller) = subject.smaller else { continue };
        let smaller = Subject::named(smaller).expect("it is among the nets");
        assert!(smaller.states < subject.states && smaller.smaller.is_none(), "{}", subject.name);
    }
}

#[test]
fn coloured_nets_are_measured_on_both_engines() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coloured.json");
    let file = file.to_str().expect("the path is text");
    let output = bench(&["--filter", "leader 9", "--json", file]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.matches("11,775").count() == 2, "{output:?}");
    let written = std::fs::read_to_string(file).expect("it was written");
    let written: Value = serde_json::from_str(&written).expect("it is JSON");
    for (row, name) in ["leader 9 unfolded", "leader 9 coloured"].iter().enumerate() {
        let row = &written["rows"][row];
        assert_eq!(row["net"], *name);
        assert!(row["naive_cpu_ratio"].as_f64().is_some_and(|ratio| ratio > 0.0), "{row}");
    }
    assert!(written["rows"][0]["ours"]["unfolding_cpu_seconds"].is_number());
}

#[test]
fn sets_of_ranks_take_no_more_bits_than_promised() {
    let mut looked_at = 0;
    for subject in SUBJECTS.iter().filter(|subject| subject.states <= 1_000_000 && subject.is_available()) {
        let net = match subject.given() {
            Given::Plain(net) => Arc::from(net),
            Given::Coloured(net, On::Unfolding) => unfolded(&net).expect("it can be unfolded").net,
            Given::Coloured(_, On::Markings) => continue,
        };
        let structure = Structure::of(&net, Default::default());
        let plan = Plan { threads: Some(1), ..Plan::knowing(&net, &structure) };
        let report = explore(&net, &plan, &mut Control::unlimited(), &mut ());
        assert_eq!(report.states, subject.states, "{}", subject.name);
        assert_eq!(too_many_bits(&Figures::of(&report)), None, "{}", subject.name);
        looked_at += u32::from(report.components.is_some());
    }
    assert!(looked_at > 12, "{looked_at}");
}
