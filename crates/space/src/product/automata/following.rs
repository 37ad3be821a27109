//! The number of a component that follows from those of the others.
//!
//! Each of its places has an equation: its count is a constant less a weighted sum of the counts of places elsewhere
//! ([`determined`](crate::product::partition::determined)). All its counts side by side, in fields of a word, are then a
//! constant word less one word for each other component, which depends on nothing but its local number: its *due*. Dues
//! are worked out when a local marking gets its number. Sums of them may borrow from field to field; what comes out in the
//! end is right all the same, because it is right as a number.
//!
//! The word that is left is the place in a table where the number of that local marking is. It has been put there when a
//! transition that led to it fired first, before the state was kept. Where such words are short, a second table tells
//! what is enabled there, so that mostly nobody needs the number.

use super::*;
use crate::budget::Charged;
use crate::product::partition::determined::{Equation, MOST_BITS, equations};
use crate::sync::atomic::{AtomicU32, AtomicU64};

/// Words of no more bits than this have a table that tells what is enabled.
const SHORT: u32 = 10;

/// The number of the last component, found from those of the others.
#[derive(Debug)]
pub struct Following {
    /// The root that follows from the others: the last one.
    pub(super) root: usize,
    /// What is left of this when all dues are paid tells its local marking.
    pub(super) constant: u32,
    /// For each place of the net, what one of its tokens adds to a due.
    weights: Vec<u32>,
    /// For each place of the root, in the order of its counts, where its count begins in a word.
    shifts: Vec<(PlaceId, u32)>,
    /// By such a word, the number; `UNKNOWN` if it has none.
    pub(super) numbers: Charged<AtomicU32>,
    /// By such a word, the first word of its pattern; 0 if that is not known. Empty where it would be large, or where
    /// patterns are not all there is to know.
    patterns: Charged<AtomicU64>,
}

impl Following {
    /// What it takes for the last root, which has these places, to follow from the others; nothing if it does not.
    /// `constant` tells the count of a place that never changes.
    pub(super) fn new(
        root: usize,
        places: &[PlaceId],
        given: &Given<'_>,
        constant: impl Fn(PlaceId) -> Option<u64>,
        budget: &Budget,
    ) -> Result<Option<Self>, OutOfMemory> {
        let Some(equations) = equations(places, given.knowledge) else { return Ok(None) };
        let bits: u32 = equations.iter().map(Equation::bits).sum();
        if bits > MOST_BITS {
            return Ok(None);
        }
        let mut following = Self {
            root,
            constant: 0,
            weights: vec![0; given.net.places().len()],
            shifts: Vec::with_capacity(places.len()),
            numbers: Charged::new(budget),
            patterns: Charged::new(budget),
        };
        let mut shift = 0;
        for equation in &equations {
            let term = |number: u64| (number as u32).wrapping_shl(shift);
            following.constant = following.constant.wrapping_add(term(equation.constant));
            for (place, weight) in &equation.weights {
                match constant(*place) {
                    Some(count) => {
                        let paid = term(weight.wrapping_mul(count));
                        following.constant = following.constant.wrapping_sub(paid);
                    }
                    None => {
                        let sum = &mut following.weights[place.index()];
                        *sum = sum.wrapping_add(term(*weight));
                    }
                }
            }
            following.shifts.push((equation.place, shift));
            shift += equation.bits();
        }
        following.numbers.grow_to(1 << bits)?;
        (0..1 << bits).for_each(|_| following.numbers.push_reserved(AtomicU32::new(UNKNOWN)));
        Ok(Some(following))
    }

    /// The bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.bytes() + self.patterns.bytes() + size_of_val(&self.weights[..])
    }

    /// Makes the table of what is enabled, if it is not too large. There are no own events and one word of shared ones.
    pub(super) fn keep_patterns(&mut self) -> Result<(), OutOfMemory> {
        let words = self.numbers.len();
        if words <= 1 << SHORT { self.patterns.resize_default(words) } else { Ok(()) }
    }

    /// What a local marking of another root owes.
    fn due(&self, leaf: &Leaf, key: &[u64]) -> u32 {
        leaf.places.iter().enumerate().fold(0, |sum: u32, (at, place)| match self.weights[place.index()] {
            0 => sum,
            weight => sum.wrapping_add(weight.wrapping_mul(leaf.tokens(at, |word| key[word]) as u32)),
        })
    }

    /// The counts of a local marking of the root that follows, as they are left when all dues are paid.
    fn left(&self, leaf: &Leaf, key: &[u64]) -> usize {
        let counts = self.shifts.iter().enumerate();
        counts.map(|(at, (_, shift))| (leaf.tokens(at, |word| key[word]) as usize) << shift).sum()
    }

    /// What a transition adds to what is left when all dues are paid.
    pub(super) fn step(&self, net: &Net, transition: TransitionId) -> u32 {
        self.shifts.iter().fold(0, |sum: u32, (place, shift)| {
            let more = net.outputs().weight(transition, *place);
            let less = net.inputs().weight(transition, *place);
            sum.wrapping_add((more.wrapping_sub(less) as u32).wrapping_shl(*shift))
        })
    }
}

impl Automata {
    /// What follows, if anything does.
    #[inline(always)]
    pub fn following(&self) -> Option<&Following> {
        self.following.as_ref()
    }

    /// Completes a tuple: the number that follows from the others takes its place, the last one.
    #[inline]
    pub fn complete(&self, numbers: &mut [u32]) {
        if let Some(following) = &self.following {
            let due = |root: usize| self.tables(root).due(numbers[root]);
            let paid = (0..following.root).map(due).fold(0, u32::wrapping_add);
            numbers[following.root] = following.number(following.constant.wrapping_sub(paid));
        }
    }

    /// The number of a local marking, which gets one if it has none, and what comes of it for the one that follows.
    pub(super) fn numbered(&self, filling: &mut [Filling], node: usize, key: &[u64]) -> Result<u32, NoRoom> {
        let here = &self.nodes[node];
        let next = filling[node].numbers();
        let number = here.tables.number(&mut filling[node], key)?;
        if let (Some(following), Kind::Leaf(leaf), true) = (&self.following, &here.kind, number == next) {
            if self.roots[following.root] == node {
                following.numbers[following.left(leaf, key)].store(number, Ordering::Release);
            } else {
                here.tables.set_due(number, following.due(leaf, key));
            }
        }
        Ok(number)
    }
}

impl Following {
    /// The root that follows.
    #[inline(always)]
    pub fn root(&self) -> usize {
        self.root
    }

    /// What all dues are paid from.
    #[inline(always)]
    pub fn constant(&self) -> u32 {
        self.constant
    }

    /// The number of what is left when all dues are paid.
    #[inline(always)]
    pub fn number(&self, left: u32) -> u32 {
        self.numbers[left as usize].load(Ordering::Acquire)
    }

    /// The shared events that are enabled as far as what is left is concerned, if that is known.
    #[inline(always)]
    pub fn pattern(&self, left: u32) -> Option<u64> {
        // Nothing is published by it.
        self.patterns.get(left as usize).map(|word| word.load(Ordering::Relaxed)).filter(|word| *word != 0)
    }

    /// Keeps them.
    pub fn keep_pattern(&self, left: u32, pattern: u64) {
        if let Some(word) = self.patterns.get(left as usize) {
            word.store(pattern, Ordering::Relaxed);
        }
    }
}
