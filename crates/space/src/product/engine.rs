//! Runs searches that want events or state numbers on the product of a net's components.

use super::automata::{Automata, Stuck};
use super::partition::Judgement;
use super::radix::Radix;
use super::system::Product;
use super::tables::NoRoom;
use crate::explore::{Engine, stop_reason};
use crate::report::Components;
use crate::search::{Halt, Search};
use crate::store::key_words;
use crate::{Control, Full, Keys, Lacking, Observer, Outgrown, StopReason};

use sweepnet_net::Net;

/// A net's components and the present form of its ranks.
#[derive(Debug)]
pub struct ProductEngine<'a> {
    net: &'a Net,
    automata: Automata,
    radix: Radix,
    judgement: Judgement,
    most_row_bytes: usize,
}

/// Words of a rank, at most.
pub const MOST_WORDS: usize = 4;

impl<'a> ProductEngine<'a> {
    /// An engine on these automata, whose rows tell events.
    pub fn new(net: &'a Net, automata: Automata, judgement: Judgement, most_row_bytes: usize) -> Self {
        let radix = Radix::new(&automata.capacities());
        Self { net, automata, radix, judgement, most_row_bytes }
    }

    fn run_in<const W: usize, F: Search<S>, S: Keys>(
        &self,
        search: &mut F,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt {
        let product = Product::<W> { automata: &self.automata, radix: &self.radix };
        search.run(self.net, &product, store, observer, control)
    }
}

impl Engine for ProductEngine<'_> {
    fn bits(&self) -> usize {
        self.radix.bits() as usize
    }

    fn table_bytes(&self) -> usize {
        self.automata.bytes()
    }

    fn components(&self) -> Option<Components> {
        Some(Components {
            partition: self.judgement.chosen.clone(),
            reason: self.judgement.reason.clone(),
            local_markings: self.automata.counts(),
            determined: self.automata.following().is_some(),
            complements: self.automata.complements().iter().map(|it| it.place).collect(),
            log2_ranks: self.radix.log2(),
            changes: 0,
        })
    }

    fn run<F: Search<S>, S: Keys>(
        &mut self,
        search: &mut F,
        store: &mut S,
        observer: &mut dyn Observer,
        control: &mut Control<'_>,
    ) -> Halt {
        match self.radix.words() {
            1 => self.run_in::<1, F, S>(search, store, observer, control),
            2 => self.run_in::<2, F, S>(search, store, observer, control),
            _ => self.run_in::<MOST_WORDS, F, S>(search, store, observer, control),
        }
    }

    fn outgrow<S: Keys>(&mut self, outgrown: Outgrown, _: u64, store: &mut S) -> Result<(), StopReason> {
        match outgrown.lacking {
            Lacking::Table(Stuck::Room(NoRoom::Tables)) => {}
            Lacking::Table(Stuck::Room(NoRoom::Memory(_))) => return Err(StopReason::Memory),
            Lacking::Table(Stuck::Tokens(place)) | Lacking::Field(place) => {
                return Err(StopReason::TooManyTokens(place));
            }
        }
        self.automata.make_room(self.most_row_bytes).map_err(|refusal| stop_reason(Full::from(refusal)))?;
        let capacities = self.automata.capacities();
        let stays = |wider: &Radix| self.radix.is_part_of(wider) && self.radix.bits() == wider.bits();
        let wider = Some(self.radix.with(&capacities)).filter(stays);
        let wider = wider.unwrap_or_else(|| Radix::new(&capacities));
        if wider.is_too_wide() {
            return Err(StopReason::Memory);
        }
        if wider != self.radix {
            if !stays(&wider) {
                let (old_words, new_words) = (key_words(self.bits()), key_words(wider.bits() as usize));
                let mut numbers = vec![0; wider.digits().len()];
                let radix = &self.radix;
                let recode = &mut |old: &[u64], new: &mut [u64]| {
                    let mut rank = [0; MOST_WORDS];
                    rank[..old_words].copy_from_slice(old);
                    radix.numbers(&rank, &mut numbers);
                    new.copy_from_slice(&wider.rank::<MOST_WORDS>(&numbers)[..new_words]);
                };
                store.recode(wider.bits() as usize, recode).map_err(stop_reason)?;
            }
            self.radix = wider;
        }
        Ok(())
    }
}
