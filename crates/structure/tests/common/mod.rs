//! Nets for the tests: from text, and at random; and the naive exploration that facts are checked against.
#![allow(dead_code, missing_docs)]

use std::collections::{HashMap, HashSet, VecDeque};

use sweepnet_net::{Marking, Net, NetBuilder, PlaceId, TransitionId};

/// A net from lines `name: a b*2 -> c`; places come to life when they are mentioned, with the given tokens.
pub fn net(initial: &[(&str, u64)], transitions: &str) -> Net {
    let mut builder = NetBuilder::new("test");
    let mut places: HashMap<String, PlaceId> = HashMap::new();
    for (name, tokens) in initial {
        places.insert((*name).to_owned(), builder.place(name, *tokens).unwrap());
    }
    for line in transitions.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()) {
        let (name, rule) = line.split_once(':').expect("name: rule");
        let (from, to) = rule.split_once("->").expect("from -> to");
        let t = builder.transition(name.trim()).unwrap();
        for (side, is_input) in [(from, true), (to, false)] {
            for term in side.split_whitespace() {
                let (place, weight) =
                    term.split_once('*').map_or((term, 1), |(p, w)| (p, w.parse().unwrap()));
                let id = match places.get(place) {
                    Some(id) => *id,
                    None => builder.place(place, 0).unwrap(),
                };
                places.insert(place.to_owned(), id);
                let arc = if is_input { NetBuilder::input } else { NetBuilder::output };
                arc(&mut builder, t, id, weight).unwrap();
            }
        }
    }
    builder.build().unwrap()
}

/// Marsaglia's xorshift: a test's numbers depend on its seed alone.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// What a random net may contain.
#[derive(Clone, Copy)]
pub struct Shape {
    pub places: u64,
    pub transitions: u64,
    pub weights: u64,
    pub special_arcs: bool,
}

/// A small net. Half of the transitions move as many tokens as they take, so that there are invariants.
pub fn random_net(random: &mut Random, shape: Shape) -> Net {
    let mut builder = NetBuilder::new("random");
    let places = 1 + random.below(shape.places);
    for p in 0..places {
        let tokens = if random.chance(50) { random.below(4) } else { 0 };
        builder.place(&format!("p{p}"), tokens).unwrap();
    }
    let moves = 20 + random.below(80);
    for t in 0..=random.below(shape.transitions) {
        let t = builder.transition(&format!("t{t}")).unwrap();
        let mut anywhere = || PlaceId::new(random.below(places) as usize);
        let ends = [anywhere(), anywhere(), anywhere(), anywhere()];
        let weight = 1 + random.below(shape.weights);
        builder.input(t, ends[0], weight).unwrap();
        if random.chance(moves) {
            builder.output(t, ends[1], weight).unwrap();
            if random.chance(40) {
                builder.input(t, ends[2], weight).unwrap();
                builder.output(t, ends[3], weight).unwrap();
            }
        } else {
            for place in &ends[1..] {
                let weight = 1 + random.below(shape.weights);
                match random.below(4) {
                    0 => builder.output(t, *place, weight).unwrap(),
                    1 => builder.input(t, *place, weight).unwrap(),
                    _ => {}
                }
            }
        }
        if shape.special_arcs {
            let place = PlaceId::new(random.below(places) as usize);
            let weight = 1 + random.below(3);
            match random.below(8) {
                0 => builder.read(t, place, weight).unwrap(),
                1 => builder.inhibitor(t, place, weight).unwrap(),
                2 => builder.reset(t, place).unwrap(),
                _ => {}
            }
        }
    }
    builder.build().unwrap()
}

/// Reachable markings, breadth first, at most this many; and the transitions that fired.
pub fn explore(net: &Net, most: usize) -> (Vec<Marking>, HashSet<TransitionId>) {
    let start = net.initial_marking();
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([start]);
    let (mut all, mut fired) = (Vec::new(), HashSet::new());
    while let Some(marking) = queue.pop_front() {
        for t in net.enabled(&marking) {
            let Ok(next) = net.fire(&marking, t) else { continue };
            fired.insert(t);
            if seen.len() < most && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
        all.push(marking);
    }
    (all, fired)
}

/// The seeds of a random test: all of them, or the one in `SEED`.
pub fn seeds(count: u64) -> Box<dyn Iterator<Item = u64>> {
    match std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => Box::new(std::iter::once(seed)),
        None => Box::new(0..count),
    }
}
