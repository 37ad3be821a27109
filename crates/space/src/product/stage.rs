//! Phase after phase of an exploration, until one ends with something that concerns the set or its ranks.

use super::automata::Automata;
use super::exploration::Course;
use super::radix::Radix;
use super::system::Product;
use crate::budget::Hold;
use crate::divisible::Divisible;
use crate::search::levels::{Interlude, Levels, WORTH_THREADS, Wanted, Worker, id_at, path};
use crate::set::RankSet;
use crate::{Control, Full, Observer, Shown, StopReason, View};

/// What a run holds apart from the set, whose type is known only in here.
pub struct Stage<'a, 'b> {
    pub course: &'a Course<'b>,
    pub automata: &'a mut Automata,
    pub radix: &'a mut Radix,
    pub levels: &'a mut Levels,
    pub frontier_bytes: &'a mut usize,
    /// What it takes to go on when memory has run out.
    pub reserve: Option<Hold>,
}

impl Stage<'_, '_> {
    /// Runs phases until one ends with something that concerns the set.
    pub fn run<const W: usize, S: RankSet<W>>(
        &mut self,
        set: &S,
        observer: &mut dyn Divisible,
        control: &mut Control<'_>,
    ) -> Interlude {
        debug_assert_eq!(*self.radix, self.radix.with(&self.automata.capacities()), "numbers fit ranks");
        // Each thread has memory of its own. Where there is little, one has to do.
        let bytes = Worker::<W, S::Outbox>::bytes(S::IS_DEAR);
        let mut threads = self.course.threads;
        let mut held = control.budget().hold(threads * bytes);
        if held.is_err() {
            threads = 1;
            held = control.budget().hold(bytes);
        }
        if let Err(refusal) = held {
            return Interlude::Full(refusal.into());
        }
        let outbox = || if threads == 1 { set.sole_outbox() } else { set.outbox() };
        let mut workers: Vec<_> = (0..threads).map(|_| Worker::new(outbox(), S::IS_DEAR)).collect();
        let mut in_hand = self.levels.hand_over(&mut workers[0]);
        let mut wanted = Vec::new();
        let mut gave_up_rows = 0;
        let wants_fired = observer.whole().wants_fired();
        let worth = if self.course.stress { 1 } else { WORTH_THREADS };
        loop {
            if self.levels.is_over() {
                return Interlude::Level;
            }
            let product = Product::<W> { automata: self.automata, radix: self.radix };
            let end = self.levels.phase(product, set, &mut workers, observer, control, &mut wanted, worth);
            in_hand.clear();
            let observer = observer.whole();
            if let Err(end) = witness(product, set, wanted.drain(..), observer, control) {
                return end;
            }
            if wants_fired {
                self.automata.take_newly_fired().into_iter().for_each(|event| observer.fired(event));
            }
            if observer.is_done() {
                return Interlude::Stopped(StopReason::Decided);
            }
            match end {
                Interlude::Wanted | Interlude::Stopped(StopReason::Decided) => {}
                Interlude::Level => {
                    let states = set.len();
                    *self.frontier_bytes = (*self.frontier_bytes).max(self.levels.next.bytes());
                    if states >= self.levels.next_look || self.levels.turns(states) || self.course.stress {
                        self.levels.look_again(states);
                        return end;
                    }
                }
                Interlude::Room => {
                    // All workers have handed in what they had.
                    if let Err(refusal) = self.automata.make_room(self.course.most_row_bytes) {
                        self.automata.fit(self.radix);
                        return Interlude::Full(refusal.into());
                    }
                    let radix = self.radix.with(&self.automata.capacities());
                    if radix != *self.radix {
                        if !self.radix.is_part_of(&radix)
                            || radix.bits() != self.radix.bits()
                            || !set.takes(radix.ranks())
                        {
                            return end;
                        }
                        *self.radix = radix;
                    }
                }
                // Rows can be computed again: they are the first to go. Workers keep what they could not hand in.
                Interlude::Full(Full::Memory(_)) if self.automata.row_bytes() > gave_up_rows => {
                    self.automata.drop_rows();
                    gave_up_rows = self.automata.row_bytes() + (1 << 16);
                }
                Interlude::Full(Full::Memory(refusal)) => {
                    drop(held);
                    self.reserve = None;
                    return match self.levels.keep(set, workers, control.budget()) {
                        Ok(()) => Interlude::Full(refusal.into()),
                        Err(_) => Interlude::Stopped(StopReason::Memory),
                    };
                }
                end => return end,
            }
        }
    }
}

/// Gives an observer the paths it wants.
fn witness<const W: usize, S: RankSet<W>>(
    product: Product<'_, W>,
    set: &S,
    wanted: impl Iterator<Item = Wanted<W>>,
    observer: &mut dyn Observer,
    control: &mut Control<'_>,
) -> Result<(), Interlude> {
    for wanted in wanted {
        if observer.is_done() {
            break;
        }
        if observer.again(&View::new(id_at(wanted.level), &Shown(&product, &wanted.rank)), wanted.successors)
        {
            // A path may be long. What it takes must be there, or nobody can have it.
            let bytes = wanted.level as usize * 2 * size_of::<sweepnet_net::TransitionId>();
            control.budget().charge(bytes).map_err(|_| Interlude::Stopped(StopReason::Memory))?;
            control.budget().release(bytes);
            observer.witness(path(product, set, &wanted, control).map_err(Interlude::Stopped)?);
        }
    }
    Ok(())
}
