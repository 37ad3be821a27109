//! Limits and signals stop a run cleanly, with all that is known.

mod common;

use std::process::{Child, Stdio};
use std::time::Duration;

use common::{Folder, Run, command, run};
use sweepnet_testkit::nets::{kanban, philosophers};

/// A net that nobody explores in the time of a test.
fn huge(folder: &Folder) -> String {
    folder.net("huge.pnml", &kanban(60))
}

#[test]
fn memory_is_a_promise() {
    let folder = Folder::new();
    let model = huge(&folder);
    for megabytes in [24u64, 40] {
        let limit = format!("{megabytes}M");
        let run = run(&["explore", &model, "--memory", &limit, "--json"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        let json = run.json();
        assert_eq!((&json["status"], &json["reason"]), (&"stopped".into(), &"memory".into()));
        let peak = json["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= megabytes << 20, "{peak} bytes of {limit}");
        assert!(json["states"].as_u64() > Some(10_000 * megabytes), "{limit} is made use of");
    }
    let run = run(&["explore", &model, "--memory", "1M"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stdout.contains("stopped before the first state"), "{}", run.stdout);
}

#[test]
fn memory_is_a_promise_on_wide_nets_as_well() {
    let Some(models) = sweepnet_testkit::shared::models() else {
        return println!("skipped: the shared models are not there");
    };
    for (name, search) in
        [("ASLink-PT-01a", "bfs"), ("ASLink-PT-01a", "auto"), ("EisenbergMcGuire-PT-04", "auto")]
    {
        let model = models.join("mcc").join(name).join("model.pnml").display().to_string();
        let run = run(&["explore", &model, "--search", search, "--memory", "40M", "--time", "6s", "--json"]);
        assert!(matches!(run.code, 0 | 3), "{}", run.stderr);
        let peak = run.json()["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= 40 << 20, "{name}, {search}: {peak} bytes");
    }
}

#[test]
fn memory_is_a_promise_on_nets_of_very_many_places() {
    let folder = Folder::new();
    let model = folder.net("wide.pnml", &philosophers(3_000));
    // Other searches are tried, and the places are divided, where there is memory for it.
    for megabytes in [36u64, 60, 100] {
        let run = run(&["explore", &model, "--memory", &format!("{megabytes}M"), "--time", "6s", "--json"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        let peak = run.json()["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= megabytes << 20, "{peak} bytes of {megabytes}M");
    }
}

#[test]
fn memory_is_a_promise_while_structure_is_analysed() {
    let Some(models) = sweepnet_testkit::shared::models() else {
        return println!("skipped: the shared models are not there");
    };
    // Without a limit, their semiflows alone take 5 to 20 megabytes.
    for name in ["ASLink-PT-01a", "PermAdmissibility-PT-01", "PolyORBLF-COL-S02J04T06"] {
        let model = models.join("mcc").join(name).join("model.pnml").display().to_string();
        let run =
            run(&["explore", &model, "--search", "window", "--memory", "20M", "--time", "3s", "--json"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        let peak = run.json()["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= 20 << 20, "{name}: {peak} bytes");
    }
}

/// Formulas that name coloured transitions, each of which has up to a thousand instances.
#[test]
fn memory_is_a_promise_for_formulas_about_coloured_transitions() {
    let Some(models) = sweepnet_testkit::shared::models() else {
        return println!("skipped: the shared models are not there");
    };
    for (name, megabytes, answered) in [
        ("PhilosophersDyn-COL-10", 28, 0),
        ("PhilosophersDyn-COL-10", 60, 16),
        ("GlobalResAllocation-COL-03", 40, 16),
    ] {
        let folder = models.join("mcc").join(name);
        let [model, formulas] =
            ["model.pnml", "ReachabilityFireability.xml"].map(|file| folder.join(file).display().to_string());
        let limit = format!("{megabytes}M");
        let run = run(&["check", &model, "--properties", &formulas, "--memory", &limit, "--json"]);
        assert!(matches!(run.code, 1 | 3), "{name}: {}", run.stderr);
        let json = run.json();
        let peak = json["exploration"]["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= megabytes << 20, "{name}: {peak} bytes of {limit}");
        let properties = json["properties"].as_array().expect("all of them");
        let known = properties.iter().filter(|property| property["verdict"] != "unknown").count();
        assert!(known >= answered, "{name}, {limit}: {known} answers");
    }
}

#[test]
fn structure_is_told_within_a_memory_limit() {
    let folder = Folder::new();
    // A ring of steps with two choices each has more T-semiflows than fit.
    let step = |i: usize| format!("tr a{i} p{i} -> p{n}\ntr b{i} p{i} -> p{n}\n", n = (i + 1) % 11);
    let model = folder.file("ring.net", (0..11).map(step).collect::<String>());
    let semiflows = |memory: &str| {
        let run = run(&["info", &model, "--memory", memory, "--json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()["transition_semiflows"].clone()
    };
    assert_eq!(semiflows("1G")["complete"], true);
    let few = semiflows("20M");
    assert_eq!((&few["complete"], &few["stopped"]), (&false.into(), &"there is no memory for them".into()));
}

#[test]
fn time_ends_a_run() {
    let folder = Folder::new();
    let run = run(&["explore", &huge(&folder), "--time", "300ms", "--json"]);
    assert_eq!(run.code, 3);
    let json = run.json();
    assert_eq!(json["reason"], "time");
    assert!(json["states"].as_u64() > Some(0) && json["explored"].as_u64() < json["states"].as_u64());
}

/// A model in which something takes 10^12 steps; behind it, what else is declared.
fn long(folder: &Folder, declared: &str, clauses: &str) -> String {
    let step = format!("transition t(x) {{ in p: x; out p: (x + 1) mod 4; {clauses} }}");
    folder.file("long.snet", format!("type W = 1..1_000_000\nplace p: 0..3 = 0\n{step}\n{declared}\n"))
}

#[test]
fn time_ends_an_evaluation() {
    let folder = Folder::new();
    for guard in ["when forall a in W, b in W: a * b >= 0", "when not exists a in W, b in W: a * b + x = 0"] {
        let model = long(&folder, "", guard);
        for engine in ["auto", "unfolded", "coloured"] {
            for search in ["auto", "dfs", "sweep"] {
                let limits = ["--time", "100ms", "--engine", engine, "--search", search, "--progress", "0"];
                let limits = if search == "sweep" { &limits[..] } else { &limits[..6] };
                let explored = run(&[&["explore", &model, "--json"], limits].concat());
                assert_eq!(explored.code, 3, "{engine}, {search}: {}", explored.stderr);
                let json = explored.json();
                assert_eq!(json["reason"], "time", "{engine}, {search}");
                assert!(json["model_error"].is_null(), "{engine}, {search}");
                let checked = run(&[&["check", &model, "-p", "deadlock-free"], limits].concat());
                assert_eq!(checked.code, 3, "{engine}, {search}: {}", checked.stderr);
                assert!(checked.stdout.starts_with("unknown"), "{}", checked.stdout);
                assert!(checked.stdout.contains("because the time of 0.10 s is up"), "{}", checked.stdout);
            }
        }
        let told = run(&["info", &model, "--time", "100ms"]);
        assert_eq!(told.code, 3, "{}", told.stderr);
        assert!(told.stderr.contains("the time of 0.10 s is up (--time raises it)"), "{}", told.stderr);
    }
}

#[test]
fn time_ends_a_question_about_very_many_values() {
    let folder = Folder::new();
    let model = long(&folder, "property a: invariant not exists a in W, b in W: a * b + #p = 0", "");
    for engine in ["auto", "coloured"] {
        let checked = run(&["check", &model, "--time", "100ms", "--engine", engine]);
        assert_eq!(checked.code, 3, "{}", checked.stderr);
        assert!(checked.stdout.starts_with("unknown"), "{}", checked.stdout);
        assert!(checked.stdout.contains("because the time of 0.10 s is up"), "{}", checked.stdout);
    }
}

#[test]
fn time_ends_the_reading_of_a_model() {
    let folder = Folder::new();
    for declared in [
        "param K = sum a in W, b in W: a * b mod 2",
        "type V = W where forall b in W: it * b >= 0",
        "place q: unit = { () for a in W, b in W if a * b > 0 }",
    ] {
        let model = long(&folder, declared, "");
        for command in ["explore", "check", "info"] {
            let run = run(&[command, &model, "--time", "100ms"]);
            assert_eq!(run.code, 3, "{command}: {}", run.stderr);
            let said = "long.snet: not read to the end: the time of 0.10 s is up (--time raises it)";
            assert!(run.stderr.contains(said), "{command}: {}", run.stderr);
        }
    }
}

#[test]
fn a_variable_that_nothing_binds_is_named() {
    let folder = Folder::new();
    let text = "type W = 1..1_000_000\nplace p: 0..3 = 0\n\
                transition t(x, y: W, z: W) { in p: x; out p: x; when y * z + x = -1 }\n";
    let model = folder.file("unbound.snet", text);
    for command in ["explore", "info"] {
        let run = run(&[command, &model]);
        assert_eq!(run.code, 2, "{command}: {}", run.stderr);
        let said = run.stdout + &run.stderr;
        let why = "transition 't': no input arc and no equation binds its variable 'z', and with all of W there are more \
                   than 16,777,216 combinations of values to try";
        assert!(said.contains(why), "{command}: {said}");
    }
}

fn start(args: &[&str]) -> Child {
    command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command runs")
}

fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn signals_end_a_run_with_what_it_knows() {
    let folder = Folder::new();
    let model = huge(&folder);
    for name in ["-INT", "-TERM"] {
        let child = start(&["explore", &model, "--json"]);
        std::thread::sleep(Duration::from_millis(600));
        signal(&child, name);
        let run: Run = child.wait_with_output().expect("it ends").into();
        assert_eq!(run.code, 3, "{name}: {}", run.stderr);
        let json = run.json();
        assert_eq!(json["reason"], "interrupted", "{name}");
        assert!(json["states"].as_u64() > Some(0));
        assert!(run.stderr.is_empty(), "no progress line when piped: {}", run.stderr);
    }
}

#[test]
fn a_run_killed_at_any_time_leaves_no_file_under_its_final_name() {
    let folder = Folder::new();
    let model = huge(&folder);
    for extension in ["aut", "json", "dot", "swg"] {
        let output = folder.path(&format!("graph.{extension}"));
        let mut child = start(&["graph", &model, "-o", &output]);
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "-KILL");
        child.wait().expect("it ends");
        assert!(!std::path::Path::new(&output).exists(), "{output}");
    }
}

#[test]
fn a_graph_that_is_not_complete_says_so_in_its_name() {
    let folder = Folder::new();
    let model = huge(&folder);
    for extension in ["aut", "json", "swg"] {
        let output = folder.path(&format!("graph.{extension}"));
        let run = run(&["graph", &model, "-o", &output, "--states", "1000"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(run.stdout.contains("not complete"), "{}", run.stdout);
        assert!(folder.names().contains(&format!("graph.partial.{extension}")));
        assert!(!folder.names().contains(&format!("graph.{extension}")));
    }
}

#[test]
fn a_graph_that_memory_ends_is_kept_in_part() {
    let folder = Folder::new();
    let model = huge(&folder);
    for search in ["bfs", "dfs"] {
        let output = folder.path(&format!("{search}.swg"));
        let kept = run(&["graph", &model, "-o", &output, "--search", search, "--memory", "24M", "--json"]);
        assert_eq!(kept.code, 3, "{search}: {}", kept.stderr);
        let json = kept.json();
        assert_eq!((&json["status"], &json["reason"]), (&"stopped".into(), &"memory".into()), "{search}");
        let part = folder.path(&format!("{search}.partial.swg"));
        assert_eq!(json["output"], part.as_str(), "{search}: {}", kept.stderr);
        let graph = run(&["query", &part, "--stats", "--json", "-q"]).json()["graph"].clone();
        assert_eq!(graph["complete"], false);
        assert_eq!((&graph["nodes"], &graph["arcs"]), (&json["states"], &json["arcs"]), "{search}");
        assert!(graph["nodes"].as_u64() > Some(10_000), "{search}: {graph}");
    }
}

#[test]
fn a_part_that_is_too_large_to_draw_is_undecided() {
    let folder = Folder::new();
    // States that never come back: each is a component of its own.
    let towers: String = (0..12).map(|n| format!("tr t{n} a{n} -> b{n}\npl a{n} (9)\n")).collect();
    let model = folder.file("towers.net", format!("net towers\n{towers}"));
    let drawn = run(&["graph", &model, "-o", &folder.path("x.dot"), "--states", "5000"]);
    assert_eq!(drawn.code, 3, "{}", drawn.stderr);
    assert!(drawn.stderr.contains("more than 5,000 states") && drawn.stderr.contains("too many to draw"));
    assert_eq!(folder.names(), ["towers.net"]);
    let small = folder.file("tower.net", "net tower\ntr t a -> b\npl a (5000)\n");
    assert_eq!(
        run(&["graph", &small, "-o", &folder.path("y.dot")]).code,
        2,
        "there is no other way to draw it"
    );
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let model = common::example("kanban.pnml").display().to_string();
    // Nor does it change an answer.
    let philosophers = common::example("philosophers.pnml").display().to_string();
    let mut child = start(&["check", &philosophers, "--deadlock"]);
    drop(child.stdout.take());
    let run: Run = child.wait_with_output().expect("it ends").into();
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    for args in [
        vec!["explore", &model, "--json"],
        vec!["info", &model],
        vec!["convert", &model, "-o", "-", "--to", "lola", "-q"],
    ] {
        let mut child = start(&args);
        drop(child.stdout.take());
        let run: Run = child.wait_with_output().expect("it ends").into();
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
fn growth_that_proves_nothing_does_not_hold_up_the_search() {
    // Every state covers all states before it, but an inhibitor arc ends it after 20,000 steps.
    let folder = Folder::new();
    let net = folder.file("stairs.net", "net stairs\ntr up q?-20000 -> p q\n");
    let json = run(&["explore", &net, "--json", "--time", "60s"]).json();
    assert_eq!((&json["status"], &json["states"]), (&"complete".into(), &20_001.into()));
}

#[test]
fn a_transition_with_very_many_arcs_is_no_trouble() {
    let folder = Folder::new();
    let arcs = |side: char| (0..100_000).map(|n| format!(" {side}{n}")).collect::<String>();
    let text = format!("net wide\ntr t{} ->{}\npl p0 (1)\n", arcs('p'), arcs('q'));
    let net = folder.file("wide.net", text);
    let json = run(&["explore", &net, "--json", "--codec", "plain", "--time", "60s"]).json();
    assert_eq!((&json["status"], &json["states"]), (&"complete".into(), &1.into()));
}

#[test]
fn a_trace_through_huge_markings_stays_small_in_json() {
    let folder = Folder::new();
    let places: String = (0..10_000).map(|n| format!("pl idle{n} (1)\n")).collect();
    let net = folder.file("idle.net", format!("net idle\n{places}pl p (2000)\ntr t p -> q\n"));
    let run = run(&["check", &net, "-p", "reachable #q = 2000", "--json", "--memory", "100M"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["properties"][0]["trace"]["length"], 2000);
    assert!(json["properties"][0]["trace"]["markings"].is_null());
    assert!(json["exploration"]["peak_resident_bytes"].as_u64() <= Some(100 << 20));
}

#[test]
fn a_long_trace_takes_time_in_proportion() {
    // A chain of 20,000 places: looking at each of them in each step would take many minutes.
    let folder = Folder::new();
    let model = folder.file(
        "chain.snet",
        "param N = 20000\ntype I = 0..N\nplace p: I = 0\n\
         transition t(i) { in p: i; out p: i + 1; when i < N }\nproperty end: reachable p(N) = 1\n",
    );
    for engine in ["unfolded", "coloured"] {
        let run = run(&["check", &model, "--engine", engine, "--json", "--time", "300s"]);
        assert_eq!(run.code, 0, "{engine}: {}", run.stderr);
        assert_eq!(run.json()["properties"][0]["trace"]["length"], 20_000, "{engine}");
    }
}

#[test]
fn looking_for_a_long_trace_obeys_the_time() {
    let folder = Folder::new();
    let model = folder.file(
        "chain.snet",
        "param N = 1000000\ntype I = 0..N\nplace p: I = 0\n\
         transition t(i) { in p: i; out p: i + 1; when i < N }\nproperty end: reachable p(N) = 1\n",
    );
    let run = run(&["check", &model, "--engine", "unfolded", "--json", "--time", "1s"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
}

#[test]
fn who_asks_for_the_unfolding_gets_it_or_nothing() {
    let folder = Folder::new();
    // Its unfolding has some 10^12 transitions, its markings are few.
    let model = folder.file(
        "wide.snet",
        "type W = 1..1_000_000\nplace p: W = all W\nplace q: W\nplace r: (W, W)\n\
         transition t(x, y) { in p: x; in p: y; in r: (x, y); out q: x }\n\
         transition u(x, y) { in p: x; in p: y; out r: (x, y); when x < 0 }\n\
         transition v(x) { in p: x; out r: (x, x) }\n",
    );
    for (limits, reason) in [(["--time", "1s"], "time"), (["--memory", "60M"], "memory")] {
        let unfolded = [&["--engine", "unfolded", "--json"], &limits[..]].concat();
        let explored = run(&[&["explore", &model], &unfolded[..]].concat());
        assert_eq!(explored.code, 3, "{reason}: {}", explored.stderr);
        let json = explored.json();
        assert_eq!((&json["reason"], &json["states"]), (&reason.into(), &0.into()));
        assert_ne!(json["codec"], "multiset", "that is the other engine's");
        let checked = run(&[&["check", &model, "-p", "deadlock-free"], &unfolded[..]].concat());
        assert_eq!(checked.code, 3, "{reason}: {}", checked.stderr);
        assert_eq!(checked.json()["properties"][0]["reason"], reason);
        assert_ne!(checked.json()["exploration"]["codec"], "multiset");
        let (graph, net) = (folder.path("graph.aut"), folder.path("net.pnml"));
        for command in [
            &["info", &model][..],
            &["graph", &model, "-o", &graph],
            &["graph", &model, "-o", &graph, "--engine", "unfolded"],
            &["convert", &model, "-o", &net],
        ] {
            let told = run(&[command, &limits[..]].concat());
            assert_eq!(told.code, 3, "{command:?}, {reason}: {}", told.stderr);
            assert!(told.stderr.contains("was not made"), "{command:?}: {}", told.stderr);
        }
        assert_eq!(folder.names(), ["wide.snet"], "no file is left behind");
    }
}

#[test]
fn traces_of_very_many_steps_keep_the_budget() {
    let folder = Folder::new();
    // Depth first, each of the tokens is 400,000 steps away.
    let model = |name: &str, declared: &str| {
        let text = format!(
            "type S = 1..3\nplace idle: S = all S\nplace work: S\nplace log: S {declared}\n\
             transition a(s) {{ in idle: s; out work: s }}\ntransition b(s) {{ in work: s; out idle: s; out log: s }}\n"
        );
        folder.file(name, text)
    };
    let derived = model("derived.snet", "\nplace d: unit derived if #work = 0 then { () } else { }");
    let broken = model("broken.snet", "capacity 0..200_000");
    let far = "invariant #log < 200_000";
    for (command, code) in [
        (&["check", &derived, "-p", far, "--engine", "unfolded"][..], 1),
        (&["check", &derived, "-p", far, "--engine", "coloured"], 1),
        (&["check", &broken, "-p", "invariant #log <= 200_000", "--engine", "unfolded"], 2),
        (&["explore", &broken, "--engine", "coloured"], 2),
    ] {
        let limits = ["--search", "dfs", "--unbounded", "continue", "--memory", "150M", "--json"];
        let run = run(&[command, &limits[..]].concat());
        assert_eq!(run.code, code, "{command:?}: {}", run.stderr);
        let json = run.json();
        let searched = if command[0] == "check" { &json["exploration"] } else { &json };
        let peak = searched["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= 150 << 20, "{command:?}: {peak} bytes");
    }
}

#[test]
fn a_trace_that_does_not_fit_is_no_answer() {
    // Each of the steps happens at another time, so that the trace has a name for each.
    let folder = Folder::new();
    let model = folder.file(
        "clock.snet",
        "param N = 200_000\nplace c: 0..N timed = 0\n\
         transition tick(x) { in c: x  out c: x + 1  delay 1  when x < N }\nproperty never: invariant c(N) = 0\n",
    );
    for (memory, bytes, verdict) in [("80M", 80u64 << 20, "unknown"), ("400M", 400 << 20, "violated")] {
        let json = run(&["check", &model, "--memory", memory, "--json"]).json();
        assert_eq!(json["properties"][0]["verdict"], verdict, "{memory}");
        let peak = json["exploration"]["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= bytes, "{peak} bytes of {memory}");
    }
    let told = run(&["check", &model, "--memory", "80M", "--quiet"]);
    assert_eq!(told.code, 3);
    assert!(told.stdout.contains("--memory raises it"), "{}", told.stdout);
}

#[test]
fn looking_for_growth_on_long_paths_keeps_the_budget() {
    // Tokens pile up, and at each new maximum the path is looked at, but nothing can be proven: there is an inhibitor arc.
    let folder = Folder::new();
    let model = folder.file(
        "inhibited.snet",
        "type T = 0..3\nplace a: unit = ()\nplace q: T\n\
         transition t(x: T) { in a: (); out a: (); out q: x; inhibit q: 1000000000'x }\n",
    );
    for engine in ["unfolded", "coloured"] {
        let arguments = ["--engine", engine, "--search", "dfs", "--memory", "40M", "--time", "60s", "--json"];
        let run = run(&[&["explore", &model], &arguments[..]].concat());
        assert_eq!(run.code, 3, "{engine}: {}", run.stderr);
        let peak = run.json()["peak_resident_bytes"].as_u64().expect("this system tells");
        assert!(peak <= 40 << 20, "{engine}: {peak} bytes of 40M");
    }
}
