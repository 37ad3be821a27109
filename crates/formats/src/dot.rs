//! Draws a net for Graphviz, as textbooks do: places are circles with their tokens, transitions are boxes.
//! Inhibitor arcs end in a small circle, read arcs are dashed without a head, reset arcs have a double head.

use std::io::Write;

use sweepnet_net::Net;

use crate::{Warning, WriteError};

/// Writes a drawing.
pub(crate) fn write(net: &Net, out: &mut impl Write) -> Result<Vec<Warning>, WriteError> {
    writeln!(out, "digraph \"{}\" {{", escape(&net.name))?;
    writeln!(out, "  node [shape=circle];")?;
    for p in net.place_ids() {
        let place = net.place(p);
        let label = escape(place.label.as_deref().unwrap_or(&place.id));
        let tokens = match place.initial {
            0 => String::new(),
            n @ 1..=4 => "●".repeat(n as usize),
            n => n.to_string(),
        };
        writeln!(out, "  p{} [label=\"{tokens}\", xlabel=\"{label}\"];", p.index())?;
    }
    writeln!(out, "  node [shape=box];")?;
    for t in net.transition_ids() {
        let transition = net.transition(t);
        let label = escape(transition.label.as_deref().unwrap_or(&transition.id));
        writeln!(out, "  t{} [label=\"{label}\"];", t.index())?;
    }
    for t in net.transition_ids() {
        let kinds = [
            (net.inputs(), ""),
            (net.reads(), "style=dashed, arrowhead=none"),
            (net.inhibitors(), "arrowhead=odot"),
            (net.resets(), "arrowhead=normalnormal"),
        ];
        for (arcs, style) in kinds {
            for arc in arcs.of(t) {
                writeln!(
                    out,
                    "  p{} -> t{}{};",
                    arc.place.index(),
                    t.index(),
                    attributes(style, arc.weight)
                )?;
            }
        }
        for arc in net.outputs().of(t) {
            writeln!(out, "  t{} -> p{}{};", t.index(), arc.place.index(), attributes("", arc.weight))?;
        }
    }
    writeln!(out, "}}")?;
    Ok(Vec::new())
}

fn attributes(style: &str, weight: u64) -> String {
    let weight = if weight == 1 { String::new() } else { format!("label=\"{weight}\"") };
    match (style, weight.as_str()) {
        ("", "") => String::new(),
        ("", one) | (one, "") => format!(" [{one}]"),
        (style, weight) => format!(" [{style}, {weight}]"),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "\\n")
}
