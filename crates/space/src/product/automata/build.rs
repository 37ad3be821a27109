//! Makes the automata of a partition: which places change, which transitions touch which components.

use super::*;

/// Room for local markings of a component of which nothing is known.
const FIRST_CAPACITY: u32 = 64;

/// Which places change, and which transitions can fire at all as far as constant places are concerned.
struct Changing {
    places: Vec<bool>,
    transitions: Vec<TransitionId>,
}

impl Changing {
    fn of(given: &Given<'_>) -> Self {
        let net = given.net;
        let is_dead = |t: TransitionId| given.knowledge.is_dead(t);
        let mut transitions: Vec<TransitionId> = net.transition_ids().filter(|t| !is_dead(*t)).collect();
        // Dropping a transition that a constant place forbids may make other places constant.
        loop {
            let mut places = vec![false; net.places().len()];
            for t in &transitions {
                for arc in net.inputs().of(*t).iter().chain(net.outputs().of(*t)) {
                    places[arc.place.index()] |=
                        net.inputs().weight(*t, arc.place) != net.outputs().weight(*t, arc.place);
                }
                for arc in net.resets().of(*t) {
                    places[arc.place.index()] = true;
                }
            }
            let constant = |p: PlaceId| (!places[p.index()]).then(|| net.place(p).initial);
            let possible = |t: &TransitionId| {
                let enough = |arc: &sweepnet_net::Arc| constant(arc.place).is_none_or(|n| n >= arc.weight);
                let few = |arc: &sweepnet_net::Arc| constant(arc.place).is_none_or(|n| n < arc.weight);
                net.inputs().of(*t).iter().all(enough)
                    && net.reads().of(*t).iter().all(enough)
                    && net.inhibitors().of(*t).iter().all(few)
            };
            let before = transitions.len();
            transitions.retain(possible);
            if transitions.len() == before {
                return Self { places, transitions };
            }
        }
    }
}

/// Whether firing a transition changes nothing.
fn is_still(net: &Net, t: TransitionId) -> bool {
    let same = |p: PlaceId| net.inputs().weight(t, p) == net.outputs().weight(t, p);
    net.resets().of(t).is_empty()
        && net.inputs().of(t).iter().chain(net.outputs().of(t)).all(|arc| same(arc.place))
}

/// For each place, how many more tokens there are in all for one there; nothing if it is one for each.
fn worth(net: &Net, complements: &[Complement]) -> Vec<i64> {
    if complements.is_empty() {
        return Vec::new();
    }
    let mut worth = vec![1; net.places().len()];
    complements.iter().flat_map(|it| &it.others).for_each(|other| worth[other.index()] -= 1);
    worth
}

/// The places that a transition has to do with.
pub fn places_of(net: &Net, t: TransitionId) -> impl Iterator<Item = PlaceId> + '_ {
    [net.inputs(), net.outputs(), net.reads(), net.inhibitors(), net.resets()]
        .into_iter()
        .flat_map(move |arcs| arcs.of(t).iter().map(|arc| arc.place))
}

impl Automata {
    /// The automata of a net's components. `capacities` tells how many local markings each part of the partition may
    /// have at first.
    pub fn new(
        given: Given<'_>,
        partition: &Partition,
        capacities: &[u32],
        budget: &Budget,
    ) -> Result<Self, OutOfMemory> {
        let net = given.net;
        let changing = Changing::of(&given);
        let mut parts: Vec<(Part, u32)> = Vec::new();
        let most =
            |part: &Part| capacity::most(&part.places(), given.knowledge, |p| changing.places[p.index()]);
        let (determined, others) = partition.split_determined();
        let mut determined = determined.and_then(|part| prune(part, &changing.places));
        for (at, part) in others.iter().enumerate() {
            let capacity = capacities.get(at).copied().unwrap_or(FIRST_CAPACITY);
            let pruned = prune(part, &changing.places);
            parts.extend(pruned.map(|part| {
                let most = most(&part).unwrap_or(u32::MAX);
                (part, capacity.min(most).max(2))
            }));
        }
        let is_wide = |parts: &[(Part, u32)]| {
            let capacities: Vec<u32> = parts.iter().map(|(_, capacity)| *capacity).collect();
            parts.len() > MOST_ROOTS || Radix::new(&capacities).is_too_wide()
        };
        // What follows from others is found from places, not from pairs.
        let is_flat = parts.iter().all(|(part, _)| matches!(part, Part::Places(_)));
        let has_room = parts.len() < MOST_ROOTS && !is_wide(&parts) && !parts.is_empty();
        let mut following = None;
        if let Some(part) = determined.take() {
            if is_flat && has_room {
                let constant = |p: PlaceId| (!changing.places[p.index()]).then(|| net.place(p).initial);
                following = Following::new(parts.len(), &part.places(), &given, constant, budget)?;
            }
            if following.is_some() { determined = Some(part) } else { parts.push((part, FIRST_CAPACITY)) }
        }
        if parts.is_empty() {
            parts.push((Part::Places(Vec::new()), 2));
        }
        while is_wide(&parts) {
            parts = pair_neighbours(parts);
        }
        // The smallest first: they become the lowest digits of a rank, so that growth of the largest moves nothing.
        parts.sort_by_key(|(_, capacity)| *capacity);
        parts.extend(determined.map(|part| (part, FIRST_CAPACITY)));

        // Which roots does each transition touch?
        let mut root_of = vec![None; net.places().len()];
        for (root, (part, _)) in parts.iter().enumerate() {
            each_place(part, &mut |p| root_of[p.index()] = Some(root as u32));
        }
        let mut roots_of: Vec<Vec<u32>> = vec![Vec::new(); net.transitions().len()];
        for t in &changing.transitions {
            let roots = &mut roots_of[t.index()];
            roots.extend(places_of(net, *t).filter_map(|p| root_of[p.index()]));
            roots.sort_unstable();
            roots.dedup();
        }
        let mut shared = Vec::new();
        let mut shared_position = vec![None; net.transitions().len()];
        for t in &changing.transitions {
            if roots_of[t.index()].len() > 1 {
                shared_position[t.index()] = Some(shared.len() as u32);
                let still = is_still(net, *t);
                let (touches, ranked, label, following) = (0..0, 0, 0, None);
                shared.push(SharedEvent { transition: *t, touches, ranked, still, label, following });
            }
        }
        let idle = changing.transitions.iter().copied().filter(|t| roots_of[t.index()].is_empty()).collect();

        let mut events_of_place: Vec<Vec<TransitionId>> = vec![Vec::new(); net.places().len()];
        for t in &changing.transitions {
            for p in places_of(net, *t) {
                if events_of_place[p.index()].last() != Some(t) {
                    events_of_place[p.index()].push(*t);
                }
            }
        }
        let constants: Vec<u64> = net.places().iter().map(|p| p.initial).collect();
        let worth = worth(net, given.complements);
        let is_complement = |p: &PlaceId| given.complements.binary_search_by_key(p, |it| it.place).is_ok();
        let never_changing = net.place_ids().filter(|p| root_of[p.index()].is_none() && !is_complement(p));
        let total = |p: PlaceId| {
            let worth = worth.get(p.index()).copied().unwrap_or(1);
            i128::from(constants[p.index()]) * i128::from(worth)
        };
        let constant_tokens = never_changing.map(total).sum::<i128>() + given.complements.len() as i128;
        let mut automata = Self {
            numbering: Numbering::fresh(),
            nodes: Vec::new(),
            roots: Vec::new(),
            most: parts
                .iter()
                .map(|(part, _)| (most(part), capacity::ample(&part.places(), given.knowledge, |_| true)))
                .collect(),
            following,
            passing: Passing::default(),
            idle,
            home: vec![None; net.places().len()],
            constants,
            constant_tokens,
            complements: given.complements.to_vec(),
            bounded: net.place_ids().map(|p| given.knowledge.bound(p).is_some()).collect(),
            fired: net.transitions().iter().map(|_| AtomicBool::new(false)).collect(),
            newly_fired: Mutex::default(),
            with_events: given.with_events,
            filling: Mutex::default(),
            shared,
            touches: Vec::new(),
        };
        let mut filling = Vec::new();
        let building = Building { given, events_of_place, shared_position, budget };
        for (part, capacity) in &parts {
            let root = automata.add(part, *capacity, true, &building, &mut filling)?;
            automata.roots.push(root);
        }
        let mut touches: Vec<Vec<Touch>> = vec![Vec::new(); automata.shared.len()];
        for (root, node) in automata.roots.iter().enumerate() {
            let node = &mut automata.nodes[*node];
            let mut words = vec![0u64; automata.shared.len().div_ceil(64).max(1)];
            let positions = || node.events.iter().filter_map(|local| local.role.position());
            positions().for_each(|at| words[at as usize / 64] |= 1 << (at % 64));
            node.fixed = Some(positions().count()).filter(|count| *count <= FEW_SHARED);
            for (event, local) in node.events.iter_mut().enumerate() {
                if let Role::Shared(at) = local.role {
                    local.cell = node.fixed.map_or(UNKNOWN, |_| position_in(&words, at));
                    let touch = Touch { root: root as u32, event: event as u32, cell: local.cell };
                    touches[at as usize].push(touch);
                    if let Some(following) = automata.following.as_ref().filter(|it| it.root == root) {
                        let step = following.step(net, local.transition);
                        automata.shared[at as usize].following = Some((step, event as u32));
                    }
                }
            }
            let is_all_shared = node.events.iter().all(|local| local.role.position().is_some());
            if let Some(following) = automata.following.as_mut().filter(|it| it.root == root)
                && is_all_shared
                && words.len() == 1
            {
                following.keep_patterns()?;
            }
            node.touched = words;
        }
        for (event, touches) in automata.shared.iter_mut().zip(&mut touches) {
            let first = automata.touches.len() as u32;
            automata.touches.append(touches);
            event.touches = first..automata.touches.len() as u32;
            event.ranked = event.touches.end - u32::from(event.following.is_some());
        }
        automata.learn_passing(net, budget);
        automata.filling = Mutex::new(filling);
        let initial = automata.initial_numbers();
        debug_assert!(initial.is_ok());
        automata.idle.iter().for_each(|t| automata.note_fired(*t));
        Ok(automata)
    }

    /// Finds out which arcs need not be followed, if there is memory for that.
    fn learn_passing(&mut self, net: &Net, budget: &Budget) {
        let mut events: Vec<Candidate> = Vec::new();
        for (root, node) in self.roots.iter().enumerate() {
            let node = &self.nodes[*node];
            events.extend(node.events.iter().filter_map(|local| match local.role {
                // Where rows do not tell which are enabled, all are passed over or none; what changes nothing has no cell.
                Role::Own { still: true, .. } if node.own_fixed.is_none() => None,
                Role::Own { still, at } => {
                    let event = node.own_fixed.map_or(0, |_| at);
                    let place = Place::Own { root: root as u32, event };
                    Some(Candidate { transition: local.transition, roots: 1 << root, place, still })
                }
                Role::Shared(_) => None,
            }));
        }
        events.extend(self.shared.iter().enumerate().map(|(at, event)| Candidate {
            transition: event.transition,
            roots: self.touches(event).iter().fold(0, |roots, touch| roots | 1 << touch.root),
            place: Place::Shared(at as u32),
            still: false,
        }));
        events.sort_unstable_by_key(|event| event.transition);
        // Where events are kept, all arcs are followed.
        let memory = budget.hold(passing::bytes(net)).ok().filter(|_| !self.with_events);
        let net = memory.as_ref().map(|_| net);
        self.passing = Passing::new(net, &events, self.roots.len(), self.shared.len().div_ceil(64).max(1));
        for (at, event) in self.shared.iter_mut().enumerate() {
            event.label = self.passing.of_shared(at);
        }
    }

    fn add(
        &mut self,
        part: &Part,
        capacity: u32,
        is_root: bool,
        building: &Building<'_>,
        filling: &mut Vec<Filling>,
    ) -> Result<usize, OutOfMemory> {
        let net = building.given.net;
        let (mut kind, mut events, key_words) = match part {
            Part::Places(places) => {
                let mut events: Vec<TransitionId> =
                    places.iter().flat_map(|p| &building.events_of_place[p.index()]).copied().collect();
                events.sort_unstable();
                events.dedup();
                let leaf = Leaf::new(net, places.clone(), &events, building.given.knowledge)
                    .beside(building.given.complements);
                let node = self.nodes.len() as u32;
                for (at, place) in places.iter().enumerate() {
                    self.home[place.index()] = Some((node, at as u32));
                }
                let local = |t: &TransitionId| LocalEvent {
                    transition: *t,
                    role: Role::Own { still: false, at: 0 },
                    cell: UNKNOWN,
                    left: None,
                    right: None,
                };
                let words = leaf.words();
                (Kind::Leaf(Box::new(leaf)), events.iter().map(local).collect::<Vec<_>>(), words)
            }
            Part::Pair(left, right) => {
                let left = self.add(left, capacity.min(64), false, building, filling)?;
                let right = self.add(right, capacity.min(64), false, building, filling)?;
                let (events, from_left, from_right) =
                    join_events(&self.nodes[left].events, &self.nodes[right].events);
                (Kind::Pair(Pair { left, right, from_left, from_right }), events, 1)
            }
        };
        // Only at the top it matters whether an event is shared; below, all are treated alike.
        let mut own = 0;
        for (at, event) in events.iter_mut().enumerate() {
            event.role = match building.shared_position[event.transition.index()] {
                _ if !is_root => Role::Shared(at as u32),
                Some(position) => Role::Shared(position),
                None => {
                    own += 1;
                    Role::Own { still: is_still(net, event.transition), at: own - 1 }
                }
            };
        }
        let own_fixed = Some(own).filter(|own| !self.with_events && (1..=FEW_OWN).contains(own));
        let has_dues = self.following.as_ref().is_some_and(|following| self.roots.len() < following.root);
        let positions = if is_root { self.shared.len() } else { events.len() };
        let (tables, fill) = Tables::new(
            key_words,
            capacity as usize,
            positions.div_ceil(64).max(1),
            (has_dues, is_root && building.given.with_totals),
            building.budget,
        )?;
        let mut granted = vec![0; positions.div_ceil(64).max(1)];
        if let Kind::Leaf(leaf) = &mut kind {
            let position = |event: usize| events[event].role.position();
            for event in leaf.grant(|event| position(event).is_some()) {
                let at = position(event).expect("only shared events are granted");
                granted[at as usize / 64] |= 1 << (at % 64);
            }
        }
        let (fixed, touched) = (None, Vec::new());
        self.nodes.push(Node { kind, events, tables, fixed, own_fixed, touched, granted });
        filling.push(fill);
        Ok(self.nodes.len() - 1)
    }
}

/// What is needed while the tree of components is built.
struct Building<'a> {
    given: Given<'a>,
    events_of_place: Vec<Vec<TransitionId>>,
    shared_position: Vec<Option<u32>>,
    budget: &'a Budget,
}

/// The events of two components together, in order of transitions, and where those of each went.
fn join_events(left: &[LocalEvent], right: &[LocalEvent]) -> (Vec<LocalEvent>, Vec<u32>, Vec<u32>) {
    let mut events: Vec<LocalEvent> = Vec::with_capacity(left.len() + right.len());
    let (mut from_left, mut from_right) = (Vec::with_capacity(left.len()), Vec::with_capacity(right.len()));
    let (mut l, mut r) = (0, 0);
    while l < left.len() || r < right.len() {
        let next_left = left.get(l).map(|event| event.transition);
        let next_right = right.get(r).map(|event| event.transition);
        let transition = match (next_left, next_right) {
            (Some(a), Some(b)) => a.min(b),
            (Some(t), None) | (None, Some(t)) => t,
            (None, None) => break,
        };
        let at = events.len() as u32;
        let role = Role::Own { still: false, at: 0 };
        let mut event = LocalEvent { transition, role, cell: UNKNOWN, left: None, right: None };
        if next_left == Some(transition) {
            event.left = Some(l as u32);
            from_left.push(at);
            l += 1;
        }
        if next_right == Some(transition) {
            event.right = Some(r as u32);
            from_right.push(at);
            r += 1;
        }
        events.push(event);
    }
    (events, from_left, from_right)
}

/// A part without the places that never change; nothing if no place is left.
fn prune(part: &Part, changes: &[bool]) -> Option<Part> {
    match part {
        Part::Places(places) => {
            let left: Vec<PlaceId> = places.iter().copied().filter(|p| changes[p.index()]).collect();
            (!left.is_empty()).then_some(Part::Places(left))
        }
        Part::Pair(left, right) => match (prune(left, changes), prune(right, changes)) {
            (Some(left), Some(right)) => Some(Part::Pair(Box::new(left), Box::new(right))),
            (left, right) => left.or(right),
        },
    }
}

fn each_place(part: &Part, visit: &mut dyn FnMut(PlaceId)) {
    match part {
        Part::Places(places) => places.iter().for_each(|p| visit(*p)),
        Part::Pair(left, right) => {
            each_place(left, visit);
            each_place(right, visit);
        }
    }
}

fn pair_neighbours(parts: Vec<(Part, u32)>) -> Vec<(Part, u32)> {
    let mut paired = Vec::with_capacity(parts.len().div_ceil(2));
    let mut parts = parts.into_iter();
    while let Some((left, capacity)) = parts.next() {
        paired.push(match parts.next() {
            Some((right, other)) => {
                (Part::Pair(Box::new(left), Box::new(right)), capacity.saturating_mul(other).min(1 << 16))
            }
            None => (left, capacity),
        });
    }
    paired
}
