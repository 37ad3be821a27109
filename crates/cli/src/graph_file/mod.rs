//! Observers that write the reachability graph: [`aut`] for the tools of process algebra, [`json`] for scripts,
//! [`dot`] for drawings.

mod aut;
mod components;
mod dot;
mod json;

pub use aut::AutWriter;
pub use dot::DotCollector;
pub use json::JsonWriter;
