//! A net as a product of small automata: the fast path for place/transition nets.
//!
//! [`complements`] are places that need not be kept, [`partition`] divides the others into components, [`leaf`] is the net as one component sees it, [`tables`] and
//! [`automata`] number local markings and remember what can happen in each, [`radix`] makes one number of a tuple, and
//! [`Expanding`] finds the successors of such numbers, a [`Lot`] of them at a time, by look-ups alone.

pub mod automata;
pub mod commuting;
pub mod complements;
pub mod engine;
mod expanding;
pub mod exploration;
mod found;
mod growth;
pub mod leaf;
mod lot;
mod moving;
mod order_of_digits;
mod packing;
pub mod partition;
pub mod passing;
mod producers;
pub mod radix;
mod recoding;
mod renumbering;
pub mod run;
mod second_thoughts;
mod stage;
mod stepping;
mod suiting;
pub mod system;
pub mod tables;
mod turning;

pub use automata::{Automata, Given, Stuck};
pub use engine::ProductEngine;
pub use expanding::Expanding;
pub use lot::{Lot, MOST_SUCCESSORS};
pub use radix::Radix;
pub use system::Product;
