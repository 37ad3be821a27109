//! The `sweepnet` command.
fn main() {}
