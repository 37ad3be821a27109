//! Whole reachability graphs, as numbers.
//!
//! A *condensed graph* (see `docs/internals/condensed-graph.md`) keeps which node leads where by which event,
//! in a few bits per edge, and no markings: they are rebuilt by firing while the graph is [walked](walk()).
//! On it, questions about the whole graph are answered without exploring again: [shortest paths](path()),
//! [components](Components), [predecessors](Reverse), [figures](Figures). It can be [saved](Graph::write) and
//! [opened](Graph::open) later, mapped into memory.
//!
//! A [`Builder`] watches any search and makes a [`Graph`]; [`Reader`]s give the edges of its nodes.
//!
//! Read `block` for how edges are written, `builder` and `renumber` for how a graph comes about, and `file`
//! for how it is saved.

mod bits;
mod block;
mod builder;
mod components;
mod figures;
mod file;
mod fingerprint;
mod graph;
mod mapped;
mod offsets;
mod order;
mod packed;
mod path;
mod reader;
mod renumber;
mod replay;
mod reverse;
mod source_component;
mod walk;
mod words;

pub use builder::{Builder, Numbering};
pub use components::Components;
pub use figures::Figures;
pub use file::FileError;
pub use fingerprint::fingerprint;
pub use graph::{Description, Edge, Graph};
pub use packed::Packed;
pub use path::path;
pub use reader::Reader;
pub use replay::replay;
pub use reverse::Reverse;
pub use walk::{WalkError, walk};
