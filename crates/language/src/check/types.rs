//! Types as they are written.

use std::collections::{HashMap, HashSet};

use sweepnet_colour::compile::Compiler;
use sweepnet_colour::{Fault, Frame, Node, Shape, Sort, TypeId};

use super::evaluation::evaluated;
use super::frame::Access;
use super::scope::Global;
use super::{BOOL, Checker};
use crate::ast::{Expr, Name, Span, TypeExpr, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;

/// The most values of a type with a constraint, which are all looked at.
const CONSTRAINED: u64 = 1 << 24;

impl Checker<'_> {
    /// The type that is written there.
    pub(super) fn type_(&mut self, written: &TypeExpr) -> Option<TypeId> {
        self.deeper(&written.span, |checker| checker.type_inside(written))
    }

    fn type_inside(&mut self, written: &TypeExpr) -> Option<TypeId> {
        let span = &written.span;
        let shape = match &written.kind {
            TypeKind::Unit => return Some(TypeId::UNIT),
            TypeKind::Bool => return Some(TypeId::BOOL),
            TypeKind::Named(name) => return self.named_type(name),
            TypeKind::Where(base, condition) => return self.constrained(base, condition, span),
            TypeKind::Range(low, high) => {
                let (low, high) = (self.integer(low), self.integer(high));
                let (low, high) = (low?, high?);
                if low > high {
                    return self.error(span, format!("the range {low}..{high} is empty"));
                }
                Shape::Range { low, high, cyclic: false }
            }
            TypeKind::Enum(names) => self.enumeration(names, false, span)?,
            TypeKind::Cyclic(inner) => {
                // One that is written there is no type of its own: its constants are those of the cyclic one.
                if let TypeKind::Enum(names) = &inner.kind {
                    let shape = self.enumeration(names, true, &inner.span)?;
                    return self.add(shape, span);
                }
                let id = self.type_(inner)?;
                match self.net.types.shape(id).clone() {
                    Shape::Range { low, high, .. } => Shape::Range { low, high, cyclic: true },
                    Shape::Enum { names, .. } => Shape::Enum { names, cyclic: true },
                    _ => {
                        let found = self.net.types.describe(id);
                        let error = Diagnostic::error(inner.span.clone(), format!("{found} can't be cyclic"));
                        return self.report(error.expected("a range or an enumeration"));
                    }
                }
            }
            TypeKind::Struct(fields) => {
                let distinct = self.distinct(fields.iter().map(|(name, _)| name));
                let types: Vec<Option<TypeId>> = fields.iter().map(|(_, type_)| self.type_(type_)).collect();
                distinct?;
                let named = fields.iter().zip(types);
                let field = |((name, _), id): (&(Name, TypeExpr), Option<TypeId>)| {
                    Some((Box::from(name.text.as_str()), id?))
                };
                Shape::Struct(named.map(field).collect::<Option<_>>()?)
            }
            TypeKind::Tuple(parts) => {
                let types: Vec<Option<TypeId>> = parts.iter().map(|part| self.type_(part)).collect();
                if types.is_empty() {
                    return Some(TypeId::UNIT);
                }
                let field = |id: Option<TypeId>| Some((Box::from(""), id?));
                Shape::Struct(types.into_iter().map(field).collect::<Option<_>>()?)
            }
            TypeKind::Union(variants) => {
                self.distinct(variants.iter().map(|(name, _)| name));
                let (mut contents, mut seen) = (Vec::with_capacity(variants.len()), HashSet::new());
                for (name, content) in variants {
                    let content = content.as_ref().map(|content| self.type_(content));
                    if seen.insert(name.text.as_str()) {
                        contents.push((Box::from(name.text.as_str()), content));
                    }
                }
                if contents.is_empty() {
                    return self.error(span, "the union has no variant");
                }
                let variant = |(name, content): (Box<str>, Option<Option<TypeId>>)| match content {
                    Some(content) => Some((name, Some(content?))),
                    None => Some((name, None)),
                };
                Shape::Union(contents.into_iter().map(variant).collect::<Option<_>>()?)
            }
            TypeKind::Array(index, element) => {
                let (index, element) = (self.type_(index), self.type_(element));
                Shape::Array { index: index?, element: element? }
            }
            TypeKind::List(element, max) => {
                let (element, length) = (self.type_(element), self.integer(max));
                let (element, length) = (element?, length?);
                let Ok(length) = u32::try_from(length) else {
                    return self.error(&max.span, format!("a list can't have {length} elements"));
                };
                Shape::List { element, max: length }
            }
            TypeKind::Set(element) => Shape::Set(self.type_(element)?),
        };
        self.add(shape, span)
    }

    fn enumeration(&mut self, names: &[Name], cyclic: bool, span: &Span) -> Option<Shape> {
        // One that is there twice is wrong, and yet there: whoever uses the others is not to blame.
        self.distinct(names.iter());
        if names.is_empty() {
            return self.error(span, "the enumeration has no constant");
        }
        let mut seen = HashSet::new();
        let names = names.iter().map(|name| name.text.as_str()).filter(|name| seen.insert(*name));
        Some(Shape::Enum { names: names.map(Into::into).collect(), cyclic })
    }

    /// The type of a shape, and its constants.
    fn add(&mut self, shape: Shape, span: &Span) -> Option<TypeId> {
        match self.net.types.add(shape.clone()) {
            Ok(id) => {
                self.scope.add_constants(id, &shape);
                Some(id)
            }
            Err(error) => self.error(span, error.to_string()),
        }
    }

    /// A constant integer.
    pub(super) fn integer(&mut self, expr: &Expr) -> Option<i64> {
        match self.constant(expr, Some(Sort::Int))?.node {
            Node::Integer(n) => Some(n),
            _ => None,
        }
    }

    fn named_type(&mut self, name: &Name) -> Option<TypeId> {
        let message = match self.global(&name.text, &name.span) {
            Some(Global::Type(id)) => return Some(id),
            Some(Global::Param(_)) => format!("'{}' is a parameter, not a type", name.text),
            Some(Global::Function(_)) => format!("'{}' is a function, not a type", name.text),
            Some(_) => return None,
            None if self.scope.places.contains_key(&name.text) => {
                format!("'{}' is a place, not a type", name.text)
            }
            None if self.is_lost(&name.text) => return None,
            None => format!("there is no type '{}'", name.text),
        };
        let items = self.items;
        let types = self.scope.globals_that(|global| match global {
            Global::Type(_) => true,
            Global::Pending(item) => matches!(items[*item].kind, crate::ast::ItemKind::Type { .. }),
            _ => false,
        });
        let near = nearest(&name.text, types.into_iter().chain(["unit", "bool"]));
        let error = Diagnostic::error(name.span.clone(), message);
        self.report(match &*name.text {
            "int" | "integer" | "nat" => error.expected("a range of integers, such as 0..9"),
            _ => error.suggest(near),
        })
    }

    /// Reports names that are there twice.
    fn distinct<'n>(&mut self, names: impl Iterator<Item = &'n Name>) -> Option<()> {
        let (mut seen, mut distinct) = (HashMap::new(), true);
        for name in names {
            distinct &= self.first(&mut seen, name);
        }
        distinct.then_some(())
    }

    /// `base where condition`: each value of the base is tried.
    fn constrained(&mut self, base: &TypeExpr, condition: &Expr, span: &Span) -> Option<TypeId> {
        let id = self.type_(base)?;
        let size = match self.net.types.size(id) {
            Some(size) if size <= CONSTRAINED => size,
            _ => {
                let found = self.net.types.describe(id);
                let message = format!("{found} has too many values for a constraint");
                return self.report(Diagnostic::error(base.span.clone(), message).expected("at most 2^24"));
            }
        };
        let mut slot = 0;
        let closed = self.framed(Access::Constant, |checker| {
            slot = checker.frame.bind("it", Sort::Of(id), &checker.net.types);
            // What goes wrong is reported with the value it goes wrong for.
            checker.conditionally(|checker| checker.term(condition, Some(BOOL)))
        })?;
        let code = Compiler::new(&self.net.types).term(&closed.body);
        let (mut slots, mut words) = (vec![0; closed.frame], Vec::new());
        let mut runs: Vec<(u64, u64)> = Vec::new();
        let tried = evaluated(self.patience, |patience| {
            let mut frame = Frame::new(&mut slots, patience);
            for number in 0..size {
                frame.slots[slot] = number;
                words.clear();
                let met = frame.step().and_then(|()| code.push(&mut frame, &mut words));
                met.map_err(|fault| (number, fault))?;
                match runs.last_mut() {
                    _ if words.first() == Some(&0) => {}
                    Some((first, count)) if *first + *count == number => *count += 1,
                    _ => runs.push((number, 1)),
                }
            }
            Ok(())
        });
        match tried {
            Ok(()) => {}
            Err((_, fault @ Fault::Interrupted)) => return self.error(&condition.span, self.fault(fault)),
            Err((number, fault)) => {
                let value = self.net.types.show(id, &[number]);
                let message = format!("for {value}: {}", self.fault(fault));
                return self.error(&condition.span, message);
            }
        }
        match runs.as_slice() {
            [] => self.error(span, "no value meets the constraint"),
            // All values: the type is not another one.
            [(0, all)] if *all == size => Some(id),
            _ => self.add(Shape::Subset { base: id, runs }, span),
        }
    }

    /// The type that a subset is of.
    pub(super) fn whole(&self, mut id: TypeId) -> TypeId {
        while let Shape::Subset { base, .. } = self.net.types.shape(id) {
            id = *base;
        }
        id
    }
}
