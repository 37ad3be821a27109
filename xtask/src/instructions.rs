//! A guard against slow-downs: how many instructions an exploration takes per arc, beside the recorded numbers.
//!
//! Times depend on the machine and on what else it does; instructions hardly do. Callgrind (of valgrind) counts
//! them in a child that explores one small net with one thread, from the call of `bare_exploration` to its
//! return, so that neither the start of the program nor the analysis of the net is in the number.
//!
//! The record, `xtask/instructions.json`, belongs to one compiler and to the profile of the tests. Another compiler
//! inlines otherwise: then the guard allows more before it speaks up.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value, json};
use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, Report, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::nets;

/// The nets: packed counts, bits, a wide net, inhibitor arcs; and two in which the inner loop outweighs all that comes
/// before it, one with a bitmap and one with a quotient table.
const NETS: [fn() -> Net; 6] = [
    || nets::kanban(3),
    || nets::philosophers(10),
    || nets::railway(2, 100),
    || nets::readers_writers(32),
    || nets::kanban(4),
    || nets::token_ring(9),
];

/// How much more than recorded is allowed.
pub const TOLERANCE: f64 = 0.15;

/// The same if another compiler made the record.
pub const OTHER_COMPILER: f64 = 0.50;

/// How to make a new record.
pub const HOW_TO_UPDATE: &str = "cargo xtask instructions --update";

/// What exploring a net took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Its states.
    pub states: u64,
    /// Its arcs.
    pub arcs: u64,
    /// Instructions for each of them.
    pub per_arc: f64,
}

/// The names of the nets.
pub fn names() -> Vec<String> {
    NETS.iter().map(|make| make().name).collect()
}

/// Explores a net, for a tool that counts, and prints what it found.
pub fn child(name: &str) -> Result<(), String> {
    let net = NETS.iter().map(|make| make()).find(|net| net.name == name);
    let net = net.ok_or_else(|| format!("there is no net {name:?}"))?;
    let structure = Structure::of(&net, Default::default());
    let report = bare_exploration(&net, &Plan { threads: Some(1), ..Plan::knowing(&net, &structure) });
    println!("{}", json!({ "states": report.states, "arcs": report.counts.arcs }));
    Ok(())
}

/// The function that Callgrind watches for, by its name: it must not be merged with its caller.
#[inline(never)]
fn bare_exploration(net: &Net, plan: &Plan) -> Report {
    explore(net, plan, &mut Control::unlimited(), &mut ())
}

/// Counts instructions of a net, with a child made of a program. Nothing if there is no valgrind.
pub fn count(program: &Path, name: &str) -> Result<Option<Count>, String> {
    collected(program, &["instructions", "--child", name])
}

/// Counts instructions of what a program does with these arguments, from the call of `bare_exploration` to its return.
/// Nothing if there is no valgrind.
pub fn collected(program: &Path, arguments: &[&str]) -> Result<Option<Count>, String> {
    let mut command = Command::new("valgrind");
    command.args([
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--toggle-collect=*bare_exploration*",
    ]);
    command.arg(program).args(arguments);
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        output => output.map_err(|error| error.to_string())?,
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let found: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {said}"))?;
    // A line `==1234== Collected : 56789`.
    let collected = said.lines().find_map(|line| line.split_once("Collected :"));
    let collected = collected.and_then(|(_, number)| number.trim().parse::<f64>().ok());
    match (found["states"].as_u64(), found["arcs"].as_u64(), collected) {
        (Some(states), Some(arcs), Some(all)) if all > 0.0 => {
            Ok(Some(Count { states, arcs, per_arc: all / arcs as f64 }))
        }
        _ => Err(format!("no count: {said}")),
    }
}

/// What was counted once, and with which compiler.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The compiler and what it compiles for.
    pub compiler: String,
    /// The counts by the names of the nets.
    pub counts: Vec<(String, Count)>,
}

impl Record {
    /// Where it is kept.
    pub fn path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("instructions.json")
    }

    /// From the text of the file.
    pub fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let counts = value["nets"].as_object()?.iter().map(|(name, net)| {
            let number = |name: &str| net[name].as_u64();
            let per_arc = net["instructions_per_arc"].as_f64()?;
            Some((name.clone(), Count { states: number("states")?, arcs: number("arcs")?, per_arc }))
        });
        Some(Self {
            compiler: value["compiler"].as_str()?.to_owned(),
            counts: counts.collect::<Option<_>>()?,
        })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let net = |(name, count): &(String, Count)| {
            let per_arc = (count.per_arc * 10.0).round() / 10.0;
            let net = json!({ "states": count.states, "arcs": count.arcs, "instructions_per_arc": per_arc });
            (name.clone(), net)
        };
        let nets: Map<String, Value> = self.counts.iter().map(net).collect();
        format!("{:#}\n", json!({ "compiler": self.compiler, "nets": nets }))
    }

    /// What is wrong with new counts: other states or arcs, a net that is not on record, or too many instructions.
    pub fn objections(&self, new: &Self) -> Vec<String> {
        let tolerance = if self.compiler == new.compiler { TOLERANCE } else { OTHER_COMPILER };
        let objection = |(name, count): &(String, Count)| {
            let Some((_, old)) = self.counts.iter().find(|(recorded, _)| recorded == name) else {
                return Some(format!("{name} is not on record: {HOW_TO_UPDATE}"));
            };
            if (count.states, count.arcs) != (old.states, old.arcs) {
                return Some(format!("{name}: {count:?} is another state space than {old:?}"));
            }
            let more = count.per_arc / old.per_arc - 1.0;
            (more > tolerance).then(|| {
                format!(
                    "{name}: {:.1} instructions per arc, {:.1} on record: {:.0} % more, where {:.0} % are \
                     allowed. If that is meant: {HOW_TO_UPDATE}",
                    count.per_arc,
                    old.per_arc,
                    more * 100.0,
                    tolerance * 100.0
                )
            })
        };
        new.counts.iter().filter_map(objection).collect()
    }
}

/// The compiler that is in use, and what it compiles for.
pub fn compiler() -> String {
    let output =
        Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("{}, {}", version.unwrap_or_default(), std::env::consts::ARCH)
}

/// Runs the test that counts, in the profile of the tests, whatever this program was built with. Tells whether it
/// passed.
pub fn run(update: bool) -> bool {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["test", "--quiet", "--package", "xtask", "--test", "instructions", "--", "--nocapture"]);
    if update {
        command.env("UPDATE", "1");
    }
    command.status().is_ok_and(|status| status.success())
}
