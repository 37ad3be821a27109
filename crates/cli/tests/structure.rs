//! What `info` tells of semiflows, siphons and the state equation.

mod common;

use common::{Folder, example, run};

fn philosophers() -> String {
    example("philosophers.pnml").display().to_string()
}

#[test]
fn lists_are_shown_when_asked_for() {
    let model = philosophers();
    let summary = run(&["info", &model]).stdout;
    assert!(summary.contains("P-semiflows          10 minimal\n"), "{summary}");
    assert!(summary.contains("T-semiflows          5 minimal, largest rank 3; integral: "), "{summary}");
    assert!(summary.contains("; 1 without a marked trap\n"), "{summary}");
    assert!(!summary.contains("(rank 3)") && !summary.contains("has a marked trap)"), "{summary}");
    let listed = run(&["info", &model, "--semiflows", "--siphons"]).stdout;
    assert_eq!(listed.matches("  (rank 3)\n").count(), 5, "{listed}");
    assert!(listed.contains("  (has no marked trap)\n"), "{listed}");
}

#[test]
fn json_has_all_of_it() {
    let json = run(&["info", &philosophers(), "--json"]).json();
    let cycles = &json["transition_semiflows"];
    assert_eq!((&cycles["integral"], &cycles["window"]), (&true.into(), &3.into()));
    assert_eq!(cycles["flows"][0]["rank"], 3);
    assert_eq!(json["structural"]["structurally_bounded"]["holds"], true);
    assert_eq!(json["place_invariants"]["basis"].as_array().map(Vec::len), Some(10));
    assert_eq!(json["siphons"]["emptiable"].as_array().map(Vec::len), Some(10));
    assert_eq!(json["siphons"]["deadlock_free"], serde_json::Value::Null);
    assert_eq!(json["traps"]["stopped"], serde_json::Value::Null);
    assert!(json["bounds"]["eating1"]["proof"].is_string());
}

#[test]
fn the_state_equation_is_asked_about_places() {
    let model = philosophers();
    let ask = |target: &str| run(&["info", &model, "--json", "--state-equation", target]).json();
    let equation = ask("#eating1 = 1 and #eating2 >= 1")["state_equation"].clone();
    assert_eq!((&equation["solution"], &equation["proof"]), (&"none".into(), &"weights".into()));
    let equation = ask("#eating1 = 1 and #eating3 > 0")["state_equation"].clone();
    assert_eq!(equation["solution"], "integers");
    assert!(equation["firings"]["weights"].as_object().is_some_and(|firings| !firings.is_empty()));
    let equation = ask("#eating1 < 0")["state_equation"].clone();
    assert_eq!((&equation["solution"], &equation["proof"]), (&"none".into(), &"contradiction".into()));
    for target in ["#eating1 = 1 or #eating2 = 1", "#eating1 + #eating2 = 1", "deadlock", "#nobody = 1", "("]
    {
        let run = run(&["info", &model, "--state-equation", target]);
        assert_eq!(run.code, 2, "{target}");
        assert!(!run.stderr.is_empty(), "{target}");
    }
}

#[test]
fn time_ends_analyses_with_what_they_have() {
    let (folder, model) = (Folder::new(), example("eratos.snet").display().to_string());
    // There is nothing to analyse before it is unfolded.
    let early = run(&["info", &model, "--set", "N=40", "--time", "1ms"]);
    assert_eq!((early.code, early.stdout.as_str()), (3, ""), "{}", early.stderr);
    let net = folder.path("eratos.pnml");
    assert_eq!(run(&["convert", &model, "--set", "N=40", "-o", &net]).code, 0);
    // Reading alone takes longer.
    let run = run(&["info", &net, "--time", "1ms", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    for part in ["place_semiflows", "transition_semiflows", "siphons"] {
        assert_eq!(json[part]["stopped"], "it was stopped", "{part}: {}", json[part]);
    }
}
