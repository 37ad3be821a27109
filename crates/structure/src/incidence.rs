//! The incidence matrix C: what firing a transition does to a place, `C(p, t) = output(t, p) - input(t, p)`.
//!
//! Read and inhibitor arcs only look, so they have no effect. **Reset arcs** are different: firing empties the
//! place, whatever it holds, so the effect is not a constant and no number in C can describe it. What C says
//! of such a place is the effect *without* the reset, and that is
//!
//! - good for **upper bounds**: a reset takes tokens away and never adds any, so for weights y ≥ 0 the sum
//!   y·m after firing is at most y·m + y·C(·, t);
//! - useless for **equalities**: an invariant y·m = y·m₀ must give the place weight 0.
//!
//! [`Incidence::is_reset`] and [`Incidence::resets`] tell the two apart; every user of the matrix has to
//! choose. Weights are `u64`, so every difference fits an `i128` and building the matrix cannot overflow.

use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::sparse::SparseMatrix;

/// The incidence matrix of a net, both ways round, and where it does not tell the whole truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incidence {
    by_place: SparseMatrix,
    by_transition: SparseMatrix,
    reset_places: Vec<bool>,
    resetting: Vec<bool>,
}

impl Incidence {
    /// The matrix of a net; linear in its arcs.
    pub fn of(net: &Net) -> Self {
        let mut by_transition = SparseMatrix::new(net.places().len());
        let mut reset_places = vec![false; net.places().len()];
        let mut resetting = vec![false; net.transitions().len()];
        let mut effects = Vec::new();
        for t in net.transition_ids() {
            effects.clear();
            effects.extend(net.inputs().of(t).iter().map(|a| (a.place.index(), -i128::from(a.weight))));
            effects.extend(net.outputs().of(t).iter().map(|a| (a.place.index(), i128::from(a.weight))));
            effects.sort_unstable_by_key(|(place, _)| *place);
            effects.dedup_by(|second, first| {
                let same = second.0 == first.0;
                if same {
                    first.1 += second.1;
                }
                same
            });
            by_transition.push_row(effects.iter().copied());
            for arc in net.resets().of(t) {
                reset_places[arc.place.index()] = true;
                resetting[t.index()] = true;
            }
        }
        Self { by_place: by_transition.transposed(), by_transition, reset_places, resetting }
    }

    /// One row per place, one column per transition.
    pub fn by_place(&self) -> &SparseMatrix {
        &self.by_place
    }

    /// One row per transition, one column per place.
    pub fn by_transition(&self) -> &SparseMatrix {
        &self.by_transition
    }

    /// What firing the transition adds to the place, resets aside.
    pub fn effect(&self, place: PlaceId, transition: TransitionId) -> i128 {
        self.by_transition.get(transition.index(), place.index())
    }

    /// Whether some transition empties the place: then its row is an over-approximation.
    pub fn is_reset(&self, place: PlaceId) -> bool {
        self.reset_places[place.index()]
    }

    /// Whether the transition empties some place: then its column is an over-approximation.
    pub fn resets(&self, transition: TransitionId) -> bool {
        self.resetting[transition.index()]
    }

    /// The places that some transition empties, as flags by place.
    pub fn reset_places(&self) -> &[bool] {
        &self.reset_places
    }

    /// The transitions that empty some place, as flags by transition.
    pub fn resetting_transitions(&self) -> &[bool] {
        &self.resetting
    }
}
