//! How long somebody waits for what is evaluated.
//!
//! One term may go through more values than anybody has time for: quantifiers inside each other multiply. So whatever goes
//! through values counts them in its [`Frame`](crate::Frame), which asks its patience once in `LOOK` of them. If
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::Compiler;
    use crate::term::Quantifier;
    use crate::types::{Shape, Types};
    use crate::{Fault, Frame, Node, Sort, Term, TypeId};

    /// `forall a in T, b in T: true`, over a type of so many values.
    fn nested(size: i64) -> (Types, Term) {
        let mut types = Types::default();
        let shape = Shape::Range { low: 1, high: size, cyclic: false };
        let domain = types.add(shape).expect("a small type");
        let forall = |slot, body| {
            let node = Node::Quantified(Quantifier::Forall, slot, domain, Box::new(body));
            Term::new(node, Sort::Of(TypeId::BOOL))
        };
        (types, forall(0, forall(1, Term::bool(true))))
    }

    #[test]
    fn what_goes_through_many_values_ends_when_nobody_waits() {
        let (types, term) = nested(1_000_000);
        let (code, asked) = (Compiler::new(&types).word(&term), Cell::new(0));
        let go_on = || {
            asked.set(asked.get() + 1);
            asked.get() < 10
        };
        let mut slots = [0; 2];
        let mut frame = Frame::new(&mut slots, Patience::asking(&go_on));
        assert_eq!(code(&mut frame), Err(Fault::Interrupted));
        assert!(frame.is_interrupted());
        assert_eq!(asked.get(), 10);
        // Whoever goes on all the same is not kept waiting, and nobody is asked again.
        assert_eq!((code(&mut frame), asked.get()), (Err(Fault::Interrupted), 10));
    }

    #[test]
    fn what_goes_through_few_values_asks_nobody() {
        let (types, term) = nested(100);
        let code = Compiler::new(&types).word(&term);
        let nobody = || unreachable!("nobody is asked");
        let mut slots = [0; 2];
        let mut frame = Frame::new(&mut slots, Patience::asking(&nobody));
        assert_eq!((code(&mut frame), frame.is_interrupted()), (Ok(1), false));
    }

    #[test]
    fn steps_end_at_the_same_point_everywhere() {
        let (types, term) = nested(1_000_000);
        let code = Compiler::new(&types).word(&term);
        let after = |most: u64| {
            let (steps, mut slots) = (Steps::new(most), [0; 2]);
            let go_on = || steps.go_on();
            let ended = code(&mut Frame::new(&mut slots, Patience::asking(&go_on)));
            assert_eq!((ended, steps.are_spent()), (Err(Fault::Interrupted), true));
            slots
        };
        assert_eq!(after(3 * u64::from(LOOK)), [0, 3 * u64::from(LOOK) - 3]);
        assert_eq!(after(2_000_000), after(2_000_000));
    }
}
