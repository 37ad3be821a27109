//! From what was found in the graph to an answer.

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::Trace;

use super::formula::Ltl;
use super::steps::Run;
use crate::check::{Answer, Method, Undecided, Verdict};
use crate::predicate::Predicate;
use crate::view::{PlainView, View};

/// An answer that a path shows. It counts only if the net itself, by its plain firing rule, goes that way,
/// and comes back to the same marking where the path goes round.
pub fn shown(net: &Net, verdict: Verdict, run: &Run) -> Answer {
    match replay(net, run) {
        Ok((trace, cycle)) => Answer { trace: Some(trace), cycle, ..Answer::plain(verdict, Method::Graph) },
        Err(why) => Answer::unknown(Undecided::NotReplayed(why), Method::Graph),
    }
}

/// The same for a formula of linear time, which must not be true of the path.
pub fn contradicted(net: &Net, formula: &Ltl, run: &Run) -> Answer {
    let answer = shown(net, Verdict::Violated, run);
    let (Some(trace), Some(turn)) = (&answer.trace, answer.cycle) else { return answer };
    let atoms = formula.atoms();
    // The marking at the end of a cycle is that at its beginning.
    let length = trace.events.len() + usize::from(turn == trace.events.len());
    let mut truths = Vec::with_capacity(length);
    for marking in trace.markings(net).take(length) {
        let holds = |atom: &&Predicate| atom.eval(&PlainView { net, marking: &marking });
        match atoms.iter().map(holds).collect::<Result<Vec<bool>, _>>() {
            Ok(row) => truths.push(row),
            Err(error) => return Answer::unknown(error.into(), Method::Graph),
        }
    }
    let mut holds = |predicate: &Predicate, at: usize| match predicate {
        Predicate::True => true,
        Predicate::False => false,
        predicate => atoms.binary_search(&predicate).is_ok_and(|atom| truths[at][atom]),
    };
    if truths.len() < length || formula.holds_on(length, turn, &mut holds) {
        let why = "the path that was found does not contradict the formula".to_owned();
        return Answer::unknown(Undecided::NotReplayed(why), Method::Graph);
    }
    answer
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
