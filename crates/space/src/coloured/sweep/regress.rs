//! A step that loses progress where none may, as it is shown.

use sweepnet_colour::{ColouredNet, Event, Marking};

use super::{Source, Sweep};
use crate::StopReason;
use crate::coloured::report::Lost;
use crate::coloured::running::Halt;
use crate::report::{Regress, RegressStep};

impl Sweep<'_> {
    /// The end of a sweep: a step to the marking that was measured last loses progress.
    #[cold]
    pub(super) fn lose(&mut self, source: &Source<'_>, event: Event, target: &Marking) -> Halt {
        let step = RegressStep::Coloured {
            source: tokens(self.net, source.marking),
            event: self.net.event_name(event.transition, &event.binding),
            target: tokens(self.net, target),
        };
        let (from, to) = (self.front.value.to_vec(), self.value.clone());
        self.front.tally.regress = Some(Regress { step, from, to });
        self.lost = Some(Lost { source: source.marking.clone(), event, target: target.clone() });
        Halt::Stopped(StopReason::Regress)
    }
}

/// The tokens of a marking: `sent(1,2)`, or `timer(1)@+5` if it is ready in 5, each with its count.
fn tokens(net: &ColouredNet, marking: &Marking) -> Vec<(String, u64)> {
    let mut shown = Vec::new();
    for (place, tokens) in net.places.iter().zip(&marking.places) {
        for (words, count) in tokens.iter() {
            let (value, wait) = match (place.timed, words.split_last()) {
                (true, Some((wait, value))) => (value, *wait),
                _ => (words, 0),
            };
            let name = net.place_name(&place.id, place.type_, value);
            shown.push((if wait > 0 { format!("{name}@+{wait}") } else { name }, count));
        }
    }
    shown
}
