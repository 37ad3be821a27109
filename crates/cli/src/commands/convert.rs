//! `convert`: a net from one format to another.

use std::io::{self, Write};
use std::path::Path;

use sweepnet_formats::{Format, WriteError};

use crate::Ending;
use crate::args::Convert;
use crate::failure::Failure;
use crate::input;
use crate::output::Draft;
use crate::session::Session;

/// How the output is called in messages.
fn output_name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() }
}

/// Runs `convert`.
pub fn run(args: &Convert) -> Result<Ending, Failure> {
    let format = match args.to {
        Some(format) => format.into(),
        None => Format::from_path(&args.output).ok_or_else(|| {
            Failure::input(format!(
                "{}: it is not clear what format to write; \
                 name the file .pnml, .net, .lola or .dot, or say --to",
                output_name(&args.output)
            ))
        })?,
    };
    let (net, read_warnings) = input::read_net(&args.input, args.saying, &Session::of_reader(None, None))?;
    let name = output_name(&args.output);
    let refuse = |error: WriteError| match error {
        WriteError::Io(error) => Failure::Output(error),
        other => Failure::input(format!("cannot write {name}: {other}")),
    };
    let warnings = if args.output == Path::new("-") {
        let mut out = io::stdout().lock();
        let warnings = sweepnet_formats::write(&net, format, &mut out).map_err(refuse)?;
        out.flush()?;
        warnings
    } else {
        let mut draft = Draft::new(&args.output)?;
        let warnings = sweepnet_formats::write(&net, format, &mut draft).map_err(refuse)?;
        draft.finish()?;
        warnings
    };
    if args.saying.json && args.output != Path::new("-") {
        let summary = serde_json::json!({
            "schema": "sweepnet/convert/1",
            "model": net.name,
            "output": name,
            "format": format.name(),
            "places": net.places().len(),
            "transitions": net.transitions().len(),
            "warnings": crate::report::json::warnings(&read_warnings, &[]),
            "write_warnings": warnings.iter().map(|warning| warning.message.clone()).collect::<Vec<_>>(),
        });
        writeln!(io::stdout(), "{summary:#}")?;
    }
    if !args.saying.quiet {
        for warning in &warnings {
            complain!("warning: {name}: {}", warning.message);
        }
    }
    Ok(Ending::Holds)
}
