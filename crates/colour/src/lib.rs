//! What a coloured net is: types, values, terms, and the net itself; how its terms are evaluated and its bindings
//! found; and the place/transition net that it stands for.

mod abbreviation;
pub mod binding;
pub mod compile;
pub mod derive;
pub mod eval;
pub mod fault;
pub mod frame;
mod growth;
pub mod machine;
pub mod marking;
pub mod names;
pub mod net;
pub mod patience;
pub mod pattern;
pub mod sources;
pub mod term;
pub mod tokens;
pub mod types;
pub mod unfold;
pub mod value;

pub use fault::Fault;
pub use frame::{Frame, World};
pub use machine::{Event, Machine, ModelError};
pub use marking::Marking;
pub use net::{Arc, Closed, ColouredNet, Place, Progress, Transition, Variable};
pub use patience::Patience;
pub use sources::Sources;
pub use term::{Bag, Node, Sort, Term};
pub use tokens::Tokens;
pub use types::{Shape, TypeError, TypeId, Types};
pub use unfold::{UnfoldError, Unfolding};
pub use value::Value;
