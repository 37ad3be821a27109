//! What a Petri net is: places, transitions, the arcs between them, and the firing rule.
//!
//! This room knows nothing of files, storage or search; everything else in the project speaks its words.
//! Read [`ids`] and [`arcs`] for the vocabulary, then [`net`] for the net itself, [`builder`] for how one is
//! put together (and what is refused), [`firing`] for the token game on plain markings, and [`units`] for
//! the unit structure (NUPN) that some files carry, [`folding`] for what an unfolded net was before.

pub mod arcs;
pub mod builder;
pub mod firing;
pub mod folding;
pub mod ids;
pub mod net;
pub mod units;

pub use arcs::{Arc, Arcs};
pub use builder::{BuildError, NetBuilder};
pub use firing::{FireError, Marking};
pub use folding::{Fold, Folding};
pub use ids::{PlaceId, TransitionId};
pub use net::{Net, Place, Transition};
pub use units::{Unit, Units};
