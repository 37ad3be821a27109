//! Arcs that need not be followed, because what they lead to is found another way.
//!
//! Events that touch no common component commute: if *a* and *b* are such events and both can happen in a state, they
//! can happen one after the other, in either order, and lead to the same state. It is enough to follow one order. So
//! every event has a *label*, and a state remembers the label of the event by which it was found. When it is expanded,
//! events with a lower label that touch none of the components that event touched are *passed over*: they are counted,
//! but not followed.
//!
//! Nothing is missed, and nothing is found a level later. Let x be a state of level n + 1, and of all arcs from level n
//! to x take the one with the highest label: event *e* from p. If it were passed over, then p was found from a state q
//! of level n - 1 by an event *a* with a higher label that has no component in common with *e*. So *e* can happen in q,
//! and *a* after it leads to x: from a state that is at most on level n (and not below it, or x would not be on level
//! n + 1), by an arc with a higher label than the highest. (It is the idea of Godefroid's sleep sets, kept to one step,
//! which is what makes it sound together with a set of states found and with levels.)
//!
//! In a component that follows from the others it is not the component that counts but each of its places: most events
//! touch it, and few have a place there in common.
//!
//! Events with the same components have the same label; the own events of a component are below all shared ones.

/// Labels that can be told apart; what has none of them is never passed over, nor a reason to pass over others.
const MOST_LABELS: usize = 256;

/// Words that the tables for shared events may take, at most.
const MOST_WORDS: usize = 1 << 13;

/// What is passed over in a state, by the label of the event that it was found by. Label 0 is no label.
#[derive(Debug, Default)]
pub struct Passing {
    /// For each label, the roots whose own events are passed over, as bits.
    roots: Vec<u32>,
    /// For each label, the shared events that are passed over, as words like those of a pattern.
    shared: Vec<u64>,
    words: usize,
    /// The label of each shared event.
    labels: Vec<u8>,
}

impl Passing {
    /// For so many roots and shared events that touch these, as bits. Bits beyond the roots are for places that tell more
    /// closely what an event touches in the last of them.
    pub fn new(roots: usize, masks: &[u32]) -> Self {
        let all = u32::MAX >> (32 - roots.clamp(1, 32));
        let words = masks.len().div_ceil(64).max(1);
        let most = (MOST_WORDS / words).clamp(roots + 1, MOST_LABELS);
        let mut classes: Vec<u32> = masks.to_vec();
        classes.sort_unstable();
        classes.dedup();
        classes.truncate(most - 1 - roots);
        let label = |mask: &u32| classes.binary_search(mask).map_or(0, |at| (1 + roots + at) as u8);
        let labels: Vec<u8> = masks.iter().map(label).collect();

        let mut passing = Self { roots: vec![0], shared: vec![0; words], words, labels };
        for root in 0..roots {
            passing.roots.push((1 << root) - 1);
            passing.shared.resize(passing.shared.len() + words, 0);
        }
        for (at, class) in classes.iter().enumerate() {
            passing.roots.push(all & !class);
            let mut row = vec![0; words];
            for (event, mask) in masks.iter().enumerate() {
                let theirs = passing.labels[event];
                if theirs != 0 && usize::from(theirs) <= roots + at && mask & class == 0 {
                    row[event / 64] |= 1 << (event % 64);
                }
            }
            passing.shared.append(&mut row);
        }
        passing
    }

    /// Bits that a label takes.
    pub fn label_bits(&self) -> u32 {
        usize::BITS - (self.roots.len() - 1).leading_zeros()
    }

    /// The label of a root's own events.
    #[inline(always)]
    pub fn of_root(root: usize) -> u8 {
        root as u8 + 1
    }

    /// The label of a shared event.
    #[inline(always)]
    pub fn of_shared(&self, event: usize) -> u8 {
        self.labels[event]
    }

    /// The roots whose own events are passed over in a state with this label, as bits.
    #[inline(always)]
    pub fn roots(&self, label: u8) -> u32 {
        self.roots[usize::from(label)]
    }

    /// The shared events that are passed over in a state with this label: one word of them.
    #[inline(always)]
    pub fn shared(&self, label: u8, word: usize) -> u64 {
        self.shared[usize::from(label) * self.words + word]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(roots: &[u32]) -> u32 {
        roots.iter().fold(0, |mask, root| mask | 1 << root)
    }

    #[test]
    fn only_lower_labels_without_a_common_component_are_passed_over() {
        let shared = [event(&[0, 1]), event(&[2, 3]), event(&[1, 2]), event(&[0, 1])];
        let passing = Passing::new(4, &shared);
        assert_eq!(passing.roots(0), 0);
        assert_eq!(
            (0..4).map(|root| passing.roots(Passing::of_root(root))).collect::<Vec<_>>(),
            [0, 1, 3, 7]
        );
        let labels: Vec<u8> = (0..4).map(|event| passing.of_shared(event)).collect();
        assert_eq!(labels[0], labels[3]);
        assert_eq!(passing.roots(labels[0]), 0b1100);
        assert_eq!(passing.roots(labels[1]), 0b0011);
        assert_eq!(passing.roots(labels[2]), 0b1001);
        for a in 0..4 {
            for b in 0..4 {
                let passed = passing.shared(labels[a], 0) >> b & 1 == 1;
                let disjoint = [(0, 1), (1, 0), (3, 1), (1, 3)].contains(&(a, b));
                assert_eq!(passed, disjoint && labels[b] < labels[a], "{a} {b}");
            }
        }
        assert_eq!(passing.label_bits(), 3);
    }

    #[test]
    fn what_has_no_label_is_never_passed_over() {
        let shared: Vec<u32> = (0..32).flat_map(|a| (0..a).map(move |b| event(&[b, a]))).collect();
        let passing = Passing::new(32, &shared);
        assert_eq!(passing.label_bits(), 8);
        let without: Vec<usize> = (0..shared.len()).filter(|event| passing.of_shared(*event) == 0).collect();
        assert!(!without.is_empty());
        for label in 0..=255 {
            assert!(without.iter().all(|event| passing.shared(label, event / 64) >> (event % 64) & 1 == 0));
        }
    }
}
