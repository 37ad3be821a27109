//! `info`: what is known without exploring.

mod equation;
mod flows;
mod json;
mod partition;
mod progress;
mod siphons;
mod words;

use std::io::{self, Write};

use sweepnet_net::{Net, PlaceId, TransitionId};
use sweepnet_structure::implicit::Reason;
use sweepnet_structure::properties::Answer;
use sweepnet_structure::{Class, Determined, Effort, Implicit, Properties, Structure, Why};

use crate::Ending;
use crate::args::Info;
use crate::failure::Failure;
use crate::input::{self, Unfolded};
use crate::quantity::grouped;
use crate::report::table;
use crate::session::Session;
use equation::Asked;
use flows::Flows;
use partition::Divided;
use progress::Measured;
use siphons::Shown;
use words::{section, sum};

/// How much more a number takes in a document than where it was found.
const JSON_SHARE: usize = 8;

/// How much more again a place of a siphon does, which is just a number.
const SIPHON_SHARE: usize = 4;

/// Runs `info`.
pub fn run(args: &Info) -> Result<Ending, Failure> {
    let session = Session::of_reader(args.memory, args.time);
    let Unfolded { net, folded, warnings } = input::read_unfolded(&args.input, args.saying, &session)?;
    let control = session.control();
    let watch = control.close_watch();
    let go_on = || watch.goes_on();
    let share = if args.saying.json { JSON_SHARE } else { 1 };
    // What one analysis keeps is not there for the next.
    let effort = || Effort::for_net(&net).within(control.budget().room() / share);
    let structure = Structure::of_while(&net, effort(), &go_on);
    let mut trials = control.within(u64::MAX);
    let divided = Divided::of(&net, &structure, args.partition.as_ref(), &mut trials)?;
    let flows = Flows::of(&net, &structure.incidence, &structure.place_semiflows, &effort, &go_on);
    let class = structure.class(&net);
    let all = args.siphons || args.full || args.saying.json;
    let known = Known {
        siphons: {
            let limit = if all { effort().semiflows } else { siphons::SUMMARY };
            let limit = limit.within(effort().bytes / if args.saying.json { SIPHON_SHARE } else { 1 });
            Shown::of(&net, &class, limit, &go_on)
        },
        properties: Properties::of(
            &net,
            &structure.incidence,
            &structure.place_semiflows,
            &flows.transitions,
            effort(),
            &go_on,
        ),
        asked: (args.state_equation.as_deref())
            .map(|text| Asked::of(&net, &structure, text, effort(), &go_on))
            .transpose()?,
        class,
        flows,
        determined: structure.determined_places(&net),
        implicit: structure.implicit_places(&net),
        dead: structure.dead_transitions().collect(),
        divided,
        measured: Measured::of(
            &net,
            folded.as_deref(),
            &structure,
            args.progress.as_deref(),
            &session,
            &mut trials,
        )?,
        room: control.budget().room(),
        net: &net,
        structure: &structure,
    };
    if args.saying.json {
        writeln!(io::stdout(), "{:#}", known.json(&warnings))?;
    } else {
        let mut out = io::BufWriter::new(io::stdout().lock());
        known.print(&mut out, args)?;
        out.flush()?;
    }
    Ok(Ending::Holds)
}

/// All that structure tells.
struct Known<'a> {
    net: &'a Net,
    structure: &'a Structure,
    class: Class,
    determined: Vec<Determined>,
    implicit: Vec<Implicit>,
    flows: Flows<'a>,
    siphons: Shown<'a>,
    properties: Properties,
    asked: Option<Asked<'a>>,
    dead: Vec<TransitionId>,
    divided: Option<Divided>,
    measured: Option<Measured>,
    /// How many bytes of proofs may be written at once.
    room: usize,
}

impl Known<'_> {
    /// The classes that the net belongs to.
    fn classes(&self) -> Vec<&'static str> {
        let class = &self.class;
        let holds = |answer: &Answer| answer.holds() == Some(true);
        let it = &self.properties;
        [
            (class.ordinary, "ordinary"),
            (class.pure_net, "pure"),
            (class.state_machine, "state machine"),
            (class.marked_graph, "marked graph"),
            (class.free_choice, "free choice"),
            (class.extended_free_choice, "extended free choice"),
            (class.asymmetric_choice, "asymmetric choice"),
            (class.workflow, "workflow net"),
            (class.strongly_connected, "strongly connected"),
            (holds(&it.conservative), "conservative"),
            (class.token_conserving, "token conserving"),
            (holds(&it.consistent), "consistent"),
            (holds(&it.repetitive), "repetitive"),
            (holds(&it.structurally_bounded), "structurally bounded"),
            (self.structure.bounds.is_bounded(), "bounded by structure"),
        ]
        .into_iter()
        .filter_map(|(is_it, name)| is_it.then_some(name))
        .collect()
    }

    fn place(&self, place: PlaceId) -> &str {
        &self.net.place(place).id
    }

    fn follows(&self, determined: &Determined) -> String {
        let others = determined.others.iter().map(|(p, factor)| (self.place(*p), -factor));
        let factor = if determined.factor == 1 { String::new() } else { format!("{} ", determined.factor) };
        let right = sum(others);
        let right = match (determined.constant, right.is_empty()) {
            (constant, true) => constant.to_string(),
            (0, false) => right,
            (constant, false) if right.starts_with('-') => format!("{constant} - {}", &right[1..]),
            (constant, false) => format!("{constant} + {right}"),
        };
        format!("{factor}{} = {right}", self.place(determined.place))
    }

    fn reason(&self, implicit: &Implicit) -> String {
        let place = self.place(implicit.place);
        match implicit.reason {
            Reason::Unobserved => format!("{place}: nothing tests it"),
            Reason::AlwaysEnough(least) => {
                format!("{place}: always has enough (at least {})", grouped(least))
            }
            Reason::Dominated(by) => format!("{place}: {} is as strict", self.place(by)),
        }
    }

    /// Bounds with the number of places that have each.
    fn bound_counts(&self) -> Vec<(Option<u64>, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for bound in self.structure.bounds.tokens() {
            *counts.entry(bound.map_or((1, 0), |b| (0, b))).or_insert(0usize) += 1;
        }
        counts.into_iter().map(|((open, bound), count)| ((open == 0).then_some(bound), count)).collect()
    }

    fn print(&self, out: &mut impl Write, args: &Info) -> io::Result<()> {
        let full = args.full;
        let (net, class) = (self.net, &self.class);
        writeln!(out, "{}", net.name)?;
        let mut line = |what: &str, text: String| writeln!(out, "{what:<20} {text}");
        line("places", grouped(class.places as u64))?;
        line("transitions", grouped(class.transitions as u64))?;
        let kinds = [
            (class.inputs, "input"),
            (class.outputs, "output"),
            (class.reads, "read"),
            (class.inhibitors, "inhibitor"),
            (class.resets, "reset"),
        ];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds = kinds.map(|(count, kind)| format!("{} {kind}", grouped(*count as u64)));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        line("arcs", format!("{} ({kinds})", grouped(net.arc_count() as u64)))?;
        let total = net.initial_marking().total();
        line("initial tokens", grouped(i128::try_from(total).unwrap_or(i128::MAX)))?;
        line("class", self.classes().join(", "))?;
        line("components", grouped(class.components as u64))?;
        if let Some(units) = net.units() {
            let safe = if units.safe { "claimed to be unit-safe" } else { "not claimed to be unit-safe" };
            line("units (NUPN)", format!("{}, {safe}", grouped(units.units.len() as u64)))?;
        }
        let lists: [(&str, &[PlaceId]); 3] = [
            ("source places", &class.source_places),
            ("sink places", &class.sink_places),
            ("isolated places", &class.isolated_places),
        ];
        for (what, places) in lists.iter().filter(|(_, places)| !places.is_empty()) {
            line(what, table::places(net, places, full))?;
        }
        let lists: [(&str, &[TransitionId]); 4] = [
            ("source transitions", &class.source_transitions),
            ("sink transitions", &class.sink_transitions),
            ("isolated transitions", &class.isolated_transitions),
            ("dead transitions", &self.dead),
        ];
        for (what, transitions) in lists.iter().filter(|(_, transitions)| !transitions.is_empty()) {
            line(what, table::transitions(net, transitions, full))?;
        }
        let bounds = self.bound_counts().into_iter().map(|(bound, count)| match bound {
            Some(bound) => format!("{} at most {}", grouped(count as u64), grouped(bound)),
            None => format!("{} without a bound", grouped(count as u64)),
        });
        line("place bounds", bounds.collect::<Vec<_>>().join(", "))?;
        line("P-semiflows", self.flows.place_summary())?;
        line("T-semiflows", self.flows.transition_summary())?;
        line("siphons", self.siphons.summary())?;
        line("traps", self.siphons.trap_summary())?;
        for (what, places) in
            [("always empty", self.siphons.empty()), ("may become empty", self.siphons.emptiable())]
        {
            if !places.is_empty() {
                line(what, table::places(net, places, full))?;
            }
        }
        if let Some(asked) = &self.asked {
            section(out, &asked.title(), [asked.line()].into_iter(), full)?;
        }
        if full {
            section(out, "bounds", net.place_ids().map(|p| self.bound_line(p)), full)?;
        }
        if args.semiflows || full {
            section(out, "P-semiflows", self.flows.place_lines(), full)?;
            section(out, "T-semiflows", self.flows.transition_lines(), full)?;
            let title = "T-semiflows that are no sum of these";
            section(out, title, self.flows.missing_lines(), full)?;
        }
        if args.siphons || full {
            section(out, "siphons", self.siphons.siphon_lines(full), full)?;
            section(out, "traps", self.siphons.trap_lines(full), full)?;
        }
        let count = grouped(self.determined.len() as u64);
        let title = format!("places that follow from others: {count}");
        section(out, &title, self.determined.iter().map(|d| self.follows(d)), full)?;
        let count = grouped(self.implicit.len() as u64);
        let title = format!("implicit places (they never decide what is enabled): {count}");
        section(out, &title, self.implicit.iter().map(|i| self.reason(i)), full)?;
        if let Some(divided) = &self.divided {
            section(
                out,
                &format!("partition: {}", divided.reason()),
                divided.lines(net, full).into_iter(),
                full,
            )?;
            section(out, "other partitions", divided.other_lines().into_iter(), full)?;
        }
        if let Some(measured) = &self.measured {
            section(out, &measured.title(full), measured.lines(net, full).into_iter(), full)?;
        }
        Ok(())
    }

    fn bound_line(&self, place: PlaceId) -> String {
        match self.structure.bounds.of(place) {
            Some(bound) => format!("{} <= {}  ({})", self.place(place), grouped(bound), self.why(place)),
            None => format!("{}: no bound found", self.place(place)),
        }
    }

    fn why(&self, place: PlaceId) -> &'static str {
        match self.structure.bounds.why(place) {
            Why::Unknown => "unknown",
            Why::NeverGrows => "nothing adds to it",
            Why::Guarded => "what adds to it is guarded by it",
            Why::Semiflow(_) => "semiflow",
            Why::SubInvariant(_) => "sub-invariant",
        }
    }

    /// The weighted sum that bounds the place, if that is how its bound was proven.
    fn proof(&self, place: PlaceId) -> Option<String> {
        let (Why::Semiflow(at) | Why::SubInvariant(at)) = self.structure.bounds.why(place) else {
            return None;
        };
        let certificate = self.structure.bounds.certificates().get(at)?;
        let terms = certificate.weights().iter();
        let terms = terms.map(|(p, weight)| (words::place(self.net, *p), i128::from(*weight)));
        let relation = if certificate.is_equality() { "=" } else { "<=" };
        Some(format!("{} {relation} {}", sum(terms), certificate.constant()))
    }
}
