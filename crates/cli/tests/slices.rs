//! Unfoldings of which only a part is explored, as long as nothing happens outside of it.

mod common;

use common::{Folder, example, run};

/// A counter that is set back again and again: random walks see its first values only, but all are reached.
const COUNTER: &str = r#"
    net "Counter"
    param N = 1200
    place counter: 0..N = 0
    place done: 0..N
    transition up(n) { in counter: n  out counter: n + 1  when n < N }
    transition back(n) { in counter: n  out counter: 0  when n > 0 }
    transition again(n) { in counter: n  out counter: n / 2  when n > 1 }
    transition finish(n) { in counter: n  out done: n  when n = N }
"#;

fn ask(folder: &Folder, model: &str, words: &[&str]) -> (String, i32) {
    let path = folder.path(model);
    let mut all = vec![words[0], path.as_str()];
    all.extend_from_slice(&words[1..]);
    let run = run(&all);
    (run.stdout, run.code)
}

#[test]
fn what_leaves_the_slice_is_found_after_all() {
    let folder = Folder::new();
    folder.file("counter.snet", COUNTER);
    let (explored, code) = ask(&folder, "counter.snet", &["explore", "-q"]);
    assert_eq!(code, 0);
    assert!(explored.contains("states               1,202"), "{explored}");
    assert!(explored.contains("dead transitions     none"), "{explored}");
    let questions =
        ["-q", "-p", "quasi-live", "-p", "invariant counter(1000) = 0", "-p", "reachable done(1200) = 1"];
    let (answers, code) = ask(&folder, "counter.snet", &[&["check"], &questions[..]].concat());
    assert_eq!(code, 1, "{answers}");
    assert!(answers.contains("holds     quasi-live"), "{answers}");
    assert!(answers.contains("violated  invariant counter(1000) = 0"), "{answers}");
    assert!(answers.contains("holds     reachable done(1200) = 1"), "{answers}");
    let (other, _) = ask(&folder, "counter.snet", &["explore", "-q", "--engine", "coloured"]);
    assert!(other.contains("states               1,202"), "{other}");
}

#[test]
fn structure_alone_says_nothing_of_what_a_slice_leaves_out() {
    let folder = Folder::new();
    folder.file("counter.snet", COUNTER);
    // No search is needed to see that it can fire in no state of the slice, and yet it can.
    let (answers, code) = ask(&folder, "counter.snet", &["check", "-q", "-p", "dead finish"]);
    assert_eq!(code, 1, "{answers}");
}

#[test]
fn a_slice_that_has_everything_is_enough() {
    let eratos = example("eratos.snet").display().to_string();
    let explored = run(&["explore", &eratos, "--set", "N=40", "--json"]).json();
    assert_eq!((explored["states"].as_u64(), explored["arcs"].as_u64()), (Some(23_779), Some(84_262)));
    // The whole unfolding has thousands of places; a few hundred are ever marked.
    let whole = run(&["info", &eratos, "--set", "N=40", "--json"]).json();
    let (some, all) = (explored["unfolded"]["places"].as_u64(), whole["places"].as_u64());
    assert!(some.unwrap() * 10 < all.unwrap(), "{some:?} of {all:?}");
}
