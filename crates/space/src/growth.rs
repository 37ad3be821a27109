//! Finding out that a net is unbounded.
//!
//! If a marking m' is reached from m by a sequence σ, m' ≥ m everywhere and m' > m somewhere, then in an
//! ordinary net σ can be fired again and again, and the places that grew grow for ever (Karp and Miller 1969).
//! Inhibitor and reset arcs spoil the argument only where they touch: it still holds if no transition of σ has
//! an inhibitor arc from a place that grew, for the places that grew and that σ does not reset.
//!
//! Looking at all ancestors of every new state would cost too much. A place that no structure bounds must
//! reach a new maximum again and again if it is unbounded, so only states that bring a new maximum are
//! compared with their ancestors, and of these ever fewer: the next look comes when there have been an eighth
//! more of them. The cost of all looks together is then within a constant of the last one's. Now and then all
//! pairs on the path are compared, if it is short, since growth may lie behind the state that was looked at.

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};

use crate::{Codec, StateId, Store, Trace, trace};

/// A sequence that can be repeated for ever, and what grows with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pump {
    /// How to come to where it starts.
    pub prefix: Vec<TransitionId>,
    /// What is repeated.
    pub cycle: Vec<TransitionId>,
    /// The places that grow, and by how much each time.
    pub places: Vec<(PlaceId, u64)>,
}

/// All pairs are compared on paths up to this length.
const LONGEST_PATH_FOR_PAIRS: usize = 256;

/// Counts that are kept to look along a way, at most.
const MOST_COUNTS: usize = 1 << 22;

/// Pairs that cover each other but prove nothing (because of inhibitor or reset arcs) are given up after so many.
const MOST_CANDIDATES: usize = 64;

/// Watches for growth along paths.
#[derive(Debug, Default)]
pub struct GrowthWatch {
    records: u64,
    next_look: u64,
}

impl GrowthWatch {
    /// Whether a state that brought a new maximum is to be looked at.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        self.records += 1;
        if self.records < self.next_look {
            return false;
        }
        self.next_look = self.records + self.records / 8 + 1;
        true
    }

    /// Looks at the path to a state that brought a new maximum.
    pub fn look<M: Codec, S: Store>(
        &self,
        net: &Net,
        model: &M,
        store: &S,
        path: &[StateId],
    ) -> Option<Pump> {
        let path = Path::new(model, store, path);
        let mut candidates = Candidates { net, path, events: None, left: MOST_CANDIDATES };
        let last = candidates.path.ids.len() - 1;
        if last < LONGEST_PATH_FOR_PAIRS {
            (1..=last).rev().find_map(|later| candidates.look_back_from(later))
        } else {
            candidates.look_back_from(last)
        }
    }
}

/// The states on a path.
struct Path<'a, M, S> {
    model: &'a M,
    store: &'a S,
    ids: &'a [StateId],
}

impl<'a, M: Codec, S: Store> Path<'a, M, S> {
    fn new(model: &'a M, store: &'a S, ids: &'a [StateId]) -> Self {
        Self { model, store, ids }
    }

    fn read(&self, at: usize, key: &mut [u64], into: &mut M::State) {
        self.store.get(self.ids[at], key);
        self.model.decode(key, into);
    }
}

/// Pairs on a path that may prove growth.
struct Candidates<'a, M, S> {
    net: &'a Net,
    path: Path<'a, M, S>,
    events: Option<Vec<TransitionId>>,
    left: usize,
}

impl<M: Codec, S: Store> Candidates<'_, M, S> {
    /// Compares a state with its ancestors, the nearest first.
    fn look_back_from(&mut self, later: usize) -> Option<Pump> {
        let model = self.path.model;
        let mut key = vec![0; crate::store::key_words(model.bits())];
        let (mut above, mut below) = (model.initial(), model.initial());
        self.path.read(later, &mut key, &mut above);
        for earlier in (0..later).rev() {
            self.path.read(earlier, &mut key, &mut below);
            if model.covers(&above, &below) {
                self.left = self.left.checked_sub(1)?;
                let (model, store, ids) = (self.path.model, self.path.store, self.path.ids);
                let events = self.events.get_or_insert_with(|| trace::events_along(model, store, ids));
                let cycle = events.get(earlier..later)?;
                // The cheap reasons for refusal first: replaying costs more.
                if growing(self.net, &model.marking(&below), &model.marking(&above), cycle).is_some() {
                    let pump = verify(self.net, events.get(..earlier)?, cycle);
                    if pump.is_some() {
                        return pump;
                    }
                }
            }
        }
        None
    }
}

/// Looks at a way for a sequence that can be repeated for ever: what the last marking covers of those before it. Ways
/// that are too long for their markings to be kept are not looked at.
pub fn look_along(net: &Net, events: &[TransitionId]) -> Option<Pump> {
    if (events.len() + 1).saturating_mul(net.places().len()) > MOST_COUNTS {
        return None;
    }
    let mut markings = vec![net.initial_marking()];
    for event in events {
        markings.push(net.fire(markings.last()?, *event).ok()?);
    }
    let last = events.len();
    let laters = if last < LONGEST_PATH_FOR_PAIRS { 1..=last } else { last..=last };
    let pairs = laters.rev().flat_map(|later| (0..later).rev().map(move |earlier| (earlier, later)));
    pairs
        .filter(|(earlier, later)| {
            growing(net, &markings[*earlier], &markings[*later], &events[*earlier..*later]).is_some()
        })
        .take(MOST_CANDIDATES)
        .find_map(|(earlier, later)| verify(net, &events[..earlier], &events[earlier..later]))
}

/// The places that grow from one marking to another by a sequence that can be repeated for ever; nothing if there
/// are none, or if it cannot be.
fn growing(
    net: &Net,
    before: &Marking,
    after: &Marking,
    cycle: &[TransitionId],
) -> Option<Vec<(PlaceId, u64)>> {
    let mut grown = Vec::new();
    for place in net.place_ids() {
        match after[place].checked_sub(before[place])? {
            0 => {}
            more => grown.push((place, more)),
        }
    }
    let grows = |place: PlaceId| grown.binary_search_by_key(&place, |(place, _)| *place).is_ok();
    if cycle.iter().any(|t| net.inhibitors().of(*t).iter().any(|arc| grows(arc.place))) {
        return None;
    }
    let is_reset = |place: PlaceId| cycle.iter().any(|t| net.resets().weight(*t, place) > 0);
    grown.retain(|(place, _)| net.resets().is_empty() || !is_reset(*place));
    (!grown.is_empty()).then_some(grown)
}

/// Whether a sequence can be repeated for ever after a prefix, and what grows. Everything is checked on the
/// net itself, by its plain firing rule.
pub fn verify(net: &Net, prefix: &[TransitionId], cycle: &[TransitionId]) -> Option<Pump> {
    let before = Trace::replay(net, prefix.to_vec()).ok()?;
    let after = Trace::replay(net, [prefix, cycle].concat()).ok()?;
    let places = growing(net, before.last(), after.last(), cycle)?;
    Some(Pump { prefix: prefix.to_vec(), cycle: cycle.to_vec(), places })
}
