//! What the checker says about models with errors, one test for each kind of them.

mod said;

use said::lines;
use sweepnet_language::read;

/// All that is said about a text.
fn said(text: &str) -> String {
    match read(text, &[]) {
        Ok((_, warnings)) => lines(text, &warnings),
        Err(errors) => lines(text, &errors),
    }
}

/// A type and a place that most of the texts need.
const P: &str = "type T = 1..4\nplace p: T\n";

#[test]
fn what_is_there_twice_is_there() {
    // Nobody else is to blame.
    insta::assert_snapshot!(said(r"type C = enum { red, green, red }
place p: C = green
transition t(x) { in p: x; out p: red; when x != green }
property a: invariant p(red) <= 1"), @r"`red` 'red' is there twice | note: `red` it is here first");
    insta::assert_snapshot!(said(r"type U = union { none, some: bool, none }
place p: U = none
transition t(x) { in p: some(x); out p: none; when x }"), @r"`none` 'none' is there twice | note: `none` it is here first");
}

#[test]
fn variables_where_constants_are_wanted() {
    insta::assert_snapshot!(said(&format!("{P}transition t(x, y) {{ in p: x; in p: y; out p: succ(x, y) }}")), @r"`y` 'y' is a variable | expected a constant, which is the same for all values of variables");
    insta::assert_snapshot!(said(&format!("{P}transition t(x) {{ in p: x; priority x + 1 }}")), @r"`x` 'x' is a variable | expected a constant, which is the same for all values of variables");
    insta::assert_snapshot!(said(&format!("{P}transition t(x) {{ in p: x; priority y }}")), @r"`y` there is no constant 'y'");
}

#[test]
fn numbers_with_too_many_underscores() {
    insta::assert_snapshot!(said("param N = 1__0"), @r"`1__0` in a number, each '_' stands alone between two digits");
    insta::assert_snapshot!(said("param N = 10_"), @r"`10_` in a number, each '_' stands alone between two digits");
    assert_eq!(said("param N = 1_0\nplace p: 0..N"), said("param N = 10\nplace p: 0..N"));
}

#[test]
fn names_that_are_declared_twice() {
    insta::assert_snapshot!(said(r#"net "a"
net "b""#), @r#"`net "b"` the net has a name already | note: `net "a"` here"#);
    insta::assert_snapshot!(said(r"param N = 1
param N = 2"), @r"`N` 'N' is there twice | note: `N` it is here first");
    insta::assert_snapshot!(said(r"type T = bool
param T = 3"), @r"`T` 'T' is there twice | note: `T` it is here first");
    insta::assert_snapshot!(said(r"place p, q, p: unit"), @r"`p` 'p' is there twice | note: `p` it is here first");
    insta::assert_snapshot!(said(r"transition t() { }
transition t() { }"), @r"`t` 't' is there twice | note: `t` it is here first");
    insta::assert_snapshot!(said(r"progress 1
progress 2"), @r"`progress 2` progress is declared already | note: `progress 1` here");
    insta::assert_snapshot!(said(r"place p: unit
property a: invariant #p = 0
property a: invariant #p = 1"), @r"`a` 'a' is there twice | note: `a` it is here first");
    insta::assert_snapshot!(said(r"place p: 0..1
transition t(x, x) { in p: x }"), @r"`x` 'x' is there twice | note: `x` it is here first");
    insta::assert_snapshot!(said(r"fn f(x: bool, x: bool) = x"), @r"`x` 'x' is there twice | note: `x` it is here first");
    insta::assert_snapshot!(said(r"type T = enum { a, b, a }"), @r"`a` 'a' is there twice | note: `a` it is here first");
    insta::assert_snapshot!(said(r"type T = struct { a: bool, a: bool }"), @r"`a` 'a' is there twice | note: `a` it is here first");
}

#[test]
fn cycles() {
    insta::assert_snapshot!(said(r"type A = (B, bool)
type B = list of A max 2
place p: A"), @r"`A` 'A' is defined by itself: A -> B -> A");
    insta::assert_snapshot!(said(r"param A = B
param B = A + 1
type T = 0..A
place p: T"), @r"`A` 'A' is defined by itself: A -> B -> A");
    insta::assert_snapshot!(said(r"fn f(n: 0..3) = g(n)
fn g(n: 0..3) = f(n)
place p: 0..3 = f(1)"), @r"`f` 'f' calls itself: f -> g -> f");
    insta::assert_snapshot!(said(r"fn f(n: 0..3) = f(n)"), @r"`f` 'f' calls itself: f -> f");
    insta::assert_snapshot!(said(r"place a: bool derived b
place b: bool derived { } + a
place c: bool derived a"), @r"`b` 'a' is derived from itself: a -> b -> a");
}

#[test]
fn parameters() {
    insta::assert_snapshot!(said(r"param N = 2 * M
param M = 3
place p: 0..N = 6"), @r"warning: `p` nothing uses the place 'p'");
    insta::assert_snapshot!(said(r"param N = idle
type S = enum { idle }"), @r"`idle` a parameter can't be a S | expected an integer or a truth value");
    insta::assert_snapshot!(said(r"param N = 1 / 0"), @r"`1 / 0` division by zero");
    insta::assert_snapshot!(said(r"param N = x"), @r"`x` there is no constant 'x'");
    insta::assert_snapshot!(said(r"param N = 9223372036854775807 + 1"), @r"`9223372036854775807 + 1` a number does not fit into 64 bits");
}

#[test]
fn types_that_cannot_be() {
    insta::assert_snapshot!(said(r"type T = 4..1"), @r"`4..1` the range 4..1 is empty");
    insta::assert_snapshot!(said(r"type T = cyclic bool"), @r"`bool` bool can't be cyclic | expected a range or an enumeration");
    insta::assert_snapshot!(said(r"type T = list of bool max -1"), @r"`-1` a list can't have -1 elements");
    insta::assert_snapshot!(said(r"type T = Sitee
type Site = 1..2"), @r"`Sitee` there is no type 'Sitee' | did you mean Site?");
    insta::assert_snapshot!(said(r"param N = 3
type T = set of N"), @r"`N` 'N' is a parameter, not a type");
    insta::assert_snapshot!(said(r"type T = 1..3 where it > 5"), @r"`1..3 where it > 5` no value meets the constraint");
    insta::assert_snapshot!(said(r"type T = 0..100000000 where it > 5"), @r"`0..100000000` 0..100000000 has too many values for a constraint | expected at most 2^24");
    insta::assert_snapshot!(said(r"type T = 0..9 where 10 / it > 1"), @r"`10 / it > 1` for 0: division by zero");
    insta::assert_snapshot!(said(r"type T = array [0..100000] of bool"), @r"`array [0..100000] of bool` a value would take more than 4096 words");
    insta::assert_snapshot!(said(r"place q: unit
type T = q"), @r"`q` 'q' is a place, not a type");
    insta::assert_snapshot!(said(r"type T = 1..k"), @r"`k` there is no constant 'k'");
    insta::assert_snapshot!(said(r"type T = set of int"), @r"`int` there is no type 'int' | expected a range of integers, such as 0..9");
}

#[test]
fn names_in_expressions() {
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; out p: y }"].concat()), @r"`y` there is no variable 'y'; add it to the transition's variables | did you mean x?");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when xx = 2 }"].concat()), @r"`xx` there is no variable 'xx'; add it to the transition's variables | did you mean x?");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; out q: x }"].concat()), @r"`q` there is no place 'q' | did you mean p?");
    insta::assert_snapshot!(said(&[P, r"place q: T = p"].concat()), @r"`p` 'p' is a place; what it has can't be used here | note: `p` derived places, progress and properties can use it");
    insta::assert_snapshot!(said(&[P, r"transition t() { in p: p }"].concat()), @r"`p` 'p' is a place; what it has can't be used here | note: `p` derived places, progress and properties can use it");
    insta::assert_snapshot!(said(&[P, r"property a: invariant p"].concat()), @r"`p` 'p' is a place, not a value | expected a value; the number of its tokens is written #p");
    insta::assert_snapshot!(said(&[P, r"property a: invariant enabled(u)"].concat()), @r"`u` there is no transition 'u'");
    insta::assert_snapshot!(said(&[P, r"property a: invariant deadlok"].concat()), @r"`deadlok` there is no 'deadlok' | did you mean deadlock?");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when deadlock }"].concat()), @r"`deadlock` 'deadlock' makes sense in properties only");
    insta::assert_snapshot!(said(&[P, r"place q: T derived if deadlock then {} else p"].concat()), @r"`deadlock` 'deadlock' makes sense in properties only");
    insta::assert_snapshot!(said(r"type S = enum { idle, busy }
place s: S = idel"), @r"`idel` there is no constant 'idel' | did you mean idle?");
    insta::assert_snapshot!(said(r"type S = enum { idle, busy }
type R = enum { idle }
property a: invariant idle = idle"), @r"`idle` 'idle' is a constant of several types: R, S | expected R.idle");
    insta::assert_snapshot!(said(r"type S = enum { idle, busy }
type R = enum { idle }
place s: S = R.idle"), @r"`R.idle` this is R | expected S");
    insta::assert_snapshot!(said(r"type S = enum { idle, busy }
place s: S = S.buzy"), @r"`buzy` S has no 'buzy' | did you mean busy?");
    insta::assert_snapshot!(said(&[P, r"fn f() = 1
place q: T = f"].concat()), @r"`f` 'f' is a function; a call is written f()");
}

#[test]
fn values_outside_of_their_types() {
    insta::assert_snapshot!(said(r"place p: 1..4 = 7"), @r"`7` 7 is outside of 1..4");
    insta::assert_snapshot!(said(&[P, r"transition t() { in p: 7 }"].concat()), @r"`7` 7 is outside of T (1..4)");
    insta::assert_snapshot!(said(&[P, r"param N = 5
place q: T = N"].concat()), @r"`N` 5 is outside of T (1..4)");
    insta::assert_snapshot!(said(&[P, r"place q: T = 3 - 5"].concat()), @r"`3 - 5` -2 is outside of T (1..4)");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; out p: if x < 4 then x + 1 else 7 }"].concat()), @r"`7` 7 is outside of T (1..4)");
    insta::assert_snapshot!(said(&[P, r"param N = 0
place q: 0..9 = if N > 0 then 3 / N else 4"].concat()), @r#"
    warning: `p` nothing uses the place 'p'
    warning: `q` nothing uses the place 'q'
    "#);
    insta::assert_snapshot!(said(r"type O = 1..9 where it mod 2 = 1
place p: O = 4"), @r"`4` 4 is outside of O");
    insta::assert_snapshot!(said(r"type D = (1..4, 1..4) where it.0 != it.1
place p: D = (2, 2)"), @r"`(2, 2)` the value is outside of D");
    insta::assert_snapshot!(said(r"type S = enum { a, b }
place p: S = succ(b)"), @r"`succ(b)` there is no value beyond the end of the type");
    insta::assert_snapshot!(said(r"type S = cyclic enum { a, b }
place p: S = succ(b)"), @r"warning: `p` nothing uses the place 'p'");
}

#[test]
fn types_that_do_not_fit() {
    insta::assert_snapshot!(said(r"place p: unit = 3"), @r"`3` this is an integer | expected unit; several tokens are written 3'()");
    insta::assert_snapshot!(said(r"place p: unit = true"), @r"`true` this is a truth value | expected unit");
    insta::assert_snapshot!(said(r"place p: bool = 3"), @r"`3` this is an integer | expected a truth value");
    insta::assert_snapshot!(said(&[P, r"property a: invariant #p"].concat()), @r"`#p` this is an integer | expected a truth value");
    insta::assert_snapshot!(said(&[P, r"property a: bound #p = 1"].concat()), @r"`#p = 1` this is a truth value | expected an integer");
    insta::assert_snapshot!(said(&[P, r"progress (#p, true)"].concat()), @r"`true` this is a truth value | expected an integer");
    insta::assert_snapshot!(said(r"type M = struct { from: bool, to: bool }
place p: M = (true, false, true)"), @r"`(true, false, true)` M has 2 fields, not 3");
    insta::assert_snapshot!(said(r"type M = struct { from: bool, to: bool }
place p: M = { from: true, too: false }"), @r"`too` M has no field 'too' | did you mean to?");
    insta::assert_snapshot!(said(r"type M = struct { from: bool, to: bool }
place p: M = { from: true }"), @r"`{ from: true }` to is missing");
    insta::assert_snapshot!(said(r"type M = struct { from: bool, to: bool }
place p: M = { from: true, from: true, to: false }"), @r"`from` 'from' is there twice | note: `from` it is here first");
    insta::assert_snapshot!(said(&[P, r"place q: T = (1, 2)"].concat()), @r"`(1, 2)` this is a tuple | expected T");
    insta::assert_snapshot!(said(&[P, r"place q: T = { a: 1 }"].concat()), @r"`{ a: 1 }` this is a struct | expected T");
    insta::assert_snapshot!(said(&[P, r"place q: T = [1]"].concat()), @r"`[1]` this is a list or an array | expected T");
    insta::assert_snapshot!(said(&[P, r"place q: set of T = { 1, 2 }"].concat()), @r#"
    `1` this is an integer | expected set of T
    `2` this is an integer | expected set of T
    "#);
    insta::assert_snapshot!(said(&[P, r"place q: list of T max 2 = [1, 2, 3]"].concat()), @r"`[1, 2, 3]` list of T max 2 has at most 2 elements, not 3");
    insta::assert_snapshot!(said(&[P, r"place q: array [T] of bool = [true]"].concat()), @r"`[true]` array [T] of bool has 4 elements, not 1");
    insta::assert_snapshot!(said(&[P, r"place q: bool derived p"].concat()), @r"`p` this is a multiset of T | expected one of bool");
    insta::assert_snapshot!(said(&[P, r"property a: invariant {1'true} = p"].concat()), @r"`p` this is a multiset of T | expected one of bool");
    insta::assert_snapshot!(said(&[P, r"property a: invariant true = 3"].concat()), @r"`3` this is an integer | expected a truth value");
    insta::assert_snapshot!(said(&[P, r"property a: invariant (1, 2) = (1, 2)"].concat()), @r"`1` the type of this integer can't be told");
    insta::assert_snapshot!(said(&[P, r"property a: invariant [] = []"].concat()), @r"`[]` the type of this list can't be told");
    insta::assert_snapshot!(said(&[P, r"property a: invariant {} = {}"].concat()), @r"`{}` the type of this multiset can't be told");
    insta::assert_snapshot!(said(&[P, r"place q: T = (-2)'1"].concat()), @r"`(-2)` a multiset can't have -2 tokens");
}

#[test]
fn parts() {
    insta::assert_snapshot!(said(r"place p: (bool, bool)
transition t(x) { in p: x; when x.2 }"), @r"`2` (bool, bool) has no field '2'");
    insta::assert_snapshot!(said(r"type M = struct { from: bool }
place p: M
transition t(x) { in p: x; when x.form }"), @r"`form` M has no field 'form' | did you mean from?");
    insta::assert_snapshot!(said(r"type U = union { none, some: bool }
place p: U = none
transition t(x) { in p: x; when x.some and x is non and x.none }"), @r#"
    `non` U has no 'non' | did you mean none?
    `none` 'none' has no content
    "#);
    insta::assert_snapshot!(said(r"type U = union { none, some: bool }
place p: U = some"), @r"`some` 'some' has a content | expected some(…)");
    insta::assert_snapshot!(said(r"type U = union { none, some: bool }
place p: U = none(true)"), @r"`none(true)` 'none' has no content | expected 'none' alone");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when x.a }"].concat()), @r"`x` this is T | expected a struct, tuple or union");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when x[1] }"].concat()), @r"`x` this is T | expected an array or a list");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; out p: x with { a: 1 }; out p: x with [1: 2] }"].concat()), @r#"
    `x` this is T | expected a struct or tuple
    `x` this is T | expected an array
    "#);
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when x is a }"].concat()), @r"`x` this is T | expected a union");
}

#[test]
fn calls() {
    insta::assert_snapshot!(said(&[P, r"fn f(x: T) = x
place q: T = f()"].concat()), @r"`f` 'f' takes 1 argument, not 0 | note: `f` it is declared here");
    insta::assert_snapshot!(said(&[P, r"place q: T = g(1)"].concat()), @r"`g` there is no function 'g'");
    insta::assert_snapshot!(said(r"fn f(x) = x"), @r"`x` the parameter 'x' has no type | expected x: T");
    insta::assert_snapshot!(said(&[P, r"place q: T = succ()"].concat()), @r"`succ()` 'succ' takes 1 argument, not 0");
    insta::assert_snapshot!(said(&[P, r"place q: T = first(1)"].concat()), @r"`1` this is an integer | expected a list");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when has(x, 1) }"].concat()), @r"`x` this is T | expected a list or a set");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x }
property a: invariant enabled(t, y = 1)"].concat()), @r"`y` 't' has no variable 'y' | did you mean x?");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x }
property a: invariant enabled(t, x = 7)"].concat()), @r"`7` 7 is outside of T (1..4)");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x }
property a: invariant enabled(t, 1)"].concat()), @r"`1` which variable has this value? | expected x = value");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x }
property a: invariant enabled(t, x = 1, x = 2)"].concat()), @r"`x` 'x' has two values");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x }
property a: invariant enabled()"].concat()), @r"`enabled()` 'enabled' is about a transition | expected enabled(t) or enabled(t, x = 1)");
    insta::assert_snapshot!(said(&[P, r"fn f(x: T) = x + y
place q: T = f(1)
place r: T = f(2)"].concat()), @r"`y` there is no 'y' | did you mean x?");
    insta::assert_snapshot!(said(&[P, r"fn unused(x: T) = x + y"].concat()), @r"`y` there is no 'y' | did you mean x, p?");
    insta::assert_snapshot!(said(&[P, r"place q: T = p(1)"].concat()), @r"`p` 'p' is a place; what it has can't be used here | note: `p` derived places, progress and properties can use it");
    insta::assert_snapshot!(said(&[P, r"place q: T = T(1)"].concat()), @r"`T` 'T' is a type, not a function");
    insta::assert_snapshot!(said(&[P, r"param N = 1
place q: T = N(1)"].concat()), @r"`N` 'N' is a parameter, not a function");
}

#[test]
fn variables() {
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x + 1 }"].concat()), @r"`x` the type of 'x' can't be inferred; declare it: x: T");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: 1 }"].concat()), @r"`x` the variable 'x' is not used");
    insta::assert_snapshot!(said(&[P, r"transition t(x: T) { in p: 1 }"].concat()), @r#"
    warning: `p` the place 'p' never has a token
    warning: `t` 't' never fires: a place it needs never has a token
    warning: `x` the variable 'x' is not used
    "#);
    insta::assert_snapshot!(said(&[P, r"transition t(x, y) { in p: x; when y != x }"].concat()), @r#"
    warning: `p` the place 'p' never has a token
    warning: `t` 't' never fires: a place it needs never has a token
    "#);
    insta::assert_snapshot!(said(&[P, r"transition t(x: Z, y) { in p: x; in nowhere: y }"].concat()), @r#"
    `Z` there is no type 'Z' | did you mean T?
    `nowhere` there is no place 'nowhere'
    "#);
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; let x = 1 }"].concat()), @r"`x` there is a variable 'x' already");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; priority 1; priority 2 }"].concat()), @r"`priority 2` the transition has a priority already | note: `priority 1` here");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; priority x }"].concat()), @r"`x` 'x' is a variable | expected a constant, which is the same for all values of variables");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; delay 3 }"].concat()), @r#"
    warning: `p` the place 'p' never has a token
    warning: `t` 't' never fires: a place it needs never has a token
    warning: `delay 3` the delay has no effect: no output place is timed
    "#);
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when x }"].concat()), @r"`x` this is T | expected a truth value");
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: x; when clock > 1 }"].concat()), @r"`clock` 'clock' makes sense in progress and properties only");
}

#[test]
fn places_and_their_tokens() {
    insta::assert_snapshot!(said("place q: unit place p: unit timed derived q"), @"`timed` a derived place has no times of its own | note: `q` it is derived here");
    insta::assert_snapshot!(said("place p: unit timed = () place q: unit derived if clock > 3 then { () } else { }"), @"`clock` 'clock' makes sense in progress and properties only");
    insta::assert_snapshot!(said(r"place p: bool = true derived { }"), @r"`true` a derived place has what it is derived from, and no initial tokens of its own | note: `{ }` it is derived here");
    insta::assert_snapshot!(said(r"place p: bool capacity 0..1 = { true, false }"), @r"`{ true, false }` 'p' initially has 2 tokens, which is outside of its capacity");
    insta::assert_snapshot!(said(r"place p: bool capacity 2"), @r"`p` 'p' initially has 0 tokens, which is outside of its capacity");
    insta::assert_snapshot!(said(r"place p: bool capacity -1..2"), @r"`-1` a place can't have -1 tokens");
    insta::assert_snapshot!(said(r"place p: bool capacity 3..1"), @r"`3..1` the range 3..1 is empty");
    insta::assert_snapshot!(said(r"place p: bool
place q: bool capacity 1..2 derived p"), @r"`p` 'q' initially has 0 tokens, which is outside of its capacity");
    insta::assert_snapshot!(said(r"place p: bool
place q: bool derived p - { true }"), @r"`p - { true }` 'q' initially: a multiset would have fewer than no tokens of a value");
    insta::assert_snapshot!(said(r"place p: bool = { true } - { false }"), @r"`{ true } - { false }` a multiset would have fewer than no tokens of a value");
    insta::assert_snapshot!(said(r"place p: bool = 2'true"), @r"warning: `p` nothing uses the place 'p'");
    insta::assert_snapshot!(said(r"place p: list of 0..9 max 40 = all list of 0..9 max 40"), @r"`list of 0..9 max 40` list of 0..9 max 40 has more than 2^63 values, too many to go through | expected at most 16777216");
}

#[test]
fn formulas() {
    insta::assert_snapshot!(said(&[P, r"property a: ctl G #p = 1"].concat()), @r"`G #p = 1` a temporal operator of ctl needs a path quantifier | expected A or E before it");
    insta::assert_snapshot!(said(&[P, r"property a: ltl AG #p = 1"].concat()), @r"`AG #p = 1` there are no path quantifiers in ltl | expected the operator without A or E");
    insta::assert_snapshot!(said(&[P, r"property a: dead u"].concat()), @r"`u` there is no transition 'u'");
    insta::assert_snapshot!(said(&[P, r"property a: stable q"].concat()), @r"`q` there is no place 'q' | did you mean p?");
    insta::assert_snapshot!(said(&[P, r"property a: ctl AG #q = 1"].concat()), @r"`q` there is no place 'q' | did you mean p?");
    insta::assert_snapshot!(said(&[P, r"property a: ctl EF forall x in 1..2: p(x) = y"].concat()), @r"`y` there is no 'y' | did you mean x, p?");
}

#[test]
fn warnings() {
    insta::assert_snapshot!(said(r"param N = 3
type T = bool
fn f() = 1
place p: unit
place q: unit
transition t() { in q: (); out q: () }"), @r#"
    warning: `N` nothing uses the parameter 'N'
    warning: `T` nothing uses the type 'T'
    warning: `f` nothing uses the function 'f'
    warning: `p` nothing uses the place 'p'
    warning: `q` the place 'q' never has a token
    warning: `t` 't' never fires: a place it needs never has a token
    "#);
}

#[test]
fn broken_parts_are_passed_over_in_silence() {
    insta::assert_snapshot!(said(&[P, r"transition t(x) { in p: ; out p: 1 }"].concat()), @r"`` this ends too early | expected an expression");
    insta::assert_snapshot!(said(r"type T = 1..
place p: T = 1
transition t(x) { in p: x }"), @r"`` this ends too early | expected an expression");
    insta::assert_snapshot!(said(r"fn f(x: = 3
place p: 0..4 = f(1)"), @r"`=` '=' is not expected here | expected a type after `:`");
    insta::assert_snapshot!(said(&[P, r"transition t(x { in p: x }
property a: invariant enabled(t)"].concat()), @r"`{` '{' is not expected here | expected `,` or `)`");
    insta::assert_snapshot!(said(r"place p: Sight
place q: bool derived p
transition t(x) { in p: x; when x > 3 }
property a: invariant #p = 1"), @r"`Sight` there is no type 'Sight'");
    insta::assert_snapshot!(said(&[P, r"fn f(x: Sight) = x
transition t(y) { out p: f(y) }
property a: invariant enabled(t, y = 3)"].concat()), @r"`Sight` there is no type 'Sight'");
    insta::assert_snapshot!(said(r"param N = 1 / 0
type T = 1..N
place p: T = N"), @r"`1 / 0` division by zero");
}

#[test]
fn variables_are_not_blamed_for_other_errors() {
    insta::assert_snapshot!(said(&[P, r"fn f(n: T) = n + y
place q: T = f(1)
transition t(x) { out p: x + f(x) }
transition u(x) { in p: f(x) }"].concat()), @r"`y` there is no 'y' | did you mean n?");
    insta::assert_snapshot!(said(&[P, r"transition t(x: Z) { in p: x; when x > 2 }"].concat()), @r"`Z` there is no type 'Z' | did you mean T?");
    insta::assert_snapshot!(said(&[P, r"transition t(x, y) { in p: x; out p: }"].concat()), @r"`}` '}' is not expected here | expected an expression");
    insta::assert_snapshot!(said(&[P, r"transition t(x, y) { in p: x; out q: y; when z }"].concat()), @r#"
    `q` there is no place 'q' | did you mean p?
    `z` there is no variable 'z'; add it to the transition's variables | did you mean x, y?
    "#);
}
