//! An observer that several threads share: each has a part of it while they work.
//!
//! Which observer it is, is hidden behind two small traits, so that every search is compiled once, whoever watches.
//! That costs a dynamic call where there is something to see, and nothing where nobody looks
//! ([`Observer::wants_new`], [`Observer::wants_expanded`]).

use crate::Observer;

/// An observer that can be taken apart for several threads and put together again.
pub trait Divisible {
    /// The observer itself.
    fn whole(&mut self) -> &mut dyn Observer;

    /// The observer and parts of it, so many in all; nothing if it cannot be divided. What the parts see is theirs until
    /// they are [put together](Self::unite) again.
    fn parts(&mut self, count: usize) -> Option<Vec<&mut dyn Observer>>;

    /// Puts the parts together.
    fn unite(&mut self);
}

/// An observer and those of its parts that are away.
#[derive(Debug)]
pub struct Divided<'a, O> {
    whole: &'a mut O,
    away: Vec<O>,
}

impl<'a, O: Observer> Divided<'a, O> {
    /// In one piece.
    pub fn new(whole: &'a mut O) -> Self {
        Self { whole, away: Vec::new() }
    }
}

impl<O: Observer> Divisible for Divided<'_, O> {
    fn whole(&mut self) -> &mut dyn Observer {
        self.whole
    }

    fn parts(&mut self, count: usize) -> Option<Vec<&mut dyn Observer>> {
        self.away = (1..count).map(|_| self.whole.fork()).collect::<Option<_>>()?;
        let whole: &mut dyn Observer = self.whole;
        let away = self.away.iter_mut().map(|part| part as &mut dyn Observer);
        Some(std::iter::once(whole).chain(away).collect())
    }

    fn unite(&mut self) {
        self.away.drain(..).for_each(|part| self.whole.join(part));
    }
}
