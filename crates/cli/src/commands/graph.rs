//! `graph`: the reachability graph as a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sweepnet_formats::Warning;
use sweepnet_net::Net;
use sweepnet_space::{Report, explore};

use crate::Ending;
use crate::args::Graph;
use crate::combinations::{self, States};
use crate::failure::Failure;
use crate::graph_file::{AutWriter, DotCollector, JsonWriter};
use crate::input;
use crate::output::{Draft, cannot_write};
use crate::quantity::counted;
use crate::report::{json, stop};
use crate::session::{Planned, Session};

/// Runs `graph`.
pub fn run(args: &Graph) -> Result<Ending, Failure> {
    let extension = args.output.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let kind = match extension.as_str() {
        "dot" | "gv" => Kind::Dot,
        "aut" => Kind::Aut,
        "json" => Kind::Json,
        _ => {
            return Err(Failure::input(format!(
                "{}: a graph is written to a file that ends in .dot, .aut or .json",
                args.output.display()
            )));
        }
    };
    if args.condensed && kind != Kind::Dot {
        return Err(Failure::input("--condensed is for drawings: give a file that ends in .dot"));
    }
    combinations::check(&args.exploring, States::Numbered)?;
    let session = Session::new(&args.exploring, args.saying);
    let (net, warnings) = input::read_net(&args.input, args.saying, args.exploring.memory)?;
    session.watch_signals()?;
    let structure = session.analyse(&net);
    // What may remain unmet is refused above.
    let Planned { plan, .. } = session.plan(&net, &structure, &args.exploring)?;
    let mut draft = Draft::new(&args.output)?;
    let mut control = session.control();
    let mut drawn = "states";
    let fail = |error: io::Error| cannot_write(&args.output, &error);
    let report = match kind {
        Kind::Aut => {
            let mut writer = AutWriter::new(&net, &args.output)?;
            let report = explore(&net, &plan, &mut control, &mut writer);
            writer.finish(&mut draft, report.states, report.counts.arcs).map_err(fail)?;
            report
        }
        Kind::Json => {
            let mut writer = JsonWriter::new(&net, &mut draft);
            let report = explore(&net, &plan, &mut control, &mut writer);
            writer.finish(&report).map_err(fail)?;
            report
        }
        Kind::Dot => {
            let mut collector = DotCollector::new(&net, control.budget());
            let report = explore(&net, &plan, &mut control, &mut collector);
            if collector.out_of_memory(report.states, control.budget()) {
                drop(control);
                session.finish();
                return too_many_edges(args, &net, &warnings, report);
            }
            if collector.finish(&mut draft, &report, args.condensed)? {
                drawn = "strongly connected components";
            }
            report
        }
    };
    drop(control);
    session.finish();
    let path = if report.is_complete() { args.output.clone() } else { partial(&args.output) };
    draft.finish_as(&path)?;
    tell(args, &net, &warnings, &report, &path, drawn, &session)?;
    Ok(if report.is_complete() { Ending::Holds } else { Ending::Undecided })
}

/// There is nothing to draw: the edges do not fit into the budget.
fn too_many_edges(
    args: &Graph,
    net: &Net,
    warnings: &[Warning],
    mut report: Report,
) -> Result<Ending, Failure> {
    report.stopped = Some(sweepnet_space::StopReason::Memory);
    if args.saying.json {
        writeln!(io::stdout(), "{:#}", summary(net, warnings, &report, None, "none"))?;
    }
    complain!(
        "the edges do not fit into the memory budget (--memory raises it), and a drawing of so many \
         would be of no use: write .aut or .json"
    );
    Ok(Ending::Undecided)
}

fn summary(
    net: &Net,
    warnings: &[Warning],
    report: &Report,
    path: Option<&Path>,
    drawn: &str,
) -> serde_json::Value {
    let mut object = serde_json::Map::new();
    object.insert("schema".into(), "sweepnet/graph/1".into());
    object.insert("model".into(), net.name.clone().into());
    object.insert("output".into(), path.map(|path| path.display().to_string()).into());
    object.insert("nodes".into(), drawn.into());
    object.extend(json::search(net, report));
    object.insert("warnings".into(), json::warnings(warnings, &[]));
    object.into()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dot,
    Aut,
    Json,
}

/// The name for a graph that is not complete: nobody should take it for the whole.
fn partial(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!("{stem}.partial.{extension}"))
}

fn tell(
    args: &Graph,
    net: &Net,
    warnings: &[Warning],
    report: &Report,
    path: &Path,
    drawn: &str,
    session: &Session,
) -> Result<(), Failure> {
    if args.saying.json {
        writeln!(io::stdout(), "{:#}", summary(net, warnings, report, Some(path), drawn))?;
    } else if !args.saying.quiet {
        let (states, arcs) = (counted(report.states, "state"), counted(report.counts.arcs, "arc"));
        let drawn = if drawn == "states" { String::new() } else { format!(", drawn as {drawn}") };
        writeln!(io::stdout(), "{}: {states}, {arcs}{drawn}", path.display())?;
        if let Some(reason) = report.stopped {
            writeln!(io::stdout(), "not complete: {}", stop::sentence(reason, &session.limits, net))?;
        }
    }
    Ok(())
}
