//! What the checker makes of models, and what it says about those with errors.

use sweepnet_language::{Model, Scope, read, read_properties, read_property};

/// The databases of LANGUAGE.md.
const DATABASE: &str = r#"
/// Distributed data base managers (Genrich and Lautenbach; Jensen).
net "Database managers"

param N = 4

type Site    = 1..N
type Message = struct { from: Site, to: Site }

place waiting:    Site     capacity 0..1
place performing: Site     capacity 0..N-1
place sent, received, acknowledged: Message

// Not stored: computed from the others when needed, and checked in every state.
place inactive:  Site  derived all Site - waiting - performing
place exclusion: unit  derived if #waiting = 0 then { () } else { }

fn messages(s: Site) = { (s, r) for r in Site if r != s }

transition update(s) {
  in  inactive: s
  in  exclusion: ()
  out waiting: s
  out sent: messages(s)
}

transition receive(s, r) {
  in  inactive: r
  in  sent: (s, r)
  out performing: r
  out received: (s, r)
}

transition acknowledge(s, r) {
  in  performing: r
  in  received: (s, r)
  out inactive: r
  out acknowledged: (s, r)
}

transition finish(s) {
  in  waiting: s
  in  acknowledged: messages(s)
  out inactive: s
  out exclusion: ()
}

progress #performing + 2 * #acknowledged

property exclusive: invariant #waiting <= 1
property no_stop:   not reachable deadlock
property back:      ctl AG EF initial
property answered:  ltl G (#waiting = 1 -> F #waiting = 0)
"#;

fn model(text: &str) -> Model {
    match read(text, &[]) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{}", shown(text, &errors)),
    }
}

fn shown(text: &str, diagnostics: &[sweepnet_language::Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| diagnostic.render("m.snet", text)).collect()
}

/// All that is said about a text: errors, else warnings.
fn said(text: &str) -> String {
    match read(text, &[]) {
        Ok((_, warnings)) => shown(text, &warnings),
        Err(errors) => shown(text, &errors),
    }
}

#[test]
fn the_database_managers_have_no_errors_and_no_warnings() {
    assert_eq!(said(DATABASE), "");
    let model = model(DATABASE);
    assert_eq!(model.net.name, "Database managers");
    assert_eq!(model.net.places.len(), 7);
    assert_eq!(model.net.transitions.len(), 4);
    assert_eq!(model.properties.len(), 4);
    let inactive = model.net.find_place("inactive").expect("it is there");
    assert_eq!(model.net.places[inactive].initial.len(), 4);
}

#[test]
fn parameters_can_be_set() {
    let (model, _) = read(DATABASE, &[("N".to_owned(), 9)]).expect("it is right");
    let inactive = model.net.find_place("inactive").expect("it is there");
    assert_eq!(model.net.places[inactive].initial.len(), 9);
}

#[test]
fn parameters_that_there_are_not_are_errors() {
    let errors = read(DATABASE, &[("n".to_owned(), 9)]).expect_err("there is no n");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "the model has no parameter 'n'; it has N");
    assert_eq!(errors[0].suggestions, ["N"]);
    assert_eq!(errors[0].span, 0..0);
}

#[test]
fn truth_values_are_set_by_0_and_1() {
    let text = "param lossy = false\nplace p: 0..9 = if lossy then 1 else 2\nproperty a: invariant #p = 1";
    let first = |set: i64| {
        let (model, _) = read(text, &[("lossy".to_owned(), set)]).expect("it is right");
        model.net.places[0].initial[0].0[0]
    };
    assert_eq!((first(0), first(1)), (2, 1));
    assert!(read(text, &[("lossy".to_owned(), 2)]).is_err());
}

/// The types of a transition's variables.
fn variables(text: &str) -> String {
    let model = model(text);
    let types = &model.net.types;
    let variable =
        |v: &sweepnet_colour::Variable| format!("{}: {} at {}", v.name, types.describe(v.type_), v.slot);
    model.net.transitions[0].variables.iter().map(variable).collect::<Vec<_>>().join(", ")
}

#[test]
fn types_of_variables_are_inferred() {
    let declarations = "type S = 1..4
        type M = struct { from: S, to: bool }
        type U = union { none, some: S }
        type Q = list of M max 30
        place s: S
        place m: M
        place u: U
        place q: Q
        place a: array [S] of bool
        fn f(x: S, y: bool) = if y then { x } else { }\n";
    for (transition, expected) in [
        ("transition t(x) { in s: x }", "x: S at 0"),
        ("transition t(x, y) { in m: (x, y) }", "x: S at 0, y: bool at 1"),
        ("transition t(x, y) { in m: { to: y, from: x } }", "x: S at 0, y: bool at 1"),
        ("transition t(x) { in u: some(x) }", "x: S at 0"),
        ("transition t(x, y) { out s: f(x, y) }", "x: S at 0, y: bool at 1"),
        ("transition t(x, y, z) { in s: x; when y = x and z != y }", "x: S at 0, y: S at 1, z: S at 2"),
        ("transition t(x, y) { in a: x; when x[y] }", "x: array [S] of bool at 0, y: S at 1"),
        ("transition t(x, y) { in s: 2'x + y }", "x: S at 0, y: S at 1"),
        ("transition t(x, y) { in s: { x, y } }", "x: S at 0, y: S at 1"),
        ("transition t(l, x) { in q: l; out q: append(l, x) }", "l: Q at 0, x: M at 31"),
        ("transition t(l, x) { in q: l; let y = first(l); when x = y.from }", "l: Q at 0, x: S at 31"),
        ("transition t(x: 0..9) { out s: x }", "x: 0..9 at 0"),
        ("transition t(x) { out s: succ(x) }", "x: S at 0"),
        ("transition t(x) { inhibit s: x }", "x: S at 0"),
        ("transition t(b) { when b }", "b: bool at 0"),
        ("transition t(x) { in s: if x > 2 then x else 1 }", "x: S at 0"),
        ("transition t(m) { in m: m with { to: true } }", "m: M at 0"),
        ("transition t(r) { out m: { (s, r) for s in S } }", "r: bool at 0"),
    ] {
        assert_eq!(variables(&format!("{declarations}{transition}")), expected, "{transition}");
    }
}

#[test]
fn clauses_of_a_transition() {
    let model = model(
        "place p: 0..9 = 1
         place q: 0..9 timed
         transition t(x) {
           in p: x
           read p: 2'x
           inhibit q: 3
           inhibit q
           reset p
           out q: x + 1
           let y = x * 2
           when x < 5 and y > 2
           when true
           priority 2 + 1
           delay y
         }",
    );
    let t = &model.net.transitions[0];
    assert_eq!((t.inputs.len(), t.reads.len(), t.inhibitors.len(), t.outputs.len()), (1, 1, 1, 1));
    assert_eq!((&t.empties[..], &t.resets[..]), (&[1][..], &[0][..]));
    assert_eq!((t.guards.len(), t.priority), (2, 3));
    assert!(t.delay.is_some());
    assert_eq!(t.frame, 2);
}

#[test]
fn capacities_are_sorted_and_merged() {
    let model = model("param N = 2\nplace p: unit capacity 7, N..3, 0..1, 9..12, 4");
    assert_eq!(model.net.places[0].capacity, Some(vec![0..=4, 7..=7, 9..=12]));
}

#[test]
fn questions_from_elsewhere() {
    let Model { mut net, scope, .. } = model(DATABASE);
    for text in [
        "invariant #waiting + #performing <= N",
        "reachable forall s in Site: waiting(s) = 0 and sent(s, 1) = 0",
        "invariant sent <= messages(1) + messages(2) + messages(3) + messages(4)",
        "bound sum s in 1..2: #performing(s)",
        "live update",
        "live",
        "reversible",
        "reachable enabled(receive, s = 1, r = 2) and not enabled(finish)",
        "home waiting = { }",
        "invariant inactive + waiting + performing = all Site",
        "ctl AG (#waiting = 1 -> EF #waiting = 0)",
        "ltl G F (#waiting = 1) -> F enabled(finish)",
        "stable sent",
        "deadlock-free",
    ] {
        let property = read_property(text, &mut net, &scope);
        assert!(property.is_ok_and(|property| property.text == text && property.name == text), "{text}");
    }
    let error = read_property("invariant #wating = 0", &mut net, &scope).expect_err("there is no such place");
    assert_eq!(error.suggestions, ["waiting"]);
    let two = "property a: invariant #waiting <= 1\nproperty b: reachable deadlock";
    let names: Vec<String> =
        read_properties(two, &mut net, &scope).expect("they are right").into_iter().map(|p| p.name).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn constants_that_are_called_like_numbers() {
    let Model { mut net, scope, .. } = model(
        "type Site = enum { \"1\", \"2\", \"10\" }
         place p: Site = \"1\" + 2'10
         transition t(x) { in p: x; out p: 2; when 1 != x }",
    );
    assert_eq!(net.places[0].initial.len(), 2);
    for text in
        ["invariant p(1) = 1 and #p(\"2\") = 0", "reachable enabled(t, x = 10)", "home p = { 1, 2'10 }"]
    {
        assert!(read_property(text, &mut net, &scope).is_ok(), "{text}");
    }
    let error = read_property("invariant p(3) = 1", &mut net, &scope).expect_err("there is no such constant");
    assert_eq!((error.message.as_str(), error.expected.as_deref()), ("this is an integer", Some("Site")));
}

#[test]
fn questions_about_nets_without_a_text() {
    let Model { mut net, .. } = model(DATABASE);
    net.places[0].label = Some("who waits".into());
    net.places[1].id = "Site".into();
    let scope = Scope::of(&net);
    for text in [
        "invariant #'who waits' <= 1",
        "bound #Site(1) + Site(2)",
        "invariant forall s in Site: waiting(s) < 2",
    ] {
        let text = text.replace('\'', "\"");
        let read = read_property(&text, &mut net, &scope);
        assert!(read.is_ok(), "{text}: {read:?}");
    }
}
