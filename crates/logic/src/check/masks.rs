//! Which of many transitions are enabled, component by component.
//!
//! A transition is enabled iff each component that it touches enables it. So each local number of a component has a mask
//! with a bit for each of the transitions, which is set unless this component keeps it from firing. Where the masks of
//! a state's numbers have a bit in common, that transition is enabled. A mask is made when its number is met first: n/8
//! bytes for n transitions. Where there is no memory for it, or the numbers are too many, those transitions that the
//! other components leave are looked at one by one.
//!
//! Masks are shared by all threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use sweepnet_net::TransitionId;
use sweepnet_space::{Budget, Numbering, View as StateView};

use super::local::Pages;

/// See the [module](self).
#[derive(Debug)]
pub struct Masks {
    numbering: Numbering,
    /// Those that may be enabled at all: some touch nothing that changes.
    possible: Box<[u64]>,
    components: Vec<Component>,
    budget: Option<Budget>,
    /// What is on the account for them.
    paid: AtomicUsize,
}

#[derive(Debug)]
struct Component {
    component: u32,
    /// The positions of the transitions that touch it.
    touching: Vec<u32>,
    by_number: Pages<Box<[u64]>>,
}

/// What a mask takes beside its bits: its place in a page, and what allocators lose.
const BESIDE: usize = 64;

impl Masks {
    /// For these transitions, on states of this system; nothing if they have no local numbers.
    pub fn new(transitions: &[TransitionId], state: &StateView<'_>, budget: Option<&Budget>) -> Option<Self> {
        let numbering = state.numbering()?;
        let mut possible: Box<[u64]> = vec![0; transitions.len().div_ceil(64)].into();
        let mut components: Vec<Component> = Vec::new();
        for (at, transition) in transitions.iter().enumerate() {
            let touched = state.components_of(*transition);
            if !touched.is_empty() || state.is_enabled(*transition) {
                possible[at / 64] |= 1 << (at % 64);
            }
            for component in touched {
                match components.iter_mut().find(|other| other.component == component) {
                    Some(known) => known.touching.push(at as u32),
                    None => {
                        let touching = vec![at as u32];
                        components.push(Component { component, touching, by_number: Pages::default() });
                    }
                }
            }
        }
        let (budget, paid) = (budget.cloned(), AtomicUsize::new(0));
        Some(Self { numbering, possible, components, budget, paid })
    }

    /// The local numbers that it was made for.
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// Whether some of the transitions is enabled in a state. `left` is room to work in.
    pub fn any_enabled(
        &self,
        transitions: &[TransitionId],
        state: &StateView<'_>,
        left: &mut Vec<u64>,
    ) -> bool {
        left.clear();
        left.extend_from_slice(&self.possible);
        for component in &self.components {
            let enables = |at: u32| state.is_enabled_in(component.component, transitions[at as usize]);
            let slot = component.by_number.get(state.local_number(component.component));
            let known = slot.and_then(|slot| match slot.get() {
                Some(mask) => Some(mask),
                None if self.can_pay() => Some(slot.get_or_init(|| self.mask(component, enables))),
                None => None,
            });
            match known {
                Some(mask) => left.iter_mut().zip(mask).for_each(|(left, mask)| *left &= mask),
                None => {
                    for at in &component.touching {
                        let (word, bit) = (*at as usize / 64, 1 << (at % 64));
                        if left[word] & bit != 0 && !enables(*at) {
                            left[word] &= !bit;
                        }
                    }
                }
            }
            if left.iter().all(|word| *word == 0) {
                return false;
            }
        }
        left.iter().any(|word| *word != 0)
    }

    /// Takes a mask's memory from the budget.
    fn can_pay(&self) -> bool {
        let bytes = 8 * self.possible.len() + BESIDE;
        let can = self.budget.as_ref().is_none_or(|budget| budget.charge(bytes).is_ok());
        if can && self.budget.is_some() {
            self.paid.fetch_add(bytes, Ordering::Relaxed);
        }
        can
    }

    #[cold]
    fn mask(&self, component: &Component, enables: impl Fn(u32) -> bool) -> Box<[u64]> {
        let mut mask: Box<[u64]> = vec![u64::MAX; self.possible.len()].into();
        for at in component.touching.iter().filter(|at| !enables(**at)) {
            mask[*at as usize / 64] &= !(1 << (at % 64));
        }
        mask
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        if let Some(budget) = &self.budget {
            budget.release(*self.paid.get_mut());
        }
    }
}
