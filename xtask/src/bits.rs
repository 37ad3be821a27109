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
use crate::bench::promises::Bits;

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
    each(options.up_to, &options.name, |name, states, bits| {
        let mark = if bits.are_too_many() { "  BROKEN" } else { "" };
        let Bits { slack, taken, promised } = bits;
        println!("{name:<40} {states:>10} {slack:>10.1} {taken:>12.1} {promised:>10.1}{mark}");
        in_ranks += 1;
        broken += u32::from(bits.are_too_many());
    });
    println!("{in_ranks} nets explored in ranks, {broken} of them with more bits for a state than promised");
    if in_ranks > 0 && broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Explores the nets of such a name and of at most such a size, and shows name, states and bits of those explored in ranks.
pub fn each(up_to: u128, name: &str, mut show: impl FnMut(&str, u64, Bits)) {
    for instance in shared::contest() {
        let is_small = instance.number("states").is_some_and(|states| states <= up_to);
        if !is_small || !instance.name.contains(name) {
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
        if report.components.is_some()
            && let Some(bits) = Bits::of(&Figures::of(&report))
        {
            show(&instance.name, report.states, bits);
        }
    }
}

fn plain(model: Model) -> Result<Arc<Net>, String> {
    match model {
        Model::Plain(net) => Ok(Arc::new(net)),
        Model::Coloured(net) => unfolded(&net).map(|unfolding| unfolding.net),
    }
}
