//! Answering questions: all of them in one pass over the states.
//!
//! [`facts`] brings in what structure has proven; what that decides needs no search. For the rest, each property
//! gets a watch (`watch`, `watchers`) that looks at every state as it is found, by tables over local numbers where
//! states have them (`local`), and the search ends when all are decided. Every trace is replayed on the net by its plain firing rule, and what it should show is evaluated
//! there once more (`conclude`), before it becomes an [`answer`].

pub mod answer;
mod conclude;
pub mod facts;
mod ends;
mod local;
pub mod paths;
mod watch;
mod watchers;

use sweepnet_net::Net;
use sweepnet_space::{Control, Observer, Plan, Report, SearchChoice, explore};
use sweepnet_structure::Structure;

pub use answer::{Answer, Detail, Method, Undecided, Value, Verdict};
use facts::StructuralFacts;
pub(crate) use watch::transition_classes;
use watchers::Watchers;

use crate::{Property, Question};

/// The answers, in order of the questions, and the search that was needed, if any.
#[derive(Debug)]
pub struct Checked {
    /// One for each property.
    pub answers: Vec<Answer>,
    /// The search.
    pub report: Option<Report>,
    /// The condition that is broken, if one is, with the answer that shows it.
    pub broken: Option<(usize, Answer)>,
}

/// States that are still looked at when the net has turned out to be unbounded, before what is open is given up.
const BEYOND_UNBOUNDED: u64 = 100_000;

/// Answers all properties.
pub fn check(
    net: &Net,
    structure: &Structure,
    properties: &[Property],
    plan: &Plan,
    control: &mut Control<'_>,
) -> Checked {
    check_within(net, structure, properties, &[], plan, control)
}

/// Answers all properties of a net that has to keep conditions. Where one is found broken the search ends: what
/// comes behind means nothing.
pub fn check_within(
    net: &Net,
    structure: &Structure,
    properties: &[Property],
    conditions: &[Property],
    plan: &Plan,
    control: &mut Control<'_>,
) -> Checked {
    let facts = StructuralFacts::new(net, structure);
    let spelled: Vec<Property>;
    let properties = match plan.search {
        // A sweep may drop the initial marking and meet it again, as a state like any other.
        SearchChoice::Sweep => {
            spelled = properties.iter().map(|property| property.spelling_out_initial(net)).collect();
            &spelled
        }
        _ => properties,
    };
    let mut watchers = Watchers::new(net, &facts, properties, conditions);
    let beyond_unbounded = plan.beyond_unbounded.max(BEYOND_UNBOUNDED);
    let plan = Plan { beyond_unbounded, ..plan.clone() };
    // What is about paths, with what is left of it.
    let about_paths: Vec<usize> = watchers.that_need_the_graph();
    let questions: Vec<Question> =
        about_paths.iter().map(|at| properties[*at].question.simplify(&facts)).collect();
    let (report, on_paths) = if !questions.is_empty() {
        let swept = (plan.search == SearchChoice::Sweep)
            .then(|| ends::sweep(net, &plan, control, &mut watchers, &questions))
            .flatten();
        let (report, answers) = match swept {
            Some(found) => found,
            None => by_graph(net, &plan, control, &mut watchers, &questions),
        };
        (Some(report), answers)
    } else {
        let is_open = !watchers.all_decided() || watchers.rests_on_conditions();
        (is_open.then(|| explore(net, &plan, control, &mut watchers)), Vec::new())
    };
    let broken = watchers.broken().map(|(at, answer)| (at, answer.clone()));
    let mut answers = watchers.answers(report.as_ref());
    for (at, mut answer) in about_paths.into_iter().zip(on_paths) {
        if let (Method::Search(search), Some(report)) = (&mut answer.method, &report) {
            *search = report.search;
        }
        answers[at] = answer;
    }
    Checked { answers, report, broken }
}

/// Answers questions about paths by the graph of all markings.
fn by_graph(
    net: &Net,
    plan: &Plan,
    control: &mut Control<'_>,
    watchers: &mut Watchers<'_>,
    questions: &[Question],
) -> (Report, Vec<Answer>) {
    let (report, graph) = paths::explore_to_graph(net, plan, control, watchers);
    let nothing = |why| Answer::unknown(why, Method::Graph);
    let answers = match (&graph, report.stopped) {
        (Some(graph), _) => {
            let answers = paths::ask(net, graph, questions.iter(), control).into_iter();
            answers.map(|answer| answer.unwrap_or_else(|| nothing(Undecided::NeedsGraph))).collect()
        }
        (None, stopped) => {
            let why = stopped.map_or(Undecided::NeedsGraph, Undecided::Stopped);
            questions.iter().map(|_| nothing(why.clone())).collect()
        }
    };
    (report, answers)
}

/// Explores a net that has to keep conditions, watched by an observer. Gives the condition that is broken, if one is.
pub fn explore_within<O: Observer>(
    net: &Net,
    structure: &Structure,
    conditions: &[Property],
    plan: &Plan,
    control: &mut Control<'_>,
    observer: O,
) -> (Report, O, Option<(usize, Answer)>) {
    let facts = StructuralFacts::new(net, structure);
    let watchers = Watchers::new(net, &facts, &[], conditions);
    if watchers.conditions_are_kept() {
        let mut observer = observer;
        let report = explore(net, plan, control, &mut observer);
        return (report, observer, None);
    }
    // Nearly all models keep their promises, and being able to give paths costs a byte per state.
    let mut both = (observer, watchers.clone().pathless());
    let report = explore(net, plan, control, &mut both);
    let (observer, found) = (both.0, both.1.broken().map(|(at, answer)| (at, answer.clone())));
    if found.is_none() {
        return (report, observer, None);
    }
    let mut watchers = watchers;
    explore(net, plan, control, &mut watchers);
    // If a limit came before the path, what was found counts all the same.
    let broken = watchers.broken().map(|(at, answer)| (at, answer.clone()));
    (report, observer, broken.or(found))
}
