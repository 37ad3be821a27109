//! Exit codes are a contract: 0 holds, 1 violated, 2 usage or input error, 3 undecided.

mod common;

use common::{Folder, example, run};

const PHILOSOPHERS: &str = "philosophers.pnml";

#[test]
fn zero_if_everything_holds() {
    let model = example(PHILOSOPHERS).display().to_string();
    assert_eq!(
        run(&["check", &model, "-p", "invariant #eating1 <= 1", "-p", "reachable #eating1 = 1"]).code,
        0
    );
    assert_eq!(run(&["explore", &model]).code, 0);
    assert_eq!(run(&["info", &model]).code, 0);
}

#[test]
fn one_if_something_is_violated_whatever_else_is_asked() {
    let model = example(PHILOSOPHERS).display().to_string();
    let run = run(&["check", &model, "-p", "safe", "--deadlock", "-p", "reachable #eating1 = 2"]);
    assert_eq!(run.code, 1);
    let verdicts: Vec<&str> = run.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(verdicts.contains(&"holds") && verdicts.contains(&"violated"), "{}", run.stdout);
}

#[test]
fn two_for_usage_and_input_errors_with_a_reason() {
    let folder = Folder::new();
    let model = example(PHILOSOPHERS).display().to_string();
    let empty = folder.file("empty.pnml", "");
    let rubbish = folder.file("rubbish.pnml", [0u8, 159, 146, 150, 1, 2, 3]);
    let unclear = folder.file("unclear", "what is this");
    let missing = folder.path("missing.pnml");
    let a_folder = folder.path("");
    for args in [
        vec!["check", &model],
        vec!["check", &model, "-p", "invariant #nobody <= 1"],
        vec!["check", &model, "-p", "ctl AG EF"],
        vec!["check", &model, "--memory", "much"],
        vec!["explore", &model, "--states", "0"],
        vec!["explore", &model, "--time", "0s"],
        vec!["explore", &model, "--search", "sideways"],
        vec!["explore", &empty],
        vec!["explore", &rubbish],
        vec!["explore", &unclear],
        vec!["explore", &missing],
        vec!["explore", &a_folder],
        vec!["explore", &model, "--net", "another"],
        vec!["graph", &model, "-o", "graph.bmp"],
        vec!["graph", &model, "--condensed", "-o", "graph.aut"],
        vec!["convert", &model, "-o", "net.docx"],
        vec!["nonsense"],
        vec![],
    ] {
        let run = run(&args);
        assert_eq!(run.code, 2, "{args:?}: {}", run.stderr);
        assert!(!run.stderr.trim().is_empty(), "{args:?} says why");
        assert!(run.stdout.is_empty(), "{args:?}: {}", run.stdout);
    }
}

#[test]
fn three_if_a_limit_leaves_something_undecided() {
    let model = example("kanban.pnml").display().to_string();
    assert_eq!(run(&["explore", &model, "--states", "100"]).code, 3);
    let run = run(&["check", &model, "-p", "invariant #Pm1 + #Pm4 <= 5", "--states", "100"]);
    assert_eq!(run.code, 3);
    assert!(run.stdout.starts_with("unknown"), "{}", run.stdout);
    assert!(run.stdout.contains("more than 100 states (--states raises the limit)"), "{}", run.stdout);
}

#[test]
fn a_violation_found_before_the_limit_counts() {
    let model = example("kanban.pnml").display().to_string();
    let run = run(&["check", &model, "-p", "invariant #Pm1 = 0", "-p", "quasi-live", "--states", "5"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("violated") && run.stdout.contains("unknown"), "{}", run.stdout);
}

#[test]
fn an_unbounded_net_is_undecided_and_explained() {
    let model = example("unbounded-producer.lola").display().to_string();
    let run = run(&["explore", &model]);
    assert_eq!(run.code, 3);
    assert!(run.stdout.contains("infinitely many") && run.stdout.contains("grows"), "{}", run.stdout);
}
