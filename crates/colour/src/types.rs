//! Finite types. Each has a size and a total order, so each of its values has a number.
//!
//! A type with at most 2^63 values is *narrow*: its values are handled as their numbers, one word each, however deep
//! the type is nested. A type with more is *wide*: its values are handled component by component, in as many words as
//! it takes. The layout of a wide value is
//!
//! | type | words |
//! | --- | --- |
//! | struct | those of its fields, one after another |
//! | array | those of its elements, one after another |
//! | list | the length, then those of as many elements as fit, zero where there is none |
//! | union | the number of the variant, then those of its content, zero to the width of the widest |
//! | set | a bit for each element, 64 in a word |
//!
//! The numbers of narrow values follow from the same order: a struct or array is a number in mixed radix, its first
//! component most significant; of two lists the shorter comes first, else the first difference decides; the variants
//! of a union follow one another; a set is the sum of 2^i over the numbers i of its elements.

use std::collections::HashMap;

use thiserror::Error;

/// The number of a type among the [`Types`] of a net. Types of the same shape have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

impl TypeId {
    /// The type with one value, `()`.
    pub const UNIT: Self = Self(0);
    /// `false` and `true`.
    pub const BOOL: Self = Self(1);

    /// Its position, to index with.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a type is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// One value.
    Unit,
    /// False, then true.
    Bool,
    /// Integers.
    Range {
        /// The first.
        low: i64,
        /// The last; not below the first.
        high: i64,
        /// Whether the successor of the last is the first.
        cyclic: bool,
    },
    /// Named constants.
    Enum {
        /// Their names, in order.
        names: Vec<Box<str>>,
        /// Whether the successor of the last is the first.
        cyclic: bool,
    },
    /// Named fields; the fields of tuples have empty names.
    Struct(Vec<(Box<str>, TypeId)>),
    /// One of several variants, with or without content.
    Union(Vec<(Box<str>, Option<TypeId>)>),
    /// A value for each value of the index.
    Array {
        /// What it is indexed by; narrow.
        index: TypeId,
        /// What it consists of.
        element: TypeId,
    },
    /// At most so many values, in order.
    List {
        /// What it consists of.
        element: TypeId,
        /// The largest length.
        max: u32,
    },
    /// Values without order and repetition.
    Set(TypeId),
    /// Some of the values of another type: those with these numbers.
    Subset {
        /// The other type; narrow.
        base: TypeId,
        /// The runs of numbers it keeps, in order: first number, and how many.
        runs: Vec<(u64, u64)>,
    },
}

/// A type of a net.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is called; types without a name are called by their shape.
    pub name: Option<Box<str>>,
    shape: Shape,
    size: Option<u64>,
    width: usize,
    /// For narrow structs and arrays: what one step of a component counts. For lists: the number of the first list of
    /// each length. For unions: the number of the first value of each variant.
    strides: Vec<u64>,
}

/// A type that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TypeError {
    /// It has no value.
    #[error("the type is empty")]
    Empty,
    /// A component that must have a number has none.
    #[error("{0} has more than 2^63 values")]
    TooLarge(&'static str),
    /// It takes too many words.
    #[error("a value would take more than {MAX_WIDTH} words")]
    TooWide,
}

/// Words of the widest values.
pub const MAX_WIDTH: usize = 1 << 12;

/// The most values of a narrow type.
const NARROW: u64 = 1 << 63;

/// The types of a net.
#[derive(Clone, Debug)]
pub struct Types {
    all: Vec<Type>,
    numbers: HashMap<Shape, TypeId>,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Self { all: Vec::new(), numbers: HashMap::new() };
        for shape in [Shape::Unit, Shape::Bool] {
            types.add(shape).expect("it has values");
        }
        types
    }
}

impl Types {
    /// The type of this shape, which is made if it is new.
    pub fn add(&mut self, shape: Shape) -> Result<TypeId, TypeError> {
        if let Some(id) = self.numbers.get(&shape) {
            return Ok(*id);
        }
        let made = self.measure(&shape)?;
        let id = TypeId(u32::try_from(self.all.len()).map_err(|_| TypeError::TooLarge("the list of types"))?);
        self.numbers.insert(shape, id);
        self.all.push(made);
        Ok(id)
    }

    /// A tuple of types.
    pub fn tuple(&mut self, parts: &[TypeId]) -> Result<TypeId, TypeError> {
        self.add(Shape::Struct(parts.iter().map(|part| (Box::from(""), *part)).collect()))
    }

    /// Gives a type a name, if it has none.
    pub fn set_name(&mut self, id: TypeId, name: &str) {
        self.all[id.index()].name.get_or_insert_with(|| name.into());
    }

    /// A type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.index()]
    }

    /// All types, by number.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.all.len() as u32).map(TypeId)
    }

    /// How a type is made.
    pub fn shape(&self, id: TypeId) -> &Shape {
        &self.all[id.index()].shape
    }

    /// How many values it has; nothing if they are more than 2^63.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.all[id.index()].size
    }

    /// Words of a value.
    pub fn width(&self, id: TypeId) -> usize {
        self.all[id.index()].width
    }

    /// Whether values are handled as one number.
    pub fn is_narrow(&self, id: TypeId) -> bool {
        self.all[id.index()].size.is_some()
    }

    /// See [`Type`]: what one step of each component counts, or where each length or variant begins.
    pub fn strides(&self, id: TypeId) -> &[u64] {
        &self.all[id.index()].strides
    }

    /// The integer that number 0 of a range stands for.
    pub fn low(&self, id: TypeId) -> Option<i64> {
        match self.shape(id) {
            Shape::Range { low, .. } => Some(*low),
            Shape::Subset { base, .. } => self.low(*base),
            _ => None,
        }
    }

    /// Whether its values are integers.
    pub fn is_integer(&self, id: TypeId) -> bool {
        self.low(id).is_some()
    }

    /// Whether the successor of the last value is the first.
    pub fn is_cyclic(&self, id: TypeId) -> bool {
        match self.shape(id) {
            Shape::Range { cyclic, .. } | Shape::Enum { cyclic, .. } => *cyclic,
            _ => false,
        }
    }

    /// The types of a struct's fields.
    pub fn fields(&self, id: TypeId) -> &[(Box<str>, TypeId)] {
        match self.shape(id) {
            Shape::Struct(fields) => fields,
            _ => &[],
        }
    }

    /// What it is called: its name, else its shape.
    pub fn describe(&self, id: TypeId) -> String {
        let get = self.get(id);
        if let Some(name) = &get.name {
            return name.to_string();
        }
        let of = |id: &TypeId| self.describe(*id);
        match &get.shape {
            Shape::Unit => "unit".to_owned(),
            Shape::Bool => "bool".to_owned(),
            Shape::Range { low, high, cyclic } => {
                format!("{}{low}..{high}", if *cyclic { "cyclic " } else { "" })
            }
            Shape::Enum { names, cyclic } => {
                let cyclic = if *cyclic { "cyclic " } else { "" };
                format!("{cyclic}enum {{ {} }}", clipped(names.iter().map(|name| name.to_string())))
            }
            Shape::Struct(fields) if fields.iter().all(|(name, _)| name.is_empty()) => {
                format!("({})", fields.iter().map(|(_, id)| of(id)).collect::<Vec<_>>().join(", "))
            }
            Shape::Struct(fields) => {
                format!("struct {{ {} }}", clipped(fields.iter().map(|(n, id)| format!("{n}: {}", of(id)))))
            }
            Shape::Union(variants) => {
                let variant = |(name, content): &(Box<str>, Option<TypeId>)| match content {
                    Some(content) => format!("{name}: {}", of(content)),
                    None => name.to_string(),
                };
                format!("union {{ {} }}", clipped(variants.iter().map(variant)))
            }
            Shape::Array { index, element } => format!("array [{}] of {}", of(index), of(element)),
            Shape::List { element, max } => format!("list of {} max {max}", of(element)),
            Shape::Set(element) => format!("set of {}", of(element)),
            Shape::Subset { base, .. } => format!("{} where …", of(base)),
        }
    }

    /// Size, width and strides of a shape.
    fn measure(&self, shape: &Shape) -> Result<Type, TypeError> {
        let (mut size, mut width, mut strides) = (Some(1u64), 1, Vec::new());
        match shape {
            Shape::Unit => {}
            Shape::Bool => size = Some(2),
            Shape::Range { low, high, .. } => {
                let count = i128::from(*high) - i128::from(*low) + 1;
                size = Some(narrow(count)?.ok_or(TypeError::TooLarge("a range"))?);
            }
            Shape::Enum { names, .. } => size = narrow(names.len() as i128)?,
            Shape::Struct(fields) => {
                let sizes: Vec<Option<u64>> = fields.iter().map(|(_, id)| self.size(*id)).collect();
                (size, strides) = mixed_radix(&sizes);
                width = fields.iter().map(|(_, id)| self.width(*id)).sum();
            }
            Shape::Array { index, element } => {
                let count = self.size(*index).ok_or(TypeError::TooLarge("the index of an array"))?;
                let count = usize::try_from(count).map_err(|_| TypeError::TooWide)?;
                if count > MAX_WIDTH {
                    return Err(TypeError::TooWide);
                }
                (size, strides) = mixed_radix(&vec![self.size(*element); count]);
                width = count * self.width(*element);
            }
            Shape::List { element, max } => {
                let max = *max as usize;
                if max > MAX_WIDTH {
                    return Err(TypeError::TooWide);
                }
                size = self.size(*element).and_then(|element| {
                    let (mut offset, mut lists) = (0u64, 1u64);
                    for length in 0..=max {
                        strides.push(offset);
                        offset = offset.checked_add(lists).filter(|sum| *sum <= NARROW)?;
                        if length < max {
                            lists = lists.checked_mul(element)?;
                        }
                    }
                    Some(offset)
                });
                width = 1 + max * self.width(*element);
            }
            Shape::Union(variants) => {
                let mut offset = Some(0u64);
                for (_, content) in variants {
                    strides.push(offset.unwrap_or(0));
                    let content = content.map_or(Some(1), |content| self.size(content));
                    offset = offset.zip(content).and_then(|(a, b)| a.checked_add(b)).filter(|n| *n <= NARROW);
                }
                size = offset;
                let contents = variants.iter().filter_map(|(_, content)| *content);
                width = 1 + contents.map(|content| self.width(content)).max().unwrap_or(0);
            }
            Shape::Set(element) => {
                let count = self.size(*element).ok_or(TypeError::TooLarge("the element of a set"))?;
                size = (count <= 63).then(|| 1 << count);
                width = usize::try_from(count.div_ceil(64)).map_err(|_| TypeError::TooWide)?;
            }
            Shape::Subset { runs, .. } => size = narrow(runs.iter().map(|(_, n)| i128::from(*n)).sum())?,
        }
        if size == Some(0) {
            return Err(TypeError::Empty);
        }
        if size.is_some() {
            width = 1;
        }
        if width > MAX_WIDTH {
            return Err(TypeError::TooWide);
        }
        if size.is_none() {
            strides.clear();
        }
        Ok(Type { name: None, shape: shape.clone(), size, width, strides })
    }
}

/// A count, if it is that of a narrow type; an error if there is nothing.
fn narrow(count: i128) -> Result<Option<u64>, TypeError> {
    match u64::try_from(count) {
        Ok(0) => Err(TypeError::Empty),
        Ok(count) => Ok((count <= NARROW).then_some(count)),
        Err(_) if count < 0 => Err(TypeError::Empty),
        Err(_) => Ok(None),
    }
}

/// The product of sizes, and what one step of each component counts.
fn mixed_radix(sizes: &[Option<u64>]) -> (Option<u64>, Vec<u64>) {
    let mut strides = vec![0; sizes.len()];
    let mut product = Some(1u64);
    for (stride, size) in strides.iter_mut().zip(sizes).rev() {
        *stride = product.unwrap_or(0);
        product = product.zip(*size).and_then(|(a, b)| a.checked_mul(b)).filter(|n| *n <= NARROW);
    }
    (product, strides)
}

/// The first few of a list.
fn clipped(parts: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 6;
    let more = parts.len() > SHOWN;
    let text = parts.take(SHOWN).collect::<Vec<_>>().join(", ");
    if more { text + ", …" } else { text }
}
