//! Expressions and their values, as initial tokens of a place.

use sweepnet_language::read;

const DECLARATIONS: &str = r"
param N = 4
param B = N > 3
type S = 1..N
type E = cyclic enum { a, b, c }
type M = struct { from: S, to: S }
type U = union { none, some: S, pair: (S, bool) }
type O = 1..9 where it mod 2 = 1
type D = (1..2, 1..3) where it.0 != it.1
fn messages(s: S) = { (s, r) for r in S if r != s }
fn m(): M = (1, 2)
fn arr(): array [E] of 0..9 = [x2(x) for x in E]
fn x2(e: E) = if e = a then 1 else if e = b then 2 else 3
fn lst(): list of S max 4 = [2, 3, 4]
fn twice(n: int) = 2 * n
fn x1(n: int) = n - 1
";

/// The tokens of a place of this type with this initial marking.
fn tokens(type_: &str, marking: &str) -> String {
    let text = format!("{DECLARATIONS}\nplace p: {type_} = {marking}");
    let (model, _) = match read(&text, &[]) {
        Ok(read) => read,
        Err(errors) => return errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("; "),
    };
    let place = &model.net.places[0];
    let token = |(words, count): &(Box<[u64]>, u64)| match count {
        1 => model.net.types.show(place.type_, words),
        _ => format!("{count}'{}", model.net.types.show(place.type_, words)),
    };
    place.initial.iter().map(token).collect::<Vec<_>>().join(" + ")
}

#[test]
fn constants_of_a_cyclic_enumeration_are_its_own() {
    assert_eq!(tokens("bool", "succ(c) = a"), "true");
    assert_eq!(tokens("E", "pred(a)"), "c");
}

#[test]
fn integers_and_truth_values() {
    assert_eq!(tokens("0..9", "3 + 4 * 2 - 5 mod 3"), "9");
    assert_eq!(tokens("0..9", "{ x + 1 for x in 1..3 if x != 2 }"), "2 + 4");
    assert_eq!(tokens("0..9", "3'1 + 2 + 2'4"), "3'1 + 2 + 2'4");
    assert_eq!(tokens("0..9", "1 + 2"), "3");
    assert_eq!(tokens("0..9", "{1, 2} - {1}"), "2");
    assert_eq!(tokens("0..9", "all 2..4"), "2 + 3 + 4");
    assert_eq!(tokens("0..9", "{ x * y for x in 1..3, y in 1..3 if x < y }"), "2 + 3 + 6");
    assert_eq!(tokens("-3..3", "-2"), "-2");
    assert_eq!(tokens("-3..3", "min(2, -1, 3) + abs(-1)"), "0");
    assert_eq!(tokens("0..9", "max(1, 4)"), "4");
    assert_eq!(tokens("0..9", "let x = 3 in x * x"), "9");
    assert_eq!(tokens("0..9", "if 1 < 2 then 3 else 4"), "3");
    assert_eq!(tokens("0..9", "sum x in 1..3: x"), "6");
    assert_eq!(tokens("bool", "forall x in 1..3: x > 0"), "true");
    assert_eq!(tokens("bool", "exists x in 1..3: x > 3"), "false");
    assert_eq!(tokens("bool", "1 < 2 -> 3 < 2 or not false"), "true");
    assert_eq!(tokens("bool", "1 < 2 <= 2"), "true");
    assert_eq!(tokens("unit", "3'()"), "3'()");
    assert_eq!(tokens("unit", "()"), "()");
    assert_eq!(tokens("unit", "{ (), () }"), "2'()");
    assert_eq!(tokens("bool", "some(2) is some"), "true");
    assert_eq!(tokens("bool", "U.none = none"), "true");
    assert_eq!(tokens("0..9", "arr()[b]"), "2");
    assert_eq!(tokens("0..9", "length(lst())"), "3");
    assert_eq!(tokens("0..9", "#lst()"), "3");
    assert_eq!(tokens("bool", "has(lst(), 2)"), "true");
    assert_eq!(tokens("bool", "has(lst(), 9)"), "false");
    assert_eq!(tokens("0..9", "size(set { x for x in S, y in S if x + y = 4 })"), "3");
    assert_eq!(tokens("O", "all O"), "1 + 3 + 5 + 7 + 9");
    assert_eq!(tokens("O", "3"), "3");
    assert_eq!(tokens("0..9", "{ x for x in O }"), "1 + 3 + 5 + 7 + 9");
    assert_eq!(tokens("0..9", "twice(3) + 1"), "7");
    assert_eq!(tokens("0..9", "{ twice(x) for x in 1..3 }"), "2 + 4 + 6");
    assert_eq!(tokens("0..9", "N"), "4");
    assert_eq!(tokens("bool", "B"), "true");
    assert_eq!(tokens("bool", "(1, 2) = m()"), "true");
    assert_eq!(tokens("bool", "E.a < c"), "true");
    assert_eq!(tokens("0..9", "{ }"), "");
    assert_eq!(tokens("0..9", "if B then {1} else {}"), "1");
    assert_eq!(tokens("0..9", "let x = 2 in {x, x + 1}"), "2 + 3");
}

#[test]
fn enumerations() {
    assert_eq!(tokens("E", "a"), "a");
    assert_eq!(tokens("E", "a + c + 2'b"), "a + 2'b + c");
    assert_eq!(tokens("E", "succ(c)"), "a");
    assert_eq!(tokens("E", "pred(a)"), "c");
    assert_eq!(tokens("E", "succ(a, 5)"), "c");
    assert_eq!(tokens("E", "E.b"), "b");
    assert_eq!(tokens("E", "all E - a"), "b + c");
}

#[test]
fn structs_and_unions() {
    assert_eq!(tokens("M", "(1, 2)"), "(1,2)");
    assert_eq!(tokens("M", "{ to: 1, from: 2 }"), "(2,1)");
    assert_eq!(tokens("M", "{ (x, x) for x in S }"), "(1,1) + (2,2) + (3,3) + (4,4)");
    assert_eq!(tokens("M", "(1, 2) with { to: 3 }"), "(1,3)");
    assert_eq!(tokens("M", "messages(2)"), "(2,1) + (2,3) + (2,4)");
    assert_eq!(
        tokens("M", "{ (s, r) for s in S, r in S if s < r }"),
        "(1,2) + (1,3) + (1,4) + (2,3) + (2,4) + (3,4)"
    );
    assert_eq!(tokens("(S, bool)", "(1, 1 = 1)"), "(1,true)");
    assert_eq!(tokens("S", "m().to"), "2");
    assert_eq!(tokens("U", "none + some(2) + pair(1, true)"), "none + some(2) + pair((1,true))");
    assert_eq!(tokens("S", "some(2).some"), "2");
    assert_eq!(tokens("S", "lst()[0]"), "2");
    assert_eq!(tokens("S", "first(lst())"), "2");
    assert_eq!(tokens("S", "last(lst())"), "4");
    assert_eq!(tokens("D", "all D"), "(1,2) + (1,3) + (2,1) + (2,3)");
    assert_eq!(tokens("D", "(1, 2)"), "(1,2)");
    assert_eq!(tokens("S", "(x1(3))"), "2");
}

#[test]
fn arrays_lists_and_sets() {
    assert_eq!(tokens("array [S] of bool", "[x = 2 for x in S]"), "[false,true,false,false]");
    assert_eq!(tokens("array [E] of 0..9", "[1, 2, 3] with [b: 7]"), "[1,7,3]");
    assert_eq!(tokens("list of S max 4", "[]"), "[]");
    assert_eq!(tokens("list of S max 4", "[1, 2] + [3]"), "[1,2,3]");
    assert_eq!(tokens("list of S max 4", "append([1], 2)"), "[1,2]");
    assert_eq!(tokens("list of S max 4", "prepend(rest([1,2,3]), 4)"), "[4,2,3]");
    assert_eq!(tokens("list of S max 4", "front(lst())"), "[2,3]");
    assert_eq!(tokens("list of S max 4", "[x for x in S]"), "[1,2,3,4]");
    assert_eq!(tokens("set of S", "set { 1, 3 }"), "{1,3}");
    assert_eq!(tokens("set of S", "set { x for x in S if x > 2 } + set { 1 }"), "{1,3,4}");
    assert_eq!(tokens("set of S", "set { x for x in S } - set { 1 }"), "{2,3,4}");
    assert_eq!(tokens("set of S", "set { 1, 2 } * set { 2, 3 }"), "{2}");
    assert_eq!(tokens("set of S", "insert(set { }, 2)"), "{2}");
    assert_eq!(tokens("set of S", "remove(set { 1, 2 }, 2)"), "{1}");
}
