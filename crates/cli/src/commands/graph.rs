//! `graph`: the reachability graph as a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sweepnet_formats::Warning;
use sweepnet_graph::{Builder, replay};
use sweepnet_logic::check::explore_within;
use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, Report, StopReason};
use sweepnet_structure::Structure;

use crate::Ending;
use crate::args::Graph;
use crate::combinations::{self, States};
use crate::failure::{Failure, unless_closed};
use crate::graph_file::{AutWriter, DotCollector, Drawn, JsonWriter, Recorder, Recording};
use crate::input::{self, Given};
use crate::kept::{self, Text};
use crate::model::Prepared;
use crate::output::{Draft, cannot_write};
use crate::quantity::{bytes, counted, grouped};
use crate::report::model_error::Broken;
use crate::report::{json, plot, stop};
use crate::session::{Planned, Session};
use crate::sweeping::Swept;

/// Runs `graph`.
pub fn run(args: &Graph) -> Result<Ending, Failure> {
    let extension = args.output.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let kind = match extension.as_str() {
        "swg" => Kind::Kept,
        "dot" | "gv" => Kind::Dot,
        "aut" => Kind::Aut,
        "json" => Kind::Json,
        _ => {
            return Err(Failure::input(format!(
                "{}: a graph is written to a file that ends in .swg, .dot, .aut or .json",
                args.output.display()
            )));
        }
    };
    if args.condensed && kind != Kind::Dot {
        return Err(Failure::input("--condensed is for drawings: give a file that ends in .dot"));
    }
    combinations::check(&args.exploring, States::Numbered)?;
    let session = Session::new(&args.exploring, args.saying);
    if kept::is_graph(&args.input.model) && args.input.format.is_none() {
        session.watch_signals()?;
        let kept = kept::open(&args.input.model, args.saying, &session)?;
        let prepared = kept::prepare(kept.subject, &args.exploring, &session, &kept.input)?;
        kept::check(&kept.graph, &prepared.net, &args.input.model)?;
        if kind == Kind::Kept {
            return Err(Failure::input("a .swg file is translated to .aut, .json or .dot"));
        }
        let source = Source { net: &prepared.net, states: From::Graph(&kept.graph) };
        return write(args, kind, &source, &session, &[], None);
    }
    let text = Text::read(&args.input, args.exploring.memory)?;
    let Given { subject, warnings } = input::read_from(&args.input, args.saying, &session, text.source())?;
    session.watch_signals()?;
    let prepared = kept::prepare(subject, &args.exploring, &session, &args.input)?;
    let net = Arc::clone(&prepared.net);
    let structure = session.analyse(&net);
    let swept = Swept { net: &net, folded: prepared.folded(), structure: &structure };
    // What may remain unmet is refused above.
    let Planned { plan, .. } = session.plan(swept, &args.exploring)?;
    let search = Searched { structure: &structure, plan: &plan, prepared: &prepared };
    write(args, kind, &Source { net: &net, states: From::Search(search) }, &session, &warnings, Some(&text))
}

/// A net and where the states of its graph come from.
struct Source<'a> {
    net: &'a Net,
    states: From<'a>,
}

enum From<'a> {
    Search(Searched<'a>),
    Graph(&'a sweepnet_graph::Graph),
}

struct Searched<'a> {
    structure: &'a Structure,
    plan: &'a Plan,
    prepared: &'a Prepared,
}

impl Source<'_> {
    /// Lets an observer see the graph. A model that breaks its promises is an error.
    fn show(&self, recorder: &mut dyn Recorder, control: &mut Control<'_>) -> Result<Report, Box<Broken>> {
        let mut recording = Recording(recorder);
        match &self.states {
            From::Graph(graph) => Ok(replay(graph, self.net, control, &mut recording)),
            From::Search(Searched { structure, plan, prepared }) => {
                let conditions = prepared.conditions();
                let (report, _, broken) =
                    explore_within(self.net, structure, &conditions, plan, control, recording);
                match broken.as_ref().zip(prepared.colours.as_ref()) {
                    Some(((at, answer), colours)) => {
                        Err(Box::new(Broken::of(colours, *at, answer, control.budget())))
                    }
                    None => Ok(report),
                }
            }
        }
    }
}

/// Writes the file.
fn write(
    args: &Graph,
    kind: Kind,
    source: &Source<'_>,
    session: &Session,
    warnings: &[Warning],
    text: Option<&Text>,
) -> Result<Ending, Failure> {
    let net = source.net;
    let mut draft = Draft::new(&args.output)?;
    let mut control = session.control();
    let mut drawn = "states";
    let fail = |error: io::Error| cannot_write(&args.output, &error);
    let wrong = |broken: Box<Broken>| {
        session.finish();
        let mut out = io::stdout().lock();
        unless_closed(match args.saying.json {
            true => writeln!(out, "{:#}", nothing(net, warnings, &broken)),
            false => broken.print(&mut out, false),
        })
        .map(|()| Ending::ModelError)
    };
    let report = match kind {
        Kind::Kept => {
            let mut builder = Builder::new(net.transitions().len(), control.budget());
            let mut report = match source.show(&mut builder, &mut control) {
                Ok(shown) => shown,
                Err(broken) => return wrong(broken),
            };
            if builder.is_refused() {
                report.stopped = Some(StopReason::Memory);
            }
            let (Ok(graph), Some(text)) = (builder.finish(report.is_complete()), text) else {
                drop(control);
                session.finish();
                return too_many_edges(args, net, warnings, report);
            };
            // The graph has what came before memory was refused.
            report.states = graph.nodes();
            report.counts.arcs = graph.edges();
            report.counts.explored = graph.expanded_nodes();
            kept::write(&mut draft, graph, net, &report, text)?;
            report
        }
        Kind::Aut => {
            let mut writer = AutWriter::new(net, &args.output)?;
            let report = match source.show(&mut writer, &mut control) {
                Ok(shown) => shown,
                Err(broken) => return wrong(broken),
            };
            writer.finish(&mut draft, report.states, report.counts.arcs).map_err(fail)?;
            report
        }
        Kind::Json => {
            let mut writer = JsonWriter::new(net, &mut draft);
            let report = match source.show(&mut writer, &mut control) {
                Ok(shown) => shown,
                Err(broken) => return wrong(broken),
            };
            writer.finish(&report).map_err(fail)?;
            report
        }
        Kind::Dot => {
            let mut collector = DotCollector::new(net, control.budget());
            let report = match source.show(&mut collector, &mut control) {
                Ok(shown) => shown,
                Err(broken) => return wrong(broken),
            };
            if collector.out_of_memory(report.states, control.budget()) {
                drop(control);
                session.finish();
                return too_many_edges(args, net, warnings, report);
            }
            match collector.finish(&mut draft, &report, args.condensed).map_err(fail)? {
                Drawn::States => {}
                Drawn::Components => drawn = "strongly connected components",
                Drawn::TooMany(components) => {
                    drop(control);
                    session.finish();
                    return too_many_to_draw(args, net, warnings, &report, components, session);
                }
            }
            report
        }
    };
    drop(control);
    session.finish();
    if report.stopped == Some(StopReason::OtherGraph) {
        return Err(kept::forged(&args.input.model));
    }
    let path = if report.is_complete() { args.output.clone() } else { partial(&args.output) };
    draft.finish_as(&path)?;
    plot::draw(&args.exploring, &net.name, &report)?;
    tell(args, net, warnings, &report, &path, drawn, session)?;
    Ok(if report.is_complete() { Ending::Holds } else { Ending::Undecided })
}

/// There is nothing to draw: the edges do not fit into the budget.
fn too_many_edges(
    args: &Graph,
    net: &Net,
    warnings: &[Warning],
    mut report: Report,
) -> Result<Ending, Failure> {
    report.stopped = Some(StopReason::Memory);
    if args.saying.json {
        writeln!(io::stdout(), "{:#}", summary(net, warnings, &report, None, "none"))?;
    }
    complain!(
        "the edges do not fit into the memory budget (--memory raises it); .aut and .json are written as they come"
    );
    Ok(Ending::Undecided)
}

/// There is nothing to draw: it would have too many parts. Of a whole graph, that is a reason to ask for something else.
fn too_many_to_draw(
    args: &Graph,
    net: &Net,
    warnings: &[Warning],
    report: &Report,
    components: usize,
    session: &Session,
) -> Result<Ending, Failure> {
    let (states, components) = (grouped(report.states), grouped(components as u64));
    let too_many = format!("{states} states in {components} strongly connected components, too many to draw");
    let Some(reason) = report.stopped else {
        return Err(Failure::input(format!("the graph has {too_many}; write .aut or .json")));
    };
    if args.saying.json {
        writeln!(io::stdout(), "{:#}", summary(net, warnings, report, None, "none"))?;
    }
    let reason = stop::sentence(reason, &session.limits, net);
    complain!(
        "not complete: {reason}; what there is has {too_many} (.aut and .json are written as they come)"
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
    object.insert("model_error".into(), serde_json::Value::Null);
    object.insert("warnings".into(), json::warnings(warnings, &[]));
    object.into()
}

/// What is told of a model that is wrong: it has no graph.
fn nothing(net: &Net, warnings: &[Warning], broken: &Broken) -> serde_json::Value {
    serde_json::json!({
        "schema": "sweepnet/graph/1",
        "model": net.name,
        "output": null,
        "model_error": broken.json(),
        "warnings": json::warnings(warnings, &[]),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Kept,
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
        let again = if report.distinct().is_some() { "" } else { " (some of them perhaps several times)" };
        let (states, arcs) = (counted(report.states, "state"), counted(report.counts.arcs, "arc"));
        let kept = std::fs::metadata(path).map_or(0, |file| file.len());
        let kept = match (kept::is_graph(path), report.counts.arcs) {
            (true, arcs @ 1..) => {
                format!(", {} ({:.1} bits an arc)", bytes(kept), kept as f64 * 8.0 / arcs as f64)
            }
            _ => String::new(),
        };
        let drawn = if drawn == "states" { String::new() } else { format!(", drawn as {drawn}") };
        writeln!(io::stdout(), "{}: {states}{again}, {arcs}{drawn}{kept}", path.display())?;
        if let Some(reason) = report.stopped {
            writeln!(io::stdout(), "not complete: {}", stop::sentence(reason, &session.limits, net))?;
        }
    }
    Ok(())
}
