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
    /// How many events come before.
    pub steps: usize,
}

impl Breaking {
    /// The first error along a path, or in the state that it leads to; nothing if all is well.
    pub fn along(machine: &Machine, events: impl IntoIterator<Item = Event>) -> Option<Self> {
        if let Err(error) = machine.check_initial(Patience::default()) {
            return Some(Self { error, event: None, steps: 0 });
        }
        let (mut marking, mut steps) = (machine.initial().clone(), 0);
        for event in events {
            match machine.fire(&marking, &event)? {
                Ok(next) => marking = next,
                Err(error) => return Some(Self { error, event: Some(event), steps }),
            }
            steps += 1;
        }
        let mut found = None;
        let _ = machine.successors(&marking, &mut Scratch::default(), &mut |occurrence, next| match next {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                found = Some((error, machine.event(&occurrence)));
                ControlFlow::Break(())
            }
        });
        found.map(|(error, event)| Self { error, event: Some(event), steps })
    }
}
