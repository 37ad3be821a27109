//! A net as a product of its components: states are ranks.

use sweepnet_net::{Marking, PlaceId, TransitionId};

use super::automata::{Automata, MOST_ROOTS, Touch, all_there};
use super::radix::Radix;

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

impl<const W: usize> Product<'_, W> {
    /// The bits of a label, if there is room for one above a rank; otherwise none.
    pub fn labels(&self) -> u64 {
        let label = self.automata.passing().label_bits();
        if (self.radix.bits() + label) as usize <= 64 * W { (1 << label) - 1 } else { 0 }
    }

    /// The tuple of a rank.
    pub fn numbers(&self, rank: &[u64; W]) -> Vec<u32> {
        let mut numbers = vec![0; self.radix.digits().len()];
        self.radix.numbers(rank, &mut numbers);
        self.automata.complete(&mut numbers);
        numbers
    }

    /// One number of a rank's tuple.
    #[inline]
    pub fn number(&self, rank: &[u64; W], root: usize) -> u32 {
        match self.automata.following() {
            Some(following) if following.root() == root => {
                let mut numbers = [0; MOST_ROOTS];
                self.radix.numbers(rank, &mut numbers);
                self.automata.complete(&mut numbers);
                numbers[root]
            }
            _ => self.radix.number(rank, root),
        }
    }

    /// Tokens in a place.
    pub fn tokens_in(&self, rank: &[u64; W], place: PlaceId) -> u64 {
        self.automata.tokens(place, |root| self.number(rank, root))
    }

    /// Tokens in all places.
    #[inline]
    pub fn total_in(&self, rank: &[u64; W]) -> u128 {
        let mut numbers = [0; MOST_ROOTS];
        self.radix.numbers(rank, &mut numbers);
        self.automata.complete(&mut numbers);
        let roots = numbers[..self.radix.digits().len()].iter().enumerate();
        let tokens: i128 = roots.map(|(root, number)| self.automata.total(root, *number)).sum();
        (tokens + self.automata.constant_tokens()).unsigned_abs()
    }

    /// The whole marking.
    pub fn marking_of(&self, rank: &[u64; W]) -> Marking {
        let mut counts = self.automata.constants();
        for root in 0..self.radix.digits().len() {
            self.automata.write_counts(root, self.number(rank, root), &mut counts);
        }
        self.automata.write_complements(&mut counts);
        Marking::new(counts.into_boxed_slice())
    }

    /// Whether a transition is enabled.
    pub fn enables(&self, rank: &[u64; W], transition: TransitionId) -> bool {
        let mut touches = false;
        for root in 0..self.radix.digits().len() {
            if let Some(event) = self.automata.event_of(root, transition) {
                touches = true;
                if !self.automata.is_enabled(root, self.number(rank, root), event) {
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
        let mut shared = Vec::new();
        for root in 0..numbers.len() {
            for event in self.automata.may_have_led_to(root, numbers[root]) {
                let transition = self.automata.transition(root, event);
                if let Some(position) = self.automata.shared_event(root, event) {
                    shared.push(position);
                    continue;
                }
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
        shared.sort_unstable();
        let event = |position: u32| &self.automata.shared()[position as usize];
        let shared = all_there(&shared, |position| self.automata.touches(event(position)).len());
        for event in shared.into_iter().map(event) {
            // Nearly all events are ruled out by the first component.
            let touches = self.automata.touches(event);
            let of_root = |touch: &Touch| {
                let root = touch.root as usize;
                let before = self.automata.predecessors(root, numbers[root], touch.event);
                (!before.is_empty()).then_some(before)
            };
            let choices: Option<Vec<Vec<u32>>> = touches.iter().map(of_root).collect();
            let Some(choices) = choices else { continue };
            let mut chosen = vec![0; choices.len()];
            'combinations: loop {
                for (touch, (choice, at)) in touches.iter().zip(choices.iter().zip(&chosen)) {
                    candidate[touch.root as usize] = choice[*at];
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
