//! The components of a net, in lines and in JSON.

use serde_json::{Value, json};
use sweepnet_space::product::partition::Proposer;
use sweepnet_space::{Components, Report};

use crate::quantity::{bytes, grouped};

/// Numbers shown before a product is cut.
const FACTORS: usize = 12;

/// A proposer's name in JSON: that of the choice which leaves the word to it alone, where there is one.
pub fn proposer(proposer: Proposer) -> &'static str {
    match proposer {
        Proposer::Semiflows => "semiflows",
        Proposer::Units => "units",
        Proposer::FileOrder => "file",
        Proposer::Names => "names",
        Proposer::Colours => "colours",
        Proposer::Clusters => "clusters",
        Proposer::One => "one",
        Proposer::Given => "given",
    }
}

/// log2(S/R): how many times more ranks there are than states.
fn slack(components: &Components, states: u64) -> f64 {
    components.log2_ranks - (states.max(1) as f64).log2()
}

/// `56 × 56 × 56`
fn product(numbers: &[u32]) -> String {
    let mut factors: Vec<String> = numbers.iter().take(FACTORS).map(|n| grouped(*n)).collect();
    if numbers.len() > FACTORS {
        factors.push("…".to_owned());
    }
    factors.join(" × ")
}

/// How many there are, how large, and how well they fit, in a line.
pub fn line(components: &Components, states: u64) -> String {
    let count = grouped(components.local_markings.len() as u64);
    let (last, others) = match components.local_markings.split_last() {
        Some((last, others)) if components.determined => (Some(*last), others),
        _ => (None, &components.local_markings[..]),
    };
    let mut text = format!("{count}: {} local markings", product(others));
    if let Some(last) = last {
        text.push_str(&format!(", {} that follow", grouped(last)));
    }
    match components.complements.len() {
        0 => {}
        1 => text.push_str(", without 1 complement"),
        count => text.push_str(&format!(", without {} complements", grouped(count as u64))),
    }
    text.push_str(&format!(", log2(S/R) {:.1}", slack(components, states).max(0.0)));
    match components.changes {
        0 => {}
        1 => text.push_str(", changed once"),
        times => text.push_str(&format!(", changed {} times", grouped(times))),
    }
    text
}

/// The bytes of the local tables, in a line.
pub fn tables(report: &Report) -> String {
    let each = match report.states {
        // Of a handful of states, the bytes of each say nothing.
        0..1_000 => String::new(),
        states => format!(", {:.1} bytes a state", report.table_bytes as f64 / states as f64),
    };
    format!("{}{each}", bytes(report.table_bytes as u64))
}

/// The components as JSON.
pub fn json(components: &Components, states: u64) -> Value {
    json!({
        "count": components.local_markings.len(),
        "proposer": proposer(components.partition.proposer),
        "local_markings": components.local_markings,
        "determined": components.determined,
        "complements": components.complements.len(),
        "log2_ranks": components.log2_ranks,
        "log2_slack": slack(components, states),
        "changes": components.changes,
        "reason": components.reason,
    })
}
