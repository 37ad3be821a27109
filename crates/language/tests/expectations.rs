//! Wherever reading stops, it is said what could stand there instead.

mod said;

use said::lines;
use sweepnet_language::{Diagnostic, parse_file, parse_progress, parse_properties, parse_property};

/// Texts with what is said about each.
fn of_each<'t>(texts: &[&'t str], read: impl Fn(&'t str) -> Vec<Diagnostic>) -> String {
    let said = |text: &&'t str| format!("{text}\n    {}\n", lines(text, &read(text)).replace('\n', "\n    "));
    texts.iter().map(said).collect()
}

/// What is said about each of the files.
fn files(texts: &[&str]) -> String {
    of_each(texts, |text| parse_file(text).1)
}

#[test]
fn names_of_what_is_declared() {
    insta::assert_snapshot!(files(&[
        "param = 4",
        "type = bool",
        "fn (x: bool) = x",
        "fn f(3: bool) = x",
        "fn f(x:) = x",
        "fn f(x: bool): = x",
        "place : unit",
        "transition (x) { }",
        "transition t(3) { }",
        "property : safe",
        "property \"a b\" safe",
        "transition t { } $",
    ]), @r#"
    param = 4
        `=` '=' is not expected here | expected the parameter's name
    type = bool
        `=` '=' is not expected here | expected the type's name
    fn (x: bool) = x
        `(` '(' is not expected here | expected the function's name
    fn f(3: bool) = x
        `3` '3' is a number; as a name it needs quotes | expected a parameter's name
    fn f(x:) = x
        `)` ')' is not expected here | expected a type after `:`
    fn f(x: bool): = x
        `=` '=' is not expected here | expected the result's type after `:`
    place : unit
        `:` ':' is not expected here | expected the place's name
    transition (x) { }
        `(` '(' is not expected here | expected the transition's name
    transition t(3) { }
        `3` '3' is a number; as a name it needs quotes | expected a variable's name
    property : safe
        `:` ':' is not expected here | expected a name and a colon: `property name: …`
    property "a b" safe
        `safe` 'safe' is not expected here | expected `:` and a question after the property's name
    transition t { } $
        `$` '$' has no meaning here
    "#);
}

#[test]
fn parts_of_types() {
    insta::assert_snapshot!(files(&[
        "type T = enum { 3 }",
        "type T = struct (a)",
        "type T = struct { 3: bool }",
        "type T = struct { a: }",
        "type T = union (a)",
        "type T = union { 3 }",
        "type T = array [] of bool",
        "type T = array [bool of bool",
        "type T = array [bool] of",
        "type T = list Site",
        "type T = list of",
        "type T = list of bool max",
        "type T = set of",
        "type T = (,)",
    ]), @r#"
    type T = enum { 3 }
        `3` '3' is a number; as a name it needs quotes | expected a value's name
    type T = struct (a)
        `(` '(' is not expected here | expected `{` and the fields of the struct
    type T = struct { 3: bool }
        `3` '3' is a number; as a name it needs quotes | expected a field's name
    type T = struct { a: }
        `}` '}' is not expected here | expected a field's type after `:`
    type T = union (a)
        `(` '(' is not expected here | expected `{` and the variants of the union
    type T = union { 3 }
        `3` '3' is a number; as a name it needs quotes | expected a variant's name
    type T = array [] of bool
        `]` ']' is not expected here | expected the type of the indices
    type T = array [bool of bool
        `of` 'of' is not expected here | expected `]`
    type T = array [bool] of
        `` this ends too early | expected the type of the elements
    type T = list Site
        `Site` 'Site' is not expected here | expected `of` and the type of the elements
    type T = list of
        `` this ends too early | expected the type of the elements
    type T = list of bool max
        `` this ends too early | expected an expression
    type T = set of
        `` this ends too early | expected the type of the elements
    type T = (,)
        `,` ',' is not expected here | expected a type
    "#);
}

#[test]
fn parts_of_clauses() {
    insta::assert_snapshot!(files(&[
        "transition t { $ }",
        "transition t { something p: x }",
        "transition t { out 3: x }",
        "transition t { read p }",
        "transition t { inhibit 3 }",
        "transition t { let 3 = x }",
        "transition t { let x = }",
        "transition t { when }",
        "transition t { delay }",
    ]), @r#"
    transition t { $ }
        `$` '$' has no meaning here
    transition t { something p: x }
        `something` 'something' starts no clause | expected `in`, `out`, `read`, `inhibit`, `reset`, `let`, `when`, `priority` or `delay`
    transition t { out 3: x }
        `3` '3' is a number; as a name it needs quotes | expected a place
    transition t { read p }
        `}` '}' is not expected here | expected `:` and tokens
    transition t { inhibit 3 }
        `3` '3' is a number; as a name it needs quotes | expected a place after `inhibit`
    transition t { let 3 = x }
        `3` '3' is a number; as a name it needs quotes | expected a name after `let`
    transition t { let x = }
        `}` '}' is not expected here | expected an expression
    transition t { when }
        `}` '}' is not expected here | expected an expression
    transition t { delay }
        `}` '}' is not expected here | expected an expression
    "#);
}

#[test]
fn parts_of_expressions() {
    insta::assert_snapshot!(files(&[
        "param N = a[]",
        "param N = a with { 3: 1 }",
        "param N = a with { b 1 }",
        "param N = { a: }",
        "param N = let 3 = 1 in 2",
        "param N = let x 1 in 2",
        "param N = { 1 for 3 in T }",
        "param N = [1 for x in T for]",
        "param N = sum x in T:",
        "param N = #",
        "param N = not",
        "param N = \"a",
        "param N = \"a\\",
    ]), @r#"
    param N = a[]
        `]` ']' is not expected here | expected an expression
    param N = a with { 3: 1 }
        `3` '3' is a number; as a name it needs quotes | expected a field's name
    param N = a with { b 1 }
        `1` '1' is not expected here | expected `:` and the field's value
    param N = { a: }
        `}` '}' is not expected here | expected an expression
    param N = let 3 = 1 in 2
        `3` '3' is a number; as a name it needs quotes | expected a name after `let`
    param N = let x 1 in 2
        `1` '1' is not expected here | expected `=` and a value
    param N = { 1 for 3 in T }
        `3` '3' is a number; as a name it needs quotes | expected a variable
    param N = [1 for x in T for]
        `for` 'for' is not expected here | expected `,`, `if` or `]`
    param N = sum x in T:
        `` this ends too early | expected an expression
    param N = #
        `` this ends too early | expected an expression
    param N = not
        `` this ends too early | expected an expression
    param N = "a
        `"a` the closing " is missing
    param N = "a\
        `"a\` '\' protects nothing here
    "#);
}

#[test]
fn parts_of_questions() {
    insta::assert_snapshot!(files(&[
        "property a: dead 3",
        "property a: fireable",
        "property a: stable 3",
        "property a: reachable",
        "property a: not reachable",
        "property a: home",
        "property a: bound",
        "property a: 99999999999999999999-safe",
        "property a: ctl E (p and q)",
        "property a: ctl E [p U q",
        "property a: ctl A (G p",
    ]), @r#"
    property a: dead 3
        `3` '3' is a number; as a name it needs quotes | expected a transition after `dead`
    property a: fireable
        `` this ends too early | expected a transition after `fireable`
    property a: stable 3
        `3` '3' is a number; as a name it needs quotes | expected a place after `stable`
    property a: reachable
        `` this ends too early | expected an expression
    property a: not reachable
        `` this ends too early | expected an expression
    property a: home
        `` this ends too early | expected an expression
    property a: bound
        `` this ends too early | expected an expression
    property a: 99999999999999999999-safe
        `99999999999999999999-safe` this bound is too large | expected at most 18446744073709551615
    property a: ctl E (p and q)
        `p and q` `E` wants a formula about paths | expected `E (p U q)`, or `X`, `F` or `G` first
    property a: ctl E [p U q
        `` this ends too early | expected an operator or `]`
    property a: ctl A (G p
        `` this ends too early | expected an operator or `)`
    "#);
}

#[test]
fn what_stands_alone() {
    let one = |text: &str| parse_property(text).err().into_iter().collect();
    insta::assert_snapshot!(of_each(&["// nothing", "invariant #p = 1 2", "safe; live"], one), @r#"
    // nothing
        `` this ends too early | expected a question, such as `invariant #p <= 1` or `deadlock-free`
    invariant #p = 1 2
        `2` '2' is not expected here | expected an operator or the end
    safe; live
        `live` 'live' is not expected here | expected an operator or the end
    "#);
    let several = |text: &str| parse_properties(text).1;
    insta::assert_snapshot!(of_each(&["safe 1 2; live t u", "property a safe"], several), @r#"
    safe 1 2; live t u
        `2` '2' is not expected here | expected an operator, `;` or the next property
        `u` 'u' is not expected here | expected an operator, `;` or the next property
    property a safe
        `safe` 'safe' is not expected here | expected `:` and a question after the property's name
    "#);
    let progress = |text: &str| parse_progress(text).err().into_iter().collect();
    insta::assert_snapshot!(of_each(&["// nothing", "#p #q", "#p, ,", "vector(#p"], progress), @r#"
    // nothing
        `` this ends too early | expected an expression
    #p #q
        `#` '#' is not expected here | expected an operator, `,` or the end
    #p, ,
        `,` ',' is not expected here | expected an expression
    vector(#p
        `` this ends too early | expected `,` or `)`
    "#);
}

#[test]
fn texts_too_deep_or_too_long() {
    let short = |text: String| lines(&text, &parse_file(&text).1);
    insta::assert_snapshot!(short(format!("param N = {}1", "-".repeat(300))), @r"`-` this is nested too deeply");
    insta::assert_snapshot!(short(format!("param N = 1{}", " + 1".repeat(1_001))), @r"`` more than 1000 operators in one expression | expected parentheses around parts of it");
    insta::assert_snapshot!(short(format!("type T = {}bool", "set of ".repeat(300))), @r"`set` this is nested too deeply");
}
