//! Errors of the model itself: promises that it breaks.

use std::io::{self, Write};

use serde_json::{Value, json};
use sweepnet_colour::binding::MOST_COMBINATIONS;
use sweepnet_colour::{ColouredNet, Event, Fault, ModelError};
use sweepnet_logic::check::Answer;
use sweepnet_logic::coloured::{Promise, conditions};
use sweepnet_net::Net;
use sweepnet_space::Trace;

use crate::model::Colours;
use crate::quantity::{counted, grouped};
use crate::report::{json as parts, trace};

/// A broken promise, in words, with the way to where it breaks and the net on which that way can be shown.
pub struct Broken {
    sentence: String,
    told: Option<(Trace, Net)>,
}

impl Broken {
    /// A broken promise.
    pub fn new(sentence: String, told: Option<(Trace, Net)>) -> Self {
        Self { sentence, told }
    }

    /// The promise at a position of an unfolded net, which an answer shows to be broken.
    pub fn of(colours: &Colours, at: usize, answer: &Answer) -> Self {
        let net = &colours.folded.coloured.net;
        let sentence = match (&colours.conditions[at].promise, &answer.trace) {
            (Promise::Capacity(p), Some(trace)) => {
                let tokens = colours.folded.unfolding.instances(*p).map(|place| trace.last()[place]).sum();
                capacity(net, *p, tokens)
            }
            (Promise::Capacity(p), None) => {
                format!("the capacity of place '{}' is exceeded", net.places[*p].id)
            }
            (Promise::Derived(p), _) => derived(net, *p),
            (Promise::Slice, _) => "something happens that was not looked for".to_owned(),
            (Promise::Values, trace) => {
                let found =
                    trace.as_ref().and_then(|t| conditions::fault_in(&colours.folded.unfolding, t.last()));
                match found {
                    Some((t, why)) => {
                        let id = &colours.folded.unfolding.net.transition(t).id;
                        format!("transition {id} is enabled, but has no result: {}", fault(net, why))
                    }
                    None => "a term has no value".to_owned(),
                }
            }
        };
        let net = Net::clone(&colours.folded.unfolding.net);
        Self { sentence, told: answer.trace.clone().map(|trace| (trace, net)) }
    }

    /// Prints it, with the way to it.
    pub fn print(&self, out: &mut impl Write, full: bool) -> io::Result<()> {
        writeln!(out, "model error: {}", self.sentence)?;
        if let Some((found, net)) = &self.told {
            writeln!(out, "  after {}:", counted(found.events.len() as u64, "step"))?;
            trace::print(out, net, found, full, "    ")?;
        }
        Ok(())
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let trace = self.told.as_ref().map(|(found, net)| parts::trace(net, found));
        json!({ "message": self.sentence, "trace": trace })
    }
}

/// A place with a number of tokens that it must not have.
pub fn capacity(net: &ColouredNet, place: usize, tokens: u64) -> String {
    let place = &net.places[place];
    let range = |range: &std::ops::RangeInclusive<u64>| match range.start() == range.end() {
        true => range.start().to_string(),
        false => format!("{}..{}", range.start(), range.end()),
    };
    let ranges = place.capacity.iter().flatten().map(range).collect::<Vec<_>>().join(", ");
    format!("place '{}' has {}; its capacity is {ranges}", place.id, counted_tokens(tokens))
}

fn counted_tokens(tokens: u64) -> String {
    if tokens == 1 { "1 token".to_owned() } else { format!("{} tokens", grouped(tokens)) }
}

/// A derived place that is something else.
pub fn derived(net: &ColouredNet, place: usize) -> String {
    format!("derived place '{}' is not equal to its definition", net.places[place].id)
}

/// Why a term has no value.
pub fn fault(net: &ColouredNet, fault: Fault) -> String {
    match fault {
        Fault::OutOfRange { value, type_ } => format!("{value} is outside of {}", net.types.describe(type_)),
        Fault::NotInSubset { type_ } => format!("a value is outside of {}", net.types.describe(type_)),
        other => other.to_string(),
    }
}

/// A variable of a transition that nothing binds, and that has too many values to try.
pub fn unbound(net: &ColouredNet, transition: usize, variable: usize) -> String {
    let transition = &net.transitions[transition];
    let variable = &transition.variables[variable];
    format!(
        "transition '{}': no input arc and no equation binds its variable '{}', and with all of {} there are more than \
         {} combinations of values to try; take it from a place, say in 'when' what it is equal to, or make the type \
         smaller",
        transition.id,
        variable.name,
        net.types.describe(variable.type_),
        grouped(MOST_COMBINATIONS)
    )
}

/// What is wrong with the model, in words.
pub fn wrong(net: &ColouredNet, error: &ModelError, event: Option<&Event>) -> String {
    let what = match error {
        ModelError::Fault(cause) => {
            let why = fault(net, *cause);
            return match (event, cause) {
                (Some(event), Fault::Unbound { variable }) => unbound(net, event.transition, *variable),
                (Some(event), _) => {
                    let name = net.event_name(event.transition, &event.binding);
                    format!("transition {name} is enabled, but has no result: {why}")
                }
                (None, _) => format!("in the initial marking a term has no value: {why}"),
            };
        }
        ModelError::Capacity { place, tokens } => capacity(net, *place, *tokens),
        ModelError::Derived { place } => derived(net, *place),
    };
    match event {
        Some(event) => {
            format!("after {} {what}", net.event_name(event.transition, &event.binding))
        }
        None => format!("in the initial marking {what}"),
    }
}
