//! Questions about paths of a coloured net: by terminal components along a sweep, where these decide and no step loses
//! progress; else on the graph, which is recorded during the search.

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::{ColouredNet, Event, Machine, Patience, World};
use sweepnet_language::question::Property as Asked;
use sweepnet_space::coloured::{ColouredPlan, ColouredReport, explore};
use sweepnet_space::{Control, SearchChoice, StopReason};

use super::along::{Along, Wanted, wanted};
use super::labels::Labels;
use super::record::{Record, Recorded};
use super::watch::ColouredWatchers;
use crate::check::ends::{Ends, Outcome};
use crate::check::paths::Read;
use crate::check::{Answer, Detail, Method, Undecided, Verdict};
use crate::property::Question;
use crate::temporal::conclude::{contradicted, truths};
use crate::temporal::{self, Classes, Finding, Run, Step};

/// An answer without its trace, and the path that the trace is to be made of.
pub(super) struct Told {
    pub answer: Answer,
    pub path: Option<Vec<Event>>,
}

impl Told {
    fn unknown(why: Undecided, method: Method) -> Self {
        Self { answer: Answer::unknown(why, method), path: None }
    }
}

/// A coloured net that is asked about.
#[derive(Clone, Copy)]
pub(super) struct Subject<'n> {
    pub net: &'n ColouredNet,
    pub machine: &'n Machine,
    pub plan: &'n ColouredPlan,
}

/// Searches, watched by whoever answers other questions, and answers those about paths.
pub(super) fn search(
    subject: Subject<'_>,
    asked: &[Asked],
    questions: &[Question],
    labels: &mut Labels<'_>,
    control: &mut Control<'_>,
) -> (ColouredReport, ColouredWatchers, Vec<Told>) {
    let Subject { net, machine, plan } = subject;
    if plan.search == SearchChoice::Sweep
        && let Some(wanted) = wanted(questions, net.transitions.len())
    {
        let ends = Ends::new(wanted.iter().map(|wanted| wanted.things()));
        let mut along = Along { wanted, ends, ..Along::new(ColouredWatchers::new(net, asked), labels) };
        let report = explore(net, machine, plan, control, &mut along);
        if !along.ends.is_regressed() {
            let Along { watchers, wanted, ends, .. } = along;
            let told = wanted.into_iter().zip(ends.outcomes());
            let told = told.map(|(wanted, outcome)| at_the_end(wanted, outcome, report.stopped)).collect();
            return (report, watchers, told);
        }
    }
    let mut along = Along::new(ColouredWatchers::new(net, asked), labels);
    let record = Record::new(along.labels.len(), control.budget());
    along.record = record.ok();
    let mut report = explore(net, machine, plan, control, &mut along);
    let Along { watchers, record, labels, .. } = along;
    let record = record.filter(|record| !record.is_refused());
    if record.is_none() && matches!(report.stopped, None | Some(StopReason::Decided)) {
        report.stopped = Some(StopReason::Memory);
    }
    let whole = match (record, report.stopped) {
        (Some(record), None) => record.finish().map_err(StopReason::from),
        (_, reason) => Err(reason.unwrap_or(StopReason::Memory)),
    };
    let told = whole.and_then(|recorded| on_graph(subject, &recorded, questions, labels, control));
    let told = told.unwrap_or_else(|reason| {
        let unknown = |_| Told::unknown(Undecided::Stopped(reason), Method::Graph);
        questions.iter().map(unknown).collect()
    });
    (report, watchers, told)
}

/// The answer to a question that terminal components decide, given how the sweep ended.
fn at_the_end(wanted: Wanted, outcome: Option<Outcome<Vec<Event>>>, stopped: Option<StopReason>) -> Told {
    let method = Method::Search(SearchChoice::Sweep);
    match (outcome, stopped) {
        (Some(Outcome::Lacking(things, path)), _) => {
            let detail = match wanted {
                Wanted::Label(_) => None,
                Wanted::Transitions(_) => Some(Detail::NeverAgain(things)),
            };
            Told { answer: Answer { detail, ..Answer::plain(Verdict::Violated, method) }, path: Some(path) }
        }
        (Some(Outcome::Undecided(why)), _) => Told::unknown(why, method),
        (None, None) => Told { answer: Answer::plain(Verdict::Holds, method), path: None },
        (None, Some(reason)) => Told::unknown(Undecided::Stopped(reason), method),
    }
}

/// Answers questions about labels on the whole graph.
fn on_graph(
    subject: Subject<'_>,
    recorded: &Recorded,
    questions: &[Question],
    labels: &mut Labels<'_>,
    control: &Control<'_>,
) -> Result<Vec<Told>, StopReason> {
    let (budget, watch) = (control.budget(), control.watch());
    let atoms = recorded.atoms(questions, budget)?;
    let events = recorded.events.list();
    let of = |event: u32| events[event as usize].transition;
    let classes = Classes { of: &of, count: subject.net.transitions.len() };
    let mut steps = Read::new(&recorded.graph, budget, &watch);
    let tell = |question: &Question| match temporal::decide(question, &classes, &mut steps, &atoms, budget) {
        None => Told::unknown(Undecided::NeedsGraph, Method::Nothing),
        Some(Err(why)) => Told::unknown(why, Method::Graph),
        Some(Ok(finding)) => conclude(subject.machine, labels, question, finding, &events),
    };
    Ok(questions.iter().map(tell).collect())
}

fn conclude(
    machine: &Machine,
    labels: &mut Labels<'_>,
    question: &Question,
    finding: Finding,
    events: &[&Event],
) -> Told {
    let Finding { verdict, run, never_again } = finding;
    let detail = (!never_again.is_empty()).then_some(Detail::NeverAgain(never_again));
    let answer = Answer { detail, ..Answer::plain(verdict, Method::Graph) };
    let Some(run) = run else { return Told { answer, path: None } };
    match replay(machine, labels, question, &run, events) {
        Ok((path, cycle)) => Told { answer: Answer { cycle, ..answer }, path: Some(path) },
        Err(why) => Told::unknown(why, Method::Graph),
    }
}

/// The events of a path, and the step from which it repeats. It counts only if the net itself goes that way, comes back to
/// the same marking where the path goes round, and contradicts a formula of linear time.
fn replay(
    machine: &Machine,
    labels: &mut Labels<'_>,
    question: &Question,
    run: &Run,
    events: &[&Event],
) -> Result<(Vec<Event>, Option<usize>), Undecided> {
    let failed = |why: &str| Undecided::NotReplayed(why.to_owned());
    let of = |steps: &[Step]| -> Vec<Event> {
        steps.iter().filter_map(|step| step.event).map(|event| events[event as usize].clone()).collect()
    };
    let (mut path, round) = (of(&run.prefix), of(&run.cycle));
    let turn = path.len();
    path.extend(round);
    let formula = match question {
        Question::Ltl(formula) if !run.cycle.is_empty() => Some(formula),
        _ => None,
    };
    let atoms = formula.map(|formula| formula.atoms());
    let (mut marking, mut turned, mut rows) = (machine.initial().clone(), None, Vec::new());
    for at in 0..=path.len() {
        if at == turn {
            turned = Some(marking.clone());
        }
        if let Some(atoms) = &atoms {
            let state = labels
                .see(&MarkingWorld { machine, marking: &marking, patience: Patience::default() }, at == 0);
            rows.push(truths(atoms, &state));
        }
        if let Some(event) = path.get(at) {
            let next = machine.fire(&marking, event).and_then(Result::ok);
            marking = next.ok_or_else(|| failed("an event of the path could not be replayed"))?;
        }
    }
    if run.cycle.is_empty() {
        return Ok((path, None));
    }
    let returns = match turn == path.len() {
        true => {
            MarkingWorld { machine, marking: &marking, patience: Patience::default() }.is_dead() == Ok(true)
        }
        false => turned == Some(marking),
    };
    if !returns {
        return Err(failed("the path does not come back to where it is said to"));
    }
    if let Some(formula) = formula {
        contradicted(formula, rows.into_iter(), path.len(), turn)?;
    }
    Ok((path, Some(turn)))
}
