//! The canonical layout.

mod random;
mod trees;

use random::Random;
use sweepnet_language::format::{format, print};
use sweepnet_language::lexer::lex;
use sweepnet_language::parse_file;
use trees::{file, without_places};

const EXAMPLE: &str = include_str!("data/dbm.snet");

fn formatted(text: &str) -> String {
    let once = format(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0].render("text", text)));
    assert_eq!(format(&once).as_deref(), Ok(once.as_str()), "not stable");
    assert_eq!(without_places(&parse_file(text).0), without_places(&parse_file(&once).0), "{text}\n{once}");
    once
}

#[test]
fn the_example_of_the_manual() {
    insta::assert_snapshot!(formatted(EXAMPLE));
}

#[test]
fn comments_stay_where_they_stand() {
    let text = "// first\n\n\n// second\nparam N=4 // four\ntransition t(x){// open\n
      // own line
      in p:x;out q:y // both
      when a and // inside
      b

      // last
}// close
// end";
    insta::assert_snapshot!(formatted(text));
}

#[test]
fn comments_stay_beside_the_parts_of_a_type() {
    let text = "type S=struct{a:0..3,// first
b:bool // second
}
type U = union { // either
  none // nothing
, some: (0..3, bool), // or something

  // or every one
  every }
type C = enum { red, green, // go
  blue }
type D = struct { a: bool, b: bool }  // short
";
    insta::assert_snapshot!(formatted(text), @r"
    type S = struct {
      a: 0..3,  // first
      b: bool  // second
    }
    type U = union {  // either
      none,  // nothing
      some: (0..3, bool),  // or something

      // or every one
      every
    }
    type C = enum {
      red,
      green,  // go
      blue
    }
    type D = struct { a: bool, b: bool }  // short
    ");
}

#[test]
fn only_needed_parentheses_are_kept() {
    for (text, expected) in [
        ("invariant ((a)+(b*c))-(d-e)", "invariant a + b * c - (d - e)"),
        ("invariant (a -> b) -> (c -> d)", "invariant (a -> b) -> c -> d"),
        ("invariant not (forall x in T: p(x))", "invariant not forall x in T: p(x)"),
        ("invariant (forall x in T: p(x)) and q", "invariant (forall x in T: p(x)) and q"),
        ("invariant forall x in T: forall y in U: p", "invariant forall x in T, y in U: p"),
        ("invariant forall x in T: exists y in U: p", "invariant forall x in T: exists y in U: p"),
        ("invariant 0<x<=3", "invariant 0 < x and x <= 3"),
        ("invariant (a = b) = c", "invariant (a = b) = c"),
        ("invariant (#p)'(v)", "invariant #p'v"),
        ("bound - 2 ' (all Site)", "bound -2'all Site"),
        ("ctl A[(p) U (q)] && (AG (EF (initial)))", "ctl A (p U q) and AG EF initial"),
        ("ltl G (-a < b)", "ltl G (-a < b)"),
        ("ltl G \"F\"", "ltl G \"F\""),
        ("impossible deadlock", "not reachable deadlock"),
    ] {
        let text = format!("property a: {text}");
        assert_eq!(formatted(&text), format!("property a: {expected}\n"));
    }
}

#[test]
fn long_lines_are_broken() {
    let sum = (0..30).map(|i| format!("#place_number_{i}")).collect::<Vec<_>>().join(" + ");
    let text = format!(
        "fn f(x) = {{ {{ from: x, to: y, something: {sum} }} for y in Site, z in Site if y != x and z != x }}
         place {}: Site
         transition t(x) {{ when ({sum} = 1 or {sum} = 2) and enabled(u, x = 1) }}",
        (0..20).map(|i| format!("place{i}")).collect::<Vec<_>>().join(", ")
    );
    let text = formatted(&text);
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    insta::assert_snapshot!(text);
}

/// Comments anywhere: none is lost, and the text still says the same.
#[test]
fn no_comment_is_lost() {
    let tokens = lex(EXAMPLE).tokens;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let (mut text, mut start, mut count) = (String::new(), 0, 0);
        for token in &tokens {
            text.push_str(&EXAMPLE[start..token.span.end]);
            start = token.span.end;
            if random.below(10) == 0 {
                text.push_str(&format!(
                    "{}// number {count}.\n",
                    random.pick(&["", " ", "\n", "\n\n", "\n\n\n"])
                ));
                count += 1;
            }
        }
        let result = formatted(&text);
        for number in 0..count {
            assert_eq!(result.matches(&format!("// number {number}.")).count(), 1, "seed {seed}\n{text}");
        }
    }
}

/// Random trees: what is printed says the same, and is printed the same again.
#[test]
fn printed_trees_are_read_as_they_were() {
    for seed in 0..3_000 {
        let tree = file(&mut Random::new(seed));
        let text = print(&tree);
        let (read, errors) = parse_file(&text);
        let first = errors.first().map(|error| error.render("text", &text));
        assert_eq!(first, None, "seed {seed}\n{text}");
        assert_eq!(without_places(&read), without_places(&tree), "seed {seed}\n{text}");
        assert_eq!(formatted(&text), text, "seed {seed}");
    }
}

#[test]
fn progress_keeps_its_order() {
    for text in ["progress #p", "progress (#p, #q)", "progress vector(#p, #q)", "progress vector(#p)"] {
        let text = format!("{text}\n");
        assert_eq!(formatted(&text), text);
    }
}
