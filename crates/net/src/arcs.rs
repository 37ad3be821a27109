//! Arcs of one kind, grouped by transition.

use crate::{PlaceId, TransitionId};

/// One end of an arc: the place, and the weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arc {
    /// The place at the other end.
    pub place: PlaceId,
    /// The weight; at least 1 (for reset arcs, always 1 and without meaning).
    pub weight: u64,
}

/// All arcs of one kind, in one array: those of transition `t` are `items[offsets[t]..offsets[t + 1]]`, sorted
/// by place, each place at most once. Two machine words per arc, one per transition, nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arcs {
    offsets: Vec<usize>,
    items: Vec<Arc>,
}

impl Arcs {
    /// Groups a list of (transition, arc) by transition. Arcs that meet twice are merged by `merge`, which
    /// gives the joint weight, or nothing if there is none.
    pub(crate) fn group(
        transitions: usize,
        mut list: Vec<(TransitionId, Arc)>,
        merge: impl Fn(u64, u64) -> Option<u64>,
    ) -> Result<Self, (TransitionId, PlaceId)> {
        list.sort_by_key(|(t, arc)| (*t, arc.place));
        let mut offsets = Vec::with_capacity(transitions + 1);
        let mut items: Vec<Arc> = Vec::with_capacity(list.len());
        let mut rest = list.into_iter().peekable();
        for t in 0..transitions {
            let start = items.len();
            offsets.push(start);
            while let Some((_, arc)) = rest.next_if(|(owner, _)| owner.index() == t) {
                match items[start..].last_mut() {
                    Some(last) if last.place == arc.place => {
                        let owner = TransitionId::new(t);
                        last.weight = merge(last.weight, arc.weight).ok_or((owner, arc.place))?;
                    }
                    _ => items.push(arc),
                }
            }
        }
        offsets.push(items.len());
        Ok(Self { offsets, items })
    }

    /// The arcs of one transition, sorted by place.
    #[inline]
    pub fn of(&self, transition: TransitionId) -> &[Arc] {
        let t = transition.index();
        &self.items[self.offsets[t]..self.offsets[t + 1]]
    }

    /// How many there are in the whole net.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the net has none of this kind.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The weight between a transition and a place, 0 if there is no such arc.
    pub fn weight(&self, transition: TransitionId, place: PlaceId) -> u64 {
        let arcs = self.of(transition);
        arcs.binary_search_by_key(&place, |arc| arc.place).map_or(0, |i| arcs[i].weight)
    }
}
