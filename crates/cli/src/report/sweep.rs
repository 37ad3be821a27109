//! How a sweep went, for people and programs.

use std::io::{self, Write};

use serde_json::{Map, Value, json};
use sweepnet_net::{Marking, Net};
use sweepnet_space::report::{Regress, RegressStep};
use sweepnet_space::{Report, Swept};

use super::json::marking;
use crate::quantity::{bytes, counted, grouped};
use crate::sweeping::shortened;

/// What is told of a sweep: headings and lines.
pub fn lines(swept: &Swept, report: &Report) -> Vec<(&'static str, String)> {
    let behind = match swept.behind {
        0 => String::new(),
        n => format!("; kept up to {} behind", grouped(n)),
    };
    let mut lines = vec![("progress measure", format!("{}{behind}", shortened(&swept.measure)))];
    let values = counted(swept.values, "progress value");
    let sweeps = counted(swept.sweeps, "sweep");
    let losses = match swept.regress_edges {
        0 => "no step lost progress".to_owned(),
        n => format!("{} lost progress", counted(n, "step")),
    };
    lines.push(("sweeps", format!("{sweeps} over {values}; {losses}")));
    let persistent = match swept.persistent {
        0 => String::new(),
        n => format!(", {} for ever", grouped(n)),
    };
    let kept =
        format!("{} at most{persistent}; {} dropped", grouped(report.peak_states), grouped(swept.dropped));
    lines.push(("states kept", kept));
    if swept.spooled > 0 {
        lines.push(("on disk", format!("{}, for traces", bytes(swept.spooled))));
    }
    lines
}

/// The same as JSON.
pub fn json(net: &Net, swept: &Swept) -> Value {
    json!({
        "measure": swept.measure,
        "behind": swept.behind,
        "sweeps": swept.sweeps,
        "values": swept.values,
        "regress_edges": swept.regress_edges,
        "persistent": swept.persistent,
        "dropped": swept.dropped,
        "spooled_bytes": swept.spooled,
        "regress": swept.regress.as_ref().map(|regress| json_regress(net, regress)),
    })
}

/// The step that ended a sweep.
fn json_regress(net: &Net, regress: &Regress) -> Value {
    let counts = |tokens: &[(String, u64)]| -> Value {
        tokens.iter().map(|(name, count)| (name.clone(), (*count).into())).collect::<Map<_, _>>().into()
    };
    let (transition, source, target) = match &regress.step {
        RegressStep::Plain { source, event, target } => {
            (&*net.transition(*event).id, marking(net, source), marking(net, target))
        }
        RegressStep::Coloured { source, event, target } => (&**event, counts(source), counts(target)),
    };
    json!({
        "transition": transition,
        "source": source,
        "target": target,
        "from": regress.from,
        "to": regress.to,
    })
}

/// Shows the step that ended a sweep, if one did.
pub fn print_regress(out: &mut impl Write, net: &Net, report: &Report) -> io::Result<()> {
    let Some(regress) = report.swept.as_ref().and_then(|swept| swept.regress.as_ref()) else { return Ok(()) };
    let plain = |marking: &Marking| {
        tokens(marking.marked().map(|(place, count)| (net.place(place).id.to_string(), count)))
    };
    let (source, event, target) = match &regress.step {
        RegressStep::Plain { source, event, target } => {
            (plain(source), net.transition(*event).id.to_string(), plain(target))
        }
        RegressStep::Coloured { source, event, target } => {
            (tokens(source.iter().cloned()), event.clone(), tokens(target.iter().cloned()))
        }
    };
    writeln!(out, "  at progress {}  {source}", value(&regress.from))?;
    writeln!(out, "  fires          {event}")?;
    writeln!(out, "  to progress {}  {target}", value(&regress.to))
}

/// Tokens by their names and counts.
fn tokens(tokens: impl Iterator<Item = (String, u64)>) -> String {
    let words = tokens.map(|(name, count)| match count {
        1 => name,
        _ => format!("{} {name}", grouped(count)),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A progress value.
pub fn value(value: &[i64]) -> String {
    match value {
        [one] => grouped(*one),
        many => format!("({})", many.iter().map(|n| grouped(*n)).collect::<Vec<_>>().join(", ")),
    }
}
