//! Answering questions: all of them in one pass over the states.
//!
//! [`facts`] brings in what structure has proven; what that decides needs no search. For the rest, each property
//! gets a watch (`watch`, `watchers`) that looks at every state as it is found, by tables over local numbers where
//! states have them (`local`), and the search ends when all are decided. Every trace is replayed on the net by its plain firing rule, and what it should show is evaluated
//! there once more (`conclude`), before it becomes an [`answer`].

mod along;
pub mod answer;
mod conclude;
pub(crate) mod ends;
pub mod facts;
mod groups;
pub(crate) mod local;
mod masks;
pub mod paths;
mod unpacked;
mod watch;
mod watchers;

use sweepnet_graph::{Graph, replay};
use sweepnet_net::Net;
use sweepnet_space::{Control, Observer, Plan, Report, SearchChoice, StopReason, explore};
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
pub(crate) const BEYOND_UNBOUNDED: u64 = 100_000;

/// Answers all properties.
pub fn check(
    net: &Net,
    structure: &Structure,
    properties: &[Property],
    plan: &Plan,
    control: &mut Control<'_>,
) -> Checked {
    check_within(net, structure, properties, &[], Source::Search(plan), control)
}

/// Where states come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// From a search.
    Search(&'a Plan),
    /// From a graph that was built before.
    Graph(&'a Graph),
}

impl Source<'_> {
    /// Whether a marking may be met several times, as different states.
    fn may_repeat(&self) -> bool {
        match self {
            Self::Search(plan) => matches!(plan.search, SearchChoice::Sweep | SearchChoice::Window),
            Self::Graph(graph) => !graph.description.exact,
        }
    }

    /// Lets an observer see all states.
    fn show<O: Observer>(&self, net: &Net, control: &mut Control<'_>, observer: &mut O) -> Report {
        match self {
            Self::Search(plan) => explore(net, plan, control, observer),
            Self::Graph(graph) => replay(graph, net, control, observer),
        }
    }
}

/// Answers all properties of a net that has to keep conditions. Where one is found broken the search ends: what
/// comes behind means nothing.
pub fn check_within(
    net: &Net,
    structure: &Structure,
    properties: &[Property],
    conditions: &[Property],
    source: Source<'_>,
    control: &mut Control<'_>,
) -> Checked {
    let facts = StructuralFacts::new(net, structure);
    let spelled: Vec<Property>;
    // The initial marking may be met again as a state like any other.
    let properties = match source.may_repeat() {
        true => {
            spelled = properties.iter().map(|property| property.spelling_out_initial(net)).collect();
            &spelled
        }
        false => properties,
    };
    let mut watchers = Watchers::new(net, &facts, properties, conditions).within(control.budget());
    let planned: Plan;
    let source = match source {
        Source::Search(plan) => {
            let beyond_unbounded = plan.beyond_unbounded.max(BEYOND_UNBOUNDED);
            planned = Plan { beyond_unbounded, ..plan.clone() };
            Source::Search(&planned)
        }
        graph => graph,
    };
    if let Source::Graph(graph) = source
        && graph.is_complete()
    {
        // Searches in the graph find the nearest state.
        watchers.leave_to_the_graph(properties);
    }
    // What is about paths, with what is left of it.
    let about_paths: Vec<usize> = watchers.that_need_the_graph();
    let questions: Vec<Question> =
        about_paths.iter().map(|at| properties[*at].question.simplify(&facts)).collect();
    let is_open = !watchers.all_decided() || watchers.rests_on_conditions();
    let (report, on_paths) = if questions.is_empty() {
        (is_open.then(|| source.show(net, control, &mut watchers)), Vec::new())
    } else {
        let (report, answers) = about(net, source, control, &mut watchers, &questions);
        (Some(report), answers)
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

/// Answers questions about paths, while watchers see all states.
fn about<'n>(
    net: &'n Net,
    source: Source<'_>,
    control: &mut Control<'_>,
    watchers: &mut Watchers<'n>,
    questions: &[Question],
) -> (Report, Vec<Answer>) {
    match source {
        Source::Search(plan) => {
            let swept = (plan.search == SearchChoice::Sweep)
                .then(|| along::sweep(net, plan, control, watchers, questions))
                .flatten();
            swept.unwrap_or_else(|| {
                let (report, graph) = paths::explore_to_graph(net, plan, control, watchers);
                let answers = on_graph(net, graph.as_ref(), report.stopped, questions, control);
                (report, answers)
            })
        }
        Source::Graph(graph) => {
            let report = replay(graph, net, control, watchers);
            let stopped = (!graph.is_complete()).then_some(StopReason::Incomplete);
            let whole = Some(graph).filter(|graph| graph.is_complete());
            (report, on_graph(net, whole, stopped, questions, control))
        }
    }
}

/// Answers questions about paths by the graph of all markings, if there is one.
fn on_graph(
    net: &Net,
    graph: Option<&Graph>,
    stopped: Option<StopReason>,
    questions: &[Question],
    control: &mut Control<'_>,
) -> Vec<Answer> {
    let nothing = |why| Answer::unknown(why, Method::Graph);
    let Some(graph) = graph else {
        let why = stopped.map_or(Undecided::NeedsGraph, Undecided::Stopped);
        return questions.iter().map(|_| nothing(why.clone())).collect();
    };
    let answers = paths::ask(net, graph, questions.iter(), control).into_iter();
    answers.map(|answer| answer.unwrap_or_else(|| nothing(Undecided::NeedsGraph))).collect()
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
    let watchers = Watchers::new(net, &facts, &[], conditions).within(control.budget());
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
