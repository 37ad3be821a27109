//! The nets in `examples/`, with what their property files promise.
//!
//! A property's line says behind `//` what to expect: `holds`, `violated`, `unknown`, `unbounded`, or the number
//! that `bound` gives, as in `= 7`; what follows a colon is for people. The counts below were found by an
//! explorer that shares nothing with this project.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Example, states, arcs, deadlocks, and how many transitions never fire.
const COUNTS: [(&str, u64, u64, u64, usize); 8] = [
    ("alternating-bit.lola", 34, 76, 0, 0),
    ("kanban.pnml", 58_400, 446_400, 0, 0),
    ("order-process.pnml", 11, 13, 2, 1),
    ("peterson.net", 20, 34, 0, 0),
    ("philosophers.pnml", 82, 265, 1, 0),
    ("producer-consumer.net", 16, 28, 0, 0),
    ("readers-writers.net", 6, 10, 0, 0),
    ("vending-machine.pnml", 64, 206, 0, 0),
];

/// Examples with infinitely many states.
const UNBOUNDED: [&str; 1] = ["unbounded-producer.lola"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Runs a command on an example; its JSON, and the exit code.
fn sweepnet(args: &[&OsStr]) -> (Value, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_sweepnet")).args(args).arg("--json").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.is_empty(), "{args:?} says: {errors}");
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"));
    (json, output.status.code().unwrap())
}

fn examples() -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let is_net = |path: &PathBuf| path.extension().is_some_and(|e| e == "pnml" || e == "net" || e == "lola");
    let mut nets: Vec<PathBuf> = files.filter(is_net).collect();
    nets.sort();
    nets
}

/// The names of properties with what is expected of them.
fn expectations(text: &str) -> Vec<(String, String)> {
    let mut expected = Vec::new();
    let mut name = None;
    for line in text.lines() {
        let (property, comment) = line.split_once("//").unwrap_or((line, ""));
        if let Some(rest) = property.trim().strip_prefix("property ") {
            let found = rest.split(':').next().unwrap_or_default().trim().to_owned();
            assert!(name.replace(found).is_none(), "nothing is expected before: {line}");
        }
        let word = comment.split(':').next().unwrap_or_default().trim().to_owned();
        let is_expectation = ["holds", "violated", "unknown", "unbounded"].contains(&word.as_str());
        if (is_expectation || word.starts_with('='))
            && let Some(name) = name.take()
        {
            expected.push((name, word));
        }
    }
    assert_eq!(name, None, "nothing is expected of the last property");
    expected
}

/// What was answered, in the words of the property files.
fn answered(answer: &Value) -> String {
    match &answer["value"] {
        Value::Number(number) => format!("= {number}"),
        Value::String(word) if word == "unbounded" => word.clone(),
        _ => answer["verdict"].as_str().unwrap().to_owned(),
    }
}

#[test]
fn properties_are_answered_as_their_files_promise() {
    for net in examples() {
        let file = net.with_extension("props");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let expected = expectations(&text);
        let (json, code) = sweepnet(&["check".as_ref(), net.as_ref(), "-P".as_ref(), file.as_ref()]);
        let answers = json["properties"].as_array().unwrap();
        let answers: Vec<(String, String)> =
            answers.iter().map(|a| (a["name"].as_str().unwrap().to_owned(), answered(a))).collect();
        assert_eq!(answers, expected, "{}", file.display());
        let has = |word: &str| expected.iter().any(|(_, e)| e == word);
        assert!(has("holds") && has("violated"), "{} should teach both", file.display());
        assert_eq!(code, 1, "{}", file.display());
    }
}

#[test]
fn every_example_has_the_states_it_should() {
    for (name, states, arcs, deadlocks, dead) in COUNTS {
        for search in ["bfs", "dfs"] {
            let net = folder().join(name);
            let (json, code) =
                sweepnet(&["explore".as_ref(), net.as_ref(), "--search".as_ref(), search.as_ref()]);
            assert_eq!(json["states"], states, "{name}");
            assert_eq!(json["arcs"], arcs, "{name}");
            assert_eq!(json["deadlocks"], deadlocks, "{name}");
            assert_eq!(json["dead_transitions"].as_array().unwrap().len(), dead, "{name}");
            assert_eq!(code, 0, "{name}");
        }
    }
}

#[test]
fn unbounded_examples_are_seen_to_be_so() {
    for name in UNBOUNDED {
        let (json, code) = sweepnet(&["explore".as_ref(), folder().join(name).as_ref()]);
        assert_eq!(json["reason"], "unbounded", "{name}");
        assert!(json["unbounded"]["cycle"].is_array(), "{name}");
        assert_eq!(code, 3, "{name}");
    }
}

#[test]
fn no_example_is_forgotten() {
    let known: Vec<&str> = COUNTS.iter().map(|c| c.0).chain(UNBOUNDED).collect();
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for net in examples() {
        let name = net.file_name().unwrap().to_str().unwrap();
        assert!(known.contains(&name), "{name} has no counts");
        assert!(readme.contains(name), "{name} is not in the README");
    }
    assert_eq!(examples().len(), known.len());
}
