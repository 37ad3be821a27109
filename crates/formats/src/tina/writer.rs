//! Writes TINA's format: all places in order, then all transitions with their arcs.

use std::collections::HashSet;
use std::io::Write;

use sweepnet_net::Net;

use super::lexer::{KEYWORDS, is_word_char};
use crate::names::Names;
use crate::warning::of_net;
use crate::{Format, Warning, WriteError};

/// Writes a net, or refuses reset arcs.
pub(crate) fn write(net: &Net, out: &mut impl Write) -> Result<Vec<Warning>, WriteError> {
    for t in net.transition_ids() {
        if let Some(arc) = net.resets().of(t).first() {
            let place = net.place(arc.place).id.to_string();
            let transition = net.transition(t).id.to_string();
            return Err(WriteError::NoSuchArc { format: Format::Tina, what: "reset", place, transition });
        }
    }
    // Braces hold any name but the empty one.
    let legal = |id: &str| !id.is_empty();
    let place_names = Names::new(net.places().iter().map(|p| &*p.id), &mut HashSet::new(), legal, |_| true);
    let names = Names::new(net.transitions().iter().map(|t| &*t.id), &mut HashSet::new(), legal, |_| true);
    let place_name = |p: sweepnet_net::PlaceId| quoted(place_names.get(p.index(), &net.place(p).id));

    // A file needs at least one declaration.
    if !net.name.is_empty() || net.places().is_empty() && net.transitions().is_empty() {
        writeln!(out, "net {}", quoted(&net.name))?;
    }
    for p in net.place_ids() {
        let place = net.place(p);
        write!(out, "pl {}", place_name(p))?;
        label(out, place.label.as_deref())?;
        match place.initial {
            0 => writeln!(out)?,
            tokens => writeln!(out, " ({tokens})")?,
        }
    }
    for t in net.transition_ids() {
        let transition = net.transition(t);
        write!(out, "tr {}", quoted(names.get(t.index(), &transition.id)))?;
        label(out, transition.label.as_deref())?;
        for (arcs, mark) in [(net.inputs(), "*"), (net.reads(), "?"), (net.inhibitors(), "?-")] {
            for arc in arcs.of(t) {
                write!(out, " {}", place_name(arc.place))?;
                if mark != "*" || arc.weight != 1 {
                    write!(out, "{mark}{}", arc.weight)?;
                }
            }
        }
        write!(out, " ->")?;
        for arc in net.outputs().of(t) {
            write!(out, " {}", place_name(arc.place))?;
            if arc.weight != 1 {
                write!(out, "*{}", arc.weight)?;
            }
        }
        writeln!(out)?;
    }
    let mut warnings = Vec::new();
    warnings.extend(place_names.warning(Format::Tina, "places"));
    warnings.extend(names.warning(Format::Tina, "transitions"));
    if net.units().is_some() {
        warnings.push(of_net("the unit structure is not written: TINA has none".to_owned()));
    }
    Ok(warnings)
}

fn label(out: &mut impl Write, label: Option<&str>) -> Result<(), WriteError> {
    if let Some(label) = label.filter(|label| !label.is_empty()) {
        write!(out, " : {}", quoted(label))?;
    }
    Ok(())
}

/// A name as it is if it can stand so, else in braces.
fn quoted(name: &str) -> String {
    if name.chars().all(is_word_char) && !name.is_empty() && !KEYWORDS.contains(&name) {
        return name.to_owned();
    }
    let mut text = String::from("{");
    for c in name.chars() {
        if matches!(c, '{' | '}' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push('}');
    text
}
