//! What only coloured nets have: labels whose meaning is a tree. They are kept until the net is complete, because
//! declarations may come last.

use std::collections::BTreeMap;

use sweepnet_net::{PlaceId, TransitionId};

use super::inside::{Inside, Label};
use super::reader::Reader;
use super::tree::Element;
use crate::warning::Notices;
use crate::{ErrorKind, Position, ReadError};

/// A label that means something by its `<structure>`; whatever its text says.
#[derive(Debug)]
pub(super) struct Structured {
    /// Where the label is.
    pub(super) at: Position,
    pub(super) structure: Option<Element>,
}

/// Whether a net is coloured, by its type.
#[derive(Debug, Default)]
pub(super) enum Colouring {
    /// It says that it is not.
    #[default]
    Never,
    /// Its type is not known; it is if it has structured labels.
    Perhaps {
        /// Where the net begins.
        at: Position,
        /// What to say if it has none.
        otherwise: String,
    },
    /// It says that it is.
    Always,
}

/// The structured labels of a net.
#[derive(Debug, Default)]
pub(super) struct Colours {
    pub(super) kind: Colouring,
    /// Whether there was a `<structure>`, or a label that only coloured nets have.
    pub(super) seen: bool,
    /// Where each place is.
    pub(super) places: Vec<Position>,
    /// Where each transition is.
    pub(super) transitions: Vec<Position>,
    pub(super) declarations: Vec<Element>,
    pub(super) sorts: BTreeMap<PlaceId, Structured>,
    pub(super) markings: BTreeMap<PlaceId, Structured>,
    pub(super) conditions: BTreeMap<TransitionId, Structured>,
}

impl Colours {
    /// Whether the net is plain, whatever comes.
    pub(super) fn never(&self) -> bool {
        matches!(self.kind, Colouring::Never)
    }

    /// Whether the net is coloured, as far as it was read.
    pub(super) fn are_there(&self) -> bool {
        match self.kind {
            Colouring::Never => false,
            Colouring::Perhaps { .. } => self.seen,
            Colouring::Always => true,
        }
    }

    /// Whether this label is read in this net; seeing one that only coloured nets have makes it one.
    pub(super) fn may_have(&mut self, label: Label) -> bool {
        self.seen |= !matches!(label, Label::Declaration | Label::Sort);
        !self.never()
    }

    /// Tells that a net of an unknown type was read as a plain one.
    pub(super) fn note(&self, notices: &mut Notices) {
        if let Colouring::Perhaps { at, otherwise } = &self.kind {
            notices.add(*at, otherwise.as_str());
        }
    }
}

impl Structured {
    /// The only element of its structure.
    pub(super) fn content(&self, label: Label) -> Result<&Element, ReadError> {
        match &self.structure {
            Some(structure) => structure.only("one term or sort"),
            None => Err(ErrorKind::NoStructure(label.name()).at(self.at)),
        }
    }
}

impl Reader<'_> {
    pub(super) fn close_structured(&mut self, label: Label) -> Result<(), ReadError> {
        self.text = None;
        let at = self.structured.at;
        let closed = Structured { at, structure: self.structured.structure.take() };
        let owner = self.stack.last().copied();
        if closed.structure.is_none() && !self.assembly().colours.are_there() {
            let inside = owner.map_or("net", Inside::name);
            self.note(at, format!("<{}> in <{inside}> is not understood and is ignored", label.name()));
            return Ok(());
        }
        let colours = &mut self.assembly().colours;
        let before = match (label, owner) {
            (Label::Declaration, _) => {
                match closed.structure {
                    Some(structure) => colours.declarations.push(structure),
                    None => return Err(ErrorKind::NoStructure(label.name()).at(at)),
                }
                None
            }
            (Label::Sort, Some(Inside::Place(place))) => colours.sorts.insert(place, closed),
            (Label::Tokens, Some(Inside::Place(place))) => colours.markings.insert(place, closed),
            (Label::Condition, Some(Inside::Transition(transition))) => {
                colours.conditions.insert(transition, closed)
            }
            (Label::Flow, _) => self.arc.as_mut().and_then(|arc| arc.inscription.replace(closed)),
            _ => None,
        };
        match before {
            Some(_) => {
                let found = format!("a second <{}>", label.name());
                Err(ErrorKind::unexpected(found, "only one").at(at))
            }
            None => Ok(()),
        }
    }
}
