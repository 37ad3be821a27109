//! The most tokens in each coloured place and in a marking, watched along a search on the unfolding.
//!
//! What a coloured place holds is a sum over the places that it became; what a place that is only defined holds, its
//! definition tells. A sum that has reached a proven bound is not looked at any more. Where states are tuples of local
//! numbers, each number of a component has what it contributes to every sum that is left, noted when it is met first:
//! then a state costs a vector addition per component, and no count is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sweepnet_net::{Net, PlaceId, TransitionId};
use sweepnet_space::{Budget, Numbering, Observer, Report, Statistics, View as StateView};
use sweepnet_structure::Structure;

use super::holdings::{Holdings, Holds};
use crate::check::facts::StructuralFacts;
use crate::check::local::Pages;
use crate::{Linear, View};

/// Watches the tokens of coloured places, and which transitions fire.
#[derive(Clone, Debug)]
pub struct Totals<'n> {
    net: &'n Net,
    holdings: &'n Holdings,
    /// A proven bound of each sum, if there is one.
    upper: Arc<[Option<i128>]>,
    /// The largest value seen of each sum.
    largest: Vec<i128>,
    /// The sums that may still grow.
    open: Vec<usize>,
    /// The largest value seen of what is different in different cases.
    largest_by_cases: Vec<i128>,
    /// What is told of any net. The most tokens in a marking are counted here: places that are only defined have some.
    statistics: Statistics,
    tables: Option<Arc<Tables>>,
    /// Room to work in.
    lanes: Vec<i64>,
    budget: Budget,
}

impl<'n> Totals<'n> {
    /// Nothing seen yet.
    pub fn new(net: &'n Net, holdings: &'n Holdings, structure: &Structure, budget: &Budget) -> Self {
        let facts = StructuralFacts::new(net, structure);
        let upper = |sum: &Linear| sum.as_constant().or_else(|| facts.upper(sum));
        Self {
            net,
            holdings,
            upper: holdings.sums.iter().map(upper).collect(),
            largest: vec![0; holdings.sums.len()],
            // What is different in different cases belongs to the sum of all tokens.
            open: (usize::from(!holdings.by_cases.is_empty())..holdings.sums.len()).collect(),
            largest_by_cases: vec![0; holdings.by_cases.len()],
            statistics: Statistics::new(net),
            tables: None,
            lanes: Vec::new(),
            budget: budget.clone(),
        }
    }

    /// The most tokens in each coloured place, given what the search saw of the places of the unfolding.
    pub fn of_places(&self, report: &Report) -> Vec<u64> {
        let maxima = report.maxima.as_deref().unwrap_or_default();
        let count = |sum: i128| u64::try_from(sum).unwrap_or(if sum < 0 { 0 } else { u64::MAX });
        let most = |holds: &Holds| match holds {
            Holds::Place(place) => maxima.get(place.index()).copied().unwrap_or(0),
            Holds::Sum(at) => count(self.largest[*at]),
            Holds::Cases(at) => count(self.largest_by_cases[*at]),
        };
        self.holdings.places.iter().map(most).collect()
    }

    /// The most tokens in a marking.
    pub fn of_markings(&self) -> u128 {
        self.statistics.max_total
    }

    /// For each transition of the unfolding, whether it fired.
    pub fn into_fired(self) -> Vec<bool> {
        self.statistics.fired
    }

    /// Notes how many tokens a marking has.
    fn note(&mut self, tokens: i128) {
        let tokens = u128::try_from(tokens).unwrap_or(0);
        self.statistics.max_total = self.statistics.max_total.max(tokens);
    }

    /// Looks at the open sums.
    #[inline]
    fn raise(&mut self, state: &StateView<'_>) {
        if self.open.is_empty() {
            return;
        }
        let numbering = state.numbering();
        if numbering.is_some() && self.tables.as_ref().map(|tables| tables.numbering) != numbering {
            self.tables = Tables::new(&self.holdings.sums, &self.open, state, &self.budget).map(Arc::new);
        }
        let tables = self.tables.as_ref().filter(|tables| Some(tables.numbering) == numbering);
        if let Some(tables) = tables {
            tables.add_up(state, &mut self.lanes);
            // Hardly any state has more than all before.
            if self.open.iter().zip(&self.lanes).all(|(at, lane)| i128::from(*lane) <= self.largest[*at]) {
                return;
            }
        }
        self.look(state);
    }

    /// Looks at the open sums one by one.
    fn look(&mut self, state: &StateView<'_>) {
        let Self { net, holdings, largest, open, .. } = self;
        let seen = Seen { state, net };
        for at in open {
            let value = holdings.sums[*at].eval(&seen).unwrap_or(i128::MAX);
            largest[*at] = largest[*at].max(value);
        }
        self.close();
    }

    /// Leaves sums alone that cannot grow any more.
    fn close(&mut self) {
        let before = self.open.len();
        let Self { upper, largest, open, .. } = self;
        open.retain(|at| upper[*at].is_none_or(|upper| largest[*at] < upper));
        if open.len() < before {
            self.tables = None;
        }
        if self.holdings.by_cases.is_empty() {
            self.note(self.largest[0]);
        }
    }

    /// What is different in different cases, and the whole with it.
    fn raise_by_cases(&mut self, state: &StateView<'_>) {
        let seen = Seen { state, net: self.net };
        let mut total = self.holdings.sums[0].eval(&seen).unwrap_or(i128::MAX);
        for (cases, largest) in self.holdings.by_cases.iter().zip(&mut self.largest_by_cases) {
            let holds = |case: &crate::Predicate| case.eval(&seen) == Ok(true);
            let value = cases.0.iter().find(|(case, _)| holds(case)).and_then(|(_, it)| it.eval(&seen).ok());
            let value = value.unwrap_or(0);
            total = total.saturating_add(value);
            *largest = (*largest).max(value);
        }
        self.note(total);
    }
}

impl Observer for Totals<'_> {
    fn wants_maxima(&self) -> bool {
        self.statistics.wants_maxima()
    }

    fn wants_fired(&self) -> bool {
        self.statistics.wants_fired()
    }

    #[inline]
    fn discovered(&mut self, state: &StateView<'_>) -> bool {
        self.raise(state);
        if !self.holdings.by_cases.is_empty() {
            self.raise_by_cases(state);
        }
        false
    }

    fn fired(&mut self, event: TransitionId) {
        self.statistics.fired(event);
    }

    fn fork(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn join(&mut self, part: Self) {
        let raise = |mine: &mut [i128], theirs: &[i128]| {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
        };
        raise(&mut self.largest, &part.largest);
        raise(&mut self.largest_by_cases, &part.largest_by_cases);
        self.statistics.join(part.statistics);
        if part.tables.is_some() && part.open == self.open {
            self.tables = part.tables;
        }
        self.close();
    }
}

/// A state of a search, as definitions see it.
struct Seen<'a, 'b> {
    state: &'a StateView<'b>,
    net: &'a Net,
}

impl View for Seen<'_, '_> {
    #[inline]
    fn tokens(&self, place: PlaceId) -> u64 {
        self.state.tokens(place)
    }

    fn is_enabled(&self, transition: TransitionId) -> bool {
        self.state.is_enabled(transition)
    }

    fn is_dead(&self) -> bool {
        !self.net.transition_ids().any(|transition| self.state.is_enabled(transition))
    }

    fn is_initial(&self) -> bool {
        self.net.place_ids().all(|place| self.state.tokens(place) == self.net.place(place).initial)
    }
}

/// What local numbers contribute to sums. Shared by all threads.
#[derive(Debug)]
struct Tables {
    numbering: Numbering,
    /// What never changes.
    constant: Vec<i64>,
    components: Vec<Component>,
    budget: Budget,
    /// What is on the account for them.
    paid: AtomicUsize,
}

#[derive(Debug)]
struct Component {
    component: u32,
    /// The places in it that count: in which sum, and how often.
    terms: Vec<(usize, PlaceId, i64)>,
    by_number: Pages<Box<[i64]>>,
}

/// What the contribution of a number takes beside itself: its place in a page, and what allocators lose.
const BESIDE: usize = 64;

impl Tables {
    /// For these sums, on states of this system; nothing if they have no local numbers, or if numbers are too large.
    fn new(sums: &[Linear], open: &[usize], state: &StateView<'_>, budget: &Budget) -> Option<Self> {
        let numbering = state.numbering()?;
        let mut constant = Vec::with_capacity(open.len());
        let mut components: Vec<Component> = Vec::new();
        for (lane, at) in open.iter().enumerate() {
            let mut sum = sums[*at].offset();
            let mut terms: Vec<(PlaceId, i64)> = Vec::new();
            for (place, factor) in sums[*at].terms() {
                let factor = i64::try_from(*factor).ok()?;
                match state.complement_of(*place) {
                    Some(others) => {
                        sum = sum.checked_add(i128::from(factor))?;
                        let taken = factor.checked_neg()?;
                        terms.extend(others.iter().map(|other| (*other, taken)));
                    }
                    None => terms.push((*place, factor)),
                }
            }
            for (place, factor) in &terms {
                let factor = *factor;
                let Some(component) = state.component_of(*place) else {
                    sum = sum.checked_add(i128::from(factor) * i128::from(state.tokens(*place)))?;
                    continue;
                };
                let term = (lane, *place, factor);
                match components.iter_mut().find(|other| other.component == component) {
                    Some(known) => known.terms.push(term),
                    None => components.push(Component {
                        component,
                        terms: vec![term],
                        by_number: Pages::default(),
                    }),
                }
            }
            constant.push(i64::try_from(sum).ok()?);
        }
        let paid = AtomicUsize::new(0);
        Some(Self { numbering, constant, components, budget: budget.clone(), paid })
    }

    /// The sums in a state; the largest number there is stands for whatever is larger.
    #[inline]
    fn add_up(&self, state: &StateView<'_>, lanes: &mut Vec<i64>) {
        lanes.clear();
        lanes.extend_from_slice(&self.constant);
        for component in &self.components {
            let slot = component.by_number.get(state.local_number(component.component));
            let known = slot.and_then(|slot| match slot.get() {
                Some(known) => Some(known),
                None if self.can_pay() => {
                    Some(slot.get_or_init(|| component.contribution(state, self.constant.len())))
                }
                None => None,
            });
            let add = |(lane, more): (&mut i64, &i64)| *lane = lane.saturating_add(*more);
            match known {
                Some(known) => lanes.iter_mut().zip(known).for_each(add),
                None => {
                    let more = component.contribution(state, self.constant.len());
                    lanes.iter_mut().zip(&more).for_each(add);
                }
            }
        }
    }

    /// Takes the memory of a contribution from the budget.
    fn can_pay(&self) -> bool {
        let bytes = 8 * self.constant.len() + BESIDE;
        let can = self.budget.charge(bytes).is_ok();
        if can {
            self.paid.fetch_add(bytes, Ordering::Relaxed);
        }
        can
    }
}

impl Component {
    #[cold]
    fn contribution(&self, state: &StateView<'_>, lanes: usize) -> Box<[i64]> {
        let mut more: Box<[i64]> = vec![0i64; lanes].into();
        for (lane, place, factor) in &self.terms {
            let tokens = i64::try_from(state.tokens(*place)).unwrap_or(i64::MAX);
            more[*lane] = more[*lane].saturating_add(tokens.saturating_mul(*factor));
        }
        more
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        self.budget.release(*self.paid.get_mut());
    }
}
