//! The inner loop of a search over ranks, compiled twice: for every processor, and for those that count, find and shift bits by
//! one instruction each, as nearly all do since 2013. Which of them runs is found out when it runs.
//!
//! Enabled events are bits of words, and local numbers are divided out of ranks by multiplying and shifting: counting bits
//! alone takes twenty instructions where there is none for it.

use super::levels::{Interlude, Scene, Worker};
use crate::set::RankSet;
use crate::{Control, Observer};

/// With fewer states it is not worth finding out: in a virtual machine, asking a processor what it can do takes as long as
/// finding a thousand of them.
#[cfg(target_arch = "x86_64")]
const WORTH_ASKING: u64 = if cfg!(test) { 64 } else { 1 << 13 };

/// Whether this processor has the instructions.
#[cfg(target_arch = "x86_64")]
fn are_there() -> bool {
    #[cfg(test)]
    if tests::NONE.get() {
        return false;
    }
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

impl<const W: usize, B> Worker<W, B> {
    /// Expands the states of the present level until none is left or something happens.
    #[allow(unsafe_code)]
    pub(super) fn expand_blocks<S: RankSet<W, Outbox = B>>(
        &mut self,
        scene: &Scene<'_, W, S>,
        observer: &mut dyn Observer,
        control: &mut Option<&mut Control<'_>>,
    ) -> Interlude {
        #[cfg(target_arch = "x86_64")]
        if scene.states() >= WORTH_ASKING && are_there() {
            // SAFETY: they are there, which is all that the function asks for.
            return unsafe { self.expand_blocks_by_bit_instructions(scene, observer, control) };
        }
        self.expand_blocks_anywhere(scene, observer, control)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn expand_blocks_by_bit_instructions<S: RankSet<W, Outbox = B>>(
        &mut self,
        scene: &Scene<'_, W, S>,
        observer: &mut dyn Observer,
        control: &mut Option<&mut Control<'_>>,
    ) -> Interlude {
        self.expand_blocks_anywhere(scene, observer, control)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::cell::Cell;

    use sweepnet_structure::Structure;
    use sweepnet_testkit::nets;

    use crate::{Control, Plan, StoreChoice, explore};

    thread_local! {
        /// Whether this thread is to do without.
        pub(super) static NONE: Cell<bool> = const { Cell::new(false) };
    }

    #[test]
    fn both_find_the_same() {
        let nets = [nets::kanban(2), nets::philosophers(8), nets::token_ring(6), nets::readers_writers(12)];
        for net in &nets {
            let structure = Structure::of(net, Default::default());
            for store in [StoreChoice::Bitmap, StoreChoice::Quotient] {
                let plan = Plan { store, threads: Some(1), ..Plan::knowing(net, &structure) };
                let [with, without] = [false, true].map(|none| {
                    NONE.set(none);
                    let report = explore(net, &plan, &mut Control::unlimited(), &mut ());
                    (report.states, report.counts.arcs, report.counts.deadlocks, report.counts.depth)
                });
                NONE.set(false);
                assert_eq!(with, without, "{}", net.name);
            }
        }
    }
}
