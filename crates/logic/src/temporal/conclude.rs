//! From what was found in the graph to an answer.

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::Trace;

use super::Finding;
use super::formula::Ltl;
use super::steps::Run;
use crate::check::{Answer, Detail, Method, Undecided};
use crate::predicate::Predicate;
use crate::property::Question;
use crate::view::{EvalError, PlainView, View};

/// The answer to a question that was decided by the graph of a net. A path counts only if the net itself, by its plain
/// firing rule, goes that way, and comes back to the same marking where the path goes round.
pub fn answer(net: &Net, question: &Question, finding: Finding) -> Answer {
    let Finding { verdict, run, never_again } = finding;
    let detail = (!never_again.is_empty()).then_some(Detail::NeverAgain(never_again));
    let answer = Answer { detail, ..Answer::plain(verdict, Method::Graph) };
    let Some(run) = run else { return answer };
    let unknown = |why| Answer::unknown(why, Method::Graph);
    let (trace, cycle) = match replay(net, &run) {
        Ok(replayed) => replayed,
        Err(why) => return unknown(Undecided::NotReplayed(why)),
    };
    if let (Question::Ltl(formula), Some(turn)) = (question, cycle) {
        let atoms = formula.atoms();
        let truths = trace.markings(net).map(|marking| truths(&atoms, &PlainView { net, marking: &marking }));
        if let Err(why) = contradicted(formula, truths, trace.events.len(), turn) {
            return unknown(why);
        }
    }
    Answer { trace: Some(trace), cycle, ..answer }
}

/// Which of some predicates hold in a marking.
pub(crate) fn truths<V: View>(atoms: &[&Predicate], marking: &V) -> Result<Vec<bool>, EvalError> {
    atoms.iter().map(|atom| atom.eval(marking)).collect()
}

/// Makes sure that a formula of linear time is not true of a path of so many events, by what holds of its
/// [atoms](Ltl::atoms) in each marking. The path repeats from a step on, or stays where it ends.
pub(crate) fn contradicted(
    formula: &Ltl,
    truths: impl Iterator<Item = Result<Vec<bool>, EvalError>>,
    events: usize,
    turn: usize,
) -> Result<(), Undecided> {
    let atoms = formula.atoms();
    // The marking at the end of a cycle is that at its beginning.
    let length = events + usize::from(turn == events);
    let truths = truths.take(length).collect::<Result<Vec<_>, _>>()?;
    let mut holds = |predicate: &Predicate, at: usize| match predicate {
        Predicate::True => true,
        Predicate::False => false,
        predicate => atoms.binary_search(&predicate).is_ok_and(|atom| truths[at][atom]),
    };
    if truths.len() < length || formula.holds_on(length, turn, &mut holds) {
        let why = "the path that was found does not contradict the formula".to_owned();
        return Err(Undecided::NotReplayed(why));
    }
    Ok(())
}

/// The path on the net, and the step from which it repeats.
fn replay(net: &Net, run: &Run) -> Result<(Trace, Option<usize>), String> {
    let events = |steps: &[super::Step]| -> Vec<TransitionId> {
        steps.iter().filter_map(|step| step.event).map(|event| TransitionId::new(event as usize)).collect()
    };
    let (mut path, round) = (events(&run.prefix), events(&run.cycle));
    let turn = path.len();
    path.extend(round);
    let trace = Trace::replay(net, path).map_err(|error| error.to_string())?;
    if run.cycle.is_empty() {
        return Ok((trace, None));
    }
    let returns = match turn == trace.events.len() {
        true => is_dead(net, trace.last()),
        false => trace.markings(net).nth(turn).is_some_and(|marking| marking == *trace.last()),
    };
    match returns {
        true => Ok((trace, Some(turn))),
        false => Err("the path does not come back to where it is said to".to_owned()),
    }
}

fn is_dead(net: &Net, marking: &Marking) -> bool {
    PlainView { net, marking }.is_dead()
}
