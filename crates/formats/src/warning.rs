//! What a file says that the net does not: tolerated, and told.

use std::collections::HashMap;
use std::fmt;

use crate::Position;

/// Something in a file that was ignored or tolerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: u64,
    /// What, in words for people.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

/// A warning about the net rather than about a place in a file.
pub(crate) fn of_net(message: String) -> Warning {
    Warning { line: Position::START.line, column: Position::START.column, message }
}

/// Collects warnings; the same one at many places becomes one, with a count.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    list: Vec<(Position, String, u64)>,
    known: HashMap<String, usize>,
    /// Kinds beyond the limit: where the first was, and how many.
    beyond: Option<(Position, u64)>,
}

impl Notices {
    /// Different messages that are told; a file of rubbish could otherwise fill the memory with them.
    const MOST: usize = 100;

    /// Adds a warning, told once however often it is added.
    pub(crate) fn add(&mut self, position: Position, message: impl Into<String>) {
        let message = message.into();
        if let Some(i) = self.known.get(&message) {
            self.list[*i].2 += 1;
        } else if self.list.len() < Self::MOST {
            self.known.insert(message.clone(), self.list.len());
            self.list.push((position, message, 1));
        } else {
            self.beyond.get_or_insert((position, 0)).1 += 1;
        }
    }

    /// The warnings in the order of the file.
    pub(crate) fn finish(self) -> Vec<Warning> {
        let mut warnings: Vec<Warning> = self
            .list
            .into_iter()
            .map(|(at, message, times)| match times {
                1 => Warning { line: at.line, column: at.column, message },
                _ => Warning {
                    line: at.line,
                    column: at.column,
                    message: format!("{message} ({times} times, here first)"),
                },
            })
            .collect();
        if let Some((at, more)) = self.beyond {
            let message = format!("there are {more} more warnings, from here on");
            warnings.push(Warning { line: at.line, column: at.column, message });
        }
        warnings.sort_by_key(|w| (w.line, w.column));
        warnings
    }
}
