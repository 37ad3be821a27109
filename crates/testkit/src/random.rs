//! Random nets from seeds. The same seed gives the same net for ever: a failing test prints its seed, and the
//! net can be had again from it.

use sweepnet_net::{Net, NetBuilder, PlaceId, TransitionId};

/// A small generator of numbers (SplitMix64; Steele, Lea and Flood 2014), fixed here so that seeds stay valid.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that starts with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next_u64() % end.max(1)
    }

    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// A random net: weights, read, inhibitor and reset arcs, dead parts; bounded or not.
pub fn net(seed: u64) -> Net {
    let mut random = Random::new(seed);
    let mut net = NetBuilder::new(format!("random {seed}"));
    let place_count = 1 + random.below(9);
    let transition_count = 1 + random.below(10);
    // Some nets conserve their tokens, so that large bounded state spaces are frequent; some are free.
    let conserving = !random.one_in(3);
    let special = random.one_in(2);
    let most_tokens = 1 + random.below(4);
    let places: Vec<PlaceId> = (0..place_count)
        .map(|p| {
            let tokens = if random.one_in(2) { random.below(most_tokens + 1) } else { 0 };
            net.place(&format!("p{p}"), tokens).expect("names are different")
        })
        .collect();
    for t in 0..transition_count {
        let t = net.transition(&format!("t{t}")).expect("names are different");
        wire(&mut net, &mut random, t, &places, conserving, special);
    }
    net.build().expect("weights are small")
}

/// A wide random net: tens to hundreds of places in many small machines with tokens and weights of all sizes,
/// and often more than a hundred transitions enabled at a time. Its states take several words.
pub fn wide_net(seed: u64) -> Net {
    let mut random = Random::new(seed);
    let mut net = NetBuilder::new(format!("wide {seed}"));
    let idle = 20 + random.below(60);
    for p in 0..idle {
        // Most never change, but some do once.
        let place = net.place(&format!("idle{p}"), random.below(3)).expect("names are different");
        if random.one_in(8) {
            let t = net.transition(&format!("leave{p}")).expect("names are different");
            net.input(t, place, 1).expect("weight is positive");
            net.inhibitor(t, place, 2).expect("weight is positive");
        }
    }
    let scale = *random.pick(&[1, 1, 1 << 16, 1 << 33]);
    let machines = 2 + random.below(4);
    for m in 0..machines {
        let size = 2 + random.below(3);
        let tokens = 1 + random.below(3);
        let places: Vec<PlaceId> = (0..size)
            .map(|p| {
                let tokens = if p == 0 { tokens * scale } else { 0 };
                net.place(&format!("m{m}p{p}"), tokens).expect("names are different")
            })
            .collect();
        // Several transitions for each step make many enabled at a time.
        for step in 0..size {
            for copy in 0..1 + random.below(20) {
                let t = net.transition(&format!("m{m}s{step}c{copy}")).expect("names are different");
                net.input(t, places[step as usize], scale).expect("weight is positive");
                let next = places[((step + 1) % size) as usize];
                net.output(t, next, scale).expect("weight is positive");
                if random.one_in(40) {
                    net.reset(t, *random.pick(&places)).expect("weight is positive");
                }
            }
        }
    }
    net.build().expect("weights are small")
}

/// A random net of processes that take and give back tokens of common pools, several at a time: its P-semiflows run
/// through all of it.
pub fn sharing_net(seed: u64) -> Net {
    let mut random = Random::new(seed);
    let mut net = NetBuilder::new(format!("sharing {seed}"));
    let pools: Vec<PlaceId> = (0..1 + random.below(3))
        .map(|p| net.place(&format!("pool{p}"), 1 + random.below(6)).expect("names are different"))
        .collect();
    for m in 0..2 + random.below(3) {
        let size = 2 + random.below(3);
        let tokens = 1 + random.below(3);
        let places: Vec<PlaceId> = (0..size)
            .map(|p| {
                net.place(&format!("m{m}p{p}"), if p == 0 { tokens } else { 0 }).expect("names are different")
            })
            .collect();
        // What is taken on the way from one place to the next is given back on the way home.
        let mut held: Vec<(PlaceId, u64)> = Vec::new();
        for step in 0..size as usize {
            let t = net.transition(&format!("m{m}t{step}")).expect("names are different");
            net.input(t, places[step], 1).expect("weight is positive");
            net.output(t, places[(step + 1) % size as usize], 1).expect("weight is positive");
            if step + 1 == size as usize {
                held.drain(..).for_each(|(p, w)| net.output(t, p, w).expect("weight is positive"));
            } else if !random.one_in(3) {
                let (pool, weight) = (*random.pick(&pools), 1 + random.below(2));
                net.input(t, pool, weight).expect("weight is positive");
                held.push((pool, weight));
            }
            if random.one_in(8) {
                net.read(t, *random.pick(&pools), 1).expect("weight is positive");
            }
            if random.one_in(8) {
                net.inhibitor(t, *random.pick(&pools), 2).expect("weight is positive");
            }
        }
    }
    net.build().expect("weights are small")
}

/// A random net of processes that borrow things of which there is one each, some of them at first: whoever has none is in
/// one place of one semiflow, and a thing is free or in one place of a process.
pub fn borrowing_net(seed: u64) -> Net {
    let mut random = Random::new(seed);
    let mut net = NetBuilder::new(format!("borrowing {seed}"));
    let things: Vec<PlaceId> = (0..1 + random.below(4))
        .map(|p| net.place(&format!("free{p}"), 1).expect("names are different"))
        .collect();
    for m in 0..2 + random.below(3) {
        let size = 2 + random.below(4) as usize;
        let places: Vec<PlaceId> =
            (0..size).map(|p| net.place(&format!("m{m}p{p}"), 0).expect("names are different")).collect();
        let steps: Vec<TransitionId> = (0..size)
            .map(|step| net.transition(&format!("m{m}t{step}")).expect("names are different"))
            .collect();
        // A process that begins in the middle has what it would have taken on the way, if nobody else has.
        let mut first = random.below(size as u64) as usize;
        let mut loans: Vec<(PlaceId, usize, usize)> = Vec::new();
        for thing in &things {
            let (from, to) = (random.below(size as u64) as usize, random.below(size as u64) as usize);
            if from < to && !random.one_in(3) {
                loans.push((*thing, from, to));
            }
        }
        let holds = |(_, from, to): &(PlaceId, usize, usize), at: usize| *from < at && at <= *to;
        if loans.iter().any(|loan| holds(loan, first) && *net.initial_mut(loan.0) == 0) {
            first = 0;
        }
        *net.initial_mut(places[first]) = 1;
        for loan in loans.iter().filter(|loan| holds(loan, first)) {
            *net.initial_mut(loan.0) = 0;
        }
        for (step, t) in steps.iter().enumerate() {
            net.input(*t, places[step], 1).expect("weight is positive");
            net.output(*t, places[(step + 1) % size], 1).expect("weight is positive");
            for (thing, from, to) in &loans {
                if *from == step {
                    net.input(*t, *thing, 1).expect("weight is positive");
                } else if *to == step {
                    net.output(*t, *thing, 1).expect("weight is positive");
                }
            }
            if random.one_in(6) {
                net.read(*t, *random.pick(&things), 1).expect("weight is positive");
            }
            if random.one_in(12) {
                net.inhibitor(*t, *random.pick(&things), 1).expect("weight is positive");
            }
            if random.one_in(6) {
                net.inhibitor(*t, *random.pick(&places), 1 + random.below(2)).expect("weight is positive");
            }
        }
    }
    net.build().expect("weights are small")
}

fn wire(
    net: &mut NetBuilder,
    random: &mut Random,
    t: TransitionId,
    places: &[PlaceId],
    conserving: bool,
    special: bool,
) {
    let weight = |random: &mut Random| if random.one_in(4) { 1 + random.below(3) } else { 1 };
    let ins = random.below(3) + u64::from(conserving);
    let outs = if conserving { ins } else { random.below(3) };
    for n in 0..ins.max(outs) {
        let w = weight(random);
        if n < ins {
            net.input(t, *random.pick(places), w).expect("weight is positive");
        }
        if n < outs {
            let w = if conserving { w } else { weight(random) };
            net.output(t, *random.pick(places), w).expect("weight is positive");
        }
    }
    if special {
        if random.one_in(4) {
            net.read(t, *random.pick(places), weight(random)).expect("weight is positive");
        }
        if random.one_in(4) {
            net.inhibitor(t, *random.pick(places), weight(random)).expect("weight is positive");
        }
        if random.one_in(6) {
            net.reset(t, *random.pick(places)).expect("weight is positive");
        }
    }
}
