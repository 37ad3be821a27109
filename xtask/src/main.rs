//! The project's own chores, run as `cargo xtask <chore>`.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use sweepnet_testkit::shared;
use xtask::answers::{Ways, verify};
use xtask::{bench, counts, instructions};

/// Chores of the Sweepnet project.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
enum Chore {
    /// Compare with all known answers of the shared models: state spaces, global properties, formulas
    Answers {
        /// Only nets with at most this many states
        #[arg(long, default_value_t = 10_000_000)]
        up_to: u128,
        /// Only nets whose name contains this
        #[arg(default_value = "")]
        name: String,
    },
    /// Measure speed and memory of exploration, beside the naive twin in the same run
    Bench(bench::Options),
    /// Count instructions per arc with valgrind, and compare with the record
    Instructions {
        /// Make the counts the new record
        #[arg(long)]
        update: bool,
        /// Explore this net in this process
        #[arg(long, value_name = "NET", hide = true)]
        child: Option<String>,
    },
}

fn main() -> ExitCode {
    match Chore::parse() {
        Chore::Answers { up_to, name } => answers(up_to, &name),
        Chore::Bench(options) => match &options.child {
            Some(name) => ended(bench::child::run(name, &options)),
            None => bench::run(&options, &std::env::current_exe().expect("this program has a path")),
        },
        Chore::Instructions { child: Some(name), .. } => ended(instructions::child(&name)),
        Chore::Instructions { update, .. } if instructions::run(update) => ExitCode::SUCCESS,
        Chore::Instructions { .. } => ExitCode::FAILURE,
    }
}

/// How a child ends: its parent shows what it says.
fn ended(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn answers(up_to: u128, name: &str) -> ExitCode {
    let (mut passed, mut failed, mut compared) = (0, 0, 0);
    for instance in shared::contest() {
        let states = instance.number("states");
        if !instance.name.contains(name) || states.is_some_and(|states| states > up_to) {
            continue;
        }
        let start = Instant::now();
        match verify(&instance, Ways::Usual) {
            Ok(count) => {
                passed += 1;
                compared += count;
                println!("ok      {:<40} {count:>4} answers  {:.2?}", instance.name, start.elapsed());
            }
            Err(mismatches) => {
                failed += 1;
                println!("FAILED  {}", instance.name);
                for mismatch in mismatches {
                    println!("        {mismatch}");
                }
            }
        }
    }
    if let (Some(models), true) = (shared::models(), name.is_empty()) {
        for (what, more) in [
            ("papers' nets", counts::papers(&models, up_to)),
            ("business processes", counts::processes(&models, up_to)),
        ] {
            println!("{} {what} have their known counts", more.passed);
            more.mismatches.iter().for_each(|mismatch| println!("FAILED  {mismatch}"));
            passed += more.passed;
            failed += more.mismatches.len();
        }
    }
    println!("{compared} answers compared");
    println!("{passed} passed, {failed} failed");
    if passed > 0 && failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
