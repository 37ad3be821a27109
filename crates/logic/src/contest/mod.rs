//! The property XML of the Model Checking Contest.
//!
//! A file holds a set of properties, each with an id and a formula, which become [`Property`]s. What can be
//! said in the contest's language but not asked here, such as formulas that are neither of branching nor of
//! linear time, is named as unsupported, so that it spoils nothing but itself. What is no formula at all is
//! an error of the file.
//!
//! The file is read as a stream by `document`; `formula` gives each element its meaning, and `temporal` those
//! that are about paths.

mod document;
mod formula;
mod lines;
mod temporal;

pub use document::read_properties;
pub use lines::Position;

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use sweepnet_net::{Net, PlaceId, TransitionId};
use thiserror::Error;

use crate::property::Property;

/// A property of a contest file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestProperty {
    /// The id under which its verdict is reported.
    pub id: String,
    /// What the file says about it.
    pub description: String,
    /// What it asks, if that can be asked here.
    pub property: Result<Property, Unsupported>,
}

/// A formula that can be read but not decided.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is not supported by this version")]
pub struct Unsupported(
    /// The operator, or combination of operators, that is the reason.
    pub String,
);

/// Why a file cannot be read.
#[derive(Debug, Error)]
pub enum ContestError {
    /// Reading fails.
    #[error("{position}: {source}")]
    Io {
        /// Where.
        position: Position,
        /// Why.
        source: io::Error,
    },
    /// It is not XML.
    #[error("{position}: this is not well-formed XML: {reason}")]
    Xml {
        /// Where.
        position: Position,
        /// Why.
        reason: String,
    },
    /// It is XML, but no set of properties.
    #[error("{position}: {reason}")]
    Meaning {
        /// Where.
        position: Position,
        /// What is wrong.
        reason: String,
    },
}

/// The nodes that the names of a contest file stand for. In a place/transition net each name is one node;
/// where the net is the unfolding of a coloured one, a name stands for all its copies (`tokens-count` adds
/// them up, `is-fireable` asks for any).
pub trait Nodes {
    /// The places, or nothing if the name is unknown.
    fn places(&self, name: &str) -> Option<Vec<PlaceId>>;
    /// The transitions, or nothing if the name is unknown.
    fn transitions(&self, name: &str) -> Option<Vec<TransitionId>>;
}

/// The same, with one list for each name of a transition, however often a file says it.
struct Lists<'a> {
    nodes: &'a dyn Nodes,
    transitions: HashMap<String, Arc<[TransitionId]>>,
}

impl Lists<'_> {
    fn transitions(&mut self, name: &str) -> Option<Arc<[TransitionId]>> {
        if let Some(known) = self.transitions.get(name) {
            return Some(known.clone());
        }
        let found: Arc<[TransitionId]> = self.nodes.transitions(name)?.into();
        self.transitions.insert(name.to_owned(), found.clone());
        Some(found)
    }
}

impl Nodes for Net {
    fn places(&self, name: &str) -> Option<Vec<PlaceId>> {
        match self.folding() {
            Some(folding) => folding.places_of(name).map(Iterator::collect),
            None => self.find_place(name).map(|place| vec![place]),
        }
    }

    fn transitions(&self, name: &str) -> Option<Vec<TransitionId>> {
        match self.folding() {
            Some(folding) => folding.transitions_of(name).map(Iterator::collect),
            None => self.find_transition(name).map(|transition| vec![transition]),
        }
    }
}
