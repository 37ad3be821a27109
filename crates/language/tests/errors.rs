//! What is said about texts that are wrong.

use sweepnet_language::{parse_file, parse_properties, parse_property};

/// Each text with all that is said about it.
fn reports(texts: &[&str]) -> String {
    let mut result = String::new();
    for text in texts {
        let (_, errors) = parse_file(text);
        assert!(!errors.is_empty(), "{text}");
        result.extend(errors.iter().map(|error| error.render("net.snet", text)));
        result.push('\n');
    }
    result
}

#[test]
fn signs_numbers_and_quotes() {
    insta::assert_snapshot!(reports(&[
        "param N = 4 $ 5",
        "net \"Database managers\nparam N = 4",
        "net \"a\\",
        "param N = 9223372036854775808",
        "property a: safe 99999999999999999999",
        "place place: unit",
        "place 3: unit",
    ]));
}

#[test]
fn declarations() {
    insta::assert_snapshot!(reports(&[
        "plce p: unit",
        "something else",
        "= 4",
        "net",
        "param N 4",
        "param N =\nparam M = 3",
        "param N = 4 5",
        "type T",
        "fn f = 3",
        "fn f(x: Site y) = x",
        "fn f(x): 1..9 where it > 3 = x",
        "fn f(x) x",
        "progress",
    ]));
}

#[test]
fn places() {
    insta::assert_snapshot!(reports(&[
        "place p",
        "place p:",
        "place p,: unit",
        "place p: 1..9 where it > 3 = { 4 }",
        "place p: unit capacity",
        "place p: unit capacity 1..",
        "place p: unit capcity 3",
        "place p: unit = { () } timed\n  = { }",
        "place p: unit derived",
    ]));
}

#[test]
fn types() {
    insta::assert_snapshot!(reports(&[
        "type T = ",
        "type T = 1..",
        "type T = 1",
        "type T = enum a, b",
        "type T = enum { a b }",
        "type T = enum {\n  a,\n  b\nparam N = 4",
        "type T = struct { a }",
        "type T = strct { a: unit }",
        "type T = union { a: }",
        "type T = array Site of bool",
        "type T = array [Site] bool",
        "type T = list of Site",
        "type T = set Site",
        "type T = st of Site",
        "type T = cyclic",
        "type T = (Site, bool",
        "type T = 1..3 where",
    ]));
}

#[test]
fn transitions() {
    insta::assert_snapshot!(reports(&[
        "transition",
        "transition t",
        "transition t(x) in p: x",
        "transition t(x {\n}",
        "transition t {\n  inn p: x\n}",
        "transition t {\n  in p x\n}",
        "transition t {\n  in p:\n  out q: x\n}",
        "transition t {\n  in in: x\n}",
        "transition t {\n  in p: x y\n}",
        "transition t {\n  when a adn b\n}",
        "transition t {\n  let x y\n}",
        "transition t {\n  reset 4\n}",
        "transition t {\n  priority\n}",
        "transition t {\n  in p: x\n\nparam N = 3",
    ]));
}

#[test]
fn expressions() {
    insta::assert_snapshot!(reports(&[
        "param N = (1, 2",
        "param N = (\n  1\nparam M = 2",
        "param N = 1 + * 2",
        "param N = { a: 1, b }",
        "param N = { x for y }",
        "param N = { x for y in }",
        "param N = { x for y in T of z }",
        "param N = [1, 2",
        "param N = a[1",
        "param N = a.+",
        "param N = a with 3",
        "param N = a with [1]",
        "param N = a is 3",
        "param N = if a then b",
        "param N = if a else b",
        "param N = let x = 3",
        "param N = forall x: c",
        "param N = forall x in T c",
        "param N = set of T",
        "param N = set { a: 1 }",
        "param N = all",
        "param N = all = 3",
        "param N = f(1, 2",
        "param N = max",
        "param N = 0 < (0 < (0 < (0 < (0 < (0 < 1 < 2) < 1) < 1) < 1) < 1) < 1",
    ]));
}

#[test]
fn questions_and_formulas() {
    insta::assert_snapshot!(reports(&[
        "property",
        "property a",
        "property a invariant b",
        "property a:",
        "property a: invarant b",
        "property a: dedlock-free",
        "property a: not b",
        "property a: live 3",
        "property a: reversibel",
        "property a: ctl",
        "property a: ctl AG",
        "property a: ctl A (p and q)",
        "property a: ctl A (p U q",
        "property a: ltl (F p) = 3",
        "property a: ltl p U",
        "property a: ltl G p q",
    ]));
}

#[test]
fn properties_alone() {
    let error = parse_property("invariant #p <= 1 nd #q = 2").unwrap_err();
    assert_eq!((error.span, error.message.as_str()), (18..20, "'nd' is not expected here"));
    let (properties, errors) =
        parse_properties("property a: safe 1 2; property b: saf\nplace c; property d: safe");
    assert_eq!((properties.len(), errors.len()), (2, 3));
}

#[test]
fn each_item_and_each_clause_has_its_own_error() {
    let text = "\
param N = = 4
type Site = 1..N
place waiting: Site capacity
place ok: Site
transition t(s) {
  in waiting: { (s, r for r in Site }
  in ok: s
  ot waiting: s
  out ok: [s
}
transition u(s) {
  in ok: s
}
property a: invriant #ok = 1; property b: safe 1 2
property c: reachable #ok = 1 +
";
    let (file, errors) = parse_file(text);
    let lines: Vec<usize> =
        errors.iter().map(|error| text[..error.span.start].matches('\n').count() + 1).collect();
    assert_eq!(lines, [1, 3, 6, 8, 9, 14, 14, 15]);
    // What is declared is known all the same.
    assert_eq!(file.items.len(), 7);
    insta::assert_snapshot!(reports(&[text]));
}

#[test]
fn a_hundred_errors_are_enough() {
    assert_eq!(parse_file(&"param N = =\n".repeat(1_000)).1.len(), 100);
    assert_eq!(parse_file(&format!("transition t {{\n{}}}", "in = 3\n".repeat(1_000))).1.len(), 100);
    assert_eq!(parse_properties(&"saf;".repeat(1_000)).1.len(), 100);
}

#[test]
fn long_lines_are_clipped_and_tabs_take_one_column() {
    let text = format!("param N = {}+ *{}", "1 + ".repeat(50), " 2 +".repeat(50));
    insta::assert_snapshot!(reports(&[&text, "\tparam\tN = =\t4", "param Ü = 'ö'"]));
}
