//! What the tests and benchmarks of all rooms share.
//!
//! [`naive`] is the twin of every clever explorer: a hash map of markings, too simple to be wrong. [`random`]
//! makes nets from seeds, [`nets`] builds families of nets from the literature, and [`shared`] finds the
//! collection of real nets with known answers that lies beside a checkout.

pub mod naive;
pub mod nets;
pub mod random;
pub mod shared;
