//! What can be wrong with a file.

use std::io;

use sweepnet_space::StopReason;
use thiserror::Error;

/// Why a file could not be opened as a graph.
#[derive(Debug, Error)]
pub enum FileError {
    /// It could not be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("the file is not a saved graph")]
    Foreign,
    /// It was written by a later version.
    #[error("the graph was saved by a newer version (its format is {0}, this one reads {known})", known = super::VERSION)]
    TooNew(u64),
    /// It ends too early, or too late.
    #[error("the file is cut short or has something added: it should have {expected} bytes, and has {found}")]
    Size {
        /// Bytes that it should have.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
    /// A checksum is wrong.
    #[error("the file is damaged: the checksum of its {0} is wrong")]
    Checksum(&'static str),
    /// The checksums are right, but what is in it is not a graph.
    #[error("the file is damaged: {0}")]
    Damaged(&'static str),
    /// A limit was reached before it was looked through.
    #[error("the file was not looked through to its end")]
    Stopped(StopReason),
}
