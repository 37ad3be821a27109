//! The nets in `examples/`, with what their property files, or the models themselves, promise.
//!
//! A property's line says behind `//` what to expect: `holds`, `violated`, `unknown`, `unbounded`, or the number
//! that `bound` gives, as in `= 7`; what follows a colon is for people. The counts below were found by
//! explorers that share nothing with this project, or are from papers; papers that tell states do not always tell
//! arcs, and those of `eratos` below 70 and of `mutex` below 17 are told here only.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Example, states, arcs, deadlocks, and how many transitions never fire.
const COUNTS: [(&str, u64, u64, u64, usize); 18] = [
    ("alternating-bit.lola", 34, 76, 0, 0),
    ("database-managers.snet", 110, 225, 0, 0),
    ("dbm.snet", 109, 224, 0, 0),
    ("dining.snet", 491, 1_895, 0, 0),
    ("election.snet", 18_500, 44_142, 2_612, 0),
    ("eratos.snet", 739, 1_702, 1, 0),
    ("kanban.pnml", 58_400, 446_400, 0, 0),
    ("leader.snet", 603, 2_533, 1, 0),
    ("mutex.snet", 432, 1_440, 0, 0),
    ("order-process.pnml", 11, 13, 2, 1),
    ("peterson.net", 20, 34, 0, 0),
    ("peterson.snet", 20_754, 62_262, 0, 0),
    ("philosophers.pnml", 82, 265, 1, 0),
    ("producer-consumer.net", 16, 28, 0, 0),
    ("readers-writers.net", 6, 10, 0, 0),
    ("sliding-window.snet", 11_204, 37_593, 1, 0),
    ("stop-and-wait.snet", 2_576, 6_950, 1, 0),
    ("vending-machine.pnml", 64, 206, 0, 0),
];

/// Example, parameter, states, arcs.
const WITH_PARAMETERS: [(&str, &str, u64, u64); 12] = [
    ("database-managers.snet", "N=4", 110, 225),
    ("database-managers.snet", "N=5", 407, 1_091),
    ("database-managers.snet", "N=6", 1_460, 4_873),
    ("database-managers.snet", "N=7", 5_105, 20_427),
    ("database-managers.snet", "N=8", 17_498, 81_665),
    ("database-managers.snet", "N=9", 59_051, 314_947),
    ("dbm.snet", "N=9", 59_050, 314_946),
    ("eratos.snet", "N=40", 23_779, 84_262),
    ("sliding-window.snet", "P=10", 55_675, 185_580),
    ("stop-and-wait.snet", "P=20", 5_286, 14_300),
    ("stop-and-wait.snet", "P=50", 13_416, 36_350),
    ("stop-and-wait.snet", "P=100", 26_966, 73_100),
];

/// The same, for those with time.
const LARGE: [(&str, &str, u64, u64); 6] = [
    ("dbm.snet", "N=12", 2_125_765, 15_588_960),
    ("dining.snet", "N=13", 14_741_195, 157_812_343),
    ("eratos.snet", "N=70", 3_177_699, 16_783_398),
    ("leader.snet", "N=16", 10_475_430, 117_722_093),
    ("mutex.snet", "N=17", 5_701_632, 53_477_376),
    ("peterson.snet", "N=4", 3_407_946, 13_631_784),
];

/// Example, parameter, a property that it spoils, and how many steps show it.
const SPOILED: [(&str, &str, &str, usize); 3] = [
    ("dining.snet", "CHAIRS=5", "never_stuck", 10),
    ("election.snet", "FORGETS=true", "one_leader", 10),
    ("election.snet", "QUORUM=1", "one_leader", 4),
];

/// Examples with time, states, arcs.
const TIMED: [(&str, u64, u64); 1] = [("timed.snet", 180, 189)];

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
    let is_net = |path: &PathBuf| {
        path.extension().is_some_and(|e| ["pnml", "net", "lola", "snet"].iter().any(|n| e == *n))
    };
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

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "snet")
}

fn is_timed(path: &Path) -> bool {
    TIMED.iter().any(|(name, ..)| path.ends_with(name))
}

#[test]
fn properties_are_answered_as_their_files_promise() {
    examples().iter().filter(|net| !is_timed(net)).for_each(|net| keeps_promises(net));
}

/// A model has its properties in its own file, other nets have a file of properties beside them.
fn keeps_promises(net: &Path) {
    let file = if is_model(net) { net.to_owned() } else { net.with_extension("props") };
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let expected = expectations(&text);
    let mut args: Vec<&OsStr> = vec!["check".as_ref(), net.as_ref()];
    if !is_model(net) {
        args.extend::<[&OsStr; 2]>(["-P".as_ref(), file.as_ref()]);
    }
    let (json, code) = sweepnet(&args);
    let answers = json["properties"].as_array().unwrap();
    let answers: Vec<(String, String)> =
        answers.iter().map(|a| (a["name"].as_str().unwrap().to_owned(), answered(a))).collect();
    assert_eq!(answers, expected, "{}", file.display());
    let has = |word: &str| expected.iter().any(|(_, e)| e == word);
    assert!(has("holds") && has("violated"), "{} should teach both", file.display());
    assert_eq!(code, 1, "{}", file.display());
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

fn has_counts(name: &str, parameter: &str, states: u64, arcs: u64) {
    let net = folder().join(name);
    let (json, _) = sweepnet(&["explore".as_ref(), net.as_ref(), "--set".as_ref(), parameter.as_ref()]);
    assert_eq!((&json["states"], &json["arcs"]), (&states.into(), &arcs.into()), "{name} {parameter}");
}

#[test]
fn models_have_the_states_that_papers_tell() {
    for (name, parameter, states, arcs) in WITH_PARAMETERS {
        has_counts(name, parameter, states, arcs);
    }
}

#[test]
#[ignore = "takes minutes, and some gigabytes"]
fn large_models_have_the_states_that_papers_tell() {
    for (name, parameter, states, arcs) in LARGE {
        has_counts(name, parameter, states, arcs);
    }
}

#[test]
fn models_with_time_have_the_states_they_should() {
    for (name, states, arcs) in TIMED {
        let (json, _) = sweepnet(&["explore".as_ref(), folder().join(name).as_ref()]);
        assert_eq!((&json["states"], &json["arcs"]), (&states.into(), &arcs.into()), "{name}");
        keeps_promises(&folder().join(name));
    }
}

#[test]
fn a_parameter_can_spoil_a_model() {
    for (name, parameter, property, steps) in SPOILED {
        let net = folder().join(name);
        let (json, code) = sweepnet(&["check".as_ref(), net.as_ref(), "--set".as_ref(), parameter.as_ref()]);
        let answers = json["properties"].as_array().unwrap();
        let answer = answers.iter().find(|answer| answer["name"] == property).unwrap();
        assert_eq!(answer["verdict"], "violated", "{name} {parameter}");
        assert_eq!(answer["trace"]["length"], steps, "{name} {parameter}");
        assert_eq!(code, 1, "{name} {parameter}");
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
    let known: Vec<&str> = COUNTS.iter().map(|c| c.0).chain(TIMED.map(|t| t.0)).chain(UNBOUNDED).collect();
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for net in examples() {
        let name = net.file_name().unwrap().to_str().unwrap();
        assert!(known.contains(&name), "{name} has no counts");
        assert!(readme.contains(name), "{name} is not in the README");
    }
    assert_eq!(examples().len(), known.len());
}
