//! Which events can change places in a sequence.
//!
//! Event *e* *can precede* event *a* if wherever *a* can happen and *e* right after it, *e* can happen and *a* right after
//! that. Both lead to the same marking then. It is a matter of single places, and asked of each that both have to do with.
//! Say that *a* needs A tokens there and adds d (or takes them, where d is negative), that *e* needs E and adds f. Where
//! *a* and then *e* happen, there are at least m = max(A, E - d) tokens, and there may be no more. So *e* can precede *a*
//! iff m ≥ E and m + f ≥ A; with inhibitor arcs the same of how many there may be at most. Where one of them resets the
//! place, none precedes the other.
//!
//! What takes from a place can be preceded by what puts there, not the other way round: the relation is wider than having
//! no place in common, and it has a direction.
//!
//! Events are put into *classes*, because only so many can be told apart. A class can precede another one if each of its
//! events can precede each of the other's; no class precedes itself.

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::automata::places_of;
use super::partition::each_enabled;

/// The most classes.
pub const MOST_CLASSES: usize = 255;

/// Pairs of events that are looked at, at most, place by place, those with few events first. What meets at the places that
/// are left does not change places.
const MOST_PAIRS: usize = 1 << 18;

/// Some of the classes, as bits.
type Classes = [u64; MOST_CLASSES.div_ceil(64)];

/// Which classes have events that were seen to be enabled in the same state, on a walk: where none are, it does not matter
/// which class can precede which. (Of two that wait for the same token, most can.)
#[derive(Debug)]
pub struct Together(Vec<Classes>);

impl Together {
    /// Of the events in these classes, each with its class.
    pub fn of(net: &Net, events: &[(TransitionId, usize)]) -> Self {
        let classes = events.iter().map(|(_, class)| class + 1).max().unwrap_or(0);
        let mut class_of = vec![None; net.transitions().len()];
        events.iter().for_each(|(t, class)| class_of[t.index()] = Some(*class));
        let mut together = vec![Classes::default(); classes];
        let words = classes.div_ceil(64);
        each_enabled(net, |enabled| {
            let mut here = Classes::default();
            let classes = || enabled.iter().filter_map(|t| class_of[*t as usize]);
            classes().for_each(|class| insert(&mut here, class));
            for class in classes() {
                together[class][..words].iter_mut().zip(here).for_each(|(all, here)| *all |= here);
            }
        });
        Self(together)
    }

    fn has(&self, a: usize, b: usize) -> bool {
        has(&self.0[a], b)
    }
}

/// See the [module](self).
#[derive(Debug)]
pub struct Commuting {
    /// For each class, those that can precede it.
    before: Vec<Classes>,
}

/// What an event has to do with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dealing {
    class: usize,
    /// It needs so many tokens.
    at_least: i128,
    /// It needs fewer than so many.
    below: Option<i128>,
    change: i128,
    resets: bool,
}

impl Dealing {
    fn of(net: &Net, t: TransitionId, place: PlaceId, class: usize) -> Self {
        let [input, output, read, inhibitor, reset] =
            [net.inputs(), net.outputs(), net.reads(), net.inhibitors(), net.resets()]
                .map(|arcs| i128::from(arcs.weight(t, place)));
        Self {
            class,
            at_least: input.max(read),
            below: Some(inhibitor).filter(|weight| *weight > 0),
            change: output - input,
            resets: reset > 0,
        }
    }

    /// Whether this can come before another event, as far as the place is concerned, that it comes right after.
    fn can_precede(&self, other: &Self) -> bool {
        let least = other.at_least.max(self.at_least - other.change);
        let has_enough = least >= self.at_least && least + self.change >= other.at_least;
        let most = [other.below, self.below.map(|below| below - other.change)].into_iter().flatten().min();
        let is_few = |count: Option<i128>, below: Option<i128>| match (count, below) {
            // There are at most one fewer than that.
            (Some(count), Some(below)) => count <= below,
            (_, None) => true,
            (None, Some(_)) => false,
        };
        let has_few = is_few(most, self.below) && is_few(most.map(|most| most + self.change), other.below);
        has_enough && has_few && !self.resets && !other.resets
    }
}

fn has(classes: &Classes, class: usize) -> bool {
    classes[class / 64] >> (class % 64) & 1 == 1
}

fn insert(classes: &mut Classes, class: usize) {
    classes[class / 64] |= 1 << (class % 64);
}

fn remove(classes: &mut Classes, class: usize) {
    classes[class / 64] &= !(1 << (class % 64));
}

impl Commuting {
    /// Of the events in these classes, each with its class.
    pub fn of(net: &Net, events: &[(TransitionId, usize)]) -> Self {
        let classes = events.iter().map(|(_, class)| class + 1).max().unwrap_or(0);
        assert!(classes <= MOST_CLASSES);
        let mut all = Classes::default();
        (0..classes).for_each(|class| insert(&mut all, class));
        let mut before = vec![all; classes];
        before.iter_mut().enumerate().for_each(|(class, before)| remove(before, class));

        let mut dealings: Vec<Vec<Dealing>> = vec![Vec::new(); net.places().len()];
        let mut places: Vec<PlaceId> = Vec::new();
        for (t, class) in events {
            places.clear();
            places.extend(places_of(net, *t));
            places.sort_unstable();
            places.dedup();
            for place in &places {
                dealings[place.index()].push(Dealing::of(net, *t, *place, *class));
            }
        }
        dealings.retain(|here| here.len() > 1);
        dealings.sort_by_key(Vec::len);
        let mut pairs = 0;
        for here in &dealings {
            pairs += here.len() * here.len();
            if pairs <= MOST_PAIRS {
                for (a, e) in here.iter().flat_map(|a| here.iter().map(move |e| (a, e))) {
                    if !e.can_precede(a) {
                        remove(&mut before[a.class], e.class);
                    }
                }
            } else {
                let mut met = Classes::default();
                here.iter().for_each(|it| insert(&mut met, it.class));
                for it in here {
                    before[it.class].iter_mut().zip(met).for_each(|(before, met)| *before &= !met);
                }
            }
        }
        Self { before }
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.before.len()
    }

    /// Whether a class can precede another one.
    pub fn can_precede(&self, class: usize, other: usize) -> bool {
        has(&self.before[other], class)
    }

    /// The classes in an order in which one that can precede another comes before it, mostly, if the other one cannot
    /// precede it and both are enabled together: from the end on, always the one that most of those that are left can precede.
    pub fn order(&self, together: &Together) -> Vec<usize> {
        let count = self.classes();
        let precedes = |e: usize, a: usize| {
            i32::from(self.can_precede(e, a) && !self.can_precede(a, e) && together.has(e, a))
        };
        let score = |a: usize| -> i32 { (0..count).map(|e| precedes(e, a) - precedes(a, e)).sum() };
        let mut rest: Vec<(usize, i32)> = (0..count).map(|a| (a, score(a))).collect();
        let mut order = Vec::with_capacity(count);
        while let Some(last) = (0..rest.len()).max_by_key(|at| (rest[*at].1, rest[*at].0)) {
            let (last, _) = rest.swap_remove(last);
            for (a, score) in &mut rest {
                *score += precedes(*a, last) - precedes(last, *a);
            }
            order.push(last);
        }
        order.reverse();
        order
    }
}

#[cfg(test)]
mod tests {
    use sweepnet_net::Marking;
    use sweepnet_testkit::nets;
    use sweepnet_testkit::random;

    use super::*;

    fn classes_of_one(net: &Net) -> Vec<(TransitionId, usize)> {
        net.transition_ids().map(|t| (t, t.index())).collect()
    }

    /// Random nets have all kinds of arcs, with weights.
    #[test]
    fn what_can_precede_does_wherever_it_comes_after() {
        let (mut swapped, mut refuted) = (0, 0);
        for seed in 0..400 {
            let net = random::net(seed);
            let events = classes_of_one(&net);
            let commuting = Commuting::of(&net, &events);
            let mut is_refuted = vec![vec![false; events.len()]; events.len()];
            let mut seen = std::collections::HashSet::from([net.initial_marking()]);
            let mut waiting = vec![net.initial_marking()];
            let fire = |marking: &Marking, t: TransitionId| {
                net.enabled(marking).any(|it| it == t).then(|| net.fire(marking, t).ok()).flatten()
            };
            while let Some(marking) = waiting.pop() {
                for (a, e) in events.iter().flat_map(|a| events.iter().map(move |e| (a.0, e.0))) {
                    let Some(after) = fire(&marking, a) else { continue };
                    let Some(both) = fire(&after, e) else { continue };
                    let other_way = fire(&marking, e).and_then(|after| fire(&after, a));
                    if other_way.as_ref() == Some(&both) {
                        swapped += usize::from(commuting.can_precede(e.index(), a.index()));
                    } else {
                        assert!(!commuting.can_precede(e.index(), a.index()), "seed {seed}: {a:?} {e:?}");
                        is_refuted[a.index()][e.index()] = true;
                    }
                    if seen.len() < 60 && seen.insert(both.clone()) {
                        waiting.push(both);
                    }
                }
            }
            refuted += is_refuted.iter().flatten().filter(|it| **it).count();
        }
        assert!(swapped > 10_000 && refuted > 100, "{swapped} {refuted}");
    }

    #[test]
    fn a_consumer_can_be_preceded_by_a_producer_and_not_the_other_way_round() {
        let net = nets::net("chain", &[("a", 3)], &["t: a -> b", "u: b -> c", "v: c o-b -> d"]);
        let commuting = Commuting::of(&net, &classes_of_one(&net));
        let pairs = [(0, 1, true), (1, 0, false), (0, 2, false), (2, 0, true), (1, 2, true), (2, 1, false)];
        for (e, a, can) in pairs {
            assert_eq!(commuting.can_precede(e, a), can, "{e} before {a}");
        }
        assert!((0..3).all(|class| !commuting.can_precede(class, class)));
    }

    #[test]
    fn what_can_precede_comes_first() {
        let net = nets::net("chain", &[("a", 3)], &["u: b -> c", "t: a -> b", "v: c -> d"]);
        let classes = classes_of_one(&net);
        assert_eq!(Commuting::of(&net, &classes).order(&Together::of(&net, &classes)), [1, 0, 2]);
    }

    /// So many events at one place that it is not looked at closely.
    #[test]
    fn what_is_not_looked_at_does_not_change_places() {
        let lines: Vec<String> = (0..600).map(|at| format!("t{at}: p -> q{at}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let net = nets::net("star", &[("p", 2)], &lines);
        let events: Vec<_> = net.transition_ids().map(|t| (t, t.index() / 3)).collect();
        let commuting = Commuting::of(&net, &events);
        assert_eq!(commuting.classes(), 200);
        assert!((0..200).all(|a| (0..200).all(|e| !commuting.can_precede(e, a))));
    }
}
