//! One object, always.

mod common;

use common::{Folder, example, run};

#[test]
fn explore_has_every_promised_field() {
    let model = example("kanban.pnml").display().to_string();
    let json = run(&["explore", &model, "--json", "--threads", "2"]).json();
    for (field, value) in [
        ("schema", serde_json::json!("sweepnet/explore/1")),
        ("places", 16.into()),
        ("transitions", 16.into()),
        ("search", "bfs".into()),
        ("codec", "product".into()),
        ("store", "bitmap".into()),
        ("threads", 2.into()),
        ("status", "complete".into()),
        ("reason", serde_json::Value::Null),
        ("states", 58_400.into()),
        ("arcs", 446_400.into()),
        ("explored", 58_400.into()),
        ("deadlocks", 0.into()),
        ("max_tokens_in_place", 3.into()),
        ("max_tokens_in_marking", 12.into()),
        ("levels", 43.into()),
        ("peak_states", 58_400.into()),
    ] {
        assert_eq!(json[field], value, "{field}");
    }
    for field in [
        "model",
        "bits_per_state",
        "store_bytes",
        "table_bytes",
        "components",
        "peak_resident_bytes",
        "seconds",
        "states_per_second",
    ] {
        assert!(!json[field].is_null(), "{field}");
    }
}

#[test]
fn check_lists_its_properties_with_verdict_method_and_trace() {
    let model = example("philosophers.pnml").display().to_string();
    let run =
        run(&["check", &model, "--json", "--deadlock", "-p", "one: safe", "-p", "bound #(eating1, eating3)"]);
    assert_eq!(run.code, 1);
    let json = run.json();
    let properties = json["properties"].as_array().expect("a list");
    assert_eq!(properties[0]["verdict"], "violated");
    assert_eq!(properties[0]["method"], "bfs");
    assert_eq!(properties[0]["trace"]["events"].as_array().map(Vec::len), Some(5));
    assert_eq!((&properties[1]["name"], &properties[1]["property"]), (&"one".into(), &"safe".into()));
    assert_eq!((&properties[1]["verdict"], &properties[1]["method"]), (&"holds".into(), &"structure".into()));
    assert!(properties[1]["trace"].is_null());
    assert_eq!(properties[2]["value"], 2);
}

#[test]
fn warnings_are_in_it() {
    let folder = Folder::new();
    let model = folder.file("timed.net", "net timed\ntr t [1,2] p -> p\npl p (1)\n");
    for command in ["explore", "info"] {
        let json = run(&[command, &model, "--json", "--quiet"]).json();
        let warnings = json["warnings"].as_array().expect("a list");
        assert!(
            warnings[0].as_str().is_some_and(|text| text.contains("time interval")),
            "{command}: {warnings:?}"
        );
    }
}

#[test]
fn large_numbers_stay_exact() {
    let folder = Folder::new();
    let model =
        folder.file("large.net", "pl p (18446744073709551615)\npl q (18446744073709551615)\ntr t p -> q\n");
    let run = run(&["explore", &model, "--json", "--states", "3"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["max_tokens_in_place"], u64::MAX);
    assert_eq!(json["max_tokens_in_marking"], "36893488147419103230");
    assert_eq!(json["reason"], "too-many-tokens");
}

#[test]
fn places_that_are_never_marked_have_the_bound_0() {
    let folder = Folder::new();
    let model = "net idle\n\
        type Id = 1..2\n\
        place p: Id = { 1, 2 }\n\
        place q, never: Id\n\
        transition t(i) { in p: i; out q: i }\n\
        transition u(i) { in never: i; out p: i }\n";
    let file = folder.file("idle.snet", model);
    let bounds =
        |engine: &str| run(&["explore", &file, "--engine", engine, "--json"]).json()["bounds"].clone();
    for engine in ["unfolded", "coloured"] {
        assert_eq!(bounds(engine), serde_json::json!({ "p": 2, "q": 2, "never": 0 }), "{engine}");
    }
}
