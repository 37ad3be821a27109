//! Both engines say the same of coloured nets, also where something is odd about them.

mod common;

use common::{Folder, run};

/// The verdicts of an engine, with values, without traces; or what is wrong with the model.
fn verdicts(folder: &Folder, engine: &str, questions: &[&str]) -> (Vec<String>, i32) {
    let path = folder.path("model.snet");
    let mut words = vec!["check", path.as_str(), "--quiet", "--engine", engine];
    words.extend(questions.iter().flat_map(|question| ["-p", question]));
    let run = run(&words);
    let lines = run.stdout.lines().filter(|line| !line.starts_with(' '));
    let said = lines.map(|line| match line.split_once("  [") {
        Some((answer, _)) => answer.to_owned(),
        // The engines see an error from both sides of the event.
        None => line.split(':').next().unwrap_or_default().to_owned(),
    });
    (said.collect(), run.code)
}

/// What both engines tell in JSON, of the fields that are the same: the unfolded one first.
fn both(command: &[&str], fields: &[&str]) -> [serde_json::Value; 2] {
    ["unfolded", "coloured"].map(|engine| {
        let run = run(&[command, &["--engine", engine, "--json", "-q"]].concat());
        let json = run.json();
        let told = fields.iter().map(|field| ((*field).to_owned(), json[*field].clone()));
        serde_json::Value::Object(told.collect())
    })
}

#[test]
fn bounds_are_those_of_the_places_that_were_written() {
    let examples = [
        ("dbm.snet", "N=6"),
        ("dining.snet", "N=5"),
        ("eratos.snet", "N=12"),
        ("leader.snet", "N=6"),
        ("mutex.snet", "N=5"),
        ("peterson.snet", "N=2"),
        ("database-managers.snet", "N=4"),
        ("stop-and-wait.snet", "P=2"),
        ("sliding-window.snet", "P=2"),
        ("election.snet", "TERMS=1"),
    ];
    let fields = [
        "places",
        "transitions",
        "states",
        "arcs",
        "deadlocks",
        "levels",
        "max_tokens_in_place",
        "max_tokens_in_marking",
        "bounds",
        "dead_transitions",
    ];
    for (example, parameter) in examples {
        let path = common::example(example).display().to_string();
        for search in ["bfs", "dfs"] {
            let command = ["explore", &path, "--set", parameter, "--search", search];
            let [unfolded, coloured] = both(&command, &fields);
            assert_eq!(unfolded, coloured, "{example}, {search}");
        }
    }
    // Nine managers are inactive at first, of whom each may become active.
    let path = common::example("dbm.snet").display().to_string();
    for engine in ["unfolded", "coloured"] {
        let told = run(&["explore", &path, "--set", "N=9", "--engine", engine]).stdout;
        assert!(told.contains("tokens in a place    9, in inactive\n"), "{engine}: {told}");
    }
}

#[test]
fn places_that_are_only_defined_are_in_bounds_and_traces() {
    let folder = Folder::new();
    let model = "type T = 0..3 place p: T = all T place q: T
        place d: T derived q place rest: unit derived (4 - #q)'()
        place pair: T derived if #q > 2 then { 1, 2 } else { }
        transition t(x) { in p: x out q: x }";
    let path = folder.file("model.snet", model);
    let fields = ["places", "max_tokens_in_place", "max_tokens_in_marking", "bounds"];
    let [unfolded, coloured] = both(&["explore", &path], &fields);
    assert_eq!(unfolded, coloured);
    assert_eq!(unfolded["bounds"], serde_json::json!({ "p": 4, "q": 4, "d": 4, "rest": 4, "pair": 2 }));
    let [unfolded, coloured] = both(&["check", &path, "-p", "invariant #pair = 0"], &["properties"]);
    assert_eq!(unfolded, coloured);
    let trace = &unfolded["properties"][0]["trace"];
    assert_eq!(trace["events"], serde_json::json!(["t(x=0)", "t(x=1)", "t(x=2)"]));
    assert_eq!(trace["markings"][1]["d(0)"], 1);
    assert_eq!((&trace["markings"][1]["rest"], &trace["end"]["pair(2)"]), (&3.into(), &1.into()));
}

#[test]
fn what_is_derived_by_a_count_must_not_be_less_than_nothing() {
    let engines = ["unfolded", "coloured", "auto"];
    let model = "type T = 0..3 place p: T = all T place q: T
        place d: T derived all T - (1 - #q)'0 transition t(x) { in p: x out q: x }";
    // After two steps a token less than none is to be taken away, though what is left would be a multiset.
    agree_on(&engines, model, &["bound #d"], &["model"]);
    agree_on(&engines, &model.replace("1 - #q", "4 - #p - #q"), &["bound #d"], &["holds"]);
    // Where it does not count it may be anything.
    let guarded = model.replace("(1 - #q)'0", "(if #q < 2 then (1 - #q)'0 else { })");
    agree_on(&engines, &guarded, &["invariant #d <= 4"], &["holds"]);
}

/// Asks both engines, and `auto`, which may choose either.
#[track_caller]
fn agree(model: &str, questions: &[&str], expected: &[&str]) {
    agree_on(&["coloured", "auto"], model, questions, expected);
}

#[track_caller]
fn agree_on(engines: &[&str], model: &str, questions: &[&str], expected: &[&str]) {
    let folder = Folder::new();
    folder.file("model.snet", model);
    for engine in engines {
        let (said, code) = verdicts(&folder, engine, questions);
        let said: Vec<&str> =
            said.iter().map(|line| line.split_whitespace().next().unwrap_or_default()).collect();
        assert_eq!(said, expected, "{engine}, exit code {code}");
    }
}

#[test]
fn bindings_that_wait_for_a_value_are_not_forgotten() {
    let model = "type T = 0..600000 place p: T = 600000 place r: T
        transition t(x: T) { in p: x + 1 out r: x when x < 600000 }";
    agree(model, &["reachable #r = 1"], &["holds"]);
}

#[test]
fn a_variable_that_cannot_be_gone_through_is_an_error() {
    let model = "place p: unit = () place r: 0..1000000000000
        transition t(x: 0..1000000000000) { in p: () out r: x when x > 5 when x < 8 }";
    agree(model, &["reachable #r = 1"], &["model"]);
}

#[test]
fn a_way_out_of_a_slice_needs_all_its_tokens() {
    let model = "param N = 700 type T = 1..N place p: T = 1 place q: T place r: T
        transition inc(x) { in p: x out p: if x < N then x + 1 else 1 }
        transition two(x) { in p: x in p: x out q: x }
        transition three(x) { in q: x out r: x }";
    let questions = ["fireable two", "dead two", "reachable enabled(two)"];
    agree(model, &questions, &["violated", "holds", "violated"]);
}

#[test]
fn places_that_are_only_defined_count() {
    let model = "type T = 0..3 place p: T = all T place q: T place d: T derived q
        transition t(x) { in p: x out q: x }";
    let questions = ["stable d", "some-stable", "conservative", "bound #d"];
    agree(model, &questions, &["violated", "violated", "violated", "holds"]);
    let capacity = model.replace("place d: T", "place d: T capacity 0..1");
    agree(&capacity, &["invariant #p <= 4"], &["model"]);
    let negative = "type T = 0..3 place p: T = 0 place q: T = 1
        place d: T derived p - { x for x in T if x > 1 and #q = 0 }
        transition t(x) { in q: x out p: x }";
    agree(negative, &["invariant #p <= 4"], &["model"]);
}

#[test]
fn what_is_divided_or_different_in_different_cases_is_the_same_on_both_engines() {
    let model = "type S = 1..5 place a: S = all S place b: S
        place free: unit derived if #b = 0 then { () } else { }
        place pairs: unit derived (#b / 2)'()
        transition go(s) { in a: s out b: s }
        transition back(s) { in b: s out a: s }";
    let questions = [
        "bound #free",
        "bound #pairs",
        "bound #b mod 3",
        "bound (#b - 4) / 2 + 10",
        "bound (-#b) mod 4",
        "bound if #b > 3 then #a else 0",
        "bound if deadlock then 7 else #pairs",
        "bound max(#a, #b) - min(#a, #b)",
        "invariant #b / 2 + (#b + 1) / 2 = #b",
        "invariant #b mod 2 = 0",
        "reachable #pairs = 2 and 3 * (#b / 2) = 6",
    ];
    let expected = [
        "holds     bound #free = 1",
        "holds     bound #pairs = 2",
        "holds     bound #b mod 3 = 2",
        "holds     bound (#b - 4) / 2 + 10 = 10",
        "holds     bound (-#b) mod 4 = 3",
        "holds     bound if #b > 3 then #a else 0 = 1",
        "holds     bound if deadlock then 7 else #pairs = 2",
        "holds     bound max(#a, #b) - min(#a, #b) = 5",
        "holds     invariant #b / 2 + (#b + 1) / 2 = #b",
        "violated  invariant #b mod 2 = 0",
        "holds     reachable #pairs = 2 and 3 * (#b / 2) = 6",
    ];
    let folder = Folder::new();
    let path = folder.file("model.snet", model);
    for engine in ["unfolded", "coloured"] {
        let (said, code) = verdicts(&folder, engine, &questions);
        assert_eq!(
            (said.iter().map(String::as_str).collect::<Vec<_>>(), code),
            (expected.to_vec(), 1),
            "{engine}"
        );
    }
    let [unfolded, coloured] =
        both(&["explore", &path], &["states", "arcs", "bounds", "max_tokens_in_marking"]);
    assert_eq!(unfolded, coloured);
    // By what may be nothing, only the coloured engine divides; it is named.
    for question in ["bound #a / #b", "safe"] {
        let refused = run(&["check", &path, "--engine", "unfolded", "-p", question]);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("(--engine coloured)"), "{}", refused.stderr);
    }
}

#[test]
fn what_is_wrong_with_a_symmetric_net_is_told_with_its_place_in_the_file() {
    let folder = Folder::new();
    let sort = "<type><structure><usersort declaration=\"e\"/></structure></type>";
    let variable = "<subterm><variable refvariable=\"x\"/></subterm>";
    let constant = "<subterm><useroperator declaration=\"a\"/></subterm>";
    let text = format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n\
         <declaration><structure><declarations><namedsort id=\"e\" name=\"E\"><finiteenumeration>\
         <feconstant id=\"a\" name=\"A\"/><feconstant id=\"b\" name=\"B\"/></finiteenumeration></namedsort>\
         <variabledecl id=\"x\" name=\"x\"><usersort declaration=\"e\"/></variabledecl>\
         </declarations></structure></declaration>\n\
         <page id=\"g\">\n<place id=\"p\">{sort}<hlinitialMarking><structure><all><usersort declaration=\"e\"/></all>\
         </structure></hlinitialMarking></place>\n<place id=\"q\">{sort}</place>\n<transition id=\"t\"/>\n\
         <arc id=\"i\" source=\"p\" target=\"t\"><hlinscription><structure><variable refvariable=\"x\"/></structure>\
         </hlinscription></arc>\n  \
         <arc id=\"o\" source=\"t\" target=\"q\"><hlinscription><structure><subtract>{variable}{constant}</subtract>\
         </structure></hlinscription></arc>\n</page></net></pnml>"
    );
    let path = folder.file("model.pnml", text);
    for engine in ["unfolded", "coloured"] {
        let checked = run(&["check", &path, "-p", "deadlock-free", "--engine", engine]);
        assert_eq!(checked.code, 2, "{engine}: {}", checked.stderr);
        // The arc that puts fewer than no tokens there.
        let first = checked.stdout.lines().next().unwrap_or_default();
        assert!(first.contains("model.pnml:8:3: transition t(x=B) is enabled"), "{engine}: {first}");
        let shown = checked.stdout.lines().nth(3).unwrap_or_default();
        assert!(
            shown.trim_end().ends_with(&"^".repeat(r#"<arc id="o" source="t" target="q">"#.len())),
            "{shown}"
        );
    }
    let [unfolded, coloured] = both(&["explore", &path], &["model_error"]);
    assert_eq!(unfolded, coloured);
    let error = &unfolded["model_error"];
    assert_eq!((&error["line"], &error["column"]), (&8.into(), &3.into()), "{error}");
}

#[test]
fn an_equation_without_a_value_is_an_error_unless_another_guard_is_false() {
    let model = "type T = 0..5 place p: T = 0 place r: T
        transition t(x: T, y) { in p: y out r: x when x = 1 / y when x > 2 }";
    agree(model, &["invariant #r <= 1"], &["model"]);
    agree(&model.replace("x > 2", "x > 5"), &["invariant #r <= 1"], &["holds"]);
}

#[test]
fn questions_look_only_at_what_they_need() {
    let model = "type T = 0..3 place p: T = all T transition t(x) { in p: x }";
    let questions = [
        "invariant forall x in T: x = 0 or p(x - 1) <= 1",
        "invariant forall x in T: x > 0 -> p(pred(x)) <= 1",
        "bound sum x in T: if x = 0 then 0 else p(x - 1)",
    ];
    agree(model, &questions, &["holds", "holds", "holds"]);
}

#[test]
fn a_model_that_is_wrong_gets_no_answer() {
    let model = "place p: 0..3 = 0 transition up(x) { in p: x out p: x + 1 }";
    agree(model, &["invariant #p <= 1"], &["model"]);
    let folder = Folder::new();
    let path = folder.file("model.snet", model);
    let played = run(&["simulate", &path, "--random", "6"]);
    assert_eq!(played.code, 2);
    assert!(played.stdout.contains("ends in p(3)"), "{}", played.stdout);
    let (drawing, converted) = (folder.path("graph.json"), folder.path("net.pnml"));
    let drawn = run(&["graph", &path, "-o", &drawing, "--json"]);
    assert_eq!(drawn.code, 2);
    let message = drawn.json()["model_error"]["message"].clone();
    assert!(message.as_str().is_some_and(|message| message.contains("no result")), "{message}");
    assert!(!std::path::Path::new(&drawing).exists());
    assert_eq!(run(&["convert", &path, "-o", &converted, "-q"]).code, 0);
    assert_eq!(run(&["explore", &converted, "--json"]).json()["states"], 4);
}

#[test]
fn what_is_wrong_with_a_model_is_told_with_its_place_in_the_file() {
    let folder = Folder::new();
    let declared = "type T = 0..3\nplace p: T = all T\nplace q: T";
    let step = "transition t(x) { in p: x; out q: x }\n";
    // What is declared besides, the line, what is underlined, and how the sentence ends.
    let cases = [
        (
            format!("{declared} capacity 0..2\n{step}"),
            3,
            "0..2",
            "place 'q' has 3 tokens; its capacity is 0..2",
        ),
        (
            format!("{declared}\nplace e: unit derived (2 - #q)'()\n{step}"),
            4,
            "(2 - #q)'()",
            "the definition of derived place 'e' has no value: a multiset would have fewer than no tokens of a value",
        ),
        (
            format!("{declared}\nplace e: T derived p\ntransition t(x) {{ in p: x; out q: x; in e: 3 }}\n"),
            4,
            "p",
            "derived place 'e' is not equal to its definition",
        ),
        (
            format!("{declared}\ntransition t(x) {{\n  in p: x\n  out q: x\n  out q: x + 1\n}}\n"),
            7,
            "x + 1",
            "has no result: 4 is outside of T",
        ),
        (
            format!("{declared}\ntransition t(x) {{\n  in p: x\n  when 6 / x > 1\n}}\n"),
            6,
            "6 / x > 1",
            "a guard has no value: division by zero",
        ),
    ];
    for (model, line, underlined, ending) in cases {
        let path = folder.file("model.snet", &model);
        let shown = ["unfolded", "coloured"].map(|engine| {
            let explored = run(&["explore", &path, "--engine", engine, "-q"]);
            assert_eq!(explored.code, 2, "{engine}: {}", explored.stderr);
            let checked = run(&["check", &path, "-p", "deadlock-free", "--engine", engine, "-q"]);
            let shown = explored.stdout.split_once("model error").expect("it is told").1.to_owned();
            assert_eq!(Some(shown.as_str()), checked.stdout.strip_prefix("model error"), "{engine}");
            shown
        });
        assert_eq!(shown[0], shown[1]);
        let first = shown[0].lines().next().unwrap_or_default();
        assert!(first.ends_with(ending) && first.contains(&format!("model.snet:{line}:")), "{}", shown[0]);
        let carets = shown[0].lines().nth(3).unwrap_or_default().matches('^').count();
        assert_eq!(carets, underlined.len(), "{}", shown[0]);
        let [unfolded, coloured] = both(&["explore", &path], &["model_error"]);
        assert_eq!(unfolded, coloured);
        let error = &unfolded["model_error"];
        assert_eq!((&error["line"], &error["transition"]), (&line.into(), &"t".into()));
        assert!(error["binding"]["x"].is_string() && error["trace"]["end"].is_object(), "{error}");
    }
}

#[test]
fn what_a_capacity_limits_does_not_grow_for_ever() {
    let folder = Folder::new();
    let text = "type V = 0..3\nplace p: V capacity 0..3 = 0\nplace q: V\n";
    let breaks = folder.file("breaks.snet", format!("{text}transition t(x: V) {{ out p: x }}\n"));
    let grows = folder.file("grows.snet", format!("{text}transition t(x: V) {{ out q: x }}\n"));
    for engine in ["unfolded", "coloured", "auto"] {
        let dfs = vec!["explore", &breaks, "--search", "dfs", "--states", "1000"];
        for command in [vec!["explore", &breaks], dfs, vec!["check", &breaks, "-p", "bound #p"]] {
            let run = run(&[command.as_slice(), &["--engine", engine]].concat());
            assert_eq!(run.code, 2, "{engine}: {}{}", run.stdout, run.stderr);
            let said = run.stdout + &run.stderr;
            assert!(said.contains("capacity") && !said.contains("infinitely"), "{engine}: {said}");
        }
    }
    for engine in ["unfolded", "coloured"] {
        let run = run(&["explore", &grows, "--engine", engine]);
        assert!(run.stdout.contains("infinitely many"), "{engine}: {}", run.stdout);
    }
}

#[test]
fn questions_that_are_spelt_out_keep_the_budget() {
    let folder = Folder::new();
    let model = folder.file(
        "wide.snet",
        "type W = 0..1500\nplace p: W = 0\nplace q: W\n\
         transition t(x) { in p: x; out q: (x + 1) mod 1501 }\ntransition u(x) { in q: x; out p: x }\n\
         property c: reachable exists x in W: p(x) > 0 and enabled(t)\n",
    );
    let run = run(&["check", &model, "--memory", "30M", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let peak = run.json()["exploration"]["peak_resident_bytes"].as_u64().expect("this system tells");
    assert!(peak <= 30 << 20, "{peak} bytes");
}

#[test]
fn a_depth_first_search_ends_at_a_broken_capacity() {
    // Without an end to the tokens, what is below the first broken state is never done with.
    let folder = Folder::new();
    let model = "place p: unit capacity 0..3 place r: unit = () transition t { read r: () out p: () }";
    let path = folder.file("model.snet", model);
    for engine in ["unfolded", "coloured"] {
        let run = run(&["explore", &path, "--engine", engine, "--search", "dfs", "--time", "60s", "--json"]);
        assert_eq!(run.code, 2, "{engine}: {}", run.stderr);
        assert!(run.json()["states"].as_u64() <= Some(10), "{engine}: {}", run.stdout);
    }
}

#[test]
fn growth_without_end_is_noticed_on_both_engines() {
    let folder = Folder::new();
    let grows = "type T = 0..2 place ready: T = 0 place made, buffer: T
        transition produce(x) { in ready: x out made: x }
        transition put(x) { in made: x out ready: (x + 1) mod 3 out buffer: x }";
    let told = |path: &str, engine: &str, search: &str| {
        let run =
            run(&["explore", path, "--engine", engine, "--search", search, "--states", "3000", "--json"]);
        assert_eq!(run.code, 3, "{engine}, {search}: {}", run.stderr);
        run.json()
    };
    let path = folder.file("model.snet", grows);
    for search in ["bfs", "dfs"] {
        let [unfolded, coloured] = ["unfolded", "coloured"].map(|engine| told(&path, engine, search));
        assert_eq!(unfolded["reason"], "unbounded");
        assert_eq!(unfolded["unbounded"], coloured["unbounded"], "{search}");
        assert_eq!(coloured["unbounded"]["places"]["buffer(2)"], 1);
    }
    // Inhibitor arcs for other values of the same place do not keep it from growing.
    let beside = "type T = 0..2 place p: T = 1 transition t { in p: 1 out p: { 1, 2 } inhibit p: 0 }";
    let path = folder.file("model.snet", beside);
    let [unfolded, coloured] = ["unfolded", "coloured"].map(|engine| told(&path, engine, "bfs"));
    assert_eq!(unfolded["unbounded"], coloured["unbounded"]);
    assert_eq!(coloured["unbounded"]["places"], serde_json::json!({ "p(2)": 1 }));
    let questions = ["bound #buffer", "3-safe", "conservative", "reachable buffer(1) >= 5"];
    let answers = ["violated", "violated", "violated", "holds"];
    agree_on(&["unfolded", "coloured"], grows, &questions, &answers);
    // More tokens than are worth the wait.
    agree_on(&["coloured"], grows, &["1000000-safe"], &["violated"]);
    // What is derived from it grows, too, unless it cannot.
    for (derived, reason) in [
        ("derived buffer + made", "unbounded"),
        ("derived { 0 for i in 1..2 } + buffer", "unbounded"),
        ("derived (#buffer)'0", "unbounded"),
        ("capacity 0..5 derived buffer", "model-error"),
        ("derived (if #buffer < 9 then (9 - #buffer)'0 else (4 - #made - 5 * #buffer)'0)", "model-error"),
        ("derived 9'(all T) - buffer", "model-error"),
    ] {
        let path = folder.file("model.snet", format!("{grows} place d: T {derived}"));
        for engine in ["unfolded", "coloured"] {
            let run = run(&["explore", &path, "--engine", engine, "--states", "100000", "--json"]);
            assert_eq!(run.json()["reason"], reason, "{derived}, {engine}");
        }
    }
}

#[test]
fn growth_is_only_told_where_it_can_go_on() {
    let folder = Folder::new();
    let explored = |model: &str| {
        let path = folder.file("model.snet", model);
        run(&["explore", &path, "--engine", "coloured", "--states", "2000", "--json"]).json()
    };
    let pump = "place a: unit = () place q, r: unit transition t { in a: () out a: () out q: ()";
    // Four tokens are one too many, for the transition itself or because another comes first.
    assert_eq!(explored(&format!("{pump} inhibit q: 3'() }}"))["states"], 4);
    assert_eq!(explored(&format!("{pump} }} transition u {{ in q: 3'() priority 1 }}"))["states"], 4);
    assert_eq!(explored(&format!("{pump} reset q }}"))["states"], 2);
    // A transition that comes first, but waits for something else, changes nothing.
    let other = explored(&format!("{pump} }} transition u {{ in r: () priority 1 }}"));
    assert_eq!(other["unbounded"]["cycle"], serde_json::json!(["t"]));
    // A clock that goes on for ever with tokens that pile up; and one with which somebody takes them away in time.
    let clock =
        "place a: unit timed = () place q: unit transition t { in a: () out a: () out q: () delay 5 }";
    assert_eq!(explored(clock)["unbounded"]["places"], serde_json::json!({ "q": 1 }));
    let in_time = explored(&format!("{clock} transition u {{ in q: () }}"));
    assert_eq!(
        (&in_time["reason"], &in_time["unbounded"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    let too_late = explored(&format!("{clock} transition u {{ in q: 4'() }}"));
    assert!(too_late["unbounded"].is_null() && too_late["reason"].is_null(), "{too_late}");
}

/// A train looks the stop after the next up in its timetable, and a walker where he is on his path. There are far too
/// many times to try them all.
const TIMETABLE: &str = r#"
    net "Timetable"
    type Stop = cyclic 1..9
    type Time = 0..1_000_000_000_000
    place train: Stop = 1
    place table: (Stop, Time) = { (s, 1_000_000_007 * s) for s in Stop }
    place walker: -4..4 = -4
    place path: (10..20, Time) = { (p, 7_000_000_000 * p) for p in 10..17 }
    transition ride(s, t) { in train: s  read table: (succ(s, 2), t)  out train: succ(s, 2) }
    transition walk(x, t) { in walker: x  read path: (14 + x, t)  out walker: x + 1 }
    transition back(x: -9..9, t) { in walker: x + 5  read path: (x - -15, t)  out walker: x + 1 }
"#;

#[test]
fn successors_and_sums_are_read_backwards() {
    let folder = Folder::new();
    let path = folder.file("timetable.snet", TIMETABLE);
    // The train comes to all nine stops. The walker goes from -4 to 4 in eight steps, and from 0..4 four steps back: for
    // those before, 15 + x would be before the path.
    let [unfolded, coloured] = both(&["explore", &path], &["states", "arcs"]);
    assert_eq!(unfolded, coloured);
    assert_eq!(unfolded, serde_json::json!({ "states": 9 * 9, "arcs": 9 * 9 + 9 * 8 + 9 * 5 }));
    let told = run(&["explore", &path, "--engine", "unfolded", "--json"]).json();
    assert_eq!(told["unfolded"]["transitions"], serde_json::json!(9 + 8 + 5));
}

/// Whoever puts tokens sees whether the shelf is full, and so does who takes them away: it is derived, and no arc changes
/// it.
const SHELF: &str = "
    place shelf: 0..5 = 1
    place sold: 0..5
    place full: unit derived if #shelf >= 3 then { () } else { }
    transition put(x: 0..2) { out shelf: x  inhibit full }
    transition sell(x) { in shelf: x  out sold: x  read full: ()  inhibit sold: x }
";

#[test]
fn arcs_may_look_at_what_is_only_defined() {
    let folder = Folder::new();
    let path = folder.file("shelf.snet", SHELF);
    // Counted by a few lines of Python that know nothing of derived places. No place grows for ever.
    for engine in ["auto", "coloured"] {
        let told = run(&["explore", &path, "--engine", engine, "--json"]).json();
        assert_eq!(told["status"], "complete", "{told}");
        assert_eq!(
            (&told["states"], &told["arcs"], &told["deadlocks"]),
            (&101.into(), &171.into(), &19.into())
        );
        assert_eq!(told["bounds"], serde_json::json!({ "shelf": 3, "sold": 3, "full": 1 }));
    }
    let refused = run(&["check", &path, "--engine", "unfolded", "-p", "deadlock-free"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("arcs look at place 'full'"), "{}", refused.stderr);
}
