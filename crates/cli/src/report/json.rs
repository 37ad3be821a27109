//! JSON parts that several commands share.

use serde_json::{Map, Value, json};
use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_space::{Pump, Report, SearchChoice, Trace};

use super::{components, stop, sweep, window};

/// What a search was and found: the fields that `explore` and `check` have in common.
pub fn search(net: &Net, report: &Report) -> Map<String, Value> {
    let counts = report.counts;
    let seconds = report.time.as_secs_f64();
    let by_levels = matches!(report.search, SearchChoice::BreadthFirst | SearchChoice::Window);
    let depth_first = report.search == SearchChoice::DepthFirst;
    // What a sweep counts more than once is not the number of anything.
    let exactly = |n: u64| report.distinct().map(|_| n);
    let fields = json!({
        "search": report.search.name(),
        "codec": report.codec.name(),
        "store": report.store.name(),
        "threads": report.threads,
        "status": if report.is_complete() { "complete" } else { "stopped" },
        "reason": report.stopped.map(stop::word),
        "states": report.distinct(),
        "arcs": exactly(counts.arcs),
        "explored": counts.explored,
        "deadlocks": if counts.deadlocks == 0 { Some(0) } else { exactly(counts.deadlocks) },
        "levels": by_levels.then_some(counts.depth),
        "depth": depth_first.then_some(counts.depth),
        "sweep": report.swept.as_ref().map(|swept| sweep::json(net, swept)),
        "window": report.windowed.as_ref().map(window::json),
        "key_bits": report.key_bits,
        "bits_per_state": report.bits_per_state(),
        "store_bytes": report.store_bytes,
        "table_bytes": report.table_bytes,
        "search_bytes": report.search_bytes,
        "peak_states": report.peak_states,
        "widenings": report.widenings,
        "components": report.components.as_ref().map(|parts| components::json(parts, report.states)),
        "peak_resident_bytes": sweepnet_space::budget::peak_resident_bytes(),
        "seconds": seconds,
        "states_per_second": if seconds > 0.0 { report.states as f64 / seconds } else { 0.0 },
    });
    match fields {
        Value::Object(map) => map,
        _ => unreachable!("it is an object"),
    }
}

/// The marked places with their counts.
pub fn marking(net: &Net, marking: &Marking) -> Value {
    marking
        .marked()
        .map(|(p, count)| (net.place(p).id.to_string(), count.into()))
        .collect::<Map<_, _>>()
        .into()
}

fn names(net: &Net, events: &[TransitionId]) -> Value {
    events.iter().map(|t| Value::from(&*net.transition(*t).id)).collect()
}

/// Traces whose markings have more entries than this together come without them: they can be computed from the
/// events, and would fill the memory.
const ENTRIES_SHOWN: usize = 200_000;

/// Whether the markings of a trace have few entries. Only what an event touches is looked at.
fn is_short(net: &Net, trace: &Trace) -> bool {
    let mut here = net.initial_marking();
    let mut marked = here.marked().count();
    let mut entries = marked + 1;
    trace.events.iter().all(|event| {
        let kinds = [net.inputs(), net.outputs(), net.resets()];
        let mut touched: Vec<PlaceId> =
            kinds.iter().flat_map(|arcs| arcs.of(*event)).map(|arc| arc.place).collect();
        touched.sort_unstable();
        touched.dedup();
        let of_these = |marking: &Marking| touched.iter().filter(|place| marking[**place] > 0).count();
        marked -= of_these(&here);
        let fires = net.fire_in(&mut here, *event).is_ok();
        marked += of_these(&here);
        entries += marked + 1;
        fires && entries <= ENTRIES_SHOWN
    })
}

/// A trace: its events, and every marking it leads through.
pub fn trace(net: &Net, trace: &Trace) -> Value {
    let markings = || {
        let mut markings = Vec::with_capacity(trace.events.len() + 1);
        trace.walk(net, |here| markings.push(marking(net, here)));
        markings
    };
    json!({
        "length": trace.events.len(),
        "events": names(net, &trace.events),
        "markings": is_short(net, trace).then(markings),
        "end": marking(net, trace.last()),
    })
}

/// How it is seen that a net is unbounded.
pub fn growth(net: &Net, pump: &Pump) -> Value {
    let places = pump.places.iter().map(|(p, more)| (net.place(*p).id.to_string(), (*more).into()));
    json!({
        "prefix": names(net, &pump.prefix),
        "cycle": names(net, &pump.cycle),
        "places": places.collect::<Map<_, _>>(),
    })
}

/// A number that may be too large for 64 bits: then it is a string.
pub fn number(value: i128) -> Value {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(signed), _) => signed.into(),
        (_, Ok(unsigned)) => unsigned.into(),
        _ => value.to_string().into(),
    }
}

/// Warnings about a file, and others, as strings.
pub fn warnings(warnings: &[sweepnet_formats::Warning], others: &[String]) -> Value {
    let others = others.iter().cloned().map(Value::from);
    warnings.iter().map(|warning| Value::from(warning.to_string())).chain(others).collect()
}
