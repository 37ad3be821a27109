//! `fmt`: models in the canonical layout.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::Ending;
use crate::args::Fmt;
use crate::failure::Failure;
use crate::input;
use crate::output::Draft;

/// Runs `fmt`.
pub fn run(args: &Fmt) -> Result<Ending, Failure> {
    let (mut errors, mut changed) = (Vec::new(), false);
    for path in &args.files {
        let name = input::display_name(path);
        let text = read(path, &name)?;
        match sweepnet_language::format::format(&text) {
            Err(diagnostics) => errors.push(input::rendered(&diagnostics, &name, &text)),
            Ok(formatted) if path == Path::new("-") && !args.check => {
                io::stdout().write_all(formatted.as_bytes())?;
            }
            Ok(formatted) if formatted == text => {}
            Ok(_) if args.check => {
                changed = true;
                writeln!(io::stdout(), "{name} is not formatted")?;
            }
            Ok(formatted) => {
                let mut draft = Draft::new(path)?;
                draft.write_all(formatted.as_bytes())?;
                draft.finish()?;
            }
        }
    }
    match errors.is_empty() {
        false => Err(Failure::Input(errors.join("\n\n"))),
        true if changed => Ok(Ending::Violated),
        true => Ok(Ending::Holds),
    }
}

fn read(path: &Path, name: &str) -> Result<String, Failure> {
    if path == Path::new("-") {
        return input::read_text(&mut io::stdin().lock(), name);
    }
    let mut file =
        File::open(path).map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    input::read_text(&mut file, name)
}
