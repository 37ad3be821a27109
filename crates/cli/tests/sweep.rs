//! The sweep on the command line: the figures of the papers, the forms of measures, and answers that no order of
//! visiting changes.

mod common;

use common::{Folder, example, run};
use serde_json::Value;

fn path(name: &str) -> String {
    example(name).display().to_string()
}

/// Explores by a sweep; the report.
#[track_caller]
fn swept(model: &str, more: &[&str]) -> Value {
    let run = run(&[&["explore", model, "--search", "sweep", "--json"], more].concat());
    assert_eq!(run.code, 0, "{model} {more:?}: {}", run.stderr);
    run.json()
}

#[test]
fn database_managers_are_swept_as_in_the_paper() {
    let model = path("database-managers.snet");
    for (sites, explored, peak) in
        [(4, 219, 14), (5, 813, 33), (6, 2_919, 88), (7, 10_209, 251), (8, 34_995, 738), (9, 118_101, 2_197)]
    {
        let (sites, is_small) = (format!("N={sites}"), sites <= 6);
        for engine in ["unfolded", "coloured"].into_iter().filter(|engine| is_small || *engine == "unfolded")
        {
            let json = swept(&model, &["--set", &sites, "--engine", engine]);
            assert_eq!(
                (&json["explored"], &json["peak_states"]),
                (&explored.into(), &peak.into()),
                "{sites}"
            );
            assert_eq!(json["states"], Value::Null, "{sites}: some were found again, so nobody knows");
        }
    }
}

#[test]
fn the_stop_and_wait_protocol_is_swept_as_in_the_paper() {
    for packets in [10, 20, 40] {
        for engine in ["unfolded", "coloured"] {
            let set = format!("P={packets}");
            let json = swept(&path("stop-and-wait.snet"), &["--set", &set, "--engine", engine]);
            assert_eq!(json["states"], 271 * packets - 134, "{set} {engine}");
            assert_eq!(json["peak_states"], 287, "{set} {engine}");
            assert_eq!(json["sweep"]["sweeps"], 1);
            assert_eq!(json["sweep"]["regress_edges"], 0);
        }
    }
}

#[test]
fn a_model_is_swept_kept_asked_and_translated() {
    let folder = Folder::new();
    let (model, net) = (path("stop-and-wait.snet"), path("vending-machine.pnml"));
    let (graph, aut) = (folder.path("model.swg"), folder.path("model.aut"));
    for (code, args) in [
        (1, &["check", &model, "--search", "sweep"][..]),
        (0, &["check", &net, "--search", "sweep", "--progress", "#cashbox", "-p", "home #stock = 3"]),
        (0, &["explore", &net, "--search", "sweep", "--progress", "auto", "--memory", "64M"]),
        (0, &["graph", &model, "--search", "sweep", "-o", &graph]),
        (0, &["query", &graph, "-p", "reachable #receiver_acknowledges > 0", "--stats"]),
        (0, &["graph", &graph, "-o", &aut]),
    ] {
        let run = run(args);
        assert_eq!(run.code, code, "{args:?}: {} {}", run.stdout, run.stderr);
    }
    assert_eq!(folder.names(), ["model.aut", "model.swg"]);
}

#[test]
fn a_report_tells_how_the_sweep_went() {
    let json = swept(&path("philosophers.pnml"), &["--progress", "#eating1"]);
    assert_eq!((&json["states"], &json["arcs"], &json["levels"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&json["search"], &json["status"]), (&"sweep".into(), &"complete".into()));
    let sweep = &json["sweep"];
    assert_eq!(sweep["measure"], "#eating1");
    assert_eq!(sweep["regress"], Value::Null, "only --monotone ends there");
    let number = |key: &str| sweep[key].as_u64().expect("a number");
    assert!(number("sweeps") > 1 && number("regress_edges") > 0 && number("persistent") > 0, "{sweep}");
    assert_eq!(Some(number("dropped") + number("persistent")), json["explored"].as_u64());
    let full = run(&["explore", &path("philosophers.pnml"), "--json"]).json();
    assert_eq!(full["sweep"], Value::Null);
    assert_eq!(full["bounds"], json["bounds"]);
}

#[test]
fn measures_are_written_in_several_ways() {
    for (model, measure, sweeps) in [
        ("philosophers.pnml", "#eating1", 2),
        ("philosophers.pnml", "(#eating1, #eating2)", 2),
        ("philosophers.pnml", "#eating1, 2 * #eating2 - #waiting3", 2),
        ("philosophers.pnml", "vector(#eating1, #eating2)", 2),
        ("order-process.pnml", "#end", 1),
        ("database-managers.snet", "sum s in Site: s * waiting(s)", 2),
        ("database-managers.snet", "#waiting, #acknowledged", 2),
        ("database-managers.snet", "vector(#waiting, #acknowledged)", 2),
        ("timed.snet", "clock", 1),
        ("timed.snet", "auto", 1),
        ("timed.snet", "time", 1),
        ("stop-and-wait.snet", "auto", 1),
    ] {
        let json = swept(&path(model), &["--progress", measure]);
        let found = match measure {
            "time" => "clock",
            "auto" if model == "timed.snet" => "clock",
            measure => measure,
        };
        assert_eq!(json["search"], "sweep", "{model} {measure}");
        if found != "auto" {
            assert_eq!(json["sweep"]["measure"], found);
        }
        let all = json["sweep"]["sweeps"].as_u64().expect("a number");
        assert!(if sweeps == 1 { all == 1 } else { all >= 2 }, "{model} {measure}: {all} sweeps");
    }
}

#[test]
fn a_measure_that_is_wrong_is_shown_with_its_place() {
    for (model, measure, said) in [
        ("philosophers.pnml", "#eating1 + #eat", "--progress:1:13: error: there is no place 'eat'"),
        ("philosophers.pnml", "#eating1 +", "--progress:1:11: error: this ends too early"),
        ("philosophers.pnml", "vector(#eating1", "expected `,` or `)`"),
        ("philosophers.pnml", "clock", "'clock' has no meaning here"),
        ("database-managers.snet", "#waiting + #wait", "--progress:1:13: there is no place 'wait'"),
        ("database-managers.snet", "#waiting +", "--progress:1:11: this ends too early"),
        ("database-managers.snet", "clock", "only the coloured engine knows"),
    ] {
        let run = run(&["explore", &path(model), "--search", "sweep", "--progress", measure]);
        assert_eq!(run.code, 2, "{measure}: {}", run.stdout);
        assert!(run.stderr.contains(said), "{measure}: {}", run.stderr);
        assert_eq!(run.stderr.matches("error:").count(), 1, "{}", run.stderr);
    }
}

#[test]
fn a_monotone_sweep_ends_with_the_step_that_loses_progress() {
    let coloured = ["--engine", "coloured"];
    for (model, measure, event, more) in [
        ("philosophers.pnml", "#eating1", "put_back1", &[][..]),
        ("database-managers.snet", "#waiting", "finish", &[]),
        ("database-managers.snet", "#waiting", "finish", &coloured),
    ] {
        let model = path(model);
        let args = ["explore", &model, "--search", "sweep", "--progress", measure, "--monotone"];
        let told = run(&[&args[..], more].concat());
        assert_eq!(told.code, 3, "{}", told.stderr);
        for part in
            ["stopped: a step loses progress", "at progress 1  ", "fires          ", "to progress 0  "]
        {
            assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
        }
        let json = run(&[&args[..], &["--json"], more].concat()).json();
        assert_eq!((&json["status"], &json["reason"]), (&"stopped".into(), &"regress".into()));
        let regress = &json["sweep"]["regress"];
        assert!(regress["transition"].as_str().is_some_and(|name| name.starts_with(event)), "{regress}");
        assert_eq!((&regress["from"], &regress["to"]), (&serde_json::json!([1]), &serde_json::json!([0])));
        assert!(regress["source"].is_object() && regress["target"].is_object(), "{regress}");
        assert_ne!(regress["source"], regress["target"]);
    }
}

#[test]
fn what_a_monotone_sweep_has_seen_counts() {
    let model = path("philosophers.pnml");
    let args = ["check", &model, "--search", "sweep", "--progress", "#eating1", "--monotone", "--json"];
    let run =
        run(&[&args[..], &["-p", "deadlock-free", "-p", "invariant #eating1 + #eating3 <= 5 * #fork5"]]
            .concat());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["properties"][0]["verdict"], "violated");
    // The other one would need the rest, and may be decided by a state that was seen.
    let other = &json["properties"][1];
    assert!(other["verdict"] == "violated" || other["reason"] == "regress", "{other}");
    let again = common::run(&[&args[..], &["-p", "invariant #eating1 + #eating2 * #eating4 <= 1"]].concat());
    assert_eq!(
        (again.code, &again.json()["properties"][0]["reason"]),
        (3, &"regress".into()),
        "{}",
        again.stdout
    );
}

#[test]
fn options_of_sweeps_are_refused_without_one() {
    let (folder, model) = (Folder::new(), path("philosophers.pnml"));
    let plot = folder.path("plot.svg");
    for search in [&["--search", "bfs"][..], &["--search", "dfs"], &[]] {
        for option in [
            &["--progress", "#eating1"][..],
            &["--monotone"],
            &["--no-spool"],
            &["--spool", "."],
            &["--plot", &plot],
        ] {
            let run = run(&[&["check", &model, "--deadlock"], search, option].concat());
            assert_eq!(run.code, 2, "{search:?} {option:?}");
            let said = format!("{} is for sweeps: give --search sweep, too", option[0]);
            assert!(run.stderr.contains(&said), "{}", run.stderr);
        }
    }
    for more in [&["--no-spool", "--spool", "."][..], &["--threads", "2"], &["--store", "bitmap"]] {
        let run = run(&[&["check", &model, "--deadlock", "--search", "sweep"], more].concat());
        assert_eq!(run.code, 2, "{more:?}: {}", run.stdout);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn where_a_sweep_does_not_pay_all_states_are_kept_and_a_note_says_so() {
    let model = path("philosophers.pnml");
    let explored = run(&["explore", &model, "--search", "sweep", "--progress", "auto", "--json"]);
    assert!(explored.stderr.starts_with("note: a sweep does not pay"), "{}", explored.stderr);
    let json = explored.json();
    assert_eq!((&json["states"], &json["sweep"]), (&82.into(), &Value::Null));
    assert_ne!(json["search"], "sweep");
    let warnings = json["warnings"].as_array().expect("a list");
    assert!(warnings.iter().any(|w| w.as_str().is_some_and(|w| w.contains("does not pay"))), "{warnings:?}");
    let quiet = run(&["explore", &model, "--search", "sweep", "-q"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
    let coloured = run(&["explore", &path("dining.snet"), "--search", "sweep", "--engine", "coloured"]);
    assert!(coloured.stderr.contains("note: no sweep"), "{}", coloured.stderr);
}

#[test]
fn a_sweep_is_drawn() {
    let folder = Folder::new();
    let plot = folder.path("sweep.svg");
    let named = folder.file("named.net", "net {a < b & c}\ntr step p -> q\npl p (5)\n");
    for (model, measure, sweeps) in [
        (path("stop-and-wait.snet"), None, 1),
        (path("timed.snet"), None, 1),
        (path("philosophers.pnml"), Some("#eating1"), 2),
        (named, Some("#q"), 1),
    ] {
        let mut args = vec!["explore", &model, "--search", "sweep", "--plot", &plot, "-q"];
        args.extend(measure.iter().flat_map(|measure| ["--progress", measure]));
        assert_eq!(run(&args).code, 0, "{model}");
        let svg = std::fs::read_to_string(&plot).expect("it is there");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!(svg.matches("<polyline ").count(), 3);
        for curve in ["kept at most", "explored", "kept for ever"] {
            assert!(svg.contains(&format!(">{curve}</text>")), "{curve}");
        }
        assert_eq!(svg.matches("stroke-dasharray").count(), sweeps - 1, "{model}");
        assert!(!svg.contains("NaN") && !svg.contains("a < b"), "{svg}");
    }
    let nowhere = folder.path("nowhere/sweep.svg");
    let run = run(&["explore", &path("timed.snet"), "--search", "sweep", "--plot", &nowhere]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}
