//! Trying measures on a sample, to see which one lets a sweep forget the most, and whether it pays at all.

use std::ops::ControlFlow;

use sweepnet_net::{Net, TransitionId};

use super::Measure;
use crate::{CodecChoice, Control, Plan, SearchChoice, StopReason, StoreChoice, SweepPlan, explore};

/// States that a trial explores, at most.
const SAMPLE: u64 = 30_000;

/// A sweep pays if no more than this part of what it explores has to be kept at a time. What is kept of a state takes
/// more than in a full search, since it has to be forgotten again.
const WORTH: u64 = 4;

/// How a measure did.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The measure.
    pub measure: Measure,
    /// States explored, some of them perhaps again.
    pub explored: u64,
    /// The most that were kept at a time.
    pub peak: u64,
    /// Steps that lost progress.
    pub regress_edges: u64,
    /// Whether the sample was the whole state space.
    pub complete: bool,
}

/// What came of trying measures.
#[derive(Clone, Debug)]
pub struct Tried {
    /// How each did, the best first.
    pub trials: Vec<Trial>,
    /// How many different states there are, if a full search of the sample's size tells.
    pub distinct: Option<u64>,
}

impl Tried {
    /// The best, if sweeping by it pays.
    pub fn worth(&self) -> Option<&Trial> {
        self.trials.first().filter(|best| match self.distinct {
            Some(distinct) => {
                best.complete && best.peak * WORTH <= distinct && best.explored <= WORTH * distinct
            }
            None => best.peak * WORTH <= best.explored,
        })
    }
}

/// Sweeps a sample by each measure.
pub fn try_all(
    net: &Net,
    plan: &Plan,
    measures: Vec<Measure>,
    control: &mut Control<'_>,
) -> Result<Tried, StopReason> {
    let simple = |search| Plan {
        search,
        codec: CodecChoice::Fields,
        store: StoreChoice::Flat,
        threads: Some(1),
        ..plan.clone()
    };
    let mut trials = Vec::new();
    for measure in measures {
        let sweep = Some(SweepPlan::by(measure.clone()));
        let plan = Plan { sweep, ..simple(SearchChoice::Sweep) };
        let report = explore(net, &plan, &mut control.within(SAMPLE), &mut ());
        match report.stopped {
            None | Some(StopReason::States | StopReason::Unbounded) => {}
            // Another measure may do better.
            Some(StopReason::NoProgressValue) => continue,
            Some(reason) => return Err(reason),
        }
        let regress_edges = report.swept.as_ref().map_or(0, |swept| swept.regress_edges);
        trials.push(Trial {
            measure,
            explored: report.states,
            peak: report.peak_states,
            regress_edges,
            complete: report.is_complete(),
        });
    }
    // What is kept of as many explored states; of equals, what seldom goes back.
    trials.sort_by_key(|trial| (!trial.complete, trial.peak, trial.regress_edges));
    let full = explore(net, &simple(SearchChoice::BreadthFirst), &mut control.within(SAMPLE), &mut ());
    Ok(Tried { trials, distinct: full.is_complete().then_some(full.states) })
}

/// How often each transition fires on short random walks, as parts of 1.
pub fn frequencies(net: &Net, control: &mut Control<'_>) -> Result<Vec<f64>, StopReason> {
    const WALKS: u64 = 48;
    const STEPS: u64 = 200;
    let mut fired = vec![0_u64; net.transitions().len()];
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        chance = rapidhash::v3::rapidhash_v3(&chance.to_le_bytes());
        (chance % below as u64) as usize
    };
    for _ in 0..WALKS {
        control.poll_quietly()?;
        let mut marking = net.initial_marking();
        let walk = (0..STEPS).try_for_each(|_| {
            let enabled: Vec<TransitionId> = net.enabled(&marking).collect();
            let Some(last) = enabled.len().checked_sub(1) else { return ControlFlow::Break(()) };
            let event = enabled[draw(last + 1)];
            let Ok(next) = net.fire(&marking, event) else { return ControlFlow::Break(()) };
            fired[event.index()] += 1;
            marking = next;
            ControlFlow::Continue(())
        });
        let _ = walk;
    }
    let all = fired.iter().sum::<u64>().max(1) as f64;
    Ok(fired.iter().map(|n| *n as f64 / all).collect())
}
