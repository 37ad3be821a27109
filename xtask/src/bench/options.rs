//! What can be asked of the benchmark.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use sweepnet_net::Net;
use sweepnet_space::{CodecChoice, Plan, SearchChoice, StoreChoice};
use sweepnet_structure::Structure;

use super::Subject;
use super::subjects::Given;

/// What to measure, and where the figures go.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only nets whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub filter: String,
    /// Only some small nets: some seconds in all
    #[arg(long)]
    pub quick: bool,
    /// Only nets with at most this many states
    #[arg(long, value_name = "STATES", default_value_t = u64::MAX, hide_default_value = true)]
    pub up_to: u64,
    /// With so many threads; several numbers give several rows per net [default: 1, and 2 where two are promised to be
    /// faster]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub threads: Vec<usize>,
    /// How our engine explores.
    #[command(flatten)]
    pub how: How,
    /// Measure so many times and take the least CPU time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// On which nets the naive twin runs, too
    #[arg(long, value_enum, default_value_t = Twin::Fits)]
    pub naive: Twin,
    /// The same as `--naive none`
    #[arg(long, conflicts_with = "naive")]
    pub no_naive: bool,
    /// Print the table in Markdown
    #[arg(long)]
    pub markdown: bool,
    /// Write all figures to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Compare with the figures in a file that `--json` wrote
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Make one measurement of this net in this process
    #[arg(long, value_name = "NET", hide = true)]
    pub child: Option<String>,
    /// What the child explores with
    #[arg(long, value_enum, default_value_t = Engine::Ours, hide = true)]
    pub engine: Engine,
}

impl Options {
    /// With how many threads a net is explored, one row for each.
    pub fn threads_for(&self, subject: &Subject) -> &[usize] {
        match self.threads.as_slice() {
            _ if subject.is_on_markings() => &[1],
            [] if subject.scales => &[1, 2],
            [] => &[1],
            chosen => chosen,
        }
    }

    /// On which nets the twin runs.
    pub fn twin(&self) -> Twin {
        if self.no_naive { Twin::None } else { self.naive }
    }
}

/// How our engine explores.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct How {
    /// The order of visits
    #[arg(long, value_parser = choice(SearchChoice::ALL, SearchChoice::name), default_value = "auto")]
    pub search: SearchChoice,
    /// How states are encoded
    #[arg(long, value_parser = choice(CodecChoice::ALL, CodecChoice::name), default_value = "auto")]
    pub codec: CodecChoice,
    /// How states are kept
    #[arg(long, value_parser = choice(StoreChoice::ALL, StoreChoice::name), default_value = "auto")]
    pub store: StoreChoice,
    /// What watches
    #[arg(long, value_enum, default_value_t = Watching::None)]
    pub observer: Watching,
}

impl How {
    /// The plan for a net.
    pub fn plan(&self, net: &Net, structure: &Structure, threads: usize) -> Plan {
        let Self { search, codec, store, observer: _ } = *self;
        Plan { search, codec, store, threads: Some(threads), ..Plan::knowing(net, structure) }
    }

    /// As options and their values.
    fn options(&self) -> [(&'static str, &'static str); 4] {
        [
            ("search", self.search.name()),
            ("codec", self.codec.name()),
            ("store", self.store.name()),
            ("observer", self.observer.name()),
        ]
    }

    /// For the file.
    pub fn to_json(&self) -> Value {
        self.options().iter().map(|(option, value)| ((*option).to_owned(), json!(value))).collect()
    }
}

/// What watches an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Watching {
    /// Nothing: the bare exploration
    None,
    /// What `sweepnet explore` has: tokens, maxima, transitions that fired
    Statistics,
}

impl Watching {
    fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Statistics => "statistics",
        }
    }
}

/// What explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// The library
    Ours,
    /// The naive twin
    Naive,
}

/// On which nets the naive twin runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Twin {
    /// Up to 7 million states, where they fit half of the free memory; for large coloured nets on a smaller one
    Fits,
    /// All
    All,
    /// None
    None,
}

/// The most states that the twin explores unless it is told to explore all.
const TWIN_STATES: u64 = 7_000_000;

impl Twin {
    /// The net on which the twin runs for a row: the row's own, or a smaller one.
    pub fn of(self, subject: &Subject) -> Option<&Subject> {
        match (self, subject.smaller) {
            (Self::All, _) => Some(subject),
            (Self::None, _) => None,
            (Self::Fits, Some(smaller)) => Subject::named(smaller),
            (Self::Fits, None) => (subject.states <= TWIN_STATES && fits(subject)).then_some(subject),
        }
    }
}

/// Whether the twin is likely to stay within half of the free memory: it has a vector of eight-byte counts for
/// each state, another for those in its queue (a quarter, say), and the table.
/// (Coloured nets on which it runs are all small.)
fn fits(subject: &Subject) -> bool {
    let Given::Plain(net) = subject.given() else { return true };
    let vector = 16 + 8 * net.places().len() as u64;
    let bytes = subject.states * (vector + vector / 4 + 80);
    let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = available.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.is_none_or(|kilobytes| bytes <= kilobytes * 1024 / 2)
}

/// The arguments that make a child measure a net.
pub fn child_arguments(net: &str, engine: Engine, how: &How, threads: usize) -> Vec<String> {
    let engine = if engine == Engine::Ours { "ours" } else { "naive" };
    let mut arguments = ["bench", "--child", net, "--engine", engine].map(str::to_owned).to_vec();
    arguments.extend(["--threads".to_owned(), threads.to_string()]);
    for (option, value) in how.options() {
        arguments.extend([format!("--{option}"), value.to_owned()]);
    }
    arguments
}

/// Reads one of some choices by its name.
fn choice<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(|choice| PossibleValue::new(name(*choice)))).map(move |text| {
        *all.iter().find(|choice| name(**choice) == text).expect("clap admits only the names of choices")
    })
}
