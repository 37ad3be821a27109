//! What the nodes of an unfolded net stand for in the coloured net that it comes from.
//!
//! A place of the coloured net becomes one place for each value that it may hold, a transition one for each binding.
//! Questions about the coloured net are about all of them together, and the values tell which places belong together.

use std::ops::Range;

use crate::{Net, PlaceId, TransitionId};

/// A node of the coloured net, and the nodes that it became: consecutive ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The name by which files and formulas refer to it.
    pub id: Box<str>,
    /// A name for people where it differs from the id.
    pub label: Option<Box<str>>,
    /// The positions of its instances.
    pub instances: Range<usize>,
}

/// The coloured net behind an unfolded one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folding {
    /// Its places.
    pub places: Vec<Fold>,
    /// Its transitions.
    pub transitions: Vec<Fold>,
    /// Ways to put the places into groups of one colour, each with the name of the colour's type. Each place is in one
    /// group; those without such a colour are in the last.
    pub groupings: Vec<(Box<str>, Vec<Vec<PlaceId>>)>,
}

impl Folding {
    /// The instances of the coloured place of this name: its id, else its label where only one has it.
    pub fn places_of(&self, name: &str) -> Option<impl ExactSizeIterator<Item = PlaceId> + Clone + use<>> {
        find(&self.places, name).map(|instances| instances.map(PlaceId::new))
    }

    /// The instances of the coloured transition of this name: its id, else its label where only one has it.
    pub fn transitions_of(
        &self,
        name: &str,
    ) -> Option<impl ExactSizeIterator<Item = TransitionId> + Clone + use<>> {
        find(&self.transitions, name).map(|instances| instances.map(TransitionId::new))
    }
}

impl Net {
    /// What a place is called that a question is about: of an unfolded net, the coloured place at the position.
    pub fn asked_place_name(&self, position: usize) -> &str {
        self.folding().map_or_else(|| &*self.places[position].id, |folding| &*folding.places[position].id)
    }

    /// What a transition is called that a question is about: of an unfolded net, the coloured one at the position.
    pub fn asked_transition_name(&self, position: usize) -> &str {
        let folded = self.folding().map(|folding| &*folding.transitions[position].id);
        folded.unwrap_or_else(|| &*self.transitions[position].id)
    }
}

fn find(folds: &[Fold], name: &str) -> Option<Range<usize>> {
    let by_id = folds.iter().find(|fold| *fold.id == *name);
    let fold = by_id.or_else(|| {
        let mut labelled = folds.iter().filter(|fold| fold.label.as_deref() == Some(name));
        let first = labelled.next()?;
        labelled.next().is_none().then_some(first)
    });
    fold.map(|fold| fold.instances.clone())
}
