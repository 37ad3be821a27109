//! Every message is in a snapshot: whoever adds one shows what it looks like.

use sweepnet_testkit::messages::unseen;

/// Where messages are made.
const SOURCES: [&str; 5] = ["check", "diagnostic.rs", "lexer.rs", "model.rs", "parser"];

#[test]
fn every_message_is_in_a_snapshot() {
    let missing = unseen(env!("CARGO_MANIFEST_DIR"), &SOURCES, &[]);
    assert!(missing.is_empty(), "no snapshot shows\n{}", missing.join("\n"));
}
