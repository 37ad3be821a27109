//! The benchmark: how fast nets are explored, and in how little memory, beside the naive twin in the same run.
//!
//! Each measurement is made in a process of its own ([`child`]), so that CPU time and peak memory belong to it
//! alone; the parent ([`run`]) starts them one after another, ours and the twin in turn, so that a busy machine
//! slows both. [`subjects`] are the nets, [`coloured`] gets those that are coloured, [`options`] is what can be asked,
//! [`figures`] what is measured, [`row`] the measurements of one net; [`table`] prints rows and [`compare`] holds them
//! against earlier ones, [`promises`] against what is promised.
//!
//! CPU time is that of the process, unfolding and structure analysis included, reading of files not. Of several runs
//! the one with the least CPU time counts: noise only ever adds. Short ones are measured several times in any case.

pub mod child;
pub mod coloured;
pub mod compare;
pub mod figures;
pub mod options;
pub mod promises;
pub mod row;
pub mod subjects;
pub mod table;

use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::{Value, json};

pub use figures::Figures;
pub use options::{Engine, How, Options, Twin};
pub use row::Row;
pub use subjects::Subject;

use table::Table;

/// A measurement that takes fewer CPU seconds than this is made at least so many times.
const SHORT: f64 = 0.1;
const RUNS_OF_SHORT: u32 = 5;

/// And so are those of nets for which two threads are promised to be faster than one.
const RUNS_OF_SCALING: u32 = 3;

/// Measures what the options ask for, with children made of a program (this one, usually).
pub fn run(options: &Options, program: &Path) -> ExitCode {
    if cfg!(debug_assertions) {
        eprintln!("warning: not a release build, the times mean little; run `cargo xtask bench`");
    }
    let old = match options.compare.as_deref().map(row::read).transpose() {
        Ok(old) => old,
        Err(error) => return failure(&error),
    };
    let table = if options.markdown { Table::Markdown } else { Table::Text };
    table.print_headings();
    let (mut rows, mut failed) = (Vec::new(), false);
    for subject in subjects::chosen(options) {
        if !subject.is_available() {
            eprintln!("skipped: {} is not among shared models beside this checkout", subject.name);
            continue;
        }
        match measured(subject, options, program) {
            Ok(of_it) => {
                of_it.iter().for_each(|row| table.print(row));
                rows.extend(of_it);
            }
            Err(error) => {
                eprintln!("FAILED  {}: {error}", subject.name);
                failed = true;
            }
        }
    }
    table.print_notes(&rows);
    for row in &rows {
        promises::broken(row, &rows).iter().for_each(|promise| println!("BROKEN  {}: {promise}", row.net));
    }
    if let Some(path) = &options.json {
        let text = format!("{:#}\n", document(&rows));
        if let Err(error) = std::fs::write(path, text) {
            return failure(&format!("{}: {error}", path.display()));
        }
    }
    if let Some(old) = old {
        compare::print(&old, &rows);
    }
    if failed || rows.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn failure(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

/// What is written to a file: the rows, and what they were measured on.
fn document(rows: &[Row]) -> Value {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    json!({
        "schema": 1,
        "version": env!("CARGO_PKG_VERSION"),
        "processor": model.map(|(_, name)| name),
        "optimised": !cfg!(debug_assertions),
        "rows": rows.iter().map(Row::to_json).collect::<Vec<_>>(),
    })
}

/// The rows of a net: one for each number of threads. The twin runs once for all of them.
fn measured(subject: &Subject, options: &Options, program: &Path) -> Result<Vec<Row>, String> {
    let threads = options.threads_for(subject);
    let twin = options.twin().of(subject);
    let smaller = twin.filter(|twin| twin.name != subject.name);
    let mut ours: Vec<Option<Figures>> = vec![None; threads.len()];
    let (mut naive, mut beside) = (None, None);
    for run in 0.. {
        let is_short = ours.iter().flatten().all(|figures| cpu_seconds(figures) < SHORT);
        let least =
            if is_short { RUNS_OF_SHORT } else { 1 }.max(if subject.scales { RUNS_OF_SCALING } else { 1 });
        if run >= options.runs.max(least) {
            break;
        }
        for (least, threads) in ours.iter_mut().zip(threads) {
            keep_least(least, spawn(program, subject, Engine::Ours, &options.how, *threads)?);
        }
        if let Some(smaller) = smaller {
            keep_least(&mut beside, spawn(program, smaller, Engine::Ours, &options.how, 1)?);
        }
        if let Some(twin) = twin {
            keep_least(&mut naive, spawn(program, twin, Engine::Naive, &options.how, 1)?);
        }
    }
    let row = |(ours, threads): (Option<Figures>, &usize)| Row {
        net: subject.name.to_owned(),
        threads: *threads,
        how: options.how,
        scales: subject.scales,
        ours: ours.unwrap_or_default(),
        naive: naive.clone(),
        smaller: smaller.map(|smaller| smaller.name.to_owned()).zip(beside.clone()),
        rival: subject.rival,
    };
    Ok(ours.into_iter().zip(threads).map(row).collect())
}

fn keep_least(least: &mut Option<Figures>, new: Figures) {
    if least.as_ref().is_none_or(|least| cpu_seconds(&new) < cpu_seconds(least)) {
        *least = Some(new);
    }
}

fn cpu_seconds(figures: &Figures) -> f64 {
    figures.get("cpu_seconds").unwrap_or(f64::INFINITY)
}

/// One measurement, in a child.
fn spawn(
    program: &Path,
    subject: &Subject,
    engine: Engine,
    how: &How,
    threads: usize,
) -> Result<Figures, String> {
    let mut command = Command::new(program);
    command.args(options::child_arguments(subject.name, engine, how, threads));
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} ({})", said.trim(), output.status));
    }
    let figures = Figures::parse(&String::from_utf8_lossy(&output.stdout))?;
    for (what, known) in [("states", Some(subject.states)), ("arcs", subject.arcs)] {
        if let (Some(known), found) = (known, figures.get(what))
            && found != Some(known as f64)
        {
            return Err(format!("{found:?} {what} found, {known} are known"));
        }
    }
    Ok(figures)
}
