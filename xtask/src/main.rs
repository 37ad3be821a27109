//! The project's own chores, run as `cargo xtask <chore>`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use xtask::{bench, bits, domains, instructions, rounds, sweep, unfolding, width, window};

/// Chores of the Sweepnet project.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
enum Chore {
    /// Compare with all known answers of the shared models: state spaces, global properties, formulas
    Answers(rounds::Options),
    /// Measure speed and memory of exploration, beside the naive twin in the same run
    Bench(bench::Options),
    /// Show what a state takes in the sets of the contest's nets, beside what is promised
    Bits(bits::Options),
    /// Measure time and memory of unfolding coloured nets
    Unfolding(unfolding::Options),
    /// Sweep nets by measures that are found, beside the full search; or one that is larger than its budget
    Sweep(sweep::Options),
    /// Search nets of the literature in a sliding window, beside the paper's figures
    Window(window::Options),
    /// Measure what an event costs in nets of 100, 1,000 and 10,000 places in which equally much happens
    Width(width::Options),
    /// Measure what an event costs in a coloured net beside domains of 10^3 to 4 * 10^12 values
    Domains {
        /// Explore beside a domain of this size in this process
        #[arg(long, value_name = "N", hide = true)]
        child: Option<i64>,
    },
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
    sweepnet_space::program::begin();
    match Chore::parse() {
        Chore::Answers(options) => rounds::run(&options),
        Chore::Bench(options) => match &options.child {
            Some(name) => ended(bench::child::run(name, &options)),
            None => bench::run(&options, &this_program()),
        },
        Chore::Bits(options) => bits::run(&options),
        Chore::Unfolding(options) => match &options.child {
            Some(name) => ended(unfolding::child(name)),
            None => unfolding::run(&options, &this_program()),
        },
        Chore::Sweep(options) => ended(sweep::run(&options)),
        Chore::Window(options) => ended(window::run(&options)),
        Chore::Width(options) => {
            width::run(&options);
            ExitCode::SUCCESS
        }
        Chore::Domains { child: Some(size) } => ended(domains::child(size)),
        Chore::Domains { child: None } => ended(domains::run(&this_program())),
        Chore::Instructions { child: Some(name), .. } => ended(instructions::child(&name)),
        Chore::Instructions { update, .. } if instructions::run(update) => ExitCode::SUCCESS,
        Chore::Instructions { .. } => ExitCode::FAILURE,
    }
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program has a path")
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
