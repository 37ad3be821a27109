//! Graphs that are kept in files: what is asked of them gets the answers of a search, and no other file is taken for one.

mod common;

use std::collections::BTreeMap;

use common::{Folder, example, run, run_with_input};
use serde_json::Value;

fn path(name: &str) -> String {
    example(name).display().to_string()
}

/// Writes a graph; what is told of it.
#[track_caller]
fn keep(model: &str, file: &str, more: &[&str]) -> Value {
    let run = run(&[&["graph", model, "-o", file, "--json", "-q"], more].concat());
    assert_eq!(run.code, 0, "{model} {more:?}: {}", run.stderr);
    run.json()
}

/// All verdicts with their values and details.
#[track_caller]
fn verdicts(args: &[&str], questions: &[&str]) -> Vec<(String, String, Value, Value)> {
    let questions: Vec<&str> = questions.iter().flat_map(|question| ["-p", question]).collect();
    let run = run(&[args, &questions, &["--json", "--quiet"]].concat());
    assert_ne!(run.code, 2, "{args:?}: {}", run.stderr);
    let json = run.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let answer = |answer: &Value| {
        (text(&answer["name"]), text(&answer["verdict"]), answer["value"].clone(), answer["detail"].clone())
    };
    json["properties"].as_array().expect("a list").iter().map(answer).collect()
}

/// The questions that any net can be asked, about a place and a transition of it.
fn questions(place: &str, transition: &str) -> Vec<String> {
    [
        "deadlock-free",
        "invariant #P <= 1",
        "reachable #P >= 2",
        "reachable #P = 0 and deadlock",
        "not reachable #P >= 2 and enabled(T)",
        "bound #P",
        "bound 3 - 2 * #P",
        "safe",
        "2-safe",
        "conservative",
        "quasi-live",
        "dead T",
        "fireable T",
        "stable P",
        "some-stable",
        "live",
        "live T",
        "home initial",
        "home #P = 0",
        "home deadlock",
        "ctl AG EF enabled(T)",
        "ctl EG #P = 0",
        "ctl A(#P <= 1 U deadlock)",
        "ltl G F enabled(T)",
        "ltl F G #P = 0",
        "ltl G (#P >= 1 -> F #P = 0)",
    ]
    .map(|question| {
        let question =
            question.replace("#P", &format!("#{place}")).replace("stable P", &format!("stable {place}"));
        question.replace("(T)", &format!("({transition})")).replace(" T", &format!(" {transition}"))
    })
    .to_vec()
}

#[test]
fn a_kept_graph_gives_the_answers_of_a_search() {
    for (name, place, transition, measure) in [
        ("philosophers.pnml", "eating1", "take_left1", "#eating1"),
        ("order-process.pnml", "end", "complain", "#end"),
        ("vending-machine.pnml", "credit", "buy", "#cashbox"),
        ("peterson.net", "critical1", "enter_free1", "#up1, #up2"),
        ("producer-consumer.net", "full", "put", "vector(#full, #made)"),
        ("readers-writers.net", "reading", "start_writing", "#reading"),
        ("alternating-bit.lola", "message0", "repeated_0", "#wait0"),
        ("dbm.snet", "sent", "update", "#waiting"),
        ("mutex.snet", "", "", "0"),
    ] {
        let (folder, model) = (Folder::new(), path(name));
        let mut questions = if place.is_empty() { Vec::new() } else { questions(place, transition) };
        // The language asks it of one transition at a time.
        questions.retain(|question| question != "live" || !name.ends_with(".snet"));
        let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
        let expected = verdicts(&["check", &model], &questions);
        assert!(!expected.is_empty() && expected.iter().all(|answer| answer.1 != "unknown"), "{expected:?}");
        let sweep = ["--search", "sweep", "--progress", measure];
        for search in [&["--search", "bfs"][..], &["--search", "dfs"], &sweep] {
            let file = folder.path("graph.swg");
            keep(&model, &file, search);
            let found = verdicts(&["query", &file], &questions);
            assert_eq!(found, expected, "{name} {search:?}");
        }
    }
}

#[test]
fn traces_from_a_kept_graph_replay() {
    for (name, questions) in [
        ("philosophers.pnml", &["deadlock-free", "reachable #eating1 = 1 and #eating3 = 1"][..]),
        ("vending-machine.pnml", &["invariant #off = 1 -> #tray = 0", "invariant #credit <= 2"]),
        ("dbm.snet", &["all_work", "in_step"]),
    ] {
        let (folder, model) = (Folder::new(), path(name));
        let (file, traces) = (folder.path("graph.swg"), folder.path("traces"));
        for search in ["bfs", "dfs"] {
            keep(&model, &file, &["--search", search]);
            let mut args = vec!["query", &file, "--traces", &traces, "--json"];
            args.extend(questions.iter().flat_map(|question| ["-p", question]));
            let asked = run(&args);
            assert!(asked.code <= 1, "{}", asked.stderr);
            let answers = asked.json()["properties"].clone();
            let answers = answers.as_array().expect("a list");
            assert!(answers.iter().all(|answer| answer["trace"].is_object()), "{answers:?}");
            let files = std::fs::read_dir(&traces).expect("they are there");
            for file in files.map(|file| file.expect("a file").path().display().to_string()) {
                let replayed = run(&["simulate", &model, "--replay", &file, "--random", "0", "--json"]);
                assert_eq!(replayed.code, 0, "{name} {search}: {}", replayed.stderr);
                let end = &replayed.json()["trace"]["end"];
                assert!(
                    answers.iter().any(|answer| answer["trace"]["end"] == *end),
                    "{name} {search}: {end}"
                );
            }
        }
    }
}

#[test]
fn figures_of_a_graph_are_told() {
    let folder = Folder::new();
    let file = folder.path("graph.swg");
    keep(&path("philosophers.pnml"), &file, &[]);
    let asked = run(&["query", &file, "--stats", "--json"]);
    assert_eq!(asked.code, 0, "{}", asked.stderr);
    let json = asked.json();
    assert_eq!((&json["schema"], &json["properties"]), (&"sweepnet/query/1".into(), &serde_json::json!([])));
    let graph = &json["graph"];
    assert_eq!(
        (&graph["search"], &graph["complete"], &graph["exact"]),
        (&"bfs".into(), &true.into(), &true.into())
    );
    assert_eq!((&graph["nodes"], &graph["arcs"]), (&82.into(), &265.into()));
    let statistics = &graph["statistics"];
    // All but the one state where everybody waits lead back to the beginning.
    for (key, value) in
        [("deadlocks", 1), ("loops", 0), ("events", 15), ("components", 2), ("terminal_components", 1)]
    {
        assert_eq!(statistics[key], value, "{key}");
    }
    assert_eq!(statistics["depth"], 5, "six levels");
    let degrees = statistics["degrees"].as_object().expect("an object");
    let sum = |of: &dyn Fn(u64, u64) -> u64| -> u64 {
        degrees
            .iter()
            .map(|(degree, nodes)| of(degree.parse().unwrap_or(0), nodes.as_u64().unwrap_or(0)))
            .sum()
    };
    assert_eq!((sum(&|_, nodes| nodes), sum(&|degree, nodes| degree * nodes)), (82, 265));
    let told = run(&["query", &file, "--stats"]).stdout;
    for line in [
        "82 nodes, 265 arcs",
        "deadlocks            1",
        "15 of 15",
        "2 strongly connected, 1 of them never left",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    // Without --stats there has to be a question, and this model has none of its own.
    assert_eq!(run(&["query", &file]).code, 2);
    let both = run(&["query", &file, "--stats", "--deadlock"]);
    assert_eq!(both.code, 1);
    assert!(
        both.stdout.contains("violated  deadlock-free") && both.stdout.contains("82 nodes"),
        "{}",
        both.stdout
    );
}

#[test]
fn what_was_swept_again_is_kept_as_it_is() {
    let folder = Folder::new();
    let (model, file) = (path("database-managers.snet"), folder.path("graph.swg"));
    let told = keep(&model, &file, &["--search", "sweep"]);
    assert_eq!((&told["states"], &told["explored"]), (&Value::Null, &219.into()));
    let graph = run(&["query", &file, "--stats", "--json"]).json()["graph"].clone();
    assert_eq!(
        (&graph["exact"], &graph["nodes"], &graph["complete"]),
        (&false.into(), &219.into(), &true.into())
    );
    let text = run(&["query", &file, "--stats"]).stdout;
    assert!(text.contains("some states are several nodes"), "{text}");
}

#[test]
fn no_other_file_is_taken_for_a_graph() {
    let folder = Folder::new();
    let file = folder.path("graph.swg");
    keep(&path("philosophers.pnml"), &file, &[]);
    let bytes = std::fs::read(&file).expect("it is there");
    let refused = |name: &str, bytes: &[u8]| {
        let file = folder.file(name, bytes);
        let asked = run(&["query", &file, "--stats"]);
        assert_eq!(asked.code, 2, "{name}: {}", asked.stdout);
        assert!(asked.stderr.starts_with("error: ") && asked.stdout.is_empty(), "{name}: {}", asked.stderr);
        let translated = run(&["graph", &file, "-o", &folder.path("out.aut")]);
        assert_eq!(translated.code, 2, "{name}: {}", translated.stdout);
    };
    refused("empty.swg", b"");
    refused("text.swg", &std::fs::read(path("philosophers.pnml")).expect("it is there"));
    for length in [1, 8, 100, bytes.len() / 2, bytes.len() - 8, bytes.len() - 1] {
        refused("cut.swg", &bytes[..length]);
    }
    refused("longer.swg", &[&bytes[..], b"more"].concat());
    let step = bytes.len() / 40;
    for at in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        refused("flipped.swg", &flipped);
    }
    for other in [path("philosophers.pnml"), folder.path("missing.swg")] {
        assert_eq!(run(&["query", &other, "--stats"]).code, 2, "{other}");
    }
    let renamed = folder.file("renamed.graph", &bytes);
    assert_eq!(run(&["query", &renamed, "--stats"]).code, 0, "its contents decide, not its name");
    assert_eq!(run(&["graph", &file, "-o", &folder.path("again.swg")]).code, 2);
    assert!(!folder.names().iter().any(|name| name.starts_with("out") || name.starts_with("again")));
}

#[test]
fn a_graph_knows_its_model() {
    let folder = Folder::new();
    let (model, file) = (folder.path("model.snet"), folder.path("graph.swg"));
    std::fs::copy(example("dbm.snet"), &model).expect("it can be copied");
    assert_eq!(keep(&model, &file, &["--set", "N=3"])["states"], 28);
    assert_eq!(run(&["query", &file, "--model", &model, "--stats"]).code, 0);
    for other in ["database-managers.snet", "mutex.snet", "philosophers.pnml"] {
        let asked = run(&["query", &file, "--model", &path(other), "--stats", "-q"]);
        assert_eq!(asked.code, 2, "{other}: {}", asked.stdout);
    }
    // The model may go: the file has it, with its parameters and its properties.
    std::fs::remove_file(&model).expect("it is there");
    assert_eq!(run(&["query", &file, "--model", &model, "--stats"]).code, 2);
    let asked = verdicts(&["query", &file], &[]);
    assert_eq!(asked, verdicts(&["check", &path("dbm.snet"), "--set", "N=3"], &[]));
    assert!(asked.iter().any(|answer| answer.0 == "messages" && answer.2 == 2), "{asked:?}");
}

#[test]
fn a_model_may_come_by_standard_input() {
    let folder = Folder::new();
    let file = folder.path("graph.swg");
    let text = std::fs::read_to_string(example("producer-consumer.net")).expect("it is there");
    let kept = run_with_input(&["graph", "-", "-o", &file], &text);
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    assert_eq!(verdicts(&["query", &file], &["bound #full"])[0].2, 3);
    let text = std::fs::read_to_string(example("dbm.snet")).expect("it is there");
    let kept = run_with_input(&["graph", "-", "--format", "snet", "--set", "N=3", "-o", &file], &text);
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    assert_eq!(run(&["query", &file, "--stats", "--json"]).json()["graph"]["nodes"], 28);
}

/// A graph in Aldebaran's format: its head, and its edges in order.
fn aut(file: &str) -> (String, Vec<String>) {
    let text = std::fs::read_to_string(file).expect("it is there");
    let mut lines = text.lines().map(str::to_owned);
    let head = lines.next().expect("a line");
    let mut edges: Vec<String> = lines.collect();
    edges.sort();
    (head, edges)
}

/// The edges of a graph in JSON, by markings instead of numbers.
fn edges(file: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let text = std::fs::read_to_string(file).expect("it is there");
    let json: Value = serde_json::from_str(&text).expect("it is JSON");
    let states = json["states"].as_array().expect("a list");
    let marking = |id: &Value| {
        states
            .iter()
            .find(|state| state["id"] == *id)
            .map(|state| state["marking"].to_string())
            .expect("it is there")
    };
    let successors = |state: &Value| {
        let pairs = state["successors"].as_array().expect("a list").iter();
        let mut pairs: Vec<(String, String)> =
            pairs.map(|pair| (pair[0].to_string(), marking(&pair[1]))).collect();
        pairs.sort();
        pairs
    };
    states.iter().map(|state| (state["marking"].to_string(), successors(state))).collect()
}

#[test]
fn a_kept_graph_is_translated_to_what_would_have_been_written() {
    for name in ["philosophers.pnml", "readers-writers.net", "vending-machine.pnml", "dbm.snet"] {
        let (folder, model) = (Folder::new(), path(name));
        for search in ["bfs", "dfs"] {
            let (kept, direct, translated) =
                (folder.path("graph.swg"), folder.path("direct"), folder.path("translated"));
            keep(&model, &kept, &["--search", search]);
            for extension in ["aut", "json", "dot"] {
                let of = |file: &str| format!("{file}.{extension}");
                let first = keep(&model, &of(&direct), &["--search", search]);
                let second = keep(&kept, &of(&translated), &[]);
                assert_eq!(
                    (&first["states"], &first["arcs"]),
                    (&second["states"], &second["arcs"]),
                    "{name}"
                );
            }
            let (one, other) = (aut(&format!("{direct}.aut")), aut(&format!("{translated}.aut")));
            assert_eq!(one.0, other.0, "{name} {search}");
            if search == "bfs" {
                assert_eq!(one.1, other.1, "{name}: the numbers are the same");
            }
            assert_eq!(
                edges(&format!("{direct}.json")),
                edges(&format!("{translated}.json")),
                "{name} {search}"
            );
        }
    }
}

#[test]
fn a_part_of_a_graph_is_not_taken_for_the_whole() {
    let (folder, model) = (Folder::new(), path("kanban.pnml"));
    let sweep = ["--search", "sweep", "--progress", "#Pout4"];
    for search in [&["--search", "bfs"][..], &["--search", "dfs"], &sweep] {
        let file = folder.path("kanban.swg");
        let kept = run(&[&["graph", &model, "-o", &file, "--states", "2000", "--json"], search].concat());
        assert_eq!(kept.code, 3, "{}", kept.stderr);
        assert_eq!((&kept.json()["status"], &kept.json()["reason"]), (&"stopped".into(), &"states".into()));
        assert_eq!(folder.names(), ["kanban.partial.swg"]);
        let file = folder.path("kanban.partial.swg");
        let questions = [
            "reachable #Pm1 = 1",
            "invariant #Pm1 + #Pkan1 = 9",
            "deadlock-free",
            "live",
            "home initial",
            "ctl AG EF initial",
        ];
        let found = verdicts(&["query", &file], &questions);
        let found: Vec<&str> = found.iter().map(|answer| answer.1.as_str()).collect();
        let rest = ["unknown"; 4];
        assert_eq!(found, [&["holds", "violated"][..], &rest].concat(), "{search:?}");
        let asked = run(&["query", &file, "--deadlock", "--stats", "--json"]);
        assert_eq!((asked.code, &asked.json()["properties"][0]["reason"]), (3, &"incomplete".into()));
        assert_eq!(asked.json()["graph"]["complete"], false);
        assert_eq!(run(&["query", &file, "-p", "reachable #Pm1 = 1"]).code, 0);
        assert_eq!(run(&["query", &file, "-p", "invariant #Pm1 + #Pkan1 = 9", "-p", "live"]).code, 1);
        std::fs::remove_file(&file).expect("it is there");
    }
}

/// The checksum of a part of a graph file.
fn checksum(bytes: &[u8], piece: usize) -> [u8; 8] {
    use rapidhash::v3::rapidhash_v3;
    let sum = bytes.chunks(piece).fold(0, |sum, piece| {
        let both = [sum, rapidhash_v3(piece)].map(u64::to_le_bytes);
        rapidhash_v3(both.as_flattened())
    });
    sum.to_le_bytes()
}

#[test]
fn a_forged_graph_is_an_error_of_its_file() {
    let folder = Folder::new();
    let file = folder.path("graph.swg");
    keep(&path("philosophers.pnml"), &file, &[]);
    let bytes = std::fs::read(&file).expect("it is there");
    let word = |i: usize| u64::from_le_bytes(bytes[i * 8..][..8].try_into().expect("eight bytes"));
    let (body, stream) = ((18 + word(11) as usize) * 8, word(12) as usize * 8);
    let (mut noticed, mut forgeries) = (0, 0);
    // Bits of the edges themselves, with checksums that are right.
    for bit in (0..stream * 8).step_by(17) {
        let mut forged = bytes.clone();
        forged[body + bit / 8] ^= 1 << (bit % 8);
        let sum = checksum(&forged[body..], 1 << 16);
        forged[24..32].copy_from_slice(&sum);
        forged[16..24].fill(0);
        let sum = checksum(&forged[..body], usize::MAX);
        forged[16..24].copy_from_slice(&sum);
        let file = folder.file("forged.swg", &forged);
        let asked = run(&["query", &file, "--deadlock", "-p", "live", "-p", "reachable #eating1 = 1"]);
        assert!(!asked.stdout.contains("defect"), "bit {bit}: {}", asked.stdout);
        forgeries += 1;
        if asked.code == 2 {
            noticed += 1;
            assert!(
                asked.stderr.starts_with("error: ") && asked.stderr.contains("forged.swg"),
                "{}",
                asked.stderr
            );
        }
        let translated = run(&["graph", &file, "-o", &folder.path("out.aut"), "-q"]);
        assert!(translated.code == 0 || translated.stderr.contains("forged.swg"), "{}", translated.stderr);
    }
    assert!(noticed * 2 > forgeries, "{noticed} of {forgeries}");
}

#[test]
fn limits_are_looked_at_before_and_after_a_graph_is_open() {
    let folder = Folder::new();
    let file = folder.path("graph.swg");
    keep(&path("kanban.pnml"), &file, &[]);
    for args in [&["--stats"][..], &["--deadlock"], &["--stats", "-p", "live", "--json"]] {
        let asked = run(&[&["query", &file, "--time", "1ms"], args].concat());
        assert_eq!(asked.code, 3, "{args:?}: {}{}", asked.stdout, asked.stderr);
        assert!(asked.stderr.contains("the time of 1.0 ms is up (--time raises it)"), "{}", asked.stderr);
    }
    let translated = run(&["graph", &file, "-o", &folder.path("x.aut"), "--time", "1ms"]);
    assert_eq!(translated.code, 3, "{}", translated.stderr);
}

#[test]
fn a_kept_graph_remembers_parameters_of_both_kinds() {
    let folder = Folder::new();
    let text = "param N = 1\nparam lossy = false\nplace p: 1..N = all 1..N\n\
                transition lose(x: 1..N) { in p: x; when lossy }\n";
    let (model, file) = (folder.file("model.snet", text), folder.path("model.swg"));
    keep(&model, &file, &["--set", "N=2", "--set", "lossy=true"]);
    let answers = verdicts(&["query", &file], &["reachable #p = 0", "bound #p"]);
    assert_eq!((answers[0].1.as_str(), &answers[1].2), ("holds", &serde_json::json!(2)));
}
