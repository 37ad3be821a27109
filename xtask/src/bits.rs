//! `cargo xtask bits`: what a state takes in the sets of the contest's nets, beside what is promised.

use std::process::ExitCode;
use std::sync::Arc;

use sweepnet_formats::Model;
use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::shared;

use crate::answers::open;
use crate::bench::coloured::unfolded;
use crate::bench::figures::Figures;
use crate::bench::promises::{most_bits, too_many_bits};

/// What to look at.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only nets with at most this many states
    #[arg(long, value_name = "STATES", default_value_t = 1_500_000)]
    up_to: u128,
    /// Only nets whose name contains this
    #[arg(default_value = "")]
    name: String,
}

/// Explores the nets, prints a line for each that is explored in ranks, and tells whether all promises are kept.
pub fn run(options: &Options) -> ExitCode {
    println!("{:<40} {:>10} {:>10} {:>12} {:>10}", "net", "states", "log2(S/R)", "bits/state", "promised");
    let (mut in_ranks, mut broken) = (0, 0);
    for instance in shared::contest() {
        let is_small = instance.number("states").is_some_and(|states| states <= options.up_to);
        if !is_small || !instance.name.contains(&options.name) {
            continue;
        }
        let net = match plain(open(&instance.model())) {
            Ok(net) => net,
            Err(error) => {
                println!("{:<40} {error}", instance.name);
                continue;
            }
        };
        let plan = Plan { threads: Some(1), ..Plan::knowing(&net, &Structure::of(&net, Default::default())) };
        let report = explore(&net, &plan, &mut Control::unlimited(), &mut ());
        if report.components.is_none() {
            continue;
        }
        let figures = Figures::of(&report);
        let get = |name| figures.get(name).unwrap_or(f64::NAN);
        let (states, slack) = (get("states"), get("log2_slack"));
        let bits = get("store_bytes") * 8.0 / states;
        println!(
            "{:<40} {states:>10} {slack:>10.1} {bits:>12.1} {:>10.1}{}",
            instance.name,
            most_bits(slack),
            if too_many_bits(&figures).is_some() { "  BROKEN" } else { "" }
        );
        in_ranks += 1;
        broken += u32::from(too_many_bits(&figures).is_some());
    }
    println!("{in_ranks} nets explored in ranks, {broken} of them with more bits for a state than promised");
    if in_ranks > 0 && broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn plain(model: Model) -> Result<Arc<Net>, String> {
    match model {
        Model::Plain(net) => Ok(Arc::new(net)),
        Model::Coloured(net) => unfolded(&net).map(|unfolding| unfolding.net),
    }
}
