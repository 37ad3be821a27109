//! The project's own chores, run as `cargo xtask <chore>`.

fn main() {}
