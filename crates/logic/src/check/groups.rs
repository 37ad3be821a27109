//! Lists of transitions of which some is to be enabled, such as the instances of a coloured transition.
//!
//! Formulas of the contest name the same few transitions again and again, and each may have thousands of instances. So
//! a list is looked at once in a state, however many formulas ask for it; where states are tuples of local numbers, by
//! [`Masks`].

use std::sync::Arc;

use sweepnet_net::TransitionId;
use sweepnet_space::{Budget, View as StateView};

use super::masks::Masks;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Groups {
    all: Vec<Group>,
    budget: Option<Budget>,
    scratch: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Group {
    transitions: Arc<[TransitionId]>,
    /// Where states have local numbers.
    masks: Option<Arc<Masks>>,
    /// Whether one is enabled in the present state.
    known: Option<bool>,
}

impl Groups {
    /// Masks only as far as the budget allows.
    pub fn within(budget: &Budget) -> Self {
        Self { budget: Some(budget.clone()), ..Self::default() }
    }

    /// Another state comes up.
    #[inline]
    pub fn forget(&mut self) {
        self.all.iter_mut().for_each(|group| group.known = None);
    }

    /// Whether one of the transitions is enabled in the present state.
    pub fn any_enabled(&mut self, transitions: &Arc<[TransitionId]>, state: &StateView<'_>) -> bool {
        let same = |group: &Group| Arc::ptr_eq(&group.transitions, transitions);
        let at = self.all.iter().position(same).unwrap_or_else(|| {
            // Another list may be of the same transitions.
            self.all.iter().position(|group| group.transitions == *transitions).unwrap_or_else(|| {
                self.all.push(Group { transitions: transitions.clone(), masks: None, known: None });
                self.all.len() - 1
            })
        });
        let group = &mut self.all[at];
        if let Some(known) = group.known {
            return known;
        }
        if group.masks.as_ref().map(|masks| masks.numbering()) != state.numbering() {
            group.masks = None;
            group.masks = Masks::new(transitions, state, self.budget.as_ref()).map(Arc::new);
        }
        let found = match &group.masks {
            Some(masks) => masks.any_enabled(transitions, state, &mut self.scratch),
            None => transitions.iter().any(|transition| state.is_enabled(*transition)),
        };
        group.known = Some(found);
        found
    }
}
