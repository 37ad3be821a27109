//! The project's own chores. The tests use some of them on small inputs; `cargo xtask` runs them on large ones.

pub mod answers;
pub mod bench;
pub mod bits;
pub mod counts;
pub mod domains;
pub mod instructions;
pub mod rounds;
pub mod sweep;
pub mod unfolding;
pub mod width;
pub mod window;
