//! Siphons and traps in words.

use serde_json::{Value, json};
use sweepnet_net::{Net, PlaceId};
use sweepnet_structure::siphons::PlaceSets;
use sweepnet_structure::{Class, GoOn, Limit, Siphons, Stop};

use crate::quantity::grouped;
use crate::report::table;

/// How hard to try where nobody asked.
pub const SUMMARY: Limit = Limit { rows: 1_000, work: 2_000_000, bytes: usize::MAX };

/// The siphons and traps of a net.
pub struct Shown<'a> {
    net: &'a Net,
    found: Siphons,
}

impl<'a> Shown<'a> {
    /// Looks for them, within the limit.
    pub fn of(net: &'a Net, class: &Class, limit: Limit, go_on: GoOn<'_>) -> Self {
        Self { net, found: Siphons::of(net, class, limit, go_on) }
    }

    /// How many siphons there are, and what follows.
    pub fn summary(&self) -> String {
        let found = &self.found;
        let unguarded = match (found.unguarded.len(), found.siphons.sets.len()) {
            (_, 0) => String::new(),
            (0, _) if found.siphons.stopped.is_none() => "; each has a marked trap".to_owned(),
            (0, _) => String::new(),
            (some, _) => format!("; {} without a marked trap", grouped(some as u64)),
        };
        let follows = match (found.live, found.deadlock_free) {
            (Some(true), _) => ", so the net is live",
            (Some(false), _) => ", so the net is not live",
            (None, true) => ", so there is no deadlock",
            (None, false) => "",
        };
        format!("{}{unguarded}{follows}", count(&found.siphons))
    }

    /// How many traps there are.
    pub fn trap_summary(&self) -> String {
        count(&self.found.traps)
    }

    /// The largest siphon that is always empty; empty if there is none.
    pub fn empty(&self) -> &[PlaceId] {
        &self.found.empty
    }

    /// The largest siphon that nothing keeps from being emptied; empty if there is none.
    pub fn emptiable(&self) -> &[PlaceId] {
        &self.found.emptiable
    }

    /// A line for each minimal siphon.
    pub fn siphon_lines(&self, full: bool) -> impl ExactSizeIterator<Item = String> {
        self.found.siphons.sets.iter().enumerate().map(move |(at, set)| {
            let how = match (self.is_marked(set), self.is_guarded(at)) {
                (false, _) => "empty",
                (true, true) => "has a marked trap",
                (true, false) => "has no marked trap",
            };
            format!("{}  ({how})", table::places(self.net, set, full))
        })
    }

    /// A line for each minimal trap.
    pub fn trap_lines(&self, full: bool) -> impl ExactSizeIterator<Item = String> {
        self.found.traps.sets.iter().map(move |set| {
            let how = if self.is_marked(set) { "marked" } else { "empty" };
            format!("{}  ({how})", table::places(self.net, set, full))
        })
    }

    fn is_marked(&self, set: &[PlaceId]) -> bool {
        set.iter().any(|place| self.net.place(*place).initial > 0)
    }

    fn is_guarded(&self, siphon: usize) -> bool {
        self.found.unguarded.binary_search(&siphon).is_err()
    }

    fn names(&self, set: &[PlaceId]) -> Vec<&str> {
        set.iter().map(|place| &*self.net.place(*place).id).collect()
    }

    /// The siphons as JSON.
    pub fn json(&self) -> Value {
        let siphon = |(at, set): (usize, &Vec<PlaceId>)| {
            json!({
                "places": self.names(set),
                "marked": self.is_marked(set),
                "marked_trap": self.is_guarded(at),
            })
        };
        json!({
            "stopped": self.found.siphons.stopped.map(Stop::words),
            "minimal": self.found.siphons.sets.iter().enumerate().map(siphon).collect::<Vec<_>>(),
            "empty": self.names(&self.found.empty),
            "emptiable": self.names(&self.found.emptiable),
            "deadlock_free": self.found.deadlock_free.then_some(true),
            "live": self.found.live,
        })
    }

    /// The traps as JSON.
    pub fn traps_json(&self) -> Value {
        let trap = |set: &Vec<PlaceId>| json!({ "places": self.names(set), "marked": self.is_marked(set) });
        json!({
            "stopped": self.found.traps.stopped.map(Stop::words),
            "minimal": self.found.traps.sets.iter().map(trap).collect::<Vec<_>>(),
        })
    }
}

fn count(sets: &PlaceSets) -> String {
    let count = grouped(sets.sets.len() as u64);
    match sets.stopped {
        None => format!("{count} minimal"),
        Some(stop) => format!("{count} found, not all: {}", stop.words()),
    }
}
