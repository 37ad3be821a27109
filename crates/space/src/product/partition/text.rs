//! Partitions as people write and read them.
//!
//! On the command line, the choice of proposers: `auto`, `one`, `file`, `file:3`, `semiflows`, `units`, `colours`, `clusters`.
//! In a file, the partition itself: one component per line, names of places separated by blanks; what is not
//! mentioned is divided by its order in the net's file.

use std::fmt;
use std::str::FromStr;

use sweepnet_net::{Net, PlaceId};
use thiserror::Error;

use crate::digits::grouped;
use crate::hashing::HashMap;

use super::judge::Scored;
use super::{Part, Partition};

/// Who may propose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PartitionChoice {
    /// Anybody.
    #[default]
    Auto,
    /// All places in one component.
    One,
    /// Runs of places in file order: so many, or the best number.
    FileOrder(Option<usize>),
    /// Supports of P-semiflows.
    Semiflows,
    /// Units of the file.
    Units,
    /// Colours of the net that it is the unfolding of.
    Colours,
    /// Clusters of the net's graph.
    Clusters,
    /// The user: names of places by line. An empty line is no component.
    Given(Vec<Vec<String>>),
}

/// Why there is no partition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PartitionError {
    /// Not a choice.
    #[error(
        "'{0}' is not a way to divide the places; there are auto, one, file, file:N (N runs), semiflows, units, colours and clusters"
    )]
    UnknownChoice(String),
    /// `file:` without a number of runs.
    #[error(
        "'file:{0}' does not say into how many runs the places are to be divided; write for example file:3"
    )]
    NotACount(String),
    /// A line of a given partition names a place that is not there.
    #[error("line {line}: there is no place '{name}'")]
    UnknownPlace {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A place is in two components, or twice in one.
    #[error("line {line}: the place '{name}' is already in line {first}")]
    RepeatedPlace {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
        /// Where it was before.
        first: usize,
    },
    /// No semiflows to divide by.
    #[error("the net cannot be divided by P-semiflows: none were found that have two places or more")]
    NoSemiflows,
    /// No units to divide by.
    #[error("the net cannot be divided by units: its file has none, or a unit with two tokens at a time")]
    NoUnits,
    /// No colours to divide by.
    #[error("the net cannot be divided by colours: it is not the unfolding of a coloured net")]
    NoColours,
    /// Too many places for clusters.
    #[error("the net has too many places to be divided into clusters")]
    TooWide,
    /// Nobody proposed anything.
    #[error("there is no way to divide the places")]
    Nothing,
}

impl PartitionChoice {
    /// The partition that a text file gives: one component per line, names separated by blanks.
    pub fn from_lines(text: &str) -> Self {
        Self::Given(text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect())
    }
}

impl FromStr for PartitionChoice {
    type Err = PartitionError;

    fn from_str(text: &str) -> Result<Self, PartitionError> {
        Ok(match text {
            "auto" => Self::Auto,
            "one" => Self::One,
            "file" => Self::FileOrder(None),
            "semiflows" => Self::Semiflows,
            "units" => Self::Units,
            "colours" => Self::Colours,
            "clusters" => Self::Clusters,
            _ => match text.strip_prefix("file:") {
                Some(count) => match count.parse() {
                    Ok(count) if count > 0 => Self::FileOrder(Some(count)),
                    _ => return Err(PartitionError::NotACount(count.to_owned())),
                },
                None => return Err(PartitionError::UnknownChoice(text.to_owned())),
            },
        })
    }
}

impl fmt::Display for PartitionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::One => f.write_str("one"),
            Self::FileOrder(None) => f.write_str("file"),
            Self::FileOrder(Some(count)) => write!(f, "file:{count}"),
            Self::Semiflows => f.write_str("semiflows"),
            Self::Units => f.write_str("units"),
            Self::Colours => f.write_str("colours"),
            Self::Clusters => f.write_str("clusters"),
            Self::Given(_) => f.write_str("given"),
        }
    }
}

/// The components that lines of names give; places that are not mentioned are missing.
pub fn given(net: &Net, lines: &[Vec<String>]) -> Result<Vec<Vec<PlaceId>>, PartitionError> {
    let mut first: HashMap<PlaceId, usize> = HashMap::default();
    let mut groups = Vec::new();
    for (line, names) in (1..).zip(lines) {
        let mut group = Vec::with_capacity(names.len());
        for name in names {
            let place = net
                .find_place(name)
                .ok_or_else(|| PartitionError::UnknownPlace { line, name: name.clone() })?;
            if let Some(first) = first.insert(place, line) {
                return Err(PartitionError::RepeatedPlace { line, name: name.clone(), first });
            }
            group.push(place);
        }
        if !group.is_empty() {
            groups.push(group);
        }
    }
    Ok(groups)
}

/// A partition as lines of names, as [`PartitionChoice::from_lines`] reads them. Pairs are written as the components
/// they are made of.
pub fn print(net: &Net, partition: &Partition) -> String {
    fn lines(net: &Net, part: &Part, text: &mut String) {
        match part {
            Part::Places(places) => {
                let names: Vec<&str> = places.iter().map(|place| &*net.place(*place).id).collect();
                text.push_str(&names.join(" "));
                text.push('\n');
            }
            Part::Pair(left, right) => {
                lines(net, left, text);
                lines(net, right, text);
            }
        }
    }
    let mut text = String::new();
    partition.parts.iter().for_each(|part| lines(net, part, &mut text));
    text
}

/// What was chosen and what it was compared with; the first candidate is the chosen one.
pub(super) fn reason(candidates: &[Scored]) -> String {
    let Some(chosen) = candidates.first() else { return String::new() };
    let mut text = format!(
        "{}: {}, log2(S/R) {:.1} on a sample of {} states",
        chosen.partition.proposer.words(),
        sizes(chosen),
        chosen.excess.max(0.0),
        grouped(chosen.states as u64),
    );
    let other = candidates.iter().find(|other| {
        other.partition.proposer != chosen.partition.proposer
            || other.partition.parts.len() != chosen.partition.parts.len()
    });
    if let Some(other) = other {
        text += &format!(
            "; next best: {}, {} ({:+.1} bits per state)",
            other.partition.proposer.words(),
            components(other.partition.parts.len()),
            other.bits_per_state - chosen.bits_per_state,
        );
    }
    text
}

fn sizes(scored: &Scored) -> String {
    const MOST: usize = 8;
    let number = scored.partition.parts.len();
    let ranked = &scored.seen[..scored.partition.split_determined().1.len()];
    let mut seen: Vec<String> = ranked.iter().take(MOST).map(|seen| grouped(u64::from(*seen))).collect();
    if ranked.len() > MOST {
        seen.push("…".to_owned());
    }
    let follow = match scored.seen.last().filter(|_| scored.partition.determined) {
        Some(last) => format!(", {} that follow", grouped(u64::from(*last))),
        None => String::new(),
    };
    let leaves: usize = scored.partition.parts.iter().map(Part::leaves).sum();
    let tree = if leaves > number { format!(" (pairs of {leaves} smaller ones)") } else { String::new() };
    format!("{}{tree}, {} local markings{follow}", components(number), seen.join(" × "))
}

fn components(number: usize) -> String {
    if number == 1 { "1 component".to_owned() } else { format!("{number} components") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_are_written() {
        for text in ["auto", "one", "file", "file:3", "semiflows", "units", "colours", "clusters"] {
            let choice: PartitionChoice = text.parse().unwrap();
            assert_eq!(choice.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_choice_is_refused_with_what_there_is() {
        let error = "best".parse::<PartitionChoice>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "'best' is not a way to divide the places; there are auto, one, file, file:N (N runs), semiflows, \
             units, colours and clusters"
        );
        for text in ["file:", "file:0", "file:x", "file:-1"] {
            let error = text.parse::<PartitionChoice>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("'{text}' does not say")), "{error}");
        }
    }
}
