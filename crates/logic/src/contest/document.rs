//! The file as a stream of elements. Nothing is recursive: elements that are still open wait on a stack.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};
use sweepnet_net::Net;

use super::formula::{Value, holds_text, meaning, question};
use super::lines::{Lines, Position};
use super::{ContestError, ContestProperty, Lists, Nodes, Unsupported};
use crate::property::{Property, Question};
use crate::syntax::MAX_DEPTH;

/// Reads all properties of a contest file about a net.
///
/// `nodes` says what the names in the file stand for: usually the net itself.
pub fn read_properties(
    input: impl BufRead,
    net: &Net,
    nodes: &dyn Nodes,
) -> Result<Vec<ContestProperty>, ContestError> {
    let mut reader = Reader::from_reader(Lines::new(input));
    let mut document = Document {
        net,
        nodes: Lists { nodes, transitions: HashMap::new() },
        open: Vec::new(),
        rooted: false,
        draft: Draft::default(),
        ids: HashSet::new(),
        done: Vec::new(),
    };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let position = reader.get_ref().position();
        let wrong = |reason: String| ContestError::Meaning { position, reason };
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(tag)) => document.open(tag.local_name().as_ref(), position).map_err(wrong)?,
            Ok(Event::Empty(tag)) => {
                document.open(tag.local_name().as_ref(), position).map_err(wrong)?;
                document.close()?;
            }
            Ok(Event::End(_)) => document.close()?,
            Ok(Event::Text(text)) => document.text(&text.xml10_content()).map_err(wrong)?,
            Ok(Event::CData(text)) => document.text(&text.xml10_content()).map_err(wrong)?,
            Ok(Event::GeneralRef(reference)) => {
                document
                    .text(character(&reference).map_err(wrong)?.encode_utf8(&mut [0; 4]))
                    .map_err(wrong)?;
            }
            Ok(Event::Eof) => return document.end(position),
            Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
            Err(quick_xml::Error::Io(error)) => {
                let source = std::io::Error::new(error.kind(), error.to_string());
                return Err(ContestError::Io { position, source });
            }
            Err(error) => return Err(ContestError::Xml { position, reason: error.to_string() }),
        }
    }
}

/// The character that a reference stands for. Entities that a file declares itself are not expanded: no contest file
/// has any, and they are a known way to make small files large.
fn character(reference: &BytesRef<'_>) -> Result<char, String> {
    match reference.resolve_char_ref() {
        Ok(Some(c)) => return Ok(c),
        Ok(None) => {}
        Err(error) => return Err(error.to_string()),
    }
    Ok(match &**reference {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        name => return Err(format!("the entity `&{name};` is not known")),
    })
}

/// What an element is there for, which follows from where it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Root,
    Property,
    Text,
    Formula,
    /// Part of a formula.
    Part,
    /// Nothing that is needed here, such as `tags`.
    Ignored,
}

/// An element that is not closed yet.
struct Element {
    name: String,
    role: Role,
    position: Position,
    text: String,
    children: Vec<Value>,
}

/// What is known of the property that is not closed yet.
#[derive(Default)]
struct Draft {
    id: Option<String>,
    description: String,
    question: Option<Result<Question, Unsupported>>,
}

struct Document<'a> {
    net: &'a Net,
    nodes: Lists<'a>,
    open: Vec<Element>,
    rooted: bool,
    draft: Draft,
    ids: HashSet<String>,
    done: Vec<ContestProperty>,
}

impl Document<'_> {
    fn open(&mut self, name: &str, position: Position) -> Result<(), String> {
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("this is nested too deeply: at most {MAX_DEPTH} levels are allowed"));
        }
        let role = match (self.open.last().map(|element| element.role), name) {
            (None, _) if self.rooted => {
                return Err(format!("`{name}` stands after the end of the property set"));
            }
            (None, "property-set") => Role::Root,
            (None, _) => return Err(format!("expected `property-set`, found `{name}`")),
            (Some(Role::Root), "property") => Role::Property,
            (Some(Role::Property), "id" | "description") => Role::Text,
            (Some(Role::Property), "formula") => Role::Formula,
            (Some(Role::Root | Role::Property | Role::Ignored), _) => Role::Ignored,
            (Some(Role::Formula | Role::Part), _) => Role::Part,
            (Some(Role::Text), _) => return Err(format!("expected text, found `{name}`")),
        };
        self.rooted = true;
        if role == Role::Property {
            self.draft = Draft::default();
        }
        let name = name.to_owned();
        self.open.push(Element { name, role, position, text: String::new(), children: Vec::new() });
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        match self.open.last_mut() {
            Some(element) => element.text.push_str(text),
            None if text.trim_start_matches('\u{feff}').trim().is_empty() => {}
            None => return Err("expected `property-set`, found text".into()),
        }
        Ok(())
    }

    /// Closes the innermost element.
    fn close(&mut self) -> Result<(), ContestError> {
        let Some(element) = self.open.pop() else { return Ok(()) };
        let position = element.position;
        self.closed(element).map_err(|reason| ContestError::Meaning { position, reason })
    }

    fn closed(&mut self, element: Element) -> Result<(), String> {
        let text = element.text.trim();
        let stray = match text.is_empty() {
            true => Ok(()),
            false => Err(format!("`{}` holds no text", element.name)),
        };
        match element.role {
            Role::Text if element.name == "id" => self.draft.id = Some(text.to_owned()),
            Role::Text => self.draft.description = text.to_owned(),
            Role::Part => {
                let value = meaning(&element.name, text, element.children, &mut self.nodes)?;
                if !holds_text(&element.name) && !matches!(value, Value::Unsupported(_)) {
                    stray?;
                }
                let parent = self.open.last_mut().expect("a part of a formula is inside one");
                parent.children.push(value);
            }
            Role::Formula => {
                stray?;
                if self.draft.question.replace(question(element.children)?).is_some() {
                    return Err("a property has one `formula`".into());
                }
            }
            Role::Property => {
                stray?;
                self.property()?;
            }
            Role::Root => stray?,
            Role::Ignored => {}
        }
        Ok(())
    }

    fn property(&mut self) -> Result<(), String> {
        let draft = std::mem::take(&mut self.draft);
        let id = draft.id.filter(|id| !id.is_empty()).ok_or("this property has no `id`")?;
        let question = draft.question.ok_or_else(|| format!("the property '{id}' has no `formula`"))?;
        if !self.ids.insert(id.clone()) {
            return Err(format!("there are two properties with the id '{id}'"));
        }
        let property = question.map(|question| Property {
            name: id.clone(),
            text: question.display(self.net).to_string(),
            question,
        });
        self.done.push(ContestProperty { id, description: draft.description, property });
        Ok(())
    }

    fn end(self, position: Position) -> Result<Vec<ContestProperty>, ContestError> {
        match self.open.last() {
            Some(open) => {
                let reason = format!("`{}`, opened at {}, is never closed", open.name, open.position);
                Err(ContestError::Xml { position, reason })
            }
            None if !self.rooted => Err(ContestError::Meaning {
                position,
                reason: "expected `property-set`, found nothing".into(),
            }),
            None => Ok(self.done),
        }
    }
}
