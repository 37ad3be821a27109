//! The values that each place may ever hold, with indexes on the components that are asked for.

use std::collections::HashMap;

use crate::binding::Source;
use crate::types::{Shape, TypeId, Types};

type Hashing = rapidhash::quality::RandomState;

/// The values that have each word in some component.
type Index = HashMap<u64, Vec<u32>, Hashing>;

/// The values of one place, numbered as they come.
#[derive(Debug)]
pub(super) struct Colours {
    width: usize,
    words: Vec<u64>,
    /// Numbers by value, for values of one word and of several.
    narrow: HashMap<u64, u32, Hashing>,
    wide: HashMap<Box<[u64]>, u32, Hashing>,
    /// Of some components.
    indexes: Vec<(usize, Index)>,
    type_: TypeId,
}

impl Colours {
    pub(super) fn new(types: &Types, type_: TypeId) -> Self {
        Self {
            width: types.width(type_),
            words: Vec::new(),
            narrow: HashMap::default(),
            wide: HashMap::default(),
            indexes: Vec::new(),
            type_,
        }
    }

    /// Keeps an index on a component from now on.
    pub(super) fn index(&mut self, component: usize) {
        if !self.indexes.iter().any(|(c, _)| *c == component) {
            self.indexes.push((component, HashMap::default()));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len() / self.width
    }

    pub(super) fn value(&self, at: usize) -> &[u64] {
        &self.words[at * self.width..(at + 1) * self.width]
    }

    pub(super) fn find(&self, value: &[u64]) -> Option<u32> {
        match value {
            [word] => self.narrow.get(word),
            _ => self.wide.get(value),
        }
        .copied()
    }

    /// The number of a value, and whether it is new.
    pub(super) fn add(&mut self, types: &Types, value: &[u64]) -> (u32, bool) {
        if let Some(number) = self.find(value) {
            return (number, false);
        }
        let number = self.len() as u32;
        match value {
            [word] => self.narrow.insert(*word, number),
            _ => self.wide.insert(value.into(), number),
        };
        self.words.extend_from_slice(value);
        if !self.indexes.is_empty() {
            let mut parts = Vec::new();
            types.open(self.type_, value, &mut parts);
            for (component, index) in &mut self.indexes {
                let start = match types.shape(self.type_) {
                    Shape::Array { element, .. } => *component * types.width(*element),
                    _ => {
                        let before = types.fields(self.type_).iter().take(*component);
                        before.map(|(_, id)| types.width(*id)).sum()
                    }
                };
                index.entry(parts[start]).or_default().push(number);
            }
        }
        (number, true)
    }
}

/// The values of all places.
pub(super) struct AllColours(pub(super) Vec<Colours>);

impl Source for AllColours {
    fn len(&self, place: usize) -> usize {
        self.0[place].len()
    }

    fn token(&self, place: usize, at: usize) -> (&[u64], u64) {
        (self.0[place].value(at), u64::MAX)
    }

    fn count(&self, place: usize, value: &[u64]) -> u64 {
        if self.0[place].find(value).is_some() { u64::MAX } else { 0 }
    }

    fn with_component(&self, place: usize, component: usize, word: u64) -> Option<&[u32]> {
        let (_, index) = self.0[place].indexes.iter().find(|(c, _)| *c == component)?;
        Some(index.get(&word).map_or(&[], Vec::as_slice))
    }
}
