//! `completions` and `man`: made from the definition of the options.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::Ending;
use crate::args::{Args, Completions, Man};
use crate::failure::Failure;
use crate::output::cannot_write;

/// Prints a completion script.
pub fn completions(args: &Completions) -> Result<Ending, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "sweepnet", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Ending::Holds)
}

/// Prints the manual page, or writes all pages to a folder.
pub fn pages(args: &Man) -> Result<Ending, Failure> {
    match &args.output {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Args::command()).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
            clap_mangen::generate_to(Args::command(), folder)
                .map_err(|error| cannot_write(folder, &error))?;
        }
    }
    Ok(Ending::Holds)
}
