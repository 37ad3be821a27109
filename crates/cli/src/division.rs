//! `--partition`: how places are to be divided, as the command line says it.

use std::fs;
use std::path::PathBuf;

use sweepnet_net::Net;
use sweepnet_space::product::partition::{PartitionChoice, PartitionError, text};

use crate::failure::Failure;

/// A choice, or the file that has the partition itself.
#[derive(Clone, Debug)]
pub enum Division {
    /// One of the library's choices.
    Choice(PartitionChoice),
    /// A file with one component per line.
    File(PathBuf),
}

impl Division {
    /// Reads the option's value; the file is not read yet.
    pub fn parse(value: &str) -> Result<Self, String> {
        match value.strip_prefix('@') {
            Some("") => Err("the name of a file is missing behind '@'".to_owned()),
            Some(path) => Ok(Self::File(path.into())),
            None => value.parse().map(Self::Choice).map_err(|error: PartitionError| match error {
                PartitionError::UnknownChoice(_) => format!("{error}; @FILE reads a partition from a file"),
                other => other.to_string(),
            }),
        }
    }

    /// Whether the program is free to choose.
    pub fn is_auto(&self) -> bool {
        matches!(self, Self::Choice(PartitionChoice::Auto))
    }

    /// The choice for a net. A file is read, and must name places of the net, each once.
    pub fn read(&self, net: &Net) -> Result<PartitionChoice, Failure> {
        let path = match self {
            Self::Choice(choice) => return Ok(choice.clone()),
            Self::File(path) => path,
        };
        let name = path.display();
        let bytes = fs::read(path).map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
        let lines = String::from_utf8(bytes)
            .map_err(|_| Failure::input(format!("{name}: this is not text (it is not valid UTF-8)")))?;
        let choice = PartitionChoice::from_lines(&lines);
        if let PartitionChoice::Given(lines) = &choice {
            text::given(net, lines).map_err(|error| self.refused(&error))?;
        }
        Ok(choice)
    }

    /// The failure that this division cannot be had.
    pub fn refused(&self, error: &PartitionError) -> Failure {
        match self {
            Self::Choice(choice) => Failure::input(format!("--partition {choice}: {error}")),
            Self::File(path) => Failure::input(format!("{}: {error}", path.display())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_from_a_choice_by_its_sign() {
        assert!(
            matches!(Division::parse("@parts.txt"), Ok(Division::File(path)) if path == std::path::Path::new("parts.txt"))
        );
        assert!(matches!(Division::parse("file"), Ok(Division::Choice(PartitionChoice::FileOrder(None)))));
        assert!(Division::parse("auto").is_ok_and(|division| division.is_auto()));
        assert!(Division::parse("@").is_err());
        assert!(Division::parse("parts.txt").is_err_and(|error| error.contains("@FILE")));
    }
}
