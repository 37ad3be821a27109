//! `mcc`: examinations of the Model Checking Contest, in its protocol.
//!
//! Nothing but protocol lines goes to standard output, and the exit code is always 0: what could not be
//! computed is said by `CANNOT_COMPUTE` or `DO_NOT_COMPETE`, with the reason on standard error. The limits come
//! from the contest's environment unless the command line has others.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::sync::Arc;
use std::time::Duration;

use sweepnet_logic::check::{Answer, Method, Value, Verdict};
use sweepnet_logic::{Property, Question, check, contest, parse_property};
use sweepnet_net::Net;
use sweepnet_space::{Report, Statistics, StopReason, explore};

use crate::Ending;
use crate::args::{Exploring, Input, Mcc, Saying};
use crate::combinations::{self, States};
use crate::failure::Failure;
use crate::input;
use crate::session::{Planned, Session};
use crate::sweeping::Swept;

/// Runs `mcc`.
pub fn run(args: &Mcc) -> Result<Ending, Failure> {
    combinations::check(&args.exploring, States::Visited)?;
    let mut out = io::stdout().lock();
    if let Err(failure) = examine(args, &mut out) {
        match failure {
            Failure::Output(error) => return Err(Failure::Output(error)),
            other => complain!("{other}"),
        }
        writeln!(out, "CANNOT_COMPUTE")?;
    }
    out.flush()?;
    Ok(Ending::Holds)
}

fn examine(args: &Mcc, out: &mut impl Write) -> Result<(), Failure> {
    let run = Run::new(args)?;
    let name = args.examination.clone();
    let question = match name.as_str() {
        "StateSpace" => return state_space(args, &run, out),
        "ReachabilityDeadlock" => Some("reachable deadlock"),
        "OneSafe" => Some("safe"),
        "QuasiLiveness" => Some("quasi-live"),
        "Liveness" => Some("live"),
        "StableMarking" => Some("some-stable"),
        "ReachabilityCardinality" | "ReachabilityFireability" | "UpperBounds" => None,
        "CTLCardinality" | "CTLFireability" | "LTLCardinality" | "LTLFireability" => None,
        _ => {
            complain!("the examination {name} is not entered by this version");
            writeln!(out, "DO_NOT_COMPETE")?;
            return Ok(());
        }
    };
    let net = model(args, &run.session)?;
    match question {
        Some(text) => {
            let mut property =
                parse_property(text, &net).map_err(|error| Failure::Input(error.to_string()))?;
            property.name = name;
            answer(&run, &net, &[property], out)
        }
        None => {
            let path = args.folder.join(format!("{name}.xml"));
            let shown = path.display();
            let file =
                File::open(&path).map_err(|error| Failure::input(format!("cannot read {shown}: {error}")))?;
            let read = contest::read_properties(BufReader::new(file), &net, &*net)
                .map_err(|error| Failure::input(format!("{shown}: {error}")))?;
            let mut properties = Vec::new();
            for property in read {
                match property.property {
                    Ok(resolved) => properties.push(Property { name: property.id, ..resolved }),
                    Err(unsupported) => {
                        complain!("warning: {shown}: {}: {unsupported}", property.id);
                        writeln!(out, "FORMULA {} CANNOT_COMPUTE", property.id)?;
                    }
                }
            }
            answer(&run, &net, &properties, out)
        }
    }
}

/// The model; a coloured one as its unfolding.
fn model(args: &Mcc, session: &Session) -> Result<Arc<Net>, Failure> {
    let input =
        Input { model: args.folder.join("model.pnml"), parameters: Vec::new(), format: None, net: None };
    let saying = Saying { json: false, quiet: args.quiet };
    input::read_net(&input, saying, session).map(|(net, _)| net)
}

/// The limits of the contest's environment, where the command line has none, with some room to end in.
fn limits(exploring: &Exploring) -> Exploring {
    let number = |name: &str| std::env::var(name).ok()?.trim().parse::<u64>().ok();
    let mut exploring = exploring.clone();
    if exploring.time.is_none() {
        exploring.time =
            number("BK_TIME_CONFINEMENT").map(|seconds| Duration::from_secs(seconds - seconds / 20));
    }
    if exploring.memory.is_none() {
        let given = number("BK_MEMORY_CONFINEMENT")
            .map(|megabytes| (megabytes - megabytes / 20).saturating_mul(1 << 20));
        exploring.memory = given.map(|bytes| bytes.min(crate::machine::free_memory()));
    }
    exploring
}

/// An examination under way. Its clock runs from the start; unlike elsewhere signals are watched from the start
/// too, because a line of protocol is expected in any case.
struct Run {
    session: Session,
    exploring: Exploring,
}

impl Run {
    fn new(args: &Mcc) -> Result<Self, Failure> {
        let exploring = limits(&args.exploring);
        let session = Session::new(&exploring, Saying { json: false, quiet: args.quiet });
        session.watch_signals()?;
        Ok(Self { session, exploring })
    }
}

/// What an exploration made use of, in the contest's words.
fn techniques(report: Option<&Report>) -> &'static str {
    match report {
        Some(report) if report.threads > 1 => "TECHNIQUES PARALLEL_PROCESSING EXPLICIT STATE_COMPRESSION",
        _ => "TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT STATE_COMPRESSION",
    }
}

fn state_space(args: &Mcc, contest: &Run, out: &mut impl Write) -> Result<(), Failure> {
    let net = model(args, &contest.session)?;
    let structure = contest.session.analyse(&net);
    let mut statistics = Statistics::new(&net);
    let swept = Swept { net: &net, folded: None, structure: &structure };
    let Planned { plan, .. } = contest.session.plan(swept, &contest.exploring)?;
    let report = explore(&net, &plan, &mut contest.session.control(), &mut statistics);
    contest.session.finish();
    let values: [String; 4] = if report.pump.is_some() {
        std::array::from_fn(|_| "+inf".to_owned())
    } else if let (true, Some(states)) = (report.is_complete(), report.distinct()) {
        let in_place = report.maxima.iter().flatten().max().copied().unwrap_or(0);
        [
            states.to_string(),
            report.counts.arcs.to_string(),
            statistics.max_total.to_string(),
            in_place.to_string(),
        ]
    } else {
        explain(&report, &net, &contest.session);
        writeln!(out, "CANNOT_COMPUTE")?;
        return Ok(());
    };
    let names = ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"];
    let techniques = techniques(Some(&report));
    for (name, value) in names.iter().zip(values) {
        writeln!(out, "STATE_SPACE {name} {value} {techniques}")?;
    }
    Ok(())
}

fn answer(
    contest: &Run,
    net: &Arc<Net>,
    properties: &[Property],
    out: &mut impl Write,
) -> Result<(), Failure> {
    let structure = contest.session.analyse(net);
    let swept = Swept { net, folded: None, structure: &structure };
    let Planned { plan, .. } = contest.session.plan(swept, &contest.exploring)?;
    let checked = check(net, &structure, properties, &plan, &mut contest.session.control());
    contest.session.finish();
    for (property, answer) in properties.iter().zip(&checked.answers) {
        let techniques = match answer.method {
            Method::Structure | Method::Nothing => "TECHNIQUES TOPOLOGICAL",
            Method::Search(_) | Method::Graph | Method::Growth => techniques(checked.report.as_ref()),
        };
        match said(property, answer) {
            Some(word) => writeln!(out, "FORMULA {} {word} {techniques}", property.name)?,
            None => writeln!(out, "FORMULA {} CANNOT_COMPUTE", property.name)?,
        }
    }
    if let Some(report) = &checked.report {
        explain(report, net, &contest.session);
    }
    Ok(())
}

/// An answer in the contest's words.
fn said(property: &Property, answer: &Answer) -> Option<String> {
    match (&property.question, answer.value, answer.verdict) {
        (Question::Bound(_), Some(Value::Exactly(number)), _) => Some(number.to_string()),
        (Question::Bound(_), Some(Value::Unbounded), _) => Some("+inf".to_owned()),
        (Question::Bound(_), ..) => None,
        (_, _, Verdict::Holds) => Some("TRUE".to_owned()),
        (_, _, Verdict::Violated) => Some("FALSE".to_owned()),
        (_, _, Verdict::Unknown) => None,
    }
}

/// Says on standard error why a search ended early.
fn explain(report: &Report, net: &Net, session: &Session) {
    if let Some(reason) = report.stopped.filter(|reason| *reason != StopReason::Decided) {
        complain!("stopped: {}", crate::report::stop::sentence(reason, &session.limits, net));
    }
}
