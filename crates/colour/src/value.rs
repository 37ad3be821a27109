//! Values as people write them, and their words.
//!
//! Words are what searches work on; trees of [`Value`]s are what reports show and what the naive twin works on.

use crate::types::{Shape, TypeId, Types};

/// A value, as a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// `()`
    Unit,
    /// `true`, `false`
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A constant of an enumeration, by position.
    Constant(usize),
    /// A struct, tuple or array: its components.
    Struct(Vec<Value>),
    /// A list. Shorter ones come first.
    List(usize, Vec<Value>),
    /// A variant of a union, by position, with its content.
    Variant(usize, Option<Box<Value>>),
    /// A set: its elements, in order.
    Set(Vec<Value>),
}

impl Types {
    /// Appends the words of a value; false (and nothing appended that makes sense) if it is not of the type.
    pub fn encode(&self, id: TypeId, value: &Value, out: &mut Vec<u64>) -> bool {
        let start = out.len();
        let done = match (self.shape(id), value) {
            (Shape::Unit, Value::Unit) => {
                out.push(0);
                true
            }
            (Shape::Bool, Value::Bool(truth)) => {
                out.push(u64::from(*truth));
                true
            }
            (Shape::Range { low, high, .. }, Value::Int(n)) if (low..=high).contains(&n) => {
                out.push(n.wrapping_sub(*low) as u64);
                true
            }
            (Shape::Enum { names, .. }, Value::Constant(i)) if *i < names.len() => {
                out.push(*i as u64);
                true
            }
            (Shape::Struct(fields), Value::Struct(values)) => {
                fields.len() == values.len()
                    && fields.iter().zip(values).all(|((_, id), value)| self.encode(*id, value, out))
            }
            (Shape::Array { index, element }, Value::Struct(values)) => {
                self.size(*index) == Some(values.len() as u64)
                    && values.iter().all(|value| self.encode(*element, value, out))
            }
            (Shape::List { element, max }, Value::List(_, values)) => {
                out.push(values.len() as u64);
                values.len() <= *max as usize && values.iter().all(|value| self.encode(*element, value, out))
            }
            (Shape::Union(variants), Value::Variant(i, content)) => {
                out.push(*i as u64);
                match (variants.get(*i), content) {
                    (Some((_, Some(id))), Some(content)) => self.encode(*id, content, out),
                    (Some((_, None)), None) => true,
                    _ => false,
                }
            }
            (Shape::Set(element), Value::Set(values)) => {
                let count = self.size(*element).unwrap_or(0).div_ceil(64) as usize;
                out.resize(start + count, 0);
                let mut word = Vec::with_capacity(1);
                values.iter().all(|value| {
                    word.clear();
                    let fits = self.encode(*element, value, &mut word);
                    if fits {
                        out[start + (word[0] / 64) as usize] |= 1 << (word[0] % 64);
                    }
                    fits
                })
            }
            (Shape::Subset { base, .. }, value) => self.encode(*base, value, out),
            _ => false,
        };
        done && self.close(id, out, start)
    }

    /// Makes of the words of a value's components, which stand at the end from `start` on, the words of the value
    /// itself: one number if it is narrow, else zeros to its width. False if there is no such value.
    pub fn close(&self, id: TypeId, out: &mut Vec<u64>, start: usize) -> bool {
        if !self.is_narrow(id) {
            out.resize(start + self.width(id), 0);
            return true;
        }
        let strides = self.strides(id);
        let number = match self.shape(id) {
            Shape::Unit | Shape::Bool | Shape::Range { .. } | Shape::Enum { .. } | Shape::Set(_) => {
                out[start]
            }
            Shape::Struct(_) | Shape::Array { .. } => {
                out[start..].iter().zip(strides).map(|(digit, stride)| digit * stride).sum()
            }
            Shape::List { element, .. } => {
                let size = self.size(*element).unwrap_or(1);
                let length = out[start] as usize;
                let digits = out[start + 1..].iter().take(length);
                strides[length] + digits.fold(0, |number, digit| number * size + digit)
            }
            Shape::Union(_) => strides[out[start] as usize] + out.get(start + 1).copied().unwrap_or(0),
            Shape::Subset { runs, .. } => match within(runs, out[start]) {
                Some(number) => number,
                None => return false,
            },
        };
        out.truncate(start);
        out.push(number);
        true
    }

    /// Appends the words of a value's components: the opposite of [`close`](Self::close). For lists the length comes
    /// first, then as many elements; for unions the variant, then the content if it has one; a set is a bit for each
    /// element; other values are their number.
    pub fn open(&self, id: TypeId, words: &[u64], out: &mut Vec<u64>) {
        if !self.is_narrow(id) {
            match self.shape(id) {
                Shape::List { element, .. } => {
                    let length = words[0] as usize;
                    out.extend_from_slice(&words[..1 + length * self.width(*element)]);
                }
                Shape::Union(variants) => {
                    let content = variants[words[0] as usize].1.map_or(0, |content| self.width(content));
                    out.extend_from_slice(&words[..1 + content]);
                }
                _ => out.extend_from_slice(words),
            }
            return;
        }
        let (number, strides) = (words[0], self.strides(id));
        match self.shape(id) {
            Shape::Unit | Shape::Bool | Shape::Range { .. } | Shape::Enum { .. } | Shape::Set(_) => {
                out.push(number);
            }
            Shape::Struct(_) | Shape::Array { .. } => {
                let mut rest = number;
                for stride in strides {
                    out.push(rest / stride);
                    rest %= stride;
                }
            }
            Shape::List { element, .. } => {
                let size = self.size(*element).unwrap_or(1);
                let length = strides.partition_point(|first| *first <= number) - 1;
                out.push(length as u64);
                let start = out.len();
                let mut rest = number - strides[length];
                for _ in 0..length {
                    out.push(rest % size);
                    rest /= size;
                }
                out[start..].reverse();
            }
            Shape::Union(variants) => {
                let variant = strides.partition_point(|first| *first <= number) - 1;
                out.push(variant as u64);
                if variants[variant].1.is_some() {
                    out.push(number - strides[variant]);
                }
            }
            Shape::Subset { runs, .. } => out.push(beyond(runs, number)),
        }
    }

    /// The value that words stand for.
    pub fn decode(&self, id: TypeId, words: &[u64]) -> Value {
        let mut parts = Vec::new();
        let split = |element: TypeId, parts: &[u64]| -> Vec<Value> {
            parts.chunks(self.width(element)).map(|words| self.decode(element, words)).collect()
        };
        match self.shape(id) {
            Shape::Unit => Value::Unit,
            Shape::Bool => Value::Bool(words[0] != 0),
            Shape::Range { low, .. } => Value::Int(low.wrapping_add(words[0] as i64)),
            Shape::Enum { .. } => Value::Constant(words[0] as usize),
            Shape::Struct(fields) => {
                self.open(id, words, &mut parts);
                let mut at = 0;
                let field = |(_, id): &(Box<str>, TypeId)| {
                    let from = at;
                    at += self.width(*id);
                    self.decode(*id, &parts[from..at])
                };
                Value::Struct(fields.iter().map(field).collect())
            }
            Shape::Array { element, .. } => {
                self.open(id, words, &mut parts);
                Value::Struct(split(*element, &parts))
            }
            Shape::List { element, .. } => {
                self.open(id, words, &mut parts);
                Value::List(parts[0] as usize, split(*element, &parts[1..]))
            }
            Shape::Union(variants) => {
                self.open(id, words, &mut parts);
                let variant = parts[0] as usize;
                let content = variants[variant].1.map(|id| Box::new(self.decode(id, &parts[1..])));
                Value::Variant(variant, content)
            }
            Shape::Set(element) => {
                let bits = words.iter().enumerate();
                let bits = bits.flat_map(|(at, word)| {
                    (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u64 * 64 + bit)
                });
                Value::Set(bits.map(|number| self.decode(*element, &[number])).collect())
            }
            Shape::Subset { base, runs } => self.decode(*base, &[beyond(runs, words[0])]),
        }
    }

    /// A value as the language writes it.
    pub fn show(&self, id: TypeId, words: &[u64]) -> String {
        self.show_value(id, &self.decode(id, words))
    }

    /// A value as the language writes it.
    pub fn show_value(&self, id: TypeId, value: &Value) -> String {
        let many = |element: TypeId, values: &[Value]| {
            values.iter().map(|value| self.show_value(element, value)).collect::<Vec<_>>().join(",")
        };
        match (self.shape(id), value) {
            (Shape::Enum { names, .. }, Value::Constant(i)) => names[*i].to_string(),
            (Shape::Struct(fields), Value::Struct(values)) => {
                let parts = fields.iter().zip(values).map(|((_, id), value)| self.show_value(*id, value));
                format!("({})", parts.collect::<Vec<_>>().join(","))
            }
            (Shape::Array { element, .. }, Value::Struct(values))
            | (Shape::List { element, .. }, Value::List(_, values)) => {
                format!("[{}]", many(*element, values))
            }
            (Shape::Set(element), Value::Set(values)) => format!("{{{}}}", many(*element, values)),
            (Shape::Union(variants), Value::Variant(i, content)) => match (&variants[*i], content) {
                ((name, Some(id)), Some(content)) => format!("{name}({})", self.show_value(*id, content)),
                ((name, _), _) => name.to_string(),
            },
            (Shape::Subset { base, .. }, value) => self.show_value(*base, value),
            (_, Value::Bool(truth)) => truth.to_string(),
            (_, Value::Int(n)) => n.to_string(),
            _ => "()".to_owned(),
        }
    }
}

/// The position of a number in runs of numbers.
pub(crate) fn within(runs: &[(u64, u64)], number: u64) -> Option<u64> {
    let mut before = 0;
    for (first, count) in runs {
        if number < *first {
            return None;
        }
        if number - first < *count {
            return Some(before + number - first);
        }
        before += count;
    }
    None
}

/// The number at a position in runs of numbers.
pub(crate) fn beyond(runs: &[(u64, u64)], mut position: u64) -> u64 {
    for (first, count) in runs {
        if position < *count {
            return first + position;
        }
        position -= count;
    }
    unreachable!("positions are below the size of the type")
}
