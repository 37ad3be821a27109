//! How nets come in and go out: PNML, TINA's `.net`, LoLA, and drawings in DOT.
//!
//! A reader takes any stream of bytes, never more memory than the net needs, and ends in one of two ways: with
//! a [`Document`], whose warnings name everything in the file that the net cannot say, or with a [`ReadError`]
//! that tells the line, the column, the reason, and what was expected. Nothing is dropped in silence, and no
//! input makes a reader panic or overflow the stack. A writer either says exactly the same net or refuses by
//! name what its format lacks.
//!
//! Read [`format`](mod@format) for the formats and how they are told apart, [`error`] and [`warning`] for what
//! can go wrong, then one folder per format, each with its `reader`, `writer` and grammar: `pnml` (an XML
//! standard, the only one with pages, references and unit structure), `tina` and `lola` (text, over a common
//! stream of characters in `text` and of words in `words`), and `dot` (written only).

mod dot;
mod encoding;
pub mod error;
pub mod format;
mod lola;
pub mod model;
mod names;
mod number;
mod pnml;
pub mod position;
mod text;
mod tina;
pub mod warning;
mod words;

use std::io::{BufRead, Write};

use sweepnet_colour::Sources;
use sweepnet_net::Net;

pub use error::{ErrorKind, ReadError, WriteError};
pub use format::Format;
pub use model::Model;
pub use position::Position;
pub use warning::Warning;

/// What to read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which net of a file with several: its id, its name, or its number from 1. The first one that matches in
    /// any of these ways is read; if nothing is asked for, the first net of the file.
    pub net: Option<String>,
}

/// A net as it was read, with what the reader has to say about the file.
#[derive(Clone, Debug)]
pub struct Document {
    /// The net.
    pub model: Model,
    /// What was ignored or tolerated, in the order of the file.
    pub warnings: Vec<Warning>,
    /// The ids of all nets in the file; formats that hold one net give its name.
    pub nets_in_file: Vec<String>,
    /// Where the parts of a coloured net stand; nothing of a place/transition net.
    pub sources: Sources<Position>,
}

/// Reads a net.
pub fn read(mut input: impl BufRead, format: Format, options: &Options) -> Result<Document, ReadError> {
    match format {
        Format::Pnml => pnml::reader::read(&mut input, options),
        Format::Tina => only(tina::parser::read(&mut input)?, options),
        Format::Lola => only(lola::parser::read(&mut input)?, options),
        Format::Dot => Err(ErrorKind::NotReadable(Format::Dot).at(Position::START)),
    }
}

/// Writes a net. The warnings tell which names had to change and what else, without effect on the behaviour, the
/// format could not carry; their positions are all at the start, because they speak of the net.
pub fn write(net: &Net, format: Format, out: &mut impl Write) -> Result<Vec<Warning>, WriteError> {
    match format {
        Format::Pnml => pnml::writer::write(net, out),
        Format::Tina => tina::writer::write(net, out),
        Format::Lola => lola::writer::write(net, out),
        Format::Dot => dot::write(net, out),
    }
}

/// Checks that the only net of a file is the one that was asked for.
fn only(document: Document, options: &Options) -> Result<Document, ReadError> {
    match &options.net {
        Some(wanted) if wanted != document.model.name() && wanted != "1" => {
            let present = document.nets_in_file;
            Err(ErrorKind::NoSuchNet { wanted: wanted.clone(), present }.at(Position::START))
        }
        _ => Ok(document),
    }
}
