//! The product as a system among others: for searches that ask for events, and for whoever looks at a state.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use sweepnet_net::{Marking, PlaceId, TransitionId};

use super::automata::Stuck;
use super::system::Product;
use super::tables::HEADER;
use crate::{Codec, Lacking, Numbering, Outgrown, System};

impl<const W: usize> Product<'_, W> {
    /// The events of a state in order of their ranks, with the numbers of the successors.
    fn events(&self, rank: &[u64; W]) -> Result<Vec<(TransitionId, [u64; W])>, Stuck> {
        let automata = self.automata;
        let numbers = self.numbers(rank);
        let mut events: Vec<(TransitionId, [u64; W])> = Vec::new();
        let mut enabled = vec![u64::MAX; automata.shared().len().div_ceil(64)];
        for (root, digit) in self.radix.digits().iter().enumerate() {
            let row = automata.row(root, numbers[root])? as usize;
            let cells = &automata.tables(root).cells()[row..];
            let cell = |at: usize| cells[at].load(Ordering::Relaxed);
            for own in (HEADER..HEADER + cell(1) as usize).step_by(2) {
                let step = u64::from(cell(own)).wrapping_sub(u64::from(numbers[root]));
                let mut target = *rank;
                target[digit.word] = target[digit.word].wrapping_add(digit.weight.wrapping_mul(step));
                events.push((automata.transition(root, cell(own + 1)), target));
            }
            for (all, word) in enabled.iter_mut().zip(automata.tables(root).pattern(cell(2))) {
                *all &= word.load(Ordering::Relaxed);
            }
        }
        for (at, event) in automata.shared().iter().enumerate() {
            if enabled[at / 64] >> (at % 64) & 1 == 0 {
                continue;
            }
            let mut target = numbers.clone();
            for touch in automata.touches(event) {
                let root = touch.root as usize;
                target[root] = automata.fill_shared(root, numbers[root], touch.event)?;
            }
            events.push((event.transition, self.radix.rank(&target)));
        }
        events.extend(automata.idle().iter().map(|t| (*t, *rank)));
        events.sort_unstable_by_key(|(event, _)| *event);
        Ok(events)
    }
}

impl<const W: usize> System for Product<'_, W> {
    type State = [u64; W];
    type Maxima = Vec<u64>;

    fn initial(&self) -> [u64; W] {
        let numbers = self.automata.initial_numbers();
        self.radix.rank(&numbers.expect("the initial marking is numbered when the tables are made"))
    }

    fn rank(&self, event: TransitionId) -> u32 {
        event.index() as u32
    }

    fn successors(
        &self,
        state: &[u64; W],
        from: u32,
        mut visit: impl FnMut(TransitionId, &[u64; W]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Outgrown> {
        // Nothing has been visited when a table turns out too small: expansion goes on from where it began.
        let stuck =
            |stuck| Outgrown { lacking: Lacking::Table(stuck), event: TransitionId::new(from as usize) };
        for (event, target) in self.events(state).map_err(stuck)? {
            if event.index() as u32 >= from && visit(event, &target).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn is_enabled(&self, state: &[u64; W], event: TransitionId) -> bool {
        self.enables(state, event)
    }

    fn tokens(&self, state: &[u64; W], place: PlaceId) -> u64 {
        self.tokens_in(state, place)
    }

    fn total_tokens(&self, state: &[u64; W]) -> u128 {
        self.total_in(state)
    }

    fn marking(&self, state: &[u64; W]) -> Marking {
        self.marking_of(state)
    }

    #[inline]
    fn numbering(&self) -> Option<Numbering> {
        Some(self.automata.numbering())
    }

    fn component_of(&self, place: PlaceId) -> Option<u32> {
        self.automata.root_of(place).map(|root| root as u32)
    }

    fn complement_of(&self, place: PlaceId) -> Option<&[PlaceId]> {
        self.automata.complement(place).map(|it| &it.others[..])
    }

    fn components_of(&self, event: TransitionId) -> Vec<u32> {
        let roots = 0..self.automata.root_count();
        roots.filter(|root| self.automata.event_of(*root, event).is_some()).map(|root| root as u32).collect()
    }

    #[inline]
    fn local_number(&self, state: &[u64; W], component: u32) -> u32 {
        self.number(state, component as usize)
    }

    fn is_enabled_in(&self, state: &[u64; W], component: u32, event: TransitionId) -> bool {
        let (root, number) = (component as usize, self.local_number(state, component));
        let event = self.automata.event_of(root, event);
        event.is_none_or(|event| self.automata.is_enabled(root, number, event))
    }

    fn covers(&self, above: &[u64; W], below: &[u64; W]) -> bool {
        let (above, below) = (self.marking_of(above), self.marking_of(below));
        above.tokens().iter().zip(below.tokens()).all(|(a, b)| a >= b)
    }

    fn raise(&self, state: &[u64; W], maxima: &mut Vec<u64>) -> bool {
        let mut record = false;
        for (at, (max, count)) in maxima.iter_mut().zip(self.marking_of(state).tokens()).enumerate() {
            if count > max {
                *max = *count;
                record |= !self.automata.is_bounded(PlaceId::new(at));
            }
        }
        record
    }

    fn pack_maxima(&self, counts: &[u64]) -> Vec<u64> {
        counts.to_vec()
    }

    fn maxima(&self, maxima: &Vec<u64>) -> Marking {
        Marking::new(maxima.clone().into_boxed_slice())
    }
}

impl<const W: usize> Codec for Product<'_, W> {
    fn bits(&self) -> usize {
        self.radix.bits() as usize
    }

    fn encode<'k>(&self, state: &'k [u64; W], _: &'k mut Vec<u64>) -> &'k [u64] {
        &state[..crate::store::key_words(self.bits())]
    }

    fn decode(&self, key: &[u64], into: &mut [u64; W]) {
        *into = [0; W];
        into[..key.len()].copy_from_slice(key);
    }
}
