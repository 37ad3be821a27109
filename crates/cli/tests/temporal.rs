//! Questions about paths: `home`, `reversible`, `live`, `ctl` and `ltl`.

mod common;

use common::{Folder, Run, example, run};
use serde_json::Value;

/// Asks an example.
fn check(name: &str, questions: &[&str], more: &[&str]) -> Run {
    let model = example(name).display().to_string();
    let mut args = vec!["check", model.as_str()];
    questions.iter().for_each(|question| args.extend(["-p", question]));
    args.extend(more);
    run(&args)
}

/// The answers to questions about an example.
fn answers(name: &str, questions: &[&str], more: &[&str]) -> Vec<Value> {
    let run = check(name, questions, &[more, &["--json"]].concat());
    match run.json()["properties"].take() {
        Value::Array(answers) => answers,
        other => panic!("{other}: {}", run.stderr),
    }
}

fn verdicts(answers: &[Value]) -> Vec<&str> {
    answers.iter().map(|answer| answer["verdict"].as_str().expect("a verdict")).collect()
}

/// Examples, questions, and what textbooks say.
const KNOWN: [(&str, &str, &str); 28] = [
    // They can all take their left forks, and that is the end.
    ("philosophers.pnml", "reversible", "violated"),
    ("philosophers.pnml", "live", "violated"),
    ("philosophers.pnml", "live take_left1", "violated"),
    ("philosophers.pnml", "home deadlock", "holds"),
    ("philosophers.pnml", "home #eating1 = 1", "violated"),
    ("philosophers.pnml", "ctl EF AG deadlock", "holds"),
    ("philosophers.pnml", "ctl AG (deadlock or EX true)", "holds"),
    ("philosophers.pnml", "ltl F deadlock", "violated"),
    ("philosophers.pnml", "ltl G (deadlock -> X deadlock)", "holds"),
    ("peterson.net", "reversible", "holds"),
    ("peterson.net", "live", "holds"),
    ("peterson.net", "ltl G (#waiting1 = 1 -> F #critical1 = 1)", "holds"),
    ("peterson.net", "ltl F #critical1 = 1", "violated"),
    ("peterson.net", "ctl A [#critical1 = 0 W #waiting1 = 1]", "holds"),
    // Readers can keep writers out for ever, but need not.
    ("readers-writers.net", "ltl F #writing = 1", "violated"),
    ("readers-writers.net", "ctl AG EF #writing = 1", "holds"),
    ("readers-writers.net", "live", "holds"),
    ("order-process.pnml", "home #end = 1", "holds"),
    ("order-process.pnml", "home deadlock", "holds"),
    ("order-process.pnml", "reversible", "violated"),
    ("order-process.pnml", "live complain", "violated"),
    ("dbm.snet", "reversible", "holds"),
    ("dbm.snet", "live", "holds"),
    ("dbm.snet", "live finish", "holds"),
    ("dbm.snet", "ctl AG (#waiting = 1 -> AF #waiting = 0)", "holds"),
    ("dbm.snet", "ltl F waiting(1) = 1", "violated"),
    ("stop-and-wait.snet", "home deadlock", "holds"),
    ("stop-and-wait.snet", "ltl F deadlock", "violated"),
];

#[test]
fn verdicts_are_those_of_the_textbooks() {
    for (name, question, expected) in KNOWN {
        assert_eq!(verdicts(&answers(name, &[question], &[])), [expected], "{name}: {question}");
    }
}

#[test]
fn exit_codes_are_those_of_other_questions() {
    let name = "peterson.net";
    assert_eq!(check(name, &["live", "reversible", "ctl AG EF initial"], &[]).code, 0);
    assert_eq!(check(name, &["live", "ltl F #critical1 = 1"], &[]).code, 1);
    assert_eq!(check(name, &["live"], &["--states", "3"]).code, 3);
    assert_eq!(check(name, &["ctl F initial"], &[]).code, 2);
    // Without an end of states there is no graph of them.
    let endless =
        check("unbounded-producer.lola", &["reversible", "ctl AG EF initial", "ltl F initial"], &[]);
    assert_eq!(endless.code, 3, "{}", endless.stdout);
    assert!(endless.stdout.contains("unknown   ctl AG EF initial  [graph]"), "{}", endless.stdout);
    assert!(endless.stdout.contains("because the net is unbounded"), "{}", endless.stdout);
}

#[test]
fn a_trace_of_linear_time_goes_on_for_ever() {
    let found = check("readers-writers.net", &["ltl F #writing = 1"], &["-q"]);
    assert_eq!(
        found.stdout,
        "violated  ltl F #writing = 1  [graph]
  counterexample, 2 steps, which repeat for ever:
    1  start_reading  idle_readers -1  reading +1
    2  stop_reading   idle_readers +1  reading -1
    ends in idle_readers:4 idle_writers:2
"
    );
    let stuck = check("philosophers.pnml", &["ltl F G #eating1 = 1"], &["-q"]);
    assert!(stuck.stdout.contains("for ever:"), "{}", stuck.stdout);
}

/// A trace that repeats comes back to where it turns; one that stays ends in a dead marking.
#[test]
fn what_repeats_comes_back() {
    let questions = [
        ("readers-writers.net", "ltl G F #writing = 1"),
        ("readers-writers.net", "ltl #reading = 0 U #writing = 1"),
        ("peterson.net", "ltl F G #critical1 = 0"),
        ("peterson.net", "ltl X X X X F #critical2 = 1"),
        ("philosophers.pnml", "ltl G F #eating1 = 1"),
        ("philosophers.pnml", "ctl AF deadlock"),
        ("alternating-bit.lola", "ltl F #expect1 = 1"),
        ("dbm.snet", "ltl F waiting(1) = 1"),
        ("stop-and-wait.snet", "ltl F deadlock"),
        ("stop-and-wait.snet", "ltl G not deadlock"),
    ];
    let mut turns = 0;
    for (name, question) in questions {
        let answer = answers(name, &[question], &[]).remove(0);
        assert_eq!(answer["verdict"], "violated", "{name}: {question}");
        let trace = &answer["trace"];
        let steps = trace["length"].as_u64().expect("a number");
        match answer["cycle"].as_u64() {
            Some(turn) if turn < steps => {
                assert_eq!(trace["markings"][turn as usize], trace["end"], "{name}: {question}");
                turns += 1;
            }
            Some(turn) => assert_eq!(turn, steps, "{name}: {question}"),
            None => {}
        }
    }
    assert!(turns >= 6, "{turns}");
}

#[test]
fn what_never_happens_again_is_named() {
    let answer = answers("philosophers.pnml", &["live"], &[]).remove(0);
    let stuck = answer["detail"]["never_again"].as_array().expect("a list");
    assert_eq!(stuck.len(), 15);
    assert_eq!(answer["trace"]["length"], 5);
    assert_eq!(answer["cycle"], Value::Null);
    let text = check("order-process.pnml", &["live"], &["-q"]).stdout;
    assert!(text.contains("can never fire again: register"), "{text}");
    // Of a coloured transition some binding is enough.
    let folder = Folder::new();
    let model = "type T = 0..1 place p: T = 0 place q: T
        transition go(x) { in p: x out q: 1 - x }
        transition back(x) { in q: x out p: 1 - x }
        property again: live
        property home: reversible
        property once: live go";
    let model = folder.file("model.snet", model);
    let run = run(&["check", &model, "--json"]);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

#[test]
fn traces_can_be_replayed() {
    for (name, question) in [
        ("readers-writers.net", "starved: ltl G F #writing = 1"),
        ("philosophers.pnml", "starved: live"),
        ("order-process.pnml", "starved: reversible"),
        ("dbm.snet", "starved: ltl F waiting(1) = 1"),
    ] {
        let folder = Folder::new();
        let traces = folder.path("traces");
        let found = answers(name, &[question], &["--traces", &traces]).remove(0);
        let model = example(name).display().to_string();
        let file = format!("{traces}/starved.scn");
        let replayed = run(&["simulate", &model, "--replay", &file, "--random", "0", "--json"]);
        assert_eq!(replayed.code, 0, "{name}: {}", replayed.stderr);
        assert_eq!(replayed.json()["trace"]["events"], found["trace"]["events"], "{name}");
        assert_eq!(replayed.json()["trace"]["end"], found["trace"]["end"], "{name}");
    }
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let net = "peterson.net";
    for (name, question, place) in [
        (net, "ctl AG", "      ^"),
        (net, "ctl AG F #idle1 = 1", "       ^"),
        (net, "ltl AG #idle1 = 1", "    ^^"),
        (net, "ltl #idle1 = 1 U", "                ^"),
        (net, "ctl EF #idle3 = 1", "        ^^^^^"),
        (net, "live idle1", "     ^^^^^"),
        (net, "reversibel", "^^^^^^^^^^"),
        ("dbm.snet", "ctl AG", "      ^"),
        ("dbm.snet", "ctl AG F #waiting = 1", "       ^"),
        ("dbm.snet", "ltl AG #waiting = 1", "    ^"),
        ("dbm.snet", "live waiting", "     ^^^^^^^"),
        ("dbm.snet", "reversibel", "^^^^^^^^^^"),
    ] {
        let run = check(name, &[question], &[]);
        assert_eq!(run.code, 2, "{question}");
        assert!(run.stdout.is_empty(), "{question}");
        // The line and what underlines it are set in by as much.
        let mut lines = run.stderr.lines().skip_while(|line| !line.ends_with(question));
        let (line, below) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let start = line.len() - question.len();
        let underlined = below.chars().skip(start).collect::<String>();
        assert!(underlined.starts_with(place), "{question}: {}", run.stderr);
    }
}

/// Example, a measure, and whether no step loses by it.
const MEASURES: [(&str, &str, bool); 12] = [
    ("philosophers.pnml", "0", true),
    ("philosophers.pnml", "#eating1", false),
    ("peterson.net", "#critical1, #critical2", false),
    ("readers-writers.net", "0 - #writing", false),
    ("order-process.pnml", "#end", true),
    ("order-process.pnml", "0 - #start, #end", true),
    ("vending-machine.pnml", "#cashbox", false),
    ("producer-consumer.net", "#full", false),
    ("dbm.snet", "#performing + 2 * #acknowledged", false),
    ("dining.snet", "#eating", false),
    ("database-managers.snet", "#initially", false),
    ("stop-and-wait.snet", "sum r in Number: r * received(r)", true),
];

#[test]
fn sweeps_say_what_other_searches_say() {
    let questions = ["reversible", "live", "home deadlock", "home not deadlock"];
    for (name, measure, is_monotone) in MEASURES {
        let usual = answers(name, &questions, &["--search", "bfs"]);
        let swept = answers(name, &questions, &["--search", "sweep", "--progress", measure]);
        assert_eq!(verdicts(&swept), verdicts(&usual), "{name} {measure}");
        for (swept, usual) in swept.iter().zip(&usual) {
            let (swept_by, has_trace) = (swept["method"].as_str(), |of: &Value| of["trace"].is_object());
            assert_eq!(has_trace(swept), has_trace(usual), "{name} {measure}: {}", swept["name"]);
            if usual["method"] == "graph" && !name.ends_with("snet") {
                let expected = if is_monotone { "sweep" } else { "graph" };
                assert_eq!(swept_by, Some(expected), "{name} {measure}: {}", swept["name"]);
            }
        }
    }
}

#[test]
fn formulas_need_the_graph_in_a_sweep_too() {
    let questions = ["ctl AG EF #end = 1", "ltl F #end = 1", "live", "ltl F initial"];
    let swept = answers("order-process.pnml", &questions, &["--search", "sweep", "--progress", "#end"]);
    let usual = answers("order-process.pnml", &questions, &[]);
    assert_eq!(verdicts(&swept), verdicts(&usual));
    assert_eq!(swept[2]["method"], "graph");
}

#[test]
fn coloured_nets_are_asked_on_either_engine() {
    for (name, question, verdict) in KNOWN.iter().filter(|(name, ..)| name.ends_with(".snet")) {
        let engine = ["--engine", "coloured"];
        for more in [&engine[..], &["--engine", "coloured", "--search", "sweep"]] {
            let found = answers(name, &[question], more);
            assert_eq!(verdicts(&found), [*verdict], "{name} {more:?}: {question}");
        }
    }
}

#[test]
fn timed_nets_are_asked_about_their_paths() {
    let folder = Folder::new();
    let model = folder.file(
        "lamp.snet",
        "place off: unit = ()\n\
         place on: unit timed\n\
         place broken: unit\n\
         transition switch { in off: (); out on: (); delay 3 }\n\
         transition again { in on: (); out off: () }\n\
         transition fail { in on: (); out broken: () }\n",
    );
    let asked =
        run(&["check", &model, "-p", "live switch", "-p", "ltl F #broken = 1", "-p", "ctl EF deadlock"]);
    assert_eq!(asked.code, 1, "{}", asked.stderr);
    for line in
        ["violated  live switch  [graph]", "violated  ltl F #broken = 1  [graph]", "switch@0", "fail@3"]
    {
        assert!(asked.stdout.contains(line), "{line}: {}", asked.stdout);
    }
    // Such a net has no graph that could be kept, but can be asked.
    let kept = run(&["graph", &model, "-o", &folder.path("lamp.swg")]);
    assert_eq!(kept.code, 2);
    assert!(kept.stderr.contains("timed places") && kept.stderr.contains("`check` asks"), "{}", kept.stderr);
}
