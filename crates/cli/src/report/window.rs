//! How a search in a window went, for people and programs.

use serde_json::{Value, json};
use sweepnet_space::{Report, Windowed};

use crate::quantity::{bytes, counted, grouped};

/// What is told of a window: headings and lines.
pub fn lines(windowed: &Windowed, report: &Report) -> Vec<(&'static str, String)> {
    let is_integral = if windowed.integral { "integral" } else { "not known to be integral" };
    let flows = counted(windowed.semiflows as u64, "semiflow");
    let guide = format!("{flows}, {is_integral}: {}", windowed.integrality);
    let levels = counted(u64::try_from(windowed.window).unwrap_or(u64::MAX), "level");
    let bits = windowed.written as f64 * 8.0 / report.states.max(1) as f64;
    let array = format!(
        "{levels} and the one under way; at most {} of {}, {}, {bits:.1} bits a state",
        bytes(windowed.used),
        bytes(windowed.bytes),
        counted(windowed.rounds, "round"),
    );
    let flag = match windowed.dropped {
        0 => "up: nothing was dropped".to_owned(),
        n => format!("down: {} dropped", counted(n, "marking")),
    };
    let mut lines = vec![
        ("T-semiflows", guide),
        ("window", array),
        ("states kept", format!("{} at most", grouped(report.peak_states))),
        ("complete flag", flag),
    ];
    if windowed.overflowed {
        let (levels, states) = (counted(windowed.levels, "level"), counted(report.states, "state"));
        lines.push(("overflow", format!("after {levels}, {states}")));
    }
    if windowed.spooled > 0 {
        lines.push(("on disk", format!("{}, for traces", bytes(windowed.spooled))));
    }
    lines
}

/// The same as JSON.
pub fn json(windowed: &Windowed) -> Value {
    json!({
        "semiflows": windowed.semiflows,
        "integral": windowed.integral,
        "integrality": windowed.integrality,
        "levels": u64::try_from(windowed.window).unwrap_or(u64::MAX),
        "bytes": windowed.bytes,
        "used_bytes": windowed.used,
        "written_bytes": windowed.written,
        "rounds": windowed.rounds,
        "complete": windowed.dropped == 0,
        "dropped": windowed.dropped,
        "overflowed": windowed.overflowed,
        "spooled_bytes": windowed.spooled,
    })
}
