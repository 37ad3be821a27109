//! The contest's known answers, for nets that fit the time of a test run. `cargo xtask answers` has the rest.

use sweepnet_testkit::shared::{self, Instance};
use xtask::answers::{Ways, verify};

/// Nets up to so many states are explored in every way, and up to so many as `auto` does.
const ALL_WAYS: u128 = 3_000;
const USUAL: u128 = 60_000;

/// Coloured nets may have so many transitions when they are unfolded: formulas speak of all copies of one.
const UNFOLDED: u128 = 1_000;

#[test]
fn every_known_answer_of_the_contest_is_ours() {
    compare(|instance| !instance.is_coloured(), 50);
}

#[test]
fn every_known_answer_about_coloured_nets_is_ours() {
    let is_small =
        |instance: &Instance| instance.number("unfolded_transitions").is_none_or(|known| known <= UNFOLDED);
    compare(|instance| instance.is_coloured() && is_small(instance), 10);
}

fn compare(is_meant: impl Fn(&Instance) -> bool, at_least: usize) {
    let mut failures = Vec::new();
    let (mut nets, mut answers) = (0, 0);
    for instance in shared::contest().into_iter().filter(is_meant) {
        let ways = match instance.number("states") {
            Some(..=ALL_WAYS) => Ways::All,
            Some(..=USUAL) => Ways::Usual,
            Some(_) => continue,
            // Unbounded nets are small and quickly seen through.
            None => Ways::Usual,
        };
        match verify(&instance, ways) {
            Ok(count) => {
                nets += 1;
                answers += count;
            }
            Err(mismatches) => failures.extend(mismatches.iter().map(|m| format!("{}: {m}", instance.name))),
        }
    }
    println!("{answers} answers of {nets} nets compared");
    assert!(nets > at_least || shared::models().is_none());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
