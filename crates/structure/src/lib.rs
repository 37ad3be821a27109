//! What is known of a net without exploring it.
//!
//! Some facts follow from the arcs alone: weighted sums of tokens that no firing changes, bounds on the tokens
//! of a place, transitions that can never fire, places that need not be stored or tested, the classes a net
//! belongs to. They decide how markings are encoded before the first one is reached, so a wrong fact would be
//! a silent wrong answer: everything here is proven in exact integers, and a limit or an overflow can only make
//! an answer less complete, never false. Limits are counts, not seconds: answers do not depend on the machine.
//!
//! Read [`incidence`] (what firing does, on a [`sparse`] matrix) and [`semiflows`] (what it preserves), with
//! [`farkas`] for how those are found and `repair` for what is tried when there are too many; whether all cycles
//! are sums of the minimal ones is told by [`mod@integrality`], from the [`hilbert`] basis if need be. Then
//! [`certificate`] and [`bounds`]: proofs of how many tokens a place can hold, with [`dead`] for transitions
//! that never fire, `relaxation` for guesses from linear programming where `attained` does not show that there is nothing
//! to gain, and [`sum_bound`] for sums over places.
//! [`determined`] (from `flows`, invariants of either sign) and [`implicit`] tell which places can be left out,
//! and in what sense; [`class`] sorts the net into the textbooks' classes.
//! [`siphons`] (and traps) stay empty (and marked), from which [`commoner`] draws conclusions.
//! [`invariants`] are bases of all integer solutions, [`properties`] tells conservative from repetitive nets, and
//! [`state_equation`] which markings cannot be reached. [`progress`] finds what seldom falls.
//! [`analysis`] bundles what an exploration needs; [`effort`] says how hard to try.

pub mod analysis;
mod attained;
pub mod bounds;
pub mod certificate;
pub mod class;
pub mod commoner;
pub mod dead;
pub mod determined;
pub mod effort;
pub mod entries;
pub mod farkas;
mod flows;
mod graph;
pub mod hilbert;
pub mod implicit;
pub mod incidence;
pub mod integrality;
pub mod invariants;
mod lattice;
pub mod progress;
pub mod properties;
mod relaxation;
mod repair;
pub mod semiflows;
pub mod siphons;
pub mod sparse;
pub mod state_equation;
pub mod sum_bound;

pub use analysis::Structure;
pub use bounds::{Bounds, Why, place_bounds};
pub use certificate::Certificate;
pub use class::{Class, is_conservative, is_consistent};
pub use commoner::Siphons;
pub use dead::dead_transitions;
pub use determined::{Determined, determined_places};
pub use effort::{Effort, GoOn, Stop};
pub use farkas::Limit;
pub use hilbert::hilbert_basis;
pub use implicit::{Implicit, Reason, implicit_places};
pub use incidence::Incidence;
pub use integrality::{Integrality, integrality};
pub use properties::Properties;
pub use semiflows::{Semiflow, Semiflows, place_semiflows, transition_semiflows, transition_semiflows_while};
