//! Sums and lists in words.

use std::io::{self, Write};

use serde_json::{Map, Value};
use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::quantity::grouped;
use crate::report::json::number;

/// Lines shown of a long list.
const LINES: usize = 12;

/// The id of the place at a position.
pub fn place(net: &Net, at: usize) -> &str {
    &net.place(PlaceId::new(at)).id
}

/// The id of the transition at a position.
pub fn transition(net: &Net, at: usize) -> &str {
    &net.transition(TransitionId::new(at)).id
}

/// A weighted sum: `p + 2 q`.
pub fn sum<'a>(terms: impl Iterator<Item = (&'a str, i128)>) -> String {
    let mut text = String::new();
    for (name, factor) in terms {
        let sign = match (text.is_empty(), factor < 0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(sign);
        if factor.unsigned_abs() != 1 {
            text.push_str(&format!("{} ", factor.unsigned_abs()));
        }
        text.push_str(name);
    }
    text
}

/// Weights by name.
pub fn weights<'a>(terms: impl Iterator<Item = (&'a str, i128)>) -> Map<String, Value> {
    terms.map(|(name, weight)| (name.to_owned(), number(weight))).collect()
}

/// A titled list, cut where it is long unless all is wanted; nothing if it is empty.
pub fn section(
    out: &mut impl Write,
    title: &str,
    lines: impl ExactSizeIterator<Item = String>,
    full: bool,
) -> io::Result<()> {
    let count = lines.len();
    if count == 0 {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    let shown = if full { count } else { LINES.min(count) };
    for line in lines.take(shown) {
        let cut = if full { None } else { line.char_indices().nth(160).map(|(at, _)| at) };
        match cut {
            Some(at) => writeln!(out, "  {} …", &line[..at])?,
            None => writeln!(out, "  {line}")?,
        }
    }
    if shown < count {
        writeln!(out, "  … and {} more (--full shows all)", grouped((count - shown) as u64))?;
    }
    Ok(())
}
