//! Trying measures, to see which one lets a sweep forget the most, and whether it pays at all.
//!
//! A small state space is swept by each of them. Of a large one there is a sample of states from all over it, and the
//! most that a sweep keeps is estimated from that: the states whose progress lies in a window as wide as the longest
//! step, and those that a step which loses progress can lead to, which are kept for ever. Or the window is wide enough
//! for what such a step can lose, and its states are expected to be there; a sweep of the first states has to confirm it.

use std::collections::BTreeMap;

use sweepnet_net::{Net, TransitionId};

use super::{Component, Linear, Measure};
use crate::product::partition::Sample;
use crate::{CodecChoice, Control, Plan, Report, SearchChoice, StopReason, StoreChoice, SweepPlan, explore};

/// State spaces up to this size are swept for a trial.
const SMALL: u64 = 20_000;

/// States of a sample.
const SAMPLE: usize = Sample::STATES;

/// Measures that a small state space is swept by, at most.
const SWEPT: usize = 8;

/// A sweep pays if no more than this part of all states has to be kept at a time. What is kept of a state takes more
/// than in a full search, since it has to be forgotten again.
const WORTH: f64 = 0.25;

/// A sweep does not pay if it explores states more often than this, on average.
const MOST_AGAIN: u64 = 4;

/// How a measure did.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The measure.
    pub measure: Measure,
    /// How far behind states are kept, so that steps which lose progress are recognised.
    pub behind: u64,
    /// The part of all states that was kept at a time, at most.
    pub kept: f64,
    /// States explored and the most of them kept, if the whole state space was swept.
    pub swept: Option<(u64, u64)>,
}

/// What came of trying measures.
#[derive(Clone, Debug)]
pub struct Tried {
    /// How each did, the best first.
    pub trials: Vec<Trial>,
    /// How many states there are, if there are so few that it is known.
    pub states: Option<u64>,
}

impl Tried {
    /// The best, if sweeping by it pays.
    pub fn worth(&self) -> Option<&Trial> {
        self.trials.first().filter(|best| {
            let again = best.swept.zip(self.states);
            best.kept <= WORTH && again.is_none_or(|((explored, _), states)| explored <= MOST_AGAIN * states)
        })
    }
}

/// Tries linear measures: all of them on a sample, and, where the state space is small, the best of them by sweeping it.
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
    let full = explore(net, &simple(SearchChoice::BreadthFirst), &mut control.within(SMALL), &mut ());
    let states = full.is_complete().then_some(full.states);
    match full.stopped {
        None | Some(StopReason::States | StopReason::Unbounded) => {}
        Some(reason) => return Err(reason),
    }
    let sample = Sample::gather(net, plan, SAMPLE, control);
    let mut trials = Vec::new();
    for measure in measures {
        control.poll_quietly()?;
        if let [Component::Linear(linear)] = measure.components.as_slice() {
            for behind in [0].into_iter().chain(longest_loss(net, linear)) {
                let kept = estimate(net, linear, behind, &sample);
                trials.push(Trial { kept, measure: measure.clone(), behind, swept: None });
            }
        }
    }
    trials.sort_by(|a, b| a.kept.total_cmp(&b.kept));
    let sweep = |trial: &Trial, control: &mut Control<'_>, most: u64| {
        let sweep = SweepPlan { behind: trial.behind, ..SweepPlan::by(trial.measure.clone()) };
        let plan = Plan { sweep: Some(sweep), ..simple(SearchChoice::Sweep) };
        explore(net, &plan, &mut control.within(most), &mut ())
    };
    if states.is_none() {
        trials = confirmed(trials, |trial| sweep(trial, control, SMALL))?;
    }
    if let Some(states) = states {
        trials.truncate(SWEPT);
        for trial in &mut trials {
            let report = sweep(trial, control, states * (MOST_AGAIN + 1));
            match report.stopped {
                None => {
                    trial.kept = report.peak_states as f64 / states as f64;
                    trial.swept = Some((report.states, report.peak_states));
                }
                // Another measure may do better.
                Some(StopReason::NoProgressValue | StopReason::States) => trial.kept = 1.0,
                Some(reason) => return Err(reason),
            }
        }
        trials.sort_by(|a, b| a.kept.total_cmp(&b.kept));
    }
    Ok(Tried { trials, states })
}

/// The part of all states whose value of a linear measure lies within so far of another, at most, and as much ahead as a
/// step can lead: by a sample.
pub fn share(net: &Net, plan: &Plan, measure: &Linear, behind: u64, control: &mut Control<'_>) -> f64 {
    estimate(net, measure, behind.max(1), &Sample::gather(net, plan, SAMPLE, control))
}

/// How much progress a step can lose, if some can.
fn longest_loss(net: &Net, measure: &Linear) -> Option<u64> {
    let changes: Option<Vec<i64>> = net.transition_ids().map(|t| measure.change(net, t)).collect();
    let least = changes?.into_iter().min().filter(|least| *least < 0)?;
    Some(least.unsigned_abs())
}

/// The trials, the best first, as far as a sweep of some states confirms them: in those that count on states to be there,
/// hardly any may have to be kept for ever.
fn confirmed(trials: Vec<Trial>, mut sweep: impl FnMut(&Trial) -> Report) -> Result<Vec<Trial>, StopReason> {
    let (mut confirmed, mut swept) = (Vec::new(), 0);
    for trial in trials {
        if trial.behind > 0 && confirmed.is_empty() {
            swept += 1;
            let report = if swept <= SWEPT { sweep(&trial) } else { continue };
            match report.stopped {
                None | Some(StopReason::States | StopReason::NoProgressValue | StopReason::Unbounded) => {}
                Some(reason) => return Err(reason),
            }
            let persistent = report.swept.as_ref().map_or(0, |swept| swept.persistent);
            if persistent * 100 > report.states {
                continue;
            }
        }
        confirmed.push(trial);
    }
    Ok(confirmed)
}

/// The part of all states that a sweep keeps at a time, at most, by a sample.
fn estimate(net: &Net, measure: &Linear, behind: u64, sample: &Sample) -> f64 {
    let states = sample.len();
    if states == 0 {
        return 1.0;
    }
    let mut values = vec![0_i64; states];
    for (place, weight) in &measure.terms {
        if let Ok(at) = sample.places().binary_search(place) {
            for (value, count) in values.iter_mut().zip(sample.column(at).iter()) {
                *value = value.saturating_add(weight.saturating_mul(i64::from(count)));
            }
        }
    }
    let mut by_value: BTreeMap<i64, usize> = BTreeMap::new();
    values.iter().for_each(|value| *by_value.entry(*value).or_default() += 1);
    let changes: Vec<_> = net.transition_ids().map(|t| (t, measure.change(net, t))).collect();
    let widest = changes.iter().filter_map(|(_, change)| *change).max().unwrap_or(0).max(0);
    let widest = widest.saturating_add(i64::try_from(behind).unwrap_or(i64::MAX));
    let window =
        |from: &i64| by_value.range(*from..=from.saturating_add(widest)).map(|(_, n)| n).sum::<usize>();
    let window = by_value.keys().map(window).max().unwrap_or(states);
    if behind > 0 {
        return window as f64 / states as f64;
    }
    // What a step that loses progress, or may, has produced.
    let losing = changes.iter().filter(|(_, change)| change.is_none_or(|change| change < 0));
    let produced: Vec<Vec<(usize, u64)>> = losing.map(|(t, _)| produced(net, *t, sample)).collect();
    let is_persistent = |state: usize| {
        let has = |(at, least): &(usize, u64)| u64::from(sample.column(*at).of(state)) >= *least;
        produced.iter().any(|outputs| outputs.iter().all(has))
    };
    let persistent = (0..states).filter(|state| is_persistent(*state)).count();
    ((window + persistent) as f64 / states as f64).min(1.0)
}

/// What a transition leaves behind, by positions in a sample.
fn produced(net: &Net, transition: TransitionId, sample: &Sample) -> Vec<(usize, u64)> {
    let outputs = net.outputs().of(transition).iter();
    outputs.filter_map(|arc| Some((sample.places().binary_search(&arc.place).ok()?, arc.weight))).collect()
}

/// How often each transition fires on short random walks, as parts of 1.
pub fn frequencies(net: &Net, control: &mut Control<'_>) -> Result<Vec<f64>, StopReason> {
    /// Transitions looked at, at most.
    const EFFORT: usize = 20_000_000;
    const STEPS: usize = 200;
    let walks = (EFFORT / STEPS / net.transitions().len().max(1)).clamp(1, 48);
    let mut fired = vec![0_u64; net.transitions().len()];
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..walks {
        control.poll_quietly()?;
        let mut marking = net.initial_marking();
        for _ in 0..STEPS {
            let enabled: Vec<TransitionId> = net.enabled(&marking).collect();
            chance = rapidhash::v3::rapidhash_v3(&chance.to_le_bytes());
            let Some(at) = (chance as usize).checked_rem(enabled.len()) else { break };
            let Ok(next) = net.fire(&marking, enabled[at]) else { break };
            fired[enabled[at].index()] += 1;
            marking = next;
        }
    }
    let all = fired.iter().sum::<u64>().max(1) as f64;
    Ok(fired.iter().map(|n| *n as f64 / all).collect())
}
