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
use crate::patience::Patience;

/// Unfoldings with fewer places are small enough.
const LARGE: usize = 1_000;
/// Events that are fired at most.
const MOST_EVENTS: u64 = 400_000;
/// Events after which nothing new is expected to come.
const PATIENCE: u64 = 80_000;
/// Tokens that are looked at, at most.
const MOST_TOKENS: u64 = 20_000_000;

/// Successors of one marking between two looks at whether to go on.
const LOOK: usize = 256;

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
            colours: &found.colours,
            seen: found.colours.iter().map(|colours| vec![false; colours.len()]).collect(),
            count: 0,
            tokens: 0,
            events: 0,
            last_news: 0,
            random: 0,
        };
        walk.go(&Machine::new(net), go_on);
        (walk.is_settled() && walk.count * 2 <= places).then_some(Self(walk.seen))
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
    colours: &'a [Colours],
    seen: Vec<Vec<bool>>,
    /// How many values were seen.
    count: usize,
    tokens: u64,
    events: u64,
    /// The event that brought the last new value.
    last_news: u64,
    random: u64,
}

impl Walk<'_> {
    fn go(&mut self, machine: &Machine, go_on: &dyn Fn() -> bool) {
        let initial = machine.initial().clone();
        self.look(&initial);
        let (mut marking, mut next, mut scratch) =
            (initial.clone(), initial.clone(), Scratch::asking(Patience::asking(go_on)));
        while self.goes_on() && go_on() {
            let mut successors = 0;
            // Markings that are right lead on; where the model is wrong there is nothing to see.
            let _ = machine.successors(&marking, &mut scratch, &mut |_, successor| {
                let Ok(successor) = successor else { return ControlFlow::Continue(()) };
                self.events += 1;
                self.look(successor);
                successors += 1;
                // Each is chosen with the same chance, without keeping them all: there may be very many, and large.
                if self.chance(successors) == 0 {
                    next.clone_from(successor);
                }
                match self.goes_on() && (!successors.is_multiple_of(LOOK) || go_on()) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            if successors == 0 {
                self.events += 1;
                marking.clone_from(&initial);
            } else {
                std::mem::swap(&mut marking, &mut next);
            }
        }
    }

    /// Whether there is more to see, and time to look at it.
    fn goes_on(&self) -> bool {
        self.events < MOST_EVENTS && self.events - self.last_news < PATIENCE && self.tokens < MOST_TOKENS
    }

    /// Whether nothing new came for so long that not much more is to be expected.
    fn is_settled(&self) -> bool {
        self.events - self.last_news >= PATIENCE.min(self.events / 4)
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
                    self.last_news = self.events;
                }
            }
        }
    }
}
