//! The local automata of a net's components.
//!
//! Enabling is a conjunction over places, and firing acts place by place. So a transition is enabled iff it is
//! enabled in every component that it touches, and the successor is the tuple of the local successors: a net is a
//! product of small automata, whatever the partition. Local markings are numbered as they are met, and what can
//! happen in each is computed once, when a state with that number is first expanded (see [`tables`](super::tables)).
//!
//! The successor of a *shared* event (one that touches several components) gets its number only when the event
//! really fires, and a component's own events fire in every state that has the local marking: so every number belongs
//! to a marking that is really reached. Maxima and fired transitions can be read off the tables.
//!
//! A component may be a *pair* of components: its local markings are pairs of their numbers, numbered again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};

use super::leaf::{Leaf, TooManyTokens};
use super::partition::{Part, Partition};
use super::radix::Radix;
use super::tables::{Filling, HEADER, NoRoom, Tables, UNKNOWN};
use crate::budget::{Budget, OutOfMemory};

/// The most components at the top: more are paired first.
pub const MOST_ROOTS: usize = 32;

/// A component in the tree.
#[derive(Debug)]
struct Node {
    kind: Kind,
    events: Vec<LocalEvent>,
    tables: Tables,
}

#[derive(Debug)]
enum Kind {
    Leaf(Box<Leaf>),
    Pair(Pair),
}

/// Two components, and which events of theirs are whose.
#[derive(Debug)]
struct Pair {
    left: usize,
    right: usize,
    /// For each event of the left component, which event it is here.
    from_left: Vec<u32>,
    from_right: Vec<u32>,
}

/// A transition as one component sees it.
#[derive(Clone, Copy, Debug)]
struct LocalEvent {
    transition: TransitionId,
    role: Role,
    /// In a pair, the events of the two components, where it touches them.
    left: Option<u32>,
    right: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// It touches nothing outside. `still` tells that it changes nothing.
    Own { still: bool },
    /// It touches other components too; its position in patterns.
    Shared(u32),
}

/// A transition that touches several components.
#[derive(Debug)]
pub struct SharedEvent {
    /// The transition.
    pub transition: TransitionId,
    /// The roots it touches, and which event it is there.
    pub touches: Vec<(u32, u32)>,
    /// Whether it changes nothing.
    pub still: bool,
}

/// Why there is no successor to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// A table must be made larger first.
    Room(NoRoom),
    /// A place would hold more tokens than can be counted.
    Tokens(PlaceId),
}

impl From<NoRoom> for Stuck {
    fn from(no_room: NoRoom) -> Self {
        Self::Room(no_room)
    }
}

impl From<TooManyTokens> for Stuck {
    fn from(TooManyTokens(place): TooManyTokens) -> Self {
        Self::Tokens(place)
    }
}

/// What is known of a net when its automata are made.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The net.
    pub net: &'a Net,
    /// A proven bound per place, where there is one.
    pub bounds: &'a [Option<u64>],
    /// For each transition, whether it can never fire.
    pub dead: &'a [bool],
    /// Whether rows are to tell events, for searches that ask for them.
    pub with_events: bool,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Automata {
    nodes: Vec<Node>,
    roots: Vec<usize>,
    shared: Vec<SharedEvent>,
    /// For each root, the shared events that touch it, as words.
    touched: Vec<Vec<u64>>,
    /// Transitions that touch no place that ever changes: enabled for ever, leading nowhere.
    idle: Vec<TransitionId>,
    /// For each place, its leaf and position there; none for a place that never changes.
    home: Vec<Option<(u32, u32)>>,
    constants: Vec<u64>,
    constant_tokens: u128,
    /// For each place, whether its bound is proven.
    bounded: Vec<bool>,
    fired: Vec<AtomicBool>,
    /// Transitions that have fired, in the order in which they did so first, as far as nobody has asked for them.
    newly_fired: Mutex<Vec<TransitionId>>,
    with_events: bool,
    filling: Mutex<Vec<Filling>>,
}

/// Which places change, and which transitions can fire at all as far as constant places are concerned.
struct Changing {
    places: Vec<bool>,
    transitions: Vec<TransitionId>,
}

impl Changing {
    fn of(given: &Given<'_>) -> Self {
        let net = given.net;
        let is_dead = |t: TransitionId| given.dead.get(t.index()).copied().unwrap_or(false);
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

/// The places that a transition has to do with.
fn places_of(net: &Net, t: TransitionId) -> impl Iterator<Item = PlaceId> + '_ {
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
        for (at, part) in partition.parts.iter().enumerate() {
            let capacity = capacities.get(at).copied().unwrap_or(64).max(2);
            parts.extend(prune(part, &changing.places).map(|part| (part, capacity)));
        }
        if parts.is_empty() {
            parts.push((Part::Places(Vec::new()), 2));
        }
        let is_wide = |parts: &[(Part, u32)]| {
            let capacities: Vec<u32> = parts.iter().map(|(_, capacity)| *capacity).collect();
            parts.len() > MOST_ROOTS || Radix::new(&capacities).is_too_wide()
        };
        while is_wide(&parts) {
            parts = pair_neighbours(parts);
        }
        // The smallest first: they become the lowest digits of a rank, so that growth of the largest moves nothing.
        parts.sort_by_key(|(_, capacity)| *capacity);

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
                shared.push(SharedEvent { transition: *t, touches: Vec::new(), still: is_still(net, *t) });
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
        let constant_tokens = net.place_ids().filter(|p| root_of[p.index()].is_none());
        let constant_tokens = constant_tokens.map(|p| u128::from(constants[p.index()])).sum();
        let mut automata = Self {
            nodes: Vec::new(),
            roots: Vec::new(),
            touched: Vec::new(),
            idle,
            home: vec![None; net.places().len()],
            constants,
            constant_tokens,
            bounded: net
                .place_ids()
                .map(|p| given.bounds.get(p.index()).is_some_and(Option::is_some))
                .collect(),
            fired: net.transitions().iter().map(|_| AtomicBool::new(false)).collect(),
            newly_fired: Mutex::default(),
            with_events: given.with_events,
            filling: Mutex::default(),
            shared,
        };
        let mut filling = Vec::new();
        let building = Building { given, events_of_place, shared_position, budget };
        for (part, capacity) in &parts {
            let root = automata.add(part, *capacity, true, &building, &mut filling)?;
            automata.roots.push(root);
        }
        for (root, node) in automata.roots.iter().enumerate() {
            let mut words = vec![0u64; automata.shared.len().div_ceil(64).max(1)];
            for (event, local) in automata.nodes[*node].events.iter().enumerate() {
                if let Role::Shared(at) = local.role {
                    words[at as usize / 64] |= 1 << (at % 64);
                    automata.shared[at as usize].touches.push((root as u32, event as u32));
                }
            }
            automata.touched.push(words);
        }
        automata.filling = Mutex::new(filling);
        let initial = automata.initial_numbers();
        debug_assert!(initial.is_ok());
        automata.idle.iter().for_each(|t| automata.note_fired(*t));
        Ok(automata)
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
        let (kind, mut events, key_words) = match part {
            Part::Places(places) => {
                let mut events: Vec<TransitionId> =
                    places.iter().flat_map(|p| &building.events_of_place[p.index()]).copied().collect();
                events.sort_unstable();
                events.dedup();
                let leaf = Leaf::new(net, places.clone(), &events, building.given.bounds);
                let node = self.nodes.len() as u32;
                for (at, place) in places.iter().enumerate() {
                    self.home[place.index()] = Some((node, at as u32));
                }
                let local = |t: &TransitionId| LocalEvent {
                    transition: *t,
                    role: Role::Own { still: false },
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
        for (at, event) in events.iter_mut().enumerate() {
            event.role = match building.shared_position[event.transition.index()] {
                _ if !is_root => Role::Shared(at as u32),
                Some(position) => Role::Shared(position),
                None => Role::Own { still: is_still(net, event.transition) },
            };
        }
        let positions = if is_root { self.shared.len() } else { events.len() };
        let (tables, fill) =
            Tables::new(key_words, capacity as usize, positions.div_ceil(64).max(1), building.budget)?;
        self.nodes.push(Node { kind, events, tables });
        filling.push(fill);
        Ok(self.nodes.len() - 1)
    }

    /// How many components there are at the top.
    pub fn root_count(&self) -> usize {
        self.roots.len()
    }

    /// The tables of a root.
    #[inline(always)]
    pub fn tables(&self, root: usize) -> &Tables {
        &self.nodes[self.roots[root]].tables
    }

    /// The transitions that touch several roots, in the order of patterns.
    #[inline(always)]
    pub fn shared(&self) -> &[SharedEvent] {
        &self.shared
    }

    /// The shared events that touch a root, as words like those of a pattern.
    #[inline(always)]
    pub fn touched(&self, root: usize) -> &[u64] {
        &self.touched[root]
    }

    /// Transitions that are enabled in every state and change nothing.
    pub fn idle(&self) -> &[TransitionId] {
        &self.idle
    }

    /// How many local markings each root may have before its table must be made larger.
    pub fn capacities(&self) -> Vec<u32> {
        self.roots.iter().map(|root| self.nodes[*root].tables.limit()).collect()
    }

    /// Sets how many local markings each root may have; no fewer than it has.
    pub fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), OutOfMemory> {
        let roots = self.roots.iter().zip(capacities);
        let nodes = &mut self.nodes;
        roots.into_iter().try_for_each(|(root, capacity)| nodes[*root].tables.set_limit(*capacity))
    }

    /// How many local markings each root has.
    pub fn counts(&self) -> Vec<u32> {
        let filling = self.lock();
        self.roots.iter().map(|root| filling[*root].numbers()).collect()
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> usize {
        let tables: usize = self.nodes.iter().map(|node| node.tables.bytes()).sum();
        tables + self.lock().iter().map(Filling::bytes).sum::<usize>()
    }

    /// The bytes of the rows, which can be computed again.
    pub fn row_bytes(&self) -> usize {
        self.nodes.iter().map(|node| node.tables.row_bytes()).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Filling>> {
        // A panic elsewhere leaves tables that are whole: numbers and rows are published last.
        self.filling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes every table larger that was found too small.
    pub fn make_room(&mut self, most_row_bytes: usize) -> Result<(), OutOfMemory> {
        let filling = self.filling.get_mut().unwrap_or_else(PoisonError::into_inner);
        let most = most_row_bytes / self.nodes.len().max(1);
        self.nodes.iter_mut().zip(filling).try_for_each(|(node, fill)| node.tables.make_room(fill, most))
    }

    /// Gives up all rows.
    pub fn drop_rows(&mut self) {
        let filling = self.filling.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.nodes.iter_mut().zip(filling).for_each(|(node, fill)| node.tables.drop_rows(fill));
    }

    /// Notes that a transition has fired.
    #[inline]
    pub fn note_fired(&self, transition: TransitionId) {
        let fired = &self.fired[transition.index()];
        if !fired.load(Ordering::Relaxed) && !fired.swap(true, Ordering::Relaxed) {
            self.newly_fired.lock().unwrap_or_else(PoisonError::into_inner).push(transition);
        }
    }

    /// Takes over what other automata of the same net have seen fire.
    pub fn inherit_fired(&mut self, other: &Self) {
        for (fired, other) in self.fired.iter_mut().zip(&other.fired) {
            *fired.get_mut() |= other.load(Ordering::Relaxed);
        }
        self.take_newly_fired();
        self.newly_fired =
            Mutex::new(other.newly_fired.lock().unwrap_or_else(PoisonError::into_inner).clone());
    }

    /// The transitions that have fired for the first time since this was last asked.
    pub fn take_newly_fired(&mut self) -> Vec<TransitionId> {
        std::mem::take(self.newly_fired.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// The numbers of the initial marking.
    pub fn initial_numbers(&self) -> Result<Vec<u32>, Stuck> {
        let mut filling = self.lock();
        self.roots.iter().map(|root| self.initial_number(&mut filling, *root)).collect()
    }

    fn initial_number(&self, filling: &mut [Filling], node: usize) -> Result<u32, Stuck> {
        let key = match &self.nodes[node].kind {
            Kind::Leaf(leaf) => leaf.initial(),
            Kind::Pair(pair) => {
                let left = self.initial_number(filling, pair.left)?;
                let right = self.initial_number(filling, pair.right)?;
                vec![pair_key(left, right)]
            }
        };
        Ok(self.nodes[node].tables.number(&mut filling[node], &key)?)
    }

    /// The numbers of a marking: nothing if a part of it has never been met.
    pub fn find(&self, marking: &Marking) -> Option<Vec<u32>> {
        let filling = self.lock();
        self.roots.iter().map(|root| self.find_number(&filling, *root, marking)).collect()
    }

    fn find_number(&self, filling: &[Filling], node: usize, marking: &Marking) -> Option<u32> {
        let key = match &self.nodes[node].kind {
            Kind::Leaf(leaf) => leaf.pack(&leaf.places.iter().map(|p| marking[*p]).collect::<Vec<_>>())?,
            Kind::Pair(pair) => vec![pair_key(
                self.find_number(filling, pair.left, marking)?,
                self.find_number(filling, pair.right, marking)?,
            )],
        };
        self.nodes[node].tables.find(&filling[node], &key)
    }

    /// The numbers of a marking, which get ones where they have none.
    pub fn number(&self, marking: &Marking) -> Result<Vec<u32>, Stuck> {
        let mut filling = self.lock();
        self.roots.iter().map(|root| self.number_of(&mut filling, *root, marking)).collect()
    }

    fn number_of(&self, filling: &mut [Filling], node: usize, marking: &Marking) -> Result<u32, Stuck> {
        let key = match &self.nodes[node].kind {
            Kind::Leaf(leaf) => {
                let counts: Vec<u64> = leaf.places.iter().map(|p| marking[*p]).collect();
                leaf.pack(&counts)
                    .ok_or_else(|| Stuck::Tokens(leaf.places.first().copied().unwrap_or(PlaceId::new(0))))?
            }
            Kind::Pair(pair) => {
                let left = self.number_of(filling, pair.left, marking)?;
                let right = self.number_of(filling, pair.right, marking)?;
                vec![pair_key(left, right)]
            }
        };
        Ok(self.nodes[node].tables.number(&mut filling[node], &key)?)
    }

    /// Where the row of a root's number begins; it is made if it is not there.
    #[inline(always)]
    pub fn row(&self, root: usize, number: u32) -> Result<u32, Stuck> {
        match self.tables(root).row(number) {
            Some(at) => Ok(at),
            None => self.fill_row(root, number),
        }
    }

    #[cold]
    fn fill_row(&self, root: usize, number: u32) -> Result<u32, Stuck> {
        self.row_of(&mut self.lock(), self.roots[root], number)
    }

    /// The row of a number of any component, made if it is not there.
    fn row_of(&self, filling: &mut [Filling], node: usize, number: u32) -> Result<u32, Stuck> {
        let here = &self.nodes[node];
        if let Some(at) = here.tables.row(number) {
            return Ok(at);
        }
        let mut key = Vec::new();
        here.tables.key(number, &mut key);
        let mut enabled = Vec::new();
        match &here.kind {
            Kind::Leaf(leaf) => leaf.enabled(&key, |event| enabled.push(event)),
            Kind::Pair(pair) => self.enabled_in_pair(filling, here, pair, key[0], &mut enabled)?,
        }
        let mut own = 0;
        let mut successors = Vec::new();
        let mut pattern = vec![0u64; here.tables.pattern_words()];
        let mut shared = 0;
        for event in enabled {
            let local = &here.events[event as usize];
            match local.role {
                Role::Own { still } => {
                    own += 1;
                    let successor =
                        if still { number } else { self.successor(filling, node, &key, number, event)? };
                    self.note_fired(local.transition);
                    if self.with_events {
                        successors.extend([successor, event]);
                    } else if successor != number {
                        successors.push(successor);
                    }
                }
                Role::Shared(at) => {
                    pattern[at as usize / 64] |= 1 << (at % 64);
                    shared += 1;
                }
            }
        }
        if let Some(root) = self.roots.iter().position(|root| *root == node) {
            // What does not touch this component is none of its business.
            pattern.iter_mut().zip(&self.touched[root]).for_each(|(word, touched)| *word |= !touched);
        }
        let pattern = here.tables.pattern_number(&mut filling[node], &pattern)?;
        let mut row = Vec::with_capacity(HEADER + successors.len() + shared);
        row.extend([own, successors.len() as u32, pattern]);
        row.append(&mut successors);
        row.resize(row.len() + shared, UNKNOWN);
        Ok(here.tables.publish(&mut filling[node], number, &row)?)
    }

    /// The events that a pair of local markings enables, in order.
    fn enabled_in_pair(
        &self,
        filling: &mut [Filling],
        here: &Node,
        pair: &Pair,
        key: u64,
        enabled: &mut Vec<u32>,
    ) -> Result<(), Stuck> {
        let (left, right) = split_key(key);
        let left_pattern = self.pattern_of(filling, pair.left, left)?;
        let right_pattern = self.pattern_of(filling, pair.right, right)?;
        let has = |pattern: &[u64], event: u32| pattern[event as usize / 64] >> (event % 64) & 1 == 1;
        for event in bits(&left_pattern) {
            let event = pair.from_left[event as usize];
            if here.events[event as usize].right.is_none_or(|there| has(&right_pattern, there)) {
                enabled.push(event);
            }
        }
        for event in bits(&right_pattern) {
            let event = pair.from_right[event as usize];
            if here.events[event as usize].left.is_none() {
                enabled.push(event);
            }
        }
        enabled.sort_unstable();
        Ok(())
    }

    fn pattern_of(&self, filling: &mut [Filling], node: usize, number: u32) -> Result<Vec<u64>, Stuck> {
        let at = self.row_of(filling, node, number)? as usize;
        let tables = &self.nodes[node].tables;
        let pattern = tables.cells()[at + 2].load(Ordering::Relaxed);
        Ok(tables.pattern(pattern).iter().map(|word| word.load(Ordering::Relaxed)).collect())
    }

    /// The number that an event leads to within a component.
    fn successor(
        &self,
        filling: &mut [Filling],
        node: usize,
        key: &[u64],
        number: u32,
        event: u32,
    ) -> Result<u32, Stuck> {
        let here = &self.nodes[node];
        match &here.kind {
            Kind::Leaf(leaf) => {
                let mut after = key.to_vec();
                leaf.fire(&mut after, event)?;
                if after == key { Ok(number) } else { Ok(here.tables.number(&mut filling[node], &after)?) }
            }
            Kind::Pair(pair) => {
                let (mut left, mut right) = split_key(key[0]);
                let local = here.events[event as usize];
                if let Some(event) = local.left {
                    left = self.shared_successor(filling, pair.left, left, event)?;
                }
                if let Some(event) = local.right {
                    right = self.shared_successor(filling, pair.right, right, event)?;
                }
                Ok(here.tables.number(&mut filling[node], &[pair_key(left, right)])?)
            }
        }
    }

    /// The number that a shared event leads to, kept in the row.
    fn shared_successor(
        &self,
        filling: &mut [Filling],
        node: usize,
        number: u32,
        event: u32,
    ) -> Result<u32, Stuck> {
        let here = &self.nodes[node];
        let at = self.row_of(filling, node, number)? as usize;
        let cells = here.tables.cells();
        let Role::Shared(position) = here.events[event as usize].role else {
            unreachable!("only shared events are asked for");
        };
        let pattern = here.tables.pattern(cells[at + 2].load(Ordering::Relaxed));
        let root = self.roots.iter().position(|root| *root == node);
        let own = |word: usize| {
            let bits = pattern[word].load(Ordering::Relaxed);
            root.map_or(bits, |root| bits & self.touched[root][word])
        };
        let (word, bit) = (position as usize / 64, position % 64);
        let before: u32 = (0..word).map(|word| own(word).count_ones()).sum();
        let rank = before + (own(word) & ((1 << bit) - 1)).count_ones();
        let cell = &cells[at + HEADER + cells[at + 1].load(Ordering::Relaxed) as usize + rank as usize];
        let known = cell.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return Ok(known);
        }
        let mut key = Vec::new();
        here.tables.key(number, &mut key);
        let successor = self.successor(filling, node, &key, number, event)?;
        cell.store(successor, Ordering::Release);
        Ok(successor)
    }

    /// The number that a shared event, enabled in the whole state, leads to in a root.
    #[cold]
    pub fn fill_shared(&self, root: usize, number: u32, event: u32) -> Result<u32, Stuck> {
        let node = self.roots[root];
        self.note_fired(self.nodes[node].events[event as usize].transition);
        self.shared_successor(&mut self.lock(), node, number, event)
    }

    /// The transition that an event of a root is.
    pub fn transition(&self, root: usize, event: u32) -> TransitionId {
        self.nodes[self.roots[root]].events[event as usize].transition
    }

    /// The transitions that a root has for itself, with their events.
    pub fn own_events(&self, root: usize) -> impl Iterator<Item = (u32, TransitionId)> + '_ {
        let events = self.nodes[self.roots[root]].events.iter().enumerate();
        events.filter_map(|(at, local)| {
            matches!(local.role, Role::Own { .. }).then_some((at as u32, local.transition))
        })
    }

    /// The local markings of a root from which an event leads to this one.
    pub fn predecessors(&self, root: usize, number: u32, event: u32) -> Vec<u32> {
        self.predecessors_in(&self.lock(), self.roots[root], number, event)
    }

    fn predecessors_in(&self, filling: &[Filling], node: usize, number: u32, event: u32) -> Vec<u32> {
        let here = &self.nodes[node];
        let mut key = Vec::new();
        here.tables.key(number, &mut key);
        match &here.kind {
            Kind::Leaf(leaf) if leaf.resets(event) => {
                let mut before = Vec::new();
                let leads_here = |candidate: &u32| {
                    here.tables.key(*candidate, &mut before);
                    leaf.is_enabled(&before, event) && leaf.fire(&mut before, event).is_ok() && before == key
                };
                (0..filling[node].numbers()).filter(leads_here).collect()
            }
            Kind::Leaf(leaf) => {
                let before = leaf.unfire(&key, event);
                before.and_then(|before| here.tables.find(&filling[node], &before)).into_iter().collect()
            }
            Kind::Pair(pair) => {
                let (left, right) = split_key(key[0]);
                let local = here.events[event as usize];
                let in_part = |part, number, event: Option<u32>| match event {
                    Some(event) => self.predecessors_in(filling, part, number, event),
                    None => vec![number],
                };
                let lefts = in_part(pair.left, left, local.left);
                let rights = in_part(pair.right, right, local.right);
                let pairs = lefts.iter().flat_map(|l| rights.iter().map(|r| pair_key(*l, *r)));
                pairs.filter_map(|key| here.tables.find(&filling[node], &[key])).collect()
            }
        }
    }

    /// Whether the places of a root enable an event.
    pub fn is_enabled(&self, root: usize, number: u32, event: u32) -> bool {
        self.is_enabled_in(self.roots[root], number, event)
    }

    fn is_enabled_in(&self, node: usize, number: u32, event: u32) -> bool {
        let here = &self.nodes[node];
        match &here.kind {
            Kind::Leaf(leaf) => {
                let mut key = Vec::new();
                here.tables.key(number, &mut key);
                leaf.is_enabled(&key, event)
            }
            Kind::Pair(pair) => {
                let (left, right) = split_key(here.tables.key_word(number, 0));
                let local = here.events[event as usize];
                local.left.is_none_or(|event| self.is_enabled_in(pair.left, left, event))
                    && local.right.is_none_or(|event| self.is_enabled_in(pair.right, right, event))
            }
        }
    }

    /// The event of a root that a transition is, if it touches it.
    pub fn event_of(&self, root: usize, transition: TransitionId) -> Option<u32> {
        let events = &self.nodes[self.roots[root]].events;
        events.binary_search_by_key(&transition, |local| local.transition).ok().map(|at| at as u32)
    }

    /// Writes the counts of a root's places into a marking.
    pub fn write_counts(&self, root: usize, number: u32, counts: &mut [u64]) {
        self.each_leaf(self.roots[root], number, &mut |leaf, key| {
            for (at, place) in leaf.places.iter().enumerate() {
                counts[place.index()] = leaf.tokens(at, |word| key[word]);
            }
        });
    }

    /// Tokens in all places of a root together.
    #[inline]
    pub fn total(&self, root: usize, number: u32) -> u128 {
        let node = &self.nodes[self.roots[root]];
        if let Kind::Leaf(leaf) = &node.kind {
            return node.tables.with_key(number, |key| leaf.total(key));
        }
        let mut total = 0;
        self.each_leaf(self.roots[root], number, &mut |leaf, key| total += leaf.total(key));
        total
    }

    fn each_leaf(&self, node: usize, number: u32, visit: &mut dyn FnMut(&Leaf, &[u64])) {
        let here = &self.nodes[node];
        match &here.kind {
            Kind::Leaf(leaf) => here.tables.with_key(number, |key| visit(leaf, key)),
            Kind::Pair(pair) => {
                let (left, right) = split_key(here.tables.key_word(number, 0));
                self.each_leaf(pair.left, left, visit);
                self.each_leaf(pair.right, right, visit);
            }
        }
    }

    /// Counts of the places that never change; 0 for the others.
    pub fn constants(&self) -> Vec<u64> {
        let home = self.home.iter();
        home.zip(&self.constants).map(|(home, count)| if home.is_none() { *count } else { 0 }).collect()
    }

    /// Whether a bound of a place is proven.
    pub fn is_bounded(&self, place: PlaceId) -> bool {
        self.bounded[place.index()]
    }

    /// Tokens in places that never change.
    pub fn constant_tokens(&self) -> u128 {
        self.constant_tokens
    }

    /// The root that a place belongs to; none for a place that never changes.
    pub fn root_of(&self, place: PlaceId) -> Option<usize> {
        let (leaf, _) = self.home[place.index()]?;
        // Nodes are built root by root, so a root's tree is what lies between the previous root and it.
        Some(self.roots.partition_point(|root| *root < leaf as usize))
    }

    /// Tokens in a place, given the number of its root; what it always has, if it never changes.
    pub fn tokens(&self, place: PlaceId, number: impl FnOnce(usize) -> u32) -> u64 {
        let (Some((leaf, position)), Some(root)) = (self.home[place.index()], self.root_of(place)) else {
            return self.constants[place.index()];
        };
        let (mut node, mut number) = (self.roots[root], number(root));
        loop {
            let here = &self.nodes[node];
            match &here.kind {
                Kind::Leaf(it) => {
                    return it.tokens(position as usize, |word| here.tables.key_word(number, word));
                }
                Kind::Pair(pair) => {
                    let (left, right) = split_key(here.tables.key_word(number, 0));
                    (node, number) =
                        if leaf as usize <= pair.left { (pair.left, left) } else { (pair.right, right) };
                }
            }
        }
    }

    /// The largest count of each place over all local markings met.
    pub fn maxima(&self) -> Vec<u64> {
        let mut maxima = self.constants();
        let filling = self.lock();
        let mut key = Vec::new();
        for (node, fill) in self.nodes.iter().zip(filling.iter()) {
            let Kind::Leaf(leaf) = &node.kind else { continue };
            for number in 0..fill.numbers() {
                node.tables.key(number, &mut key);
                for (at, place) in leaf.places.iter().enumerate() {
                    let max = &mut maxima[place.index()];
                    *max = (*max).max(leaf.tokens(at, |word| key[word]));
                }
            }
        }
        maxima
    }
}

/// What is needed while the tree of components is built.
struct Building<'a> {
    given: Given<'a>,
    events_of_place: Vec<Vec<TransitionId>>,
    shared_position: Vec<Option<u32>>,
    budget: &'a Budget,
}

fn pair_key(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

fn split_key(key: u64) -> (u32, u32) {
    (key as u32, (key >> 32) as u32)
}

/// The positions of the ones.
fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(at, word)| {
        std::iter::successors(Some(*word), |rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|rest| *rest != 0)
            .map(move |rest| at as u32 * 64 + rest.trailing_zeros())
    })
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
        let mut event = LocalEvent { transition, role: Role::Own { still: false }, left: None, right: None };
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
