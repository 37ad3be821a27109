//! Known answers: what the Model Checking Contest's tools agreed on, compared with what we say.

mod comparison;
mod known;
mod plans;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use sweepnet_colour::unfold::Limits as Unfolding;
use sweepnet_formats::{Format, Model, Options};
use sweepnet_net::Net;
use sweepnet_space::Limits;
use sweepnet_structure::Structure;
use sweepnet_testkit::shared::Instance;

pub use comparison::Comparison;
pub use plans::Ways;

/// Coloured nets up to so many states are explored on their own markings, too.
const ON_MARKINGS: u128 = 60_000;

/// No limits.
pub const UNLIMITED: Limits = Limits { memory: u64::MAX, time: None, states: None };

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Questions {
    /// What markings decide.
    AboutMarkings,
    /// That, and what paths decide.
    All,
}

/// Reads a net from a PNML file.
///
/// # Panics
/// If it cannot be read.
pub fn open(path: &Path) -> Model {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document = sweepnet_formats::read(BufReader::new(file), Format::Pnml, &Options::default());
    document.unwrap_or_else(|error| panic!("{}: {error}", path.display())).model
}

/// Reads a place/transition net from a PNML file.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: &Path) -> Net {
    open(path).into_plain().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares what is known of an instance. The limits are for each of its searches.
pub fn verify(instance: &Instance, ways: Ways, questions: Questions, limits: &Limits) -> Comparison {
    let mut comparison = Comparison::within(limits);
    let net = match open(&instance.model()) {
        Model::Plain(net) => Arc::new(net),
        Model::Coloured(net) => {
            if instance.number("states").is_some_and(|states| states <= ON_MARKINGS) {
                comparison.markings(instance, &net);
            }
            match net.unfold(&Unfolding { nodes: usize::MAX, go_on: &|| true }) {
                Ok(unfolding) => unfolding.net,
                Err(error) => {
                    comparison.mismatches.push(error.to_string());
                    return comparison;
                }
            }
        }
    };
    let structure = Structure::of(&net, Default::default());
    let about_markings = comparison.known(known::about_markings(instance, &net));
    let about_paths = match questions {
        Questions::AboutMarkings => None,
        Questions::All => Some(comparison.known(known::about_paths(instance, &net))),
    };
    for plan in ways.plans(&net, &structure) {
        comparison.state_space(instance, &net, &plan);
        comparison.answers(&about_markings, &net, &structure, &plan);
        if let Some(about_paths) = &about_paths {
            comparison.answers(about_paths, &net, &structure, &plan);
        }
    }
    comparison
}
