//! `check`: questions, answers, traces.

pub mod questions;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use sweepnet_formats::Warning;
use sweepnet_logic::check::{Answer, Checked, Detail, Source, Undecided, Value, Verdict, check_within};
use sweepnet_net::Net;
use sweepnet_space::{Limits, Plan, Report};

use crate::Ending;
use crate::args::{Asking, Check, Saying};
use crate::combinations::{self, States};
use crate::failure::{Failure, unless_closed};
use crate::input::{self, Given};
use crate::model::{self, Size, Way};
use crate::output::{Draft, cannot_write};
use crate::quantity::{bytes, counted, duration, grouped};
use crate::report::model_error::Broken;
use crate::report::{json as parts, plot, stop, sweep, table, trace, window};
use crate::session::{Searched, Session};
use crate::sweeping::Swept;
use questions::Resolved;

/// Runs `check`.
pub fn run(args: &Check) -> Result<Ending, Failure> {
    let from_input =
        args.asking.files.iter().chain([&args.input.model]).filter(|path| *path == Path::new("-"));
    if from_input.count() > 1 {
        return Err(Failure::input(
            "standard input can be read only once: give all but one of them as files",
        ));
    }
    combinations::check(&args.exploring, States::Visited)?;
    let session = Session::new(&args.exploring, args.saying);
    let Given { subject, warnings } = input::read(&args.input, args.saying, &session)?;
    let (asked, subject) = questions::gather(&args.asking, args.saying.quiet, subject)?;
    if let Some(folder) = &args.asking.traces {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    session.watch_signals()?;
    let mut way = model::prepare(subject, &args.exploring, &session, &args.input)?;
    let (prepared, net, unmet, properties, checked, chosen) = loop {
        let prepared = match way {
            Way::Plain(prepared) => prepared,
            Way::Coloured(coloured) => {
                return super::coloured::check(args, &coloured, &asked, &session, &warnings);
            }
            Way::Stopped(coloured, reason) => {
                return super::not_unfolded::check(args, &coloured, &asked, reason, &session, &warnings);
            }
        };
        let properties = match questions::resolve(&asked, &prepared, args.exploring.engine, &session)? {
            Resolved::Properties(properties) => properties,
            Resolved::NeedsColours => {
                let Some(colours) = prepared.colours else { unreachable!("plain nets need no colours") };
                return super::coloured::check(args, &colours.folded.coloured, &asked, &session, &warnings);
            }
        };
        let net = Arc::clone(&prepared.net);
        let structure = session.analyse(&net);
        let swept = Swept { net: &net, folded: prepared.folded(), structure: &structure };
        let conditions = prepared.conditions();
        let by = |plan: &Plan| {
            let source = Source::Search(plan);
            check_within(&net, &structure, &properties, &conditions, source, &mut session.control())
        };
        let whole_graph = properties.iter().any(|property| property.question.is_about_paths());
        let stopped = |checked: &Checked| checked.report.as_ref().and_then(|report| report.stopped);
        let Searched { found: checked, warnings: unmet, chosen } =
            session.search(swept, &args.exploring, whole_graph, by, stopped)?;
        let outgrown = prepared.outgrows_slice(checked.broken.as_ref().map(|(at, _)| *at));
        if outgrown || prepared.is_slice() && !is_sure(&checked) {
            way = prepared.whole(&args.exploring, &session, &args.input)?;
            continue;
        }
        break (prepared, net, unmet, properties, checked, chosen);
    };
    session.finish();
    if let Some(report) = &checked.report {
        plot::draw(&args.exploring, &net.name, report)?;
    }
    let colours = prepared.colours.as_deref();
    let broken = checked.broken.as_ref().zip(colours);
    let broken =
        broken.map(|((at, answer), colours)| Broken::of(colours, *at, answer, session.control().budget()));
    let mut checked = checked;
    let stage = colours.and_then(|colours| colours.retell(&mut checked.answers, session.control().budget()));
    let questions: Vec<Question<'_>> =
        properties.iter().map(|property| Question { name: &property.name, text: &property.text }).collect();
    let telling = Telling { asking: &args.asking, saying: args.saying, chosen: chosen.as_deref() };
    let scene = Scene { stage: stage.as_ref().unwrap_or(&net), ..Scene::of(&net) };
    tell(telling, scene, &questions, &checked, broken.as_ref(), &session, &warnings, &unmet)
}

/// Whether what is said of a slice is true of the whole: because all states were seen and none left it, or because each
/// answer is shown by a trace or is none.
fn is_sure(checked: &Checked) -> bool {
    let shown = |answer: &Answer| answer.trace.is_some() || answer.verdict == Verdict::Unknown;
    checked.report.as_ref().is_some_and(Report::is_complete)
        || checked.broken.is_some()
        || checked.answers.iter().all(shown)
}

/// A question as it is shown.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Its name; its text if it has none.
    pub name: &'a str,
    /// As it was written.
    pub text: &'a str,
}

/// What answers are about.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The net that was asked.
    pub net: &'a Net,
    /// The net on which traces are shown. It may have more places than the one that was asked: derived ones.
    pub stage: &'a Net,
    /// How large the model is.
    pub size: Size,
}

impl<'a> Scene<'a> {
    /// A net that was asked and shows the traces.
    pub fn of(net: &'a Net) -> Self {
        Self { net, stage: net, size: Size::of(net) }
    }
}

/// How answers are told.
#[derive(Clone, Copy)]
pub struct Telling<'a> {
    /// How traces are shown.
    pub asking: &'a Asking,
    /// In which form, and how much.
    pub saying: Saying,
    /// Which search was chosen, and why, if that was left open.
    pub chosen: Option<&'a str>,
}

/// Prints the answers, or what is wrong with the model, and writes the traces.
#[expect(clippy::too_many_arguments, reason = "all that there is to tell")]
pub fn tell(
    telling: Telling<'_>,
    scene: Scene<'_>,
    questions: &[Question<'_>],
    checked: &Checked,
    broken: Option<&Broken>,
    session: &Session,
    warnings: &[Warning],
    unmet: &[String],
) -> Result<Ending, Failure> {
    unless_closed(if telling.saying.json {
        let mut object = json(scene, questions, checked, warnings, unmet);
        object["choice"] = telling.chosen.into();
        object["model_error"] = broken.map(Broken::json).into();
        writeln!(io::stdout(), "{object:#}")
    } else {
        let mut out = io::BufWriter::new(io::stdout().lock());
        match broken {
            Some(broken) => broken.print(&mut out, telling.asking.full),
            None => print(&mut out, telling, scene, questions, checked, &session.limits),
        }
        .and_then(|()| out.flush())
    })?;
    if broken.is_some() {
        return Ok(Ending::ModelError);
    }
    // The answers are out, whatever becomes of the files.
    if let Some(folder) = &telling.asking.traces {
        write_traces(folder, scene.stage, questions, &checked.answers)?;
    }
    Ok(ending(&checked.answers))
}

/// The worst of all answers.
pub fn ending(answers: &[Answer]) -> Ending {
    let has = |verdict| answers.iter().any(|answer| answer.verdict == verdict);
    if has(Verdict::Violated) {
        Ending::Violated
    } else if has(Verdict::Unknown) {
        Ending::Undecided
    } else {
        Ending::Holds
    }
}

/// All answers, and what was searched for them.
pub fn json(
    scene: Scene<'_>,
    questions: &[Question<'_>],
    checked: &Checked,
    warnings: &[Warning],
    unmet: &[String],
) -> Json {
    let net = scene.net;
    let mut object = Map::new();
    object.insert("schema".into(), "sweepnet/check/1".into());
    object.insert("model".into(), net.name.clone().into());
    object.extend(scene.size.json());
    let answers = questions.iter().zip(&checked.answers);
    let answers: Vec<Json> =
        answers.map(|(property, answer)| json_answer(scene, *property, answer)).collect();
    object.insert("properties".into(), answers.into());
    // No search was needed if structure decided everything.
    object.insert(
        "exploration".into(),
        checked.report.as_ref().map(|report| parts::search(net, report)).into(),
    );
    let pump = checked.report.as_ref().and_then(|report| report.pump.as_ref());
    object.insert("unbounded".into(), json!(pump.map(|pump| parts::growth(net, pump))));
    object.insert("warnings".into(), parts::warnings(warnings, unmet));
    object.into()
}

fn json_answer(scene: Scene<'_>, property: Question<'_>, answer: &Answer) -> Json {
    let net = scene.net;
    let value = answer.value.map(|value| match value {
        Value::Exactly(number) | Value::AtLeast(number) => parts::number(number),
        Value::Unbounded => "unbounded".into(),
    });
    let detail = answer.detail.as_ref().map(|detail| match detail {
        Detail::DeadTransitions(dead) => {
            let dead = dead.iter().map(|t| net.asked_transition_name(*t));
            json!({ "dead_transitions": dead.collect::<Vec<_>>() })
        }
        Detail::StablePlaces(stable) => {
            let stable = stable.iter().map(|p| net.asked_place_name(*p));
            json!({ "stable_places": stable.collect::<Vec<_>>() })
        }
        Detail::NeverAgain(stuck) => {
            let stuck = stuck.iter().map(|t| net.asked_transition_name(*t));
            json!({ "never_again": stuck.collect::<Vec<_>>() })
        }
        Detail::TooManyTokens(place, count) => json!({ "place": &*net.place(*place).id, "tokens": count }),
        Detail::Growth(pump) => json!({ "unbounded": parts::growth(net, pump) }),
    });
    json!({
        "name": property.name,
        "property": property.text,
        "verdict": answer.verdict.name(),
        "method": answer.method.name(),
        "value": value,
        "reason": answer.undecided.as_ref().map(reason_word),
        "detail": detail,
        "trace": answer.trace.as_ref().map(|found| parts::trace(scene.stage, found)),
        "cycle": answer.cycle,
    })
}

fn reason_word(why: &Undecided) -> String {
    match why {
        Undecided::Stopped(reason) => stop::word(*reason).to_owned(),
        Undecided::Overflow => "overflow".to_owned(),
        Undecided::NotReplayed(_) => "not-replayed".to_owned(),
        Undecided::NoValue(_) => "no-value".to_owned(),
        Undecided::NeedsGraph => "needs-graph".to_owned(),
        Undecided::TooComplex => "too-complex".to_owned(),
    }
}

/// Prints the answers.
pub fn print(
    out: &mut impl Write,
    telling: Telling<'_>,
    scene: Scene<'_>,
    questions: &[Question<'_>],
    checked: &Checked,
    limits: &Limits,
) -> io::Result<()> {
    let net = scene.net;
    for (property, answer) in questions.iter().zip(&checked.answers) {
        let name = if property.name == property.text { "" } else { &format!("{}: ", property.name) };
        let value = match answer.value {
            Some(Value::Exactly(number)) => format!(" = {}", grouped(number)),
            Some(Value::AtLeast(number)) => format!(" >= {}", grouped(number)),
            Some(Value::Unbounded) => " is unbounded".to_owned(),
            None => String::new(),
        };
        // A property may have been written over several lines.
        let text = property.text.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "{:<8}  {name}{text}{value}  [{}]", answer.verdict.name(), answer.method.name())?;
        match &answer.undecided {
            Some(Undecided::Stopped(reason)) => {
                writeln!(out, "          because {}", stop::sentence(*reason, limits, net))?;
            }
            Some(Undecided::Overflow) => {
                writeln!(
                    out,
                    "          because a number in it becomes too large (values are limited to 127 bits)"
                )?;
            }
            Some(Undecided::NotReplayed(why)) => {
                writeln!(out, "          because {why}: this is a defect of sweepnet, please report it")?;
            }
            Some(Undecided::NoValue(why)) => {
                writeln!(out, "          because a term in it has no value in some state: {why}")?;
            }
            Some(Undecided::NeedsGraph) => {
                writeln!(out, "          because it is about paths, and there is no graph of all markings")?;
            }
            Some(Undecided::TooComplex) => {
                writeln!(out, "          because the automaton of its formula becomes too large")?;
            }
            None => {}
        }
        // Growth is shown once, at the end.
        let growth = matches!(answer.detail, Some(Detail::Growth(_)));
        print_detail(
            out,
            net,
            answer.detail.as_ref().filter(|_| !growth || telling.saying.quiet),
            telling.asking.full,
        )?;
        if let Some(found) = &answer.trace {
            let steps = found.events.len();
            let shows = if answer.verdict == Verdict::Holds { "witness" } else { "counterexample" };
            let repeats = match answer.cycle {
                Some(turn) if turn == steps => ", and stays there for ever".to_owned(),
                Some(0) => ", which repeat for ever".to_owned(),
                Some(turn) => format!(", of which those after step {} repeat for ever", grouped(turn as u64)),
                None => String::new(),
            };
            writeln!(out, "  {shows}, {}{repeats}:", counted(steps as u64, "step"))?;
            trace::print(out, scene.stage, found, telling.asking.full, "    ")?;
        }
    }
    if !telling.saying.quiet {
        print_search(out, net, checked)?;
    }
    Ok(())
}

fn print_detail(out: &mut impl Write, net: &Net, detail: Option<&Detail>, full: bool) -> io::Result<()> {
    match detail {
        None => Ok(()),
        Some(Detail::DeadTransitions(dead)) => {
            writeln!(
                out,
                "  can never fire: {}",
                table::names(dead.iter().map(|t| net.asked_transition_name(*t)), full)
            )
        }
        Some(Detail::StablePlaces(stable)) => {
            writeln!(
                out,
                "  never changes: {}",
                table::names(stable.iter().map(|p| net.asked_place_name(*p)), full)
            )
        }
        Some(Detail::NeverAgain(stuck)) => {
            writeln!(
                out,
                "  can never fire again: {}",
                table::names(stuck.iter().map(|t| net.asked_transition_name(*t)), full)
            )
        }
        Some(Detail::TooManyTokens(place, count)) => {
            writeln!(out, "  {} gets {} tokens", net.place(*place).id, grouped(*count))
        }
        Some(Detail::Growth(pump)) => {
            for line in stop::growth(net, pump) {
                writeln!(out, "  {line}")?;
            }
            Ok(())
        }
    }
}

fn print_search(out: &mut impl Write, net: &Net, checked: &Checked) -> io::Result<()> {
    let Some(report) = &checked.report else { return Ok(()) };
    let all = if report.is_complete() { "all of " } else { "" };
    let (memory, time) = (bytes((report.store_bytes + report.table_bytes) as u64), duration(report.time));
    let arcs = counted(report.counts.arcs, "arc");
    match report.distinct() {
        Some(states) => writeln!(out, "\n{all}{}, {arcs}, {memory}, {time}", counted(states, "state"))?,
        None => {
            let explored = counted(report.counts.explored, "state");
            let complete = if report.is_complete() { ", all that can be reached" } else { "" };
            writeln!(out, "\n{explored} explored, some of them perhaps again{complete}, {memory}, {time}")?;
        }
    }
    if let Some(swept) = &report.swept {
        for (what, value) in sweep::lines(swept, report) {
            writeln!(out, "{what:<20} {value}")?;
        }
    }
    for (what, value) in report.windowed.iter().flat_map(|windowed| window::lines(windowed, report)) {
        writeln!(out, "{what:<20} {value}")?;
    }
    sweep::print_regress(out, net, report)?;
    if let Some(pump) = &report.pump {
        writeln!(out, "The net is unbounded:")?;
        for line in stop::growth(net, pump) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// Writes each trace as a list of transitions, in TINA's `.scn` format.
pub fn write_traces(
    folder: &Path,
    net: &Net,
    questions: &[Question<'_>],
    answers: &[Answer],
) -> Result<(), Failure> {
    let mut used = std::collections::HashSet::new();
    for (property, answer) in questions.iter().zip(answers) {
        let Some(found) = &answer.trace else { continue };
        let mut name: String = property
            .name
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
            .take(80)
            .collect();
        while !used.insert(name.clone()) {
            name.push('_');
        }
        let mut draft = Draft::new(&folder.join(format!("{name}.scn")))?;
        writeln!(draft, "# {}: {}", property.text.replace('\n', " "), answer.verdict.name())?;
        crate::scenario::write(&mut draft, net, &found.events)?;
        draft.finish()?;
    }
    Ok(())
}
