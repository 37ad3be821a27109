//! Which seeds a test tries: those it says; with `SWEEPNET_SEED=n` just that one, with `SWEEPNET_TIMES=n` so many times as
//! many.

use std::ops::Range;

/// The seed that is asked for alone.
pub fn only() -> Option<u64> {
    number("SWEEPNET_SEED")
}

/// The seeds to try, where there are usually these.
pub fn seeds(usual: Range<u64>) -> Range<u64> {
    let times = number("SWEEPNET_TIMES").unwrap_or(1);
    let all = usual.start..usual.start + (usual.end - usual.start) * times;
    let seeds = only().map_or(all, |seed| seed..seed + 1);
    println!("seeds {seeds:?}");
    seeds
}

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}
