//! Exploration against the naive twin, in the same run, in CPU time: ratios mean something on a noisy machine.

use std::time::Duration;

use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::{naive, nets};

/// Measures some nets and prints a table.
pub fn run() {
    println!(
        "{:<20} {:>12} {:>12} {:>9} {:>9} {:>7} {:>12}",
        "net", "states", "arcs", "naive", "ours", "ratio", "bits/state"
    );
    for net in [nets::kanban(4), nets::philosophers(11), nets::readers_writers(64), nets::kanban(5)] {
        measure(&net);
    }
}

fn measure(net: &Net) {
    let (report, ours) = timed(|| {
        let structure = Structure::of(net, Default::default());
        explore(net, &Plan::knowing(net, &structure), &mut Control::unlimited(), &mut ())
    });
    let (twin, theirs) = timed(|| naive::explore(net, usize::MAX));
    assert_eq!(report.states, twin.states.len() as u64, "both find the same states");
    println!(
        "{:<20} {:>12} {:>12} {:>8.2}s {:>8.2}s {:>7.1} {:>12.1}",
        net.name,
        report.states,
        report.counts.arcs,
        theirs.as_secs_f64(),
        ours.as_secs_f64(),
        theirs.as_secs_f64() / ours.as_secs_f64(),
        report.bits_per_state(),
    );
}

/// A job with the CPU time it took.
fn timed<T>(job: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu_time();
    let result = job();
    (result, cpu_time().saturating_sub(before))
}

/// The CPU time of this process: fields 14 and 15 of its statistics, in hundredths of a second.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let fields: Vec<u64> = after_name.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    Duration::from_millis(10 * (fields.get(11).unwrap_or(&0) + fields.get(12).unwrap_or(&0)))
}
