//! How many local markings each component will have.
//!
//! Making all ranks anew costs about as much as finding some of the states did, so it must not happen often.
//! When one component has outgrown its capacity, all that are nearly full get what they will need until there
//! are twice as many states, or all if that is less, as far as can be told: a component whose local markings grew
//! like R^β since it last got more gets 2^β times as many as it has. One that is full again before there are half as many
//! states more has been misjudged, and gets √2 times as many, then twice, up to four times: a factor that is
//! wasted costs its logarithm in bits per state, until the next time, when capacities that turned out to be
//! much too large shrink again. Where hardly any states are to come, all that are not full keep only a little.
//!
//! That is not enough where many components grow, one after another: each may be judged well, and yet all states are moved
//! for each of them. So there is an account of states moved, from which each new state takes some off. Whoever is full
//! while moves are owed gets twice as much for each of them, and nothing shrinks meanwhile.

use super::radix::Radix;
use super::suiting::Outlook;

/// The most that a component is given beyond what it has, as a power of √2.
const MOST_STEPS: u32 = 4;

/// Bits of a rank beyond those that tell states apart, from which on one more for a component that grows matters less
/// than making all ranks anew.
const MANY_BITS: f64 = 16.0;

/// Forecasts are seldom right: so many times the doublings of the states that are expected are prepared for, and never
/// fewer than this.
const CAUTION: f64 = 4.0;
const LEAST_AHEAD: f64 = 0.15;

/// States that are many, and the part of them that is hardly anything.
const MUCH: u64 = 1 << 20;
const HARDLY_ANYTHING: u64 = 64;

/// The most that a component is given where hardly anything is to come, as an exponent.
const NEARLY_DONE: f64 = 0.5;

/// States from which on moves are counted, how many moved states each new one pays for, and the most moves owed that make
/// whoever is full larger.
const WORTH_COUNTING: u64 = 1 << 14;
const PAID_BY_A_STATE: f64 = 4.0;
const MOST_OWED: f64 = 5.0;

/// Remembers how many there were the last time.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    components: Vec<Past>,
    /// States at the last move that was counted, and the moved states that were not paid for by then, that move included.
    moved_at: u64,
    unpaid: f64,
}

/// What a component had when it last got more.
#[derive(Clone, Copy, Debug)]
struct Past {
    states: u64,
    count: u32,
    /// How often it was full again too soon.
    misjudged: u32,
}

impl Growth {
    /// The capacities to have from now on, given the local markings there are and the states there are and will be. If
    /// `rounded`, ranks take whole bits, and what is left of the last one goes to those that grow.
    pub fn capacities(
        &mut self,
        present: &[u32],
        counts: &[u32],
        outlook: Outlook,
        rounded: bool,
    ) -> Vec<u32> {
        let states = outlook.found;
        let doublings = (outlook.expected.max(1) as f64 / states.max(1) as f64).log2() * CAUTION;
        let ahead = if outlook.is_rising { 1.0 } else { doublings.clamp(LEAST_AHEAD, 1.0) };
        let ranks: f64 = present.iter().map(|capacity| f64::from(*capacity).log2()).sum();
        let least = if ranks - (states.max(1) as f64).log2() >= MANY_BITS { 1.0 } else { 0.0 };
        let owed = self.owed(states);
        let nearly_done = is_nearly_done(outlook);
        let most = if nearly_done { NEARLY_DONE } else { f64::from(MOST_STEPS) / 2.0 };
        let (least, most) = (f64::max(least, owed), f64::max(most, owed));
        self.components.resize(counts.len(), Past { states: 1, count: 1, misjudged: 0 });
        let is_full = |at: usize| u64::from(counts[at]) * 8 >= u64::from(present[at]) * 7;
        let mut capacities: Vec<u32> = (0..counts.len())
            .map(|at| {
                let past = &mut self.components[at];
                if is_full(at) {
                    past.more(counts[at], states, (least, most, ahead))
                } else if nearly_done {
                    present[at].min(counts[at].saturating_add(counts[at] / 16 + 4))
                } else if owed > 0.0 {
                    present[at]
                } else {
                    past.spare(present[at], counts[at], states)
                }
            })
            .collect();
        if rounded {
            use_up(&mut capacities, is_full);
        }
        capacities
    }

    /// How many moves are owed when so many states are about to be moved: none if those before are paid for.
    fn owed(&mut self, states: u64) -> f64 {
        if states < WORTH_COUNTING {
            return 0.0;
        }
        let new = states.saturating_sub(self.moved_at);
        let unpaid = (self.unpaid - new as f64 * PAID_BY_A_STATE).max(0.0);
        (self.moved_at, self.unpaid) = (states, unpaid + states as f64);
        (unpaid / states as f64).min(MOST_OWED)
    }
}

/// Whether hardly anything is to come where there is so much that a bit for each state is much memory.
fn is_nearly_done(outlook: Outlook) -> bool {
    !outlook.is_rising && outlook.found >= MUCH && outlook.lacks_at_most_one_in(HARDLY_ANYTHING)
}

/// Makes those larger that grow, as long as ranks have no more bits. (Ranks of several words have many to spare at the
/// end of each; room in tables costs memory all the same.)
fn use_up(capacities: &mut Vec<u32>, grows: impl Fn(usize) -> bool) {
    let bits = Radix::new(capacities).bits();
    let most: Vec<u32> =
        capacities.iter().map(|capacity| capacity.saturating_mul(2).min(u32::MAX - 2)).collect();
    loop {
        let more = |(at, capacity): (usize, &u32)| {
            let more = if grows(at) { capacity / 16 + 1 } else { 0 };
            capacity.saturating_add(more).min(most[at].max(*capacity))
        };
        let larger: Vec<u32> = capacities.iter().enumerate().map(more).collect();
        if larger == *capacities || Radix::new(&larger).bits() > bits {
            return;
        }
        *capacities = larger;
    }
}

impl Past {
    /// How often states have doubled since, and how the local markings grew meanwhile, as an exponent.
    fn trend(&self, count: u32, states: u64) -> (f64, f64) {
        let doublings = (states.max(1) as f64 / self.states as f64).log2();
        let doublings_here = (f64::from(count.max(1)) / f64::from(self.count.max(1))).log2();
        (doublings, (doublings_here / doublings.max(0.5)).clamp(0.0, 1.0))
    }

    /// The capacity of a component that is full, with an exponent between these and so many doublings ahead.
    fn more(&mut self, count: u32, states: u64, (least, most, ahead): (f64, f64, f64)) -> u32 {
        let (doublings, exponent) = self.trend(count, states);
        let soon = doublings < 0.5;
        let misjudged = if soon { (self.misjudged + 1).min(MOST_STEPS) } else { 0 };
        let exponent =
            if soon { (f64::from(misjudged) / 2.0).max(least) } else { (exponent * ahead).max(least) };
        *self = Self { states, count, misjudged };
        let more = f64::from(count) * exponent.min(most).exp2() * 1.03 + 4.0;
        more.min(f64::from(u32::MAX - 2)) as u32
    }

    /// The capacity of a component that has room to spare: what it has, if that is not far too much.
    fn spare(&mut self, present: u32, count: u32, states: u64) -> u32 {
        let (doublings, exponent) = self.trend(count, states);
        let enough = f64::from(count) * exponent.exp2() * 1.25 + 2.0;
        if doublings < 1.0 || enough * 2.0 > f64::from(present) {
            return present;
        }
        *self = Self { states, count, misjudged: 0 };
        enough as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_nearly_done_takes_no_bit_more() {
        let present = [3_463, 429, 520, 674];
        let counts = [3_463, 325, 405, 537];
        let bits = |found: u64| {
            let expected = found + found / 1_000;
            let outlook = Outlook { found, expected, is_rising: false, ..Outlook::default() };
            Radix::new(&Growth::default().capacities(&present, &counts, outlook, true)).bits()
        };
        assert_eq!(Radix::new(&present).bits(), 39);
        assert_eq!(bits(3_000_000), 39);
        assert_eq!(bits(300_000), 40);
    }

    fn rising(found: u64) -> Outlook {
        Outlook { found, expected: found, is_rising: true, ..Outlook::default() }
    }

    #[test]
    fn what_does_not_grow_gets_little_more_than_it_has() {
        let mut growth = Growth::default();
        growth.capacities(&[10, 500, 100, 90], &[10, 500, 100, 50], rising(1_000), false);
        let capacities =
            growth.capacities(&[10, 1_000, 140, 90], &[10, 1_000, 140, 60], rising(2_000), false);
        assert_eq!(capacities[3], 90);
        assert!((10..20).contains(&capacities[0]));
        assert!((2_000..2_200).contains(&capacities[1]));
        assert!((190..220).contains(&capacities[2]));
    }

    #[test]
    fn who_is_full_again_soon_gets_more_each_time() {
        let mut growth = Growth::default();
        let mut capacity = 16;
        let mut times = 0;
        while capacity < 10_000 {
            capacity = growth.capacities(&[capacity], &[capacity], rising(320_000 + times), false)[0];
            times += 1;
        }
        assert!(times <= 8, "{times} times");
    }

    #[test]
    fn many_that_grow_one_after_another_are_not_moved_for_each() {
        let mut growth = Growth::default();
        let (mut capacities, mut counts) = (vec![20; 16], vec![20; 16]);
        let mut times = 0;
        for at in 0..counts.len() {
            while counts[at] < 10_000 {
                counts[at] = capacities[at].min(10_000);
                capacities = growth.capacities(&capacities, &counts, rising(320_000 + times), false);
                capacities.iter_mut().for_each(|capacity| *capacity = (*capacity).min(10_000));
                times += 1;
            }
        }
        assert!(times <= 55, "{times} times");
        // With time, that is paid for.
        let capacities = growth.capacities(&[1_000, 1_000], &[1_000, 500], rising(4_000_000), false);
        assert!(capacities[0] < 4_200, "{capacities:?}");
    }

    #[test]
    fn capacities_that_were_far_too_large_shrink() {
        let mut growth = Growth::default();
        let capacities = growth.capacities(&[1_000, 50], &[60, 50], rising(1 << 20), false);
        assert!((90..200).contains(&capacities[0]), "{capacities:?}");
    }

    #[test]
    fn whole_bits_are_used_up() {
        let mut growth = Growth::default();
        let capacities = growth.capacities(&[100, 900], &[60, 900], rising(1 << 20), true);
        let plain = Growth::default().capacities(&[100, 900], &[60, 900], rising(1 << 20), false);
        assert_eq!((capacities[0], Radix::new(&capacities).bits()), (100, Radix::new(&plain).bits()));
        assert!(Radix::new(&[100, capacities[1] * 9 / 8]).bits() > Radix::new(&plain).bits());
    }

    #[test]
    fn what_several_words_have_to_spare_does_not_blow_up_tables() {
        let present = [1_000; 10];
        let mut counts = [500; 10];
        counts[2] = 1_000;
        let capacities = Growth::default().capacities(&present, &counts, rising(30_000), true);
        assert!((1_000..=8_100).contains(&capacities[2]), "{capacities:?}");
    }

    #[test]
    fn little_is_given_where_little_is_to_come() {
        let outlook = Outlook { found: 1 << 20, expected: 1_060_000, is_rising: false, ..Outlook::default() };
        let capacities = Growth::default().capacities(&[700, 700, 700], &[700, 20, 690], outlook, false);
        assert!((740..800).contains(&capacities[0]), "{capacities:?}");
    }
}
