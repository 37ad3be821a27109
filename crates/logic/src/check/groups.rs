//! Lists of transitions of which some is to be enabled, such as the instances of a coloured transition.
//!
//! Formulas of the contest name the same few transitions again and again, and each may have thousands of instances. So
//! a list is looked at once in a state, however many formulas ask for it; and what it takes to look at it fast is there
//! once, if the memory allows it.

use std::sync::Arc;

use sweepnet_net::TransitionId;
use sweepnet_space::{Budget, Numbering, System, View as StateView};

use super::local::LocalPredicate;
use crate::{Predicate, View};

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Groups {
    all: Vec<Group>,
    budget: Option<Budget>,
}

#[derive(Clone, Debug)]
struct Group {
    transitions: Arc<[TransitionId]>,
    /// By tables over local numbers, where states have them; shared by all threads.
    local: Option<Arc<Ready>>,
    /// Whether one is enabled in the present state.
    known: Option<bool>,
}

/// What was made ready for one numbering of local markings.
#[derive(Debug)]
struct Ready {
    numbering: Numbering,
    /// Nothing if it would take too much memory.
    predicate: Option<LocalPredicate>,
    /// What is on the account for it.
    paid: Option<(Budget, usize)>,
}

impl Ready {
    fn new<S: System>(
        transitions: &[TransitionId],
        state: &StateView<'_, S>,
        numbering: Numbering,
        budget: Option<&Budget>,
    ) -> Self {
        let bytes = LocalPredicate::bytes(transitions, state);
        if budget.is_some_and(|budget| bytes > budget.room() || budget.charge(bytes).is_err()) {
            return Self { numbering, predicate: None, paid: None };
        }
        let each = transitions.iter().copied().map(Predicate::Enabled).collect();
        let predicate = LocalPredicate::new(&Predicate::or(each), state);
        Self { numbering, predicate, paid: budget.map(|budget| (budget.clone(), bytes)) }
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        if let Some((budget, bytes)) = &self.paid {
            budget.release(*bytes);
        }
    }
}

impl Groups {
    /// Tables only as far as the budget allows.
    pub fn within(budget: &Budget) -> Self {
        Self { all: Vec::new(), budget: Some(budget.clone()) }
    }

    /// Another state comes up.
    #[inline]
    pub fn forget(&mut self) {
        self.all.iter_mut().for_each(|group| group.known = None);
    }

    /// Whether one of the transitions is enabled in the present state. `view` is the same state.
    pub fn any_enabled<S: System>(
        &mut self,
        transitions: &Arc<[TransitionId]>,
        state: &StateView<'_, S>,
        view: &impl View,
    ) -> bool {
        let same = |group: &Group| Arc::ptr_eq(&group.transitions, transitions);
        let at = self.all.iter().position(same).unwrap_or_else(|| {
            // Another list may be of the same transitions.
            self.all.iter().position(|group| group.transitions == *transitions).unwrap_or_else(|| {
                self.all.push(Group { transitions: transitions.clone(), local: None, known: None });
                self.all.len() - 1
            })
        });
        let group = &mut self.all[at];
        if let Some(known) = group.known {
            return known;
        }
        if group.local.as_ref().map(|ready| ready.numbering) != state.numbering() {
            group.local = None;
            let ready = state.numbering().map(|it| Ready::new(transitions, state, it, self.budget.as_ref()));
            group.local = ready.map(Arc::new);
        }
        let local = group.local.as_ref().and_then(|ready| ready.predicate.as_ref());
        let found = match local.map(|local| local.eval(state, view)) {
            Some(Ok(found)) => found,
            _ => transitions.iter().any(|transition| state.is_enabled(*transition)),
        };
        group.known = Some(found);
        found
    }
}
