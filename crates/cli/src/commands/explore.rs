//! `explore`: all reachable markings, counted.

pub mod sizes;

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sweepnet_formats::Warning;
use sweepnet_logic::check::explore_within;
use sweepnet_logic::coloured::Totals;
use sweepnet_net::Net;
use sweepnet_space::{CodecChoice, Plan, Report, SearchChoice, Statistics, StopReason};

use crate::Ending;
use crate::args::{Engine, Explore, Exploring};
use crate::combinations::{self, States};
use crate::failure::{Failure, unless_closed};
use crate::input::{self, Given, Subject};
use crate::model::{self, Size, Way};
use crate::quantity::{bytes, counted, duration, grouped, rate};
use crate::report::model_error::Broken;
use crate::report::{components, json as parts, plot, stop, sweep, table, window};
use crate::session::{Searched, Session};
use crate::sweeping::Swept;
use sizes::Sizes;

/// Runs `explore`.
pub fn run(args: &Explore) -> Result<Ending, Failure> {
    combinations::check(&args.exploring, States::Visited)?;
    let session = Session::new(&args.exploring, args.saying);
    let Given { subject, warnings } = input::read(&args.input, args.saying, &session)?;
    session.watch_signals()?;
    let mut exploring = args.exploring.clone();
    if args.sizes {
        may_tell_sizes(&subject, &exploring)?;
        exploring.codec = CodecChoice::Multiset;
    }
    let mut way = model::prepare(subject, &exploring, &session, &args.input)?;
    let (prepared, net, unmet, report, tally, broken, chosen) = loop {
        let prepared = match way {
            Way::Plain(prepared) => prepared,
            Way::Coloured(coloured) => return super::coloured::explore(args, &coloured, &session, &warnings),
            Way::Stopped(coloured, reason) => {
                return super::not_unfolded::explore(args, &coloured, reason, &session, &warnings);
            }
        };
        let net = Arc::clone(&prepared.net);
        let structure = session.analyse(&net);
        let swept = Swept { net: &net, folded: prepared.folded(), structure: &structure };
        let conditions = prepared.conditions();
        let by = |plan: &Plan| {
            let control = &mut session.control();
            match &prepared.colours {
                None => {
                    let statistics = Statistics::new(&net);
                    let (report, statistics, broken) =
                        explore_within(&net, &structure, &conditions, plan, control, statistics);
                    let tally = Tally::of_net(&net, &report, statistics);
                    (report, tally, broken)
                }
                Some(colours) => {
                    let totals = Totals::new(&net, &colours.holdings, &structure, control.budget());
                    let (report, totals, broken) =
                        explore_within(&net, &structure, &conditions, plan, control, totals);
                    let tally = Tally::of_unfolding(&net, &report, totals);
                    (report, tally, broken)
                }
            }
        };
        let Searched { found: (report, tally, broken), warnings: unmet, chosen } =
            session.search(swept, &args.exploring, false, by, |(report, ..)| report.stopped)?;
        if prepared.outgrows_slice(broken.as_ref().map(|(at, _)| *at)) {
            way = prepared.whole(&exploring, &session, &args.input)?;
            continue;
        }
        let stopped = if broken.is_some() { Some(StopReason::ModelError) } else { report.stopped };
        break (prepared, net, unmet, Report { stopped, ..report }, tally, broken, chosen);
    };
    session.finish();
    let broken = broken.as_ref().zip(prepared.colours.as_ref());
    let broken =
        broken.map(|((at, answer), colours)| Broken::of(colours, *at, answer, session.control().budget()));
    let size = Size::of(&net);
    let found = Found { net: &net, size, report: &report, tally, chosen, broken, sizes: None };
    plot::draw(&args.exploring, &net.name, &report)?;
    found.tell(args, &session, &warnings, &unmet)
}

/// Refuses `--sizes` where nothing would be encoded as multisets.
fn may_tell_sizes(subject: &Subject, exploring: &Exploring) -> Result<(), Failure> {
    let why = match (subject, exploring.engine, exploring.codec) {
        (Subject::Plain(_), ..) => "this is a place/transition net",
        (_, Engine::Unfolded, _) => "--engine unfolded makes a place/transition net of it",
        (_, _, CodecChoice::Auto | CodecChoice::Multiset) => return Ok(()),
        _ => "--codec chooses another one",
    };
    let applies = "--sizes tells how many bytes the states of a coloured net take in the codec multiset";
    Err(Failure::input(format!("{applies}; {why}")))
}

/// What was watched along the search, by the places and transitions of the model as it was written.
pub struct Tally {
    /// The most tokens in each place, by name.
    pub bounds: Vec<(String, u64)>,
    /// The most tokens in a marking.
    pub total: u128,
    /// The transitions that never fired.
    pub unfired: Vec<String>,
}

impl Tally {
    /// Of a place/transition net.
    fn of_net(net: &Net, report: &Report, statistics: Statistics) -> Self {
        let names = net.places().iter().map(|place| place.id.to_string());
        let bounds = names.zip(report.maxima.iter().flatten().copied()).collect();
        Self { bounds, total: statistics.max_total, unfired: unfired(net, &statistics.fired) }
    }

    /// Of an unfolded net: by the coloured net that it comes from.
    fn of_unfolding(net: &Net, report: &Report, totals: Totals<'_>) -> Self {
        let names = net.folding().into_iter().flat_map(|folding| &folding.places);
        let bounds = names.map(|fold| fold.id.to_string()).zip(totals.of_places(report)).collect();
        Self { bounds, total: totals.of_markings(), unfired: unfired(net, &totals.into_fired()) }
    }
}

/// The transitions that never fired; of an unfolded net, the coloured ones.
fn unfired(net: &Net, fired: &[bool]) -> Vec<String> {
    let unfired: Vec<usize> = match net.folding() {
        Some(folding) => {
            let folds = folding.transitions.iter().enumerate();
            folds.filter(|(_, fold)| !fold.instances.clone().any(|t| fired[t])).map(|(at, _)| at).collect()
        }
        None => (0..net.transitions().len()).filter(|t| !fired[*t]).collect(),
    };
    unfired.into_iter().map(|at| net.asked_transition_name(at).to_owned()).collect()
}

/// What was found.
pub struct Found<'a> {
    /// The net that was explored.
    pub net: &'a Net,
    /// How large the model is.
    pub size: Size,
    /// What came of the search.
    pub report: &'a Report,
    /// What was watched.
    pub tally: Tally,
    /// Which search was chosen, and why, if that was left open.
    pub chosen: Option<String>,
    /// What is wrong with the model.
    pub broken: Option<Broken>,
    /// How many bytes the states take in the literature's codec, if that was asked.
    pub sizes: Option<Sizes>,
}

impl Found<'_> {
    /// Prints it in the form that is asked for, and says how the command ends.
    pub fn tell(
        &self,
        args: &Explore,
        session: &Session,
        warnings: &[Warning],
        unmet: &[String],
    ) -> Result<Ending, Failure> {
        unless_closed(match args.saying.json {
            true => writeln!(io::stdout(), "{:#}", self.json(warnings, unmet)),
            false => {
                let out = &mut io::stdout().lock();
                let told = self.print(out, args.bounds, session);
                told.and_then(|()| self.sizes.as_ref().map_or(Ok(()), |sizes| sizes.print(out)))
            }
        })?;
        Ok(self.ending())
    }

    /// How the command ends.
    fn ending(&self) -> Ending {
        match self.report.is_complete() {
            _ if self.broken.is_some() => Ending::ModelError,
            true => Ending::Holds,
            false => Ending::Undecided,
        }
    }

    /// The most tokens in a place, and the first such place.
    fn largest(&self) -> Option<(&str, u64)> {
        let bounds = self.tally.bounds.iter().map(|(name, most)| (name.as_str(), *most));
        bounds.reduce(|a, b| if b.1 > a.1 { b } else { a })
    }

    fn json(&self, warnings: &[Warning], unmet: &[String]) -> Value {
        let (net, report) = (self.net, self.report);
        let mut object = Map::new();
        object.insert("schema".into(), "sweepnet/explore/1".into());
        object.insert("model".into(), net.name.clone().into());
        object.extend(self.size.json());
        object.extend(parts::search(net, report));
        object.insert("choice".into(), self.chosen.clone().into());
        object.insert("max_tokens_in_place".into(), self.largest().map_or(0, |(_, max)| max).into());
        object.insert(
            "max_tokens_in_marking".into(),
            parts::number(i128::try_from(self.tally.total).unwrap_or(i128::MAX)),
        );
        let bounds = self.tally.bounds.iter().map(|(name, most)| (name.clone(), Value::from(*most)));
        object.insert("bounds".into(), bounds.collect::<Map<_, _>>().into());
        let unfired: Value = self.tally.unfired.iter().cloned().map(Value::from).collect();
        object.insert("dead_transitions".into(), if report.is_complete() { unfired } else { Value::Null });
        object.insert("unbounded".into(), json!(report.pump.as_ref().map(|pump| parts::growth(net, pump))));
        let broken = self.broken.as_ref().map(Broken::json);
        object.insert("model_error".into(), broken.into());
        object.insert("sizes".into(), self.sizes.as_ref().map(Sizes::json).into());
        object.insert("warnings".into(), parts::warnings(warnings, unmet));
        object.into()
    }

    fn print(&self, out: &mut impl Write, all_bounds: bool, session: &Session) -> io::Result<()> {
        let (net, report) = (self.net, self.report);
        let counts = report.counts;
        if report.states == 0 {
            let peak = sweepnet_space::budget::peak_resident_bytes().unwrap_or(0);
            let why = match report.stopped {
                Some(reason) if reason != StopReason::Memory || peak < session.limits.memory => {
                    stop::sentence(reason, &session.limits, net)
                }
                _ => {
                    let (needs, budget) = (bytes(peak), bytes(session.limits.memory));
                    format!(
                        "the net and the program take {needs}, the budget is {budget} (--memory raises it)"
                    )
                }
            };
            return writeln!(out, "stopped before the first state: {why}");
        }
        let name = &net.name;
        let nodes = |places: usize, transitions: usize| {
            format!("{}, {}", counted(places as u64, "place"), counted(transitions as u64, "transition"))
        };
        writeln!(out, "{name}: {}", nodes(self.size.places, self.size.transitions))?;
        let at_least = if report.is_complete() { "" } else { "at least " };
        let mut line = |what: &str, value: String| writeln!(out, "{what:<20} {value}");
        if let Some((places, transitions)) = self.size.unfolded {
            line("unfolded", nodes(places, transitions))?;
        }
        if report.pump.is_some() {
            line("states", format!("infinitely many; {} found", grouped(report.states)))?;
        } else if report.distinct().is_some() {
            line("states", format!("{at_least}{}", grouped(report.states)))?;
        }
        if report.distinct().is_some() {
            line("arcs", format!("{at_least}{}", grouped(counts.arcs)))?;
        } else {
            let again = "some of them perhaps again, after they were dropped";
            line("explored", format!("{}, {again}", counted(counts.explored, "state")))?;
        }
        if !report.is_complete() && report.distinct().is_some() {
            line("explored", format!("{} of these states completely", grouped(counts.explored)))?;
        }
        match (report.is_complete(), counts.deadlocks) {
            (_, deadlocks @ 1..) if report.distinct().is_none() => {
                line("deadlocks", format!("between 1 and {}", grouped(deadlocks)))?;
            }
            (true, deadlocks) => line("deadlocks", grouped(deadlocks))?,
            (false, 0) => line("deadlocks", "none so far".to_owned())?,
            (false, deadlocks) => line("deadlocks", format!("{at_least}{}", grouped(deadlocks)))?,
        }
        match report.search {
            SearchChoice::DepthFirst => line("deepest path", counted(counts.depth, "step"))?,
            SearchChoice::Sweep => {
                for (what, value) in report.swept.iter().flat_map(|swept| sweep::lines(swept, report)) {
                    line(what, value)?;
                }
            }
            _ => line("levels", format!("{at_least}{}", grouped(counts.depth)))?,
        }
        for (what, value) in report.windowed.iter().flat_map(|windowed| window::lines(windowed, report)) {
            line(what, value)?;
        }
        if let Some((place, max)) = self.largest() {
            line("tokens in a place", format!("{at_least}{}, in {place}", grouped(max)))?;
        }
        let most = i128::try_from(self.tally.total).unwrap_or(i128::MAX);
        line("tokens in a marking", format!("{at_least}{}", grouped(most)))?;
        if report.is_complete() {
            let dead = match self.tally.unfired.len() {
                0 => "none".to_owned(),
                n => format!(
                    "{}: {}",
                    grouped(n as u64),
                    table::names(self.tally.unfired.iter().map(String::as_str), all_bounds)
                ),
            };
            line("dead transitions", dead)?;
        }
        let each = match report.states {
            // What a sweep keeps at a time is no part of all states.
            _ if report.swept.is_some() => "at most ".to_owned(),
            // Of a handful of states, the bits of each say nothing.
            0..1_000 => String::new(),
            _ => format!("{:.1} bits a state, ", report.bits_per_state()),
        };
        let (store, codec, key) = (report.store.name(), report.codec.name(), report.key_bits as u64);
        let total = bytes(report.store_bytes as u64);
        let key = match report.codec {
            CodecChoice::Product => format!("{} a rank, ", counted(key, "bit")),
            // Its keys are of different lengths.
            CodecChoice::Multiset => String::new(),
            _ => format!("{} a key, ", counted(key, "bit")),
        };
        if report.windowed.is_none() {
            line("store", format!("{store}, {codec} codec: {key}{each}{total}"))?;
        }
        if let Some(parts) = &report.components {
            line("tables", components::tables(report))?;
            line("components", components::line(parts, report.states))?;
        }
        if let Some(peak) = sweepnet_space::budget::peak_resident_bytes() {
            line("memory", format!("peak {}, budget {}", bytes(peak), bytes(session.limits.memory)))?;
        }
        let seconds = report.time.as_secs_f64();
        let speed = if seconds > 0.0 { rate(report.states as f64 / seconds) } else { "-".into() };
        let threads = match report.threads {
            1 => String::new(),
            threads => format!(", {}", counted(threads as u64, "thread")),
        };
        line("time", format!("{}, {speed}, {}{threads}", duration(report.time), report.search.name()))?;
        if all_bounds || self.tally.bounds.len() <= table::SHOWN {
            let seen = if report.is_complete() { "" } else { " seen" };
            writeln!(out, "\nthe most tokens{seen} in each place")?;
            let width = self.tally.bounds.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
            for (name, most) in &self.tally.bounds {
                writeln!(out, "  {name:<width$}  {}", grouped(*most))?;
            }
        }
        if let Some(broken) = &self.broken {
            writeln!(out)?;
            broken.print(out, false)?;
        } else if let Some(reason) = report.stopped {
            writeln!(out, "\nstopped: {}", stop::sentence(reason, &session.limits, net))?;
            sweep::print_regress(out, net, report)?;
        }
        if let Some(pump) = &report.pump {
            for line in stop::growth(net, pump) {
                writeln!(out, "  {line}")?;
            }
        }
        Ok(())
    }
}
