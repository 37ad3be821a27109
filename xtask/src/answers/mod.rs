//! Known answers: what the Model Checking Contest's tools agreed on, compared with what we say.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use sweepnet_colour::unfold::Limits;
use sweepnet_colour::{ColouredNet, Machine};
use sweepnet_formats::{Format, Model, Options};
use sweepnet_logic::check::{Answer, Value, Verdict};
use sweepnet_logic::{Property, check, contest, parse_property};
use sweepnet_net::Net;
use sweepnet_space::coloured::{self, ColouredPlan};
use sweepnet_space::{CodecChoice, Control, Plan, SearchChoice, Statistics, StoreChoice, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::shared::Instance;

/// In how many ways a net is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// As `auto` does.
    Usual,
    /// By every search and codec.
    All,
    /// As `auto` does, but in this store and with so many threads.
    In {
        /// The store.
        store: StoreChoice,
        /// Threads; as many as there are cores, if nothing is said.
        threads: Option<usize>,
    },
}

/// Coloured nets up to so many states are explored on their own markings, too.
const ON_MARKINGS: u128 = 60_000;

/// Reads a net from a PNML file.
///
/// # Panics
/// If it cannot be read.
pub fn open(path: &Path) -> Model {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document = sweepnet_formats::read(BufReader::new(file), Format::Pnml, &Options::default());
    document.unwrap_or_else(|error| panic!("{}: {error}", path.display())).model
}

/// Reads a place/transition net from a PNML file.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: &Path) -> Net {
    open(path).into_plain().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares everything that is known of an instance. Gives the number of answers compared, or what differs.
pub fn verify(instance: &Instance, ways: Ways) -> Result<usize, Vec<String>> {
    let mut comparison = Comparison { count: 0, mismatches: Vec::new() };
    let net = match open(&instance.model()) {
        Model::Plain(net) => Arc::new(net),
        Model::Coloured(net) => {
            if instance.number("states").is_some_and(|states| states <= ON_MARKINGS) {
                comparison.markings(instance, &net);
            }
            let unfolding = net.unfold(&Limits { nodes: usize::MAX, go_on: &|| true });
            unfolding.map_err(|error| vec![error.to_string()])?.net
        }
    };
    let structure = Structure::of(&net, Default::default());
    let usual = Plan::knowing(&net, &structure);
    let mut plans = Vec::new();
    match ways {
        Ways::Usual => plans.push(usual),
        Ways::In { store, threads } => plans.push(Plan { store, threads, ..usual }),
        Ways::All => {
            for search in &SearchChoice::ALL[1..] {
                for codec in &CodecChoice::ALL[1..] {
                    plans.push(Plan { search: *search, codec: *codec, ..usual.clone() });
                }
            }
        }
    }
    for plan in plans {
        comparison.state_space(instance, &net, &plan);
        comparison.properties(instance, &net, &structure, &plan);
    }
    if comparison.mismatches.is_empty() { Ok(comparison.count) } else { Err(comparison.mismatches) }
}

struct Comparison {
    count: usize,
    mismatches: Vec<String>,
}

impl Comparison {
    fn compare(&mut self, what: &str, ours: String, theirs: &str) {
        self.count += 1;
        if ours != theirs {
            self.mismatches.push(format!("{what}: we say {ours}, known is {theirs}"));
        }
    }

    fn state_space(&mut self, instance: &Instance, net: &Net, plan: &Plan) {
        let mut statistics = Statistics::new(net);
        let report = explore(net, plan, &mut Control::unlimited(), &mut statistics);
        if !report.is_complete() && report.pump.is_none() {
            self.mismatches.push(format!("not explored: {:?}", report.stopped));
            return;
        }
        let finite =
            |number: u128| if report.pump.is_some() { "+inf".to_owned() } else { number.to_string() };
        let in_place = report.maxima.iter().flatten().max().copied().unwrap_or(0);
        for (heading, ours) in [
            ("states", finite(report.states.into())),
            ("edges", finite(report.counts.arcs.into())),
            ("max_tokens_in_marking", finite(statistics.max_total)),
            ("max_tokens_per_place", finite(in_place.into())),
            ("deadlock", (report.counts.deadlocks > 0).to_string().to_uppercase()),
        ] {
            if let Some(theirs) = instance.answer(heading) {
                // An unbounded net may have a dead marking that was not found before it was seen to be unbounded.
                if heading != "deadlock" || report.pump.is_none() {
                    self.compare(heading, ours, theirs);
                }
            }
        }
    }

    /// The state space of a coloured net, on its own markings.
    fn markings(&mut self, instance: &Instance, net: &ColouredNet) {
        let machine = Machine::new(net);
        let plan = ColouredPlan::default();
        let report = coloured::explore(net, &machine, &plan, &mut Control::unlimited(), &mut ());
        if !report.is_complete() {
            self.mismatches.push(format!("not explored: {:?}", report.stopped));
            return;
        }
        let of_a_value = report.maxima.of_a_value.iter().max().copied().unwrap_or(0);
        for (heading, ours) in [
            ("states", report.states.to_string()),
            ("edges", report.counts.arcs.to_string()),
            ("max_tokens_in_marking", report.maxima.total.to_string()),
            ("max_tokens_per_place", of_a_value.to_string()),
            ("deadlock", (report.counts.deadlocks > 0).to_string().to_uppercase()),
        ] {
            if let Some(theirs) = instance.answer(heading) {
                self.compare(&format!("{heading} on markings"), ours, theirs);
            }
        }
    }

    fn properties(&mut self, instance: &Instance, net: &Net, structure: &Structure, plan: &Plan) {
        let mut properties = Vec::new();
        let mut known = Vec::new();
        for (heading, text) in [
            ("deadlock", "reachable deadlock"),
            ("quasi_live", "quasi-live"),
            ("stable_marking", "some-stable"),
            ("safe", "safe"),
        ] {
            if let Some(theirs) = instance.answer(heading) {
                properties.push(Property {
                    name: heading.to_owned(),
                    ..parse_property(text, net).expect("it is a property")
                });
                known.push(theirs.to_owned());
            }
        }
        for examination in ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds"] {
            let expected = instance.expected(examination);
            if expected.is_empty() {
                continue;
            }
            let path = instance.folder.join(format!("{examination}.xml"));
            // Some instances come with verdicts but without the formulas.
            let Ok(file) = File::open(&path) else { continue };
            let read = contest::read_properties(BufReader::new(file), net, net);
            for property in read.unwrap_or_else(|error| panic!("{}: {error}", path.display())) {
                let Some((_, theirs)) = expected.iter().find(|(id, _)| *id == property.id) else { continue };
                match property.property {
                    Ok(resolved) => {
                        properties.push(Property { name: property.id, ..resolved });
                        known.push(theirs.clone());
                    }
                    Err(why) => self.mismatches.push(format!("{}: {why}", property.id)),
                }
            }
        }
        let checked = check(net, structure, &properties, plan, &mut Control::unlimited());
        for ((property, answer), theirs) in properties.iter().zip(&checked.answers).zip(&known) {
            self.compare(&property.name, said(answer), theirs);
        }
    }
}

fn said(answer: &Answer) -> String {
    match (answer.value, answer.verdict) {
        (Some(Value::Exactly(number)), _) => number.to_string(),
        (Some(Value::Unbounded), _) => "+inf".to_owned(),
        (_, Verdict::Holds) => "TRUE".to_owned(),
        (_, Verdict::Violated) => "FALSE".to_owned(),
        (_, Verdict::Unknown) => format!("unknown ({:?})", answer.undecided),
    }
}
