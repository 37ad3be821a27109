//! What the tests and benchmarks of all rooms share.
//!
//! [`naive`] is the twin of every clever explorer: a hash map of markings, too simple to be wrong; [`coloured_twin`]
//! is that of those on coloured nets. [`random`] and [`random_coloured`] make nets from seeds, and [`seeds`] says which
//! seeds to try. [`nets`] and [`coloured_nets`] build families of nets from the literature, [`shared`] finds the
//! collection of real nets with known answers that lies beside a checkout, and [`messages`] finds the messages that no
//! test shows.

pub mod coloured_nets;
pub mod coloured_twin;
pub mod messages;
pub mod naive;
pub mod nets;
pub mod random;
pub mod random_coloured;
pub mod seeds;
pub mod shared;
pub mod window_figures;
