//! Arcs that need not be followed, because what they lead to is found another way.
//!
//! If event *e* can precede event *a* ([`commuting`](super::commuting)), then *a* and *e* after it lead where *e* and *a*
//! after it lead. It is enough to follow one of both. So the classes of events are put in an order, and a state remembers
//! of which class the event was by which it was found. When it is expanded, events of classes that are lower in the order
//! and can precede that one are *passed over*: they are counted, but not followed.
//!
//! Nothing is missed, and nothing is found a level later. Let x be a state of level n + 1, and of all arcs from level n
//! to x take one of the highest class: event *e* from p. If it were passed over, then p was found from a state q of level
//! n - 1 by an event *a* of a higher class that *e* can precede. So *e* can happen in q, and *a* after it leads to x: from
//! a state that is at most on level n (and not below it, or x would not be on level n + 1), by an arc of a class above the
//! highest. (It is the idea of Godefroid's sleep sets, kept to one step, which is what makes it sound together with a set
//! of states found and with levels.)
//!
//! Nor is an event missed that fires at all: where it can happen on the lowest level, it is followed. If it were passed
//! over there, it could happen a level below.
//!
//! What a state keeps is a *label*: which set of events is passed over. Classes with the same set have the same label.

use sweepnet_net::{Net, TransitionId};

use super::commuting::{Commuting, MOST_CLASSES, Together};
use crate::hashing::HashMap;

/// Bytes that the sets of all labels may take, at most.
const MOST_BYTES: usize = 1 << 16;

/// How many labels there are at most: one for each class, and one.
pub const LABELS: usize = MOST_CLASSES + 1;

/// Bytes of an arc, and of a place or a transition, while it is found out what is passed over.
const BYTES_OF_ARC: usize = 256;
const BYTES_OF_NODE: usize = 96;

/// The bytes that it takes to find out what is passed over in a net.
pub fn bytes(net: &Net) -> usize {
    let kinds = [net.inputs(), net.outputs(), net.reads(), net.inhibitors(), net.resets()];
    let arcs: usize = kinds.iter().map(|arcs| arcs.len()).sum();
    BYTES_OF_ARC * arcs + BYTES_OF_NODE * (net.places().len() + net.transitions().len()) + 4 * MOST_BYTES
}

/// Where an event is told apart from others: a bit in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Among the own events of a root.
    Own {
        /// The root.
        root: u32,
        /// Its event, below 32.
        event: u32,
    },
    /// Among the events that touch several roots.
    Shared(u32),
}

/// An event as far as passing over goes.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The transition.
    pub transition: TransitionId,
    /// The roots that it touches, as bits.
    pub roots: u32,
    /// Where it is told apart.
    pub place: Place,
    /// Whether it changes nothing: then it is always passed over.
    pub still: bool,
}

/// What is passed over in a state, by its label: with label 0, nothing but what changes nothing.
#[derive(Debug)]
pub struct Passing {
    /// For each root, the own events that are passed over, by label.
    own: Vec<[u32; LABELS]>,
    /// For each label, the shared events that are passed over.
    shared: Vec<u64>,
    shared_words: usize,
    /// The labels of states found by each own event, and by each shared one.
    own_labels: Vec<u8>,
    shared_labels: Vec<u8>,
    label_bits: u32,
}

/// A set of events.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Set {
    own: Vec<u32>,
    shared: Vec<u64>,
}

impl Set {
    fn insert(&mut self, place: Place) {
        match place {
            Place::Own { root, event } => self.own[root as usize] |= 1 << event,
            Place::Shared(at) => self.shared[at as usize / 64] |= 1 << (at % 64),
        }
    }
}

impl Default for Passing {
    fn default() -> Self {
        Self::new(None, &[], 0, 0)
    }
}

impl Passing {
    /// For these events of so many roots, with so many words of shared ones; without a net, nothing but what changes nothing
    /// is passed over. Events that are told apart nowhere are passed over together.
    pub fn new(net: Option<&Net>, events: &[Candidate], roots: usize, shared_words: usize) -> Self {
        let mut never = Set { own: vec![0; roots], shared: vec![0; shared_words] };
        events.iter().filter(|event| event.still).for_each(|event| never.insert(event.place));
        let mut passing = Self {
            own: vec![[0; LABELS]; roots],
            shared: Vec::new(),
            shared_words,
            own_labels: vec![0; 32 * roots],
            shared_labels: vec![0; 64 * shared_words],
            label_bits: 0,
        };
        let mut labels = HashMap::default();
        passing.label(&mut labels, never.clone());
        let Some(net) = net else { return passing };

        let bytes = 4 * roots + 8 * shared_words;
        let most = (MOST_BYTES / bytes.max(1)).clamp(1, MOST_CLASSES);
        let moving: Vec<Candidate> = events.iter().copied().filter(|event| !event.still).collect();
        let classes = classes(&moving, most);
        let with_class: Vec<(TransitionId, usize)> =
            moving.iter().zip(&classes).map(|(event, class)| (event.transition, *class)).collect();
        let commuting = Commuting::of(net, &with_class);
        let order = commuting.order(&Together::of(net, &with_class));
        let mut members: Vec<Vec<Place>> = vec![Vec::new(); commuting.classes()];
        for (event, class) in moving.iter().zip(&classes) {
            members[*class].push(event.place);
        }
        for (at, class) in order.iter().enumerate() {
            let mut set = never.clone();
            let lower = order[..at].iter().filter(|lower| commuting.can_precede(**lower, *class));
            lower.flat_map(|lower| &members[*lower]).for_each(|place| set.insert(*place));
            let label = passing.label(&mut labels, set);
            for place in &members[*class] {
                match place {
                    Place::Own { root, event } => passing.own_labels[(32 * root + event) as usize] = label,
                    Place::Shared(at) => passing.shared_labels[*at as usize] = label,
                }
            }
        }
        passing.label_bits = usize::BITS - (labels.len() - 1).leading_zeros();
        passing
    }

    /// The label of a set, which gets one if it has none.
    fn label(&mut self, labels: &mut HashMap<Set, u8>, set: Set) -> u8 {
        let next = labels.len() as u8;
        *labels.entry(set).or_insert_with_key(|set| {
            self.own.iter_mut().zip(&set.own).for_each(|(own, word)| own[usize::from(next)] = *word);
            self.shared.extend_from_slice(&set.shared);
            next
        })
    }

    /// Bits that a label takes.
    pub fn label_bits(&self) -> u32 {
        self.label_bits
    }

    /// The label of a state that was found by an own event of a root.
    #[inline(always)]
    pub fn of_own(&self, root: usize, event: u32) -> u8 {
        self.own_labels[32 * root + event as usize]
    }

    /// The label of a state that was found by a shared event.
    #[inline(always)]
    pub fn of_shared(&self, event: usize) -> u8 {
        self.shared_labels[event]
    }

    /// The own events of a root that are passed over, as bits, by the label of a state.
    #[inline(always)]
    pub fn own(&self, root: usize) -> &[u32; LABELS] {
        &self.own[root]
    }

    /// The shared events that are passed over in a state with this label: one word of them.
    #[inline(always)]
    pub fn shared(&self, label: u8, word: usize) -> u64 {
        self.shared[usize::from(label) * self.shared_words + word]
    }
}

/// The class of each event, at most so many: those that are told apart have their own, if there are enough; or else some share
/// one that touch the same roots, mostly. Own events come before others.
fn classes(events: &[Candidate], most: usize) -> Vec<usize> {
    let key = |event: &Candidate| match event.place {
        Place::Own { event: at, .. } => (event.roots, false, at),
        Place::Shared(at) => (event.roots, true, at),
    };
    let mut keys: Vec<_> = events.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    let class = |event: &Candidate| {
        let position = keys.binary_search(&key(event)).unwrap_or_default();
        if keys.len() <= most { position } else { position * most / keys.len() }
    };
    events.iter().map(class).collect()
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::nets;

    use super::*;

    /// Own events are alone in a root.
    fn candidates(net: &Net, shared: &[usize]) -> Vec<Candidate> {
        let candidate = |t: TransitionId| {
            let at = t.index() as u32;
            let place = if shared.contains(&t.index()) {
                Place::Shared(at)
            } else {
                Place::Own { root: at, event: 0 }
            };
            Candidate { transition: t, roots: 1 << (at % 32), place, still: false }
        };
        net.transition_ids().map(candidate).collect()
    }

    #[test]
    fn what_can_precede_is_passed_over_in_one_order_only() {
        let net = nets::net("chains", &[("a", 3), ("x", 3)], &["t: a -> b", "u: b -> c", "v: x -> y"]);
        let passing = Passing::new(Some(&net), &candidates(&net, &[1]), 3, 1);
        let [t, u, v] = [passing.of_own(0, 0), passing.of_shared(1), passing.of_own(2, 0)];
        // After u, t is passed over; after t, u is not.
        let own = |root: usize, label: u8| passing.own(root)[usize::from(label)];
        assert_eq!(own(0, u), 1);
        assert_eq!(passing.shared(t, 0), 0);
        // Of two that have nothing to do with each other, one is passed over after the other.
        assert_eq!(own(0, v) + own(2, t), 1);
        assert_eq!(u32::from(passing.shared(v, 0) == 2) + own(2, u), 1);
        assert_eq!(([own(0, 0), own(1, 0), own(2, 0)], passing.shared(0, 0)), ([0; 3], 0));
    }

    #[test]
    fn what_changes_nothing_is_always_passed_over() {
        let net = nets::net("still", &[("a", 3), ("x", 3)], &["t: a -> a", "u: x -> y"]);
        let mut events = candidates(&net, &[]);
        events[0].still = true;
        let passing = Passing::new(Some(&net), &events, 2, 0);
        assert_eq!((passing.own(0)[0], passing.own(1)[0], passing.label_bits()), (1, 0, 0));
    }

    #[test]
    fn many_events_share_classes_and_sets_take_little() {
        let lines: Vec<String> = (0..2_000).map(|at| format!("t{at}: p{at} -> q{at}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let net = nets::net("many", &[], &lines);
        let all: Vec<usize> = (0..2_000).collect();
        let passing = Passing::new(Some(&net), &candidates(&net, &all), 0, 2_000usize.div_ceil(64));
        assert!(passing.shared.len() * 8 <= MOST_BYTES + 8 * 32);
        assert_eq!(passing.label_bits(), 8);
        let last = (0..2_000).map(|at| passing.of_shared(at)).max().unwrap();
        let passed: u32 = (0..32).map(|word| passing.shared(last, word).count_ones()).sum();
        assert!(passed > 1_900, "{passed}");
    }
}
