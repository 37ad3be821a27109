//! What a sweep answers is what breadth-first search answers, with traces that can be replayed; and it answers where
//! all states together would not fit.

mod common;

use common::{Folder, example, run};
use serde_json::Value;

fn path(name: &str) -> String {
    example(name).display().to_string()
}

/// Asks; all verdicts with their values.
#[track_caller]
fn verdicts(args: &[&str]) -> Vec<(String, Value)> {
    let run = run(&[args, &["--json", "--quiet"]].concat());
    assert_ne!(run.code, 2, "{args:?}: {}", run.stderr);
    let json = run.json();
    let answers = json["properties"].as_array().expect("a list").iter();
    answers.map(|answer| (answer["verdict"].to_string(), answer["value"].clone())).collect()
}

#[test]
fn place_transition_nets_get_the_same_answers() {
    for (name, places) in [
        ("kanban.pnml", ["Pout4", "Pm1"]),
        ("order-process.pnml", ["end", "to_check"]),
        ("philosophers.pnml", ["eating1", "fork3"]),
        ("vending-machine.pnml", ["cashbox", "stock"]),
        ("peterson.net", ["critical1", "turn1"]),
        ("producer-consumer.net", ["full", "made"]),
        ("readers-writers.net", ["reading", "writing"]),
        ("alternating-bit.lola", ["wait0", "ack1"]),
        ("unbounded-producer.lola", ["buffer", "taken"]),
    ] {
        let (model, props) = (path(name), path(name));
        let props = std::path::Path::new(&props).with_extension("props").display().to_string();
        let more =
            ["home initial", "home deadlock", "live", "some-stable", "quasi-live", "safe", "conservative"];
        let more: Vec<&str> = more.iter().flat_map(|property| ["-p", property]).collect();
        let ask = |how: &[&str]| verdicts(&[&["check", &model, "-P", &props], &more[..], how].concat());
        let expected = ask(&["--search", "bfs"]);
        let [first, second] = places;
        for measure in [
            format!("#{first}"),
            format!("-#{first}, #{second}"),
            format!("vector(#{first}, 3 - 2 * #{second})"),
            "auto".to_owned(),
            "0".to_owned(),
        ] {
            if name.starts_with("unbounded") && measure.starts_with("vector") {
                // Each state has a value of its own, and all wait for each other.
                continue;
            }
            let mut found = ask(&["--search", "sweep", "--progress", &measure]);
            if name.starts_with("unbounded") {
                // No search sees infinitely many states, and each sees others before it finds out.
                for (found, expected) in found.iter_mut().zip(&expected) {
                    if found.0.contains("unknown") || expected.0.contains("unknown") {
                        found.clone_from(expected);
                    }
                }
            }
            assert_eq!(found, expected, "{name} by {measure}");
        }
    }
}

#[test]
fn models_of_the_language_get_the_same_answers() {
    for (name, measure) in [
        ("database-managers.snet", "#waiting"),
        ("dbm.snet", "vector(#waiting, #sent)"),
        ("dining.snet", "0"),
        ("election.snet", "#elected"),
        ("leader.snet", "0"),
        ("mutex.snet", "0"),
        ("sliding-window.snet", "0"),
        ("stop-and-wait.snet", "#receiver_idle, #sender_ready"),
        ("timed.snet", "#received"),
    ] {
        let model = path(name);
        for engine in ["unfolded", "coloured"] {
            if (name, engine) == ("timed.snet", "unfolded") {
                continue;
            }
            let ask = |how: &[&str]| verdicts(&[&["check", &model, "--engine", engine], how].concat());
            let expected = ask(&["--search", "bfs"]);
            assert_eq!(ask(&["--search", "sweep"]), expected, "{name} {engine}, as it says");
            let found = ask(&["--search", "sweep", "--progress", measure]);
            assert_eq!(found, expected, "{name} {engine} by {measure}");
        }
    }
}

#[test]
fn traces_are_found_with_a_disk_and_without() {
    let coloured = ["--engine", "coloured"];
    for (name, measure, questions, more) in [
        (
            "philosophers.pnml",
            Some("#eating1"),
            &["deadlock-free", "invariant #fork1 = 1 or #eating1 = 1"][..],
            &[][..],
        ),
        (
            "kanban.pnml",
            Some("#Pout4, #Pm1"),
            &["invariant #Pm1 <= 1", "reachable #Pkan1 = 0 and #Pkan4 = 0"],
            &[],
        ),
        ("dbm.snet", None, &["all_work", "in_step"], &[]),
        ("stop-and-wait.snet", None, &["arrives", "old_data"], &[]),
        ("stop-and-wait.snet", None, &["arrives", "old_data"], &coloured),
        ("timed.snet", None, &["no_copies"], &[]),
    ] {
        let (folder, model) = (Folder::new(), path(name));
        let spool = folder.path("");
        for how in [&[][..], &["--spool", &spool], &["--no-spool"]] {
            let traces = folder.path("traces");
            let mut args = vec!["check", &model, "--search", "sweep", "--json", "-q", "--traces", &traces];
            args.extend(questions.iter().flat_map(|question| ["-p", question]));
            args.extend(measure.iter().flat_map(|measure| ["--progress", measure]));
            let found = run(&[&args, how, more].concat());
            assert!(found.code <= 1, "{name} {how:?}: {}", found.stderr);
            let json = found.json();
            assert_eq!(json["exploration"]["search"], "sweep", "{name}");
            let files = std::fs::read_dir(&traces).expect("they are there");
            let files: Vec<String> =
                files.map(|file| file.expect("a file").path().display().to_string()).collect();
            assert_eq!(files.len(), questions.len(), "{name} {how:?}: each has a trace");
            for file in files {
                let replayed = run(&["simulate", &model, "--replay", &file, "--random", "0", "--json"]);
                assert_eq!(replayed.code, 0, "{name} {how:?}: {}", replayed.stderr);
                let trace = &replayed.json()["trace"];
                let same = json["properties"].as_array().expect("a list").iter();
                let same = same.filter(|answer| answer["trace"]["events"] == trace["events"]);
                assert!(same.count() > 0, "{name} {how:?}: {trace}");
            }
            std::fs::remove_dir_all(&traces).expect("they are ours");
        }
        assert!(folder.names().is_empty(), "the spool is gone: {:?}", folder.names());
    }
}

#[test]
fn the_sweep_answers_where_all_states_would_take_twenty_times_the_memory() {
    let model = path("timed.snet");
    let ask = |frames: &str, search: &str, memory: &str| {
        let questions = ["-p", "bound #received", "-p", "invariant #received <= 361"];
        let limits = ["--set", "LOSSES=1", "--set", frames, "--search", search, "--memory", memory, "--json"];
        run(&[&["check", &model], &questions[..], &limits].concat())
    };
    let bytes = |json: &Value, key: &str| json["exploration"][key].as_u64().expect("this system tells");
    // What the program takes when there is next to nothing to keep.
    let base = bytes(&ask("FRAMES=2", "sweep", "1G").json(), "peak_resident_bytes");
    let (room, frames) = (9 << 19, "FRAMES=360");
    let all = ask(frames, "bfs", "1G").json();
    assert!(bytes(&all, "store_bytes") >= 20 * room, "{}", bytes(&all, "store_bytes"));
    let memory = (base + room).to_string();
    let full = ask(frames, "bfs", &memory);
    assert_eq!((full.code, &full.json()["exploration"]["reason"]), (3, &"memory".into()), "{}", full.stdout);
    let swept = ask(frames, "sweep", &memory);
    assert_eq!(swept.code, 0, "{} {}", swept.stdout, swept.stderr);
    let swept = swept.json();
    assert_eq!(swept["exploration"]["states"], all["exploration"]["states"]);
    assert_eq!(swept["properties"][0]["value"], 361);
    assert!(bytes(&swept, "peak_resident_bytes") <= base + room);
}
