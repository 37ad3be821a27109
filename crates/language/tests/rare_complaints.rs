//! What the checker says about rarer mistakes: in types, in values that are written out, and where something
//! is too large.

mod said;

use said::lines;
use sweepnet_colour::Patience;
use sweepnet_language::{Diagnostic, Scope, Setting, parse_file, read, read_progress, read_while, read_with};

/// All that is said about a text whose parameters have other values.
fn said_with(text: &str, params: &[(&str, i64)]) -> String {
    let params: Vec<(String, i64)> = params.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    match read(text, &params) {
        Ok((_, warnings)) => lines(text, &warnings),
        Err(errors) => lines(text, &errors),
    }
}

/// The same for one parameter.
fn said_to_be(text: &str, name: &str, value: Setting) -> String {
    match read_with(text, &[(name.to_owned(), value)]) {
        Ok((_, warnings)) => lines(text, &warnings),
        Err(errors) => lines(text, &errors),
    }
}

fn said(text: &str) -> String {
    said_with(text, &[])
}

/// Types and places that most of the texts need.
const P: &str = "type T = 1..4\nplace p: T = 1\ntype E = enum { a, b }\nplace e: E = a\n";

/// A model with this property.
fn asked(property: &str) -> String {
    said(&format!("{P}property q: {property}"))
}

/// A model whose transition has this guard.
fn guarded(declarations: &str, guard: &str) -> String {
    said(&format!("{P}{declarations}\ntransition t(x, y) {{ read p: x; read e: y; when {guard} }}"))
}

/// A place with this type and these tokens.
fn marked(type_: &str, tokens: &str) -> String {
    said(&format!("{P}place m: {type_} = {tokens}"))
}

#[test]
fn types() {
    insta::assert_snapshot!(said("type T = enum { }"), @r"`enum { }` the enumeration has no constant");
    insta::assert_snapshot!(said("type T = union { }"), @r"`union { }` the union has no variant");
    insta::assert_snapshot!(said("fn f() = 1\ntype T = f"), @r"`f` 'f' is a function, not a type");
    insta::assert_snapshot!(said("type T = -9223372036854775808..9223372036854775807"), @r"`-9223372036854775808..9223372036854775807` a range has more than 2^63 values");
    insta::assert_snapshot!(said("type T = set of 0..1000000"), @r"`set of 0..1000000` a value would take more than 4096 words");
    insta::assert_snapshot!(said("type T = union { a, a }"), @r"`a` 'a' is there twice | note: `a` it is here first");
}

#[test]
fn parameters_from_elsewhere() {
    let text =
        "param N = 1\nparam big = true\nplace p: 0..N = if big then 1 else 0\ntransition t { in p: 0 }";
    insta::assert_snapshot!(said_with(text, &[("N", 3), ("big", 2)]), @r"`big` 'big' can't be 2 | expected true or false");
    insta::assert_snapshot!(said_with(text, &[("M", 3)]), @r"`` the model has no parameter 'M'; it has N, big | did you mean N?");
    insta::assert_snapshot!(said_with(text, &[("size", 3)]), @r"`` the model has no parameter 'size'; it has N, big");
    insta::assert_snapshot!(said_to_be(text, "N", Setting::Truth(true)), @r"`N` 'N' can't be true | expected an integer");
    insta::assert_snapshot!(said_to_be(text, "big", Setting::Truth(false)), @"");
    insta::assert_snapshot!(said_with("place p: unit", &[("N", 3)]), @r"`` the model has no parameter 'N'; it has none at all");
}

#[test]
fn names_of_the_wrong_kind() {
    insta::assert_snapshot!(said("type T = 1..4\nplace p: T = T"), @r"`T` 'T' is a type, not a value | expected a value; all of them are written all T");
    insta::assert_snapshot!(said("fn f(x: bool) = x\nplace p: bool = f"), @r"`f` 'f' is a function, not a value");
    insta::assert_snapshot!(guarded("", "enabled(t)"), @r"`enabled(t)` 'enabled' makes sense in properties only");
    insta::assert_snapshot!(guarded("", "y.c = 1"), @r"`y` this is E | expected a struct, tuple or union");
    insta::assert_snapshot!(guarded("", "initial"), @r"`initial` 'initial' makes sense in properties only");
    insta::assert_snapshot!(asked("invariant T"), @r"`T` 'T' is a type, not a value | expected a value; all of them are written all T");
    insta::assert_snapshot!(asked("bound #e(c)"), @r"`c` there is no 'c' | did you mean a, b, e?");
    insta::assert_snapshot!(asked("invariant 3 = true"), @r"`true` this is a truth value | expected an integer");
    insta::assert_snapshot!(asked("live t"), @r"`t` there is no transition 't'");
}

#[test]
fn multisets_are_no_values() {
    insta::assert_snapshot!(asked("bound p + {}"), @r"`p + {}` this is a multiset, not a value | expected an integer");
    insta::assert_snapshot!(asked("bound let x = p + p in 1"), @r"`p + p` this is a multiset, not a value");
    insta::assert_snapshot!(asked("bound { 1 }"), @r"`{ 1 }` this is a multiset, not a value | expected an integer");
    insta::assert_snapshot!(asked("bound let x = { 1 } in 1"), @r"`{ 1 }` this is a multiset, not a value");
    insta::assert_snapshot!(marked("(set of T, bool)", "({ 1 }, true)"), @r"`{ 1 }` this is a multiset, not a value | expected a set, written set { … }");
    insta::assert_snapshot!(asked("bound #3"), @r"`3` an integer can't be counted | expected a place, a multiset, a list or a set");
    insta::assert_snapshot!(asked("bound #true"), @r"`true` a truth value can't be counted | expected a place, a multiset, a list or a set");
}

#[test]
fn lists_arrays_and_sets() {
    insta::assert_snapshot!(marked("array [T] of bool", "[x = 1 for x in T if x > 1]"), @r"`x > 1` there is no condition in a list or an array");
    insta::assert_snapshot!(marked("array [T] of bool", "[x = y for x in T, y in T]"), @r"`[x = y for x in T, y in T]` a list or an array has one variable");
    insta::assert_snapshot!(marked("array [T] of bool", "[x = a for x in E]"), @r"`E` the index of the array is T");
    insta::assert_snapshot!(marked("list of T max 2", "[x for x in T]"), @r"`[x for x in T]` the list has at most 2 elements, not 4");
    insta::assert_snapshot!(marked("list of T max 2", "[1] - [2]"), @r"`[2]` there is no such operation on list of T max 2");
    insta::assert_snapshot!(marked("set of T", "set { 1 } / set { 2 }"), @r"`set { 2 }` there is no such operation on set of T");
    insta::assert_snapshot!(marked("set of T", "insert([1], 2)"), @r"`[1]` this is a list or an array | expected set of T");
    insta::assert_snapshot!(guarded("", "insert(x, 2) = set { }"), @r"`x` this is T | expected a set");
    insta::assert_snapshot!(asked("invariant set { } = set { }"), @r"`set { }` the type of this set can't be told");
    insta::assert_snapshot!(asked("invariant set { 1 } = set { 2 }"), @r"`set { 2 }` the type of this set can't be told");
    insta::assert_snapshot!(marked("T", "min(1)"), @r"`min(1)` 'min' takes 2 arguments, not 1");
    insta::assert_snapshot!(marked("T", "succ(1, 2, 3)"), @r"`succ(1, 2, 3)` 'succ' takes 2 arguments, not 3");
}

#[test]
fn structs_and_unions() {
    insta::assert_snapshot!(asked("invariant { x: 1 } = { x: 2 }"), @r"`{ x: 2 }` no struct has these fields");
    let twins = "type A = struct { x: T }\ntype B = struct { x: E }";
    insta::assert_snapshot!(guarded(twins, "{ x: 1 } = { x: 1 }"), @r"`{ x: 1 }` several structs have these fields");
    let twins = "type A = union { some: T }\ntype B = union { some: E, none }";
    insta::assert_snapshot!(guarded(twins, "some(x) = some(x)"), @r"`some(x)` 'some' is a variant of several types: A, B");
    insta::assert_snapshot!(marked("union { one: T }", "one(1, 2)"), @r"`one(1, 2)` this is a tuple | expected T");
    insta::assert_snapshot!(marked("struct { x: T }", "{ x: 1 } with { z: 3 }"), @r"`z` struct { x: T } has no field 'z' | did you mean x?");
}

#[test]
fn constants_that_go_wrong() {
    insta::assert_snapshot!(said("param N = sum x in 0..3: 1 / x"), @r"`sum x in 0..3: 1 / x` division by zero");
    insta::assert_snapshot!(said("param N = 1 mod 0"), @r"`1 mod 0` division by zero");
    insta::assert_snapshot!(marked("list of T max 2", "append([1, 2], 3)"), @r"`append([1, 2], 3)` the list is full");
    insta::assert_snapshot!(marked("T", "let l = rest([1]) in 1"), @r"`[1]` the type of this list can't be told");
    let lists = "type L = list of T max 2\nfn none(): L = [ ]\ntype U = union { one: T, two: E }\n";
    insta::assert_snapshot!(said(&format!("{P}{lists}place m: T = first(none())")), @r"`first(none())` the list has no such element");
    insta::assert_snapshot!(said(&format!("{P}{lists}fn u(): U = two(a)\nplace m: T = u().one")), @r"`u().one` the union holds another variant");
    insta::assert_snapshot!(marked("T", "9223372036854775807'(3'1)"), @r"`9223372036854775807'(3'1)` a multiset would have more than 2^64 - 1 tokens of a value");
}

#[test]
fn clauses() {
    let twice = "place c: T timed\ntransition t(x) { in p: x; out c: x; delay 1; delay 2 }";
    insta::assert_snapshot!(said(&format!("{P}{twice}")), @r"`delay 2` the transition has a delay already | note: `delay 1` here");
    insta::assert_snapshot!(guarded("", "{ } = { }"), @r"`{ }` the type of this multiset can't be told");
    let negative = "place c: T timed\ntransition t(x) { in p: x; out c: x; delay -1 }";
    insta::assert_snapshot!(said(&format!("{P}{negative}")), @r"`-1` a delay can't be -1");
}

#[test]
fn too_many_values() {
    let wide = "type W = list of 0..9 max 40\n";
    insta::assert_snapshot!(asked("invariant forall x in 0..99999999: x >= 0"), @r"`0..99999999` 0..99999999 has 100000000 values, too many to go through | expected at most 16777216");
    insta::assert_snapshot!(asked("invariant forall x in list of 0..9 max 40: true"), @r"`list of 0..9 max 40` list of 0..9 max 40 has more than 2^63 values, too many to go through | expected at most 16777216");
    insta::assert_snapshot!(said(&format!("{wide}place p: W\ntransition t(x) {{ in p: x; out p: succ(x) }}")), @r"`x` W has too many values to be in a row");
    insta::assert_snapshot!(marked("set of T", "set { 1 for x in 1..9000, y in 1..9000 }"), @r"`set { 1 for x in 1..9000, y in 1..9000 }` (1..9000, 1..9000) has 81000000 values, too many to go through | expected at most 16777216");
    let binders: Vec<String> = (0..5_000).map(|n| format!("x{n} in bool")).collect();
    let text = format!("place p: set of bool = set {{ true for {} }}", binders.join(", "));
    let errors = read(&text, &[]).expect_err("no tuple is that wide");
    insta::assert_snapshot!(errors[0].message, @r"a value would take more than 4096 words");
    let long =
        "type A = array [1..4000] of 0..9\nplace q: A\ntransition t(x) { in q: x; when (x, x) = (x, x) }";
    insta::assert_snapshot!(said(long), @r#"
    `(x, x)` a value would take more than 4096 words
    `(x, x)` a value would take more than 4096 words
    "#);
    let large = "place q: 0..1000000\ntransition t(x) { in q: x; when set { x } = set { x } }";
    insta::assert_snapshot!(said(large), @r#"
    `set { x }` a value would take more than 4096 words
    `set { x }` a value would take more than 4096 words
    "#);
}

#[test]
fn misspelt_places() {
    insta::assert_snapshot!(said("place queue: 0..3\nproperty a: invariant #queu <= 1"), @r"`queu` there is no place 'queu' | did you mean queue?");
    insta::assert_snapshot!(said("place queue: 0..3\nproperty a: invariant #queu(1) <= 1"), @r"`queu` there is no function or place 'queu' | did you mean queue?");
    insta::assert_snapshot!(said("place queue: 0..3\nproperty a: invariant queu(1) <= 1"), @r"`queu` there is no function or place 'queu' | did you mean queue?");
    insta::assert_snapshot!(said("place queue: 0..3\nproperty a: invariant queu <= {}"), @r"`queu` there is no 'queu' | did you mean queue?");
}

#[test]
fn sums_that_are_compared() {
    insta::assert_snapshot!(asked("invariant sum x in T: #p(x) = 3"), @r"`#p(x) = 3` this is a truth value | expected an integer; a sum to compare is in parentheses: (sum x in T: …) = …");
    insta::assert_snapshot!(asked("invariant sum x in T: p(x) + 1 <= 4 and #e > 0"), @r"`p(x) + 1 <= 4 and #e > 0` this is a truth value | expected an integer; a sum to compare is in parentheses: (sum x in T: …) = …");
    insta::assert_snapshot!(asked("bound sum x in T, y in E: p(x) > e(y)"), @r"`p(x) > e(y)` this is a truth value | expected an integer; a sum to compare is in parentheses: (sum y in E: …) = …");
    insta::assert_snapshot!(asked("invariant sum x in T: #q(x) = 3"), @r"`q` there is no function or place 'q' | did you mean e, p?");
    insta::assert_snapshot!(asked("invariant (sum x in T: #p(x)) = 3"), @r"warning: `e` nothing uses the place 'e'");
}

#[test]
fn guards_that_tell_nothing_apart() {
    insta::assert_snapshot!(guarded("", "false"), @r"warning: `false` this guard is never true: the transition never fires");
    insta::assert_snapshot!(guarded("", "true"), @r"warning: `true` this guard is always true");
    insta::assert_snapshot!(guarded("", "1 + 1 = 3 and x > 2"), @r"warning: `1 + 1 = 3 and x > 2` this guard is never true: the transition never fires");
    insta::assert_snapshot!(guarded("", "x > 2 or 1 < 2"), @r"warning: `x > 2 or 1 < 2` this guard is always true");
    insta::assert_snapshot!(guarded("param N = 3", "N > 4"), @"");
    insta::assert_snapshot!(guarded("param N = 3\nfn large() = N > 4", "large()"), @"");
    insta::assert_snapshot!(guarded("", "x > 2 and true"), @"");
}

#[test]
fn functions_too_deep_or_too_many() {
    let mut deep = String::from("fn f0(n: int) = n\n");
    let mut wide = deep.clone();
    for n in 1..=300 {
        deep += &format!("fn f{n}(n: int) = 1 + f{}(n)\n", n - 1);
    }
    for n in 1..=14 {
        wide += &format!("fn f{n}(n: int) = f{0}(n) + f{0}(n)\n", n - 1);
    }
    insta::assert_snapshot!(said(&(deep + "place p: 0..9 = f300(1)")), @r"`n` this is nested too deeply");
    insta::assert_snapshot!(said(&(wide + "place p: 0..9 = f14(1)")), @r"`f1` more than 10000 calls of functions in one expression");
}

#[test]
fn progress_from_elsewhere() {
    let (model, _) = read(P, &[]).expect("nothing is wrong with it");
    let of = |text: &str| {
        let mut net = model.net.clone();
        let found: Vec<Diagnostic> =
            read_progress(text, &mut net, &Scope::of(&model.net)).err().into_iter().collect();
        lines(text, &found)
    };
    insta::assert_snapshot!(of("()"), @r"`()` this says nothing | expected an integer");
    insta::assert_snapshot!(of("#q"), @r"`q` there is no place 'q' | did you mean e, p?");
    insta::assert_snapshot!(of("#p, true"), @r"`true` this is a truth value | expected an integer");
    insta::assert_snapshot!(of("vector()"), @r"`vector` there is no function or place 'vector'");
}

#[test]
fn as_people_read_it() {
    let shown = |text: &str| {
        let (_, warnings) = read(text, &[]).expect("nothing is wrong with it");
        warnings.iter().map(|warning| warning.render("net.snet", text)).collect::<String>()
    };
    insta::assert_snapshot!(shown("place p: unit"), @r#"
    warning: net.snet:1:7: nothing uses the place 'p'
      |
    1 | place p: unit
      |       ^
    "#);
    let text = "param one = 1\nparam ones = 1\nplace p: 0..1 = onex";
    let errors = read(text, &[]).expect_err("there is no such constant");
    insta::assert_snapshot!(errors[0].render("net.snet", text), @r#"
    error: net.snet:3:17: there is no constant 'onex'
      |
    3 | place p: 0..1 = onex
      |                 ^^^^ did you mean 'one' or 'ones'?
    "#);
    let text = format!("place p: {}", "long".repeat(40));
    let errors = read(&text, &[]).expect_err("there is no such type");
    insta::assert_snapshot!(errors[0].render("net.snet", &text), @r#"
    error: net.snet:1:10: there is no type 'longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong'
      |
    1 | place p: longlonglonglonglonglonglonglonglonglonglonglonglonglonglong…
      |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert!(parse_file(&text).1.is_empty());
}

#[test]
fn what_takes_too_long_to_work_out() {
    // Whoever does not wait at all sees what others see after very many steps.
    let said = |text: &str| match read_while(text, &[], Patience::asking(&|| false)) {
        Ok((_, warnings)) => lines(text, &warnings),
        Err(errors) => lines(text, &errors),
    };
    insta::assert_snapshot!(said("type W = 0..1000000\nparam K = sum a in W, b in W: a * b mod 2\nplace p: 0..K = 0"), @r"`sum a in W, b in W: a * b mod 2` working this out takes more than 2^30 steps: its types are too large");
    insta::assert_snapshot!(said("type V = 0..16000000 where (sum b in 0..16000000: b) > 0\nplace v: V = 2"), @r"`(sum b in 0..16000000: b) > 0` working this out takes more than 2^30 steps: its types are too large");
    insta::assert_snapshot!(said("type W = 0..1000000\nplace p: unit = { () for a in W, b in W }"), @r"`{ () for a in W, b in W }` working this out takes more than 2^30 steps: its types are too large");
    insta::assert_snapshot!(said("type W = 0..1000000\nplace p: unit\nplace d: unit derived p + { () for a in W, b in W if a = b }"), @r"`p + { () for a in W, b in W if a = b }` 'd' initially: working this out takes more than 2^30 steps: its types are too large");
    insta::assert_snapshot!(said("type W = 0..100\nparam K = sum a in W, b in W: a * b mod 2\nplace p: 0..K = 0\ntransition t(x) { in p: x; out p: x }"), @"");
}

#[test]
fn settings_are_written_as_in_files() {
    for (text, value) in [("9", 9), ("1_000", 1_000), ("-3", -3), ("-9223372036854775808", i64::MIN)] {
        assert_eq!(Setting::read(text), Some(Setting::Integer(value)), "{text}");
    }
    assert_eq!(Setting::read("true"), Some(Setting::Truth(true)));
    assert_eq!(Setting::read("false"), Some(Setting::Truth(false)));
    for text in ["", "_1", "+1", "--1", "1 0", "x", "-true", "9223372036854775808", "0x10"] {
        assert_eq!(Setting::read(text), None, "{text}");
    }
}
