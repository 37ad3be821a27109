//! Events, made ready for keys.

use sweepnet_net::{Arcs, Net, TransitionId};

use super::number::Number;
use super::shape::{Field, Form, Shape};

/// Where a count is read.
#[derive(Clone, Debug)]
enum Source {
    Field(Field),
    Sum(u64, Vec<(Field, u64)>),
}

impl Source {
    #[inline(always)]
    fn count<const W: usize>(&self, key: &Number<W>) -> u64 {
        match self {
            Self::Field(field) => field.of(key),
            Self::Sum(constant, terms) => terms
                .iter()
                .fold(*constant, |sum, (field, factor)| sum.wrapping_add(factor.wrapping_mul(field.of(key)))),
        }
    }
}

/// What a count must be: at least, and below.
#[derive(Clone, Debug)]
struct Condition {
    source: Source,
    least: u64,
    below: Option<u64>,
}

/// An event that may happen.
#[derive(Clone, Debug)]
pub struct Event<const W: usize> {
    /// Which one.
    pub transition: TransitionId,
    /// What it adds to a key.
    pub step: Number<W>,
    conditions: Vec<Condition>,
    /// Fields that may overflow, by their number, and what it adds to them.
    rising: Vec<(usize, Field, u64)>,
}

impl<const W: usize> Event<W> {
    /// Whether it is enabled.
    #[inline(always)]
    pub fn is_enabled(&self, key: &Number<W>) -> bool {
        self.conditions.iter().all(|condition| {
            let count = condition.source.count(key);
            count >= condition.least && condition.below.is_none_or(|below| count < below)
        })
    }

    /// A field that would overflow, and the count it would hold.
    #[inline(always)]
    pub fn overflows(&self, key: &Number<W>) -> Option<(usize, u64)> {
        self.rising.iter().find_map(|(at, field, more)| {
            let count = field.of(key).saturating_add(*more);
            (count > field.most()).then_some((*at, count))
        })
    }
}

/// The events of a net that may happen, in order. Those that are known to be dead are left out.
pub fn compile<const W: usize>(
    net: &Net,
    shape: &Shape,
    dead: impl Fn(TransitionId) -> bool,
) -> Vec<Event<W>> {
    net.transition_ids().filter(|t| !dead(*t)).filter_map(|t| event(net, shape, t)).collect()
}

/// An event; nothing if it can never happen.
fn event<const W: usize>(net: &Net, shape: &Shape, transition: TransitionId) -> Option<Event<W>> {
    let mut conditions = Vec::new();
    let arcs = |arcs: &Arcs| arcs.of(transition).to_vec();
    let needs =
        arcs(net.inputs()).into_iter().chain(arcs(net.reads())).map(|arc| (arc.place, arc.weight, None));
    let forbids = arcs(net.inhibitors()).into_iter().map(|arc| (arc.place, 0, Some(arc.weight)));
    for (place, least, below) in needs.chain(forbids) {
        let source = match &shape.forms[place.index()] {
            Form::Constant(count) if *count >= least && below.is_none_or(|below| *count < below) => continue,
            Form::Constant(_) => return None,
            Form::Field(field) => Source::Field(shape.fields[*field]),
            Form::Sum(constant, terms) => {
                Source::Sum(*constant, terms.iter().map(|(field, by)| (shape.fields[*field], *by)).collect())
            }
        };
        conditions.push(Condition { source, least, below });
    }
    let mut step = Number::ZERO;
    let mut rising = Vec::new();
    for (at, change) in changes(net, shape, transition) {
        let field = shape.fields[at as usize];
        step.add_shifted(change, field.word, field.shift);
        if change > 0 && !field.proven {
            rising.push((at as usize, field, u64::try_from(change).unwrap_or(u64::MAX)));
        }
    }
    let own = (shape.places..shape.fields.len())
        .find(|at| shape.fields[*at].owner == super::shape::Owner::Event(transition));
    if let Some(at) = own {
        let field = shape.fields[at];
        step.add_shifted(1, field.word, field.shift);
        rising.push((at, field, 1));
    }
    Some(Event { transition, step, conditions, rising })
}

/// What a transition adds to each field of a place.
pub fn changes(net: &Net, shape: &Shape, transition: TransitionId) -> Vec<(u32, i128)> {
    let mut changes: std::collections::BTreeMap<u32, i128> = Default::default();
    let mut add = |arcs: &Arcs, sign: i128| {
        for arc in arcs.of(transition) {
            if let Form::Field(field) = shape.forms[arc.place.index()] {
                *changes.entry(field as u32).or_default() += sign * i128::from(arc.weight);
            }
        }
    };
    add(net.outputs(), 1);
    add(net.inputs(), -1);
    changes.into_iter().filter(|(_, change)| *change != 0).collect()
}
