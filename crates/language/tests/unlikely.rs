//! No expression makes the checker panic, overflow its stack or take for ever, whatever is expected of it.

mod expressions;
mod random;

use std::fmt::Write;

use expressions::{DECLARATIONS, FORMS, LEAVES, TYPES, expression};
use random::Random;
use sweepnet_language::read;

#[test]
fn random_expressions() {
    for seed in 0..4_000 {
        let mut random = Random::new(seed);
        let mut next = || {
            let mut text = String::new();
            expression(&mut random, 4, &mut text);
            text
        };
        let (initial, derived, input, output) = (next(), next(), next(), next());
        let (guard, bound, let_, invariant, value) = (next(), next(), next(), next(), next());
        let mut random = Random::new(seed);
        let (first, second) = (random.pick(&TYPES), random.pick(&TYPES));
        let text = format!(
            "{DECLARATIONS}
place p: {first} = {initial}
place q: {second} derived {derived}
transition u(x) {{
  in p: {input}
  out q: {output}
  let z = {let_}
  when {guard}
  delay {bound}
}}
progress {value}
property i: invariant {invariant}
property b: bound {bound}
"
        );
        _ = read(&text, &[]);
    }
}

#[test]
fn each_form_where_each_type_is_expected() {
    for type_ in TYPES {
        for form in FORMS {
            for leaf in LEAVES {
                let value = form.replace('$', leaf);
                _ = read(&format!("{DECLARATIONS}\nplace p: {type_} derived {value}"), &[]);
            }
        }
    }
}

#[test]
fn deep_nesting() {
    let nested = |before: &str, inside: &str, after: &str| {
        let (before, after) = (before.repeat(199), after.repeat(199));
        format!("place p: 0..9 = {before}{inside}{after}\nproperty a: invariant {before}{inside}{after}")
    };
    for text in [
        nested("(", "1", ")"),
        nested("not ", "true", ""),
        nested("-", "1", ""),
        nested("{", "1", "}"),
        nested("if true then ", "1", " else 2"),
        nested("let x = ", "1", " in x"),
        nested("1 + (", "#p", ")"),
        nested("2'", "1", ""),
        nested("(1 = 1) = (", "true", ")"),
        nested("{ } = (", "{ }", ")"),
        nested("[ ] = (", "[ ]", ")"),
    ] {
        _ = read(&text, &[]);
    }
    let sum = vec!["#p"; 999].join(" + ");
    assert!(read(&format!("place p: unit\nproperty a: bound {sum}"), &[]).is_ok());
    let sum = vec!["1"; 999].join(" + ");
    assert!(read(&format!("place p: 0..9 = {{ }} + {sum}"), &[]).is_ok());
    let all = vec!["#p < 3"; 999].join(" and ");
    assert!(read(&format!("place p: unit\nproperty a: invariant {all}"), &[]).is_ok());
}

#[test]
fn functions_that_call_each_other_often_or_deeply() {
    let (mut wide, mut deep, mut types) = (String::new(), String::new(), String::new());
    for n in 0..2_000 {
        if n < 60 {
            _ = writeln!(wide, "fn f{}(n: int) = f{n}(n) + f{n}(n)", n + 1);
        }
        _ = writeln!(deep, "fn f{}(n: int) = 1 + f{n}(n)", n + 1);
        _ = writeln!(types, "type T{n} = (T{}, bool)\nparam P{n} = P{} + 1", n + 1, n + 1);
    }
    let end = "fn f0(n: int) = n\nplace p: 0..9 = ";
    assert!(read(&format!("{wide}{end}f60(1)"), &[]).is_err());
    assert!(read(&format!("{deep}{end}f2000(1)"), &[]).is_err());
    assert!(read(&format!("{types}type T2000 = bool\nparam P2000 = 1"), &[]).is_err());
}
