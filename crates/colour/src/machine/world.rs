//! A marking as terms see it.

use std::ops::ControlFlow;

use super::{Machine, Scratch};
use crate::fault::Fault;
use crate::frame::World;
use crate::marking::Marking;
use crate::patience::Patience;

/// A marking of a machine.
pub struct MarkingWorld<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The marking.
    pub marking: &'a Marking,
    /// How long whoever looks at it waits.
    pub patience: Patience<'a>,
}

impl World for MarkingWorld<'_> {
    fn tokens(&self, place: usize, see: &mut dyn FnMut(&[u64], u64)) {
        let timed = usize::from(self.machine.timed[place]);
        for (value, count) in self.marking.places[place].iter() {
            see(&value[..value.len() - timed], count);
        }
    }

    fn total(&self, place: usize) -> u64 {
        self.marking.places[place].total()
    }

    fn count(&self, place: usize, value: &[u64]) -> u64 {
        if !self.machine.timed[place] {
            return self.marking.places[place].count(value);
        }
        let mut found = 0;
        self.tokens(place, &mut |words, count| found += if words == value { count } else { 0 });
        found
    }

    fn is_enabled(&self, transition: usize, values: &[(usize, Vec<u64>)]) -> Result<bool, Fault> {
        self.machine.is_enabled(self.marking, transition, values, self.patience)
    }

    fn is_dead(&self) -> Result<bool, Fault> {
        let (mut scratch, mut found) = (Scratch::asking(self.patience), false);
        let flow = self.machine.successors(self.marking, &mut scratch, &mut |_, _| {
            found = true;
            ControlFlow::Break(())
        });
        if flow.is_break() && !found { Err(Fault::Interrupted) } else { Ok(!found) }
    }

    fn is_initial(&self) -> bool {
        *self.marking == self.machine.initial
    }

    fn clock(&self) -> i64 {
        self.marking.clock
    }

    fn patience(&self) -> Patience<'_> {
        self.patience
    }
}
