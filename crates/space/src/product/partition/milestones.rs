//! For each transition a state in which it fired just now, so that walks can go on from where few have been.
//!
//! Where the way to most states leads through a few transitions that fire rarely, walks from everywhere seldom get
//! past one of them, and never past two. Walks from the states just behind them do.

use sweepnet_net::Net;

/// Counts that all milestones may hold; larger nets have none.
const MOST_CELLS: usize = 2_000_000;

/// See the [module](self).
pub(super) struct Milestones {
    /// By transition: how often a walk began there, and the state.
    states: Vec<Option<(u32, Box<[u64]>)>>,
}

impl Milestones {
    pub(super) fn new(net: &Net) -> Self {
        let transitions = net.transitions().len();
        let fits = transitions.saturating_mul(net.places().len()) <= MOST_CELLS;
        Self { states: vec![None; if fits { transitions } else { 0 }] }
    }

    /// The transition fired and led to this state.
    pub(super) fn pass(&mut self, transition: u32, tokens: &[u64]) {
        match self.states.get_mut(transition as usize) {
            // The latest is kept: it is likely to lie furthest ahead.
            Some(Some((_, state))) => state.copy_from_slice(tokens),
            Some(none) => *none = Some((0, tokens.into())),
            None => {}
        }
    }

    /// The state from which the fewest walks began.
    pub(super) fn rarest(&mut self) -> Option<&[u64]> {
        let (begun, state) = self.states.iter_mut().flatten().min_by_key(|(begun, _)| *begun)?;
        *begun += 1;
        Some(state)
    }
}
