//! `cargo xtask unfolding`: what it takes to make a place/transition net of a coloured one.
//!
//! Each net is unfolded in a process of its own. CPU time is that of unfolding, reading of files not included; peak
//! memory is that of the process, and beside it what it was before.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use sweepnet_colour::ColouredNet;
use sweepnet_colour::unfold::Limits;
use sweepnet_formats::Model;
use sweepnet_testkit::shared;

use crate::answers::open;
use crate::bench::Figures;
use sweepnet_space::budget::peak_resident_bytes;

use crate::bench::child::cpu_time;
use crate::bench::coloured;

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only nets whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Measure this net in this process
    #[arg(long, value_name = "NET", hide = true)]
    pub child: Option<String>,
}

/// Examples of the language with large unfoldings, and the value of their parameter.
const EXAMPLES: [(&str, i64); 3] = [("dbm", 30), ("dbm", 100), ("eratos", 70)];

/// What is measured, smallest first as far as known: some examples, and the contest's coloured nets.
fn names() -> Vec<String> {
    let examples = EXAMPLES.iter().map(|(file, parameter)| format!("{file} {parameter}"));
    let contest = shared::contest().into_iter().filter(|instance| instance.is_coloured());
    examples.chain(contest.map(|instance| instance.name)).collect()
}

/// Measures and prints; tells whether all could be measured.
pub fn run(options: &Options, program: &Path) -> ExitCode {
    let columns = ["places", "transitions", "arcs"];
    println!(
        "{:<34}{:>10}{:>13}{:>11}{:>10}{:>10}{:>11}",
        "net", columns[0], columns[1], columns[2], "CPU s", "peak MB", "before MB"
    );
    let mut all_well = true;
    for name in names().iter().filter(|name| name.contains(&options.filter)) {
        match measured(name, program) {
            Ok(figures) => {
                let figure = |name: &str| figures.get(name).unwrap_or(f64::NAN);
                print!("{name:<34}");
                columns
                    .iter()
                    .zip([10, 13, 11])
                    .for_each(|(column, width)| print!("{:>width$}", figure(column)));
                let [peak, before] =
                    ["peak_resident_bytes", "resident_before"].map(|name| figure(name) / 1e6);
                println!("{:>10.3}{peak:>10.1}{before:>11.1}", figure("cpu_seconds"));
            }
            Err(error) => {
                println!("FAILED  {name}: {error}");
                all_well = false;
            }
        }
    }
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measured(name: &str, program: &Path) -> Result<Figures, String> {
    let output = Command::new(program).args(["unfolding", "--child", name]).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    Figures::parse(&String::from_utf8_lossy(&output.stdout))
}

/// Unfolds the net of this name, and prints the figures as a line of JSON.
pub fn child(name: &str) -> Result<(), String> {
    let net = net(name)?;
    let (before, cpu) = (peak_resident_bytes(), cpu_time());
    let whole = net.unfold(&Limits { nodes: usize::MAX, go_on: &|| true });
    let unfolding = whole.map_err(|error| error.to_string())?;
    let cpu = cpu_time().saturating_sub(cpu).as_secs_f64();
    let net = &unfolding.net;
    let mut figures = Figures::default();
    figures
        .set("places", net.places().len() as f64)
        .set("transitions", net.transitions().len() as f64)
        .set("arcs", net.arc_count() as f64)
        .set("cpu_seconds", cpu);
    for (name, bytes) in [("resident_before", before), ("peak_resident_bytes", peak_resident_bytes())] {
        if let Some(bytes) = bytes {
            figures.set(name, bytes as f64);
        }
    }
    println!("{}", figures.to_json());
    Ok(())
}

fn net(name: &str) -> Result<ColouredNet, String> {
    if let Some((file, parameter)) = name.split_once(' ') {
        let parameter = parameter.parse().map_err(|_| format!("{parameter:?} is not a number"))?;
        return Ok(coloured::read(&coloured::file(file), parameter));
    }
    let model: PathBuf = shared::models().ok_or("there are no shared models")?.join("mcc").join(name);
    match open(&model.join("model.pnml")) {
        Model::Coloured(net) => Ok(*net),
        Model::Plain(_) => Err("this is not a coloured net".to_owned()),
    }
}
