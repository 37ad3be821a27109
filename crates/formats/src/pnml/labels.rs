//! Labels: names, markings, inscriptions, and those that mean something this project has no notion of.

use super::attributes::trim;
use super::dialect::{arc_kind, uncoloured};
use super::inside::{Inside, Label};
use super::reader::Reader;
use crate::error::clip;
use crate::{Position, ReadError, number};

impl Reader<'_> {
    pub(super) fn close_label(&mut self, label: Label) -> Result<(), ReadError> {
        let Some(text) = self.text.take() else { return Ok(()) };
        let text = trim(&text);
        let at = self.text_at;
        let owner = self.stack.last().copied();
        match (label, owner) {
            (Label::Name, Some(Inside::Net)) => {
                if let Some(candidate) = &mut self.candidate {
                    candidate.name = Some(text.to_owned());
                }
            }
            (Label::Name, Some(Inside::Place(place))) if !text.is_empty() => {
                self.assembly().builder.label_place(place, text);
            }
            (Label::Name, Some(Inside::Transition(transition))) if !text.is_empty() => {
                self.assembly().builder.label_transition(transition, text);
            }
            (Label::InitialMarking, Some(Inside::Place(place))) => {
                if text.is_empty() {
                    self.note(at, "an empty initial marking is taken as 0".to_owned());
                } else {
                    *self.assembly().builder.initial_mut(place) = self.marking(text, at)?;
                }
            }
            (Label::Inscription, _) => {
                if text.is_empty() {
                    self.note(at, "an empty inscription is taken as 1".to_owned());
                } else {
                    let weight = self.weight(text, at)?;
                    if let Some(arc) = &mut self.arc {
                        arc.weight = weight;
                    }
                }
            }
            (Label::ArcType, _) => {
                if let Some(arc) = &mut self.arc {
                    arc.kind = arc_kind(text, at)?;
                }
            }
            (Label::Capacity, _) if !matches!(text, "" | "0") => {
                self.note(
                    at,
                    "the capacity of a place is ignored: it may hold any number of tokens".to_owned(),
                );
            }
            (Label::Timed, _) if text == "true" => {
                self.note(at, "timing is ignored: the net is read without time".to_owned());
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn marking(&self, text: &str, at: Position) -> Result<u64, ReadError> {
        let what = || format!("the initial marking of place '{}'", clip(&self.owner));
        number::parse(uncoloured(text).map_err(|e| e.at(at))?, what).map_err(|e| e.at(at))
    }

    pub(super) fn weight(&self, text: &str, at: Position) -> Result<u64, ReadError> {
        let what = || format!("the weight of the arc {}", self.owner);
        number::parse_weight(uncoloured(text).map_err(|e| e.at(at))?, what).map_err(|e| e.at(at))
    }
}
