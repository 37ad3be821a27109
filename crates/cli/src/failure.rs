//! What ends a command before there is anything to tell: with exit code 2 what is wrong with usage, files and models,
//! with 3 a limit that came too early.

use std::fmt;
use std::io;

/// Why a command could not do its job.
#[derive(Debug)]
pub enum Failure {
    /// Something is wrong with the input; the text says what and where, and is ready to print.
    Input(String),
    /// A limit was reached before anything could be told; the text says which.
    Stopped(String),
    /// Writing to the terminal or a pipe failed.
    Output(io::Error),
}

impl Failure {
    /// A failure with `error:` in front.
    pub fn input(message: impl fmt::Display) -> Self {
        Self::Input(format!("error: {message}"))
    }

    /// How the command ends.
    pub fn code(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Output(_) => 2,
            Self::Stopped(_) => 3,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(text) | Self::Stopped(text) => f.write_str(text),
            Self::Output(error) => write!(f, "error: cannot write the output: {error}"),
        }
    }
}

/// Lets a command go on when whoever read its output has had enough: that changes no answer.
pub fn unless_closed(printed: io::Result<()>) -> Result<(), Failure> {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
