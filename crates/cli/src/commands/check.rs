//! `check`: questions, answers, traces.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use sweepnet_formats::Warning;
use sweepnet_logic::check::{Answer, Checked, Detail, Undecided, Value, Verdict};
use sweepnet_logic::{Property, check, contest, parse_properties, parse_property};
use sweepnet_net::Net;
use sweepnet_space::Limits;

use crate::Ending;
use crate::args::Check;
use crate::combinations::{self, States};
use crate::failure::{Failure, unless_closed};
use crate::input;
use crate::output::{Draft, cannot_write};
use crate::quantity::{bytes, counted, duration, grouped};
use crate::report::{json as parts, stop, table, trace};
use crate::session::{Planned, Session};

/// Runs `check`.
pub fn run(args: &Check) -> Result<Ending, Failure> {
    let from_input = args.files.iter().chain([&args.input.model]).filter(|path| *path == Path::new("-"));
    if from_input.count() > 1 {
        return Err(Failure::input(
            "standard input can be read only once: give all but one of them as files",
        ));
    }
    combinations::check(&args.exploring, States::Visited)?;
    let session = Session::new(&args.exploring, args.saying);
    let (net, warnings) = input::read_net(&args.input, args.saying, args.exploring.memory)?;
    let properties = properties(args, &net)?;
    if let Some(folder) = &args.traces {
        std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    session.watch_signals()?;
    let net = Arc::new(net);
    let structure = session.analyse(&net);
    let Planned { plan, warnings: unmet } = session.plan(&net, &structure, &args.exploring)?;
    let checked = check(&net, &structure, &properties, &plan, &mut session.control());
    session.finish();
    unless_closed(if args.saying.json {
        writeln!(io::stdout(), "{:#}", json(&net, &properties, &checked, &warnings, &unmet))
    } else {
        let mut out = io::BufWriter::new(io::stdout().lock());
        print(&mut out, args, &net, &properties, &checked, &session.limits).and_then(|()| out.flush())
    })?;
    // The answers are out, whatever becomes of the files.
    if let Some(folder) = &args.traces {
        write_traces(folder, &net, &properties, &checked.answers)?;
    }
    Ok(ending(&checked.answers))
}

/// The worst of all answers.
fn ending(answers: &[Answer]) -> Ending {
    let has = |verdict| answers.iter().any(|answer| answer.verdict == verdict);
    if has(Verdict::Violated) {
        Ending::Violated
    } else if has(Verdict::Unknown) {
        Ending::Undecided
    } else {
        Ending::Holds
    }
}

/// All properties that the arguments name.
fn properties(args: &Check, net: &Net) -> Result<Vec<Property>, Failure> {
    let mut properties = Vec::new();
    if args.deadlock {
        let text = "deadlock-free";
        properties.push(parse_property(text, net).map_err(|error| Failure::Input(error.to_string()))?);
    }
    let mut errors = Vec::new();
    for text in &args.properties {
        match parse_property(text, net) {
            Ok(property) => properties.push(property),
            Err(error) => errors.push(error.to_string()),
        }
    }
    for path in &args.files {
        read_properties(path, net, &mut properties, &mut errors, args.saying.quiet)?;
    }
    if !errors.is_empty() {
        return Err(Failure::Input(errors.join("\n")));
    }
    if properties.is_empty() {
        return Err(Failure::input(
            "there is nothing to check; ask with --deadlock, --property or --properties, \
             for example: -p 'invariant #p <= 1'",
        ));
    }
    Ok(properties)
}

fn read_properties(
    path: &Path,
    net: &Net,
    properties: &mut Vec<Property>,
    errors: &mut Vec<String>,
    quiet: bool,
) -> Result<(), Failure> {
    let name = input::display_name(path);
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().read_to_end(&mut bytes),
        false if path.is_dir() => Err(io::Error::other("it is a folder, not a file")),
        false => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    let before = properties.len() + errors.len();
    // The contest's properties are XML, ours never begin like that.
    if bytes.trim_ascii_start().starts_with(b"<") || bytes.starts_with(b"\xEF\xBB\xBF<") {
        let read = contest::read_properties(bytes.as_slice(), net, net)
            .map_err(|error| Failure::input(format!("{name}: {error}")))?;
        for property in read {
            match property.property {
                Ok(resolved) => properties.push(resolved),
                Err(unsupported) => errors.push(format!("error: {name}: {}: {unsupported}", property.id)),
            }
        }
    } else {
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::input(format!("{name}: this is not text (it is not valid UTF-8)")))?;
        match parse_properties(&text, net) {
            Ok(read) => properties.extend(read),
            Err(list) => errors.extend(list.iter().map(|error| error.located(&name).to_string())),
        }
    }
    if properties.len() + errors.len() == before && !quiet {
        eprintln!("warning: {name}: there is no property in this file");
    }
    Ok(())
}

fn json(
    net: &Net,
    properties: &[Property],
    checked: &Checked,
    warnings: &[Warning],
    unmet: &[String],
) -> Json {
    let mut object = Map::new();
    object.insert("schema".into(), "sweepnet/check/1".into());
    object.insert("model".into(), net.name.clone().into());
    object.insert("places".into(), net.places().len().into());
    object.insert("transitions".into(), net.transitions().len().into());
    let answers = properties.iter().zip(&checked.answers);
    let answers: Vec<Json> = answers.map(|(property, answer)| json_answer(net, property, answer)).collect();
    object.insert("properties".into(), answers.into());
    // No search was needed if structure decided everything.
    object.insert("exploration".into(), checked.report.as_ref().map(parts::search).into());
    let pump = checked.report.as_ref().and_then(|report| report.pump.as_ref());
    object.insert("unbounded".into(), json!(pump.map(|pump| parts::growth(net, pump))));
    object.insert("warnings".into(), parts::warnings(warnings, unmet));
    object.into()
}

fn json_answer(net: &Net, property: &Property, answer: &Answer) -> Json {
    let value = answer.value.map(|value| match value {
        Value::Exactly(number) | Value::AtLeast(number) => parts::number(number),
        Value::Unbounded => "unbounded".into(),
    });
    let places = |places: &[sweepnet_net::PlaceId]| {
        places.iter().map(|p| Json::from(&*net.place(*p).id)).collect::<Vec<_>>()
    };
    let detail = answer.detail.as_ref().map(|detail| match detail {
        Detail::DeadTransitions(dead) => {
            json!({ "dead_transitions": dead.iter().map(|t| &*net.transition(*t).id).collect::<Vec<_>>() })
        }
        Detail::StablePlaces(stable) => json!({ "stable_places": places(stable) }),
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
        "trace": answer.trace.as_ref().map(|found| parts::trace(net, found)),
    })
}

fn reason_word(why: &Undecided) -> String {
    match why {
        Undecided::Stopped(reason) => stop::word(*reason).to_owned(),
        Undecided::Overflow => "overflow".to_owned(),
        Undecided::NotReplayed(_) => "not-replayed".to_owned(),
    }
}

fn print(
    out: &mut impl Write,
    args: &Check,
    net: &Net,
    properties: &[Property],
    checked: &Checked,
    limits: &Limits,
) -> io::Result<()> {
    for (property, answer) in properties.iter().zip(&checked.answers) {
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
            None => {}
        }
        // Growth is shown once, at the end.
        let growth = matches!(answer.detail, Some(Detail::Growth(_)));
        print_detail(out, net, answer.detail.as_ref().filter(|_| !growth || args.saying.quiet), args.full)?;
        if let Some(found) = &answer.trace {
            let steps = found.events.len();
            let shows = if answer.verdict == Verdict::Holds { "witness" } else { "counterexample" };
            writeln!(out, "  {shows}, {}:", counted(steps as u64, "step"))?;
            trace::print(out, net, found, args.full, "    ")?;
        }
    }
    if !args.saying.quiet {
        print_search(out, net, checked)?;
    }
    Ok(())
}

fn print_detail(out: &mut impl Write, net: &Net, detail: Option<&Detail>, full: bool) -> io::Result<()> {
    match detail {
        None => Ok(()),
        Some(Detail::DeadTransitions(dead)) => {
            writeln!(out, "  can never fire: {}", table::transitions(net, dead, full))
        }
        Some(Detail::StablePlaces(stable)) => {
            writeln!(out, "  never changes: {}", table::places(net, stable, full))
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
    writeln!(
        out,
        "\n{all}{}, {}, {}, {}",
        counted(report.states, "state"),
        counted(report.counts.arcs, "arc"),
        bytes((report.store_bytes + report.table_bytes) as u64),
        duration(report.time)
    )?;
    if let Some(pump) = &report.pump {
        writeln!(out, "The net is unbounded:")?;
        for line in stop::growth(net, pump) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// Writes each trace as a list of transitions, in TINA's `.scn` format.
fn write_traces(
    folder: &Path,
    net: &Net,
    properties: &[Property],
    answers: &[Answer],
) -> Result<(), Failure> {
    let mut used = std::collections::HashSet::new();
    for (property, answer) in properties.iter().zip(answers) {
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
