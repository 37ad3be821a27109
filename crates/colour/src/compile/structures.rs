//! Structs, arrays and unions. Narrow ones are taken apart and put together by arithmetic on their numbers.

use super::{Code, Compiler, WordCode};
use crate::fault::Fault;
use crate::frame::Frame;
use crate::term::{Node, Term};
use crate::types::{Shape, TypeId};

impl Compiler {
    pub(super) fn structure(&self, term: &Term) -> Code {
        match &term.node {
            Node::Struct(parts) => self.compose(term, parts),
            Node::Field(whole, field) => {
                let at = self.field(self.type_of(whole), *field);
                self.part(whole, at)
            }
            Node::WithField(whole, field, value) => {
                let at = self.field(self.type_of(whole), *field);
                self.with_part(whole, move |_| Ok(at), value)
            }
            Node::Element(whole, index) => self.element(whole, index),
            Node::WithElement(whole, index, value) => {
                let (id, index) = (self.type_of(whole), self.word(index));
                let places = self.elements(id);
                self.with_part(whole, move |frame| Ok(places[index(frame)? as usize]), value)
            }
            Node::Fill(slot, body) => {
                let (slot, body) = (*slot, self.term(body));
                let id = self.type_of(term);
                let size = match self.types().shape(id) {
                    Shape::Array { index, .. } => self.types().size(*index).unwrap_or(0),
                    _ => 0,
                };
                self.closing(id, move |frame, out| {
                    for number in 0..size {
                        frame.step()?;
                        frame.slots[slot] = number;
                        body.push(frame, out)?;
                    }
                    Ok(())
                })
            }
            Node::Variant(variant, content) => self.variant(term, *variant, content.as_deref()),
            Node::Is(value, variant) => Code::Word(self.is_variant(value, *variant)),
            Node::Content(value, variant) => self.content(value, *variant),
            _ => unreachable!("the other terms are compiled elsewhere"),
        }
    }

    fn compose(&self, term: &Term, parts: &[Term]) -> Code {
        let id = self.type_of(term);
        if self.types().is_narrow(id) {
            let strides = self.types().strides(id).to_vec();
            let mut parts: Vec<WordCode> = parts.iter().map(|part| self.word(part)).collect();
            if let [_, _] = parts[..] {
                let (right, left) = (parts.remove(1), parts.remove(0));
                let (a, b) = (strides[0], strides[1]);
                return Code::Word(Box::new(move |frame| Ok(left(frame)? * a + right(frame)? * b)));
            }
            return Code::Word(Box::new(move |frame| {
                let mut number = 0;
                for (part, stride) in parts.iter().zip(&strides) {
                    number += part(frame)? * stride;
                }
                Ok(number)
            }));
        }
        let parts: Vec<Code> = parts.iter().map(|part| self.term(part)).collect();
        Code::Wide(Box::new(move |frame, out| parts.iter().try_for_each(|part| part.push(frame, out))))
    }

    /// Where a field is.
    fn field(&self, id: TypeId, field: usize) -> Part {
        let fields = self.types().fields(id);
        let before: usize = fields[..field].iter().map(|(_, id)| self.types().width(*id)).sum();
        self.place(id, field, before, fields[field].1)
    }

    /// Where the elements of an array are.
    fn elements(&self, id: TypeId) -> Vec<Part> {
        let Shape::Array { index, element } = *self.types().shape(id) else { return Vec::new() };
        let count = self.types().size(index).unwrap_or(0) as usize;
        let width = self.types().width(element);
        (0..count).map(|at| self.place(id, at, at * width, element)).collect()
    }

    fn place(&self, whole: TypeId, at: usize, before: usize, part: TypeId) -> Part {
        match self.types().strides(whole).get(at) {
            Some(stride) => Part::Digit(*stride, self.types().size(part).unwrap_or(1)),
            None => Part::Words(before, self.types().width(part)),
        }
    }

    fn part(&self, whole: &Term, at: Part) -> Code {
        match (self.term(whole), at) {
            (Code::Word(whole), Part::Digit(stride, size)) => {
                Code::Word(Box::new(move |frame| Ok(whole(frame)? / stride % size)))
            }
            (whole, Part::Words(before, 1)) => Code::Word(Box::new(move |frame| {
                let mut words = Vec::new();
                whole.push(frame, &mut words)?;
                Ok(words[before])
            })),
            (whole, Part::Words(before, width)) => Code::Wide(Box::new(move |frame, out| {
                let mut words = Vec::new();
                whole.push(frame, &mut words)?;
                out.extend_from_slice(&words[before..before + width]);
                Ok(())
            })),
            _ => unreachable!("narrow values have digits, wide ones words"),
        }
    }

    fn element(&self, whole: &Term, index: &Term) -> Code {
        let id = self.type_of(whole);
        let places = self.elements(id);
        let (whole, index) = (self.term(whole), self.word(index));
        if let Code::Word(whole) = whole {
            return Code::Word(Box::new(move |frame| match places[index(frame)? as usize] {
                Part::Digit(stride, size) => Ok(whole(frame)? / stride % size),
                Part::Words(..) => Ok(0),
            }));
        }
        let one_word = matches!(places.first(), Some(Part::Words(_, 1)));
        let find = move |frame: &mut Frame<'_>, out: &mut Vec<u64>| {
            let mut words = Vec::new();
            whole.push(frame, &mut words)?;
            if let Part::Words(before, width) = places[index(frame)? as usize] {
                out.extend_from_slice(&words[before..before + width]);
            }
            Ok(())
        };
        let code = Code::Wide(Box::new(find));
        if one_word { Code::Word(code.word()) } else { code }
    }

    /// A value with another part, at a place that is found when it is evaluated.
    fn with_part(
        &self,
        whole: &Term,
        at: impl Fn(&mut Frame<'_>) -> Result<Part, Fault> + Send + Sync + 'static,
        value: &Term,
    ) -> Code {
        match (self.term(whole), self.term(value)) {
            (Code::Word(whole), Code::Word(value)) => Code::Word(Box::new(move |frame| {
                let number = whole(frame)?;
                let Part::Digit(stride, size) = at(frame)? else { return Ok(number) };
                let old = number / stride % size;
                Ok(number - old * stride + value(frame)? * stride)
            })),
            (whole, value) => Code::Wide(Box::new(move |frame, out| {
                let start = out.len();
                whole.push(frame, out)?;
                let mut words = Vec::new();
                value.push(frame, &mut words)?;
                if let Part::Words(before, width) = at(frame)? {
                    out[start + before..start + before + width].copy_from_slice(&words);
                }
                Ok(())
            })),
        }
    }

    fn variant(&self, term: &Term, variant: usize, content: Option<&Term>) -> Code {
        let id = self.type_of(term);
        let content = content.map(|content| self.term(content));
        match (self.types().strides(id).get(variant).copied(), content) {
            (Some(first), None) => Code::Word(Box::new(move |_| Ok(first))),
            (Some(first), Some(content)) => {
                let content = content.word();
                Code::Word(Box::new(move |frame| Ok(first + content(frame)?)))
            }
            (None, content) => {
                let width = self.types().width(id);
                Code::Wide(Box::new(move |frame, out| {
                    let end = out.len() + width;
                    out.push(variant as u64);
                    if let Some(content) = &content {
                        content.push(frame, out)?;
                    }
                    out.resize(end, 0);
                    Ok(())
                }))
            }
        }
    }

    /// The numbers of a variant of a narrow union.
    fn numbers(&self, id: TypeId, variant: usize) -> std::ops::Range<u64> {
        let strides = self.types().strides(id);
        let end = strides.get(variant + 1).copied().or(self.types().size(id));
        strides[variant]..end.unwrap_or(u64::MAX)
    }

    fn is_variant(&self, value: &Term, variant: usize) -> WordCode {
        let id = self.type_of(value);
        match self.term(value) {
            Code::Word(value) => {
                let numbers = self.numbers(id, variant);
                Box::new(move |frame| Ok(u64::from(numbers.contains(&value(frame)?))))
            }
            Code::Wide(value) => Box::new(move |frame| {
                let mut words = Vec::new();
                value(frame, &mut words)?;
                Ok(u64::from(words[0] == variant as u64))
            }),
        }
    }

    fn content(&self, value: &Term, variant: usize) -> Code {
        let id = self.type_of(value);
        let content = match self.types().shape(id) {
            Shape::Union(variants) => variants[variant].1,
            _ => None,
        };
        let width = content.map_or(0, |content| self.types().width(content));
        match self.term(value) {
            Code::Word(value) => {
                let numbers = self.numbers(id, variant);
                Code::Word(Box::new(move |frame| {
                    let number = value(frame)?;
                    numbers.contains(&number).then(|| number - numbers.start).ok_or(Fault::OtherVariant)
                }))
            }
            Code::Wide(value) => {
                let code = Code::Wide(Box::new(move |frame: &mut Frame<'_>, out: &mut Vec<u64>| {
                    let mut words = Vec::new();
                    value(frame, &mut words)?;
                    if words[0] != variant as u64 {
                        return Err(Fault::OtherVariant);
                    }
                    out.extend_from_slice(&words[1..1 + width]);
                    Ok(())
                }));
                if width == 1 { Code::Word(code.word()) } else { code }
            }
        }
    }
}

/// Where a part of a value is.
#[derive(Clone, Copy)]
enum Part {
    /// In the number of a narrow value: what one step of it counts, and how many values it has.
    Digit(u64, u64),
    /// Among the words of a wide value: the first, and how many.
    Words(usize, usize),
}
