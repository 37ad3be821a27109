//! The token game on packed fields.

use std::ops::ControlFlow;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};

use super::layout::Layout;
use super::program::{Overflow, Program};
use super::swar::{at_least, field_mask};
use crate::{Codec, Lacking, Outgrown, System};

/// The words of a state: an array where their number is known to the compiler, a vector otherwise.
pub trait Words: Clone + AsRef<[u64]> + AsMut<[u64]> {
    /// So many words, all 0.
    fn zeroed(len: usize) -> Self;

    /// The words.
    #[inline(always)]
    fn words(&self) -> &[u64] {
        self.as_ref()
    }

    /// The words, to change.
    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        self.as_mut()
    }
}

impl<const N: usize> Words for [u64; N] {
    fn zeroed(len: usize) -> Self {
        debug_assert_eq!(len, N);
        [0; N]
    }
}

impl Words for Vec<u64> {
    fn zeroed(len: usize) -> Self {
        vec![0; len]
    }
}

/// A net whose states are packed fields.
#[derive(Clone, Debug)]
pub struct Fields<W> {
    layout: Layout,
    program: Program,
    /// Which entries are granted, if any are.
    granted: Vec<bool>,
    initial: W,
    /// For each word, the bits of its narrow fields by their value: the total of their counts is
    /// Σ popcount(word & plane) · 2^value.
    planes: Vec<(u32, u32, u64)>,
    /// Places with wide fields, which are added one by one.
    wide: Vec<PlaceId>,
    constant_tokens: u128,
}

/// Fields up to this width are summed by planes.
const WIDEST_IN_PLANES: u8 = 6;

impl<W: Words> Fields<W> {
    /// Compiles a net for a layout. `dead` tells the transitions that can never fire, by their number; `order`
    /// is the order in which transitions are tried.
    pub fn new(net: &Net, layout: Layout, dead: &[bool], order: &[TransitionId]) -> Self {
        let program = Program::compile(net, &layout, dead, order);
        let mut initial = W::zeroed(layout.words());
        let mut planes = std::collections::BTreeMap::new();
        let mut wide = Vec::new();
        let mut constant_tokens = 0;
        for place in net.place_ids() {
            layout.put(initial.words_mut(), place, net.place(place).initial);
            let field = layout.field(place);
            match field.width {
                0 => constant_tokens += u128::from(field.constant),
                1..=WIDEST_IN_PLANES => {
                    for value in 0..field.width {
                        *planes.entry((field.word, value)).or_insert(0) |= 1 << (field.shift + value);
                    }
                }
                _ => wide.push(place),
            }
        }
        let planes = planes.into_iter().map(|((word, value), mask)| (word, u32::from(value), mask)).collect();
        Self { program, granted: Vec::new(), initial, planes, wide, constant_tokens, layout }
    }

    /// Where the fields lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Leaves some of the events that every state enables out of what [`enabled`](Self::enabled) visits, and tells which. Nobody
    /// asks for successors then.
    pub fn grant(&mut self, is_out: impl Fn(TransitionId) -> bool) -> Vec<TransitionId> {
        let entries = 0..self.program.len();
        self.granted =
            entries.map(|at| self.program.is_granted(at) && is_out(self.program.transition(at))).collect();
        self.program.leave_out(|entry| self.granted[entry as usize]);
        let granted = self.granted.iter().enumerate().filter(|(_, granted)| **granted);
        granted.map(|(entry, _)| self.program.transition(entry)).collect()
    }

    /// Visits the enabled events of a state in order, but for those that are granted.
    pub fn enabled(&self, state: &W, mut visit: impl FnMut(TransitionId)) {
        let mut look = |entry: usize| {
            let is_granted = self.granted.get(entry).is_some_and(|granted| *granted);
            if !is_granted && self.program.is_enabled(entry, state.words()) {
                visit(self.program.transition(entry));
            }
        };
        match self.program.triggers() {
            None => (0..self.program.len()).for_each(look),
            Some(triggers) => {
                triggers.candidates(state.words()).for_each(|entry| look(entry as usize));
            }
        }
    }

    /// Tokens in all places of a state given by its words.
    #[inline]
    pub fn total_of(&self, words: &[u64]) -> u128 {
        let mut total = self.constant_tokens;
        for (word, value, mask) in &self.planes {
            total += u128::from((words[*word as usize] & mask).count_ones()) << value;
        }
        for place in &self.wide {
            total += u128::from(self.layout.get(words, *place));
        }
        total
    }

    /// Fires an enabled event. The error is the place that is too narrow.
    pub fn fire(&self, state: &mut W, event: TransitionId) -> Result<(), PlaceId> {
        match self.program.entry_of(event) {
            Some(entry) => self.program.fire(entry, state.words_mut()).map_err(|o| self.narrow_place(o)),
            None => unreachable!("an enabled event has an entry"),
        }
    }

    /// Visits the successors by those of some entries that are enabled.
    #[inline(always)]
    fn successors_by(
        &self,
        entries: impl Iterator<Item = usize>,
        state: &W,
        mut visit: impl FnMut(TransitionId, &W) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Outgrown> {
        let original = state.words();
        let mut next = state.clone();
        for entry in entries {
            if !self.program.is_enabled(entry, original) {
                continue;
            }
            let event = self.program.transition(entry);
            self.program.fire(entry, next.words_mut()).map_err(|overflow| self.outgrown(overflow, event))?;
            if visit(event, &next).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.program.restore(entry, next.words_mut(), original);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The place behind an overflow.
    #[cold]
    fn narrow_place(&self, overflow: Overflow) -> PlaceId {
        match overflow {
            Overflow::Place(place) => place,
            Overflow::Field { word, tops } => {
                let narrow = |f: &super::layout::Field| f.width > 0 && f.word == word && f.top() & tops != 0;
                let position = self.layout.fields().iter().position(narrow);
                PlaceId::new(position.expect("the top bit belongs to a field"))
            }
        }
    }

    #[cold]
    fn outgrown(&self, overflow: Overflow, event: TransitionId) -> Outgrown {
        Outgrown { lacking: Lacking::Field(self.narrow_place(overflow)), event }
    }
}

impl<W: Words> System for Fields<W> {
    type State = W;
    type Maxima = W;

    fn initial(&self) -> W {
        self.initial.clone()
    }

    #[inline(always)]
    fn rank(&self, event: TransitionId) -> u32 {
        self.program.rank(event)
    }

    #[inline(always)]
    fn successors(
        &self,
        state: &W,
        from: u32,
        visit: impl FnMut(TransitionId, &W) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Outgrown> {
        debug_assert!(self.granted.is_empty(), "some events would be left out");
        let first = self.program.position(from);
        match self.program.triggers() {
            None => self.successors_by(first..self.program.len(), state, visit),
            Some(triggers) => {
                let candidates = triggers.candidates(state.words()).map(|entry| entry as usize);
                self.successors_by(candidates.skip_while(|entry| *entry < first), state, visit)
            }
        }
    }

    fn is_enabled(&self, state: &W, event: TransitionId) -> bool {
        self.program.entry_of(event).is_some_and(|entry| self.program.is_enabled(entry, state.words()))
    }

    #[inline(always)]
    fn tokens(&self, state: &W, place: PlaceId) -> u64 {
        self.layout.get(state.words(), place)
    }

    #[inline]
    fn total_tokens(&self, state: &W) -> u128 {
        self.total_of(state.words())
    }

    fn marking(&self, state: &W) -> Marking {
        let words = state.words();
        Marking::new(
            (0..self.layout.fields().len()).map(|p| self.layout.get(words, PlaceId::new(p))).collect(),
        )
    }

    fn covers(&self, above: &W, below: &W) -> bool {
        let pairs = above.words().iter().zip(below.words());
        pairs.zip(self.layout.tops()).all(|((a, b), tops)| at_least(*a, *b, *tops) == *tops)
    }

    #[inline]
    fn raise(&self, state: &W, maxima: &mut W) -> bool {
        let mut record = false;
        for (at, (max, word)) in maxima.words_mut().iter_mut().zip(state.words()).enumerate() {
            let tops = self.layout.tops()[at];
            let mut higher = tops & !at_least(*max, *word, tops);
            record |= higher & self.layout.open_tops()[at] != 0;
            while higher != 0 {
                let top = higher & higher.wrapping_neg();
                let mask = field_mask(top, tops);
                *max = *max & !mask | word & mask;
                higher ^= top;
            }
        }
        record
    }

    fn pack_maxima(&self, counts: &[u64]) -> W {
        let mut words = W::zeroed(self.layout.words());
        for (place, count) in counts.iter().enumerate() {
            self.layout.put(words.words_mut(), PlaceId::new(place), *count);
        }
        words
    }

    fn maxima(&self, maxima: &W) -> Marking {
        self.marking(maxima)
    }
}

impl<W: Words> Codec for Fields<W> {
    fn bits(&self) -> usize {
        self.layout.bits()
    }

    #[inline(always)]
    fn encode<'k>(&self, state: &'k W, _: &'k mut Vec<u64>) -> &'k [u64] {
        state.words()
    }

    #[inline(always)]
    fn decode(&self, key: &[u64], into: &mut W) {
        into.words_mut().copy_from_slice(key);
    }
}
