//! How the states of a system are encoded, kept and visited.
//!
//! Four small traits are the joints of this room; everything else hangs on them:
//!
//! * [`System`]: where a system starts and how it steps;
//! * [`Codec`]: a bijection between its states and short bit strings, the *keys*;
//! * [`Store`]: the set of keys seen so far, each with a number, the [`StateId`];
//! * [`Observer`]: whoever watches a search go by.
//!
//! A search ([`search`]) is generic over the first three, so that the compiler makes one specialised inner loop of
//! each combination; the choice, made once per run by [`explore()`], is dynamic, and so are calls to an observer, for
//! which alone no search is compiled anew. Searches can be paused and resumed: when a state outgrows the encoding, the
//! search steps aside, the engine re-encodes what is stored, and the search goes on where it was.
//!
//! Large state spaces take another way: the [`product`] of a net's components has states as numbers, their ranks, which
//! are kept in a [`set`] without numbers of their own and visited by several threads ([`search::levels`]).
//!
//! Coloured nets whose unfolding is too large, or that have none, are searched as they are: see [`coloured`].
//!
//! Read [`system`], [`codec`], [`store`] and [`observer`], then [`search`], then [`mod@explore`]. [`budget`] and
//! [`control`] keep a run within what the user allows, [`program`] keeps the program itself small; [`parents`], [`trace`] and [`growth`] find paths. [`set`] has
//! exact sets of states that are numbers.

pub mod budget;
pub mod codec;
pub mod coloured;
pub mod control;
pub mod digits;
pub mod divisible;
pub mod explore;
pub mod growth;
mod hashing;
pub mod observer;
pub mod parents;
pub mod plan;
pub mod product;
pub mod program;
pub mod progress;
pub mod report;
pub mod search;
pub mod set;
pub mod statistics;
pub mod store;
mod sync;
pub mod system;
pub mod trace;

pub use budget::Budget;
pub use codec::Codec;
pub use control::{Control, Limits, Progress, StopReason, Watch};
pub use explore::explore;
pub use growth::Pump;
pub use observer::{Observer, Shown, Sight, View};
pub use plan::{CodecChoice, Plan, SearchChoice, StoreChoice, SweepPaths, SweepPlan, WindowPlan};
pub use report::{Components, Report, Swept, Windowed};
pub use statistics::Statistics;
pub use store::{Full, Inserted, Keys, StateId, Store};
pub use system::{Lacking, Numbering, Outgrown, System};
pub use trace::Trace;
