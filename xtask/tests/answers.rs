//! The contest's known answers, for nets that fit the time of a test run. `cargo xtask answers` has the rest.

use sweepnet_logic::check::Undecided;
use sweepnet_space::StopReason;
use sweepnet_testkit::shared::{self, Instance};
use xtask::answers::{Comparison, Questions, UNLIMITED, Ways, verify};

/// Nets up to so many states are explored in every way, and up to so many as `auto` does.
const ALL_WAYS: u128 = 3_000;
const USUAL: u128 = 60_000;

/// In nets up to so many states paths are asked about, too.
const PATHS: u128 = 5_000;

/// Coloured nets may have so many transitions when they are unfolded: formulas speak of all copies of one.
const UNFOLDED: u128 = 1_000;

/// Nets up to so many states are swept: going back often makes it long.
const SWEPT: u128 = 500;

#[test]
fn every_known_answer_of_the_contest_is_ours() {
    compare(|instance| !instance.is_coloured(), usual, 50);
}

#[test]
fn sweeps_say_the_same() {
    let is_small = |states: Option<u128>| states.filter(|states| *states <= SWEPT).map(|_| Ways::Swept);
    compare(|_| true, is_small, 12);
}

#[test]
fn every_known_answer_about_coloured_nets_is_ours() {
    let is_small =
        |instance: &Instance| instance.number("unfolded_transitions").is_none_or(|known| known <= UNFOLDED);
    compare(|instance| instance.is_coloured() && is_small(instance), usual, 10);
}

/// The ways for nets of so many states; nothing for those that take too long.
fn usual(states: Option<u128>) -> Option<Ways> {
    match states {
        Some(..=ALL_WAYS) => Some(Ways::All),
        Some(..=USUAL) => Some(Ways::Usual),
        Some(_) => None,
        // Unbounded nets are small and quickly seen through.
        None => Some(Ways::Usual),
    }
}

fn compare(
    is_meant: impl Fn(&Instance) -> bool,
    ways: impl Fn(Option<u128>) -> Option<Ways>,
    at_least: usize,
) {
    let mut failures = Vec::new();
    let (mut nets, mut answers) = (0, 0);
    for instance in shared::contest().into_iter().filter(is_meant) {
        let states = instance.number("states");
        let Some(ways) = ways(states) else { continue };
        let questions = match states {
            Some(PATHS..) => Questions::AboutMarkings,
            _ => Questions::All,
        };
        let Comparison { agreed, undecided, mismatches, .. } = verify(&instance, ways, questions, &UNLIMITED);
        nets += 1;
        answers += agreed;
        failures.extend(mismatches.iter().map(|m| format!("{}: {m}", instance.name)));
        // What paths decide is open in nets without end. Nothing else is.
        let is_open = |why: &Undecided| *why != Undecided::Stopped(StopReason::Unbounded);
        let open = undecided.iter().filter(|(_, why)| is_open(why));
        failures.extend(open.map(|(what, why)| format!("{}: {what}: {why:?}", instance.name)));
    }
    println!("{answers} answers of {nets} nets agree");
    assert!(nets > at_least || shared::models().is_none());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
