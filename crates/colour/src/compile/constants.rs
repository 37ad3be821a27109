//! Multisets that are the same in every binding and every marking are evaluated once, when they are compiled.

use super::bags::BagCode;
use super::{Compiler, ENUMERABLE};
use crate::frame::Frame;
use crate::patience::Patience;
use crate::pattern::variables_of_bag;
use crate::term::{Bag, Node, Part, Slot, Term};
use crate::tokens::Draft;
use crate::types::TypeId;

/// The most work that is done ahead, in values that are gone through.
const WORK: u64 = 1 << 12;

impl Compiler {
    /// A code that only copies, if a multiset is constant, worth it, and not too large.
    pub(super) fn constant(&self, bag: &Bag) -> Option<BagCode> {
        if !matches!(bag, Bag::For(..) | Bag::Sum(_) | Bag::Difference(..))
            || !variables_of_bag(bag).is_empty()
        {
            return None;
        }
        let mut survey = Survey { compiler: self, work: 1, frame: 0, is_constant: true };
        bag.walk(&mut |part| survey.see(part));
        if !survey.is_constant || survey.work > WORK {
            return None;
        }
        let mut slots = vec![0; survey.frame];
        let mut draft = Draft::new(self.bag_width(bag));
        self.general(bag)(&mut Frame::new(&mut slots, Patience::default()), &mut draft, 1).ok()?;
        // What is less than nothing may yet be made up for by what it is part of.
        let mut settled = draft.clone();
        let Draft { words, counts, .. } = if settled.settle().is_ok() { settled } else { draft };
        Some(Box::new(move |frame, draft, times| {
            frame.steps(counts.len())?;
            draft.words.extend_from_slice(&words);
            let all = counts.iter().map(|count| count.checked_mul(times));
            all.into_iter().try_for_each(|count| {
                draft.counts.push(count.ok_or(crate::Fault::TooManyTokens)?);
                Ok(())
            })
        }))
    }
}

/// What a multiset consists of.
struct Survey<'a> {
    compiler: &'a Compiler,
    /// A bound of the values that are gone through.
    work: u64,
    /// Words of its own variables.
    frame: usize,
    is_constant: bool,
}

impl Survey<'_> {
    fn see(&mut self, part: Part<'_>) {
        match part {
            Part::Bag(Bag::Place(_)) => self.is_constant = false,
            Part::Bag(Bag::All(domain)) => self.goes_through(*domain),
            Part::Bag(Bag::For(slot, domain, ..)) => {
                self.has(*slot, 1);
                self.goes_through(*domain);
            }
            Part::Bag(Bag::Let(slot, value, _)) => self.has_value(*slot, value),
            Part::Term(term) => match &term.node {
                Node::Enabled(..) | Node::Deadlock | Node::Initial | Node::Clock => self.is_constant = false,
                Node::Quantified(_, slot, domain, _) | Node::SetOf(slot, domain, ..) => {
                    self.has(*slot, 1);
                    self.goes_through(*domain);
                }
                Node::Fill(slot, _) => self.has(*slot, 1),
                Node::Let(slot, value, _) => self.has_value(*slot, value),
                _ => {}
            },
            Part::Bag(_) => {}
        }
    }

    fn goes_through(&mut self, domain: TypeId) {
        self.work = self.work.saturating_mul(self.compiler.types().size(domain).unwrap_or(ENUMERABLE));
    }

    fn has_value(&mut self, slot: Slot, value: &Term) {
        self.has(slot, value.type_of().map_or(1, |id| self.compiler.types().width(id)));
    }

    fn has(&mut self, slot: Slot, width: usize) {
        self.frame = self.frame.max(slot + width);
    }
}
