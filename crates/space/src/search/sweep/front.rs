//! Where a sweep is, and what it has met so far: the same whatever its states are.

use std::ops::Bound;

use super::layers::{Layers, Value};
use super::profile::Profile;
use super::routes::is_below;
use super::shelf::Shelf;
use crate::Full;
use crate::control::SweepProgress;
use crate::progress::Order;
use crate::report::{Regress, Swept};

/// See the [module](self).
#[derive(Debug)]
pub struct Front {
    order: Order,
    /// How far behind layers are kept.
    behind: i64,
    /// The value of the layer under expansion; empty before the first.
    pub value: Value,
    /// What was counted.
    pub tally: Tally,
    profile: Option<Profile>,
    /// With a partial order: so many layers there have to be until it is seen again which of them can be dropped.
    next_look: usize,
}

/// So few layers are looked at each time.
const FEW: usize = 64;

/// What is counted besides states and arcs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How often it began anew.
    pub sweeps: u64,
    /// Steps that lost progress.
    pub regress_edges: u64,
    /// States that are kept for ever.
    pub persistent: u64,
    /// States that were dropped.
    pub dropped: u64,
    /// Layers that were expanded.
    pub values: u64,
    /// The most states that were kept.
    pub peak: u64,
    /// The step that ended it.
    pub regress: Option<Regress>,
}

impl Front {
    /// Before everything, with a profile if that is asked for, and with layers that are kept so far behind.
    pub fn new(order: Order, profile: bool, behind: u64) -> Self {
        Self {
            order,
            behind: i64::try_from(behind).unwrap_or(i64::MAX),
            value: Value::default(),
            tally: Tally { sweeps: 1, ..Tally::default() },
            profile: profile.then(Profile::default),
            next_look: 0,
        }
    }

    /// How far it is.
    pub fn progress(&self, layers: &Layers<impl Shelf>) -> SweepProgress {
        SweepProgress {
            value: self.value.first().copied().unwrap_or(0),
            kept: layers.kept(),
            dropped: self.tally.dropped,
            sweep: self.tally.sweeps,
        }
    }

    /// The next layer: the first with something to expand from here on, or, if there is none, from the beginning.
    pub fn next_layer(&mut self, layers: &Layers<impl Shelf>) -> Option<u32> {
        let ahead = match self.value.is_empty() {
            true => layers.next_pending(Bound::Unbounded),
            false => layers.next_pending(Bound::Excluded(&self.value)),
        };
        let next = ahead.or_else(|| {
            let first = layers.next_pending(Bound::Unbounded);
            self.tally.sweeps += u64::from(first.is_some());
            first
        })?;
        self.tally.values += 1;
        self.value = layers.value(next).into();
        Some(next)
    }

    /// The layer is expanded, and so many states are explored: what lies behind is dropped.
    pub fn leave(&mut self, slot: u32, explored: u64, layers: &mut Layers<impl Shelf>) -> Result<(), Full> {
        if let Some(profile) = &mut self.profile {
            profile.push(self.tally.sweeps, &self.value, explored, layers);
        }
        let behind = match self.order {
            Order::Lexicographic if self.behind == 0 => vec![slot],
            Order::Lexicographic => self.far_behind(layers),
            Order::Componentwise => self.behind(layers),
        };
        for slot in behind {
            self.tally.dropped += layers.drop_layer(slot)?;
        }
        Ok(())
    }

    /// The layers that nothing that waits in this sweep can lead to any more. All are compared with all: not each time,
    /// where there are many.
    fn behind(&mut self, layers: &Layers<impl Shelf>) -> Vec<u32> {
        let is_last = layers.pending_from(&self.value).next().is_none();
        if layers.values() < self.next_look && !is_last {
            return Vec::new();
        }
        let waits = |value: &[i64]| layers.pending_from(&self.value).any(|next| is_below(next, value));
        let mut behind = layers.up_to(&self.value);
        behind.retain(|slot| !layers.waits(*slot) && !waits(layers.value(*slot)));
        let left = layers.values() - behind.len();
        self.next_look = if left < FEW { 0 } else { left + left / 4 };
        behind
    }

    /// The layers from which on nothing is kept.
    fn far_behind(&self, layers: &Layers<impl Shelf>) -> Vec<u32> {
        let first = |value: &[i64]| value.first().copied().unwrap_or(0);
        let last = first(&self.value).saturating_sub(self.behind);
        let mut behind = layers.up_to(&self.value);
        behind.retain(|slot| first(layers.value(*slot)) <= last && !layers.waits(*slot));
        behind
    }

    /// How it went, by a measure that is written so, with so many bytes on disk.
    pub fn swept(&self, measure: &str, spooled: u64) -> Swept {
        let Tally { sweeps, regress_edges, persistent, dropped, values, ref regress, .. } = self.tally;
        Swept {
            measure: measure.to_owned(),
            behind: self.behind.unsigned_abs(),
            sweeps,
            regress_edges,
            persistent,
            dropped,
            values,
            regress: regress.clone(),
            profile: self.profile.as_ref().map(Profile::points).unwrap_or_default(),
            spooled,
        }
    }
}
