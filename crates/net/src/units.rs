//! Unit structure of nested-unit Petri nets (NUPN): a tree of units, each owning places of which, when the
//! file's claim `safe` is true, at most one is marked at a time within a unit and its ancestors.
//! The claim is a hint: nothing in this project believes it unverified.

use crate::PlaceId;

/// One unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name in the file.
    pub id: Box<str>,
    /// The places it owns itself.
    pub places: Vec<PlaceId>,
    /// Positions of its direct subunits.
    pub subunits: Vec<usize>,
}

/// A tree of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
    /// Whether the file claims that the net is unit-safe.
    pub safe: bool,
    /// The position of the root.
    pub root: usize,
    /// All units.
    pub units: Vec<Unit>,
}
