//! Traces for people: each event with what it changes.

use std::io::{self, Write};

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::Trace;

use crate::quantity::grouped;

/// A transition's name for people: its id, and its label where it has one.
pub fn transition_name(net: &Net, t: TransitionId) -> String {
    let transition = net.transition(t);
    match &transition.label {
        Some(label) => format!("{} ({label})", transition.id),
        None => transition.id.to_string(),
    }
}

/// Marked places shown in one line.
const PLACES_SHOWN: usize = 60;

/// A marking in one line: the marked places, with their counts where they are not 1; all of them if `full`.
pub fn marking_line(net: &Net, marking: &Marking, full: bool) -> String {
    let place = |(p, count)| match count {
        1 => net.place(p).id.to_string(),
        count => format!("{}:{}", net.place(p).id, grouped(count)),
    };
    let most = if full { usize::MAX } else { PLACES_SHOWN };
    let text = marking.marked().take(most).map(place).collect::<Vec<_>>().join(" ");
    match marking.marked().count() {
        0 => "no tokens at all".to_owned(),
        count if count > most => format!("{text} … and {} more", grouped((count - most) as u64)),
        _ => text,
    }
}

/// What an event changes, in one line: `p -1  q +2`.
pub fn changes(net: &Net, before: &Marking, after: &Marking) -> String {
    let changed = net.place_ids().filter(|p| before[*p] != after[*p]);
    let change = changed.map(|p| {
        let id = &net.place(p).id;
        if after[p] > before[p] {
            format!("{id} +{}", grouped(after[p] - before[p]))
        } else {
            format!("{id} -{}", grouped(before[p] - after[p]))
        }
    });
    let text = change.collect::<Vec<_>>().join("  ");
    if text.is_empty() { "(no change)".to_owned() } else { text }
}

/// Names up to this width are aligned.
const WIDEST: usize = 40;

/// Of traces longer than twice this, only so many steps at both ends are shown.
const STEPS_SHOWN: usize = 1_000;

/// Prints a trace, each step with what it changes; with `full` every step and every marking.
pub fn print(out: &mut impl Write, net: &Net, trace: &Trace, full: bool, indent: &str) -> io::Result<()> {
    let steps = trace.events.len();
    let shown =
        |step: usize| full || steps <= 2 * STEPS_SHOWN || step < STEPS_SHOWN || step >= steps - STEPS_SHOWN;
    let names = trace.events.iter().enumerate().filter(|(step, _)| shown(*step));
    // Long names do not push everything else aside: what they change then follows after two blanks.
    let widths = names.map(|(_, t)| transition_name(net, *t).chars().count());
    let width = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let number_width = steps.to_string().len();
    let mut marking = net.initial_marking();
    if full || steps == 0 {
        writeln!(out, "{indent}{:>number_width$}  {}", 0, marking_line(net, &marking, full))?;
    }
    for (step, event) in trace.events.iter().enumerate() {
        let before = shown(step).then(|| marking.clone());
        net.fire_in(&mut marking, *event).map_err(io::Error::other)?;
        if let Some(before) = before {
            let (name, number) = (transition_name(net, *event), step + 1);
            let changes = changes(net, &before, &marking);
            writeln!(out, "{indent}{number:>number_width$}  {name:<width$}  {changes}")?;
            if full {
                writeln!(out, "{indent}{:>number_width$}  {}", "", marking_line(net, &marking, full))?;
            }
        } else if step == STEPS_SHOWN {
            let hidden = grouped((steps - 2 * STEPS_SHOWN) as u64);
            writeln!(out, "{indent}… {hidden} steps left out (--full shows all)")?;
        }
    }
    if !full && steps > 0 {
        writeln!(out, "{indent}ends in {}", marking_line(net, trace.last(), full))?;
    }
    Ok(())
}
