//! How many local markings processes can have that exclude each other.
//!
//! A process is in one of the places of its support. Several have as many local markings together as the product tells,
//! but for those in which two of them hold what only one can have. Such are counted process by process; of those before,
//! all that matters is what they hold that later ones might want, which is little where each shares with few others.
//!
//! In many nets of processes and resources all of these are reached. So a guess takes that for what will be found, and needs
//! hardly any sample; a judgement believes what states found show, and takes it for the most there can be.

use sweepnet_net::PlaceId;

use super::knowledge::Knowledge;
use crate::hashing::HashMap;

/// What those before may hold at a time that later ones may want, at most.
const MOST_HELD: usize = 8;
/// Different sets of these, at most.
const MOST_WAYS: usize = 1 << 14;
/// Steps that it may take to count all states as often as there are processes.
const MOST_STEPS: usize = 1 << 21;

/// The processes of a net that has nothing else, and what they hold where.
#[derive(Debug)]
pub struct Processes {
    /// By place: its process.
    process_of: Vec<Option<usize>>,
    processes: Vec<Process>,
    things: usize,
    most_states: u64,
}

#[derive(Debug)]
struct Process {
    /// How many places it has that change.
    changing: usize,
    /// By place: what it holds there.
    holding: Vec<Vec<u32>>,
}

impl Processes {
    /// Those of a net with things that are in at most one of some places each, if all places that change are theirs; else
    /// nothing, nor where it is too much to count.
    pub fn of(knowledge: &Knowledge, things: &[&[PlaceId]], changing: &[PlaceId]) -> Option<Self> {
        let is_process = |(weights, constant): &&(Vec<(PlaceId, u64)>, u64)| {
            *constant == 1 && weights.iter().all(|(_, weight)| *weight == 1)
        };
        let supports = knowledge.semiflows.iter().filter(is_process).map(|(weights, _)| weights);
        let in_supports = supports.clone().flatten().map(|(place, _)| place);
        let last = things.iter().copied().flatten().chain(in_supports).max();
        let size = last.map_or(0, |place| place.index() + 1);
        let mut held = vec![Vec::new(); size];
        for (thing, places) in things.iter().enumerate() {
            places.iter().for_each(|place| held[place.index()].push(thing as u32));
        }
        let mut process_of = vec![None; size];
        let mut processes = Vec::new();
        for weights in supports {
            if weights.iter().any(|(place, _)| process_of[place.index()].is_some()) {
                continue;
            }
            weights.iter().for_each(|(place, _)| process_of[place.index()] = Some(processes.len()));
            processes.push(Process {
                changing: weights.iter().filter(|(place, _)| changing.binary_search(place).is_ok()).count(),
                holding: weights.iter().map(|(place, _)| held[place.index()].clone()).collect(),
            });
        }
        let found = Self { process_of, processes, things: things.len(), most_states: 0 };
        let all = found.with(changing)?;
        let mut counting = Counting::new(&found, &all);
        let most_states = counting.and(Some(&all))?;
        let is_little = counting.steps.saturating_mul(all.len()) <= MOST_STEPS;
        is_little.then_some(Self { most_states, ..found })
    }

    /// How many states there can be at most.
    pub fn most_states(&self) -> u64 {
        self.most_states
    }

    /// The processes whose places these are, all of them; nothing if there are other places.
    pub(super) fn with(&self, places: &[PlaceId]) -> Option<Vec<usize>> {
        let process = |place: &PlaceId| self.process_of.get(place.index()).copied().flatten();
        let mut processes = places.iter().map(process).collect::<Option<Vec<usize>>>()?;
        processes.sort_unstable();
        let is_whole = |same: &[usize]| same.len() == self.processes[same[0]].changing;
        let whole = processes.chunk_by(|a, b| a == b).all(is_whole);
        processes.dedup();
        whole.then_some(processes)
    }

    /// How many local markings these places can have, if they are those of some processes.
    pub(super) fn most(&self, places: &[PlaceId]) -> Option<u64> {
        let processes = self.with(places)?;
        Counting::new(self, &processes).and(Some(&processes))
    }
}

/// Some things, in order; behind them [`NOTHING`].
type Held = [u32; MOST_HELD];
const NOTHING: u32 = u32::MAX;

/// What may be held, each with the number of markings in which it is.
type Ways = HashMap<Held, u64>;

/// Counts the local markings of processes that come one by one.
pub(super) struct Counting<'a> {
    processes: &'a Processes,
    /// By process: when it comes.
    turn: Vec<u32>,
    /// By thing: when the last process comes that may hold it.
    last: Vec<u32>,
    /// What those before hold that later ones may want, each with the number of their markings. Nothing if it is too
    /// much.
    ways: Option<Ways>,
    steps: usize,
}

impl<'a> Counting<'a> {
    /// Of some of the processes that will come in this order.
    pub(super) fn new(processes: &'a Processes, order: &[usize]) -> Self {
        let mut turn = vec![0; processes.processes.len()];
        let mut last = vec![0; processes.things];
        for (now, process) in order.iter().enumerate() {
            turn[*process] = now as u32;
            let holding = processes.processes[*process].holding.iter().flatten();
            holding.for_each(|thing| last[*thing as usize] = now as u32);
        }
        let mut counting = Self { processes, turn, last, ways: None, steps: 0 };
        counting.restart();
        counting
    }

    /// Begins anew.
    pub(super) fn restart(&mut self) {
        self.ways = Some(Ways::from_iter([([NOTHING; MOST_HELD], 1)]));
    }

    /// Some more, if they are known: how many local markings there are then, if that could be counted.
    pub(super) fn and(&mut self, processes: Option<&[usize]>) -> Option<u64> {
        self.ways = processes
            .and_then(|them| them.iter().try_fold(self.ways.take()?, |ways, it| self.add(ways, *it)));
        self.ways.as_ref()?.values().copied().try_fold(0, u64::checked_add)
    }

    fn add(&mut self, ways: Ways, process: usize) -> Option<Ways> {
        let now = self.turn[process];
        let mut next: Ways = Ways::default();
        for (before, count) in &ways {
            let holding = &self.processes.processes[process].holding;
            self.steps += holding.len();
            for more in holding.iter().filter(|more| more.iter().all(|thing| !before.contains(thing))) {
                let wanted = |thing: &u32| *thing != NOTHING && self.last[*thing as usize] > now;
                let mut held = [NOTHING; MOST_HELD];
                let mut kept = 0;
                for thing in before.iter().chain(more).filter(|thing| wanted(thing)) {
                    *held.get_mut(kept)? = *thing;
                    kept += 1;
                }
                held[..kept].sort_unstable();
                let sum = next.entry(held).or_default();
                *sum = sum.saturating_add(*count);
            }
            if self.steps > MOST_STEPS || next.len() > MOST_WAYS {
                return None;
            }
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(count: usize) -> Vec<PlaceId> {
        (0..count).map(PlaceId::new).collect()
    }

    /// Processes with so many places each, and what is in at most one of some places.
    fn processes(count: usize, size: usize, things: &[Vec<PlaceId>]) -> Option<Processes> {
        let support = |process: usize| (process * size..(process + 1) * size).map(|p| (PlaceId::new(p), 1));
        let semiflows = (0..count).map(|process| (support(process).collect(), 1)).collect();
        let things: Vec<&[PlaceId]> = things.iter().map(|thing| &thing[..]).collect();
        Processes::of(&Knowledge { semiflows, ..Knowledge::default() }, &things, &places(count * size))
    }

    /// Philosophers who think, have a left fork, or both.
    fn philosophers(n: usize) -> Processes {
        let place = |philosopher: usize, state: usize| PlaceId::new(philosopher % n * 3 + state);
        let fork = |i: usize| vec![place(i, 1), place(i, 2), place(i + n - 1, 2)];
        processes(n, 3, &(0..n).map(fork).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn philosophers_in_a_ring_and_in_a_row() {
        let (philosophers, places) = (philosophers(12), places(36));
        assert_eq!(philosophers.most_states(), 39_202);
        // 3, 7, 17, 41: a row of them has no neighbours at its ends.
        assert_eq!([3, 6, 9, 12].map(|end| philosophers.most(&places[..end])), [3, 7, 17, 41].map(Some));
        assert_eq!(philosophers.most(&places[33..]), Some(3));
        assert_eq!(philosophers.most(&places[..4]), None, "a part of a process");
    }

    #[test]
    fn one_by_one_as_all_at_once() {
        let (philosophers, places) = (philosophers(8), places(24));
        let order: Vec<usize> = (0..8).collect();
        let mut counting = Counting::new(&philosophers, &order);
        for start in 0..8 {
            counting.restart();
            for end in start + 1..=8 {
                let count = counting.and(Some(&[end - 1]));
                assert_eq!(count, philosophers.most(&places[start * 3..end * 3]), "{start}..{end}");
            }
        }
    }

    #[test]
    fn what_is_too_much_is_not_counted() {
        // Each process has one of eight things, or none.
        let competing = |count: usize| {
            let thing = |thing: usize| (0..count).map(|process| PlaceId::new(process * 9 + thing)).collect();
            processes(count, 9, &(0..8).map(thing).collect::<Vec<_>>())
        };
        assert_eq!(competing(2).unwrap().most_states(), 1 + 16 + 56);
        assert!(competing(8).is_some());
        assert!(competing(100).is_none(), "there are 256 ways to have some, for each of a hundred");
    }

    #[test]
    fn where_there_is_more_than_processes_nothing_is_told() {
        let semiflows = vec![(vec![(PlaceId::new(0), 1), (PlaceId::new(1), 1)], 1)];
        let knowledge = Knowledge { semiflows, ..Knowledge::default() };
        assert!(Processes::of(&knowledge, &[], &places(2)).is_some());
        assert!(Processes::of(&knowledge, &[], &places(3)).is_none());
    }
}
