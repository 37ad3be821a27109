//! The window on the command line: exact counts in an array of a given size, honest answers, and the choice of a search.

mod common;

use common::{example, run};

fn kanban() -> String {
    example("kanban.pnml").display().to_string()
}

#[test]
fn a_window_counts_exactly_in_an_array_of_the_size_that_is_asked_for() {
    let run = run(&["explore", &kanban(), "--search", "window", "--window", "64K", "--json"]);
    let json = run.json();
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!((&json["states"], &json["arcs"]), (&58_400.into(), &446_400.into()));
    let window = &json["window"];
    assert_eq!(
        (&window["semiflows"], &window["levels"], &window["bytes"]),
        (&5.into(), &8.into(), &65_536.into())
    );
    assert_eq!((&window["complete"], &window["integral"]), (&true.into(), &true.into()));
    assert!(window["rounds"].as_u64() > Some(0) && window["used_bytes"].as_u64() <= Some(65_536));
}

#[test]
fn a_window_that_outgrows_its_memory_tells_what_it_covered() {
    let run = run(&[
        "check",
        &kanban(),
        "--search",
        "window",
        "--window",
        "8K",
        "-p",
        "reachable #Pout1 * #Pout2 = 12",
        "-p",
        "reachable #Pm4 = 1",
    ]);
    assert_eq!(run.code, 3, "{}", run.stdout);
    assert!(run.stdout.contains("--window raises it"), "{}", run.stdout);
    // What is found is found.
    assert!(run.stdout.contains("holds     reachable #Pm4 = 1  [window]"), "{}", run.stdout);
}

#[test]
fn a_violation_has_a_trace() {
    let philosophers = example("philosophers.pnml").display().to_string();
    let run = run(&["check", &philosophers, "--search", "window", "--deadlock"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("violated  deadlock-free  [window]"), "{}", run.stdout);
    assert!(run.stdout.contains("counterexample, 5 steps:"), "{}", run.stdout);
}

#[test]
fn what_a_window_cannot_take_is_named() {
    let clock = example("timed.snet").display().to_string();
    let timed = run(&["explore", &clock, "--search", "window"]);
    assert_eq!(timed.code, 2);
    assert!(timed.stderr.contains("--search window is for place/transition nets"), "{}", timed.stderr);
    let without = run(&["explore", &kanban(), "--window", "1M"]);
    assert_eq!(without.code, 2);
    assert!(without.stderr.contains("--window is the memory of --search window"), "{}", without.stderr);
    let machine = example("vending-machine.pnml").display().to_string();
    let resets = run(&["explore", &machine, "--search", "window"]);
    assert_eq!(resets.code, 3, "{}", resets.stderr);
    assert!(resets.stdout.contains("reset arcs"), "{}", resets.stdout);
}

#[test]
fn the_choice_of_a_search_is_explained() {
    let small = run(&["explore", &kanban(), "--memory", "200M", "--explain"]);
    assert_eq!(small.code, 0);
    assert!(small.stderr.contains("note: chose "), "{}", small.stderr);
    let json = run(&["explore", &kanban(), "--memory", "200M", "--explain", "--json"]).json();
    let said = json["warnings"].to_string();
    assert!(said.contains("chose "), "{said}");
    assert!(json["choice"].as_str().is_some_and(|line| line.starts_with("chose ")), "{}", json["choice"]);
}
