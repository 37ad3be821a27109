//! One measurement, in a process of its own.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use sweepnet_colour::{ColouredNet, Machine};
use sweepnet_net::Net;
use sweepnet_space::budget::peak_resident_bytes;
use sweepnet_space::coloured::ColouredPlan;
use sweepnet_space::{Control, Statistics, explore, program};
use sweepnet_structure::Structure;
use sweepnet_testkit::{coloured_twin as naive_on_colours, naive};

use super::coloured::{self, On};
use super::options::Watching;
use super::subjects::Given;
use super::{Engine, Figures, How, Options, Subject};

/// Measures the net that the options name, and prints the figures as a line of JSON.
pub fn run(name: &str, options: &Options) -> Result<(), String> {
    let subject = Subject::named(name).ok_or_else(|| format!("there is no net {name:?}"))?;
    let given = subject.given();
    let threads = options.threads_for(subject)[0];
    let (cpu, wall) = (cpu_time(), Instant::now());
    let mut figures = match (options.engine, &given) {
        (Engine::Ours, Given::Plain(net)) => ours(net, &options.how, threads)?,
        (Engine::Ours, Given::Coloured(net, On::Unfolding)) => {
            let unfolding = coloured::unfolded(net)?;
            let seconds = cpu_time().saturating_sub(cpu).as_secs_f64();
            let mut figures = ours(&unfolding.net, &options.how, threads)?;
            figures.set("unfolding_cpu_seconds", seconds);
            figures
        }
        (Engine::Ours, Given::Coloured(net, On::Markings)) => on_markings(net, &options.how)?,
        (Engine::Naive, Given::Plain(net)) => twin(net),
        (Engine::Naive, Given::Coloured(net, _)) => coloured_twin(net)?,
    };
    let (cpu, wall) = (cpu_time().saturating_sub(cpu).as_secs_f64(), wall.elapsed().as_secs_f64());
    let states = figures.get("states").unwrap_or(0.0);
    figures.set("cpu_seconds", cpu).set("wall_seconds", wall).set("states_per_cpu_second", states / cpu);
    if let Some(peak) = peak_resident_bytes() {
        figures.set("peak_resident_bytes", peak as f64);
        if let Some(store) = figures.get("store_bytes").filter(|store| *store > 0.0) {
            figures.set("peak_per_store", peak as f64 / store);
        }
    }
    println!("{}", figures.to_json());
    Ok(())
}

fn ours(net: &Net, how: &How, threads: usize) -> Result<Figures, String> {
    program::give_back();
    let structure = Structure::of(net, Default::default());
    program::give_back();
    let plan = how.plan(net, &structure, threads);
    let mut control = Control::unlimited();
    let report = match how.observer {
        Watching::None => explore(net, &plan, &mut control, &mut ()),
        Watching::Statistics => explore(net, &plan, &mut control, &mut Statistics::new(net)),
    };
    match report.stopped {
        None => Ok(Figures::of(&report)),
        Some(reason) => Err(format!("stopped early: {reason:?}")),
    }
}

fn on_markings(net: &ColouredNet, how: &How) -> Result<Figures, String> {
    let plan = ColouredPlan { search: how.search, ..ColouredPlan::default() };
    let machine = Machine::new(net);
    let report = sweepnet_space::coloured::explore(net, &machine, &plan, &mut Control::unlimited(), &mut ());
    match report.stopped {
        None => Ok(Figures::of_coloured(&report)),
        Some(reason) => Err(format!("stopped early: {reason:?}")),
    }
}

fn coloured_twin(net: &ColouredNet) -> Result<Figures, String> {
    let found = naive_on_colours::explore(net, usize::MAX).ok_or("there is an error in the model")?;
    let mut figures = Figures::default();
    figures.set("states", found.states as f64).set("arcs", found.arcs as f64);
    Ok(figures)
}

fn twin(net: &Net) -> Figures {
    let found = naive::explore(net, usize::MAX);
    let mut figures = Figures::default();
    figures.set("states", found.states.len() as f64).set("arcs", found.arcs as f64);
    // Taking the set apart again is no part of exploring; the process ends with this anyway.
    std::mem::forget(found);
    figures
}

/// The CPU time of all threads of this process.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
