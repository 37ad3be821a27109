//! Observers that write the reachability graph: [`aut`] for the tools of process algebra, [`json`] for scripts,
//! [`dot`] for drawings.

mod aut;
mod components;
mod dot;
mod json;

use sweepnet_graph::Builder;
use sweepnet_net::{Marking, TransitionId};
use sweepnet_space::{Observer, StateId, View};

/// Whatever makes a file of a graph.
pub trait Recorder: Send {
    /// A new state.
    fn state(&mut self, id: StateId, marking: &dyn Fn() -> Marking) {
        let _ = (id, marking);
    }

    /// An arc.
    fn arc(&mut self, source: StateId, event: TransitionId, target: StateId);

    /// All arcs of a state have been told.
    fn complete(&mut self, id: StateId, marking: &dyn Fn() -> Marking, successors: u64) {
        let _ = (id, marking, successors);
    }

    /// Whether there is no use in going on.
    fn has_failed(&self) -> bool;
}

/// Lets one of them watch a search.
pub struct Recording<'a>(pub &'a mut dyn Recorder);

impl Observer for Recording<'_> {
    fn wants_edges(&self) -> bool {
        true
    }

    fn discovered(&mut self, state: &View<'_>) -> bool {
        self.0.state(state.id, &|| state.marking());
        false
    }

    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.0.arc(source, event, target);
    }

    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        self.0.complete(state.id, &|| state.marking(), successors);
        false
    }

    fn has_failed(&self) -> bool {
        self.0.has_failed()
    }

    fn is_done(&self) -> bool {
        self.0.has_failed()
    }
}

/// The condensed graph.
impl Recorder for Builder {
    fn arc(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.edge(source.0, event.index() as u32, target.0);
    }

    fn complete(&mut self, id: StateId, _: &dyn Fn() -> Marking, _: u64) {
        self.expanded(id.0);
    }

    fn has_failed(&self) -> bool {
        self.is_refused()
    }
}

pub use aut::AutWriter;
pub use dot::{DotCollector, Drawn};
pub use json::JsonWriter;
