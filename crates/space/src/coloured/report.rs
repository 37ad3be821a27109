//! What came of a search on coloured markings.

use std::time::Duration;

use sweepnet_colour::{Event, Marking, ModelError};

use super::growth::ColouredPump;
use crate::search::Counts;
use crate::{SearchChoice, StopReason, Swept};

/// What came of a search on coloured markings.
#[derive(Clone, Debug)]
pub struct ColouredReport {
    /// The search that was used.
    pub search: SearchChoice,
    /// Why it ended early; nothing if every reachable state was visited.
    pub stopped: Option<StopReason>,
    /// How it was seen that the net is unbounded.
    pub pump: Option<ColouredPump>,
    /// What is wrong with the model, and the events that show it: the last one is the one that fails. There are none
    /// if the initial marking is wrong.
    pub model_error: Option<(ModelError, Vec<Event>)>,
    /// States found. In a sweep that had to go back, those that were dropped and found again count again: see
    /// [`distinct`](Self::distinct).
    pub states: u64,
    /// The most states that were stored at a time.
    pub peak_states: u64,
    /// Arcs, explored states, deadlocks, depth.
    pub counts: Counts,
    /// The most tokens that were seen.
    pub maxima: ColouredMaxima,
    /// Bytes of all encoded states together: the sizes that the paper counts.
    pub state_bytes: u64,
    /// Bytes of the store, index included; the most at a time, if it was a sweep.
    pub store_bytes: usize,
    /// Bytes of what the search kept besides: parents, stack.
    pub search_bytes: usize,
    /// How the sweep went, if it was one.
    pub swept: Option<Swept>,
    /// The step that ended the sweep, where none may lose progress.
    pub lost: Option<Lost>,
    /// How long it took.
    pub time: Duration,
}

impl ColouredReport {
    /// Whether every reachable state was visited.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// How many different states were found; nothing if nobody knows, because some that were dropped may have been found
    /// again.
    pub fn distinct(&self) -> Option<u64> {
        self.swept.as_ref().is_none_or(Swept::is_exact).then_some(self.states)
    }
}

/// A step along which progress was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Where it starts.
    pub source: Marking,
    /// What happens.
    pub event: Event,
    /// Where it leads.
    pub target: Marking,
}

/// What a search and its store have to tell for the report.
#[derive(Debug, Default)]
pub(super) struct Extent {
    pub states: u64,
    pub peak_states: u64,
    pub state_bytes: u64,
    pub store_bytes: usize,
    pub search_bytes: usize,
    pub swept: Option<Swept>,
    pub lost: Option<Lost>,
    pub pump: Option<ColouredPump>,
}

impl Extent {
    /// The report.
    pub fn report(
        self,
        search: SearchChoice,
        stopped: Option<StopReason>,
        model_error: Option<(ModelError, Vec<Event>)>,
        counts: Counts,
        maxima: ColouredMaxima,
        time: Duration,
    ) -> ColouredReport {
        let Self { states, peak_states, state_bytes, store_bytes, search_bytes, swept, lost, pump } = self;
        ColouredReport {
            search,
            stopped,
            pump,
            model_error,
            states,
            peak_states,
            counts,
            maxima,
            state_bytes,
            store_bytes,
            search_bytes,
            swept,
            lost,
            time,
        }
    }
}

/// The most tokens over all states found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColouredMaxima {
    /// In each place.
    pub tokens: Vec<u64>,
    /// Of one value in each place.
    pub of_a_value: Vec<u64>,
    /// In one marking.
    pub total: u128,
}

impl ColouredMaxima {
    /// Nothing seen in so many places.
    pub(super) fn new(places: usize) -> Self {
        Self { tokens: vec![0; places], of_a_value: vec![0; places], total: 0 }
    }

    /// Sees a marking; tells whether some place has more tokens than ever.
    pub(super) fn raise(&mut self, marking: &Marking) -> bool {
        let (mut all, mut record) = (0u128, false);
        let maxima = self.tokens.iter_mut().zip(&mut self.of_a_value);
        for (tokens, (most, most_of_a_value)) in marking.places.iter().zip(maxima) {
            let (mut sum, mut largest) = (0u64, 0);
            for (_, count) in tokens.iter() {
                sum = sum.saturating_add(count);
                largest = largest.max(count);
            }
            record |= sum > *most;
            *most = sum.max(*most);
            *most_of_a_value = largest.max(*most_of_a_value);
            all += u128::from(sum);
        }
        self.total = self.total.max(all);
        record
    }
}
