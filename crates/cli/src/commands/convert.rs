//! `convert`: a net from one format to another.

use std::io::{self, Write};
use std::path::Path;

use sweepnet_colour::{ColouredNet, Place};
use sweepnet_formats::{Format, Warning, WriteError};

use crate::Ending;
use crate::args::Convert;
use crate::failure::Failure;
use crate::input::{self, Unfolded};
use crate::output::Draft;
use crate::quantity::counted;
use crate::session::Session;

/// How the output is called in messages.
fn output_name(path: &Path) -> String {
    if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() }
}

/// What a place/transition net does not say of the coloured net that it stands for.
fn left_out(net: &ColouredNet) -> Option<String> {
    let is_watched = |place: &&Place| place.capacity.is_some() || place.derived.is_some() && !place.is_proven;
    let watched: Vec<&str> = net.places.iter().filter(is_watched).map(|place| &*place.id).collect();
    let first = watched.first()?;
    Some(format!(
        "capacities and derived places are left out, here of {}, {first} first; \
         explore and check tell whether they are kept",
        counted(watched.len() as u64, "place")
    ))
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
    let Unfolded { net, folded, warnings: mut read_warnings } =
        input::read_unfolded(&args.input, args.saying, &Session::of_reader(args.memory, args.time))?;
    let name = output_name(&args.output);
    if let Some(message) = folded.and_then(|folded| left_out(&folded.coloured.net)) {
        if !args.saying.quiet {
            complain!("warning: {}: {message}", input::display_name(&args.input.model));
        }
        read_warnings.push(Warning { line: 1, column: 1, message });
    }
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
