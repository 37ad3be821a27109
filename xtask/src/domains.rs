//! What an event costs on coloured markings beside domains of 10^3 to 4 · 10^12 values that it does not look into.
//!
//! The model is `domains.snet`, with another size of its domain each time: the same states and arcs, so that what
//! differs is the size alone. Values are numbers and bindings come from tokens, so nothing should. What remains is
//! that a state is longer: its ten keys take 100 bits of 1,000 values and 420 bits of 4 · 10^12, which are packed, hashed
//! and compared.

use std::path::Path;

use serde_json::json;
use sweepnet_colour::{ColouredNet, Machine};
use sweepnet_space::Control;
use sweepnet_space::coloured::{ColouredPlan, ColouredReport, explore};

use crate::bench::child::cpu_time;
use crate::instructions::{Count, collected};

/// Sizes of the domain.
pub const SIZES: [i64; 4] = [1_000, 1_000_000, 1_000_000_000, 4_000_000_000_000];

/// How many more instructions per arc the largest domain may take than the smallest.
pub const TOLERANCE: f64 = 0.10;

/// The model with this size of its domain.
///
/// # Panics
/// If it cannot be read.
fn model(size: i64) -> ColouredNet {
    match sweepnet_language::read(include_str!("domains.snet"), &[("D".to_owned(), size)]) {
        Ok((model, _)) => model.net,
        Err(errors) => panic!("{}", errors[0].message),
    }
}

/// Measures and prints: instructions if there is valgrind, and time, which varies.
pub fn run(program: &Path) -> Result<(), String> {
    println!("{:>15}{:>10}{:>10}{:>18}{:>14}", "values", "states", "arcs", "instructions/arc", "CPU ns/arc");
    for size in SIZES {
        let instructions = count(program, size)?.map(|count| format!("{:.1}", count.per_arc));
        let net = model(size);
        let start = cpu_time();
        let report = bare_exploration(&net);
        let time = cpu_time().saturating_sub(start).as_nanos() as f64;
        println!(
            "{size:>15}{:>10}{:>10}{:>18}{:>14.0}",
            report.states,
            report.counts.arcs,
            instructions.as_deref().unwrap_or("-"),
            time / report.counts.arcs as f64
        );
    }
    Ok(())
}

/// Explores the model, for a tool that counts, and prints what it found.
pub fn child(size: i64) -> Result<(), String> {
    let report = bare_exploration(&model(size));
    println!("{}", json!({ "states": report.states, "arcs": report.counts.arcs }));
    Ok(())
}

/// The function that Callgrind watches for, by its name: it must not be merged with its caller.
#[inline(never)]
fn bare_exploration(net: &ColouredNet) -> ColouredReport {
    explore(net, &Machine::new(net), &ColouredPlan::default(), &mut Control::unlimited(), &mut ())
}

/// Counts instructions beside a domain of this size, with a child made of a program. Nothing if there is no valgrind.
pub fn count(program: &Path, size: i64) -> Result<Option<Count>, String> {
    collected(program, &["domains", "--child", &size.to_string()])
}
