//! Errors of the model itself: promises that it breaks.

use std::borrow::Borrow;
use std::io::{self, Write};

use serde_json::{Map, Value, json};
use sweepnet_colour::binding::MOST_COMBINATIONS;
use sweepnet_colour::machine::Site;
use sweepnet_colour::{ColouredNet, Event, Fault, Machine, ModelError};
use sweepnet_logic::check::Answer;
use sweepnet_logic::coloured::{Breaking, Promise, story};
use sweepnet_net::Net;
use sweepnet_space::Trace;
use sweepnet_space::budget::Budget;

use crate::input::{Folded, Source, Spot};
use crate::model::Colours;
use crate::quantity::{counted, grouped};
use crate::report::{json as parts, trace};

/// A broken promise, in words, with the place in the file that is broken, the way to where it breaks and the net on which
/// that way can be shown.
#[derive(Default)]
pub struct Broken {
    sentence: String,
    /// The place in the file.
    spot: Option<Spot>,
    /// The transition that shows it.
    transition: Option<String>,
    /// The values of its variables, by name.
    binding: Option<Vec<(String, String)>>,
    told: Option<(Trace, Net)>,
}

impl Broken {
    /// A promise of a model that an event breaks, or the initial marking if there is none, told with the way to where it
    /// happens. (`net` may have more derived places than the model.)
    pub fn told(
        net: &ColouredNet,
        source: Option<&Source>,
        error: &ModelError,
        event: Option<&Event>,
        told: Option<(Trace, Net)>,
    ) -> Self {
        let sentence = wrong(net, error, event);
        let transition = event.map(|event| event.transition);
        let spot = source.and_then(|source| source.spot(error, transition, &sentence));
        // Without a value for each variable there is no binding.
        let is_bound = !matches!(error, ModelError::Fault { fault: Fault::Unbound { .. }, .. });
        let transition = transition.map(|transition| net.transitions[transition].id.to_string());
        let bound = event.filter(|_| is_bound);
        let binding = bound.map(|event| net.binding(event.transition, &event.binding));
        Self { sentence, spot, transition, binding, told }
    }

    /// A promise that breaks on the way.
    pub fn on_the_way(
        net: &ColouredNet,
        source: Option<&Source>,
        machine: &Machine,
        (error, event): (&ModelError, Option<&Event>),
        path: impl IntoIterator<Item: Borrow<Event>>,
        budget: &Budget,
    ) -> Self {
        let told = story::tell(net, machine, [path], budget).ok();
        let told = told.and_then(|mut story| Some((story.traces.pop()?, story.net)));
        Self::told(net, source, error, event, told)
    }

    /// The promise at a position of an unfolded net, which an answer shows to be broken.
    pub fn of(colours: &Colours, at: usize, answer: &Answer, budget: &Budget) -> Self {
        let Folded { coloured, unfolding } = &colours.folded;
        let net = &coloured.net;
        // The coloured net itself knows best what is wrong with it.
        let machine = Machine::new(net);
        let events = answer.trace.as_ref().map(|trace| story::events(unfolding, &trace.events));
        let breaking = events.and_then(|events| Some((Breaking::along(&machine, events.clone())?, events)));
        if let Some((Breaking { error, event, steps }, events)) = breaking {
            let wrong = (&error, event.as_ref());
            let source = coloured.source.as_ref();
            return Self::on_the_way(net, source, &machine, wrong, events.take(steps), budget);
        }
        let sentence = match colours.conditions[at].promise {
            Promise::Capacity(p) => format!("the capacity of place '{}' is exceeded", net.places[p].id),
            Promise::Derived(p) => derived(net, p),
            Promise::Slice => "something happens that was not looked for".to_owned(),
            Promise::Values => "a term has no value".to_owned(),
        };
        Self { sentence, ..Self::default() }
    }

    /// What is wrong, and where.
    pub fn shown(&self) -> String {
        match &self.spot {
            Some(spot) => spot.shown.trim_end().replace('\n', "\n  "),
            None => format!("model error: {}", self.sentence),
        }
    }

    /// Prints it, with the way to it.
    pub fn print(&self, out: &mut impl Write, full: bool) -> io::Result<()> {
        writeln!(out, "{}", self.shown())?;
        if let Some((found, net)) = &self.told {
            writeln!(out, "  after {}:", counted(found.events.len() as u64, "step"))?;
            trace::print(out, net, found, full, "    ")?;
        }
        Ok(())
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let trace = self.told.as_ref().map(|(found, net)| parts::trace(net, found));
        let binding = self.binding.as_ref().map(|binding| {
            binding.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect::<Map<_, _>>()
        });
        json!({
            "message": self.sentence,
            "line": self.spot.as_ref().map(|spot| spot.line),
            "column": self.spot.as_ref().map(|spot| spot.column),
            "transition": self.transition,
            "binding": binding,
            "trace": trace,
        })
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
        ModelError::Fault { fault: cause, at } => {
            let why = fault(net, *cause);
            let name = event.map(|event| net.event_name(event.transition, &event.binding));
            match (event, name, at, cause) {
                (Some(event), _, _, Fault::Unbound { variable }) => {
                    return unbound(net, event.transition, *variable);
                }
                (_, _, Site::Definition(place), _) => {
                    format!("the definition of derived place '{}' has no value: {why}", net.places[*place].id)
                }
                (_, Some(name), Site::Guard(_), _) => {
                    return format!("transition {name} has its tokens, but a guard has no value: {why}");
                }
                (_, Some(name), ..) => {
                    return format!("transition {name} is enabled, but has no result: {why}");
                }
                (_, None, ..) => format!("a term has no value: {why}"),
            }
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
