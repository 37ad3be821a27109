//! Every message is in a test: whoever adds one shows what it looks like.

use sweepnet_testkit::messages::unseen;

/// Where messages are made: everywhere.
const SOURCES: [&str; 1] = [""];

/// What the tests do not show.
const UNSEEN: [&str; 2] = [
    // The XML parser is told not to look for it, because it takes quadratic time; we look for it ourselves.
    "an attribute for the second time",
    // A style of arrows, no message.
    "style=dashed, arrowhead=none",
];

#[test]
fn every_message_is_in_a_test() {
    let missing = unseen(env!("CARGO_MANIFEST_DIR"), &SOURCES, &UNSEEN);
    assert!(missing.is_empty(), "no test shows\n{}", missing.join("\n"));
}
