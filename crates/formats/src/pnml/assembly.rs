//! Puts a net together from nodes and arcs that come in any order.

use std::collections::HashMap;

use sweepnet_colour::Sources;
use sweepnet_net::{NetBuilder, PlaceId, TransitionId};

use super::colours::{Colours, Structured};
use super::nupn::Nupn;
use super::symmetric;
use crate::error::clip;
use crate::warning::Notices;
use crate::{ErrorKind, Model, Position, ReadError};

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArcKind {
    Normal,
    Read,
    Inhibitor,
    Reset,
}

impl ArcKind {
    fn name(self) -> &'static str {
        match self {
            ArcKind::Normal => "normal",
            ArcKind::Read => "read",
            ArcKind::Inhibitor => "inhibitor",
            ArcKind::Reset => "reset",
        }
    }
}

/// An arc as written.
#[derive(Debug)]
pub(super) struct RawArc {
    pub(super) at: Position,
    pub(super) source: String,
    pub(super) target: String,
    pub(super) weight: u64,
    pub(super) kind: ArcKind,
    /// In coloured nets: the tokens.
    pub(super) inscription: Option<Structured>,
}

/// What an arc joins, once its ends are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) place: PlaceId,
    pub(super) transition: TransitionId,
    pub(super) role: Role,
}

/// What an arc is to its transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Output,
    Read,
    Inhibitor,
    Reset,
}

impl RawArc {
    /// What the arc joins, if it can.
    fn joint(&self, source: Node, target: Node) -> Result<Joint, ReadError> {
        let (place, transition, role) = match (source, target, self.kind) {
            (Node::Place(p), Node::Transition(t), ArcKind::Normal) => (p, t, Role::Input),
            (Node::Place(p), Node::Transition(t), ArcKind::Read) => (p, t, Role::Read),
            (Node::Place(p), Node::Transition(t), ArcKind::Inhibitor) => (p, t, Role::Inhibitor),
            (Node::Place(p), Node::Transition(t), ArcKind::Reset) => (p, t, Role::Reset),
            (Node::Transition(t), Node::Place(p), ArcKind::Normal) => (p, t, Role::Output),
            (Node::Transition(_), Node::Place(_), kind) => {
                let (transition, place) = (clip(&self.source), clip(&self.target));
                return Err(ErrorKind::WrongWay { arc: kind.name(), transition, place }.at(self.at));
            }
            _ => {
                let (source_id, target_id) = (clip(&self.source), clip(&self.target));
                return Err(ErrorKind::SameKind { kind: source.kind(), source_id, target_id }.at(self.at));
            }
        };
        Ok(Joint { place, transition, role })
    }
}

/// A reference node: another name for a node, so that arcs can cross pages.
#[derive(Debug)]
struct Reference {
    at: Position,
    id: String,
    target: String,
    is_place: bool,
    end: Option<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    Place(PlaceId),
    Transition(TransitionId),
}

impl Node {
    fn kind(self) -> &'static str {
        match self {
            Node::Place(_) => "place",
            Node::Transition(_) => "transition",
        }
    }
}

/// A net in the making.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) builder: NetBuilder,
    pub(super) notices: Notices,
    pub(super) nupn: Option<Nupn>,
    pub(super) colours: Colours,
    references: Vec<Reference>,
    reference_ids: HashMap<String, usize>,
    /// Arcs to nodes that were not known when the arc came by; all of them in a net that may be coloured.
    pending: Vec<RawArc>,
}

impl Assembly {
    pub(super) fn place(&mut self, id: &str, at: Position) -> Result<PlaceId, ReadError> {
        self.new_id(id, at)?;
        if !self.colours.never() {
            self.colours.places.push(at);
        }
        self.builder.place(id, 0).map_err(|e| ErrorKind::from(e).at(at))
    }

    pub(super) fn transition(&mut self, id: &str, at: Position) -> Result<TransitionId, ReadError> {
        self.new_id(id, at)?;
        if !self.colours.never() {
            self.colours.transitions.push(at);
        }
        self.builder.transition(id).map_err(|e| ErrorKind::from(e).at(at))
    }

    pub(super) fn reference(
        &mut self,
        id: &str,
        target: &str,
        is_place: bool,
        at: Position,
    ) -> Result<(), ReadError> {
        self.new_id(id, at)?;
        self.reference_ids.insert(id.to_owned(), self.references.len());
        let (id, target) = (id.to_owned(), target.to_owned());
        self.references.push(Reference { at, id, target, is_place, end: None });
        Ok(())
    }

    /// Ids are unique over all nodes, of whatever kind.
    fn new_id(&self, id: &str, at: Position) -> Result<(), ReadError> {
        match self.node(id).is_some() || self.reference_ids.contains_key(id) {
            true => Err(ErrorKind::DuplicateId(clip(id)).at(at)),
            false => Ok(()),
        }
    }

    fn node(&self, id: &str) -> Option<Node> {
        let place = self.builder.find_place(id).map(Node::Place);
        place.or_else(|| self.builder.find_transition(id).map(Node::Transition))
    }

    /// Adds an arc, now if both ends are known, else when the net is complete.
    pub(super) fn arc(&mut self, arc: RawArc) -> Result<(), ReadError> {
        match (self.node(&arc.source), self.node(&arc.target)) {
            (Some(source), Some(target)) if self.colours.never() => self.connect(&arc, source, target),
            _ => {
                self.pending.push(arc);
                Ok(())
            }
        }
    }

    fn connect(&mut self, arc: &RawArc, source: Node, target: Node) -> Result<(), ReadError> {
        let Joint { place: p, transition: t, role } = arc.joint(source, target)?;
        let builder = &mut self.builder;
        let done = match role {
            Role::Input => builder.input(t, p, arc.weight),
            Role::Output => builder.output(t, p, arc.weight),
            Role::Read => builder.read(t, p, arc.weight),
            Role::Inhibitor => builder.inhibitor(t, p, arc.weight),
            Role::Reset => builder.reset(t, p),
        };
        done.map_err(|e| ErrorKind::from(e).at(arc.at))
    }

    /// The finished net, with where its parts stand if it is coloured.
    pub(super) fn finish(mut self, at: Position) -> Result<(Model, Sources<Position>, Notices), ReadError> {
        self.resolve_references()?;
        if self.colours.are_there() {
            return self.finish_coloured(at);
        }
        self.colours.note(&mut self.notices);
        for arc in std::mem::take(&mut self.pending) {
            let source = self.end(&arc.source, arc.at)?;
            let target = self.end(&arc.target, arc.at)?;
            self.connect(&arc, source, target)?;
        }
        if let Some(nupn) = self.nupn.take().filter(|nupn| nupn.has_structure) {
            match nupn.resolve(&self.builder) {
                Ok(units) => self.builder.set_units(units),
                Err(reason) => {
                    self.notices.add(nupn.at, format!("the unit structure (NUPN) is ignored: {reason}"));
                }
            }
        }
        let net = self.builder.build().map_err(|e| ErrorKind::from(e).at(at))?;
        Ok((Model::Plain(net), Sources::default(), self.notices))
    }

    /// The finished net, if it is coloured: nodes as in any other net, with what their labels say.
    fn finish_coloured(mut self, at: Position) -> Result<(Model, Sources<Position>, Notices), ReadError> {
        let mut arcs = Vec::with_capacity(self.pending.len());
        for arc in std::mem::take(&mut self.pending) {
            let joint = arc.joint(self.end(&arc.source, arc.at)?, self.end(&arc.target, arc.at)?)?;
            arcs.push((joint, arc));
        }
        if let Some(nupn) = self.nupn.take().filter(|nupn| nupn.has_structure) {
            self.notices.add(nupn.at, "the unit structure (NUPN) is ignored: the net is coloured");
        }
        let nodes = self.builder.build().map_err(|e| ErrorKind::from(e).at(at))?;
        let (net, sources) = symmetric::build(&nodes, &self.colours, &arcs)?;
        Ok((Model::Coloured(Box::new(net)), sources, self.notices))
    }

    /// The node that an arc's end names, through references.
    fn end(&self, id: &str, at: Position) -> Result<Node, ReadError> {
        let node = self.node(id).or_else(|| self.references[*self.reference_ids.get(id)?].end);
        node.ok_or_else(|| ErrorKind::UnknownNode(clip(id)).at(at))
    }

    /// Follows every chain of references once, so that long chains cost no more than short ones.
    fn resolve_references(&mut self) -> Result<(), ReadError> {
        let mut on_chain = vec![false; self.references.len()];
        let mut chain = Vec::new();
        for start in 0..self.references.len() {
            let mut i = start;
            let end = loop {
                let reference = &self.references[i];
                if let Some(end) = reference.end {
                    break end;
                }
                if std::mem::replace(&mut on_chain[i], true) {
                    return Err(ErrorKind::ReferenceCycle(clip(&reference.id)).at(reference.at));
                }
                chain.push(i);
                if let Some(end) = self.node(&reference.target) {
                    break end;
                }
                i = *self.reference_ids.get(&reference.target).ok_or_else(|| {
                    let (id, target) = (clip(&reference.id), clip(&reference.target));
                    ErrorKind::DanglingReference { id, target }.at(reference.at)
                })?;
            };
            for i in chain.drain(..) {
                let reference = &mut self.references[i];
                let expected = if reference.is_place { "place" } else { "transition" };
                if end.kind() != expected {
                    let id = clip(&reference.id);
                    return Err(ErrorKind::ReferenceKind { id, found: end.kind(), expected }.at(reference.at));
                }
                reference.end = Some(end);
            }
        }
        Ok(())
    }
}
