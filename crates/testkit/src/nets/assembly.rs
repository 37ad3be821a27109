//! A net that can be made as wide as one likes while as much happens in it as before.

use sweepnet_net::Net;

use super::family;

/// A circular line of `stations` with some `jobs` on it, evenly spread. A station is free, at work on a job, or done
/// with it; it may do it again, or pass it on if the next station is free.
///
/// It has 3 places and 3 transitions for each station, and at most two transitions are enabled for each job, however
/// many stations there are: what an event costs can be compared between widths.
///
/// # Panics
/// If there are not more stations than jobs.
pub fn assembly_line(stations: usize, jobs: usize) -> Net {
    assert!(jobs < stations, "a job needs room to move");
    let mut transitions = Vec::new();
    for here in 0..stations {
        let next = (here + 1) % stations;
        transitions.push(format!("finish{here}: work{here} -> done{here}"));
        transitions.push(format!("redo{here}: done{here} -> work{here}"));
        transitions.push(format!("pass{here}: done{here} free{next} -> free{here} work{next}"));
    }
    let has_job = |station: usize| (0..jobs).any(|job| job * stations / jobs == station);
    let names: Vec<String> = (0..stations)
        .map(|station| format!("{}{station}", if has_job(station) { "work" } else { "free" }))
        .collect();
    let initial: Vec<(&str, u64)> = names.iter().map(|place| (place.as_str(), 1)).collect();
    family(&format!("Assembly line {stations}"), &initial, &transitions)
}
