//! What is said about texts that are wrong, word for word.

mod common;

use common::net;
use insta::assert_snapshot;
use sweepnet_logic::{SyntaxError, parse_expression, parse_predicate, parse_properties, parse_property};
use sweepnet_net::NetBuilder;

fn wrong(text: &str) -> SyntaxError {
    parse_property(text, &net()).expect_err(text)
}

#[test]
fn unknown_names() {
    assert_snapshot!(wrong("invariant #p11 <= 1"), @r#"
    error: there is no place 'p11'
      invariant #p11 <= 1
                 ^^^ did you mean 'p1'?
    "#);
    assert_snapshot!(wrong("invariant #P1 <= 1"), @r#"
    error: there is no place 'P1'
      invariant #P1 <= 1
                 ^^ did you mean 'p1'?
    "#);
    assert_snapshot!(wrong("invariant #elephant <= 1"), @r#"
    error: there is no place 'elephant'
      invariant #elephant <= 1
                 ^^^^^^^^
    "#);
    assert_snapshot!(wrong("dead t11"), @r#"
    error: there is no transition 't11'
      dead t11
           ^^^ did you mean 't1'?
    "#);
    assert_snapshot!(wrong("stable 'name with spaces'"), @r#"
    error: there is no place 'name with spaces'
      stable 'name with spaces'
             ^^^^^^^^^^^^^^^^^^ did you mean 'name with "spaces"'?
    "#);
}

#[test]
fn names_of_the_wrong_kind() {
    assert_snapshot!(wrong("invariant #t1 <= 1"), @r#"
    error: 't1' is a transition; `#` wants a place
      invariant #t1 <= 1
                 ^^
    "#);
    assert_snapshot!(wrong("invariant not enabled(t2, p1)"), @r#"
    error: 'p1' is a place; `enabled` wants a transition
      invariant not enabled(t2, p1)
                                ^^
    "#);
    assert_snapshot!(wrong("dead room"), @r#"
    error: 'room' is a place; `dead` wants a transition
      dead room
           ^^^^
    "#);
    assert_snapshot!(wrong("invariant p1 <= 1"), @r#"
    error: 'p1' is a place, not a predicate or a number
      invariant p1 <= 1
                ^^ expected `#p1`, its tokens
    "#);
    assert_snapshot!(wrong("reachable \"a-b\""), @r#"
    error: 'a-b' is a transition, not a predicate
      reachable "a-b"
                ^^^^^ expected `enabled("a-b")`
    "#);
}

#[test]
fn ambiguous_labels() {
    assert_snapshot!(wrong("stable twin"), @r#"
    error: several places have the label 'twin'; use the id of one of them
      stable twin
             ^^^^ did you mean 'p2' or 'and'?
    "#);
}

#[test]
fn keywords_and_questions() {
    assert_snapshot!(wrong("invarient #p1 <= 1"), @r#"
    error: 'invarient' is no question
      invarient #p1 <= 1
      ^^^^^^^^^ did you mean 'invariant'?
    "#);
    assert_snapshot!(wrong("#p1 <= 1"), @r#"
    error: '#' is not expected here
      #p1 <= 1
      ^ expected a question, such as `invariant #p <= 1` or `deadlock-free`
    "#);
    assert_snapshot!(wrong("not dead t1"), @r#"
    error: 'dead' is not expected here
      not dead t1
          ^^^^ expected `reachable`
    "#);
    assert_snapshot!(wrong("reachable deadlok"), @r#"
    error: 'deadlok' has no meaning here
      reachable deadlok
                ^^^^^^^ did you mean 'deadlock'?
    "#);
    assert_snapshot!(wrong("invariant #property = 1"), @r#"
    error: 'property' starts a property; as a name it needs quotes
      invariant #property = 1
                 ^^^^^^^^
    "#);
    assert_snapshot!(wrong("stable property"), @r#"
    error: 'property' starts a property; as a name it needs quotes
      stable property
             ^^^^^^^^
    "#);
    assert_snapshot!(wrong("invariant #7 = 1"), @r#"
    error: '7' is a number; as a name it needs quotes
      invariant #7 = 1
                 ^
    "#);
    assert_snapshot!(wrong(""), @r#"error: this ends too early; expected a question, such as `invariant #p <= 1` or `deadlock-free`"#);
    assert_snapshot!(wrong("99999999999999999999-safe"), @r#"
    error: a place holds at most 2^64 - 1 tokens
      99999999999999999999-safe
      ^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(wrong("safe 99999999999999999999"), @r#"
    error: a place holds at most 2^64 - 1 tokens
      safe 99999999999999999999
           ^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(wrong("property invariant true"), @r#"
    error: 'invariant' is not expected here
      property invariant true
               ^^^^^^^^^ expected a name and a colon: `property name: …`
    "#);
}

#[test]
fn temporal_formulas() {
    let all = |texts: &[&str]| {
        texts.iter().map(|text| wrong(text).to_string()).collect::<Vec<_>>().join(
            "
",
        )
    };
    let open = format!("ltl {}#p1 = 1", "G (".repeat(100_000));
    let long = format!("ltl deadlock{}", " U deadlock".repeat(100_000));
    let deep = format!("ctl {}#p1 = 1", "AG ".repeat(2_000));
    insta::assert_snapshot!(all(&[
        "ctl",
        "ctl AG",
        "ctl AG EF",
        "ctl G #p1 = 1",
        "ctl AG (#p1 = 1 U #p2 = 0)",
        "ctl #p1 = 1 U #p2 = 0",
        "ctl A #p1 = 1",
        "ctl A (#p1 = 1 and deadlock)",
        "ctl E [#p1 = 1 U deadlock)",
        "ctl E (#p1 = 1 U deadlock",
        "ctl AG #p1",
        "ctl AG #p1 + 1",
        "ltl AG deadlock",
        "ltl G E (F deadlock)",
        "ltl deadlock U",
        "ltl U deadlock",
        "ltl (F deadlock) = 3",
        "ltl G deadlock deadlock",
        "ltl G p1",
        "ltl G ]",
        "invariant AG deadlock",
        "invariant deadlock U deadlock",
        "home",
        "home AG deadlock",
        "live p1",
        "live t1 t2",
        "reversibel",
        &open,
        &deep,
        &long,
    ]));
}

#[test]
fn operators_and_parentheses() {
    assert_snapshot!(wrong("invariant (#p1 <= 1"), @r#"
    error: this parenthesis is never closed
      invariant (#p1 <= 1
                ^
    "#);
    assert_snapshot!(wrong("invariant (#p1 <= 1 #p2)"), @r#"
    error: '#' is not expected here
      invariant (#p1 <= 1 #p2)
                          ^ expected an operator or `)`
    "#);
    assert_snapshot!(wrong("invariant #p1 <= 1)"), @r#"
    error: ')' is not expected here
      invariant #p1 <= 1)
                        ^ expected an operator or the end
    "#);
    assert_snapshot!(wrong("invariant #p1 <="), @r#"
    error: this ends too early
      invariant #p1 <=
                      ^ expected a predicate or an expression
    "#);
    assert_snapshot!(wrong("invariant #p1 <= and true"), @r#"
    error: 'and' is not expected here
      invariant #p1 <= and true
                       ^^^ expected a predicate or an expression
    "#);
    assert_snapshot!(wrong("invariant #(p1 p2) = 1"), @r#"
    error: 'p2' is not expected here
      invariant #(p1 p2) = 1
                     ^^ expected `,` or `)`
    "#);
    assert_snapshot!(wrong("invariant enabled t1"), @r#"
    error: 't1' is not expected here
      invariant enabled t1
                        ^^ expected `(`
    "#);
    assert_snapshot!(wrong("invariant #p1 % 2 = 0"), @r#"
    error: '%' has no meaning here
      invariant #p1 % 2 = 0
                    ^
    "#);
    assert_snapshot!(wrong("invariant #\"p1 <= 1\nand true"), @r#"
    error: the closing " is missing
      invariant #"p1 <= 1
                 ^^^^^^^^
    "#);
    assert_snapshot!(wrong("invariant #'p1\\"), @r#"
    error: '\' protects nothing here
      invariant #'p1\
                 ^^^^
    "#);
}

#[test]
fn numbers_and_truths() {
    assert_snapshot!(wrong("invariant #p1 + 1"), @r#"
    error: this is a number, not a predicate
      invariant #p1 + 1
                ^^^^^^^ expected a comparison, such as #p <= 1
    "#);
    assert_snapshot!(wrong("invariant #p1 and deadlock"), @r#"
    error: this is a number, but `and` wants a predicate
      invariant #p1 and deadlock
                ^^^ expected a comparison, such as #p <= 1
    "#);
    assert_snapshot!(wrong("invariant deadlock = true"), @r#"
    error: this is true or false, but `=` wants a number
      invariant deadlock = true
                ^^^^^^^^ did you mean '<->'?
    "#);
    assert_snapshot!(wrong("invariant #p1 != not initial"), @r#"
    error: this is true or false, but `!=` wants a number
      invariant #p1 != not initial
                       ^^^^^^^^^^^ did you mean 'xor'?
    "#);
    assert_snapshot!(wrong("bound #p1 <= 1"), @r#"
    error: this is true or false, not a number
      bound #p1 <= 1
            ^^^^^^^^
    "#);
    assert_snapshot!(wrong("invariant not 3"), @r#"
    error: this is a number, but `not` wants a predicate
      invariant not 3
                    ^ expected a comparison, such as #p <= 1
    "#);
    assert_snapshot!(wrong("invariant #p1 <= 170141183460469231731687303715884105728"), @r#"
    error: a number becomes too large: values are limited to 127 bits
      invariant #p1 <= 170141183460469231731687303715884105728
                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(wrong("invariant #p1 - 170141183460469231731687303715884105727 <= 1"), @r#"
    error: a number becomes too large: values are limited to 127 bits
      invariant #p1 - 170141183460469231731687303715884105727 <= 1
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(wrong("invariant 99999999999999999999 * 99999999999999999999 < #p1"), @r#"
    error: a number becomes too large: values are limited to 127 bits
      invariant 99999999999999999999 * 99999999999999999999 < #p1
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn formulas_without_a_question() {
    assert_snapshot!(parse_predicate("#p1", &net()).unwrap_err(), @r#"
    error: this is a number, not a predicate
      #p1
      ^^^ expected a comparison, such as #p <= 1
    "#);
    assert_snapshot!(parse_predicate("initial deadlock", &net()).unwrap_err(), @r#"
    error: 'deadlock' is not expected here
      initial deadlock
              ^^^^^^^^ expected an operator or the end
    "#);
    assert_snapshot!(parse_expression("#p1 <= 1", &net()).unwrap_err(), @r#"
    error: this is true or false, not a number
      #p1 <= 1
      ^^^^^^^^
    "#);
}

#[test]
fn nesting() {
    let text = format!("invariant {}true{}", "(".repeat(1001), ")".repeat(1001));
    assert_snapshot!(wrong(&text), @r#"
    error: this is nested too deeply: at most 1000 levels are allowed
      …(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((true))))))))))))))))))))))))))))))))))))))))))))))))))))))))…
                                                                   ^
    "#);
    assert!(parse_property(&text.replacen('(', "", 1).replacen(')', "", 1), &net()).is_ok());
    assert_snapshot!(wrong(&format!("invariant {}true", "not ".repeat(1001))), @r#"
    error: this is nested too deeply: at most 1000 levels are allowed
      …not not not not not not not not not not not not not not not not true
                                                                   ^^^
    "#);
}

#[test]
fn long_lines_are_cut() {
    let text = format!(
        "invariant {} and #p3 = 0 and {}",
        ["#p1 = 0"; 50].join(" and "),
        ["#p2 = 0"; 50].join(" and ")
    );
    assert_snapshot!(wrong(&text), @r#"
    error: there is no place 'p3'
      …p1 = 0 and #p1 = 0 and #p1 = 0 and #p1 = 0 and #p1 = 0 and #p3 = 0 and #p2 = 0 and #p2 = 0 and #p2 = 0 and #p2 = 0 and #p2…
                                                                   ^^ did you mean 'p1' or 'p2'?
    "#);
}

#[test]
fn all_errors_of_a_file_at_once() {
    let text = "\
// What should hold.
property one: invariant #p1 <= 1
property two: invariant #p11 <= 1;
three: invariant #p2 <=
property four: deadlock-free ; 'and five': safe
property one: safe
property five: safe
six: safe seven: 2-safe;
\tproperty MCC-PT-04-UpperBounds-2025-00: bound #{p1} // not \"closed
property eight: reachable #\"p1 = 0
; nine: ctl AG F initial
";
    let errors = parse_properties(text, &net()).unwrap_err();
    let all: Vec<String> = errors.iter().map(|e| e.located("file").to_string()).collect();
    assert_snapshot!(all.join("\n"), @r#"
    file:3:26: error: there is no place 'p11'
      property two: invariant #p11 <= 1;
                               ^^^ did you mean 'p1'?
    file:4:24: error: this ends too early
      three: invariant #p2 <=
                             ^ expected a predicate or an expression
    file:6:1: error: there are two properties named 'one'
      property one: safe
      ^^^^^^^^
    file:8:1: error: 'six' is not expected here
      six: safe seven: 2-safe;
      ^^^ expected `;` or `property` before the name of the next property
    file:10:28: error: the closing " is missing
      property eight: reachable #"p1 = 0
                                 ^^^^^^^
    file:11:16: error: a temporal operator of ctl needs a path quantifier
      ; nine: ctl AG F initial
                     ^^^^^^^^^ expected `A` or `E` before it
    "#);
}

#[test]
fn files() {
    let net = net();
    let text = "property one: invariant #p1\n  <= 1 // spread\nproperty 'and two':\n safe; ;; three: bound #p2; deadlock-free";
    let properties = parse_properties(text, &net).unwrap();
    let shown: Vec<_> =
        properties.iter().map(|p| format!("{} = {}", p.name, p.question.display(&net))).collect();
    assert_eq!(
        shown,
        ["one = invariant #p1 <= 1", "and two = safe", "three = bound #p2", "deadlock-free = deadlock-free"]
    );
    assert_eq!(properties[0].text, "invariant #p1\n  <= 1");
    assert_eq!(parse_properties(" // nothing\n", &net), Ok(vec![]));
}

/// Suggestions in a net of a million places, for a text with a thousand errors: seconds would be too long.
#[test]
fn suggestions_are_quick() {
    let mut large = NetBuilder::new("large");
    for i in 0..1_000_000 {
        large.place(&format!("place_{i}"), 0).unwrap();
    }
    let large = large.build().unwrap();
    let text: String = (0..1000).map(|i| format!("x{i}: stable plaec_{i};\n")).collect();
    let start = std::time::Instant::now();
    let errors = parse_properties(&text, &large).unwrap_err();
    assert_eq!(errors.len(), 100);
    assert_eq!(errors[0].suggestions[0], "place_0");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
