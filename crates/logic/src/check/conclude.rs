//! From what was watched to an answer.

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::{Pump, Report, SearchChoice, Trace};

use super::answer::{Answer, Detail, Method, Undecided, Value, Verdict};
use super::facts::StructuralFacts;
use super::watch::{Sight, Watch};
use crate::{Facts, PlainView, Predicate};

/// The search that will answer; its name is filled in when it is known.
pub const SEARCH: Method = Method::Search(SearchChoice::Auto);

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Holds => Verdict::Violated,
        Verdict::Violated => Verdict::Holds,
        Verdict::Unknown => Verdict::Unknown,
    }
}

/// The answer that structure alone gives, if it does.
pub fn by_structure(watch: &mut Watch, if_found: Verdict, facts: &StructuralFacts<'_>) -> Option<Answer> {
    let net = facts.net();
    let initial = net.initial_marking();
    let never = Some(Answer::plain(opposite(if_found), Method::Structure));
    match watch {
        Watch::Target(Predicate::False) => never,
        Watch::TooMany { places, .. } if places.is_empty() => never,
        // True in every reachable marking, so also in the initial one.
        Watch::Target(Predicate::True) => {
            Some(Answer { method: Method::Structure, ..shown(watch, if_found, net, Vec::new()) })
        }
        Watch::OtherTotal(_) => {
            let live = net.transition_ids().filter(|t| !facts.never_enabled(*t));
            let mut effects = live.map(|t| conserves_tokens(net, t));
            if effects.all(|conserves| conserves) { never } else { None }
        }
        Watch::Unfired { left: 0, .. } => Some(Answer::plain(if_found, Method::Structure)),
        Watch::Unfired { classes, fired, .. } => {
            let mut may_fire = fired.clone();
            for t in net.transition_ids().filter(|t| !facts.never_enabled(*t)) {
                may_fire[classes[t.index()] as usize] = true;
            }
            let dead: Vec<usize> = (0..may_fire.len()).filter(|class| !may_fire[*class]).collect();
            (!dead.is_empty()).then(|| Answer {
                detail: Some(Detail::DeadTransitions(dead)),
                ..Answer::plain(opposite(if_found), Method::Structure)
            })
        }
        Watch::Unchanged(groups) => {
            if groups.is_empty() {
                return Some(Answer::plain(if_found, Method::Structure));
            }
            let stable = groups.iter().filter(|group| !facts.may_change(&group.places));
            let stable: Vec<usize> = stable.map(|group| group.position).collect();
            (!stable.is_empty()).then(|| Answer {
                detail: Some(Detail::StablePlaces(stable)),
                ..Answer::plain(opposite(if_found), Method::Structure)
            })
        }
        Watch::Largest { .. } => {
            let seen = watch.look(&PlainView { net, marking: &initial }, || initial.total());
            let answer = Answer { method: Method::Structure, ..exhausted(watch, if_found) };
            (seen == Ok(Sight::Exhausted)).then_some(answer)
        }
        Watch::TooMany { .. } | Watch::Target(_) => None,
    }
}

fn conserves_tokens(net: &Net, t: TransitionId) -> bool {
    let sum = |arcs: &sweepnet_net::Arcs| arcs.of(t).iter().map(|a| u128::from(a.weight)).sum::<u128>();
    net.resets().of(t).is_empty() && sum(net.inputs()) == sum(net.outputs())
}

/// The answer when there is nothing left to wait for.
pub fn exhausted(watch: &Watch, if_found: Verdict) -> Answer {
    let value = match watch {
        Watch::Largest { best, .. } => best.map(Value::Exactly),
        _ => None,
    };
    Answer { value, ..Answer::plain(if_found, SEARCH) }
}

/// The answer when a path leads to what was watched for. It counts only if the net itself, by its plain firing
/// rule, goes that way and shows it in the end.
pub fn shown(watch: &Watch, if_found: Verdict, net: &Net, path: Vec<TransitionId>) -> Answer {
    let trace = match Trace::replay(net, path) {
        Ok(trace) => trace,
        Err(error) => return Answer::unknown(Undecided::NotReplayed(error.to_string()), SEARCH),
    };
    let end = PlainView { net, marking: trace.last() };
    if watch.clone().look(&end, || trace.last().total()) != Ok(Sight::Found) {
        let why = "the trace does not end in the state it was found for".to_owned();
        return Answer::unknown(Undecided::NotReplayed(why), SEARCH);
    }
    let detail = match watch {
        Watch::TooMany { places, most } => places
            .iter()
            .find(|p| trace.last()[**p] > *most)
            .map(|p| Detail::TooManyTokens(*p, trace.last()[*p])),
        _ => None,
    };
    Answer { trace: Some(trace), detail, ..Answer::plain(if_found, SEARCH) }
}

/// The answer when the search has ended without finding it.
pub fn at_the_end(watch: &Watch, if_found: Verdict, net: &Net, report: &Report) -> Answer {
    let Some(reason) = report.stopped else {
        return not_found(watch, if_found);
    };
    if let Some(answer) = report.pump.as_ref().and_then(|pump| by_growth(watch, if_found, net, pump)) {
        return Answer { method: Method::Growth, ..answer };
    }
    let value = match watch {
        Watch::Largest { best, .. } => best.map(Value::AtLeast),
        _ => None,
    };
    Answer { value, ..Answer::unknown(Undecided::Stopped(reason), SEARCH) }
}

fn not_found(watch: &Watch, if_found: Verdict) -> Answer {
    let detail = match watch {
        Watch::Largest { .. } => return exhausted(watch, if_found),
        Watch::Unfired { fired, .. } => {
            Some(Detail::DeadTransitions((0..fired.len()).filter(|class| !fired[*class]).collect()))
        }
        Watch::Unchanged(groups) => {
            Some(Detail::StablePlaces(groups.iter().map(|group| group.position).collect()))
        }
        _ => None,
    };
    Answer { detail, ..Answer::plain(opposite(if_found), SEARCH) }
}

/// A growing sequence is repeated up to so many steps to find a state.
const MOST_STEPS: usize = 10_000;

/// What follows from unbounded growth alone.
fn by_growth(watch: &Watch, if_found: Verdict, net: &Net, pump: &Pump) -> Option<Answer> {
    let repeated = |times: usize| {
        let cycles = pump.cycle.iter().cycle().take(pump.cycle.len() * times);
        pump.prefix.iter().chain(cycles).copied().collect::<Vec<_>>()
    };
    match watch {
        Watch::Target(_) => {
            // Growth alone reaches many states: those on its way are looked at.
            let times = MOST_STEPS.saturating_sub(pump.prefix.len()) / pump.cycle.len().max(1);
            let trace = Trace::replay(net, repeated(times)).ok()?;
            let mut watch = watch.clone();
            let mut finds = |marking: &Marking| {
                watch.look(&PlainView { net, marking }, || marking.total()) == Ok(Sight::Found)
            };
            let at = trace.markings(net).position(|marking| finds(&marking))?;
            Some(shown(&watch, if_found, net, trace.events[..at].to_vec()))
        }
        Watch::Unchanged(_) => {
            // Growth changes more and more places, but only those along it; what is left may still change.
            let trace = Trace::replay(net, repeated(1)).ok()?;
            let mut watch = watch.clone();
            let mut changes = |marking: &Marking| {
                watch.look(&PlainView { net, marking }, || marking.total()) == Ok(Sight::Exhausted)
            };
            trace.markings(net).any(|marking| changes(&marking)).then(|| Answer::plain(if_found, SEARCH))
        }
        Watch::TooMany { most, .. } => {
            let (_, step) = pump.places.iter().max_by_key(|(_, step)| *step)?;
            let times = usize::try_from(most / step + 1).ok()?;
            if times.saturating_mul(pump.cycle.len()) > MOST_STEPS {
                let detail = Some(Detail::Growth(pump.clone()));
                return Some(Answer { detail, ..Answer::plain(if_found, SEARCH) });
            }
            Some(shown(watch, if_found, net, repeated(times)))
        }
        // One of two totals that differ is not the initial one.
        Watch::OtherTotal(_) => {
            let answers = [0, 1].map(|times| shown(watch, if_found, net, repeated(times)));
            answers.into_iter().find(|answer| answer.verdict == if_found)
        }
        Watch::Largest { cases, .. } => {
            // Of what is different in different cases nothing follows.
            let [(_, expression)] = cases.as_slice() else { return None };
            let weight = |place| {
                let terms = expression.as_linear()?.terms();
                Some(terms.iter().find(|(p, _)| *p == place).map_or(0, |(_, c)| *c))
            };
            let mut growth = 0i128;
            for (place, step) in &pump.places {
                growth = growth.checked_add(weight(*place)?.checked_mul(i128::from(*step))?)?;
            }
            (growth > 0).then(|| Answer {
                value: Some(Value::Unbounded),
                detail: Some(Detail::Growth(pump.clone())),
                ..Answer::plain(Verdict::Violated, SEARCH)
            })
        }
        _ => None,
    }
}
