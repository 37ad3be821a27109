//! Which transitions a state may enable, without trying all of them.
//!
//! In a wide net few of thousands of transitions are enabled at a time. Each transition is listed under one place that
//! it needs tokens of, its *trigger*; only where that place is marked is the transition looked at. What is left to do
//! for every state is a walk over its words, which copying it takes as well.
//!
//! Any place that it needs would do. One that has no tokens at first and on which few others wait is marked seldom.

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::layout::Layout;
use super::swar::field_mask;

/// The transitions by their triggers.
#[derive(Clone, Debug)]
pub struct Triggers {
    /// For each word, the bits of fields that trigger something.
    masks: Vec<u64>,
    /// For each bit of each word, the field it belongs to.
    fields: Vec<u32>,
    /// For each field, its bits, and where the entries that it triggers lie.
    entries_of: Vec<(u64, std::ops::Range<u32>)>,
    entries: Vec<u32>,
    /// Entries that need no tokens.
    always: Vec<u32>,
}

impl Triggers {
    /// Chooses a trigger for each of some transitions, which are the entries of a program.
    pub fn new(net: &Net, layout: &Layout, transitions: impl Iterator<Item = TransitionId>) -> Self {
        let mut waiting = vec![Vec::new(); net.places().len()];
        let mut always = Vec::new();
        for (entry, t) in transitions.enumerate() {
            let needed = net.inputs().of(t).iter().chain(net.reads().of(t));
            let needed = needed.filter(|arc| arc.weight > 0 && layout.field(arc.place).width > 0);
            let seldom = |p: &PlaceId| (net.place(*p).initial > 0, waiting[p.index()].len());
            match needed.map(|arc| arc.place).min_by_key(seldom) {
                Some(place) => waiting[place.index()].push(entry as u32),
                None => always.push(entry as u32),
            }
        }
        let mut triggers = Self {
            masks: vec![0; layout.words()],
            fields: vec![0; layout.words() * 64],
            entries_of: Vec::new(),
            entries: Vec::new(),
            always,
        };
        for (place, entries) in net.place_ids().zip(waiting) {
            if entries.is_empty() {
                continue;
            }
            let field = layout.field(place);
            let word = field.word as usize;
            let mask = field_mask(field.top(), layout.tops()[word]);
            triggers.masks[word] |= mask;
            let at = triggers.entries_of.len() as u32;
            let first = word * 64 + usize::from(field.shift);
            triggers.fields[first..first + usize::from(field.width)].fill(at);
            let start = triggers.entries.len() as u32;
            triggers.entries.extend(entries);
            triggers.entries_of.push((mask, start..triggers.entries.len() as u32));
        }
        triggers
    }

    /// Leaves out some of those that need no tokens.
    pub fn leave_out(&mut self, is_out: impl Fn(u32) -> bool) {
        self.always.retain(|entry| !is_out(*entry));
    }

    /// The entries whose triggers are marked in a state, in order: all that it may enable.
    pub fn candidates(&self, words: &[u64]) -> impl Iterator<Item = u32> {
        let mut candidates = Vec::new();
        for (at, (word, mask)) in words.iter().zip(&self.masks).enumerate() {
            let mut marked = word & mask;
            while marked != 0 {
                let field = self.fields[at * 64 + marked.trailing_zeros() as usize];
                let (bits, entries) = &self.entries_of[field as usize];
                candidates.extend(&self.entries[entries.start as usize..entries.end as usize]);
                marked &= !bits;
            }
        }
        candidates.sort_unstable();
        // Those that need no tokens may be very many, and are in order.
        let (mut always, mut marked) =
            (self.always.iter().copied().peekable(), candidates.into_iter().peekable());
        std::iter::from_fn(move || match (always.peek(), marked.peek()) {
            (Some(entry), Some(other)) if entry > other => marked.next(),
            (None, _) => marked.next(),
            _ => always.next(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepnet_testkit::{nets, random};

    /// Walks through a net by its plain firing rule, and shows the packed markings with the enabled transitions.
    fn walk(net: &Net, steps: usize, mut show: impl FnMut(&Triggers, &[u64], &[TransitionId])) {
        let layout = Layout::plain(net);
        let triggers = Triggers::new(net, &layout, net.transition_ids());
        let mut marking = net.initial_marking();
        let mut random = random::Random::new(1);
        for _ in 0..steps {
            let mut words = vec![0; layout.words()];
            net.place_ids().for_each(|p| layout.put(&mut words, p, marking[p]));
            let enabled: Vec<TransitionId> = net.enabled(&marking).collect();
            show(&triggers, &words, &enabled);
            if enabled.is_empty() {
                return;
            }
            marking = net.fire(&marking, *random.pick(&enabled)).expect("it is enabled");
        }
    }

    #[test]
    fn whatever_is_enabled_is_a_candidate() {
        for seed in 0..300 {
            walk(&random::net(seed), 30, |triggers, words, enabled| {
                let candidates: Vec<u32> = triggers.candidates(words).collect();
                assert!(candidates.is_sorted());
                assert!(enabled.iter().all(|t| candidates.contains(&(t.index() as u32))), "seed {seed}");
            });
        }
    }

    #[test]
    fn a_wider_net_with_as_many_jobs_has_no_more_candidates() {
        let most = |stations| {
            let mut most = 0;
            walk(&nets::assembly_line(stations, 8), 500, |triggers, words, _| {
                most = most.max(triggers.candidates(words).count());
            });
            most
        };
        // Two for each job, and one that waits for a station which had a job at first to be free.
        for stations in [33, 333, 3_333] {
            assert!(most(stations) <= 3 * 8, "{stations} stations");
        }
    }
}
