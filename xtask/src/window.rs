//! `cargo xtask window`: Figures 3, 4 and 5 of the paper on partial search with T-semiflows, with the paper's slots and,
//! beside them, ours; and the speed against breadth-first search.

use std::path::PathBuf;
use std::time::Duration;

use sweepnet_net::Net;
use sweepnet_space::{Budget, Control, Limits, Plan, Report, SearchChoice, WindowPlan, explore};
use sweepnet_structure::{Effort, Structure};
use sweepnet_testkit::shared;
use sweepnet_testkit::window_figures::{CIRCULAR, COUNTS, PROFILES, SLOT};

use crate::sweep::{read, timed};

/// What to search.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Search Readers-Writers with 255 processes, too, 185,977,536 states: some ten minutes
    #[arg(long)]
    large: bool,
}

/// Searches and prints; tells what differs from the paper.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = shared::models().ok_or("the shared models are not there")?.join("paper");
    let subject = |name: &str| -> Result<Subject, String> {
        let net = read(&PathBuf::from(&folder).join(format!("{name}.pnml")))?;
        let structure = Structure::of(&net, Effort::for_net(&net));
        Ok(Subject { net, structure })
    };
    let mut wrong = Vec::new();
    figure_3(&subject, &mut wrong)?;
    figure_4(&subject, &mut wrong)?;
    figure_5(options, &subject, &mut wrong)?;
    if !wrong.is_empty() {
        return Err(format!("differs from the paper: {}", wrong.join(", ")));
    }
    println!("\nall as in the paper");
    Ok(())
}

struct Subject {
    net: Net,
    structure: Structure,
}

impl Subject {
    fn plan(&self) -> WindowPlan {
        WindowPlan::of(&self.net, &self.structure, &Budget::of(u64::MAX), &|| true)
    }

    fn window(&self, window: WindowPlan) -> (Report, Duration) {
        let plan = Plan {
            search: SearchChoice::Window,
            window: Some(window),
            ..Plan::knowing(&self.net, &self.structure)
        };
        self.explore(&plan)
    }

    fn explore(&self, plan: &Plan) -> (Report, Duration) {
        let limits = Limits { memory: 4 << 30, time: None, states: None };
        timed(|| explore(&self.net, plan, &mut Control::new(&limits, Default::default(), |_| {}), &mut ()))
    }
}

type Find<'a> = &'a dyn Fn(&str) -> Result<Subject, String>;

fn figure_3(subject: Find<'_>, wrong: &mut Vec<String>) -> Result<(), String> {
    println!("Figure 3\n{:<24}{:>4}{:>4}{:>4}{:>4}  integral", "net", "T", "P", "SF", "WS");
    for row in PROFILES {
        let it = subject(row.net)?;
        let plan = it.plan();
        let window = plan.semiflows.iter().map(|flow| flow.rank()).max().unwrap_or(0);
        let (transitions, places) = (it.net.transitions().len(), it.net.places().len());
        let (count, why) = (plan.semiflows.len(), &plan.integrality);
        println!("{:<24}{transitions:>4}{places:>4}{count:>4}{window:>4}  {}: {why}", row.net, plan.integral);
        let known = (row.transitions, row.places, row.semiflows, row.window, true);
        if (transitions, places, count, window, plan.integral) != known {
            wrong.push(format!("Figure 3, {}", row.net));
        }
    }
    Ok(())
}

fn figure_4(subject: Find<'_>, wrong: &mut Vec<String>) -> Result<(), String> {
    println!(
        "\nFigure 4\n{:<24}{:>12}{:>6}{:>10}{:>12}{:>10}{:>10}{:>8}",
        "net", "markings", "flag", "kept", "bits/state", "ns/state", "bfs ns", "ratio"
    );
    for (name, markings) in COUNTS {
        let it = subject(name)?;
        let (report, time) = it.window(it.plan());
        let full = Plan {
            search: SearchChoice::BreadthFirst,
            threads: Some(1),
            ..Plan::knowing(&it.net, &it.structure)
        };
        let (_, full_time) = it.explore(&full);
        let written = report.windowed.as_ref().map_or(0, |windowed| windowed.written);
        let each = |time: Duration| time.as_nanos() as f64 / report.states as f64;
        println!(
            "{name:<24}{:>12}{:>6}{:>10}{:>12.1}{:>10.0}{:>10.0}{:>8.2}",
            report.states,
            if report.is_complete() { "up" } else { "down" },
            report.peak_states,
            written as f64 * 8.0 / report.states as f64,
            each(time),
            each(full_time),
            time.as_secs_f64() / full_time.as_secs_f64(),
        );
        if (report.distinct(), report.is_complete()) != (Some(markings), true) {
            wrong.push(format!("Figure 4, {name}"));
        }
    }
    Ok(())
}

fn figure_5(options: &Options, subject: Find<'_>, wrong: &mut Vec<String>) -> Result<(), String> {
    println!(
        "\nFigure 5{:>34}{:>40}\n{:>6}{:>10}{:>13}{:>4}{:>10}{:>8}{:>14}{:>4}{:>10}{:>10}{:>8}",
        "the paper's slots",
        "ours",
        "NT",
        "TM",
        "NS",
        "NR",
        "overflow",
        "CPU s",
        "NS",
        "NR",
        "overflow",
        "used",
        "CPU s"
    );
    for row in CIRCULAR.iter().filter(|row| options.large || row.processes < 255) {
        let it = subject(&format!("readers-writers-{}", row.processes))?;
        let plan = WindowPlan { bytes: Some(row.bytes), ..it.plan() };
        let (theirs, their_time) = it.window(WindowPlan { slot: Some(SLOT), ..plan.clone() });
        let (ours, our_time) = it.window(plan);
        let figures = |report: &Report| {
            let windowed = report.windowed.as_ref();
            let overflow = windowed.is_some_and(|windowed| windowed.overflowed);
            let found = report.states + u64::from(overflow);
            (found, windowed.map_or(0, |it| it.rounds), overflow, windowed.map_or(0, |it| it.used))
        };
        let yes = |overflow: bool| if overflow { "yes" } else { "no" };
        let (found, rounds, overflow, _) = figures(&theirs);
        let (our_found, our_rounds, our_overflow, used) = figures(&ours);
        println!(
            "{:>6}{:>10}{found:>13}{rounds:>4}{:>10}{:>8.1}{our_found:>14}{our_rounds:>4}{:>10}{used:>10}{:>8.1}",
            row.processes,
            row.bytes,
            yes(overflow),
            their_time.as_secs_f64(),
            yes(our_overflow),
            our_time.as_secs_f64(),
        );
        if (found, rounds, overflow) != (row.markings, row.rounds, row.overflow) {
            wrong.push(format!("Figure 5, {} in {}", row.processes, row.bytes));
        }
    }
    Ok(())
}
