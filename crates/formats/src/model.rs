//! What a file holds: a place/transition net or a coloured one.

use sweepnet_colour::ColouredNet;
use sweepnet_net::Net;

use crate::{Document, ErrorKind, Position, ReadError};

/// A net of either kind.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of a file, and it is moved once or twice")]
pub enum Model {
    /// A place/transition net.
    Plain(Net),
    /// A coloured net.
    Coloured(Box<ColouredNet>),
}

impl Model {
    /// What the net is called; may be empty.
    pub fn name(&self) -> &str {
        match self {
            Self::Plain(net) => &net.name,
            Self::Coloured(net) => &net.name,
        }
    }

    /// The net, if it is a place/transition net.
    pub fn into_plain(self) -> Result<Net, ReadError> {
        match self {
            Self::Plain(net) => Ok(net),
            Self::Coloured(_) => Err(ErrorKind::Coloured("its type".to_owned()).at(Position::START)),
        }
    }
}

impl Document {
    /// The net, if it is a place/transition net.
    pub fn into_plain(self) -> Result<Net, ReadError> {
        self.model.into_plain()
    }
}
