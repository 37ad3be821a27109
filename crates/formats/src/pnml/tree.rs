//! XML as a tree, for what cannot be understood as it comes by: the structured labels of coloured nets.

use quick_xml::events::BytesStart;

use super::attributes::attributes;
use crate::error::clip;
use crate::{ErrorKind, Position, ReadError};

/// How deep elements may be inside one another. What walks over trees does so by recursion.
pub(super) const DEEPEST: usize = 500;

/// The attributes that mean something.
const ATTRIBUTES: [&str; 8] =
    ["id", "name", "declaration", "refvariable", "refpartition", "value", "start", "end"];

/// An element with its content, without its text.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: Box<str>,
    pub(super) at: Position,
    attributes: Vec<(&'static str, Box<str>)>,
    pub(super) children: Vec<Element>,
}

/// A tree in the making: the elements that are open.
#[derive(Debug, Default)]
pub(super) struct Growing {
    open: Vec<Element>,
}

impl Growing {
    pub(super) fn open(&mut self, tag: &BytesStart<'_>, at: Position) -> Result<(), ReadError> {
        if self.open.len() == DEEPEST {
            return Err(ErrorKind::TooDeep.at(at));
        }
        let values = attributes(tag, ATTRIBUTES, at)?;
        let attributes = ATTRIBUTES.into_iter().zip(values);
        let attributes = attributes.filter_map(|(name, value)| Some((name, value?.into()))).collect();
        let name = tag.local_name().into_inner().into();
        self.open.push(Element { name, at, attributes, children: Vec::new() });
        Ok(())
    }

    /// Closes the last element; gives the tree when that was its root.
    pub(super) fn close(&mut self) -> Option<Element> {
        let closed = self.open.pop()?;
        match self.open.last_mut() {
            Some(parent) => {
                parent.children.push(closed);
                None
            }
            None => Some(closed),
        }
    }
}

impl Element {
    /// An attribute that is not empty.
    pub(super) fn get(&self, attribute: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(name, value)| *name == attribute && !value.is_empty());
        found.map(|(_, value)| &**value)
    }

    /// An attribute that must be there.
    pub(super) fn require(
        &self,
        element: &'static str,
        attribute: &'static str,
        expected: &'static str,
    ) -> Result<&str, ReadError> {
        let missing = || ErrorKind::MissingAttribute { element, attribute, expected }.at(self.at);
        self.get(attribute).ok_or_else(missing)
    }

    /// A number in an attribute.
    pub(super) fn number(
        &self,
        element: &'static str,
        attribute: &'static str,
        expected: &'static str,
    ) -> Result<i64, ReadError> {
        let text = self.require(element, attribute, expected)?;
        text.parse().map_err(|_| {
            let found = format!("{attribute}=\"{}\"", clip(text));
            ErrorKind::unexpected(found, "a whole number of at most 64 bits").at(self.at)
        })
    }

    /// What it consists of, without what a tool keeps to itself.
    pub(super) fn content(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter(|child| !matches!(&*child.name, "toolspecific" | "graphics"))
    }

    /// Its only content.
    pub(super) fn only(&self, expected: &str) -> Result<&Element, ReadError> {
        let mut content = self.content();
        let first = content.next().ok_or_else(|| {
            ErrorKind::unexpected(format!("nothing in <{}>", clip(&self.name)), expected).at(self.at)
        })?;
        match content.next() {
            Some(second) => {
                let found = format!("<{}> as well in <{}>", clip(&second.name), clip(&self.name));
                Err(ErrorKind::unexpected(found, expected).at(second.at))
            }
            None => Ok(first),
        }
    }

    /// What it is applied to: the terms in its subterms.
    pub(super) fn operands(&self) -> Result<Vec<&Element>, ReadError> {
        let operand = |child: &Element| &*child.name == "subterm";
        self.content().map(|child| if operand(child) { child.only("one term") } else { Ok(child) }).collect()
    }

    /// What it is applied to, which must be so many terms.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&Element; N], ReadError> {
        self.operands()?.try_into().map_err(|operands: Vec<_>| {
            let terms = if operands.len() == 1 { "term" } else { "terms" };
            let found = format!("<{}> of {} {terms}", clip(&self.name), operands.len());
            ErrorKind::unexpected(found, N.to_string()).at(self.at)
        })
    }
}
