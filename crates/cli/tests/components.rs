//! States as numbers of local markings: every division, store and number of threads gives the same answers.

mod common;

use common::{Folder, Run, example, run};
use serde_json::{Value, json};
use sweepnet_testkit::nets::{self, kanban};

fn example_path(name: &str) -> String {
    example(name).display().to_string()
}

/// Runs `explore` or `check` with options, to JSON.
fn with(args: &[&str], options: &[&str]) -> Run {
    run(&[args, options, &["--json"]].concat())
}

/// All ways to explore that are to agree, but for those with files.
const WAYS: [&[&str]; 14] = [
    &[],
    &["--threads", "1"],
    &["--threads", "2"],
    &["--threads", "4"],
    &["--store", "flat"],
    &["--store", "bitmap"],
    &["--store", "quotient"],
    &["--store", "quotient", "--threads", "4"],
    &["--codec", "product"],
    &["--codec", "product", "--search", "dfs"],
    &["--partition", "one"],
    &["--partition", "file"],
    &["--partition", "file:2", "--threads", "2"],
    &["--partition", "clusters", "--store", "quotient"],
];

/// What an exploration counted.
fn counts(json: &Value) -> Value {
    let fields = ["status", "states", "arcs", "explored", "deadlocks", "bounds", "max_tokens_in_marking"];
    fields.iter().map(|field| json[field].clone()).collect()
}

#[test]
fn every_way_counts_the_same() {
    let folder = Folder::new();
    let parts = folder.file("parts.txt", "Pkan1 Pm1 Pback1 Pout1\n\nPkan4 Pm4\nPback4 Pout4\n");
    let file = format!("@{parts}");
    let model = example_path("kanban.pnml");
    let plain = with(&["explore", &model], &["--codec", "fields"]).json();
    assert_eq!(plain["states"], 58_400);
    let given: [&[&str]; 3] = [
        &["--partition", &file],
        &["--partition", &file, "--search", "dfs"],
        &["--partition", "semiflows", "--threads", "2"],
    ];
    for way in WAYS.iter().chain(&given) {
        let run = with(&["explore", &model], way);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{way:?}");
        let json = run.json();
        assert_eq!(counts(&json), counts(&plain), "{way:?}");
        assert_eq!(json["codec"], "product", "{way:?}");
        if !way.contains(&"dfs") {
            assert_eq!(json["levels"], plain["levels"], "{way:?}");
        }
        let asked = |option: &str| way.iter().position(|word| *word == option).map(|at| way[at + 1]);
        if let Some(store) = asked("--store") {
            assert_eq!(json["store"], store, "{way:?}");
        }
        if let Some(threads) = asked("--threads") {
            assert_eq!(json["threads"].to_string(), threads, "{way:?}");
        }
    }
}

#[test]
fn every_number_of_threads_counts_the_same_in_a_larger_net() {
    let folder = Folder::new();
    let model = folder.net("kanban4.pnml", &kanban(4));
    for threads in ["1", "2", "4"] {
        let json = with(&["explore", &model], &["--threads", threads]).json();
        // The published counts of Ciardo and Tilgner's net.
        assert_eq!((&json["states"], &json["arcs"]), (&454_475.into(), &3_979_850.into()), "{threads}");
        assert_eq!(json["deadlocks"], 0, "{threads}");
    }
}

#[test]
fn every_way_answers_the_same() {
    let model = example_path("kanban.pnml");
    let far = "far: reachable #Pout1 = 3 and #Pout2 = 3 and #Pout3 = 3 and #Pout4 = 3";
    let never = "never: invariant #Pm1 + #Pm4 <= 6";
    let asked = ["check", &model, "-p", far, "-p", never, "-p", "bound #Pm1 + #Pm2", "--deadlock"];
    let said = |json: &Value| -> Vec<Value> {
        let properties = json["properties"].as_array().expect("a list").iter();
        properties.map(|it| json!([it["name"], it["verdict"], it["value"], it["trace"]["length"]])).collect()
    };
    let plain = with(&asked, &["--codec", "fields"]);
    assert!(plain.json()["properties"][1]["trace"]["length"].as_u64() > Some(20), "{}", plain.stdout);
    for way in WAYS.iter().filter(|way| !way.contains(&"dfs")) {
        let run = with(&asked, way);
        assert_eq!(run.code, plain.code, "{way:?}: {}", run.stderr);
        assert_eq!(said(&run.json()), said(&plain.json()), "{way:?}");
    }
}

#[test]
fn components_are_told() {
    let folder = Folder::new();
    let lines: String = (1..=4).map(|n| format!("Pkan{n} Pm{n} Pback{n} Pout{n}\n")).collect();
    let file = format!("@{}", folder.file("cells.txt", lines));
    let run_json = with(&["explore", &example_path("kanban.pnml")], &["--partition", &file]).json();
    let components = &run_json["components"];
    // Three cards in a cell of four places: 6 over 3.
    assert_eq!(components["local_markings"], json!([20, 20, 20, 20]));
    assert_eq!((&components["count"], &components["proposer"]), (&4.into(), &"given".into()));
    let ranks = components["log2_ranks"].as_f64().expect("a number");
    let slack = components["log2_slack"].as_f64().expect("a number");
    assert!(ranks >= 160_000f64.log2() - 1e-9, "{ranks}");
    assert!((ranks - slack - 58_400f64.log2()).abs() < 1e-9, "{ranks} {slack}");
    assert!(components["reason"].as_str().is_some_and(|reason| reason.starts_with("as given: 4 components")));
    assert!(run_json["table_bytes"].as_u64() > Some(0));

    let text = run(&["explore", &example_path("kanban.pnml"), "--partition", &file, "--threads", "2"]).stdout;
    let line =
        |what: &str| text.lines().find(|line| line.starts_with(what)).unwrap_or_else(|| panic!("{text}"));
    assert!(line("components  ").contains(" 4: 20 × 20 × 20 × 20 local markings, log2(S/R) "), "{text}");
    assert!(line("tables  ").ends_with(" bytes a state"), "{text}");
    assert!(line("store  ").contains("product codec: ") && line("store  ").contains(" a rank, "), "{text}");
    assert!(line("time  ").ends_with(", bfs, 2 threads"), "{text}");

    let json = with(&["explore", &example_path("kanban.pnml")], &["--codec", "fields"]).json();
    assert_eq!((&json["components"], &json["table_bytes"]), (&Value::Null, &0.into()));
}

#[test]
fn a_small_state_space_needs_none_of_it() {
    let json = with(&["explore", &example_path("philosophers.pnml")], &["--threads", "2"]).json();
    assert_eq!(
        (&json["codec"], &json["store"], &json["threads"]),
        (&"fields".into(), &"flat".into(), &1.into())
    );
    assert_eq!(json["components"], Value::Null);
}

#[test]
fn graphs_may_have_components() {
    let folder = Folder::new();
    let output = folder.path("graph.aut");
    let model = example_path("philosophers.pnml");
    let json = with(&["graph", &model, "-o", &output], &["--partition", "file:2"]).json();
    assert_eq!(
        (&json["codec"], &json["states"], &json["arcs"]),
        (&"product".into(), &82.into(), &265.into())
    );
    assert_eq!(json["components"]["count"], 2);
}

#[test]
fn what_an_unbounded_net_does_not_allow_is_said() {
    let model = example_path("unbounded-producer.lola");
    let options = ["--store", "bitmap", "--threads", "2"];
    let run_it = with(&["explore", &model], &options);
    assert_eq!(run_it.code, 3);
    let said: Vec<&str> = run_it.stderr.lines().collect();
    assert_eq!(
        said,
        [
            "warning: --store bitmap: the net has places without a proven bound; the store is flat instead",
            "warning: --threads 2: the net has places without a proven bound; one thread searches instead",
        ]
    );
    let json = run_it.json();
    assert_eq!((&json["store"], &json["threads"]), (&"flat".into(), &1.into()));
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(2));
    let quiet = run(&["check", &model, "--deadlock", "--store", "quotient", "--quiet"]);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn info_tells_the_partition_and_why() {
    let kanban = example_path("kanban.pnml");
    let json = run(&["info", &kanban, "--json", "--partition", "file:4"]).json();
    let partition = &json["partition"];
    assert_eq!(partition["proposer"], "file");
    let components = partition["components"].as_array().expect("a list");
    let places: Vec<usize> =
        components.iter().map(|it| it["places"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!((places.len(), places.iter().sum::<usize>()), (4, 16));
    assert!(components.iter().all(|it| it["seen"].as_u64() > Some(0)));
    assert_eq!(partition["candidates"][0]["proposer"], "file");

    let text = run(&["info", &kanban]).stdout;
    assert!(text.contains("\npartition: "), "{text}");
    assert!(text.contains(" expected; "), "{text}");
    assert!(text.contains("\nother partitions\n"), "{text}");

    let refused = run(&["info", &kanban, "--partition", "units"]);
    assert_eq!(refused.code, 2);
}

#[test]
fn a_wide_net_is_divided_only_if_asked() {
    let folder = Folder::new();
    let places: Vec<(String, u64)> = (0..2_001).map(|n| (format!("p{n}"), u64::from(n % 100 == 0))).collect();
    let places: Vec<(&str, u64)> = places.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    let steps: Vec<String> = (0..2_000).map(|n| format!("t{n}: p{n} -> p{}", n + 1)).collect();
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let model = folder.net("wide.pnml", &nets::net("wide", &places, &steps));
    assert_eq!(run(&["info", &model, "--json"]).json()["partition"], Value::Null);
    let asked = run(&["info", &model, "--json", "--partition", "file:3"]).json();
    assert_eq!(asked["partition"]["components"].as_array().map(Vec::len), Some(3));
}
