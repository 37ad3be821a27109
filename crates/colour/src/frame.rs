//! What a term is evaluated in: the words of its variables, and the marking if it speaks of one.

use std::ops::ControlFlow;

use crate::fault::Fault;

/// A marking, as terms see it.
pub trait World {
    /// Calls `see` for each value in a place, with how often it is there. Tokens that are not ready yet count as well.
    fn tokens(&self, place: usize, see: &mut dyn FnMut(&[u64], u64));

    /// How many tokens a place has.
    fn total(&self, place: usize) -> u64 {
        let mut total = 0u64;
        self.tokens(place, &mut |_, count| total = total.saturating_add(count));
        total
    }

    /// How often a value is in a place.
    fn count(&self, place: usize, value: &[u64]) -> u64 {
        let mut found = 0;
        self.tokens(place, &mut |words, count| {
            if words == value {
                found += count;
            }
        });
        found
    }

    /// Whether a transition is enabled with these values of some of its variables.
    fn is_enabled(&self, transition: usize, values: &[(usize, Vec<u64>)]) -> Result<bool, Fault>;

    /// Whether nothing is enabled.
    fn is_dead(&self) -> Result<bool, Fault>;

    /// Whether it is the initial marking.
    fn is_initial(&self) -> bool;

    /// The time.
    fn clock(&self) -> i64;
}

/// What a term is evaluated in.
pub struct Frame<'a> {
    /// The words of all variables.
    pub slots: &'a mut [u64],
    /// The marking.
    pub world: Option<&'a dyn World>,
    /// Asked now and then, while very many bindings are gone through, whether to go on.
    pub go_on: Option<&'a dyn Fn() -> bool>,
    /// How many values were tried since it was asked last.
    tried: u32,
}

/// Values that are tried between two looks at whether to go on.
const LOOK: u32 = 1 << 12;

impl<'a> Frame<'a> {
    /// A frame without a marking.
    pub fn new(slots: &'a mut [u64]) -> Self {
        Self { slots, world: None, go_on: None, tried: 0 }
    }

    /// A frame with a marking.
    pub fn within(slots: &'a mut [u64], world: &'a dyn World) -> Self {
        Self { slots, world: Some(world), go_on: None, tried: 0 }
    }

    /// One more value of a variable is tried: breaks if somebody wants to stop.
    #[inline]
    pub(crate) fn try_one(&mut self) -> ControlFlow<()> {
        self.tried += 1;
        if self.tried < LOOK {
            return ControlFlow::Continue(());
        }
        self.tried = 0;
        match self.go_on {
            Some(go_on) if !go_on() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    /// The marking, if there is one.
    pub(crate) fn world(&self) -> Result<&'a dyn World, Fault> {
        self.world.ok_or(Fault::NoMarking)
    }
}
