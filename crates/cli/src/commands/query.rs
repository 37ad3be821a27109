//! `query`: questions to a graph that was kept.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sweepnet_graph::{Figures, Graph};
use sweepnet_logic::check::{Checked, Source, Undecided, check_within};
use sweepnet_net::Net;
use sweepnet_space::StopReason;

use super::check::{
    Question, Scene, Telling, json as answers_json, print as print_answers, questions, write_traces,
};
use crate::Ending;
use crate::args::{Engine, Exploring, Input, Query};
use crate::commands::check::ending;
use crate::failure::{Failure, unless_closed};
use crate::input;
use crate::kept::{self, Kept};
use crate::output::cannot_write;
use crate::quantity::{bytes, counted, grouped};
use crate::report::stop;
use crate::session::Session;
use questions::Resolved;

/// Runs `query`.
pub fn run(args: &Query) -> Result<Ending, Failure> {
    let exploring = Exploring::within(args.memory, args.time);
    let session = Session::new(&exploring, args.saying);
    session.watch_signals()?;
    let Kept { graph, subject, input } = kept::open(&args.graph, args.saying, &session)?;
    let asks = !args.asking.properties.is_empty() || !args.asking.files.is_empty() || args.asking.deadlock;
    let (asked, subject) = match asks || !args.stats {
        true => questions::gather(&args.asking, args.saying.quiet, subject)?,
        false => (Vec::new(), subject),
    };
    if let Some(folder) = &args.asking.traces {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    let prepared = kept::prepare(subject, &exploring, &session, &input)?;
    let net = Arc::clone(&prepared.net);
    kept::check(&graph, &net, &args.graph)?;
    if let Some(model) = &args.model {
        belongs(&graph, model, &input, &exploring, &session, args)?;
    }
    let properties = match questions::resolve(&asked, &prepared, Engine::Unfolded, &session)? {
        Resolved::Properties(properties) => properties,
        Resolved::NeedsColours => Vec::new(),
    };
    let structure = session.analyse(&net);
    let mut control = session.control();
    let checked = (!properties.is_empty())
        .then(|| check_within(&net, &structure, &properties, &[], Source::Graph(&graph), &mut control));
    let figures = args.stats.then(|| Figures::of(&graph, control.budget(), &control.watch()));
    drop(control);
    session.finish();
    if checked.as_ref().is_some_and(contradicts_the_model) {
        return Err(kept::forged(&args.graph));
    }
    let (figures, refusal) = match figures {
        Some(Ok(figures)) => (Some(figures), None),
        Some(Err(refusal)) => (None, Some(refusal)),
        None => (None, None),
    };
    let questions: Vec<Question<'_>> =
        properties.iter().map(|property| Question { name: &property.name, text: &property.text }).collect();
    let nothing = Checked { answers: Vec::new(), report: None, broken: None };
    let checked = checked.as_ref().unwrap_or(&nothing);
    let telling = Telling { asking: &args.asking, saying: args.saying, chosen: None };
    unless_closed(if args.saying.json {
        let mut object = answers_json(Scene::of(&net), &questions, checked, &[], &[]);
        object["schema"] = "sweepnet/query/1".into();
        object["graph"] = described(&graph, figures.as_ref());
        writeln!(io::stdout(), "{object:#}")
    } else {
        let mut out = io::BufWriter::new(io::stdout().lock());
        print_answers(&mut out, telling, Scene::of(&net), &questions, checked, &session.limits)
            .and_then(|()| match &figures {
                Some(figures) => print(&mut out, &graph, figures, &net),
                None => Ok(()),
            })
            .and_then(|()| out.flush())
    })?;
    if let Some(folder) = &args.asking.traces {
        write_traces(folder, &net, &questions, &checked.answers)?;
    }
    if let Some(refusal) = refusal {
        // What was answered is told by now.
        complain!("--stats: {}", stop::limit(refusal, &session.limits));
    }
    Ok(match ending(&checked.answers) {
        Ending::Holds if refusal.is_some() => Ending::Undecided,
        ending => ending,
    })
}

/// Whether what was found in a graph cannot be done in its model: then its file was altered.
fn contradicts_the_model(checked: &Checked) -> bool {
    let answers = checked.answers.iter().map(|answer| &answer.undecided);
    let report = checked.report.as_ref();
    let mut reasons = answers.flatten().map(|why| match why {
        Undecided::NotReplayed(_) => true,
        Undecided::Stopped(reason) => *reason == StopReason::OtherGraph,
        _ => false,
    });
    report.is_some_and(|report| report.stopped == Some(StopReason::OtherGraph)) || reasons.any(|it| it)
}

/// Refuses a graph that is not that of a model.
fn belongs(
    graph: &Graph,
    model: &Path,
    input: &Input,
    exploring: &Exploring,
    session: &Session,
    args: &Query,
) -> Result<(), Failure> {
    let input = Input { model: model.to_owned(), ..input.clone() };
    let subject = input::read(&input, args.saying, session)?.subject;
    let prepared = kept::prepare(subject, exploring, session, &input)?;
    kept::check(graph, &prepared.net, &args.graph)
}

/// What a graph is.
fn described(graph: &Graph, figures: Option<&Figures>) -> Value {
    let degrees = |figures: &Figures| {
        let degrees = figures.degrees.iter().map(|(degree, nodes)| (degree.to_string(), Value::from(*nodes)));
        degrees.collect::<Map<_, _>>()
    };
    json!({
        "search": graph.description.search,
        "complete": graph.is_complete(),
        "exact": graph.description.exact,
        "nodes": graph.nodes(),
        "arcs": graph.edges(),
        "bytes": graph.bytes(),
        "bits_per_arc": bits(graph),
        "statistics": figures.map(|figures| json!({
            "deadlocks": figures.dead,
            "loops": figures.loops,
            "events": figures.events,
            "components": figures.components,
            "terminal_components": figures.terminal_components,
            "depth": figures.depth,
            "degrees": degrees(figures),
        })),
    })
}

fn bits(graph: &Graph) -> f64 {
    if graph.edges() == 0 { 0.0 } else { graph.bytes() as f64 * 8.0 / graph.edges() as f64 }
}

fn print(out: &mut impl Write, graph: &Graph, figures: &Figures, net: &Net) -> io::Result<()> {
    writeln!(out, "{}: {}, {}", net.name, counted(graph.nodes(), "node"), counted(graph.edges(), "arc"))?;
    let mut line = |what: &str, value: String| writeln!(out, "{what:<20} {value}");
    if !graph.is_complete() {
        line("not complete", "its search was stopped".to_owned())?;
    }
    if !graph.description.exact {
        line("unfolding", "some states are several nodes".to_owned())?;
    }
    line("search", graph.description.search.clone())?;
    line("size", format!("{}, {:.2} bits an arc", bytes(graph.bytes() as u64), bits(graph)))?;
    line("depth", grouped(figures.depth))?;
    line("deadlocks", grouped(figures.dead))?;
    line("loops", format!("{}, from a state to itself", counted(figures.loops, "arc")))?;
    line(
        "transitions fired",
        format!("{} of {}", grouped(figures.events), grouped(net.transitions().len() as u64)),
    )?;
    let (components, terminal) = (grouped(figures.components), grouped(figures.terminal_components));
    line("components", format!("{components} strongly connected, {terminal} of them never left"))?;
    if let (Some(least), Some(most)) = (figures.degrees.keys().next(), figures.degrees.keys().last()) {
        let mean = graph.edges() as f64 / graph.expanded_nodes().max(1) as f64;
        line("successors", format!("{least} to {most}, {mean:.1} on average"))?;
    }
    Ok(())
}
