//! Options that cannot be had together, and wishes that a net does not allow.
//!
//! Bitmaps and quotient tables are sets: they keep ranks, which only the product codec makes, and give no numbers to
//! states. Searches that need numbers (depth-first, and graphs, whose states have names) keep their states in the
//! flat store, on one thread.

use sweepnet_net::Net;
use sweepnet_space::{CodecChoice, Plan, SearchChoice, StoreChoice};

use crate::args::Exploring;
use crate::failure::Failure;

/// What a command does with states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum States {
    /// It looks at each once.
    Visited,
    /// It needs a number for each.
    Numbered,
}

/// Refuses options that contradict each other, before anything is read.
pub fn check(exploring: &Exploring, states: States) -> Result<(), Failure> {
    match contradiction(exploring, states).or_else(|| missing_folder(exploring)) {
        Some(what) => Err(Failure::input(what)),
        None => Ok(()),
    }
}

/// A sweep does without its spool if the disk fails, but a folder that is not there is a mistake.
fn missing_folder(exploring: &Exploring) -> Option<String> {
    let folder = exploring.spool.as_ref().filter(|folder| !folder.is_dir())?;
    Some(format!("--spool {}: there is no such folder", folder.display()))
}

fn contradiction(exploring: &Exploring, states: States) -> Option<String> {
    let codec = exploring.codec.name();
    let one_by_one =
        matches!(exploring.search, SearchChoice::DepthFirst | SearchChoice::Sweep | SearchChoice::Window);
    let search = exploring.search.name();
    if exploring.search != SearchChoice::Sweep {
        let given = [
            (exploring.progress.is_some(), "--progress"),
            (exploring.monotone, "--monotone"),
            (exploring.behind.is_some(), "--behind"),
            (exploring.no_spool, "--no-spool"),
            (exploring.spool.is_some() && exploring.search != SearchChoice::Window, "--spool"),
            (exploring.plot.is_some(), "--plot"),
        ];
        if let Some((_, option)) = given.iter().find(|(given, _)| *given) {
            return Some(format!("{option} is for sweeps: give --search sweep, too"));
        }
    }
    if exploring.search == SearchChoice::Window && exploring.codec != CodecChoice::Auto {
        return Some(format!("--codec {codec} does not go with --search window, which has keys of its own"));
    }
    if exploring.search != SearchChoice::Auto && exploring.explain {
        return Some(format!("--explain tells how a search was chosen: --search {search} leaves no choice"));
    }
    if exploring.search != SearchChoice::Window && exploring.window.is_some() {
        return Some("--window is the memory of --search window: give that, too".to_owned());
    }
    let per_place =
        matches!(exploring.codec, CodecChoice::Fields | CodecChoice::Plain | CodecChoice::Multiset);
    if is_set(exploring.store) {
        let store = exploring.store.name();
        let flat = "only --store flat does";
        if one_by_one {
            return Some(format!(
                "--store {store} does not go with --search {search}, which needs a store that numbers its states: {flat}"
            ));
        }
        if states == States::Numbered {
            return Some(format!(
                "--store {store} does not go with graph, which needs a store that numbers its states: {flat}"
            ));
        }
        if per_place {
            return Some(format!(
                "--store {store} does not go with --codec {codec}: it keeps what --codec product makes of a state"
            ));
        }
    }
    if let Some(threads @ 2..) = exploring.threads {
        let one = "runs on one thread";
        if one_by_one {
            return Some(format!("--threads {threads} does not go with --search {search}, which {one}"));
        }
        if states == States::Numbered {
            return Some(format!("--threads {threads} does not go with graph, which {one}"));
        }
        if per_place {
            return Some(format!("--threads {threads} does not go with --codec {codec}, which {one}"));
        }
    }
    if per_place && !exploring.partition.is_auto() {
        return Some(format!(
            "--partition does not go with --codec {codec}, which has no components: --codec product has"
        ));
    }
    None
}

/// Refuses what the coloured engine does not have.
pub fn check_coloured(exploring: &Exploring) -> Result<(), Failure> {
    let refuse = |what: String, why: &str| Err(Failure::input(format!("{what}: the coloured engine {why}")));
    if !matches!(exploring.codec, CodecChoice::Auto | CodecChoice::Multiset) {
        return refuse(format!("--codec {}", exploring.codec.name()), "has the multiset codec only");
    }
    if is_set(exploring.store) {
        return refuse(format!("--store {}", exploring.store.name()), "has the flat store only");
    }
    if !exploring.partition.is_auto() {
        return refuse("--partition".to_owned(), "has no components");
    }
    if let Some(threads @ 2..) = exploring.threads {
        return refuse(format!("--threads {threads}"), "runs on one thread");
    }
    if exploring.seed.is_some() {
        return refuse("--seed".to_owned(), "has one order of its own");
    }
    Ok(())
}

fn is_set(store: StoreChoice) -> bool {
    matches!(store, StoreChoice::Bitmap | StoreChoice::Quotient)
}

/// What the plan asks for and this net does not allow, in sentences.
pub fn unmet(net: &Net, plan: &Plan) -> Vec<String> {
    let mut warnings = Vec::new();
    if plan.is_bounded(net) {
        return warnings;
    }
    let why = "the net has places without a proven bound";
    if is_set(plan.store) {
        warnings.push(format!("--store {}: {why}; the store is flat instead", plan.store.name()));
    }
    // Where everything else is free, bounds are assumed, and threads can be had if that turns out right.
    let is_free = plan.codec == CodecChoice::Auto && plan.store == StoreChoice::Auto;
    if let Some(threads @ 2..) = plan.threads
        && !is_free
    {
        warnings.push(format!("--threads {threads}: {why}; one thread searches instead"));
    }
    warnings
}
