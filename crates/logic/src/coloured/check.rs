//! Questions answered on the coloured net itself.

use sweepnet_colour::{ColouredNet, Event, Machine, ModelError};
use sweepnet_language::question::Property as Asked;
use sweepnet_net::Net;
use sweepnet_space::coloured::{ColouredPlan, ColouredReport, explore};
use sweepnet_space::{Control, SearchChoice, StopReason, Trace};

use super::story;
use super::watch::{ColouredWatchers, Outcome, Watcher, mentions_clock};
use crate::check::{Answer, Detail, Method, Undecided, Value, Verdict};

/// The answers to questions about a coloured net, on a net on which their traces can be shown.
pub struct ColouredChecked {
    /// The net of the traces.
    pub net: Net,
    /// One for each question.
    pub answers: Vec<Answer>,
    /// The search.
    pub report: ColouredReport,
    /// What is wrong with the model, if something is: the event that shows it (none if it is the initial marking), and
    /// the way to the state where it happens.
    pub model_error: Option<(ModelError, Option<Event>, Option<Trace>)>,
}

/// Answers questions by a search on coloured markings.
pub fn check_coloured(
    net: &ColouredNet,
    asked: &[Asked],
    plan: &ColouredPlan,
    control: &mut Control<'_>,
) -> ColouredChecked {
    let mut machine = Machine::new(net);
    if asked.iter().any(mentions_clock) {
        machine.keep_clock();
    }
    let mut watchers = ColouredWatchers::new(net, asked);
    let report = explore(net, &machine, plan, control, &mut watchers);
    let mut paths: Vec<Vec<Event>> = Vec::new();
    for watcher in &watchers.watchers {
        if let Some(Outcome::Shown(path)) = &watcher.outcome {
            paths.push(path.clone());
        }
    }
    let failing = report.model_error.as_ref().map(|(error, path)| {
        let mut path = path.clone();
        let event = path.pop();
        (error.clone(), event, path)
    });
    paths.extend(failing.iter().map(|(_, _, path)| path.clone()));
    let (story_net, mut traces, told) = match story::tell(net, &machine, &paths) {
        Ok(story) => (story.net, story.traces.into_iter(), None),
        Err(why) => {
            let empty = story::tell(net, &machine, &[]).map(|story| story.net);
            (empty.unwrap_or_else(|_| nameless()), Vec::new().into_iter(), Some(why))
        }
    };
    let answers = watchers.watchers.iter().map(|watcher| match (&watcher.outcome, &told) {
        (Some(Outcome::Shown(_)), Some(why)) => {
            Answer::unknown(Undecided::NotReplayed(why.clone()), Method::Search(report.search))
        }
        (Some(Outcome::Shown(_)), None) => Answer {
            trace: traces.next(),
            ..Answer::plain(watcher.if_found(), Method::Search(report.search))
        },
        _ => conclude(watcher, report.search, report.stopped),
    });
    let answers = answers.collect();
    let model_error = failing.map(|(error, event, _)| (error, event, traces.next()));
    ColouredChecked { net: story_net, answers, report, model_error }
}

fn nameless() -> Net {
    sweepnet_net::NetBuilder::new("").build().expect("an empty net can be built")
}

/// The answer to a question that no single state decides.
fn conclude(watcher: &Watcher, search: SearchChoice, stopped: Option<StopReason>) -> Answer {
    let method = Method::Search(search);
    let found = watcher.if_found();
    let otherwise = match found {
        Verdict::Holds => Verdict::Violated,
        _ => Verdict::Holds,
    };
    let exactly = watcher.largest().flatten().map(|best| Value::Exactly(i128::from(best)));
    let at_least = watcher.largest().flatten().map(|best| Value::AtLeast(i128::from(best)));
    match (&watcher.outcome, stopped) {
        (Some(Outcome::Undecided(why @ Undecided::Unsupported(_))), _) => {
            Answer::unknown(why.clone(), Method::Nothing)
        }
        (Some(Outcome::Undecided(why)), _) => Answer::unknown(why.clone(), method),
        (Some(_), _) => Answer::plain(found, method),
        (None, Some(reason)) => {
            Answer { value: at_least, ..Answer::unknown(Undecided::Stopped(reason), method) }
        }
        (None, None) => {
            let detail = watcher.unfired().map(Detail::DeadTransitions);
            let detail = detail.or_else(|| watcher.unchanged().map(Detail::StablePlaces));
            let verdict = if exactly.is_some() { found } else { otherwise };
            Answer { value: exactly, detail, ..Answer::plain(verdict, method) }
        }
    }
}
