//! One file per command.

mod check;
mod coloured;
mod convert;
mod explore;
mod fmt;
mod graph;
mod info;
mod lint;
mod manual;
mod mcc;
mod not_unfolded;
mod query;
mod simulate;

use crate::Ending;
use crate::args::{Args, Command};
use crate::failure::Failure;

/// Runs the command that the arguments name.
pub fn run(args: &Args) -> Result<Ending, Failure> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Explore(args) => explore::run(args),
        Command::Info(args) => info::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Graph(args) => graph::run(args),
        Command::Query(args) => query::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Fmt(args) => fmt::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Mcc(args) => mcc::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::pages(args),
    }
}
