//! Errors of the model itself: promises that it breaks.

use std::io::{self, Write};

use serde_json::{Value, json};
use sweepnet_colour::binding::MOST_COMBINATIONS;
use sweepnet_colour::{ColouredNet, Event, Fault, Machine, ModelError};
use sweepnet_logic::check::Answer;
use sweepnet_logic::coloured::{Breaking, Promise, story};
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
    /// A promise that an event breaks, or the initial marking if there is none, told with the way to where it happens.
    pub fn told(
        net: &ColouredNet,
        error: &ModelError,
        event: Option<&Event>,
        told: Option<(Trace, Net)>,
    ) -> Self {
        Self { sentence: wrong(net, error, event), told }
    }

    /// A promise that breaks on the way.
    pub fn on_the_way(net: &ColouredNet, machine: &Machine, breaking: &Breaking) -> Self {
        let Breaking { error, event, path } = breaking;
        let told = story::tell(net, machine, std::slice::from_ref(path)).ok();
        let told = told.and_then(|mut story| Some((story.traces.pop()?, story.net)));
        Self::told(net, error, event.as_ref(), told)
    }

    /// The promise at a position of an unfolded net, which an answer shows to be broken.
    pub fn of(colours: &Colours, at: usize, answer: &Answer) -> Self {
        let (net, unfolding) = (&colours.folded.coloured.net, &colours.folded.unfolding);
        // The coloured net itself knows best what is wrong with it.
        let machine = Machine::new(net);
        let events = answer.trace.as_ref().map(|trace| story::events(unfolding, &trace.events));
        if let Some(breaking) = events.and_then(|events| Breaking::along(&machine, events)) {
            return Self::on_the_way(net, &machine, &breaking);
        }
        let sentence = match colours.conditions[at].promise {
            Promise::Capacity(p) => format!("the capacity of place '{}' is exceeded", net.places[p].id),
            Promise::Derived(p) => derived(net, p),
            Promise::Slice => "something happens that was not looked for".to_owned(),
            Promise::Values => "a term has no value".to_owned(),
        };
        Self { sentence, told: None }
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
