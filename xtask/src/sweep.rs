//! Sweeps beside full searches: what is explored, what is kept, what it takes.
//!
//! By default each net is swept by the best measure that is found for it, also where that does not pay: the last column
//! says what `--search sweep` would do. With `--large`, Readers-Writers with 320 processes is verified in a budget that a
//! twentieth of its states would fill.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use sweepnet_formats::{Format, Model};
use sweepnet_logic::check::{Verdict, check};
use sweepnet_logic::parse_property;
use sweepnet_logic::progress::{find, parse_progress};
use sweepnet_net::Net;
use sweepnet_space::budget::peak_resident_bytes;
use sweepnet_space::{CodecChoice, Control, Limits, Plan, SearchChoice, StoreChoice, SweepPlan, explore};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::{nets, shared};

use crate::bench::child::cpu_time;

/// What to sweep.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Verify Readers-Writers with 320 processes, 456,222,641 states, in 260 MiB instead: some minutes
    #[arg(long)]
    large: bool,
}

/// Nets of the contest that are swept besides those of the literature.
const CONTEST: [&str; 10] = [
    "CSRepetitions-PT-02",
    "DBSingleClientW-PT-d0m06",
    "DNAwalker-PT-01track12Block1",
    "EGFr-PT-02010",
    "IOTPpurchase-PT-C01M01P01D01",
    "JoinFreeModules-PT-0003",
    "NQueens-PT-08",
    "QuasiCertifProtocol-PT-02",
    "SharedMemory-PT-000005",
    "TwoPhaseLocking-PT-nC00050vN",
];

/// Sweeps and prints.
pub fn run(options: &Options) -> Result<(), String> {
    if options.large { large() } else { table() }
}

fn table() -> Result<(), String> {
    let mut subjects = vec![
        ("Kanban 4".to_owned(), nets::kanban(4)),
        ("FMS 3".to_owned(), nets::fms(3)),
        ("philosophers 10".to_owned(), nets::philosophers(10)),
    ];
    match shared::models() {
        Some(folder) => {
            for paper in ["readers-writers-32", "csm-32"] {
                subjects.push((paper.to_owned(), read(&folder.join(format!("paper/{paper}.pnml")))?));
            }
            for instance in CONTEST {
                let file = folder.join("mcc").join(instance).join("model.pnml");
                match file.exists() {
                    true => subjects.push((instance.to_owned(), read(&file)?)),
                    false => println!("{instance} is not there"),
                }
            }
        }
        None => println!("the shared models are not there: only nets of the literature"),
    }
    println!(
        "{:<38}{:>10}{:>11}{:>10}{:>10}{:>8}{:>9}{:>9}{:>8}  choice",
        "net", "states", "explored", "distinct", "peak", "peak %", "full s", "sweep s", "sweeps"
    );
    for (name, net) in subjects {
        line(&name, &net);
    }
    Ok(())
}

fn line(name: &str, net: &Net) {
    let structure = Structure::of(net, Effort::for_net(net));
    let numbered = Plan {
        search: SearchChoice::BreadthFirst,
        codec: CodecChoice::Fields,
        store: StoreChoice::Flat,
        threads: Some(1),
        ..Plan::knowing(net, &structure)
    };
    let limits = Limits { memory: 4 << 30, time: Some(Duration::from_secs(120)), states: None };
    let control = || Control::new(&limits, Default::default(), |_| {});
    let (full, full_time) = timed(|| explore(net, &numbered, &mut control(), &mut ()));
    let tried = match find(net, &structure, &numbered, &mut control()) {
        Ok(tried) => tried,
        Err(reason) => return println!("{name:<38} no measure: {reason:?}"),
    };
    let Some(best) = tried.trials.first() else { return println!("{name:<38} no measure") };
    let most = Some(full.states.saturating_mul(8));
    let plan = Plan {
        search: SearchChoice::Sweep,
        sweep: Some(SweepPlan { behind: best.behind, ..SweepPlan::by(best.measure.clone()) }),
        ..numbered.clone()
    };
    let limits = Limits { states: most, ..limits };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let (swept, sweep_time) = timed(|| explore(net, &plan, &mut control, &mut ()));
    let choice = if tried.worth().is_some() { "sweep" } else { "full search" };
    let stopped = if swept.is_complete() { "" } else { " (stopped)" };
    // Whatever is explored, the largest counts and the deadlocks must come out the same.
    if swept.is_complete() {
        assert_eq!(full.counts.deadlocks == 0, swept.counts.deadlocks == 0, "{name}: a deadlock was missed");
        assert!(swept.distinct().is_none_or(|states| states == full.states), "{name}: states were missed");
        assert!(swept.states >= full.states, "{name}: states were missed");
    }
    println!(
        "{name:<38}{:>10}{:>11}{:>10}{:>10}{:>8.1}{:>9.2}{:>9.2}{:>8}  {choice}{stopped}",
        full.states,
        swept.states,
        swept.distinct().map_or("-".to_owned(), |states| states.to_string()),
        swept.peak_states,
        100.0 * swept.peak_states as f64 / full.states as f64,
        full_time.as_secs_f64(),
        sweep_time.as_secs_f64(),
        swept.swept.as_ref().map_or(0, |swept| swept.sweeps),
    );
}

/// The budget of the large sweep.
const BUDGET: u64 = 260 << 20;

/// How many processes read and write.
const PROCESSES: u64 = 320;

/// Its measure: how far processes are on their rounds. The last step of a round loses three.
const MEASURE: &str = "#p2 + 2 * #p3 + 2 * #p4 + 3 * #p6 + 3 * #p7";

/// How far behind it keeps states.
const BEHIND: u64 = 3;

fn large() -> Result<(), String> {
    let net = nets::readers_writers(PROCESSES);
    let structure = Structure::of(&net, Effort::for_net(&net));
    let measure = parse_progress(MEASURE, &net).map_err(|error| error.to_string())?;
    let plan = Plan {
        search: SearchChoice::Sweep,
        sweep: Some(SweepPlan { behind: BEHIND, ..SweepPlan::by(measure) }),
        ..Plan::knowing(&net, &structure)
    };
    let property = |text| parse_property(text, &net).map_err(|error| error.to_string());
    let properties = [property("invariant #p7 = 0 or #p6 = 0")?, property("deadlock-free")?];
    let limits = Limits { memory: BUDGET, time: None, states: None };
    let mut control = Control::new(&limits, Default::default(), |_| {});
    let (checked, time) = timed(|| check(&net, &structure, &properties, &plan, &mut control));
    let report = checked.report.as_ref().ok_or("structure decided everything")?;
    let each = report.key_bits.div_ceil(8) as f64 + 6.25;
    let full = STATES as f64 * each;
    println!(
        "Readers-Writers {PROCESSES}: {STATES} states, swept by {MEASURE}, both properties {:?}",
        verdicts(&checked.answers)
    );
    println!("explored {}, at most {} kept, {:?}", report.states, report.peak_states, report.stopped);
    println!(
        "peak memory {:.0} MB of {:.0} MB; all states in the same store: {:.0} MB, {:.0} times the budget",
        peak_resident_bytes().unwrap_or(0) as f64 / 1e6,
        BUDGET as f64 / 1e6,
        full / 1e6,
        full / BUDGET as f64
    );
    println!(
        "on disk, for traces: {:.0} MB",
        report.swept.as_ref().map_or(0, |swept| swept.spooled) as f64 / 1e6
    );
    println!(
        "{:.0} CPU s, {:.0} ns an arc",
        time.as_secs_f64(),
        time.as_nanos() as f64 / report.counts.arcs as f64
    );
    Ok(())
}

/// All states, by the closed form C(n+4, 4) + C(n+2, 3).
const STATES: u64 = {
    let n = PROCESSES;
    (n + 4) * (n + 3) * (n + 2) * (n + 1) / 24 + (n + 2) * (n + 1) * n / 6
};

fn verdicts(answers: &[sweepnet_logic::check::Answer]) -> Vec<Verdict> {
    answers.iter().map(|answer| answer.verdict).collect()
}

pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu_time();
    let done = work();
    (done, cpu_time().saturating_sub(before))
}

pub(crate) fn read(path: &Path) -> Result<Net, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = BufReader::new(File::open(path).map_err(|error| fail(&error))?);
    let document =
        sweepnet_formats::read(file, Format::Pnml, &Default::default()).map_err(|error| fail(&error))?;
    match document.model {
        Model::Plain(net) => Ok(net),
        Model::Coloured(_) => Err(fail(&"a coloured net")),
    }
}
