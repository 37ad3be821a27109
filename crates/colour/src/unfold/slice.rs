//! The part of an unfolding that matters, as far as random walks tell.
//!
//! The fixpoint ignores numbers of tokens, and so may find many values that never come up. A *slice* has places only for
//! the values that were seen on random walks. A transition that needs another value is left out: its tokens cannot be
//! there as long as no token has left the slice. One that would give another value becomes a way out of the slice: it
//! takes nothing, and gives a token to a place of its own, `elsewhere`. So the slice has all states of the net if and only
//! if that place is never marked; whoever explores it watches for that, and takes the whole unfolding if it is.

use std::ops::ControlFlow;

use super::colours::Colours;
use super::fixpoint::{Found, Instance};
use crate::machine::{Machine, Scratch};
use crate::marking::Marking;
use crate::net::ColouredNet;

/// Unfoldings with fewer places are small enough.
const LARGE: usize = 1_000;
/// Events that are fired at most.
const MOST_EVENTS: u64 = 400_000;
/// Events after which nothing new is expected to come.
const PATIENCE: u64 = 80_000;
/// Tokens that are looked at, at most.
const MOST_TOKENS: u64 = 20_000_000;

/// Which values of each place are in the slice.
pub(super) struct Slice(Vec<Vec<bool>>);

impl Slice {
    /// All of them.
    pub(super) fn whole(found: &Found) -> Self {
        Self(found.colours.iter().map(|colours| vec![true; colours.len()]).collect())
    }

    /// Those that were seen on random walks; nothing if a slice would not be much smaller.
    pub(super) fn of(net: &ColouredNet, found: &Found, go_on: &dyn Fn() -> bool) -> Option<Self> {
        let places: usize = found.colours.iter().map(Colours::len).sum();
        if places < LARGE {
            return None;
        }
        let mut walk = Walk {
            machine: Machine::new(net),
            colours: &found.colours,
            seen: found.colours.iter().map(|colours| vec![false; colours.len()]).collect(),
            count: 0,
            tokens: 0,
            random: 0,
        };
        walk.go(go_on);
        (walk.count * 2 <= places).then_some(Self(walk.seen))
    }

    /// Whether a value is in the slice.
    pub(super) fn has(&self, place: usize, number: usize) -> bool {
        self.0[place][number]
    }

    /// What becomes of an instance.
    pub(super) fn part(&self, instance: &Instance) -> Part {
        let inside = |(place, number, _): &(u32, u32, u64)| self.has(*place as usize, *number as usize);
        if !instance.inputs.iter().chain(&instance.reads).all(inside) {
            Part::Outside
        } else if instance.outputs.iter().all(inside) {
            Part::Inside
        } else {
            Part::WayOut
        }
    }
}

/// What becomes of an instance in a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It is as it was.
    Inside,
    /// It leads out of the slice.
    WayOut,
    /// It cannot fire.
    Outside,
}

/// Random walks under way.
struct Walk<'a> {
    machine: Machine,
    colours: &'a [Colours],
    seen: Vec<Vec<bool>>,
    /// How many values were seen.
    count: usize,
    tokens: u64,
    random: u64,
}

impl Walk<'_> {
    fn go(&mut self, go_on: &dyn Fn() -> bool) {
        let initial = self.machine.initial().clone();
        self.look(&initial);
        let (mut marking, mut scratch) = (initial.clone(), Scratch::default());
        let (mut events, mut last_news) = (0u64, 0u64);
        while events < MOST_EVENTS && events - last_news < PATIENCE && self.tokens < MOST_TOKENS && go_on() {
            let before = self.count;
            let mut successors: Vec<Marking> = Vec::new();
            // Markings that are right lead on; where the model is wrong there is nothing to see.
            let _ = self.machine.successors(&marking, &mut scratch, &mut |_, next| {
                successors.extend(next.ok().cloned());
                ControlFlow::Continue(())
            });
            successors.iter().for_each(|next| self.look(next));
            events += successors.len().max(1) as u64;
            if self.count > before {
                last_news = events;
            }
            let chosen = self.chance(successors.len());
            marking = if successors.is_empty() { initial.clone() } else { successors.swap_remove(chosen) };
        }
    }

    /// A number below another, the same on every machine: SplitMix64.
    fn chance(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % below.max(1) as u64) as usize
    }

    /// Sees the values of a marking.
    fn look(&mut self, marking: &Marking) {
        for ((tokens, colours), seen) in marking.places.iter().zip(self.colours).zip(&mut self.seen) {
            for (value, _) in tokens.iter() {
                self.tokens += 1;
                if let Some(number) = colours.find(value)
                    && !std::mem::replace(&mut seen[number as usize], true)
                {
                    self.count += 1;
                }
            }
        }
    }
}
