//! Sorts and the types they become.

use std::collections::HashSet;

use sweepnet_colour::{Shape, TypeError, TypeId};

use super::declarations::{Declarations, Operator, Sort, id, new};
use crate::error::clip;
use crate::pnml::tree::{DEEPEST, Element};
use crate::{ErrorKind, Position, ReadError};

impl<'e> Declarations<'e> {
    /// The type of a sort.
    pub(super) fn sort(&mut self, sort: &'e Element) -> Result<TypeId, ReadError> {
        self.sort_at(sort, 0)
    }

    fn sort_at(&mut self, sort: &'e Element, depth: usize) -> Result<TypeId, ReadError> {
        if depth > DEEPEST {
            return Err(ErrorKind::TooDeep.at(sort.at));
        }
        let unsupported = |name: &str| ErrorKind::Unsupported { kind: "sort", name: clip(name) }.at(sort.at);
        match &*sort.name {
            "dot" => Ok(TypeId::UNIT),
            "bool" => Ok(TypeId::BOOL),
            "finiteenumeration" => self.enumeration(sort, false),
            "cyclicenumeration" => self.enumeration(sort, true),
            "finiteintrange" => {
                let low = sort.number("finiteintrange", "start", "its first number")?;
                let high = sort.number("finiteintrange", "end", "its last number")?;
                self.make(Shape::Range { low, high, cyclic: false }, sort.at)
            }
            "productsort" => {
                let mut parts = Vec::new();
                for part in sort.content() {
                    parts.push(self.sort_at(part, depth + 1)?);
                }
                match parts[..] {
                    [] => Ok(TypeId::UNIT),
                    // Tuples of one component are that component.
                    [part] => Ok(part),
                    _ => self.types.tuple(&parts).map_err(|e| ErrorKind::from(e).at(sort.at)),
                }
            }
            "usersort" => {
                let id = sort.require("usersort", "declaration", "the id of a sort")?;
                self.named_sort_at(id, sort.at, depth + 1)
            }
            name @ ("integer" | "natural" | "positive") => {
                let found = format!("the sort <{name}>, which has no end");
                Err(ErrorKind::unexpected(found, "a finite sort").at(sort.at))
            }
            "multisetsort" => {
                Err(ErrorKind::unexpected("a sort of multisets", "the sort of a single token").at(sort.at))
            }
            name => Err(unsupported(name)),
        }
    }

    /// The type of a sort that was declared.
    pub(super) fn named_sort(&mut self, id: &'e str, at: Position) -> Result<TypeId, ReadError> {
        self.named_sort_at(id, at, 0)
    }

    fn named_sort_at(&mut self, id: &'e str, at: Position, depth: usize) -> Result<TypeId, ReadError> {
        let declaration = match (self.sorts.get_mut(id), id) {
            (Some(Sort::Made(made)), _) => return Ok(*made),
            (Some(Sort::Open), _) => return Err(ErrorKind::CircularSort(clip(id)).at(at)),
            (Some(sort @ Sort::Declared(_)), _) => match std::mem::replace(sort, Sort::Open) {
                Sort::Declared(declaration) => declaration,
                Sort::Open | Sort::Made(_) => return Err(ErrorKind::CircularSort(clip(id)).at(at)),
            },
            // Those that need no declaration.
            (None, "dot" | "Dot") => return Ok(TypeId::UNIT),
            (None, "bool" | "Bool") => return Ok(TypeId::BOOL),
            (None, _) => return Err(ErrorKind::Undeclared { kind: "sort", id: clip(id) }.at(at)),
        };
        let made = if &*declaration.name == "partition" {
            self.partition(declaration, id, depth)?
        } else {
            self.sort_at(declaration.only("one sort")?, depth + 1)?
        };
        self.types.set_name(made, declaration.get("name").unwrap_or(id));
        self.sorts.insert(id, Sort::Made(made));
        Ok(made)
    }

    /// The sort that a partition divides.
    pub(super) fn divided_sort(&mut self, sort: &'e Element, depth: usize) -> Result<TypeId, ReadError> {
        self.sort_at(sort, depth + 1)
    }

    /// An enumeration, which declares its constants as well. Where it stands for itself it may be met twice.
    fn enumeration(&mut self, sort: &'e Element, cyclic: bool) -> Result<TypeId, ReadError> {
        let mut ids = Vec::new();
        for constant in sort.content() {
            if &*constant.name != "feconstant" {
                let found = format!("<{}>", clip(&constant.name));
                return Err(ErrorKind::unexpected(found, "<feconstant>").at(constant.at));
            }
            ids.push((id(constant, "feconstant")?, constant));
        }
        let type_ = self.make(Shape::Enum { names: names(&ids), cyclic }, sort.at)?;
        for (number, (id, constant)) in ids.iter().enumerate() {
            let number = number as u64;
            match self.operators.get(id) {
                Some(Operator::Constant(same, n)) if (*same, *n) == (type_, number) => {}
                _ => {
                    let operator = Operator::Constant(type_, number);
                    new(&mut self.operators, *id, operator, "operator", constant.at)?;
                }
            }
        }
        Ok(type_)
    }

    /// The type of a shape.
    pub(super) fn make(&mut self, shape: Shape, at: Position) -> Result<TypeId, ReadError> {
        self.types.add(shape).map_err(|e: TypeError| ErrorKind::from(e).at(at))
    }
}

/// What constants are called: by their names, or by their ids if two have the same name.
pub(super) fn names(constants: &[(&str, &Element)]) -> Vec<Box<str>> {
    let name = |(id, constant): &(&str, &Element)| Box::from(constant.get("name").unwrap_or(id));
    let names: Vec<Box<str>> = constants.iter().map(name).collect();
    let mut seen = HashSet::new();
    match names.iter().all(|name| seen.insert(name)) {
        true => names,
        false => constants.iter().map(|(id, _)| Box::from(*id)).collect(),
    }
}
