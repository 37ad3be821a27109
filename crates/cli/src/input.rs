//! Reading nets.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use sweepnet_formats::{Document, Format, Options, Warning};
use sweepnet_net::Net;

use crate::args::{Input, Saying};
use crate::failure::Failure;
use crate::machine;

/// Reads the net that the arguments name, and prints its warnings; they are also given back, for JSON.
pub fn read_net(input: &Input, saying: Saying, memory: Option<u64>) -> Result<(Net, Vec<Warning>), Failure> {
    let document = read_document(input, memory)?;
    if !saying.quiet {
        print_warnings(&display_name(&input.model), &document.warnings);
    }
    let mut net = document.net;
    if net.name.is_empty() {
        net.name = match input.model.file_stem() {
            Some(stem) if input.model != Path::new("-") => stem.to_string_lossy().into_owned(),
            _ => display_name(&input.model),
        };
    }
    Ok((net, document.warnings))
}

/// How a file is called in messages.
pub fn display_name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Warnings shown in full; the rest is counted.
const WARNINGS_SHOWN: usize = 10;

/// Prints warnings to standard error.
fn print_warnings(name: &str, warnings: &[Warning]) {
    for warning in warnings.iter().take(WARNINGS_SHOWN) {
        eprintln!("warning: {name}: {warning}");
    }
    if warnings.len() > WARNINGS_SHOWN {
        eprintln!("warning: {name}: {} more warnings", warnings.len() - WARNINGS_SHOWN);
    }
}

fn read_document(input: &Input, memory: Option<u64>) -> Result<Document, Failure> {
    let name = display_name(&input.model);
    let budget = memory.unwrap_or_else(machine::free_memory);
    let source: Box<dyn Read> = if input.model == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let open = File::open(&input.model).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::Error::other("it is a folder, not a file")),
            false => Ok(file),
        });
        Box::new(open.map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?)
    };
    let mut source = BufReader::with_capacity(1 << 16, Watched { source, budget, unlooked: 0 });
    let format = match input.format {
        Some(format) => format.into(),
        None => match Format::from_path(&input.model) {
            Some(format) => format,
            None => {
                let start = source
                    .fill_buf()
                    .map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
                if start.is_empty() {
                    return Err(Failure::input(format!("{name}: the file is empty")));
                }
                Format::detect(start).ok_or_else(|| {
                    Failure::input(format!(
                        "{name}: it is not clear what format this is; \
                         name the file .pnml, .net or .lola, or say --format"
                    ))
                })?
            }
        },
    };
    let options = Options { net: input.net.clone() };
    sweepnet_formats::read(source, format, &options)
        .map_err(|error| Failure::input(format!("{name}: {error}")))
}

/// Bytes read between two looks at the memory.
const LOOK: usize = 16 << 20;

/// A source that stops when the process has outgrown its memory budget: a net that does not fit ends with a
/// message, not with the process.
struct Watched<R> {
    source: R,
    budget: u64,
    unlooked: usize,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.unlooked += read;
        if self.unlooked >= LOOK {
            self.unlooked = 0;
            if sweepnet_space::budget::resident_bytes().is_some_and(|bytes| bytes > self.budget) {
                return Err(io::Error::other("the net does not fit into the memory budget (--memory)"));
            }
        }
        Ok(read)
    }
}
