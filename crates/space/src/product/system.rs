//! Exploring by look-ups: the successors of a rank, as ranks.

use std::sync::atomic::Ordering;

use sweepnet_net::{Marking, PlaceId, TransitionId};

use super::automata::{Automata, MOST_ROOTS, Stuck};
use super::passing::Passing;
use super::radix::Radix;
use super::tables::{HEADER, UNKNOWN};

/// A net as a product of local automata, with states as ranks of `W` words.
#[derive(Debug)]
pub struct Product<'a, const W: usize> {
    /// The components' automata.
    pub automata: &'a Automata,
    /// How tuples of local numbers are ranks.
    pub radix: &'a Radix,
}

impl<const W: usize> Clone for Product<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const W: usize> Copy for Product<'_, W> {}

/// The parts of a state while it is expanded.
#[derive(Clone, Debug)]
pub struct Expanding {
    numbers: [u32; MOST_ROOTS],
    rows: [u32; MOST_ROOTS],
    patterns: [u32; MOST_ROOTS],
}

impl Default for Expanding {
    fn default() -> Self {
        Self { numbers: [0; MOST_ROOTS], rows: [0; MOST_ROOTS], patterns: [0; MOST_ROOTS] }
    }
}

impl<const W: usize> Product<'_, W> {
    /// The bits of a label, if there is room for one above a rank; otherwise none.
    pub fn labels(&self) -> u64 {
        let label = self.automata.passing().label_bits();
        if (self.radix.bits() + label) as usize <= 64 * W { (1 << label) - 1 } else { 0 }
    }

    /// Hands the successors of a state to `emit`, with labels, and tells how many arcs leave it. Successors that are
    /// the state itself, or that are found another way given the state's own label, are counted but not emitted. If a
    /// table has no room, some have been emitted and nothing is counted.
    #[inline(always)]
    pub fn expand(
        &self,
        rank: [u64; W],
        label: u8,
        at: &mut Expanding,
        mut emit: impl FnMut([u64; W], u8),
    ) -> Result<u64, Stuck> {
        let automata = self.automata;
        let passed = automata.passing().roots(label);
        let digits = self.radix.digits();
        self.radix.numbers(&rank, &mut at.numbers);
        let mut arcs = automata.idle().len() as u64;
        for (root, digit) in digits.iter().enumerate() {
            let number = at.numbers[root];
            let row = automata.row(root, number)? as usize;
            let cells = &automata.tables(root).cells()[row..];
            let own = cells[1].load(Ordering::Relaxed) as usize;
            arcs += u64::from(cells[0].load(Ordering::Relaxed));
            at.rows[root] = (row + HEADER + own) as u32;
            at.patterns[root] = cells[2].load(Ordering::Relaxed);
            if passed >> root & 1 == 1 {
                continue;
            }
            let base = rank[digit.word].wrapping_sub(digit.weight.wrapping_mul(u64::from(number)));
            for cell in &cells[HEADER..HEADER + own] {
                let successor = cell.load(Ordering::Relaxed);
                let mut target = rank;
                target[digit.word] = base.wrapping_add(digit.weight.wrapping_mul(u64::from(successor)));
                emit(target, Passing::of_root(root));
            }
        }
        if !automata.shared().is_empty() {
            self.expand_shared(rank, label, at, &mut arcs, &mut emit)?;
        }
        Ok(arcs)
    }

    #[inline(always)]
    fn expand_shared(
        &self,
        rank: [u64; W],
        label: u8,
        at: &Expanding,
        arcs: &mut u64,
        emit: &mut impl FnMut([u64; W], u8),
    ) -> Result<(), Stuck> {
        let automata = self.automata;
        let digits = self.radix.digits();
        for word in 0..automata.shared().len().div_ceil(64) {
            let mut enabled = u64::MAX >> (64 - (automata.shared().len() - word * 64).min(64));
            for (root, pattern) in at.patterns[..digits.len()].iter().enumerate() {
                enabled &= automata.tables(root).pattern(*pattern)[word].load(Ordering::Relaxed);
            }
            *arcs += u64::from(enabled.count_ones());
            enabled &= !automata.passing().shared(label, word);
            while enabled != 0 {
                let bit = enabled.trailing_zeros() as usize;
                enabled &= enabled - 1;
                let event = &automata.shared()[word * 64 + bit];
                if event.still {
                    automata.note_fired(event.transition);
                    continue;
                }
                let mut target = rank;
                for (root, local) in &event.touches {
                    let root = *root as usize;
                    let successor = self.shared_successor(at, root, *local, word, bit)?;
                    let digit = digits[root];
                    let step = u64::from(successor).wrapping_sub(u64::from(at.numbers[root]));
                    target[digit.word] = target[digit.word].wrapping_add(digit.weight.wrapping_mul(step));
                }
                emit(target, automata.passing().of_shared(word * 64 + bit));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn shared_successor(
        &self,
        at: &Expanding,
        root: usize,
        local: u32,
        word: usize,
        bit: usize,
    ) -> Result<u32, Stuck> {
        let tables = self.automata.tables(root);
        let pattern = tables.pattern(at.patterns[root]);
        let touched = self.automata.touched(root);
        let own = |word: usize| pattern[word].load(Ordering::Relaxed) & touched[word];
        let mut position = (own(word) & ((1 << bit) - 1)).count_ones();
        for earlier in 0..word {
            position += own(earlier).count_ones();
        }
        let known = tables.cells()[at.rows[root] as usize + position as usize].load(Ordering::Acquire);
        match known {
            UNKNOWN => self.automata.fill_shared(root, at.numbers[root], local),
            known => Ok(known),
        }
    }

    /// The tuple of a rank.
    pub fn numbers(&self, rank: &[u64; W]) -> Vec<u32> {
        let mut numbers = vec![0; self.radix.digits().len()];
        self.radix.numbers(rank, &mut numbers);
        numbers
    }

    /// Tokens in a place.
    pub fn tokens_in(&self, rank: &[u64; W], place: PlaceId) -> u64 {
        self.automata.tokens(place, |root| self.radix.number(rank, root))
    }

    /// Tokens in all places.
    pub fn total_in(&self, rank: &[u64; W]) -> u128 {
        let digits = 0..self.radix.digits().len();
        let tokens: u128 = digits.map(|root| self.automata.total(root, self.radix.number(rank, root))).sum();
        tokens + self.automata.constant_tokens()
    }

    /// The whole marking.
    pub fn marking_of(&self, rank: &[u64; W]) -> Marking {
        let mut counts = self.automata.constants();
        for root in 0..self.radix.digits().len() {
            self.automata.write_counts(root, self.radix.number(rank, root), &mut counts);
        }
        Marking::new(counts.into_boxed_slice())
    }

    /// Whether a transition is enabled.
    pub fn enables(&self, rank: &[u64; W], transition: TransitionId) -> bool {
        let mut touches = false;
        for root in 0..self.radix.digits().len() {
            if let Some(event) = self.automata.event_of(root, transition) {
                touches = true;
                if !self.automata.is_enabled(root, self.radix.number(rank, root), event) {
                    return false;
                }
            }
        }
        touches || self.automata.idle().binary_search(&transition).is_ok()
    }

    /// The states from which an event leads to this one and that `is_it` recognises, with the transitions; or only
    /// the first of them.
    pub fn predecessors(
        &self,
        rank: &[u64; W],
        only_first: bool,
        mut is_it: impl FnMut(&[u64; W]) -> bool,
    ) -> Vec<([u64; W], TransitionId)> {
        let mut found = Vec::new();
        let numbers = self.numbers(rank);
        let mut candidate = numbers.clone();
        for root in 0..numbers.len() {
            for (event, transition) in self.automata.own_events(root) {
                for before in self.automata.predecessors(root, numbers[root], event) {
                    candidate[root] = before;
                    let source = self.radix.rank(&candidate);
                    if is_it(&source) {
                        found.push((source, transition));
                        if only_first {
                            return found;
                        }
                    }
                }
            }
            candidate[root] = numbers[root];
        }
        for event in self.automata.shared() {
            // Nearly all events are ruled out by the first component.
            let of_root = |(root, local): &(u32, u32)| {
                let before = self.automata.predecessors(*root as usize, numbers[*root as usize], *local);
                (!before.is_empty()).then_some(before)
            };
            let choices: Option<Vec<Vec<u32>>> = event.touches.iter().map(of_root).collect();
            let Some(choices) = choices else { continue };
            let mut chosen = vec![0; choices.len()];
            'combinations: loop {
                for ((root, _), (choice, at)) in event.touches.iter().zip(choices.iter().zip(&chosen)) {
                    candidate[*root as usize] = choice[*at];
                }
                let source = self.radix.rank(&candidate);
                if is_it(&source) {
                    found.push((source, event.transition));
                    if only_first {
                        return found;
                    }
                }
                for (at, choice) in chosen.iter_mut().zip(&choices) {
                    *at += 1;
                    if *at < choice.len() {
                        continue 'combinations;
                    }
                    *at = 0;
                }
                break;
            }
            candidate.clone_from(&numbers);
        }
        found
    }
}
