//! The one definition of all commands and options. Help, man pages and shell completions come from here.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum, builder::PossibleValue};
use sweepnet_language::Setting;
use sweepnet_space::product::partition::PartitionChoice;
use sweepnet_space::{CodecChoice, SearchChoice, StoreChoice};

use crate::division::Division;
use crate::quantity;

/// Explores and verifies Petri nets in little memory, and fast.
///
/// Reads models in its own language (.snet), PNML (place/transition nets and symmetric nets), TINA (.net) and LoLA
/// files. Exit codes: 0 every property holds (or the job is done), 1 some
/// property is violated, 2 usage or input error, 3 undecided.
#[derive(Debug, Parser)]
#[command(name = "sweepnet", version, max_term_width = 100)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer questions about the reachable markings, with traces
    Check(Check),
    /// Visit all reachable markings: counts, bounds, deadlocks, memory, speed
    Explore(Explore),
    /// Tell what is known of a net without exploring it
    Info(Info),
    /// Play the token game in the terminal
    Simulate(Simulate),
    /// Write the reachability graph to a file
    Graph(Graph),
    /// Ask a graph that was kept in a file, without exploring again
    Query(Query),
    /// Translate a net from one format to another
    Convert(Convert),
    /// Put models of the Sweepnet language into the canonical layout
    Fmt(Fmt),
    /// Tell what is suspicious about a model, and what could be had cheaper
    Lint(Lint),
    /// Answer an examination of the Model Checking Contest, in its protocol
    Mcc(Mcc),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page, or write all of them to a folder
    Man(Man),
}

/// A net in a file.
#[derive(Clone, Debug, ClapArgs)]
pub struct Input {
    /// The model: a .snet, .pnml, .net (TINA) or .lola file, or - for standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Give a parameter of an .snet model another value, as in N=9; may be given several times
    #[arg(long = "set", value_parser = parse_parameter, value_name = "NAME=VALUE")]
    pub parameters: Vec<(String, Setting)>,

    /// Read the file as this format, whatever its name
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ReadFormat>,

    /// Which net of a file with several: its id, name or number (from 1)
    #[arg(long, value_name = "NET")]
    pub net: Option<String>,
}

/// How to explore, and within what limits.
#[derive(Clone, Debug, ClapArgs)]
#[command(next_help_heading = "Exploration")]
pub struct Exploring {
    /// The order in which states are visited
    #[arg(long, value_parser = choice(SearchChoice::ALL), default_value = "auto", value_name = "SEARCH")]
    pub search: SearchChoice,

    /// How far a state is, for --search sweep: an integer such as '#received', several compared from left to right
    /// ('#a, 2 * #b + #c'), vector(#a, #b) where all must advance, clock for timed nets, or auto [default: what the
    /// model declares, or auto]
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub progress: Option<String>,

    /// Keep states up to this far behind the present progress value of a sweep, by its first number, so that steps which
    /// lose no more are recognised [default: 0, or what was found together with the measure]
    #[arg(long, value_name = "N")]
    pub behind: Option<u64>,

    /// The size of the circular memory for --search window, as in 25M [default: most of what --memory leaves]
    #[arg(long, value_parser = quantity::parse_bytes, value_name = "BYTES")]
    pub window: Option<u64>,

    /// Stop the sweep at the first step that loses progress, and show it
    #[arg(long)]
    pub monotone: bool,

    /// Find the traces of a sweep by sweeping again, instead of writing to disk where each state came from
    #[arg(long, conflicts_with = "spool")]
    pub no_spool: bool,

    /// Write where each state of a sweep or window came from to a file in this folder [default: the system's temporary folder]
    #[arg(long, value_name = "FOLDER")]
    pub spool: Option<PathBuf>,

    /// Draw how many states each progress value of the sweep had, as an SVG file
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Tell what --search auto looked at before it chose
    #[arg(long)]
    pub explain: bool,

    /// How states are encoded: bits by each place's bound (fields), 64 bits a place (plain), as one number made of the
    /// numbers of local markings (product), or as multisets of values (multiset, for coloured nets)
    #[arg(long, value_parser = choice(CodecChoice::ALL), default_value = "auto", value_name = "CODEC")]
    pub codec: CodecChoice,

    /// How states are kept: one after another, with an index (flat), a few bits for each state there could be
    /// (bitmap), or a table of what is left of a state when its position says the rest (quotient)
    #[arg(long, value_parser = choice(StoreChoice::ALL), default_value = "auto", value_name = "STORE")]
    pub store: StoreChoice,

    /// How the places are divided into components: auto, one (all together), file (runs in file order), file:N
    /// (N runs), semiflows, units, colours, clusters, or @FILE: one component per line, as names of places
    #[arg(long, value_parser = Division::parse, default_value = "auto", value_name = "PARTITION")]
    pub partition: Division,

    /// How a coloured net is explored: as the place/transition net that it stands for (unfolded), or on multisets of
    /// values (coloured); auto unfolds where that is of reasonable size
    #[arg(long, value_enum, default_value = "auto", value_name = "ENGINE")]
    pub engine: Engine,

    /// How many threads search, up to 256 [default: one for each core, where the state space is large]
    #[arg(long, value_parser = quantity::parse_threads, value_name = "N")]
    pub threads: Option<usize>,

    /// Stop before using more memory than this, as in 512M or 2G [default: most of what is free]
    #[arg(long, value_parser = quantity::parse_bytes, value_name = "BYTES")]
    pub memory: Option<u64>,

    /// Stop after this time, as in 90s or 10m
    #[arg(long, value_parser = quantity::parse_duration, value_name = "TIME")]
    pub time: Option<Duration>,

    /// Stop when more states than this are found, as in 1000000 or 10M
    #[arg(long, value_parser = quantity::parse_positive, value_name = "N")]
    pub states: Option<u64>,

    /// Try transitions in an order that this number chooses, instead of the file's; it changes which
    /// states come first and which of several shortest traces is shown, never an answer
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// What to do when the net turns out to have infinitely many states: stop, or go on up to the limits
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT")]
    pub unbounded: WhenUnbounded,
}

impl Exploring {
    /// Everything as usual, within these limits.
    pub fn within(memory: Option<u64>, time: Option<Duration>) -> Self {
        Self {
            search: SearchChoice::Auto,
            progress: None,
            explain: false,
            behind: None,
            window: None,
            monotone: false,
            no_spool: false,
            spool: None,
            plot: None,
            codec: CodecChoice::Auto,
            store: StoreChoice::Auto,
            partition: Division::Choice(PartitionChoice::Auto),
            engine: Engine::Auto,
            threads: None,
            memory,
            time,
            states: None,
            seed: None,
            unbounded: WhenUnbounded::Stop,
        }
    }
}

/// How to say it.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub struct Saying {
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,

    /// No progress line, no warnings, no more than the answer
    #[arg(long, short)]
    pub quiet: bool,
}

/// What is asked, and how traces are shown.
#[derive(Clone, Debug, ClapArgs)]
pub struct Asking {
    /// A property, as in 'invariant #p1 + #p2 <= 1', 'reachable enabled(t7) and #p3 = 0', 'bound #p',
    /// 'safe', 'dead t'; may be given several times
    #[arg(long = "property", short, value_name = "PROPERTY")]
    pub properties: Vec<String>,

    /// A file of properties: 'property NAME: …', or the contest's XML; may be given several times
    #[arg(long = "properties", short = 'P', value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// No marking without enabled transitions can be reached; the same as -p deadlock-free
    #[arg(long)]
    pub deadlock: bool,

    /// Show whole markings in traces, not only what changes
    #[arg(long)]
    pub full: bool,

    /// Write each trace to a file NAME.scn in this folder, to be replayed by simulate
    #[arg(long, value_name = "FOLDER")]
    pub traces: Option<PathBuf>,
}

/// `check`
#[derive(Debug, ClapArgs)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub asking: Asking,

    #[command(flatten)]
    pub exploring: Exploring,

    #[command(flatten)]
    pub saying: Saying,
}

/// `explore`
#[derive(Debug, ClapArgs)]
pub struct Explore {
    #[command(flatten)]
    pub input: Input,

    /// List the bound of every place, however many there are
    #[arg(long)]
    pub bounds: bool,

    /// Tell how many bytes the states of a coloured net take in the multiset codec: plain, with capacities, and
    /// without derived places
    #[arg(long)]
    pub sizes: bool,

    #[command(flatten)]
    pub exploring: Exploring,

    #[command(flatten)]
    pub saying: Saying,
}

/// `info`
#[derive(Debug, ClapArgs)]
pub struct Info {
    #[command(flatten)]
    pub input: Input,

    /// List everything, however long
    #[arg(long)]
    pub full: bool,

    /// List the minimal P- and T-semiflows, with ranks
    #[arg(long)]
    pub semiflows: bool,

    /// List the minimal siphons and traps
    #[arg(long)]
    pub siphons: bool,

    /// Use no more memory than this, as in 512M or 2G, and tell what is known then [default: most of what is free]
    #[arg(long, value_parser = quantity::parse_bytes, value_name = "BYTES")]
    pub memory: Option<u64>,

    /// Stop looking after this time, as in 10s, and tell what is known then
    #[arg(long, value_parser = quantity::parse_duration, value_name = "TIME")]
    pub time: Option<Duration>,

    /// Tell whether the state equation has a solution with these tokens: '#p = 3 and #q >= 1'
    #[arg(long, value_name = "TARGET")]
    pub state_equation: Option<String>,

    /// Show how the places are divided by this choice (as in explore), however many there are [default: auto, for
    /// nets of up to 2,000 places]
    #[arg(long, value_parser = Division::parse, value_name = "PARTITION")]
    pub partition: Option<Division>,

    /// Show what each transition does to this progress measure (as in explore), however wide the net is [default: what
    /// the model declares, or auto, for nets of up to 2,000 places]
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub progress: Option<String>,

    #[command(flatten)]
    pub saying: Saying,
}

/// `simulate`
#[derive(Debug, ClapArgs)]
pub struct Simulate {
    #[command(flatten)]
    pub input: Input,

    /// Fire the transitions of this file first (as check --traces writes them)
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,

    /// Fire this many transitions at random, print each, and end
    #[arg(long, value_parser = quantity::parse_count, value_name = "N")]
    pub random: Option<u64>,

    /// Where chance begins: the same seed gives the same play
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,

    #[command(flatten)]
    pub saying: Saying,
}

/// `graph`
#[derive(Debug, ClapArgs)]
pub struct Graph {
    #[command(flatten)]
    pub input: Input,

    /// The file to write: .swg keeps the graph in a few bits per arc, to be asked by query; .aut, .json and .dot are for
    /// other tools. A model that is itself such a .swg file is translated
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,

    /// Draw strongly connected components instead of states (.dot only); done by itself beyond 500 states
    #[arg(long)]
    pub condensed: bool,

    #[command(flatten)]
    pub exploring: Exploring,

    #[command(flatten)]
    pub saying: Saying,
}

/// `query`
#[derive(Debug, ClapArgs)]
pub struct Query {
    /// The graph: a .swg file that graph has written
    #[arg(value_name = "GRAPH")]
    pub graph: PathBuf,

    /// Refuse a graph that is not the graph of this model
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub asking: Asking,

    /// Tell what can be told of the graph in numbers
    #[arg(long)]
    pub stats: bool,

    /// Stop before using more memory than this, as in 512M or 2G [default: most of what is free]
    #[arg(long, value_parser = quantity::parse_bytes, value_name = "BYTES")]
    pub memory: Option<u64>,

    /// Stop after this time, as in 90s or 10m
    #[arg(long, value_parser = quantity::parse_duration, value_name = "TIME")]
    pub time: Option<Duration>,

    #[command(flatten)]
    pub saying: Saying,
}

/// `convert`
#[derive(Debug, ClapArgs)]
pub struct Convert {
    #[command(flatten)]
    pub input: Input,

    /// The file to write: .pnml, .net, .lola or .dot; - for standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,

    /// Write this format, whatever the file's name
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<NetFormat>,

    /// Use no more memory than this to read and unfold the net, as in 512M or 2G [default: most of what is free]
    #[arg(long, value_parser = quantity::parse_bytes, value_name = "BYTES")]
    pub memory: Option<u64>,

    /// Give up if the net is not read and unfolded after this time, as in 10s
    #[arg(long, value_parser = quantity::parse_duration, value_name = "TIME")]
    pub time: Option<Duration>,

    #[command(flatten)]
    pub saying: Saying,
}

/// `fmt`
#[derive(Debug, ClapArgs)]
pub struct Fmt {
    /// The files to rewrite; - reads standard input and writes standard output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Change nothing; exit with 1 if a file is not formatted
    #[arg(long)]
    pub check: bool,
}

/// `lint`
#[derive(Debug, ClapArgs)]
pub struct Lint {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub saying: Saying,
}

/// `mcc`
#[derive(Debug, ClapArgs)]
pub struct Mcc {
    /// What is asked: StateSpace, ReachabilityDeadlock, ReachabilityCardinality, ReachabilityFireability,
    /// UpperBounds, OneSafe, QuasiLiveness, StableMarking, Liveness, CTLCardinality, CTLFireability,
    /// LTLCardinality or LTLFireability
    #[arg(value_name = "EXAMINATION", env = "BK_EXAMINATION")]
    pub examination: String,

    /// The instance's folder, with model.pnml and the formulas
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,

    #[command(flatten)]
    pub exploring: Exploring,

    /// No progress line, no warnings
    #[arg(long, short)]
    pub quiet: bool,
}

/// `completions`
#[derive(Debug, ClapArgs)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `man`
#[derive(Debug, ClapArgs)]
pub struct Man {
    /// Write the pages of all commands to this folder
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// Formats that nets come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReadFormat {
    /// PNML, ISO/IEC 15909-2
    Pnml,
    /// TINA's .net
    #[value(alias = "net")]
    Tina,
    /// LoLA
    Lola,
    /// The Sweepnet language
    Snet,
}

impl ReadFormat {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pnml => "pnml",
            Self::Tina => "tina",
            Self::Lola => "lola",
            Self::Snet => "snet",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Pnml, Self::Tina, Self::Lola, Self::Snet].into_iter().find(|format| format.name() == name)
    }
}

/// Formats that nets go out in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetFormat {
    /// PNML, ISO/IEC 15909-2
    Pnml,
    /// TINA's .net
    #[value(alias = "net")]
    Tina,
    /// LoLA
    Lola,
    /// Graphviz
    Dot,
}

impl From<NetFormat> for sweepnet_formats::Format {
    fn from(format: NetFormat) -> Self {
        match format {
            NetFormat::Pnml => Self::Pnml,
            NetFormat::Tina => Self::Tina,
            NetFormat::Lola => Self::Lola,
            NetFormat::Dot => Self::Dot,
        }
    }
}

/// How coloured nets are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Unfolded where that is of reasonable size
    Auto,
    /// As the place/transition net that it stands for
    Unfolded,
    /// On multisets of values
    Coloured,
}

/// What to do when a net is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WhenUnbounded {
    /// Stop and show why
    Stop,
    /// Go on until a limit is reached
    Continue,
}

impl WhenUnbounded {
    /// How many states are still looked at.
    pub fn beyond(self) -> u64 {
        match self {
            Self::Stop => 0,
            Self::Continue => u64::MAX,
        }
    }
}

/// A parameter with its value: `N=9`.
fn parse_parameter(text: &str) -> Result<(String, Setting), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let (name, value) = (name.trim(), value.trim());
    let setting = match (name, value) {
        ("", _) => return Err("the parameter has no name: write NAME=VALUE, as in N=9".to_owned()),
        (_, "") => return Err("the parameter has no value: write NAME=VALUE, as in N=9".to_owned()),
        _ => Setting::read(value)
            .ok_or_else(|| format!("'{value}' is neither an integer of 64 bits nor true or false"))?,
    };
    Ok((name.to_owned(), setting))
}

/// A parser for one of the choices a library offers.
fn choice<T>(all: &'static [T]) -> impl clap::builder::TypedValueParser<Value = T>
where
    T: Copy + Named + Send + Sync + PartialEq,
{
    use clap::builder::TypedValueParser;
    let names = all.iter().map(|choice| PossibleValue::new(choice.name()));
    clap::builder::PossibleValuesParser::new(names).map(move |name| {
        let found = all.iter().find(|choice| choice.name() == name);
        *found.expect("clap admits only the names of choices")
    })
}

/// Something with a name on the command line.
trait Named {
    fn name(&self) -> &'static str;
}

macro_rules! named {
    ($($choice:ty),+) => {
        $(impl Named for $choice {
            fn name(&self) -> &'static str {
                Self::name(*self)
            }
        })+
    };
}

named!(SearchChoice, CodecChoice, StoreChoice);
