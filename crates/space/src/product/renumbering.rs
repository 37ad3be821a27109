//! From the local numbers of one partition to those of another.
//!
//! A new component has places of some of the old ones. For each of these, the old local markings fall into
//! *classes*: those that agree on the places the two share. The classes of a state's old numbers tell its new
//! number, no more and no less; so there are as many tuples of classes as there are new local markings. Each
//! new component has a table of such tuples, each with four places where it may be. Only what is not there goes
//! by way of a marking.

use std::ops::Range;

use sweepnet_net::PlaceId;

use super::automata::{Automata, MOST_ROOTS, Stuck};
use super::radix::Radix;
use super::tables::{NoRoom, UNKNOWN};
use crate::budget::{Budget, Charged, OutOfMemory};
use crate::hashing::HashMap;
use crate::set::held::Translation;

/// Entries of all tables together, at most.
const MOST_ENTRIES: usize = 1 << 19;

/// The most entries of one table, as a power of two; the least; and how many there are for each local marking expected.
const MOST_BITS: u32 = 16;
const LEAST_ENTRIES: usize = 1 << 10;
const FOR_EACH: usize = 8;

/// Places where a tuple may be, beside each other. With fewer, three tuples that many states have take them from each
/// other again and again.
const LINE: usize = 4;

/// No tuple has this key.
const NONE: u64 = u64::MAX;

/// See the [module](self).
#[derive(Debug)]
pub struct Renumbering<'a> {
    old: &'a Automata,
    radix: &'a Radix,
    components: Vec<Component>,
    /// The state at hand: its old numbers, and its new ones.
    numbers: [u32; MOST_ROOTS],
    renumbered: [u32; MOST_ROOTS],
    /// Counts of a state, and of which old numbers they are.
    counts: Vec<u64>,
    written: [u32; MOST_ROOTS],
}

/// What is known of a new component.
#[derive(Debug)]
struct Component {
    /// The old components that share places with it.
    sources: Vec<Source>,
    /// Tuples of classes as keys, and the new number of each; empty if tuples do not fit a word.
    known: Charged<(u64, u32)>,
}

/// An old component as a new one sees it.
#[derive(Debug)]
struct Source {
    old: usize,
    /// What each of its numbers adds to a key: its class, times a weight.
    terms: Charged<u64>,
}

impl<'a> Renumbering<'a> {
    /// From the numbers of the old automata, in ranks of this radix, to those of the new ones.
    pub fn new(
        old: &'a Automata,
        radix: &'a Radix,
        new: &Automata,
        budget: &Budget,
    ) -> Result<Self, OutOfMemory> {
        let bits = (MOST_ENTRIES / new.root_count().max(1)).ilog2().min(MOST_BITS);
        let mut components = Vec::with_capacity(new.root_count());
        for root in 0..new.root_count() {
            let mut weight = Some(1u64);
            let mut sources = Vec::new();
            for at in 0..old.root_count() {
                let shares = |place: &PlaceId| old.root_of(*place) == Some(at);
                let places: Vec<PlaceId> = new.places_of(root).filter(shares).collect();
                if !places.is_empty() {
                    let (terms, classes) = terms(old, at, &places, weight.unwrap_or(0), budget)?;
                    sources.push(Source { old: at, terms });
                    weight = weight.and_then(|weight| weight.checked_mul(classes));
                }
            }
            // As many as will do for all local markings that are expected, and some more that are not.
            let wanted = (new.tables(root).limit() as usize).saturating_mul(FOR_EACH).next_power_of_two();
            let wanted = wanted.clamp(LEAST_ENTRIES, 1 << bits);
            let entries = if weight.is_some() { wanted } else { 0 };
            components.push(Component { sources, known: Charged::filled(budget, (NONE, 0), entries)? });
        }
        Ok(Self {
            old,
            radix,
            components,
            numbers: [0; MOST_ROOTS],
            renumbered: [0; MOST_ROOTS],
            counts: old.constants(),
            written: [UNKNOWN; MOST_ROOTS],
        })
    }

    /// The new numbers of a state. Local markings that have none get one.
    #[inline]
    pub fn renumber<const W: usize>(&mut self, rank: &[u64; W], new: &Automata) -> Result<&[u32], Stuck> {
        self.radix.numbers(rank, &mut self.numbers);
        self.old.complete(&mut self.numbers);
        for root in 0..self.components.len() {
            let component = &self.components[root];
            let known = &component.known;
            let term = |source: &Source| source.terms[self.numbers[source.old] as usize];
            let key = component.sources.iter().map(term).fold(0, u64::wrapping_add);
            let line = line_of(key, known.len());
            self.renumbered[root] = match known[line.clone()].iter().find(|(other, _)| *other == key) {
                Some((_, number)) => *number,
                None => {
                    let number = self.by_marking(root, new)?;
                    let line = &mut self.components[root].known[line];
                    // The first one that is free, or else the last.
                    let free =
                        line.iter_mut().rev().reduce(|free, one| if one.0 == NONE { one } else { free });
                    if let Some(entry) = free {
                        *entry = (key, number);
                    }
                    number
                }
            };
        }
        Ok(&self.renumbered[..self.components.len()])
    }

    #[inline(never)]
    fn by_marking(&mut self, root: usize, new: &Automata) -> Result<u32, Stuck> {
        for Source { old, .. } in &self.components[root].sources {
            if self.written[*old] != self.numbers[*old] {
                self.old.write_counts(*old, self.numbers[*old], &mut self.counts);
                self.written[*old] = self.numbers[*old];
            }
        }
        new.number(root, &self.counts)
    }

    /// Gives all parts of a state numbers, making tables larger where they must be.
    pub fn number<const W: usize>(
        &mut self,
        rank: &[u64; W],
        new: &mut Automata,
        most_row_bytes: usize,
    ) -> Result<(), Stuck> {
        loop {
            match self.renumber(rank, new) {
                Err(Stuck::Room(NoRoom::Tables)) => {
                    new.make_room(most_row_bytes).map_err(|refusal| Stuck::Room(refusal.into()))?;
                }
                outcome => return outcome.map(drop),
            }
        }
    }
}

/// Where a tuple with this key may be in a table with so many entries.
#[inline(always)]
fn line_of(key: u64, entries: usize) -> Range<usize> {
    if entries == 0 {
        return 0..0;
    }
    // The leading bits of a product depend on all of the key.
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - entries.ilog2());
    let start = hash as usize & !(LINE - 1);
    start..start + LINE
}

/// What each number of an old component adds to a key, by the class of its counts in these places; and how many
/// classes there are.
fn terms(
    old: &Automata,
    root: usize,
    places: &[PlaceId],
    weight: u64,
    budget: &Budget,
) -> Result<(Charged<u64>, u64), OutOfMemory> {
    let numbers = old.counts()[root];
    let mut terms = Charged::new(budget);
    terms.grow_to(numbers as usize)?;
    let mut counts = old.constants();
    let mut classes: HashMap<Box<[u64]>, u64> = HashMap::default();
    // What a class takes until all numbers have theirs.
    let bytes = size_of_val(places) * 2 + 64;
    let mut held = Vec::new();
    for number in 0..numbers {
        old.write_counts(root, number, &mut counts);
        let shared: Box<[u64]> = places.iter().map(|place| counts[place.index()]).collect();
        let next = classes.len() as u64;
        let class = *classes.entry(shared).or_insert(next);
        if class == next && next.is_multiple_of(1024) {
            held.push(budget.hold(1024 * bytes)?);
        }
        // Where tuples do not fit a word, nobody looks at their keys.
        terms.push_reserved(class.wrapping_mul(weight));
    }
    Ok((terms, classes.len() as u64))
}

/// States on their way from one partition to another, all of which have their new numbers already.
#[derive(Debug)]
pub struct Renumbered<'a, 'b> {
    /// The numbers.
    pub renumbering: &'b mut Renumbering<'a>,
    /// The new automata.
    pub automata: &'b Automata,
    /// The new ranks.
    pub radix: &'b Radix,
}

impl Translation for Renumbered<'_, '_> {
    #[inline]
    fn translate<const W: usize, const V: usize>(&mut self, rank: [u64; W]) -> [u64; V] {
        let numbers = self.renumbering.renumber(&rank, self.automata);
        self.radix.rank(numbers.expect("every state was numbered"))
    }
}

#[cfg(test)]
mod tests {
    use sweepnet_structure::Structure;
    use sweepnet_testkit::nets::net;

    use super::super::automata::Given;
    use super::super::exploration::{Course, Exploration, Occasion};
    use super::super::partition::{Partition, Proposer};
    use super::super::suiting::Wish;
    use crate::divisible::Divided;
    use crate::{Control, Plan};

    /// Twenty counters up to 16, one after another: 321 states, in components with more than 2^81 combinations.
    #[test]
    fn tuples_that_do_not_fit_a_word_are_found_by_their_markings() {
        let lines: Vec<String> = (0..20)
            .map(|at| match at {
                0 => "t0: 16*o-p0 -> p0".to_owned(),
                _ => format!("t{at}: 16*?p{} 16*o-p{at} -> p{at}", at - 1),
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let net = net("counters", &[], &lines);
        let plan = Plan::knowing(&net, &Structure::of(&net, Default::default()));
        let given = Given {
            net: &net,
            complements: &[],
            knowledge: &plan.knowledge,
            with_events: false,
            with_totals: false,
        };
        let partition = |size| {
            let places: Vec<_> = net.place_ids().collect();
            Partition::flat(Proposer::Given, places.chunks(size).map(<[_]>::to_vec).collect())
        };
        let course =
            Course { given, wish: Wish::Best, threads: 1, most_row_bytes: usize::MAX, stress: false };
        let mut control = Control::unlimited();
        let capacities = [17; 20];
        let mut exploration = Exploration::new(course, &partition(1), &capacities, false, &control).unwrap();
        assert_eq!(exploration.run(&mut Divided::new(&mut ()), &mut control, &mut |_, _, _| Ok(())), None);
        for size in [20, 1, 7] {
            exploration.repartition(&partition(size), &[], Occasion::Level).unwrap();
            assert_eq!(exploration.states(), 321);
            let markings: u64 = exploration.automata().ranked_counts().iter().map(|it| u64::from(*it)).sum();
            let expected = [(20, 321), (1, 340), (7, 113 + 113 + 97)];
            assert!(expected.contains(&(size, markings)), "{size}: {markings}");
        }
    }
}
