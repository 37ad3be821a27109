//! Changes of mind about the partition.
//!
//! An exploration begins with a quick guess. When there are so many states that a better partition would pay, it is
//! judged with full care, once, on a full sample. After that it is judged again only where the tables or the ranks get
//! out of hand, on states that the search has found. Where these tell too little, walks from them tell what is still to
//! come.

use sweepnet_net::{Marking, Net};

use super::exploration::{Exploration, Occasion};
use super::found::some_markings;
use super::moving::Unmoved;
use super::partition::{Judgement, PartitionChoice, Sample, choose, guess, judge};
use crate::set::held::Kind;
use crate::{Budget, Control, Plan, StopReason, program};

/// Tables that take less than this are never out of hand.
const SMALL_TABLES: usize = 4 << 20;

/// Bits of a rank beyond those that tell states apart, from which on another partition is looked for; and from which
/// on, if at least so many times the states are expected, one is that makes do with a bitmap.
const MANY_BITS: f64 = 16.0;
const SOME_BITS: f64 = 4.0;
const MANY_MORE: u64 = 3;

/// A bitmap is too large if it takes this part of all memory that may be used, and so many bits for each state expected.
const MUCH_MEMORY: u64 = 4;
const MANY_RANKS: u64 = 3;

/// A bitmap may do if there are no more than so many ranks for each state expected: twice as many as it should have,
/// because forecasts are mostly too low.
const BITMAP_DOES: f64 = 16.0;

/// Times the local markings of a component that states found promise, from which on walks that meet so many refute them.
const FAR_MORE: f64 = 4.0;

/// Bits of a rank beyond those that tell states apart, from which on a guess tells that its sample was of no help.
const FAR_OFF: f64 = 12.0;

/// States found that are asked for a second opinion.
const SECOND_OPINION: usize = 8_000;

/// States at which a guess is judged: early if many bits are wasted or many more states are expected, else when a
/// better partition would pay in any case.
const EARLY_JUDGEMENT: u64 = 1 << 17;
const LATE_JUDGEMENT: u64 = 1 << 18;
const WASTED_BITS: f64 = 10.0;
const MANY_EXPECTED: u64 = 1 << 19;

/// Judging takes time for each place. A net with more places than this is explored so many times longer before, up to
/// this many times; unless the tables take more than so many bytes for each state or far too many bits are wasted.
const PLACES_JUDGED_SOON: u64 = 64;
const MOST_PATIENCE: u64 = 8;
const HEAVY: u64 = 2;

/// A guess is not judged any more when fewer than so many times the states found, in halves, are expected.
const WORTH_JUDGING: u64 = 3;

/// A guess that takes no more than so many bytes for each state expected, tables included, is good enough as long as
/// that is so. No more states are expected than so many times those found.
const GOOD_ENOUGH: u64 = 1;
const GOOD_FOR: u64 = 2;

/// The most that a forecast is believed, in multiples of the states found: what large tables are judged by should not be
/// a dream.
const MOST_EXPECTED: u64 = 4;

/// States before the first second thought, and how many times more before the next; and before the one after a judgement
/// that left many bits wasted.
const FIRST_THOUGHT: u64 = 1 << 17;
const NEXT_THOUGHT: u64 = 4;
const SOON_AGAIN: u64 = 3;

/// How much better than a guess another partition must be, in bits per state, to be worth the move; and how much
/// better than one that was judged.
const BETTER_THAN_A_GUESS: f64 = 0.5;
const WORTH_MOVING: f64 = 2.0;

/// A guess is refuted, before it is judged, by so many times the ranks that it was made for, as a power of two. Then one
/// more guess is made on so many states found.
const REFUTED: f64 = 1.0;
const SECOND_GUESS: usize = 4_800;

/// A guess is refuted, too, by tables of at least so many bytes, and so many for each of the states that can be expected to
/// come when levels have begun to shrink.
const LARGE_TABLES: usize = 1 << 20;
const BYTES_OF_A_STATE: u64 = 256;

/// Bits of a rank beyond those that tell states apart that may be saved where memory is short.
const BITS_TO_SAVE: f64 = 2.0;

/// States that must fit a sample then: whether it told the truth is seen before anything is moved.
const FEWEST_STATES: usize = 200;

/// Looks at an exploration now and then.
#[derive(Debug)]
pub struct SecondThoughts<'a> {
    net: &'a Net,
    plan: &'a Plan,
    first: &'a Judgement,
    reason: String,
    /// Whether the present partition is a guess.
    is_guess: bool,
    /// Whether another partition is looked for only because with it a bitmap might do.
    is_for_bitmap: bool,
    next: u64,
    /// At how many states to think again how to save memory.
    next_saving: u64,
    /// Whether a second guess was made.
    has_guessed_again: bool,
    changes: usize,
}

impl<'a> SecondThoughts<'a> {
    /// No second thought yet about this judgement, or guess.
    pub fn new(net: &'a Net, plan: &'a Plan, first: &'a Judgement, is_guess: bool) -> Self {
        let reason = first.reason.clone();
        Self {
            net,
            plan,
            first,
            reason,
            is_guess,
            is_for_bitmap: false,
            next: FIRST_THOUGHT,
            next_saving: 0,
            has_guessed_again: false,
            changes: 0,
        }
    }

    /// Why the present partition was chosen.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Judges a guess when it is time, and again when things look bad. Moves the states if that is worth it.
    pub fn reconsider(
        &mut self,
        exploration: &mut Exploration<'_>,
        control: &mut Control<'_>,
        occasion: Occasion,
    ) -> Result<(), StopReason> {
        let is_short = occasion == Occasion::Memory;
        if self.plan.stress && !is_short {
            return self.change_for_the_sake_of_it(exploration);
        }
        if !matches!(self.plan.partition, PartitionChoice::Auto) {
            return Ok(());
        }
        if !is_short && self.is_refuted(exploration) {
            return self.guess_again(exploration, u64::MAX, control);
        }
        if !is_short && self.has_hopeless_tables(exploration) {
            return self.guess_again(exploration, most_to_come(exploration), control);
        }
        if !(if is_short { self.may_save(exploration) } else { self.is_time(exploration) }) {
            return Ok(());
        }
        let states = exploration.states();
        let expected = exploration.expected().min(states.saturating_mul(MOST_EXPECTED));
        let was_guess = std::mem::take(&mut self.is_guess);
        let least = if was_guess || is_short { BETTER_THAN_A_GUESS } else { WORTH_MOVING };
        let most = Sample::affordable(self.net, self.plan, control);
        let fewest = if is_short { FEWEST_STATES } else { Sample::FEW_STATES };
        if !was_guess && most < fewest {
            return Ok(());
        }
        // Samples and judgements have code enough of their own.
        program::give_back();
        let budget = control.budget().clone();
        let found = found(exploration, &budget);
        let sample = match was_guess {
            // A guess that is not too bad came of a sample that is worth being made larger.
            true if excess(exploration) < FAR_OFF => Sample::gather(self.net, self.plan, most, control),
            false if self.is_for_bitmap => Sample::of_found(self.net, self.plan, found, most),
            _ => Sample::beyond(self.net, self.plan, found, most, control),
        };
        let mut verdict = self.verdict(exploration, sample.expecting(expected), was_guess, control)?;
        if self.is_for_bitmap
            && let Some((judgement, better)) = &verdict
            && *better >= least
            && !self.does_with_bitmap(judgement, expected, control)
        {
            // What is found tells little of what is still to come.
            let beyond = Sample::beyond(self.net, self.plan, found, most, control);
            verdict = self.verdict(exploration, beyond.expecting(expected), false, control)?;
        }
        // What sampling took is free again, but not for the system; what judged runs no more.
        program::give_back();
        control.budget().catch_up();
        let Some((judgement, better)) = verdict else { return Ok(()) };
        if better < least || judgement.chosen == *exploration.partition() {
            return Ok(());
        }
        let moved = self.adopt(exploration, judgement, occasion)?;
        if moved && was_guess && excess(exploration) >= MANY_BITS {
            // The sample was of little help; states found may be of more.
            self.next = states.saturating_mul(SOON_AGAIN);
        }
        Ok(())
    }

    /// Whether a guess has got far more local markings than it was made for, before it is judged.
    fn is_refuted(&self, exploration: &Exploration<'_>) -> bool {
        let promised = self.first.candidates.first().map_or(f64::INFINITY, |best| best.ranks().log2());
        let log2 = |count: &u32| f64::from(*count).log2();
        let counted: f64 = exploration.automata().ranked_counts().iter().map(log2).sum();
        self.is_guess
            && !self.has_guessed_again
            && exploration.states() < EARLY_JUDGEMENT
            && counted >= promised + REFUTED
            && (SOME_BITS..FAR_OFF).contains(&excess(exploration))
    }

    /// Whether the tables of a guess are far too large for the few states that there will be.
    fn has_hopeless_tables(&self, exploration: &Exploration<'_>) -> bool {
        let tables = exploration.automata().bytes();
        self.is_guess
            && !self.has_guessed_again
            && !exploration.levels().is_rising()
            && tables >= LARGE_TABLES
            && tables as u64 / BYTES_OF_A_STATE >= most_to_come(exploration)
    }

    /// Guesses once more, on states found, of which there will be at most so many.
    fn guess_again(
        &mut self,
        exploration: &mut Exploration<'_>,
        at_most: u64,
        control: &mut Control<'_>,
    ) -> Result<(), StopReason> {
        self.has_guessed_again = true;
        let most = Sample::affordable(self.net, self.plan, control).min(SECOND_GUESS);
        let sample = Sample::of_found(self.net, self.plan, found(exploration, control.budget()), most)
            .expecting(exploration.expected())
            .expecting_at_most(at_most);
        if sample.is_empty() {
            return Ok(());
        }
        let Ok(_room) = control.budget().hold(judge::bytes(self.net, &sample)) else { return Ok(()) };
        let knowledge = &self.plan.knowledge;
        let Ok(judgement) = guess(self.net, knowledge, &sample) else { return Ok(()) };
        let present = judge::score_on(self.net, knowledge, exploration.partition(), &sample).bits_per_state;
        let better = judgement.candidates.first().map_or(0.0, |best| present - best.bits_per_state);
        drop(sample);
        program::give_back();
        control.budget().catch_up();
        if better >= BETTER_THAN_A_GUESS {
            self.adopt(exploration, judgement, Occasion::Level)?;
        }
        Ok(())
    }

    /// Moves the states to another partition; tells whether there was room to.
    fn adopt(
        &mut self,
        exploration: &mut Exploration<'_>,
        judgement: Judgement,
        occasion: Occasion,
    ) -> Result<bool, StopReason> {
        match exploration.repartition(&judgement.chosen, &judgement.capacities, occasion) {
            Ok(()) => self.reason = judgement.reason,
            // The present one will do.
            Err(Unmoved::NoRoom(_)) => return Ok(false),
            Err(Unmoved::Broken(reason)) => return Err(reason),
        }
        program::give_back();
        Ok(true)
    }

    /// What is best on a sample, and how much better than what there is, in bits per state. What is found may be asked for
    /// a `second` opinion: a sample of few may miss how components grow. Nothing if there is no memory for it.
    fn verdict(
        &self,
        exploration: &Exploration<'_>,
        sample: Sample,
        second: bool,
        control: &Control<'_>,
    ) -> Result<Option<(Judgement, f64)>, StopReason> {
        match sample.stopped() {
            None => {}
            // Without room for a sample there is no judgement.
            Some(StopReason::Memory) => return Ok(None),
            Some(reason) => return Err(reason),
        }
        if sample.is_empty() {
            return Ok(None);
        }
        let knowledge = &self.plan.knowledge;
        let Ok(_room) = control.budget().hold(judge::bytes(self.net, &sample)) else { return Ok(None) };
        let choice = choose(self.net, knowledge, &self.plan.partition, &sample);
        let Ok(mut judgement) = choice else { return Ok(None) };
        let score = |sample| judge::score_on(self.net, knowledge, exploration.partition(), sample);
        let mut present = score(&sample).bits_per_state;
        if second {
            let states = sample.len().min(SECOND_OPINION);
            let others = Sample::of_found(self.net, self.plan, found(exploration, control.budget()), states)
                .expecting(sample.expected());
            judgement = judge::with_second_opinion(self.net, knowledge, judgement, &sample, &others);
            present = present.max(score(&others).bits_per_state);
        }
        let better = judgement.candidates.first().map_or(0.0, |best| present - best.bits_per_state);
        Ok(Some((judgement, better)))
    }

    /// Whether a bitmap will do for what a judgement on states found has chosen. These tell little of what comes later:
    /// where walks meet more local markings than are expected, there will be at least so many.
    fn does_with_bitmap(&self, judgement: &Judgement, expected: u64, control: &mut Control<'_>) -> bool {
        let Some(best) = judgement.candidates.first() else { return false };
        let walks = Sample::gather(self.net, self.plan, Sample::STATES, control);
        let mut there = judge::score_on(self.net, &self.plan.knowledge, &judgement.chosen, &walks);
        let far_more = |(seen, expected): (&u32, &f64)| f64::from(*seen) > FAR_MORE * expected.max(1.0);
        if there.seen.iter().zip(&best.expected).any(far_more) {
            return false;
        }
        for (seen, (there, expected)) in there.seen.iter().zip(there.expected.iter_mut().zip(&best.expected))
        {
            *there = expected.max(f64::from(*seen));
        }
        there.ranks() <= BITMAP_DOES * expected as f64
    }

    /// Whether a guess is to be judged by now, or a judgement looks bad.
    fn is_time(&mut self, exploration: &Exploration<'_>) -> bool {
        let states = exploration.states();
        let excess = excess(exploration);
        if self.is_guess {
            let soon = excess >= WASTED_BITS || exploration.expected() >= MANY_EXPECTED;
            let first = if soon { EARLY_JUDGEMENT } else { LATE_JUDGEMENT };
            let tables = exploration.automata().bytes() as u64;
            let is_heavy = tables > states.saturating_mul(HEAVY) || excess >= MANY_BITS;
            let places = self.net.places().len() as u64 / PLACES_JUDGED_SOON;
            self.next = if is_heavy { first } else { first * places.clamp(1, MOST_PATIENCE) };
        }
        let is_late = exploration.expected() < states.saturating_mul(WORTH_JUDGING) / 2;
        if states < self.next || self.is_guess && is_late {
            return false;
        }
        self.next = states.saturating_mul(NEXT_THOUGHT);
        let tables = exploration.automata().bytes();
        if self.is_guess {
            let expected = exploration.expected().min(states.saturating_mul(GOOD_FOR));
            let bytes = exploration.least_bitmap_bytes().map(|bytes| bytes.saturating_add(tables as u64));
            return bytes.is_none_or(|bytes| bytes > GOOD_ENOUGH * expected);
        }
        let heavy = tables > SMALL_TABLES && tables > exploration.set().bytes() / 2;
        let many_more = exploration.expected() >= states.saturating_mul(MANY_MORE);
        let is_slow = exploration.set().kind() != Kind::Bitmap && excess >= SOME_BITS && many_more;
        let limit = exploration.budget().limit();
        let is_large = exploration.least_bitmap_bytes().is_some_and(|bytes| {
            let expected = exploration.expected().min(states.saturating_mul(MOST_EXPECTED));
            bytes >= limit / MUCH_MEMORY && bytes.saturating_mul(8) / MANY_RANKS >= expected
        });
        self.is_for_bitmap = !heavy && excess < MANY_BITS;
        heavy || is_slow || is_large || excess >= MANY_BITS
    }

    /// Whether another partition might save memory where there is no more. It is not asked for again soon.
    fn may_save(&mut self, exploration: &Exploration<'_>) -> bool {
        let states = exploration.states();
        if states < self.next_saving || excess(exploration) < BITS_TO_SAVE {
            return false;
        }
        self.next_saving = states + states / 2;
        self.is_for_bitmap = true;
        true
    }

    /// Takes the next of the proposals, whatever it is worth.
    fn change_for_the_sake_of_it(&mut self, exploration: &mut Exploration<'_>) -> Result<(), StopReason> {
        self.changes += 1;
        let candidates = &self.first.candidates;
        if !self.changes.is_multiple_of(3) || candidates.is_empty() {
            return Ok(());
        }
        let other = &candidates[self.changes / 3 % candidates.len()].partition;
        Ok(exploration.repartition(other, &vec![2; other.parts.len()], Occasion::Level)?)
    }
}

/// Shows some of the states found.
fn found<'e>(
    exploration: &'e Exploration<'_>,
    budget: &'e Budget,
) -> impl Fn(usize, &mut dyn FnMut(Marking)) + Copy + 'e {
    move |most, visit| some_markings(exploration, budget, most, visit)
}

/// How many states to expect at most when levels have begun to shrink.
fn most_to_come(exploration: &Exploration<'_>) -> u64 {
    exploration.expected().max(exploration.states() + exploration.states() / 2)
}

/// Bits of a rank beyond those that tell states apart.
fn excess(exploration: &Exploration<'_>) -> f64 {
    exploration.radix().log2() - (exploration.states() as f64).log2()
}
