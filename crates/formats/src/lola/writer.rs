//! Writes LoLA's low-level nets. There are only arcs that take and give; a read arc is written as taking and
//! giving back, which is exactly as strong: to see `w` tokens where `a` are taken and `b` given, take
//! `max(a, w)` and give `b + max(a, w) - a`.

use std::collections::HashSet;
use std::io::Write;

use sweepnet_net::{Arc, Arcs, Net, PlaceId, TransitionId};

use super::lexer::{is_name, is_name_char};
use crate::names::Names;
use crate::warning::of_net;
use crate::{Format, Warning, WriteError};

/// Writes a net, or refuses inhibitor and reset arcs.
pub(crate) fn write(net: &Net, out: &mut impl Write) -> Result<Vec<Warning>, WriteError> {
    for t in net.transition_ids() {
        refuse(net, t, net.inhibitors(), "inhibitor")?;
        refuse(net, t, net.resets(), "reset")?;
    }
    let names_of = |ids: Vec<&str>| Names::new(ids.into_iter(), &mut HashSet::new(), is_name, is_name_char);
    let places = names_of(net.places().iter().map(|p| &*p.id).collect());
    let transitions = names_of(net.transitions().iter().map(|t| &*t.id).collect());
    let place_name = |p: PlaceId| places.get(p.index(), &net.place(p).id);

    let all = net.place_ids().map(|p| place_name(p).to_owned());
    write_list(out, "PLACE", all)?;
    let marked = net.place_ids().filter(|p| net.place(*p).initial > 0);
    write_list(out, "MARKING", marked.map(|p| numbered(place_name(p), net.place(p).initial)))?;
    for t in net.transition_ids() {
        let (consume, produce) = consumed_and_produced(net, t)?;
        writeln!(out, "TRANSITION {}", transitions.get(t.index(), &net.transition(t).id))?;
        let text = |arcs: Vec<Arc>| arcs.into_iter().map(|arc| numbered(place_name(arc.place), arc.weight));
        write_list(out, "CONSUME", text(consume))?;
        write_list(out, "PRODUCE", text(produce))?;
    }

    let mut warnings = Vec::new();
    warnings.extend(places.warning(Format::Lola, "places"));
    warnings.extend(transitions.warning(Format::Lola, "transitions"));
    let labelled = net.places().iter().any(|p| p.label.is_some());
    if labelled || net.transitions().iter().any(|t| t.label.is_some()) {
        warnings.push(of_net("labels are not written: LoLA has none, only ids".to_owned()));
    }
    if net.units().is_some() {
        warnings.push(of_net("the unit structure is not written: LoLA has none".to_owned()));
    }
    Ok(warnings)
}

fn refuse(net: &Net, t: TransitionId, arcs: &Arcs, what: &'static str) -> Result<(), WriteError> {
    let Some(arc) = arcs.of(t).first() else { return Ok(()) };
    let (place, transition) = (net.place(arc.place).id.to_string(), net.transition(t).id.to_string());
    Err(WriteError::NoSuchArc { format: Format::Lola, what, place, transition })
}

/// Input and output arcs that also say what the read arcs say.
fn consumed_and_produced(net: &Net, t: TransitionId) -> Result<(Vec<Arc>, Vec<Arc>), WriteError> {
    let mut consume = net.inputs().of(t).to_vec();
    let mut produce = net.outputs().of(t).to_vec();
    for read in net.reads().of(t) {
        let taken = net.inputs().weight(t, read.place);
        let more = read.weight.saturating_sub(taken);
        if more == 0 {
            continue;
        }
        let too_large = || WriteError::TooLarge {
            place: net.place(read.place).id.to_string(),
            transition: net.transition(t).id.to_string(),
        };
        raise(&mut consume, read.place, more).ok_or_else(too_large)?;
        raise(&mut produce, read.place, more).ok_or_else(too_large)?;
    }
    Ok((consume, produce))
}

/// Adds to the weight of a place in a list of arcs.
fn raise(arcs: &mut Vec<Arc>, place: PlaceId, more: u64) -> Option<()> {
    match arcs.binary_search_by_key(&place, |arc| arc.place) {
        Ok(i) => arcs[i].weight = arcs[i].weight.checked_add(more)?,
        Err(i) => arcs.insert(i, Arc { place, weight: more }),
    }
    Some(())
}

fn numbered(name: &str, number: u64) -> String {
    match number {
        1 => name.to_owned(),
        _ => format!("{name}: {number}"),
    }
}

fn write_list(
    out: &mut impl Write,
    keyword: &str,
    items: impl Iterator<Item = String>,
) -> Result<(), WriteError> {
    write!(out, "{keyword}")?;
    for (i, item) in items.enumerate() {
        let separator = if i == 0 { " " } else { ", " };
        write!(out, "{separator}{item}")?;
    }
    writeln!(out, ";")?;
    Ok(())
}
