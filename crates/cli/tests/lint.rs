//! What `lint` advises can be done.

mod common;

use common::{Folder, example, run};

/// The model with a place derived as a hint says: on a line of its own, before all others.
fn advised(text: &str, place: &str, definition: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let declares = |line: &&mut String| {
        let names = line.strip_prefix("place ").and_then(|rest| rest.split(':').next());
        names.is_some_and(|names| names.split(',').any(|name| name.trim() == place))
    };
    let line = lines.iter_mut().find(declares).expect("it is declared");
    let (names, rest) = line["place ".len()..].split_once(':').expect("it has a type");
    let type_ = rest.split('=').next().expect("its type").trim().to_owned();
    let others: Vec<&str> = names.split(',').map(str::trim).filter(|name| *name != place).collect();
    let derived = format!("place {place}: {type_} derived {definition}");
    *line = match others.is_empty() {
        true => derived,
        false => format!("{derived}\nplace {}:{rest}", others.join(", ")),
    };
    lines.join("\n") + "\n"
}

#[test]
fn places_are_derived_as_advised_and_nothing_else_changes() {
    let folder = Folder::new();
    let examples = [
        ("dining.snet", ["N=4", "N=5"]),
        ("mutex.snet", ["N=3", "N=4"]),
        ("eratos.snet", ["N=9", "N=12"]),
        ("stop-and-wait.snet", ["P=2", "P=3"]),
    ];
    for (name, settings) in examples {
        let path = example(name).display().to_string();
        let mut text = std::fs::read_to_string(&path).expect("an example");
        let hints = run(&["lint", &path, "--json"]).json()["derived"].clone();
        assert!(!hints.as_array().expect("a list").is_empty(), "{name}");
        for hint in hints.as_array().expect("a list") {
            let (place, definition) = (hint["place"].as_str(), hint["derived"].as_str());
            text = advised(&text, place.expect("a name"), definition.expect("a text"));
        }
        let lighter = folder.file(name, text);
        // The advice was given for one value of the parameter, and is good for all.
        for setting in settings {
            let told = |path: &str, engine: &str| {
                let explored = run(&["explore", path, "--set", setting, "--engine", engine, "--json"]);
                assert_eq!(explored.code, 0, "{name}, {engine}: {}{}", explored.stdout, explored.stderr);
                let json = explored.json();
                ["states", "arcs", "deadlocks", "bounds", "max_tokens_in_marking"].map(|it| json[it].clone())
            };
            let before = told(&path, "unfolded");
            for engine in ["unfolded", "coloured"] {
                let after = told(&lighter, engine);
                assert_eq!(before[..3], after[..3], "{name}, {setting}, {engine}");
                assert_eq!(before[4], after[4], "{name}, {setting}, {engine}");
                for (place, most) in before[3].as_object().expect("bounds") {
                    assert_eq!(after[3][place], *most, "{name}, {setting}, {engine}: {place}");
                }
            }
        }
        assert!(!run(&["lint", &lighter]).stdout.contains("hint"), "{name}");
    }
}

#[test]
fn definitions_name_the_parameters_that_numbers_come_from() {
    let folder = Folder::new();
    let lint = |model: &str| run(&["lint", &folder.file("model.snet", model), "--json"]).json();
    let pool = "param N = 4\nparam SPARE = 4\nplace free: unit = (2 * N + 1)'()\nplace taken: 1..N\n\
        place other: unit = 4'()\nplace used: unit\nplace last: unit = SPARE'()\nplace gone: unit\n\
        transition take(x: 1..N) { in free: (); out taken: x }\ntransition back(x) { in taken: x; out free: () }\n\
        transition use { in other: (); out used: () }\ntransition drop { in last: (); out gone: () }\n";
    let derived = lint(pool)["derived"].clone();
    let of = |place: &str| {
        let hints = derived.as_array().expect("a list");
        hints.iter().find(|hint| hint["place"] == place).map(|hint| hint["derived"].clone())
    };
    assert_eq!(of("free"), Some("(2 * N + 1 - #taken)'()".into()));
    // Four is four here, whatever N is.
    assert_eq!(of("other"), Some("4'(all unit) - used".into()));
    assert_eq!(of("last"), Some("SPARE'(all unit) - gone".into()));
}
