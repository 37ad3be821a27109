//! Numbers local markings as they are met, and computes rows when they are first needed.

use super::*;

impl Automata {
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
        Ok(self.numbered(filling, node, &key)?)
    }

    /// The number of a root's part of a marking, which gets one if it has none. The counts are those of all places;
    /// only the root's own are looked at.
    pub fn number(&self, root: usize, counts: &[u64]) -> Result<u32, Stuck> {
        self.number_of(&mut self.lock(), self.roots[root], counts)
    }

    fn number_of(&self, filling: &mut [Filling], node: usize, counts: &[u64]) -> Result<u32, Stuck> {
        let key = match &self.nodes[node].kind {
            Kind::Leaf(leaf) => {
                let counts: Vec<u64> = leaf.places.iter().map(|place| counts[place.index()]).collect();
                leaf.pack(&counts)
                    .ok_or_else(|| Stuck::Tokens(leaf.places.first().copied().unwrap_or(PlaceId::new(0))))?
            }
            Kind::Pair(pair) => {
                let left = self.number_of(filling, pair.left, counts)?;
                let right = self.number_of(filling, pair.right, counts)?;
                vec![pair_key(left, right)]
            }
        };
        Ok(self.numbered(filling, node, &key)?)
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
        let mut making = std::mem::take(&mut filling[node].making);
        let made = self.make_row(filling, node, number, &mut making);
        filling[node].making = making;
        made
    }

    fn make_row(
        &self,
        filling: &mut [Filling],
        node: usize,
        number: u32,
        making: &mut Making,
    ) -> Result<u32, Stuck> {
        let here = &self.nodes[node];
        let Making { key, enabled, pattern, row } = making;
        here.tables.key(number, key);
        enabled.clear();
        match &here.kind {
            Kind::Leaf(leaf) => leaf.enabled(key, |event| enabled.push(event)),
            Kind::Pair(pair) => self.enabled_in_pair(filling, here, pair, key[0], enabled)?,
        }
        if !enabled.is_sorted() {
            enabled.sort_unstable();
        }
        let (mut own, mut shared) = (0, here.granted.iter().map(|word| word.count_ones() as usize).sum());
        // What does not touch this component is none of its business.
        pattern.clear();
        pattern.extend(here.granted.iter().enumerate().map(|(word, granted)| !here.touched(word) | granted));
        row.clear();
        row.resize(HEADER + here.own_fixed.unwrap_or(0) as usize, UNKNOWN);
        let mut told = 0;
        for event in enabled.iter().copied() {
            let local = &here.events[event as usize];
            match local.role {
                Role::Own { still, at } => {
                    own += 1;
                    let successor =
                        if still { number } else { self.successor(filling, node, key, number, event)? };
                    self.note_fired(local.transition);
                    if here.own_fixed.is_some() {
                        row[HEADER + at as usize] = successor;
                        told |= 1 << at;
                    } else if self.with_events {
                        row.extend([successor, event]);
                    } else if successor != number {
                        row.push(successor);
                    }
                }
                Role::Shared(at) => {
                    pattern[at as usize / 64] |= 1 << (at % 64);
                    shared += 1;
                }
            }
        }
        let pattern = here.tables.pattern_number(&mut filling[node], pattern, |word| here.touched(word))?;
        if here.own_fixed.is_none() {
            told = (row.len() - HEADER) as u32;
        }
        row[..HEADER].copy_from_slice(&[own, told, pattern]);
        row.resize(row.len() + here.fixed.unwrap_or(shared), UNKNOWN);
        Ok(here.tables.publish(&mut filling[node], number, row)?)
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
                if after == key { Ok(number) } else { Ok(self.numbered(filling, node, &after)?) }
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
                Ok(self.numbered(filling, node, &[pair_key(left, right)])?)
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
        let [told, pattern] = [1, 2].map(|header| cells[at + header].load(Ordering::Relaxed) as usize);
        let own_cells = here.own_fixed.map_or(told, |fixed| fixed as usize);
        let rank = here.cell_of(pattern, &here.events[event as usize]);
        let cell = &cells[at + HEADER + own_cells + rank as usize];
        let known = cell.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return Ok(known);
        }
        let successor =
            here.tables.with_key(number, |key| self.successor(filling, node, key, number, event))?;
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
}

impl Node {
    /// Which cell of a row with this pattern has the successor by a shared event.
    fn cell_of(&self, pattern: usize, event: &LocalEvent) -> u32 {
        if event.cell != UNKNOWN {
            return event.cell;
        }
        let position = event.role.position().expect("only shared events are asked for");
        let (word, bit) = (position as usize / 64, position % 64);
        let at = pattern * self.tables.pattern_words() + word;
        let own = self.tables.patterns()[at].load(Ordering::Relaxed) & self.touched(word);
        let before = self.tables.before()[at].load(Ordering::Relaxed);
        before + (own & ((1 << bit) - 1)).count_ones()
    }
}
