//! Where a model breaks its own promises, on the coloured net itself.

use std::ops::ControlFlow;

use sweepnet_colour::machine::Scratch;
use sweepnet_colour::{Event, Machine, ModelError, Patience};

/// An error of the model, and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breaking {
    /// What is wrong.
    pub error: ModelError,
    /// The event that shows it; none if it is the initial marking.
    pub event: Option<Event>,
    /// The events before.
    pub path: Vec<Event>,
}

impl Breaking {
    /// The first error along a path, or in the state that it leads to; nothing if all is well.
    pub fn along(machine: &Machine, events: Vec<Event>) -> Option<Self> {
        if let Err(error) = machine.check_initial(Patience::default()) {
            return Some(Self { error, event: None, path: Vec::new() });
        }
        let mut marking = machine.initial().clone();
        for (at, event) in events.iter().enumerate() {
            match machine.fire(&marking, event)? {
                Ok(next) => marking = next,
                Err(error) => {
                    return Some(Self { error, event: Some(event.clone()), path: events[..at].to_vec() });
                }
            }
        }
        let mut found = None;
        let _ = machine.successors(&marking, &mut Scratch::default(), &mut |occurrence, next| match next {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                found = Some((error, machine.event(&occurrence)));
                ControlFlow::Break(())
            }
        });
        found.map(|(error, event)| Self { error, event: Some(event), path: events })
    }
}
