//! Markings: what each place holds, and when.

use crate::fault::Fault;
use crate::net::ColouredNet;
use crate::tokens::Tokens;

/// A marking. The tokens of timed places have one more word: how long from now they are not ready, 0 if they are. So
/// tokens that are ready are alike, whenever they came.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Marking {
    /// The tokens of each place.
    pub places: Vec<Tokens>,
    /// The time; 0 for ever in nets that never speak of it.
    pub clock: i64,
}

impl Clone for Marking {
    fn clone(&self) -> Self {
        Self { places: self.places.clone(), clock: self.clock }
    }

    /// Keeps the memory it has.
    fn clone_from(&mut self, other: &Self) {
        self.places.clone_from(&other.places);
        self.clock = other.clock;
    }
}

impl Marking {
    /// The initial marking of a net. All its tokens are ready.
    pub fn initial(net: &ColouredNet) -> Self {
        let tokens = |place: &crate::net::Place| {
            let width = net.types.width(place.type_);
            let mut tokens = Tokens::new(width + usize::from(place.timed));
            let mut words = Vec::with_capacity(width + 1);
            for (value, count) in &place.initial {
                words.clear();
                words.extend_from_slice(value);
                if place.timed {
                    words.push(0);
                }
                tokens.push_last(&words, *count);
            }
            tokens
        };
        Self { places: net.places.iter().map(tokens).collect(), clock: 0 }
    }

    /// Moves the clock on: what is not ready becomes so sooner.
    pub fn advance(&mut self, by: u64, timed: &[bool]) -> Result<(), Fault> {
        for (tokens, _) in self.places.iter_mut().zip(timed).filter(|(_, timed)| **timed) {
            let mut moved = Tokens::new(tokens.width());
            let mut words = Vec::with_capacity(tokens.width());
            for (value, count) in tokens.iter() {
                words.clear();
                words.extend_from_slice(value);
                if let Some(wait) = words.last_mut() {
                    *wait = wait.saturating_sub(by);
                }
                moved.add(&words, count)?;
            }
            *tokens = moved;
        }
        Ok(())
    }

    /// The times until tokens become ready that are not, in order, each once.
    pub fn waits(&self, timed: &[bool]) -> Vec<u64> {
        let places = self.places.iter().zip(timed).filter(|(_, timed)| **timed);
        let waits =
            places.flat_map(|(tokens, _)| tokens.iter().filter_map(|(value, _)| value.last().copied()));
        let mut waits: Vec<u64> = waits.filter(|wait| *wait > 0).collect();
        waits.sort_unstable();
        waits.dedup();
        waits
    }
}
