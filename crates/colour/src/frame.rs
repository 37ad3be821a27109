//! What a term is evaluated in: the words of its variables, and the marking if it speaks of one.

use crate::fault::Fault;
use crate::patience::{LOOK, Patience};

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

    /// How long whoever looks at it waits.
    fn patience(&self) -> Patience<'_> {
        Patience::default()
    }
}

/// What a term is evaluated in.
pub struct Frame<'a> {
    /// The words of all variables.
    pub slots: &'a mut [u64],
    /// The marking.
    pub world: Option<&'a dyn World>,
    patience: Patience<'a>,
    /// How many values were gone through since it was asked last.
    unasked: u32,
    is_interrupted: bool,
}

impl<'a> Frame<'a> {
    /// A frame without a marking.
    pub fn new(slots: &'a mut [u64], patience: Patience<'a>) -> Self {
        Self { slots, world: None, patience, unasked: 0, is_interrupted: false }
    }

    /// A frame with a marking, and the patience of whoever looks at that.
    pub fn within(slots: &'a mut [u64], world: &'a dyn World) -> Self {
        Self { world: Some(world), ..Self::new(slots, world.patience()) }
    }

    /// The patience of whoever waits for the value.
    pub fn patience(&self) -> Patience<'a> {
        self.patience
    }

    /// Whether an evaluation was interrupted. What was said of any value since then means nothing.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// One more value is gone through.
    #[inline]
    pub fn step(&mut self) -> Result<(), Fault> {
        self.unasked += 1;
        if self.unasked < LOOK { Ok(()) } else { self.ask() }
    }

    /// So many more values are gone through at once.
    #[inline]
    pub(crate) fn steps(&mut self, count: usize) -> Result<(), Fault> {
        self.unasked = self.unasked.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        if self.unasked < LOOK { Ok(()) } else { self.ask() }
    }

    #[cold]
    fn ask(&mut self) -> Result<(), Fault> {
        self.is_interrupted = self.is_interrupted || !self.patience.lasts();
        // Whoever takes an interruption for a missing value and goes on is interrupted again at once.
        self.unasked = if self.is_interrupted { LOOK } else { 0 };
        if self.is_interrupted { Err(Fault::Interrupted) } else { Ok(()) }
    }

    /// The marking, if there is one.
    pub(crate) fn world(&self) -> Result<&'a dyn World, Fault> {
        self.world.ok_or(Fault::NoMarking)
    }
}
