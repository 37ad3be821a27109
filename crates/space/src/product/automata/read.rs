//! What a number means: counts, enabled events, and where it may have come from.

use super::*;
use crate::store::flat::hash_of;

impl Automata {
    /// The transition that an event of a root is.
    pub fn transition(&self, root: usize, event: u32) -> TransitionId {
        self.nodes[self.roots[root]].events[event as usize].transition
    }

    /// The events of a root that may have led to a local marking, in order, and perhaps others.
    pub fn may_have_led_to(&self, root: usize, number: u32) -> Vec<u32> {
        self.leading_to(self.roots[root], number)
    }

    fn leading_to(&self, node: usize, number: u32) -> Vec<u32> {
        let here = &self.nodes[node];
        let mut events = Vec::new();
        match &here.kind {
            Kind::Leaf(leaf) => {
                here.tables.with_key(number, |key| leaf.may_have_led_to(key, &mut events));
                events.sort_unstable();
            }
            Kind::Pair(pair) => {
                let (left, right) = split_key(here.tables.key_word(number, 0));
                let ours = |event: &u32, ours: &[u32]| ours[*event as usize];
                events.extend(self.leading_to(pair.left, left).iter().map(|it| ours(it, &pair.from_left)));
                events.extend(self.leading_to(pair.right, right).iter().map(|it| ours(it, &pair.from_right)));
                events.sort_unstable();
                // What touches both may have led to both, or to neither.
                let touches = |event: u32| {
                    let local = here.events[event as usize];
                    usize::from(local.left.is_some()) + usize::from(local.right.is_some())
                };
                events = all_there(&events, touches);
            }
        }
        events
    }

    /// Which shared event an event of a root is; nothing if it is the root's own.
    pub fn shared_event(&self, root: usize, event: u32) -> Option<u32> {
        match self.nodes[self.roots[root]].events[event as usize].role {
            Role::Own { .. } => None,
            Role::Shared(position) => Some(position),
        }
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

    /// Tokens in all places of a root together, less those that complements have not because of them.
    #[inline]
    pub fn total(&self, root: usize, number: u32) -> i128 {
        self.tables(root).total(number, || {
            let mut total = 0;
            self.each_leaf(self.roots[root], number, &mut |leaf, key| total += leaf.total(key));
            total
        })
    }

    /// The place that is the complement of others, if it is one.
    pub fn complement(&self, place: PlaceId) -> Option<&Complement> {
        let at = self.complements.binary_search_by_key(&place, |it| it.place);
        at.ok().map(|at| &self.complements[at])
    }

    /// Writes the counts of complements into a marking that has all others.
    pub fn write_complements(&self, counts: &mut [u64]) {
        for Complement { place, others, .. } in &self.complements {
            let held: u64 = others.iter().map(|other| counts[other.index()]).sum();
            counts[place.index()] = 1u64.saturating_sub(held);
        }
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

    /// A hash of each local marking of each root whose numbers are a part of ranks, by number. It tells nothing of the
    /// order in which numbers were given.
    pub fn hashes(&self) -> Vec<Vec<u64>> {
        let mut hashes: Vec<Vec<u64>> = Vec::new();
        let filling = self.lock();
        // Nodes come after those they are made of.
        for (node, filling) in self.nodes.iter().zip(filling.iter()) {
            let hash = |number: u32| match &node.kind {
                Kind::Leaf(leaf) => {
                    let first = leaf.places.first().map_or(0, |place| place.index() as u64);
                    hash_of(&[first, node.tables.with_key(number, hash_of)])
                }
                Kind::Pair(pair) => {
                    let (left, right) = split_key(node.tables.key_word(number, 0));
                    hash_of(&[hashes[pair.left][left as usize], hashes[pair.right][right as usize]])
                }
            };
            let here = (0..filling.numbers()).map(hash).collect();
            hashes.push(here);
        }
        self.ranked().iter().map(|root| std::mem::take(&mut hashes[*root])).collect()
    }

    /// The bytes that [`hashes`](Self::hashes) takes.
    pub fn hash_bytes(&self) -> usize {
        self.lock().iter().map(|filling| filling.numbers() as usize * size_of::<u64>()).sum()
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

    /// Tokens in all places if those of all roots are empty.
    pub fn constant_tokens(&self) -> i128 {
        self.constant_tokens
    }

    /// How many places the net has.
    pub fn places(&self) -> usize {
        self.home.len()
    }

    /// The places of a root.
    pub fn places_of(&self, root: usize) -> impl Iterator<Item = PlaceId> + '_ {
        let places = (0..self.home.len()).map(PlaceId::new);
        places.filter(move |place| self.root_of(*place) == Some(root))
    }

    /// The root that a place belongs to; none for a place that never changes.
    pub fn root_of(&self, place: PlaceId) -> Option<usize> {
        let (leaf, _) = self.home[place.index()]?;
        // Nodes are built root by root, so a root's tree is what lies between the previous root and it.
        Some(self.roots.partition_point(|root| *root < leaf as usize))
    }

    /// Tokens in a place, given the numbers of roots; what it always has, if it never changes.
    pub fn tokens(&self, place: PlaceId, number: impl Fn(usize) -> u32 + Copy) -> u64 {
        if self.home[place.index()].is_none()
            && let Some(Complement { others, .. }) = self.complement(place)
        {
            return 1u64.saturating_sub(others.iter().map(|other| self.tokens_kept(*other, number)).sum());
        }
        self.tokens_kept(place, number)
    }

    /// The same for a place that is no complement.
    fn tokens_kept(&self, place: PlaceId, number: impl Fn(usize) -> u32) -> u64 {
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

    /// The largest count of each place over all local markings met. (A complement has had its token if it had it at first
    /// or a transition that puts it there has fired.)
    pub fn maxima(&self) -> Vec<u64> {
        let mut maxima = self.constants();
        for Complement { place, producers, .. } in &self.complements {
            let has_had_it = producers.iter().any(|t| self.fired[t.index()].load(Ordering::Relaxed));
            maxima[place.index()] = maxima[place.index()].max(u64::from(has_had_it));
        }
        let filling = self.lock();
        let mut key = Vec::new();
        for (node, fill) in self.nodes.iter().zip(filling.iter()) {
            let Kind::Leaf(leaf) = &node.kind else { continue };
            let mut most = vec![0; leaf.words()];
            for number in 0..fill.numbers() {
                node.tables.key(number, &mut key);
                leaf.raise(&mut most, &key);
            }
            for (at, place) in leaf.places.iter().enumerate() {
                let max = &mut maxima[place.index()];
                *max = (*max).max(leaf.tokens(at, |word| most[word]));
            }
        }
        maxima
    }
}

/// Of a sorted list those that are there as often as they should be, once.
pub fn all_there(sorted: &[u32], times: impl Fn(u32) -> usize) -> Vec<u32> {
    sorted.chunk_by(|a, b| a == b).filter(|same| same.len() == times(same[0])).map(|same| same[0]).collect()
}
