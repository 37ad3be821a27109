//! Siphons and traps: sets of places that stay empty, and sets that stay marked.
//!
//! A set of places is a **siphon** if every transition that puts a token into it also needs one from it: once empty,
//! it stays empty. It is a **trap** if every transition that takes a token from it also puts one into it: once
//! marked, it stays marked. (Weights do not matter: one token more or less than none is all that is looked at. A read
//! arc needs a token, so it counts for siphons; a reset arc takes tokens, so it counts for traps.) Unions of siphons
//! are siphons, and so are those of traps: inside any set there is one largest, found by throwing out what cannot
//! stay. *Minimal* ones, with no other inside, can be exponentially many.
//!
//! **Minimal sets.** Start from one place. While some transition feeds the set and needs nothing from it, one of the
//! places that it needs has to join: branch, each branch without the places of those before it. So every minimal
//! siphon comes up exactly once; others come up, too, and are found out because there is a siphon inside. What lies
//! in no siphon of the places still allowed is pruned. Traps are the siphons of the net with its arrows reversed.

use sweepnet_net::{Arcs, Net, PlaceId};

use crate::effort::{GoOn, Stop};
use crate::entries::bytes_of;
use crate::farkas::Limit;

/// Sets of places, each sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceSets {
    /// The sets; smaller ones first.
    pub sets: Vec<Vec<PlaceId>>,
    /// Why these are not all; nothing if they are.
    pub stopped: Option<Stop>,
}

/// The minimal siphons, as many as are found within the limit.
pub fn minimal_siphons(net: &Net, limit: Limit, go_on: GoOn<'_>) -> PlaceSets {
    Rules::of_siphons(net).minimal_sets(limit, go_on)
}

/// The minimal traps, as many as are found within the limit.
pub fn minimal_traps(net: &Net, limit: Limit, go_on: GoOn<'_>) -> PlaceSets {
    Rules::of_traps(net).minimal_sets(limit, go_on)
}

/// The largest siphon among these places; empty if there is none.
pub fn largest_siphon(net: &Net, among: impl IntoIterator<Item = PlaceId>) -> Vec<PlaceId> {
    Rules::of_siphons(net).largest_of(among)
}

/// The largest trap among these places; empty if there is none.
pub fn largest_trap(net: &Net, among: impl IntoIterator<Item = PlaceId>) -> Vec<PlaceId> {
    Rules::of_traps(net).largest_of(among)
}

/// Membership of places, by position.
type Set = Vec<bool>;

/// "Whoever feeds the set needs something of it", for siphons or for traps.
pub(crate) struct Rules {
    places: usize,
    /// By place: the transitions that feed it.
    feeders: Vec<Vec<u32>>,
    /// By transition: the places it feeds.
    feeds: Vec<Vec<u32>>,
    /// By transition: the places of which the set must have one.
    needs: Vec<Vec<u32>>,
    /// By place: the transitions that need it.
    needed: Vec<Vec<u32>>,
}

impl Rules {
    pub(crate) fn of_siphons(net: &Net) -> Self {
        Self::new(net, &[net.outputs()], &[net.inputs(), net.reads()])
    }

    pub(crate) fn of_traps(net: &Net) -> Self {
        Self::new(net, &[net.inputs(), net.resets()], &[net.outputs()])
    }

    fn new(net: &Net, feeding: &[&Arcs], needing: &[&Arcs]) -> Self {
        let ends = |arcs: &[&Arcs]| -> Vec<Vec<u32>> {
            let of = |t| {
                let mut places: Vec<u32> =
                    arcs.iter().flat_map(|arcs| arcs.of(t)).map(|arc| arc.place.index() as u32).collect();
                places.sort_unstable();
                places.dedup();
                places
            };
            net.transition_ids().map(of).collect()
        };
        let reversed = |by_transition: &[Vec<u32>]| {
            let mut by_place = vec![Vec::new(); net.places().len()];
            for (t, places) in by_transition.iter().enumerate() {
                places.iter().for_each(|place| by_place[*place as usize].push(t as u32));
            }
            by_place
        };
        let (feeds, needs) = (ends(feeding), ends(needing));
        let (feeders, needed) = (reversed(&feeds), reversed(&needs));
        Self { places: net.places().len(), feeders, feeds, needs, needed }
    }

    pub(crate) fn largest_of(&self, among: impl IntoIterator<Item = PlaceId>) -> Vec<PlaceId> {
        let mut set = vec![false; self.places];
        among.into_iter().for_each(|place| set[place.index()] = true);
        self.shrink(&mut set, &mut 0);
        members(&set)
    }

    /// Throws out what no set of the kind inside this one contains; linear in the arcs.
    fn shrink(&self, set: &mut Set, work: &mut u64) {
        let mut left: Vec<u32> = self
            .needs
            .iter()
            .map(|needs| needs.iter().filter(|p| set[**p as usize]).count() as u32)
            .collect();
        let mut open: Vec<usize> = (0..left.len()).filter(|t| left[*t] == 0).collect();
        *work += (self.places + left.len()) as u64;
        while let Some(t) = open.pop() {
            for place in &self.feeds[t] {
                if !std::mem::replace(&mut set[*place as usize], false) {
                    continue;
                }
                *work += self.needed[*place as usize].len() as u64 + 1;
                for t in &self.needed[*place as usize] {
                    left[*t as usize] -= 1;
                    if left[*t as usize] == 0 {
                        open.push(*t as usize);
                    }
                }
            }
        }
    }

    /// Whether a non-empty set of the kind has none inside: taking out any place leaves nothing.
    fn is_minimal(&self, set: &Set, budget: &mut Budget<'_>) -> Result<bool, Stop> {
        for place in members(set) {
            let mut rest = set.clone();
            rest[place.index()] = false;
            self.shrink(&mut rest, &mut budget.work);
            budget.check()?;
            if rest.contains(&true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn minimal_sets(&self, limit: Limit, go_on: GoOn<'_>) -> PlaceSets {
        let most = limit.work.saturating_add(64 * self.places as u64);
        let mut budget = Budget { work: 0, most, bytes: 0, most_bytes: limit.bytes, go_on };
        let mut sets = Vec::new();
        let stopped = self.enumerate(limit.rows, &mut sets, &mut budget).err();
        sets.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        PlaceSets { sets, stopped }
    }

    fn enumerate(
        &self,
        most: usize,
        sets: &mut Vec<Vec<PlaceId>>,
        budget: &mut Budget<'_>,
    ) -> Result<(), Stop> {
        let mut allowed = vec![true; self.places];
        self.shrink(&mut allowed, &mut budget.work);
        for first in 0..self.places {
            if !allowed[first] {
                continue;
            }
            let mut open = Vec::new();
            budget.open(&mut open, Branch { set: vec![first as u32], allowed: allowed.clone() });
            while let Some(branch) = open.pop() {
                budget.work += self.places as u64;
                budget.check()?;
                if open.len() * self.places > MOST_OPEN {
                    return Err(Stop::Work);
                }
                if sets.len() > most {
                    return Err(Stop::Rows);
                }
                budget.bytes -= branch.bytes();
                if let Some(set) = self.grow(branch, &mut open, budget)? {
                    budget.bytes += size_of::<Vec<PlaceId>>() + bytes_of(&set);
                    sets.push(set);
                }
            }
            allowed[first] = false;
            self.shrink(&mut allowed, &mut budget.work);
        }
        Ok(())
    }

    /// Grows the set until it is closed, and minimal; or leaves that to branches.
    fn grow(
        &self,
        mut branch: Branch,
        open: &mut Vec<Branch>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<PlaceId>>, Stop> {
        self.shrink(&mut branch.allowed, &mut budget.work);
        if !branch.set.iter().all(|place| branch.allowed[*place as usize]) {
            return Ok(None);
        }
        let mut set = vec![false; self.places];
        branch.set.iter().for_each(|place| set[*place as usize] = true);
        // Feeders to look at, and those that left a choice when they were looked at.
        let mut unseen: Vec<u32> =
            branch.set.iter().flat_map(|place| &self.feeders[*place as usize]).copied().collect();
        let mut postponed: Vec<u32> = Vec::new();
        while let Some(t) = unseen.pop() {
            let needs = &self.needs[t as usize];
            budget.work += needs.len() as u64 + 1;
            budget.check()?;
            if needs.iter().any(|place| set[*place as usize]) {
                continue;
            }
            let mut choices = needs.iter().copied().filter(|place| branch.allowed[*place as usize]);
            match (choices.next(), choices.next()) {
                (None, _) => return Ok(None),
                (Some(only), None) => {
                    set[only as usize] = true;
                    branch.set.push(only);
                    unseen.extend(&self.feeders[only as usize]);
                }
                (Some(_), Some(_)) => postponed.push(t),
            }
        }
        let mut best: Option<Vec<u32>> = None;
        for t in postponed {
            let needs = &self.needs[t as usize];
            budget.work += needs.len() as u64 + 1;
            if !needs.iter().any(|place| set[*place as usize]) {
                let choices = needs.iter().copied().filter(|place| branch.allowed[*place as usize]);
                let choices: Vec<u32> = choices.collect();
                if best.as_ref().is_none_or(|best| choices.len() < best.len()) {
                    best = Some(choices);
                }
            }
        }
        let Some(choices) = best else {
            return Ok(self.is_minimal(&set, budget)?.then(|| members(&set)));
        };
        for choice in choices {
            let mut set = branch.set.clone();
            set.push(choice);
            budget.open(open, Branch { set, allowed: branch.allowed.clone() });
            budget.check()?;
            budget.work += self.places as u64;
            branch.allowed[choice as usize] = false;
        }
        Ok(None)
    }
}

/// Work done, in places and arcs looked at, and bytes of branches and sets, and how much there may be of each.
struct Budget<'a> {
    work: u64,
    most: u64,
    bytes: usize,
    most_bytes: usize,
    go_on: GoOn<'a>,
}

impl Budget<'_> {
    fn open(&mut self, open: &mut Vec<Branch>, branch: Branch) {
        self.bytes += branch.bytes();
        open.push(branch);
    }

    fn check(&self) -> Result<(), Stop> {
        if !(self.go_on)() {
            Err(Stop::Cancelled)
        } else if self.work > self.most {
            Err(Stop::Work)
        } else if self.bytes > self.most_bytes {
            Err(Stop::Memory)
        } else {
            Ok(())
        }
    }
}

/// Flags of open branches held at a time.
const MOST_OPEN: usize = 100_000_000;

/// All sets of the kind between the one and the other.
struct Branch {
    set: Vec<u32>,
    allowed: Set,
}

impl Branch {
    fn bytes(&self) -> usize {
        size_of::<Self>() + bytes_of(&self.set) + bytes_of(&self.allowed)
    }
}

fn members(set: &Set) -> Vec<PlaceId> {
    (0..set.len()).filter(|place| set[*place]).map(PlaceId::new).collect()
}
