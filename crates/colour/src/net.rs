//! The coloured net itself.

use std::ops::RangeInclusive;

use crate::term::{Bag, Slot, Term};
use crate::types::{TypeId, Types};

/// A coloured net: places that hold multisets of values, transitions with variables.
///
/// A transition is enabled for values of its variables (a *binding*) if its guards are true, every place has the
/// tokens that its input arcs together take and those that its read arcs look for, no value has as many tokens as an
/// inhibitor arc names, and no transition of a higher priority is enabled. Firing takes the input tokens away, empties
/// the reset places, and adds the output tokens.
#[derive(Clone, Debug, Default)]
pub struct ColouredNet {
    /// What it is called; may be empty.
    pub name: String,
    /// Its types.
    pub types: Types,
    /// Its places.
    pub places: Vec<Place>,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// How far a state is.
    pub progress: Progress,
}

/// How far a state is: integers that never fall along a path, or seldom do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The integers; none if nothing is said about progress.
    pub parts: Vec<Closed<Term>>,
    /// Whether a state is ahead of another only if no integer is behind. Otherwise the first that differs decides.
    pub componentwise: bool,
}

/// A term or multiset without free variables, and how many words its own variables take.
#[derive(Clone, Debug, PartialEq)]
pub struct Closed<T> {
    /// The term or multiset.
    pub body: T,
    /// Words of its frame.
    pub frame: usize,
}

/// Tokens as a list: the words of each value, in order, each value once, with how often it is there.
pub type Listed = Vec<(Box<[u64]>, u64)>;

/// A place.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name by which files and formulas refer to it; unique among the places.
    pub id: Box<str>,
    /// A name for people where it differs from the id.
    pub label: Option<Box<str>>,
    /// The type of its tokens.
    pub type_: TypeId,
    /// How many tokens it may have, as ranges in order that do not touch; nothing if any number.
    pub capacity: Option<Vec<RangeInclusive<u64>>>,
    /// Its initial tokens; those of derived places as well.
    pub initial: Listed,
    /// What it must have in every state, in terms of other places.
    pub derived: Option<Closed<Bag>>,
    /// Whether that is proven, so that nobody needs to check it.
    pub is_proven: bool,
    /// Whether its tokens carry a time.
    pub timed: bool,
}

/// A variable of a transition.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub type_: TypeId,
    /// Where its words are in the transition's frame.
    pub slot: Slot,
}

/// An arc.
#[derive(Clone, Debug)]
pub struct Arc {
    /// The place, by position.
    pub place: usize,
    /// The tokens.
    pub tokens: Bag,
}

/// A transition.
#[derive(Clone, Debug, Default)]
pub struct Transition {
    /// The name by which files and formulas refer to it; unique among the transitions.
    pub id: Box<str>,
    /// A name for people where it differs from the id.
    pub label: Option<Box<str>>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Words of its frame: those of its variables, and of variables inside terms.
    pub frame: usize,
    /// What firing takes.
    pub inputs: Vec<Arc>,
    /// What must be there and stays.
    pub reads: Vec<Arc>,
    /// What must not be there: fewer tokens of each value than these.
    pub inhibitors: Vec<Arc>,
    /// Places that must be empty.
    pub empties: Vec<usize>,
    /// Places that firing empties.
    pub resets: Vec<usize>,
    /// What firing gives.
    pub outputs: Vec<Arc>,
    /// Conditions, all of which must be true.
    pub guards: Vec<Term>,
    /// Transitions of higher priority come first.
    pub priority: i64,
    /// How long its timed output tokens are not ready.
    pub delay: Option<Term>,
}

impl ColouredNet {
    /// The place of this id, else the only one with this label.
    pub fn find_place(&self, name: &str) -> Option<usize> {
        find(self.places.iter().map(|place| (&*place.id, place.label.as_deref())), name)
    }

    /// The transition of this id, else the only one with this label.
    pub fn find_transition(&self, name: &str) -> Option<usize> {
        find(self.transitions.iter().map(|t| (&*t.id, t.label.as_deref())), name)
    }

    /// Whether a place has just what its definition says, because no arc takes, puts or resets its tokens.
    pub fn is_only_defined(&self, place: usize) -> bool {
        let is_changed = |t: &Transition| {
            t.inputs.iter().chain(&t.outputs).any(|arc| arc.place == place) || t.resets.contains(&place)
        };
        self.places[place].derived.is_some() && !self.transitions.iter().any(is_changed)
    }

    /// Whether read or inhibitor arcs look at a place.
    pub fn is_looked_at(&self, place: usize) -> bool {
        self.transitions.iter().any(|t| {
            t.reads.iter().chain(&t.inhibitors).any(|arc| arc.place == place) || t.empties.contains(&place)
        })
    }

    /// Whether some place is timed.
    pub fn is_timed(&self) -> bool {
        self.places.iter().any(|place| place.timed)
    }

    /// Whether some transitions come before others.
    pub fn has_priorities(&self) -> bool {
        self.transitions.windows(2).any(|pair| pair[0].priority != pair[1].priority)
    }
}

fn find<'a>(nodes: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone, name: &str) -> Option<usize> {
    nodes.clone().position(|(id, _)| id == name).or_else(|| {
        let mut found = nodes.enumerate().filter(|(_, (_, label))| *label == Some(name)).map(|(i, _)| i);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    })
}
