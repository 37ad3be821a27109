//! A program that gives its pages back goes on as if nothing had happened. One test, in a process of its own: others would
//! have their pages come again meanwhile.

use std::thread::sleep;

use sweepnet_space::budget::program_resident_bytes;
use sweepnet_space::program::{RETURNING_BYTES, YOUNG, begin, give_back};
use sweepnet_space::{Control, Plan, explore};
use sweepnet_testkit::nets::philosophers;

#[test]
fn pages_are_given_back_and_come_again() {
    begin();
    let net = philosophers(6);
    let run = || explore(&net, &Plan::default(), &mut Control::unlimited(), &mut ()).states;
    let states = run();
    // A young program is left alone.
    sleep(YOUNG);
    let before = program_resident_bytes();
    give_back();
    let after = program_resident_bytes();
    println!("{before:?} bytes of the program, then {after:?}");
    if let (Some(before), Some(after)) = (before, after) {
        assert!(after < before && after < RETURNING_BYTES);
    }
    assert_eq!(run(), states);
    give_back();
    assert_eq!(run(), states);
}
