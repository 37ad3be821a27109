//! A change of mind: when the tables or the ranks get out of hand, the partition is judged again on states that the
//! search has found since.

use sweepnet_net::Net;

use super::exploration::Exploration;
use super::partition::{Judgement, PartitionChoice, Sample, choose, judge};
use crate::{Plan, StopReason};

/// Tables that take less than this are never out of hand.
const SMALL_TABLES: usize = 4 << 20;

/// Bits of a rank beyond those that tell states apart, from which on another partition is looked for.
const MANY_BITS: f64 = 16.0;

/// States before the first second thought, and how many times more before the next.
const FIRST_THOUGHT: u64 = 1 << 17;
const NEXT_THOUGHT: u64 = 4;

/// How much better another partition must be, in bits per state, to be worth the move.
const WORTH_MOVING: f64 = 3.0;

/// Looks at an exploration now and then.
#[derive(Debug)]
pub struct SecondThoughts<'a> {
    net: &'a Net,
    plan: &'a Plan,
    first: &'a Judgement,
    reason: String,
    next: u64,
    changes: usize,
}

impl<'a> SecondThoughts<'a> {
    /// No second thought yet about this judgement.
    pub fn new(net: &'a Net, plan: &'a Plan, first: &'a Judgement) -> Self {
        Self { net, plan, first, reason: first.reason.clone(), next: FIRST_THOUGHT, changes: 0 }
    }

    /// Why the present partition was chosen.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Judges again, if it is time and things look bad, and moves the states if that is worth it.
    pub fn reconsider(&mut self, exploration: &mut Exploration<'_>) -> Result<(), StopReason> {
        if self.plan.stress {
            return self.change_for_the_sake_of_it(exploration);
        }
        let states = exploration.states();
        if states < self.next || !matches!(self.plan.partition, PartitionChoice::Auto) {
            return Ok(());
        }
        self.next = states.saturating_mul(NEXT_THOUGHT);
        let tables = exploration.automata().bytes();
        let excess = exploration.radix().log2() - (states as f64).log2();
        let heavy = tables > SMALL_TABLES && tables > exploration.set().bytes() / 2;
        if !heavy && excess < MANY_BITS {
            return Ok(());
        }
        let knowledge = &self.plan.knowledge;
        let markings = exploration.some_markings(Sample::STATES);
        let sample = Sample::of_states(self.net, self.plan, markings, None);
        let Ok(judgement) = choose(self.net, knowledge, &self.plan.partition, &sample) else { return Ok(()) };
        let present = judge::score_on(self.net, knowledge, exploration.partition(), &sample);
        let better =
            judgement.candidates.first().map_or(0.0, |best| present.bits_per_state - best.bits_per_state);
        if better < WORTH_MOVING || judgement.chosen == *exploration.partition() {
            return Ok(());
        }
        self.reason = judgement.reason;
        exploration.repartition(&judgement.chosen, &judgement.capacities)
    }

    /// Takes the next of the proposals, whatever it is worth.
    fn change_for_the_sake_of_it(&mut self, exploration: &mut Exploration<'_>) -> Result<(), StopReason> {
        self.changes += 1;
        let candidates = &self.first.candidates;
        if !self.changes.is_multiple_of(3) || candidates.is_empty() {
            return Ok(());
        }
        let other = &candidates[self.changes / 3 % candidates.len()].partition;
        exploration.repartition(other, &vec![2; other.parts.len()])
    }
}
