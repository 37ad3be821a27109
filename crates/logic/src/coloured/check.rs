//! Questions answered on the coloured net itself.

use sweepnet_colour::{ColouredNet, Event, Machine, ModelError, Patience};
use sweepnet_language::question::Property as Asked;
use sweepnet_net::Net;
use sweepnet_space::coloured::{ColouredPlan, ColouredReport, explore};
use sweepnet_space::{Control, Pump, SearchChoice, StopReason, Trace};

use super::growing;
use super::labels::Labels;
use super::paths::{self, Subject, Told};
use super::story::{self, Untold};
use super::watch::{ColouredWatchers, Outcome, Watcher, mentions_clock};
use crate::check::BEYOND_UNBOUNDED;
use crate::check::{Answer, Detail, Method, Undecided, Value, Verdict};
use crate::property::Question;
use crate::simplify::NoFacts;

/// The answers to questions about a coloured net, on a net on which their traces can be shown.
pub struct ColouredChecked {
    /// The net of the traces.
    pub net: Net,
    /// One for each question.
    pub answers: Vec<Answer>,
    /// The search.
    pub report: ColouredReport,
    /// How it was seen that the net is unbounded, on the net of the traces.
    pub pump: Option<Pump>,
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
    let mut labels = Labels::new(net);
    // What is about paths, and which question it is.
    let about_paths = |(at, asked): (usize, &Asked)| Some((at, labels.question(&asked.question)?));
    let about_paths: Vec<(usize, Question)> = asked.iter().enumerate().filter_map(about_paths).collect();
    let (positions, questions): (Vec<usize>, Vec<Question>) =
        about_paths.into_iter().map(|(at, question)| (at, question.simplify(&NoFacts))).unzip();
    let beyond_unbounded = plan.beyond_unbounded.max(BEYOND_UNBOUNDED);
    let plan = &ColouredPlan { beyond_unbounded, ..plan.clone() };
    let (report, mut watchers, told) = if questions.is_empty() {
        let mut watchers = ColouredWatchers::new(net, asked);
        (explore(net, &machine, plan, control, &mut watchers), watchers, Vec::new())
    } else {
        let subject = Subject { net, machine: &machine, plan };
        paths::search(subject, asked, &questions, &mut labels, control)
    };
    if let Some(pump) = &report.pump {
        let watch = control.close_watch();
        let go_on = || watch.goes_on();
        // What cannot be repeated decides nothing.
        let _ = growing::decide(&mut watchers, net, &machine, asked, pump, Patience::asking(&go_on));
    }
    let conclude = |watcher| conclude(watcher, report.search, report.stopped);
    let mut all: Vec<Told> = watchers.watchers.into_iter().map(conclude).collect();
    for (at, told) in positions.into_iter().zip(told) {
        all[at] = told;
    }
    let failing = report.model_error.as_ref().map(|(error, path)| match path.split_last() {
        Some((event, path)) => (error, Some(event), path),
        None => (error, None, &[][..]),
    });
    let growth = report.pump.as_ref().map(growing::way);
    let paths = all.iter().filter_map(|told| told.path.as_deref());
    let paths = paths.chain(failing.map(|(_, _, path)| path)).chain(growth.as_deref());
    let (story_net, mut traces, failed) = match story::tell(net, &machine, paths, control.budget()) {
        Ok(story) => (story.net, story.traces.into_iter(), None),
        Err(why) => {
            let empty = story::tell(net, &machine, <[&[Event]; 0]>::default(), control.budget())
                .map(|story| story.net);
            (empty.unwrap_or_else(|_| nameless()), Vec::new().into_iter(), Some(why))
        }
    };
    let answers = all.into_iter().map(|Told { answer, path }| match (path, &failed) {
        (Some(_), Some(Untold::Memory(_))) => {
            Answer::unknown(Undecided::Stopped(StopReason::Memory), answer.method)
        }
        (Some(_), Some(Untold::NotReplayed(why))) => {
            Answer::unknown(Undecided::NotReplayed(why.clone()), answer.method)
        }
        (Some(_), None) => Answer { trace: traces.next(), ..answer },
        (None, _) => answer,
    });
    let mut answers: Vec<Answer> = answers.collect();
    let model_error = failing.map(|(error, event, _)| (error.clone(), event.cloned(), traces.next()));
    let pump = report.pump.as_ref().zip(traces.next());
    let pump = pump.map(|(pump, trace)| growing::shown(net, pump, &story_net, &trace));
    let grown = |answer: &&mut Answer| answer.method == Method::Growth && answer.trace.is_none();
    for answer in answers.iter_mut().filter(grown) {
        answer.detail = pump.clone().map(Detail::Growth);
    }
    ColouredChecked { net: story_net, answers, report, pump, model_error }
}

fn nameless() -> Net {
    sweepnet_net::NetBuilder::new("").build().expect("an empty net can be built")
}

/// The answer to a question that was watched.
fn conclude(watcher: Watcher, search: SearchChoice, stopped: Option<StopReason>) -> Told {
    let method = Method::Search(search);
    let found = watcher.if_found();
    let otherwise = match found {
        Verdict::Holds => Verdict::Violated,
        _ => Verdict::Holds,
    };
    let exactly = watcher.largest().flatten().map(|best| Value::Exactly(i128::from(best)));
    let at_least = watcher.largest().flatten().map(|best| Value::AtLeast(i128::from(best)));
    let answer = match (&watcher.outcome, stopped) {
        (Some(Outcome::Undecided(why)), _) => Answer::unknown(why.clone(), method),
        (Some(Outcome::Grows), _) if watcher.largest().is_some() => {
            let value = Some(Value::Unbounded);
            Answer { value, ..Answer::plain(Verdict::Violated, Method::Growth) }
        }
        (Some(Outcome::Grows | Outcome::Repeated(_)), _) => Answer::plain(found, Method::Growth),
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
    };
    let path = match watcher.outcome {
        Some(Outcome::Shown(path) | Outcome::Repeated(path)) => Some(path),
        _ => None,
    };
    Told { answer, path }
}
