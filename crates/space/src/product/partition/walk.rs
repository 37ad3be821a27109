//! Random walks through a net: fire any enabled transition, again and again.
//!
//! The set of enabled transitions is kept from step to step: a firing changes a few places, and only the
//! transitions that look at those are looked at again.

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::noise::Noise;

/// What one transition wants of one place: at least so many tokens, and fewer than so many.
#[derive(Clone, Copy, Debug)]
struct Condition {
    transition: u32,
    at_least: u64,
    below: u64,
}

impl Condition {
    fn holds(self, tokens: u64) -> bool {
        self.at_least <= tokens && tokens < self.below
    }
}

/// What transitions want, by place.
#[derive(Debug)]
pub(super) struct Conditions {
    /// Conditions of place `p`: `list[offsets[p]..offsets[p + 1]]`.
    offsets: Vec<usize>,
    list: Vec<Condition>,
}

impl Conditions {
    pub(super) fn of(net: &Net) -> Self {
        let mut list: Vec<(PlaceId, Condition)> = Vec::new();
        let mut touched: Vec<PlaceId> = Vec::new();
        for t in net.transition_ids() {
            let kinds = [net.inputs(), net.reads(), net.inhibitors()];
            touched.clear();
            touched.extend(kinds.iter().flat_map(|arcs| arcs.of(t)).map(|arc| arc.place));
            touched.sort_unstable();
            touched.dedup();
            list.extend(touched.iter().map(|place| {
                let at_least = net.inputs().weight(t, *place).max(net.reads().weight(t, *place));
                let below = match net.inhibitors().weight(t, *place) {
                    0 => u64::MAX,
                    weight => weight,
                };
                (*place, Condition { transition: t.index() as u32, at_least, below })
            }));
        }
        list.sort_by_key(|(place, _)| *place);
        let mut offsets = vec![0; net.places().len() + 1];
        for (place, _) in &list {
            offsets[place.index() + 1] += 1;
        }
        for place in 0..net.places().len() {
            offsets[place + 1] += offsets[place];
        }
        Self { offsets, list: list.into_iter().map(|(_, condition)| condition).collect() }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Which transitions want how many tokens of a place.
    pub(super) fn least(&self, place: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.at(place).iter().map(|condition| (condition.transition, condition.at_least))
    }

    fn at(&self, place: usize) -> &[Condition] {
        &self.list[self.offsets[place]..self.offsets[place + 1]]
    }
}

/// How often a walker in a mood looks for a transition that it does not avoid.
const TRIES: usize = 6;

/// Which transitions a walk avoids: none, or a random half of them. Where some transition leads to an early end
/// whenever it fires, only walks that avoid it come far ("swarm testing"; Groce and others 2012).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mood(u64);

impl Mood {
    /// A mood at random; every second one avoids nothing.
    pub(super) fn any(noise: &mut Noise) -> Self {
        let number = noise.next();
        Self(if number & 2 == 0 { 0 } else { number | 1 })
    }

    fn avoids(self, transition: u32) -> bool {
        (u64::from(transition) + 1).wrapping_mul(self.0) >> 63 == 1
    }
}

/// A marking that walks.
#[derive(Debug)]
pub(super) struct Walker<'a> {
    net: &'a Net,
    conditions: &'a Conditions,
    tokens: Vec<u64>,
    /// For each transition, how many of its conditions do not hold.
    unmet: Vec<u32>,
    /// The enabled transitions in no order, and for each transition its position there.
    enabled: Vec<u32>,
    position: Vec<u32>,
    mood: Mood,
    /// The transition that fired last.
    pub(super) last: u32,
    /// How many conditions were looked at so far: the measure of what it costs.
    pub(super) work: u64,
}

impl<'a> Walker<'a> {
    /// A walker in the initial marking.
    pub(super) fn new(net: &'a Net, conditions: &'a Conditions) -> Self {
        let mut walker = Self {
            net,
            conditions,
            tokens: vec![0; net.places().len()],
            unmet: vec![0; net.transitions().len()],
            enabled: Vec::new(),
            position: vec![0; net.transitions().len()],
            mood: Mood::default(),
            last: 0,
            work: 0,
        };
        walker.go_to(net.initial_marking().tokens(), Mood::default());
        walker
    }

    /// Puts it into a marking, and in a mood.
    pub(super) fn go_to(&mut self, tokens: &[u64], mood: Mood) {
        self.mood = mood;
        self.work += self.conditions.list.len() as u64;
        self.tokens.copy_from_slice(tokens);
        self.unmet.fill(0);
        for (place, tokens) in self.tokens.iter().enumerate() {
            for condition in self.conditions.at(place) {
                self.unmet[condition.transition as usize] += u32::from(!condition.holds(*tokens));
            }
        }
        self.enabled.clear();
        for (t, unmet) in self.unmet.iter().enumerate() {
            if *unmet == 0 {
                self.position[t] = self.enabled.len() as u32;
                self.enabled.push(t as u32);
            }
        }
    }

    /// Where it is.
    pub(super) fn tokens(&self) -> &[u64] {
        &self.tokens
    }

    /// Fires one of the enabled transitions. Tells whether there was one, and room for what it produces.
    pub(super) fn step(&mut self, noise: &mut Noise) -> bool {
        let mut any = || self.enabled.get(noise.below(self.enabled.len())).copied();
        let Some(mut t) = any() else { return false };
        for _ in 0..TRIES {
            if !self.mood.avoids(t) {
                break;
            }
            t = any().unwrap_or(t);
        }
        self.fire(TransitionId::new(t as usize))
    }

    /// Whether a transition is enabled.
    pub(super) fn is_enabled(&self, transition: TransitionId) -> bool {
        self.unmet[transition.index()] == 0
    }

    /// Fires an enabled transition. Tells whether there was room for what it produces.
    pub(super) fn fire(&mut self, t: TransitionId) -> bool {
        self.last = t.index() as u32;
        let net = self.net;
        let room = |arc: &sweepnet_net::Arc| self.tokens[arc.place.index()].checked_add(arc.weight).is_some();
        if !net.outputs().of(t).iter().all(room) {
            return false;
        }
        for arc in net.inputs().of(t) {
            // What is put back at once need not be taken first.
            let back = net.outputs().weight(t, arc.place);
            if back <= arc.weight {
                self.set(arc.place, self.tokens[arc.place.index()] - (arc.weight - back));
            }
        }
        for arc in net.resets().of(t) {
            self.set(arc.place, net.outputs().weight(t, arc.place));
        }
        for arc in net.outputs().of(t) {
            let taken = net.inputs().weight(t, arc.place);
            if arc.weight > taken && net.resets().weight(t, arc.place) == 0 {
                self.set(arc.place, self.tokens[arc.place.index()] + (arc.weight - taken));
            }
        }
        true
    }

    fn set(&mut self, place: PlaceId, tokens: u64) {
        let before = std::mem::replace(&mut self.tokens[place.index()], tokens);
        if before == tokens {
            return;
        }
        let conditions = self.conditions.at(place.index());
        self.work += conditions.len() as u64;
        for condition in conditions {
            let t = condition.transition as usize;
            match (condition.holds(before), condition.holds(tokens)) {
                (false, true) => {
                    self.unmet[t] -= 1;
                    if self.unmet[t] == 0 {
                        self.position[t] = self.enabled.len() as u32;
                        self.enabled.push(condition.transition);
                    }
                }
                (true, false) => {
                    self.unmet[t] += 1;
                    if self.unmet[t] == 1 {
                        let hole = self.position[t] as usize;
                        self.enabled.swap_remove(hole);
                        if let Some(moved) = self.enabled.get(hole) {
                            self.position[*moved as usize] = hole as u32;
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// States that a walk from the initial marking shows, at most.
const SHOWN: usize = 512;

/// Conditions that it may look at, and enabled transitions that it may show.
const MOST_WORK: u64 = 1 << 18;

/// Shows the transitions that are enabled in each state of a walk, in no order. Where it ends, it begins anew.
pub fn each_enabled(net: &Net, mut show: impl FnMut(&[u32])) {
    let conditions = Conditions::of(net);
    let mut walker = Walker::new(net, &conditions);
    let mut noise = Noise::new(0x5EED);
    let mut shown = 0;
    for _ in 0..SHOWN {
        show(&walker.enabled);
        shown += walker.enabled.len() as u64;
        if walker.work + shown > MOST_WORK {
            break;
        }
        if !walker.step(&mut noise) {
            walker.go_to(net.initial_marking().tokens(), Mood::any(&mut noise));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweepnet_net::Marking;
    use sweepnet_testkit::{nets, random};

    #[test]
    fn walks_show_what_is_enabled_together() {
        let net = nets::net("walk", &[("a", 1), ("x", 1)], &["t: a -> b", "u: b -> a", "v: x -> x"]);
        let (mut states, mut seen) = (0, [[false; 3]; 3]);
        each_enabled(&net, |enabled| {
            states += 1;
            enabled.iter().for_each(|a| enabled.iter().for_each(|e| seen[*a as usize][*e as usize] = true));
        });
        assert_eq!((states, seen), (SHOWN, [[true, false, true], [false, true, true], [true; 3]]));
    }

    #[test]
    fn a_walk_takes_only_steps_of_the_net() {
        for seed in 0..200 {
            let net = random::net(seed);
            let conditions = Conditions::of(&net);
            let mut walker = Walker::new(&net, &conditions);
            let mut noise = Noise::new(seed);
            for _ in 0..50 {
                let before = Marking::new(walker.tokens().into());
                let mut enabled: Vec<u32> = walker.enabled.clone();
                enabled.sort_unstable();
                let expected: Vec<u32> = net.enabled(&before).map(|t| t.index() as u32).collect();
                assert_eq!(enabled, expected, "seed {seed}");
                if !walker.step(&mut noise) {
                    break;
                }
                let after = Marking::new(walker.tokens().into());
                let successors: Vec<_> = net.enabled(&before).map(|t| net.fire(&before, t)).collect();
                assert!(successors.contains(&Ok(after)), "seed {seed}");
            }
        }
    }
}
