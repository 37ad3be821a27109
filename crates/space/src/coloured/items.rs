//! How the values of a type are written: a number where the type is narrow, else component by component.

use sweepnet_colour::{Shape, TypeId, Types};

use super::bits::{BitReader, BitWriter, bits_for};

/// The code of a type's values.
#[derive(Clone, Debug)]
pub enum Item {
    /// Their number, in ⌈log2 size⌉ bits.
    Number(u32),
    /// Components, one after another.
    Parts(Vec<Item>),
    /// Components of one type, one after another.
    Repeated(usize, Box<Item>),
    /// The length, then as many elements.
    List {
        /// Bits of the length.
        bits: u32,
        /// The code of an element.
        element: Box<Item>,
        /// Words of an element.
        width: usize,
        /// Words of the list.
        room: usize,
    },
    /// The number of the variant, then its content.
    Union {
        /// Bits of the variant.
        bits: u32,
        /// The code of each variant's content.
        contents: Vec<Option<Item>>,
        /// Words of the union.
        room: usize,
    },
    /// A bit for each of so many elements.
    Bits(u64),
}

impl Item {
    /// The code of a type.
    pub fn new(types: &Types, id: TypeId) -> Self {
        if let Some(size) = types.size(id) {
            return Self::Number(bits_for(u128::from(size)));
        }
        match types.shape(id) {
            Shape::Struct(fields) => {
                Self::Parts(fields.iter().map(|(_, id)| Self::new(types, *id)).collect())
            }
            Shape::Array { index, element } => {
                let count = types.size(*index).unwrap_or(0) as usize;
                Self::Repeated(count, Box::new(Self::new(types, *element)))
            }
            Shape::List { element, max } => Self::List {
                bits: bits_for(u128::from(*max) + 1),
                element: Box::new(Self::new(types, *element)),
                width: types.width(*element),
                room: types.width(id),
            },
            Shape::Union(variants) => Self::Union {
                bits: bits_for(variants.len() as u128),
                contents: variants.iter().map(|(_, id)| id.map(|id| Self::new(types, id))).collect(),
                room: types.width(id),
            },
            Shape::Set(element) => Self::Bits(types.size(*element).unwrap_or(0)),
            // Narrow, whatever their parameters are.
            Shape::Unit | Shape::Bool | Shape::Range { .. } | Shape::Enum { .. } | Shape::Subset { .. } => {
                Self::Number(64)
            }
        }
    }

    /// Writes a value; returns the words behind it.
    #[inline]
    pub fn push<'a>(&self, words: &'a [u64], out: &mut BitWriter) -> &'a [u64] {
        match self {
            Self::Number(bits) => {
                out.push(words[0], *bits);
                &words[1..]
            }
            _ => self.push_wide(words, out),
        }
    }

    fn push_wide<'a>(&self, words: &'a [u64], out: &mut BitWriter) -> &'a [u64] {
        match self {
            Self::Number(_) => self.push(words, out),
            Self::Parts(parts) => parts.iter().fold(words, |words, part| part.push(words, out)),
            Self::Repeated(count, item) => (0..*count).fold(words, |words, _| item.push(words, out)),
            Self::List { bits, element, room, .. } => {
                out.push(words[0], *bits);
                (0..words[0]).fold(&words[1..], |words, _| element.push(words, out));
                &words[*room..]
            }
            Self::Union { bits, contents, room } => {
                out.push(words[0], *bits);
                if let Some(content) = &contents[words[0] as usize] {
                    content.push(&words[1..], out);
                }
                &words[*room..]
            }
            Self::Bits(count) => {
                let (full, last) = ((count / 64) as usize, (count % 64) as u32);
                words[..full].iter().for_each(|word| out.push(*word, 64));
                if last > 0 {
                    out.push(words[full], last);
                }
                &words[count.div_ceil(64) as usize..]
            }
        }
    }

    /// Appends the words of a value that was written.
    #[inline]
    pub fn pull(&self, from: &mut BitReader<'_>, words: &mut Vec<u64>) {
        match self {
            Self::Number(bits) => words.push(from.pull(*bits)),
            _ => self.pull_wide(from, words),
        }
    }

    fn pull_wide(&self, from: &mut BitReader<'_>, words: &mut Vec<u64>) {
        let start = words.len();
        match self {
            Self::Number(_) => self.pull(from, words),
            Self::Parts(parts) => parts.iter().for_each(|part| part.pull(from, words)),
            Self::Repeated(count, item) => (0..*count).for_each(|_| item.pull(from, words)),
            Self::List { bits, element, width, room } => {
                let length = from.pull(*bits).min((room - 1) as u64 / (*width).max(1) as u64);
                words.push(length);
                (0..length).for_each(|_| element.pull(from, words));
                words.resize(start + room, 0);
            }
            Self::Union { bits, contents, room } => {
                let variant = from.pull(*bits);
                words.push(variant);
                if let Some(Some(content)) = contents.get(variant as usize) {
                    content.pull(from, words);
                }
                words.resize(start + room, 0);
            }
            Self::Bits(count) => {
                words.extend((0..count / 64).map(|_| from.pull(64)));
                if count % 64 > 0 {
                    words.push(from.pull((count % 64) as u32));
                }
            }
        }
    }
}
