//! What `docs/src/language.md` says of types, values and operators, said in the language itself: all of it holds.

use std::process::Command;

const CLAIMS: &str = r#"
param N = 3
type Site = 1..N
type Colour = enum { red, green }
type Light = enum { red, amber }
type Round = cyclic 1..N
type Option = union { none, some: Site }
type Odd = 1..9 where it mod 2 = 1

place p: Site = { 1, 2 } + 2'3
place q: (Site, bool) = (1, true) + (2, false)
place option: Option = some(2)
place row: list of Site max 4 = [1, 2]
place some_sites: set of Site = set { 1, 3 }
place flags: array [Site] of bool = [ x = 1 for x in Site ]
place colour: Colour = red capacity 0..1, 5
place light: Light = Light.red
place odd: (1..9 where it mod 2 = 1) = all Odd
place "my place": unit = 3'()

transition stay(x, y) { in p: x; read q: (x, y); out p: x; inhibit light: amber; inhibit colour: 2'red; when x = 1 }
transition set_flag(v, e) { in option: some(v) in flags: e out flags: e with [v: true] out option: none reset p }

property rounds_down: invariant -7 / 2 = -4 and -7 mod 2 = 1 and 7 mod -2 = -1
property chain: invariant 1 < 2 <= 2 and ¬ (1 ≥ 2) && true || false
property goes_round: invariant forall x in Round: (x = 3 -> succ(x) = 1) and succ(x, 2) = pred(x)
property binders: invariant forall x in Site, y in Site: x + y <= 6
property sums: invariant let x = 3 in x + 1 = 4 and (sum i in Site: i) = 6
property integers: invariant abs(-3) = 3 and min(1, 2, 3) = 1 and max(1, 2) = 2
property sets: invariant has(set { 1, 2 } + set { x for x in Site if x > 2 }, 3)
property lists: invariant forall x in list of Site max 2:
  length(x) = 2 -> first(x) = x[0] and last(x) = x[1] and prepend(rest(x), first(x)) = append(front(x), last(x))
property values: reachable row([1, 2]) = 1 and some_sites(set { 3, 1 }) = 1 and flags([true, false, false]) = 1
property after: reachable flags([true, true, false]) = 1 and option(none) = 1 and #p = 0
property quoted: invariant #"my place" = 3 and "my place" = 3'()
property multisets: reachable p = 1'1 + 1'2 + 2'3 and p - { 3 } = { 1, 2, 3 } and p >= { 3, 3 }
property counts: reachable #p(3) = 2 and p(3) = 2 and q(1, true) = 1 and odd = all Odd
property content: invariant exists x in Option: option(x) = 1 and (x is some -> x.some = 2)
property bindings: reachable enabled(stay, x = 1) and not enabled(set_flag, v = 1) and enabled(set_flag)
property constants: invariant colour(red) = 1 and light(Light.red) = 1 and Colour.red < green
"#;

#[test]
fn the_manual_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("claims.snet");
    std::fs::write(&file, CLAIMS).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sweepnet")).arg("check").arg(file).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert_eq!(printed.lines().filter(|line| line.starts_with("holds")).count(), 16, "{printed}");
}
