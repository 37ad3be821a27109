//! Explores a net in packed fields, and widens them where they turn out too narrow.

use sweepnet_net::{Net, TransitionId};

use super::layout::Layout;
use super::system::{Fields, Words};
use crate::explore::{Engine, stop_reason};
use crate::search::{Halt, Search};
use crate::{Control, Keys, Lacking, Observer, Outgrown, StopReason};

/// A net, the present layout of its states, and how to compile it anew for another.
#[derive(Debug)]
pub struct FieldsEngine<'a> {
    net: &'a Net,
    layout: Layout,
    dead: Vec<bool>,
    order: Vec<TransitionId>,
}

/// From this many widenings on, places that are as narrow are widened together: re-encoding costs time, a bit
/// per place only a little memory.
const SINGLE_WIDENINGS: u64 = 32;

/// With more places than this, they are widened together from the start.
const MANY_PLACES: usize = 10_000;

impl<'a> FieldsEngine<'a> {
    /// An engine that starts with this layout. `dead` tells the transitions that can never fire, `order` the order
    /// in which transitions are tried.
    pub fn new(net: &'a Net, layout: Layout, dead: Vec<bool>, order: Vec<TransitionId>) -> Self {
        Self { net, layout, dead, order }
    }

    fn run_in<W: Words, F: Search<S>, S: Keys>(
        &mut self,
        search: &mut F,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt {
        let model = Fields::<W>::new(self.net, self.layout.clone(), &self.dead, &self.order);
        search.run(self.net, &model, store, observer, control)
    }
}

/// A net whose states are plain counts, for searches that have keys of their own: compiled once, for any number of
/// places.
#[derive(Debug)]
pub struct PlainEngine<'a>(FieldsEngine<'a>);

impl<'a> PlainEngine<'a> {
    /// An engine for a net.
    pub fn new(net: &'a Net, dead: Vec<bool>, order: Vec<TransitionId>) -> Self {
        Self(FieldsEngine::new(net, Layout::plain(net), dead, order))
    }
}

impl Engine for PlainEngine<'_> {
    fn bits(&self) -> usize {
        self.0.bits()
    }

    fn run<F: Search<S>, S: Keys>(
        &mut self,
        search: &mut F,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt {
        self.0.run_in::<Vec<u64>, F, S>(search, store, observer, control)
    }

    fn outgrow<S: Keys>(&mut self, outgrown: Outgrown, times: u64, store: &mut S) -> Result<(), StopReason> {
        self.0.outgrow(outgrown, times, store)
    }
}

impl Engine for FieldsEngine<'_> {
    fn bits(&self) -> usize {
        self.layout.bits()
    }

    fn run<F: Search<S>, S: Keys>(
        &mut self,
        search: &mut F,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt {
        // Compiled for each number of words that is frequent, so that states live in registers and on the stack.
        if F::EVERY_WIDTH {
            match self.layout.words() {
                5 => return self.run_in::<[u64; 5], F, S>(search, store, observer, control),
                6 => return self.run_in::<[u64; 6], F, S>(search, store, observer, control),
                7 => return self.run_in::<[u64; 7], F, S>(search, store, observer, control),
                8 => return self.run_in::<[u64; 8], F, S>(search, store, observer, control),
                _ => {}
            }
        }
        match self.layout.words() {
            1 => self.run_in::<[u64; 1], F, S>(search, store, observer, control),
            2 => self.run_in::<[u64; 2], F, S>(search, store, observer, control),
            3 => self.run_in::<[u64; 3], F, S>(search, store, observer, control),
            4 => self.run_in::<[u64; 4], F, S>(search, store, observer, control),
            _ => self.run_in::<Vec<u64>, F, S>(search, store, observer, control),
        }
    }

    fn outgrow<S: Keys>(&mut self, outgrown: Outgrown, times: u64, store: &mut S) -> Result<(), StopReason> {
        let Lacking::Field(place) = outgrown.lacking else {
            unreachable!("fields have no tables");
        };
        let together = times > SINGLE_WIDENINGS || self.net.places().len() > MANY_PLACES;
        let wider = self.layout.widened(place, together);
        let wider = wider.ok_or(StopReason::TooManyTokens(place))?;
        let narrow = &self.layout;
        store.recode(wider.bits(), &mut |old, new| narrow.recode(old, &wider, new)).map_err(stop_reason)?;
        self.layout = wider;
        Ok(())
    }
}
