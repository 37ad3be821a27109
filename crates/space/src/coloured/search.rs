//! Searching a coloured net: as planned, with all states in one store or in layers.

use std::time::Instant;

use sweepnet_colour::{ColouredNet, Machine, Patience};

use super::breadth_first::BreadthFirst;
use super::depth_first::DepthFirst;
use super::measure::ColouredSweepPlan;
use super::multiset::CodecOptions;
use super::observer::ColouredObserver;
use super::report::{ColouredReport, Extent};
use super::running::{Halt, Running};
use super::strings::Strings;
use super::sweep::Sweep;
use crate::search::sweep::layers::Layers;
use crate::{Control, SearchChoice, StopReason};

/// How a coloured net is to be searched.
#[derive(Clone, Debug, Default)]
pub struct ColouredPlan {
    /// The order.
    pub search: SearchChoice,
    /// What the codec makes use of.
    pub codec: CodecOptions,
    /// How a sweep goes; without it, all states are as far.
    pub sweep: Option<ColouredSweepPlan>,
    /// How many states are still looked at when the net has turned out to be unbounded.
    pub beyond_unbounded: u64,
}

/// Explores a coloured net as planned, under control, watched by an observer.
pub fn explore(
    net: &ColouredNet,
    machine: &Machine,
    plan: &ColouredPlan,
    control: &mut Control<'_>,
    observer: &mut impl ColouredObserver,
) -> ColouredReport {
    let start = Instant::now();
    let search = match plan.search {
        SearchChoice::Auto => SearchChoice::BreadthFirst,
        chosen => chosen,
    };
    let sweep = (search == SearchChoice::Sweep).then(|| plan.sweep.clone().unwrap_or_default());
    // A measure that speaks of the time needs it in every state, or states of different times would be the same.
    let speaks_of_time = sweep.as_ref().is_some_and(|plan| plan.measure.mentions_clock());
    let timekeeper = (speaks_of_time && net.is_timed() && !machine.keeps_clock()).then(|| {
        let mut machine = Machine::new(net);
        machine.keep_clock();
        machine
    });
    let machine = timekeeper.as_ref().unwrap_or(machine);
    // Multisets that are evaluated take memory without asking for it.
    let watch = control.close_watch();
    let go_on = || watch.goes_on();
    let patience = Patience::asking(&go_on);
    let at = Running::new(net, machine, plan.codec, observer, control, (&watch, patience));
    let mut at = at.beyond(plan.beyond_unbounded);
    let mut extent = Extent::default();
    let outcome = match &sweep {
        Some(plan) => sweep_through(net, plan, &mut at, control, &mut extent),
        None => search_through(search, &mut at, control, &mut extent),
    };
    let (stopped, model_error) = match outcome {
        Ok(()) => (None, None),
        Err(Halt::Stopped(reason)) => (Some(reason), None),
        Err(Halt::Wrong(error, path)) => (Some(StopReason::ModelError), Some((error, path))),
    };
    let Running { counts, maxima, pump, .. } = at;
    extent.pump = pump.map(|(pump, _)| pump);
    extent.report(search, stopped, model_error, counts, maxima, start.elapsed())
}

/// Searches with a store that keeps all states.
fn search_through<O: ColouredObserver>(
    search: SearchChoice,
    at: &mut Running<'_, O>,
    control: &mut Control<'_>,
    extent: &mut Extent,
) -> Result<(), Halt> {
    let mut store = Strings::new(control.max_states(), &at.budget)?;
    let outcome = match search {
        SearchChoice::DepthFirst => {
            let mut search = DepthFirst::new(&at.budget);
            let outcome = search.go(at, &mut store, control);
            extent.search_bytes = search.bytes();
            outcome
        }
        _ => {
            let mut search = BreadthFirst::new(&at.budget);
            let outcome = search.go(at, &mut store, control);
            extent.search_bytes = search.bytes();
            outcome
        }
    };
    extent.states = store.len();
    extent.peak_states = store.len();
    extent.state_bytes = store.string_bytes();
    extent.store_bytes = store.bytes();
    outcome
}

/// Sweeps.
fn sweep_through<O: ColouredObserver>(
    net: &ColouredNet,
    plan: &ColouredSweepPlan,
    at: &mut Running<'_, O>,
    control: &mut Control<'_>,
    extent: &mut Extent,
) -> Result<(), Halt> {
    let mut layers = Layers::new((), control.max_states(), &at.budget)?;
    let mut sweep = Sweep::new(net, plan, at);
    let outcome = sweep.go(at, &mut layers, control);
    extent.states = layers.found();
    extent.store_bytes = layers.most_bytes();
    sweep.tell(extent);
    outcome
}
