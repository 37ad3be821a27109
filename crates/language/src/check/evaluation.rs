//! How long it may take to work out what has a value before anything is explored.

use sweepnet_colour::Patience;
use sweepnet_colour::patience::Steps;

/// The most values that quantifiers, multisets and constraints of one expression go through, all together: some
/// seconds.
pub(super) const MOST_STEPS: u64 = 1 << 30;

/// What is said of an expression that takes more.
pub(super) const TOO_LONG: &str = "working this out takes more than 2^30 steps: its types are too large";

/// Evaluates one expression: in so many steps, and as long as somebody waits.
pub(super) fn evaluated<T>(patience: Patience<'_>, run: impl FnOnce(Patience<'_>) -> T) -> T {
    let steps = Steps::new(MOST_STEPS);
    let go_on = || steps.go_on() && patience.lasts();
    run(Patience::asking(&go_on))
}
