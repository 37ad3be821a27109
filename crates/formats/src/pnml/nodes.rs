//! Pages, nodes, arcs and units: what their elements open, and what closing them adds to the net.

use quick_xml::events::BytesStart;

use super::assembly::{ArcKind, RawArc};
use super::attributes::attributes;
use super::colours::Structured;
use super::dialect::{arc_kind, required};
use super::inside::{Inside, Referred};
use super::nupn::{Nupn, RawUnit};
use super::reader::Reader;
use crate::error::clip;
use crate::{ErrorKind, Position, ReadError};

impl Reader<'_> {
    /// What an element opens; nothing if it is to be skipped.
    pub(super) fn open(&mut self, tag: &BytesStart<'_>, at: Position) -> Result<Option<Inside>, ReadError> {
        let element = tag.local_name().into_inner();
        let Some(&inside) = self.stack.last() else { return self.open_root(element, at).map(Some) };
        if let Some(label) = inside.label(element) {
            self.text = None;
            return Ok(Some(Inside::Label(label)));
        }
        if let Some(label) = inside.structured_label(element)
            && self.assembly().colours.may_have(label)
        {
            self.text = None;
            self.structured = Structured { at, structure: None };
            return Ok(Some(Inside::Label(label)));
        }
        let opened = match (inside, element) {
            (Inside::Pnml, "net") => return self.open_net(tag, at),
            (Inside::Net | Inside::Page, "page") => Inside::Page,
            (Inside::Net | Inside::Page, "place") => {
                self.outside_page(inside, at);
                let [id, marking] = attributes(tag, ["id", "initialMarking"], at)?;
                let id = required(id, "place", "id", "a name that no other node has", at)?;
                let place = self.assembly().place(&id, at)?;
                self.owner = id;
                if let Some(marking) = marking {
                    *self.assembly().builder.initial_mut(place) = self.marking(&marking, at)?;
                }
                Inside::Place(place)
            }
            (Inside::Net | Inside::Page, "transition") => {
                self.outside_page(inside, at);
                let [id, guard] = attributes(tag, ["id", "guard"], at)?;
                if guard.is_some_and(|guard| !guard.is_empty()) {
                    self.note(at, "the guard of a transition is ignored: it may fire more often".to_owned());
                }
                let id = required(id, "transition", "id", "a name that no other node has", at)?;
                Inside::Transition(self.assembly().transition(&id, at)?)
            }
            (Inside::Net | Inside::Page, "referencePlace" | "referenceTransition") => {
                let is_place = element == "referencePlace";
                let referred = if is_place { Referred::Place } else { Referred::Transition };
                let element = referred.name();
                let [id, target] = attributes(tag, ["id", "ref"], at)?;
                let id = required(id, element, "id", "a name that no other node has", at)?;
                let target = required(target, element, "ref", "the id of the node it stands for", at)?;
                self.assembly().reference(&id, &target, is_place, at)?;
                Inside::Reference(referred)
            }
            (Inside::Net | Inside::Page, "arc") => {
                self.outside_page(inside, at);
                self.open_arc(tag, at)?;
                Inside::Arc
            }
            (Inside::Arc, "type") => {
                let [value] = attributes(tag, ["value"], at)?;
                if let (Some(value), Some(arc)) = (value, &mut self.arc) {
                    arc.kind = arc_kind(&value, at)?;
                }
                return Ok(None);
            }
            (Inside::Label(_), "text" | "value") => {
                self.text = Some(String::new());
                self.text_at = at;
                Inside::Text
            }
            (Inside::Label(label), "structure") if label.is_structured() => {
                if self.structured.structure.is_some() {
                    let expected = format!("one in <{}>", label.name());
                    return Err(ErrorKind::unexpected("a second <structure>", expected).at(at));
                }
                self.assembly().colours.seen = true;
                self.growing.open(tag, at)?;
                Inside::Tree
            }
            (Inside::Tree, _) => {
                self.growing.open(tag, at)?;
                Inside::Tree
            }
            (Inside::Net | Inside::Page, "toolspecific") => return self.open_toolspecific(tag, at),
            (Inside::Nupn, "structure") => {
                let [root, safe] = attributes(tag, ["root", "safe"], at)?;
                if let Some(nupn) = &mut self.assembly().nupn {
                    nupn.has_structure = true;
                    nupn.root = root.unwrap_or_default().into_owned();
                    nupn.safe = safe.as_deref() == Some("true");
                }
                Inside::Structure
            }
            (Inside::Structure, "unit") => {
                let [id] = attributes(tag, ["id"], at)?;
                let unit = RawUnit { id: id.unwrap_or_default().into_owned(), ..RawUnit::default() };
                if let Some(nupn) = &mut self.assembly().nupn {
                    nupn.units.push(unit);
                }
                Inside::Unit
            }
            (Inside::Unit, "places" | "subunits") => {
                self.text = Some(String::new());
                self.text_at = at;
                if element == "places" { Inside::UnitPlaces } else { Inside::Subunits }
            }
            _ if Inside::is_coloured(element) => {
                let shown = format!("<{element}>");
                if self.assembly().colours.never() {
                    return Err(ErrorKind::Coloured(shown).at(at));
                }
                let expected = "markings in places, inscriptions in arcs, conditions in transitions";
                return Err(ErrorKind::unexpected(format!("{shown} in <{}>", inside.name()), expected).at(at));
            }
            _ => {
                if !inside.is_harmless(element) {
                    let message = format!(
                        "<{}> in <{}> is not understood and is ignored",
                        clip(element),
                        inside.name()
                    );
                    self.note(at, message);
                }
                return Ok(None);
            }
        };
        Ok(Some(opened))
    }

    fn open_arc(&mut self, tag: &BytesStart<'_>, at: Position) -> Result<(), ReadError> {
        let names = ["id", "source", "target", "type", "weight", "inscription"];
        let [id, source, target, kind, weight, inscription] = attributes(tag, names, at)?;
        let source = required(source, "arc", "source", "the id of the node where it starts", at)?;
        let target = required(target, "arc", "target", "the id of the node where it ends", at)?;
        self.owner = id.map_or_else(
            || format!("from '{}' to '{}'", clip(&source), clip(&target)),
            |id| format!("'{}'", clip(&id)),
        );
        let kind = kind.map_or(Ok(ArcKind::Normal), |kind| arc_kind(&kind, at))?;
        // Some tools give the weight as an attribute.
        let weight = weight.or(inscription).map_or(Ok(1), |weight| self.weight(&weight, at))?;
        self.arc = Some(RawArc { at, source, target, weight, kind, inscription: None });
        Ok(())
    }

    fn open_toolspecific(&mut self, tag: &BytesStart<'_>, at: Position) -> Result<Option<Inside>, ReadError> {
        let [tool] = attributes(tag, ["tool"], at)?;
        if tool.as_deref() != Some("nupn") {
            return Ok(None);
        }
        if self.assembly().nupn.is_some() {
            self.note(at, "a second unit structure (NUPN) is ignored".to_owned());
            return Ok(None);
        }
        self.assembly().nupn = Some(Nupn::new(at));
        Ok(Some(Inside::Nupn))
    }

    pub(super) fn close(&mut self, closed: Option<Inside>, at: Position) -> Result<(), ReadError> {
        match closed {
            Some(Inside::Tree) => {
                if let Some(root) = self.growing.close() {
                    self.structured.structure = Some(root);
                }
                Ok(())
            }
            Some(Inside::Label(label)) if label.is_structured() => self.close_structured(label),
            Some(Inside::Label(label)) => self.close_label(label),
            Some(Inside::Arc) => match self.arc.take() {
                Some(arc) => self.assembly().arc(arc),
                None => Ok(()),
            },
            Some(list @ (Inside::UnitPlaces | Inside::Subunits)) => {
                let text = self.text.take().unwrap_or_default();
                if let Some(unit) = self.assembly().nupn.as_mut().and_then(|nupn| nupn.units.last_mut()) {
                    let ids = if list == Inside::UnitPlaces { &mut unit.places } else { &mut unit.subunits };
                    *ids = text;
                }
                Ok(())
            }
            Some(Inside::Net) => self.close_net(at),
            _ => Ok(()),
        }
    }

    fn outside_page(&mut self, inside: Inside, at: Position) {
        if inside == Inside::Net {
            self.note(at, "a node or arc is outside of any <page>; it is read all the same".to_owned());
        }
    }
}
