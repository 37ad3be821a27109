//! How long somebody waits for what is evaluated.
//!
//! One term may go through more values than anybody has time for: quantifiers inside each other multiply. So whatever goes
//! through values counts them in its [`Frame`](crate::Frame), which asks its patience once in [`LOOK`] of them. If
//! that has ended, evaluation ends with [`Fault::Interrupted`](crate::Fault::Interrupted). That is no value and no
//! error of the model: whoever asked for the value stops, too, and says why.

use std::cell::Cell;

/// Values that are gone through between two looks at whether to go on: some tens of microseconds.
pub(crate) const LOOK: u32 = 1 << 14;

/// Asked now and then whether to go on. The default is to go on for ever.
#[derive(Clone, Copy, Default)]
pub struct Patience<'a>(Option<&'a dyn Fn() -> bool>);

impl<'a> Patience<'a> {
    /// As long as somebody says so. Whoever has said no once is expected to stand by it.
    pub fn asking(go_on: &'a dyn Fn() -> bool) -> Self {
        Self(Some(go_on))
    }

    /// Asks whether to go on.
    pub fn lasts(self) -> bool {
        self.0.is_none_or(|go_on| go_on())
    }
}

/// A number of values that may be gone through: for work that must end by itself, at the same point on any machine.
#[derive(Debug)]
pub struct Steps(Cell<u64>);

impl Steps {
    /// So many, or a few more.
    pub fn new(most: u64) -> Self {
        Self(Cell::new(most))
    }

    /// Takes off what was gone through since the last look; tells whether something is left.
    pub fn go_on(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(u64::from(LOOK)));
        !self.are_spent()
    }

    /// Whether nothing is left.
    pub fn are_spent(&self) -> bool {
        self.0.get() == 0
    }
}
