//! The `sweepnet` command: parse, validate, call, print. Whatever is decided is decided in the libraries.
//!
//! [`args`] is the one definition of all options, from which help, man pages and completions come. Each command
//! is a file in [`commands`]. [`combinations`] refuses options that do not go together. [`input`] reads nets, [`division`] how their places are to
//! be divided, [`model`] chooses the engine for coloured ones, [`machine`] knows what memory there is, [`session`] sets the
//! limits of a run, [`progress`] shows how far it is, [`report`] holds what several commands print,
//! [`graph_file`] writes reachability graphs, [`kept`] keeps them with their models, [`sweeping`] finds what a sweep goes by, [`scenario`] is the format of traces in files, [`output`] writes
//! files whole or not at all, [`quantity`] is how numbers are read and shown, and [`failure`] is everything that
//! ends a command before there is anything to tell.

/// Prints a line to standard error. Nobody needs to listen.
macro_rules! complain {
    ($($said:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($said)*);
    }};
}

mod args;
mod choosing;
mod combinations;
mod commands;
mod division;
mod excerpt;
mod failure;
mod graph_file;
mod input;
mod kept;
mod machine;
mod model;
mod output;
mod progress;
mod quantity;
mod report;
mod scenario;
mod session;
mod sweeping;

use std::process::ExitCode;

use clap::Parser;

use failure::Failure;

/// How a command ended; its exit code is a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything holds, or the job is done.
    Holds = 0,
    /// Some property is violated.
    Violated = 1,
    /// The model is wrong.
    ModelError = 2,
    /// Something could not be decided.
    Undecided = 3,
}

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(&args) {
        Ok(ending) => ExitCode::from(ending as u8),
        // Whoever read our output has had enough: not an error.
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            complain!("{failure}");
            ExitCode::from(failure.code())
        }
    }
}
