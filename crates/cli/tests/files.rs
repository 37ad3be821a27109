//! What is written can be read again.

mod common;

use common::{Folder, example, run, run_with_input};

fn states(model: &str) -> (u64, u64) {
    let json = run(&["explore", model, "--json"]).json();
    (json["states"].as_u64().expect("a number"), json["arcs"].as_u64().expect("a number"))
}

#[test]
fn nets_survive_translation_to_every_format_and_back() {
    let folder = Folder::new();
    for (name, formats) in [
        ("kanban.pnml", &["net", "lola", "pnml"][..]),
        ("producer-consumer.net", &["pnml", "lola", "net"]),
        ("alternating-bit.lola", &["pnml", "net", "lola"]),
        ("readers-writers.net", &["pnml", "net"]),
        ("vending-machine.pnml", &["pnml"]),
        ("peterson.net", &["pnml", "net", "lola"]),
    ] {
        let model = example(name).display().to_string();
        let expected = states(&model);
        let mut last = model;
        for extension in formats {
            let next = folder.path(&format!("{name}.{extension}"));
            let run = run(&["convert", &last, "-o", &next]);
            assert_eq!(run.code, 0, "{last} to {next}: {}", run.stderr);
            assert_eq!(states(&next), expected, "{last} to {next}");
            last = next;
        }
    }
}

#[test]
fn what_a_format_cannot_say_is_refused_by_name_and_no_file_is_left() {
    let folder = Folder::new();
    for (name, extension, what) in
        [("readers-writers.net", "lola", "inhibitor"), ("vending-machine.pnml", "net", "reset")]
    {
        let run = run(&[
            "convert",
            &example(name).display().to_string(),
            "-o",
            &folder.path(&format!("x.{extension}")),
        ]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(what), "{}", run.stderr);
    }
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn graphs_have_all_states_and_edges_in_every_format() {
    let folder = Folder::new();
    let model = example("philosophers.pnml").display().to_string();
    let (states, arcs) = states(&model);
    for search in ["bfs", "dfs"] {
        let path = |extension: &str| folder.path(&format!("{search}.{extension}"));
        for extension in ["dot", "aut", "json"] {
            let run = run(&["graph", &model, "-o", &path(extension), "--search", search]);
            assert_eq!(run.code, 0, "{}", run.stderr);
        }
        let aut = std::fs::read_to_string(path("aut")).expect("it is there");
        assert_eq!(aut.lines().next(), Some(&*format!("des (0, {arcs}, {states})")));
        assert_eq!(aut.lines().count() as u64, arcs + 1);
        let dot = std::fs::read_to_string(path("dot")).expect("it is there");
        assert_eq!(dot.lines().filter(|line| line.contains(" -> ")).count() as u64, arcs);
        assert_eq!(
            dot.lines().filter(|line| line.trim_start().starts_with('s') && !line.contains(" -> ")).count()
                as u64,
            states
        );
        let text = std::fs::read_to_string(path("json")).expect("it is there");
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let list = json["states"].as_array().expect("a list");
        assert_eq!(list.len() as u64, states);
        let edges: usize = list.iter().map(|state| state["successors"].as_array().map_or(0, Vec::len)).sum();
        assert_eq!(edges as u64, arcs);
    }
}

#[test]
fn a_large_graph_is_drawn_by_its_components() {
    let folder = Folder::new();
    let model = example("kanban.pnml").display().to_string();
    let run = run(&["graph", &model, "-o", &folder.path("kanban.dot")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("drawn as strongly connected components"), "{}", run.stdout);
    let dot = std::fs::read_to_string(folder.path("kanban.dot")).expect("it is there");
    assert!(dot.contains("58,400 states"), "{dot}");
}

#[test]
fn traces_can_be_written_and_replayed() {
    let folder = Folder::new();
    let model = example("philosophers.pnml").display().to_string();
    let run_check = run(&["check", &model, "-p", "stuck: deadlock-free", "--traces", &folder.path("traces")]);
    assert_eq!(run_check.code, 1);
    let replay =
        run(&["simulate", &model, "--replay", &folder.path("traces/stuck.scn"), "--random", "0", "--json"]);
    assert_eq!(replay.code, 0, "{}", replay.stderr);
    let json = replay.json();
    assert_eq!(json["trace"]["length"], 5);
    assert_eq!(json["enabled"], serde_json::json!([]), "it ends in the deadlock");
}

#[test]
fn a_trace_that_does_not_fit_the_net_is_refused_with_its_line() {
    let folder = Folder::new();
    let model = example("philosophers.pnml").display().to_string();
    for (text, reason) in [
        (
            "take_left1\ntake_left1\n",
            "line 2: take_left1 is not enabled: thinking1 has 0 of 1, fork1 has 0 of 1",
        ),
        ("# a comment\nfly\n", "line 2: there is no transition 'fly'"),
        ("{take_left1", "line 1: a name in braces does not end"),
    ] {
        let path = folder.file("bad.scn", text);
        let run = run(&["simulate", &model, "--replay", &path]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(reason), "{}", run.stderr);
    }
}

#[test]
fn a_net_can_come_by_standard_input() {
    let text = std::fs::read_to_string(example("producer-consumer.net")).expect("it is there");
    let run = run_with_input(&["explore", "-", "--json"], &text);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.json()["states"], 16);
}

#[test]
fn one_definition_gives_help_manual_and_completions() {
    let folder = Folder::new();
    let commands = ["check", "explore", "info", "simulate", "graph", "convert", "mcc"];
    assert_eq!(run(&["man", "--output", &folder.path("man")]).code, 0);
    let manual = run(&["man"]).stdout;
    let help = run(&["--help"]).stdout;
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell]).stdout;
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
    }
    for command in commands {
        assert!(help.contains(command) && manual.contains(command), "{command}");
        let page =
            std::fs::read_to_string(folder.path(&format!("man/sweepnet-{command}.1"))).expect("a page");
        assert!(page.contains("quiet"), "{command}");
    }
}

/// A symmetric net whose constants are called 1 and 2, as many of the contest are.
const NUMBERED: &str = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="s" name="Site"><cyclicenumeration>
<feconstant id="s1" name="1"/><feconstant id="s2" name="2"/>
</cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="s"/></variabledecl>
</declarations></structure></declaration>
<page id="g">
<place id="p"><type><structure><usersort declaration="s"/></structure></type>
<hlinitialMarking><structure><all><usersort declaration="s"/></all></structure></hlinitialMarking></place>
<place id="q"><type><structure><usersort declaration="s"/></structure></type></place>
<transition id="t"/>
<arc id="pt" source="p" target="t">
<hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="tq" source="t" target="q">
<hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
</page></net></pnml>"#;

#[test]
fn constants_that_are_called_like_numbers_are_written_so() {
    let folder = Folder::new();
    let model = folder.file("numbered.pnml", NUMBERED);
    for (property, code) in [
        ("invariant p(1) + q(1) = 1", 0),
        ("invariant #p(\"2\") = 1", 1),
        ("reachable enabled(t, x = 2) and q(1) = 1", 0),
        ("invariant forall x in Site: x = 1 or 2 = x", 0),
        ("invariant p(3) = 0", 2),
    ] {
        let run = run(&["check", &model, "-p", property, "-q"]);
        assert_eq!(run.code, code, "{property}: {}{}", run.stdout, run.stderr);
    }
}
