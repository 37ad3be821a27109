//! All states on their way to another set: whether there is memory for it, and how it ends.

use super::radix::Radix;
use super::suiting::size_in_bits;
use crate::StopReason;
use crate::explore::stop_reason;
use crate::search::frontier::Form;
use crate::search::levels::Levels;
use crate::set::held::{Held, Kind, Translation};
use crate::set::{Bitmap, MEMBERS_OF_A_PART, Shape};

/// Why states were not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmoved {
    /// There is no room to begin: everything is as it was.
    NoRoom(StopReason),
    /// It ended on the way, and the search with it.
    Broken(StopReason),
}

impl From<Unmoved> for StopReason {
    fn from(unmoved: Unmoved) -> Self {
        match unmoved {
            Unmoved::NoRoom(reason) | Unmoved::Broken(reason) => reason,
        }
    }
}

/// The bytes that a set of another kind or for other ranks will take beyond those that the present one gives back meanwhile.
pub fn more_than_now(set: &Held, kind: Kind, radix: &Radix, tagged: bool, in_order: bool) -> usize {
    let size = size_in_bits(kind, radix, tagged, set.len()) / 8.0;
    let more = match (set.touched(), kind) {
        // As full of pages as the present one, and from the first to the last as that is given back.
        (Some(touched), Kind::Bitmap) if in_order => size * touched - set.bytes() as f64,
        // All its pages may be there before anything else is given back; but no more than there are members.
        (_, Kind::Bitmap) => {
            size.min((set.len() * Bitmap::page_bytes(radix.ranks().unwrap_or(0), tagged)) as f64)
        }
        _ => size - set.bytes() as f64,
    };
    // A part of it grows before anything is given back for that. Few members are in few parts.
    let parts = (set.len() >> MEMBERS_OF_A_PART).clamp(1, 16);
    (more.max(0.0) + size / parts as f64) as usize + (64 << 10)
}

/// Moves all states into a set of another kind or for other ranks, and the frontier with them.
pub fn pour(
    set: &mut Held,
    levels: &mut Levels,
    shape: &mut Shape,
    kind: Kind,
    radix: &Radix,
    (form, keep_labels): (Form, bool),
    mut translation: impl Translation,
) -> Result<(), Unmoved> {
    // The parts of the old set are given back one by one while the new one fills.
    shape.budget.catch_up();
    let no_room = |full| Unmoved::NoRoom(stop_reason(full));
    let more = more_than_now(set, kind, radix, shape.tagged, translation.runs().is_some());
    // The new set asks for its memory itself, but it must be there.
    let moving = |intake, more: usize| {
        let bytes = set.in_motion(intake);
        drop(shape.budget.hold(bytes.saturating_add(more))?);
        shape.budget.hold(bytes).map(|held| (held, intake))
    };
    let [much, little] = set.intakes(kind);
    let (moving, intake) = moving(much, more.saturating_add(set.bytes()))
        .or_else(|_| moving(little, more))
        .map_err(|refusal| no_room(refusal.into()))?;
    let wanted = Shape { bits: radix.bits(), ..shape.clone() };
    let fresh = Held::new(kind, radix.words(), radix.ranks(), &wanted).map_err(no_room)?;
    // Labels that have no room above a rank are not there, or not whole.
    let has_room = |set: &Held, bits: u32| (bits + form.label) as usize <= 64 * set.words();
    let keep_labels = keep_labels && has_room(set, shape.bits) && has_room(&fresh, wanted.bits);
    *shape = wanted;
    let old = std::mem::replace(set, fresh);
    let broken = |full| Unmoved::Broken(stop_reason(full));
    old.pour_into(set, &mut translation, shape, intake).map_err(broken)?;
    let mut translate = |rank| translation.translate(rank);
    let moved = levels.translate(form, keep_labels, &shape.budget, &mut translate);
    drop(moving);
    shape.budget.catch_up();
    moved.map_err(|refusal| broken(refusal.into()))
}
