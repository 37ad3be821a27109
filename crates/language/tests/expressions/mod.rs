//! Expressions that make sense, or hardly.

use crate::random::Random;

/// What the expressions speak of.
pub const DECLARATIONS: &str = r"
param N = 4
type S = 1..N
type E = cyclic enum { a, b, c }
type M = struct { from: S, to: S }
type U = union { none, some: S, pair: (S, bool) }
type O = 1..9 where it mod 2 = 1
type W = array [0..40] of S
place numbers: S = 1
place states: E
place pairs: M
fn messages(s: S) = { (s, r) for r in S if r != s }
fn twice(n: int) = 2 * n
fn pair(): M = (1, 2)
transition t(x) { in numbers: x }
";

/// What may be expected.
pub const TYPES: [&str; 14] = [
    "unit",
    "bool",
    "S",
    "E",
    "M",
    "U",
    "O",
    "W",
    "0..9",
    "(S, bool)",
    "set of S",
    "list of S max 3",
    "array [E] of S",
    "list of O max 60",
];

/// Expressions without parts.
pub const LEAVES: [&str; 27] = [
    "0",
    "1",
    "7",
    "-1",
    "true",
    "a",
    "c",
    "x",
    "y",
    "N",
    "none",
    "numbers",
    "states",
    "pairs",
    "deadlock",
    "clock",
    "()",
    "{ }",
    "[ ]",
    "set { }",
    "all S",
    "all E",
    "pair()",
    "some",
    "S",
    "E.a",
    "9223372036854775807",
];

/// Expressions with parts: `$` stands for an expression.
pub const FORMS: [&str; 56] = [
    "($)",
    "($, $)",
    "{ $ }",
    "{ $, $ }",
    "[$, $]",
    "set { $ }",
    "{ from: $, to: $ }",
    "{ from: $ }",
    "{ $ for y in S }",
    "{ $ for y in E if $ }",
    "[ $ for y in E ]",
    "[ $ for y in S ]",
    "set { $ for y in S if $ }",
    "set { $ for y in S, z in E }",
    "$'$",
    "#($)",
    "#numbers($)",
    "numbers($)",
    "($).from",
    "($).0",
    "($).some",
    "($)[$]",
    "($) with { to: $ }",
    "($) with [$: $]",
    "($) is some",
    "not ($)",
    "-($)",
    "($) + ($)",
    "($) - ($)",
    "($) * ($)",
    "($) / ($)",
    "($) mod ($)",
    "($) = ($)",
    "($) <= ($)",
    "($) and ($)",
    "($) or ($)",
    "($) -> ($)",
    "($) xor ($)",
    "if $ then $ else $",
    "let y = $ in $",
    "forall y in E: $",
    "sum y in S: $",
    "messages($)",
    "twice($)",
    "succ($)",
    "pred($, 2)",
    "min($, $)",
    "abs($)",
    "first($)",
    "rest($)",
    "append($, $)",
    "has($, $)",
    "insert($, $)",
    "some($)",
    "pair($, $)",
    "enabled(t, x = $)",
];

/// A random expression.
pub fn expression(random: &mut Random, depth: usize, out: &mut String) {
    if depth == 0 || random.below(4) == 0 {
        out.push_str(random.pick(&LEAVES));
        return;
    }
    for (position, part) in random.pick(&FORMS).split('$').enumerate() {
        if position > 0 {
            expression(random, depth - 1, out);
        }
        out.push_str(part);
    }
}
