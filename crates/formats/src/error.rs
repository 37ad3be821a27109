//! Why a file cannot be read or written, in words for people.

use std::io;

use sweepnet_colour::{Fault, TypeError};
use sweepnet_net::BuildError;
use thiserror::Error;

use crate::{Format, Position};

/// Why a file cannot be read, and where.
#[derive(Debug, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: u64,
    /// The reason.
    pub kind: ErrorKind,
}

/// The reasons.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The stream itself failed.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Bytes that are not text.
    #[error("these bytes are not UTF-8 text; expected a text file in UTF-8")]
    NotUtf8,
    /// Text in an encoding that is not supported.
    #[error("the file is in the encoding {0}; expected UTF-8 or ISO-8859-1: save it as UTF-8")]
    Encoding(String),
    /// A character that cannot occur in XML.
    #[error("the character U+{0:04X} is not allowed in XML; expected printable text")]
    IllegalCharacter(u32),
    /// Nothing in the file.
    #[error("the file is empty; expected {expected}")]
    Empty {
        /// What a file should begin with.
        expected: &'static str,
    },
    /// The file ends in the middle of something.
    #[error("the file ends too early, in {inside}; expected {expected}")]
    UnexpectedEnd {
        /// What was being read.
        inside: String,
        /// What should have followed.
        expected: String,
    },
    /// Something else than expected.
    #[error("found {found}; expected {expected}")]
    Unexpected {
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// XML that is not well-formed.
    #[error("this is not well-formed XML: {0}")]
    Xml(String),
    /// An entity that XML does not define.
    #[error(
        "the entity '&{0};' is not known; expected one of &amp; &lt; &gt; &apos; &quot; or a number like &#65;"
    )]
    UnknownEntity(String),
    /// An attribute that must be there.
    #[error("<{element}> has no attribute '{attribute}', or an empty one; expected {expected}")]
    MissingAttribute {
        /// The element.
        element: &'static str,
        /// The attribute.
        attribute: &'static str,
        /// What it is for.
        expected: &'static str,
    },
    /// Text where a number belongs.
    #[error("{what} is '{found}'; expected a whole number")]
    NotANumber {
        /// What the number is for.
        what: String,
        /// What is there.
        found: String,
    },
    /// A number below 0.
    #[error("{what} is {found}; expected a number that is not negative")]
    Negative {
        /// What the number is for.
        what: String,
        /// The number.
        found: String,
    },
    /// A number that is too large.
    #[error("{what} is {found}; expected at most 18446744073709551615 (2^64 - 1)")]
    TooLarge {
        /// What the number is for.
        what: String,
        /// The number.
        found: String,
    },
    /// A weight of 0.
    #[error("{what} is 0; expected at least 1")]
    ZeroWeight {
        /// Which weight.
        what: String,
    },
    /// Two nodes with one name.
    #[error("there are two nodes with the id '{0}'; expected every id of a place or transition only once")]
    DuplicateId(String),
    /// A second marking for a place.
    #[error("the place '{0}' gets a second initial marking; expected only one")]
    MarkedTwice(String),
    /// A name that nothing has.
    #[error("there is no place or transition '{0}'; expected the id of a node of this net")]
    UnknownNode(String),
    /// A name that no place has.
    #[error("there is no place '{0}'; expected one from the PLACE section")]
    UnknownPlace(String),
    /// An arc between two places or two transitions.
    #[error(
        "this arc leads from the {kind} '{source_id}' to the {kind} '{target_id}'; expected one end to be a place and the other a transition"
    )]
    SameKind {
        /// `place` or `transition`.
        kind: &'static str,
        /// Where it starts.
        source_id: String,
        /// Where it ends.
        target_id: String,
    },
    /// An inhibitor, read or reset arc that points to a place.
    #[error(
        "this {arc} arc leads from the transition '{transition}' to the place '{place}'; expected it to lead from a place to a transition"
    )]
    WrongWay {
        /// The kind of arc.
        arc: &'static str,
        /// Where it starts.
        transition: String,
        /// Where it ends.
        place: String,
    },
    /// A kind of arc that is not known.
    #[error("arcs of the kind '{0}' cannot be read; expected normal, read (test), inhibitor or reset")]
    ArcKind(String),
    /// Reference nodes that refer to each other in a circle.
    #[error("the reference '{0}' leads back to itself; expected references to end in a place or transition")]
    ReferenceCycle(String),
    /// A reference node to nothing.
    #[error(
        "the reference '{id}' points to '{target}', which does not exist; expected the id of a node of this net"
    )]
    DanglingReference {
        /// The reference.
        id: String,
        /// What it names.
        target: String,
    },
    /// A reference place that ends in a transition, or the other way round.
    #[error("the reference '{id}' ends in a {found}; expected a {expected}")]
    ReferenceKind {
        /// The reference.
        id: String,
        /// What it ends in.
        found: &'static str,
        /// What it says it is.
        expected: &'static str,
    },
    /// A high-level net.
    #[error("this is a coloured (high-level) net, as {0} shows; expected a place/transition net")]
    Coloured(String),
    /// A label of a coloured net without the tree that gives its meaning.
    #[error("<{0}> has no <structure>; expected one: text alone has no meaning in a coloured net")]
    NoStructure(&'static str),
    /// A label of a coloured net that must be there.
    #[error("{what} has no <{label}>; expected one in a coloured net")]
    NoLabel {
        /// What should have it.
        what: String,
        /// The label.
        label: &'static str,
    },
    /// Elements inside one another without end.
    #[error("the elements are too deep inside one another; expected at most 500 levels")]
    TooDeep,
    /// Operators that multiply one another.
    #[error("the terms of this net become too large when its operators are expanded")]
    TooMuch,
    /// A sort or operator that is known, but not here.
    #[error("the {kind} <{name}> is not supported; expected one of symmetric nets")]
    Unsupported {
        /// `sort`, `operator` or `declaration`.
        kind: &'static str,
        /// Its element.
        name: String,
    },
    /// A name that no declaration gives.
    #[error("there is no {kind} '{id}'; expected one that the net declares")]
    Undeclared {
        /// `sort`, `variable`, `operator` or `partition`.
        kind: &'static str,
        /// The name.
        id: String,
    },
    /// Two declarations with one name.
    #[error("there are two {kind}s with the id '{id}'; expected every id only once")]
    DeclaredTwice {
        /// `sort`, `variable` or `operator`.
        kind: &'static str,
        /// The name.
        id: String,
    },
    /// A sort that is made of itself.
    #[error("the sort '{0}' is made of itself; expected sorts with a beginning")]
    CircularSort(String),
    /// A sort that cannot be.
    #[error("this is no sort for tokens: {0}")]
    Type(#[from] TypeError),
    /// A partition that does not divide its sort.
    #[error("the partition '{id}' {why}; expected every value of its sort in one element")]
    Partition {
        /// Its id.
        id: String,
        /// What is wrong.
        why: String,
    },
    /// An initial marking without a value.
    #[error("the initial marking of place '{place}' cannot be: {fault}")]
    Marking {
        /// The place.
        place: String,
        /// Why.
        fault: Fault,
    },
    /// A file without a net.
    #[error("the file has no <net>; expected at least one inside <pnml>")]
    NoNet,
    /// The net that was asked for is not there.
    #[error("there is no net '{wanted}' in this file; expected one of: {}", list(present))]
    NoSuchNet {
        /// What was asked for.
        wanted: String,
        /// What there is.
        present: Vec<String>,
    },
    /// The net contradicts itself.
    #[error("{0}")]
    Build(#[from] BuildError),
    /// A format that is only written.
    #[error("{0} files are drawings and cannot be read; expected PNML, TINA or LoLA")]
    NotReadable(Format),
}

impl ErrorKind {
    /// The error, at a position.
    pub fn at(self, position: Position) -> ReadError {
        ReadError { line: position.line, column: position.column, kind: self }
    }

    pub(crate) fn unexpected(found: impl Into<String>, expected: impl Into<String>) -> Self {
        ErrorKind::Unexpected { found: found.into(), expected: expected.into() }
    }
}

/// Why a net cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The stream itself failed.
    #[error("the file cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The net has something that the format cannot say.
    #[error(
        "{format} has no {what} arcs, but one joins the place '{place}' and the transition '{transition}'"
    )]
    NoSuchArc {
        /// The format.
        format: Format,
        /// The kind of arc.
        what: &'static str,
        /// An example: its place.
        place: String,
        /// An example: its transition.
        transition: String,
    },
    /// A read arc that cannot be said by taking and giving back.
    #[error(
        "the read arc between '{place}' and '{transition}' cannot be written as taking and giving back: the weights exceed 2^64 - 1"
    )]
    TooLarge {
        /// Its place.
        place: String,
        /// Its transition.
        transition: String,
    },
}

/// A piece of a file to quote in a message: short, on one line.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut clipped: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        clipped.push('…');
    }
    clipped
}

/// The first few names, and how many more there are.
pub(crate) fn list(names: &[String]) -> String {
    const MOST: usize = 5;
    let mut text =
        names.iter().take(MOST).map(|name| format!("'{}'", clip(name))).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text += &format!(" and {} more", names.len() - MOST);
    }
    text
}
