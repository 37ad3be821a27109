//! What an event costs in nets of 10^2, 10^3 and 10^4 places in which equally much happens.
//!
//! An exploration has costs of its own before the first event: encoding, sample, partition. So each net is explored
//! twice, up to so many states and up to twice as many, and what the second half took is divided by its arcs. By default
//! both end before ranks have a second thought about the partition, which moves all states and costs their width once.
//! Bounds are given, because proving them is another matter. Memory per state grows with the width, and with it the time to
//! copy, hash and compare a state in fields; what must not grow is the number of transitions that are looked at.

use std::time::Duration;

use sweepnet_net::Net;
use sweepnet_space::product::partition::Knowledge;
use sweepnet_space::{CodecChoice, Control, Limits, Plan, Report, SearchChoice, explore};
use sweepnet_testkit::nets;

use crate::bench::child::cpu_time;

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Explore up to so many states, and then twice as many
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    states: u64,
}

/// Stations of the nets, which have three places each.
const STATIONS: [usize; 3] = [33, 333, 3_333];

/// Jobs that move through each of them.
const JOBS: usize = 8;

/// Measures and prints.
pub fn run(options: &Options) {
    println!(
        "{:<10}{:>8}{:>10}{:>12}{:>12}{:>14}",
        "codec", "places", "states", "arcs", "CPU s", "CPU ns/arc"
    );
    for codec in [CodecChoice::Fields, CodecChoice::Product] {
        for stations in STATIONS {
            let net = nets::assembly_line(stations, JOBS);
            let (half, half_time) = explored(&net, codec, options.states);
            let (whole, whole_time) = explored(&net, codec, 2 * options.states);
            let arcs = whole.counts.arcs - half.counts.arcs;
            let nanoseconds = whole_time.saturating_sub(half_time).as_nanos() as f64;
            println!(
                "{:<10}{:>8}{:>10}{:>12}{:>12.2}{:>14.0}",
                codec.name(),
                net.places().len(),
                whole.states,
                whole.counts.arcs,
                whole_time.as_secs_f64(),
                nanoseconds / arcs as f64
            );
        }
    }
}

/// Explores a net up to so many states; the CPU time it took.
fn explored(net: &Net, codec: CodecChoice, states: u64) -> (Report, Duration) {
    let bounds = vec![Some(1); net.places().len()];
    let plan = Plan {
        search: SearchChoice::BreadthFirst,
        codec,
        threads: Some(1),
        knowledge: Knowledge { bounds, ..Knowledge::default() },
        ..Plan::default()
    };
    let limits = Limits { memory: u64::MAX, time: None, states: Some(states) };
    let start = cpu_time();
    let report = explore(net, &plan, &mut Control::new(&limits, Default::default(), |_| {}), &mut ());
    (report, cpu_time().saturating_sub(start))
}
