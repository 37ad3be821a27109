//! What follows from growth without end alone, for questions about a coloured net.

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::term::{Arithmetic, Part, Quantifier};
use sweepnet_colour::{Bag, ColouredNet, Event, Machine, Node, Patience, Term};
use sweepnet_language::question::{Property as Asked, Question as Asks};
use sweepnet_net::Net;
use sweepnet_space::coloured::{ColouredPump, Grown};
use sweepnet_space::{Pump, Trace};

use super::watch::{Code, ColouredWatchers, Outcome};

/// A growing sequence is repeated up to so many steps to find a state.
const MOST_STEPS: usize = 10_000;

/// Decides what repeating a sequence decides.
pub(super) fn decide(
    watchers: &mut ColouredWatchers,
    net: &ColouredNet,
    machine: &Machine,
    asked: &[Asked],
    pump: &ColouredPump,
    patience: Patience<'_>,
) -> Option<()> {
    let ColouredPump { prefix, cycle, .. } = pump;
    let mut marking = machine.initial().clone();
    let (mut starts, mut path): (Vec<_>, Vec<Event>) = (Vec::new(), Vec::new());
    let times = (MOST_STEPS.saturating_sub(prefix.len()) / cycle.len().max(1)).max(2);
    for (at, event) in prefix.iter().chain(cycle.iter().cycle().take(cycle.len() * times)).enumerate() {
        if at == prefix.len() || at == prefix.len() + cycle.len() {
            starts.push(marking.clone());
        }
        watchers.repeat(&MarkingWorld { machine, marking: &marking, patience }, &path);
        let is_over = starts.len() == 2 && watchers.has_seen_enough();
        if is_over || !patience.lasts() {
            break;
        }
        marking = machine.fire(&marking, event)?.ok()?;
        path.push(event.clone());
    }
    watchers.repeat(&MarkingWorld { machine, marking: &marking, patience }, &path);
    let [before, after] = starts.as_slice() else { return None };
    let [before, after] = [before, after].map(|marking| MarkingWorld { machine, marking, patience });
    let grows = |asked: &Asked| match &asked.question {
        Asks::Bound(term) if is_linear(&term.body) => {
            let mut code = Code::new(net, term);
            let values = [code.eval(&before), code.eval(&after)].map(|word| word.map(|word| word as i64));
            matches!(values, [Ok(before), Ok(after)] if after > before)
        }
        // Some place has any number of tokens.
        Asks::Safe(_) => true,
        _ => false,
    };
    for (watcher, asked) in watchers.watchers.iter_mut().zip(asked) {
        if watcher.outcome.is_none() && grows(asked) {
            watcher.outcome = Some(Outcome::Grows);
        }
    }
    Some(())
}

/// Whether a term is linear in the numbers of tokens, so that what it grows by it grows by again.
fn is_linear(term: &Term) -> bool {
    match &term.node {
        Node::Count(bag) => matches!(**bag, Bag::Place(_)),
        Node::CountOf(bag, value) => matches!(**bag, Bag::Place(_)) && is_constant(value),
        Node::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, left, right) => {
            is_linear(left) && is_linear(right)
        }
        Node::Arithmetic(Arithmetic::Multiply, left, right) => {
            is_constant(left) && is_linear(right) || is_linear(left) && is_constant(right)
        }
        Node::Quantified(Quantifier::Sum, _, _, body) => is_linear(body),
        _ => is_constant(term),
    }
}

fn is_constant(term: &Term) -> bool {
    let mut depends = false;
    term.walk(&mut |part| {
        depends |= match part {
            Part::Bag(bag) => matches!(bag, Bag::Place(_)),
            Part::Term(term) => {
                matches!(term.node, Node::Enabled(..) | Node::Deadlock | Node::Initial | Node::Clock)
            }
        };
    });
    !depends
}

/// The growth of a coloured net on the net on which a trace of its prefix and its cycle is shown.
pub fn shown(coloured: &ColouredNet, pump: &ColouredPump, net: &Net, trace: &Trace) -> Pump {
    let (prefix, cycle) = trace.events.split_at(pump.prefix.len().min(trace.events.len()));
    let place = |(place, value, more): &Grown| {
        let place = &coloured.places[*place];
        Some((net.find_place(&coloured.place_name(&place.id, place.type_, value))?, *more))
    };
    let mut places: Vec<_> = pump.grows.iter().filter_map(place).collect();
    places.sort_unstable_by_key(|(place, _)| *place);
    Pump { prefix: prefix.to_vec(), cycle: cycle.to_vec(), places }
}

/// The events of a pump from the initial marking on, its cycle once.
pub fn way(pump: &ColouredPump) -> Vec<Event> {
    [pump.prefix.as_slice(), &pump.cycle].concat()
}
