//! Finding the places and transitions that a text names, and near ones where it errs.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use sweepnet_language::nearest::{SUGGESTIONS, nearest};
use sweepnet_net::{Net, PlaceId, TransitionId};

/// A net's nodes by name: by id, else by label where only one node has it. The net finds ids at once but labels only
/// by a pass over all nodes, so the first name that is no id builds an index for the rest of the text.
pub struct Names<'n> {
    net: &'n Net,
    place_index: OnceCell<Index<'n>>,
    transition_index: OnceCell<Index<'n>>,
    /// How many more names may be looked at for suggestions. Many errors in a text about a large net must not take
    /// minutes to report.
    patience: Cell<usize>,
}

/// The nodes that answer to a name.
type Index<'n> = HashMap<&'n str, Vec<usize>>;

/// Why a name is no node of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is a node of the other kind.
    OtherKind,
    /// Several nodes have this label; their ids.
    Ambiguous(Vec<String>),
    /// There is none; these are near, the nearest first.
    Unknown(Vec<String>),
}

/// Names looked at for suggestions in one text.
const PATIENCE: usize = 4_000_000;

impl<'n> Names<'n> {
    /// The names of a net.
    pub fn new(net: &'n Net) -> Self {
        Self {
            net,
            place_index: OnceCell::new(),
            transition_index: OnceCell::new(),
            patience: Cell::new(PATIENCE),
        }
    }

    /// The place of this name.
    pub fn place(&self, name: &str) -> Result<PlaceId, Missing> {
        match self.places_called(name) {
            Called::One(place) => Ok(PlaceId::new(place)),
            Called::Many(places) => {
                let id = |p: &usize| self.net.places()[*p].id.to_string();
                Err(Missing::Ambiguous(places.iter().take(SUGGESTIONS).map(id).collect()))
            }
            Called::None if !matches!(self.transitions_called(name), Called::None) => Err(Missing::OtherKind),
            Called::None => {
                let places = self.net.places().iter();
                Err(Missing::Unknown(self.near(name, places.flat_map(|p| [Some(&p.id), p.label.as_ref()]))))
            }
        }
    }

    /// The transition of this name.
    pub fn transition(&self, name: &str) -> Result<TransitionId, Missing> {
        match self.transitions_called(name) {
            Called::One(transition) => Ok(TransitionId::new(transition)),
            Called::Many(transitions) => {
                let id = |t: &usize| self.net.transitions()[*t].id.to_string();
                Err(Missing::Ambiguous(transitions.iter().take(SUGGESTIONS).map(id).collect()))
            }
            Called::None if !matches!(self.places_called(name), Called::None) => Err(Missing::OtherKind),
            Called::None => {
                let all = self.net.transitions().iter();
                Err(Missing::Unknown(self.near(name, all.flat_map(|t| [Some(&t.id), t.label.as_ref()]))))
            }
        }
    }

    fn places_called(&self, name: &str) -> Called<'_> {
        if self.place_index.get().is_none()
            && let Some(place) = self.net.find_place(name).filter(|p| *self.net.place(*p).id == *name)
        {
            return Called::One(place.index());
        }
        let nodes = || self.net.places().iter().map(|p| (&*p.id, p.label.as_deref()));
        look_up(self.place_index.get_or_init(|| index(nodes)), name)
    }

    fn transitions_called(&self, name: &str) -> Called<'_> {
        if self.transition_index.get().is_none() {
            let found = self.net.find_transition(name);
            if let Some(transition) = found.filter(|t| *self.net.transition(*t).id == *name) {
                return Called::One(transition.index());
            }
        }
        let nodes = || self.net.transitions().iter().map(|t| (&*t.id, t.label.as_deref()));
        look_up(self.transition_index.get_or_init(|| index(nodes)), name)
    }

    fn near<'a>(&self, name: &str, candidates: impl Iterator<Item = Option<&'a Box<str>>>) -> Vec<String> {
        let mut patience = self.patience.get();
        let near = nearest(
            name,
            candidates.flatten().map(|candidate| &**candidate).take_while(|_| {
                patience = patience.saturating_sub(1);
                patience > 0
            }),
        );
        self.patience.set(patience);
        near
    }
}

enum Called<'a> {
    None,
    One(usize),
    Many(&'a [usize]),
}

fn look_up<'a>(index: &'a Index<'_>, name: &str) -> Called<'a> {
    match index.get(name).map(Vec::as_slice) {
        None | Some([]) => Called::None,
        Some([only]) => Called::One(*only),
        Some(many) => Called::Many(many),
    }
}

/// Ids win over labels.
fn index<'n, I: Iterator<Item = (&'n str, Option<&'n str>)>>(nodes: impl Fn() -> I) -> Index<'n> {
    let mut index = Index::new();
    for (i, (_, label)) in nodes().enumerate() {
        if let Some(label) = label {
            index.entry(label).or_default().push(i);
        }
    }
    index.extend(nodes().enumerate().map(|(i, (id, _))| (id, vec![i])));
    index
}
