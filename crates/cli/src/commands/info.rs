//! `info`: what is known without exploring.

mod partition;
mod progress;

use std::io::{self, Write};

use serde_json::{Map, Value, json};
use sweepnet_formats::Warning;
use sweepnet_net::{Net, PlaceId, TransitionId};
use sweepnet_structure::implicit::Reason;
use sweepnet_structure::{
    Class, Determined, Effort, Implicit, Semiflow, Semiflows, Structure, Why, is_conservative, is_consistent,
    transition_semiflows,
};

use crate::Ending;
use crate::args::Info;
use crate::failure::Failure;
use crate::input::{self, Unfolded};
use crate::quantity::grouped;
use crate::report::table;
use partition::Divided;
use progress::Measured;

/// Runs `info`.
pub fn run(args: &Info) -> Result<Ending, Failure> {
    let Unfolded { net, folded, warnings } = input::read_unfolded(&args.input, args.saying, None)?;
    let effort = Effort::for_net(&net);
    let structure = Structure::of(&net, effort);
    let divided = Divided::of(&net, &structure, args.partition.as_ref())?;
    let known = Known {
        class: structure.class(&net),
        determined: structure.determined_places(&net),
        implicit: structure.implicit_places(&net),
        transition_semiflows: transition_semiflows(&net, effort.semiflows),
        dead: structure.dead_transitions().collect(),
        divided,
        measured: Measured::of(&net, folded.as_deref(), &structure, args.progress.as_deref())?,
        net: &net,
        structure: &structure,
    };
    if args.saying.json {
        writeln!(io::stdout(), "{:#}", known.json(&warnings))?;
    } else {
        let mut out = io::BufWriter::new(io::stdout().lock());
        known.print(&mut out, args.full)?;
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
    transition_semiflows: Semiflows,
    dead: Vec<TransitionId>,
    divided: Option<Divided>,
    measured: Option<Measured>,
}

/// Lines shown of a long list.
const LINES: usize = 12;

impl Known<'_> {
    /// The classes that the net belongs to.
    fn classes(&self) -> Vec<&'static str> {
        let class = &self.class;
        let conservative = is_conservative(self.net, &self.structure.place_semiflows) == Some(true);
        let consistent = is_consistent(self.net, &self.transition_semiflows) == Some(true);
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
            (conservative, "conservative"),
            (class.token_conserving, "token conserving"),
            (consistent, "consistent"),
            (self.structure.bounds.is_bounded(), "bounded by structure"),
        ]
        .into_iter()
        .filter_map(|(is_it, name)| is_it.then_some(name))
        .collect()
    }

    fn place(&self, place: PlaceId) -> &str {
        &self.net.place(place).id
    }

    /// A weighted sum: `p + 2 q`.
    fn sum<'a>(&self, terms: impl Iterator<Item = (&'a str, i128)>) -> String {
        let mut text = String::new();
        for (name, factor) in terms {
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            if factor.unsigned_abs() != 1 {
                text.push_str(&format!("{} ", factor.unsigned_abs()));
            }
            text.push_str(name);
        }
        text
    }

    fn place_flow(&self, flow: &Semiflow) -> String {
        let terms = flow.weights.iter().map(|(p, w)| (self.place(PlaceId::new(*p)), i128::from(*w)));
        let constant = flow.constant(self.net).map_or("constant".to_owned(), |constant| constant.to_string());
        format!("{} = {constant}", self.sum(terms))
    }

    fn transition_flow(&self, flow: &Semiflow) -> String {
        let name = |t: usize| &*self.net.transition(TransitionId::new(t)).id;
        self.sum(flow.weights.iter().map(|(t, w)| (name(*t), i128::from(*w))))
    }

    fn follows(&self, determined: &Determined) -> String {
        let others = determined.others.iter().map(|(p, factor)| (self.place(*p), -factor));
        let factor = if determined.factor == 1 { String::new() } else { format!("{} ", determined.factor) };
        let right = self.sum(others);
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

    fn print(&self, out: &mut impl Write, full: bool) -> io::Result<()> {
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
        if full {
            section(out, "bounds", net.place_ids().map(|p| self.bound_line(p)), full)?;
        }
        let flows = &self.structure.place_semiflows;
        let title = semiflow_title("P-semiflows", flows);
        section(out, &title, flows.flows.iter().map(|flow| self.place_flow(flow)), full)?;
        let flows = &self.transition_semiflows;
        let title = semiflow_title("T-semiflows", flows);
        section(out, &title, flows.flows.iter().map(|flow| self.transition_flow(flow)), full)?;
        let count = grouped(self.determined.len() as u64);
        let title = format!("places that follow from others: {count}");
        section(out, &title, self.determined.iter().map(|d| self.follows(d)), full)?;
        let count = grouped(self.implicit.len() as u64);
        let title = format!("implicit places (they never decide what is enabled): {count}");
        section(out, &title, self.implicit.iter().map(|i| self.reason(i)), full)?;
        if let Some(divided) = &self.divided {
            section(out, &format!("partition: {}", divided.reason()), divided.lines(net, full), full)?;
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

    fn json(&self, warnings: &[Warning]) -> Value {
        let (net, class) = (self.net, &self.class);
        let place_names = |places: &[PlaceId]| places.iter().map(|p| self.place(*p)).collect::<Vec<_>>();
        let transition_names = |transitions: &[TransitionId]| {
            transitions.iter().map(|t| &*net.transition(*t).id).collect::<Vec<_>>()
        };
        let weights = |flow: &Semiflow, name: &dyn Fn(usize) -> String| {
            flow.weights.iter().map(|(i, w)| (name(*i), Value::from(*w))).collect::<Map<_, _>>()
        };
        let place_name = |p: usize| self.place(PlaceId::new(p)).to_owned();
        let transition_name = |t: usize| net.transition(TransitionId::new(t)).id.to_string();
        let place_flows = &self.structure.place_semiflows;
        let transition_flows = &self.transition_semiflows;
        json!({
            "schema": "sweepnet/info/1",
            "model": net.name,
            "places": class.places,
            "transitions": class.transitions,
            "arcs": {
                "total": net.arc_count(),
                "input": class.inputs,
                "output": class.outputs,
                "read": class.reads,
                "inhibitor": class.inhibitors,
                "reset": class.resets,
            },
            "initial_tokens": crate::report::json::number(
                i128::try_from(net.initial_marking().total()).unwrap_or(i128::MAX)
            ),
            "classes": self.classes(),
            "components": class.components,
            "units": net.units().map(|units| json!({ "units": units.units.len(), "claimed_safe": units.safe })),
            "source_places": place_names(&class.source_places),
            "sink_places": place_names(&class.sink_places),
            "isolated_places": place_names(&class.isolated_places),
            "source_transitions": transition_names(&class.source_transitions),
            "sink_transitions": transition_names(&class.sink_transitions),
            "isolated_transitions": transition_names(&class.isolated_transitions),
            "dead_transitions": transition_names(&self.dead),
            "bounds": net.place_ids().map(|p| (self.place(p).to_owned(), json!({
                "bound": self.structure.bounds.of(p),
                "why": self.why(p),
            }))).collect::<Map<_, _>>(),
            "place_semiflows": {
                "complete": place_flows.complete,
                "flows": place_flows.flows.iter().map(|flow| json!({
                    "weights": weights(flow, &place_name),
                    "constant": flow.constant(net).map(crate::report::json::number),
                })).collect::<Vec<_>>(),
            },
            "transition_semiflows": {
                "complete": transition_flows.complete,
                "flows": transition_flows.flows.iter().map(|flow| json!({
                    "weights": weights(flow, &transition_name),
                })).collect::<Vec<_>>(),
            },
            "determined_places": self.determined.iter().map(|d| json!({
                "place": self.place(d.place),
                "equation": self.follows(d),
            })).collect::<Vec<_>>(),
            "implicit_places": self.implicit.iter().map(|i| json!({
                "place": self.place(i.place),
                "reason": self.reason(i),
            })).collect::<Vec<_>>(),
            "partition": self.divided.as_ref().map(|divided| divided.json(net)),
            "progress": self.measured.as_ref().map(|measured| measured.json(net)),
            "warnings": crate::report::json::warnings(warnings, &[]),
        })
    }
}

fn semiflow_title(what: &str, flows: &Semiflows) -> String {
    let count = grouped(flows.flows.len() as u64);
    if flows.complete {
        format!("minimal {what}: {count}")
    } else {
        format!("{what}: {count} found (there are more than could be listed)")
    }
}

fn section(
    out: &mut impl Write,
    title: &str,
    lines: impl ExactSizeIterator<Item = String>,
    full: bool,
) -> io::Result<()> {
    let count = lines.len();
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    let shown = if full { count } else { LINES.min(count) };
    for line in lines.take(shown) {
        let cut = if full { None } else { line.char_indices().nth(160).map(|(at, _)| at) };
        match cut {
            Some(at) => writeln!(out, "  {} …", &line[..at])?,
            None => writeln!(out, "  {line}")?,
        }
    }
    if shown < count {
        writeln!(out, "  … and {} more (--full shows all)", grouped((count - shown) as u64))?;
    }
    Ok(())
}
