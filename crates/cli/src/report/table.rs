//! Lists of places and transitions that may be long.

use sweepnet_net::{Net, PlaceId, TransitionId};

/// Names shown before a list is cut.
pub const SHOWN: usize = 20;

/// Some names in one line; `full` shows all of them.
pub fn names<'a>(names: impl ExactSizeIterator<Item = &'a str>, full: bool) -> String {
    let count = names.len();
    let shown = if full { count } else { SHOWN.min(count) };
    let mut text = names.take(shown).collect::<Vec<_>>().join(" ");
    if shown < count {
        text.push_str(&format!(" … and {} more", count - shown));
    }
    text
}

/// Names of places.
pub fn places(net: &Net, places: &[PlaceId], full: bool) -> String {
    names(places.iter().map(|p| &*net.place(*p).id), full)
}

/// Names of transitions.
pub fn transitions(net: &Net, transitions: &[TransitionId], full: bool) -> String {
    names(transitions.iter().map(|t| &*net.transition(*t).id), full)
}
