//! Writes PNML: one net on one page. Read, inhibitor and reset arcs carry `<type value="…"/>`, which other tools
//! understand, too; a unit structure goes into a NUPN section.

use std::collections::HashSet;
use std::io::Write;

use sweepnet_net::{Net, Units};

use super::attributes::{is_legal, trim};
use super::escape::escape;
use crate::names::Names;
use crate::warning::of_net;
use crate::{Format, Warning, WriteError};

/// Writes a net.
pub(crate) fn write(net: &Net, out: &mut impl Write) -> Result<Vec<Warning>, WriteError> {
    let legal = |id: &str| !id.is_empty() && trim(id).len() == id.len() && id.chars().all(is_legal);
    let legal_char = |c: char| is_legal(c) && !matches!(c, ' ' | '\t' | '\n' | '\r');
    // Places and transitions share their ids with each other, and with the page and the arcs.
    let mut taken = HashSet::new();
    let places = Names::new(net.places().iter().map(|p| &*p.id), &mut taken, legal, legal_char);
    let transitions = Names::new(net.transitions().iter().map(|t| &*t.id), &mut taken, legal, legal_char);
    let place_name = |p: sweepnet_net::PlaceId| escape(places.get(p.index(), &net.place(p).id));

    let mut warnings = Vec::new();
    warnings.extend(places.warning(Format::Pnml, "places"));
    warnings.extend(transitions.warning(Format::Pnml, "transitions"));
    let mut labels = LabelWriter { changed: 0 };

    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">")?;
    let net_id =
        if legal(&net.name) && !taken.contains(&net.name) { escape(&net.name) } else { "net".into() };
    writeln!(out, "<net id=\"{net_id}\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">")?;
    labels.write(out, Some(&net.name))?;
    writeln!(out)?;
    writeln!(out, "<page id=\"{}\">", unused(&taken, "page"))?;
    for p in net.place_ids() {
        let place = net.place(p);
        write!(out, "<place id=\"{}\">", place_name(p))?;
        let old_id = places.is_changed(p.index()).then_some(&*place.id);
        labels.write(out, place.label.as_deref().or(old_id))?;
        if place.initial > 0 {
            write!(out, "<initialMarking><text>{}</text></initialMarking>", place.initial)?;
        }
        writeln!(out, "</place>")?;
    }
    for t in net.transition_ids() {
        let transition = net.transition(t);
        write!(out, "<transition id=\"{}\">", escape(transitions.get(t.index(), &transition.id)))?;
        let old_id = transitions.is_changed(t.index()).then_some(&*transition.id);
        labels.write(out, transition.label.as_deref().or(old_id))?;
        writeln!(out, "</transition>")?;
    }
    let prefix = unused_prefix(&taken);
    let mut number = 0_u64;
    for t in net.transition_ids() {
        let transition = escape(transitions.get(t.index(), &net.transition(t).id));
        let kinds = [
            (net.inputs(), ""),
            (net.reads(), "read"),
            (net.inhibitors(), "inhibitor"),
            (net.resets(), "reset"),
            (net.outputs(), "output"),
        ];
        for (arcs, kind) in kinds {
            for arc in arcs.of(t) {
                number += 1;
                let place = place_name(arc.place);
                let (source, target) =
                    if kind == "output" { (&transition, &place) } else { (&place, &transition) };
                write!(out, "<arc id=\"{prefix}{number}\" source=\"{source}\" target=\"{target}\">")?;
                if arc.weight != 1 {
                    write!(out, "<inscription><text>{}</text></inscription>", arc.weight)?;
                }
                if !matches!(kind, "" | "output") {
                    write!(out, "<type value=\"{kind}\"/>")?;
                }
                writeln!(out, "</arc>")?;
            }
        }
    }
    writeln!(out, "</page>")?;
    if let Some(units) = net.units() {
        let place_ids: Vec<&str> = net.place_ids().map(|p| places.get(p.index(), &net.place(p).id)).collect();
        warnings.extend(write_units(net, units, &place_ids, out)?);
    }
    writeln!(out, "</net>")?;
    writeln!(out, "</pnml>")?;
    if labels.changed > 0 {
        let n = labels.changed;
        warnings.push(of_net(format!("{n} names lose characters or outer blanks that PNML cannot carry")));
    }
    Ok(warnings)
}

struct LabelWriter {
    /// How many come back otherwise than they are.
    changed: usize,
}

impl LabelWriter {
    fn write(&mut self, out: &mut impl Write, label: Option<&str>) -> Result<(), WriteError> {
        if let Some(label) = label {
            if trim(label).len() != label.len() || !label.chars().all(is_legal) {
                self.changed += 1;
            }
            write!(out, "<name><text>{}</text></name>", escape(label))?;
        }
        Ok(())
    }
}

/// Units as NUPN lists them: ids between blanks. Ids with blanks inside cannot be listed.
fn write_units(
    net: &Net,
    units: &Units,
    place_ids: &[&str],
    out: &mut impl Write,
) -> Result<Option<Warning>, WriteError> {
    let blank = |id: &str| {
        id.is_empty() || id.contains(|c: char| c.is_ascii_whitespace()) || !id.chars().all(is_legal)
    };
    let unit_ids = units.units.iter().map(|unit| &*unit.id);
    if let Some(id) = unit_ids.chain(place_ids.iter().copied()).find(|id| blank(id)) {
        let message = format!("the unit structure is not written: the name '{id}' cannot stand in its lists");
        return Ok(Some(of_net(message)));
    }
    let (safe, count) = (units.safe, units.units.len());
    let root = escape(units.units.get(units.root).map_or("", |unit| &unit.id));
    writeln!(out, "<toolspecific tool=\"nupn\" version=\"1.1\">")?;
    let (places, transitions, arcs) = (net.places().len(), net.transitions().len(), net.arc_count());
    writeln!(out, "<size places=\"{places}\" transitions=\"{transitions}\" arcs=\"{arcs}\"/>")?;
    writeln!(out, "<structure units=\"{count}\" root=\"{root}\" safe=\"{safe}\">")?;
    for unit in &units.units {
        let places: Vec<_> = unit.places.iter().map(|p| escape(place_ids[p.index()])).collect();
        let subunits: Vec<_> = unit.subunits.iter().map(|u| escape(&units.units[*u].id)).collect();
        write!(out, "<unit id=\"{}\"><places>{}</places>", escape(&unit.id), places.join(" "))?;
        writeln!(out, "<subunits>{}</subunits></unit>", subunits.join(" "))?;
    }
    writeln!(out, "</structure>")?;
    writeln!(out, "</toolspecific>")?;
    Ok(None)
}

/// A name like this one that no node has.
fn unused(taken: &HashSet<String>, name: &str) -> String {
    let mut name = name.to_owned();
    while taken.contains(&name) {
        name.push('_');
    }
    name
}

/// A beginning of names that no node has with a number behind it.
fn unused_prefix(taken: &HashSet<String>) -> String {
    let mut prefix = String::from("a");
    let clashes = |prefix: &str| {
        let rest = taken.iter().filter_map(|id| id.strip_prefix(prefix));
        rest.into_iter().any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    while clashes(&prefix) {
        prefix.push('_');
    }
    prefix
}
