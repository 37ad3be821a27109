//! The Hilbert basis of the T-semiflows: the fewest semiflows of which every other is a sum.
//!
//! The minimal-support semiflows generate all others with *rational* factors; with natural numbers as factors one
//! may need more. The non-negative integer solutions of C·x = 0 that are not the sum of two others, the *Hilbert
//! basis*, are enough, and all of them are needed. These are also the solutions that have no smaller one below.
//!
//! Place by place, as in [`farkas`](crate::farkas): given the basis for the places so far, of those solutions that
//! gain tokens on the next place, lose some, or keep their number, the last are wanted. Add up each one that gains
//! and one that loses; what cannot be reduced (no known one on the same side of the place is below it, with no
//! larger gain or loss) joins its side, and so on until nothing new comes up. Sums are looked at in the order of
//! their rank, so that what has joined is never reduced later (the dual algorithm of W. Bruns and B. Ichim 2010,
//! after E. Contejean and H. Devie 1994 and L. Pottier 1991). Why it is complete: write any solution as a sum of
//! known ones of both sides, with the least total gain and loss; were there one of either side, their sum could be
//! replaced by known ones of one side, and the total would be less.
//!
//! Semiflows whose supports are connected by no chain of others do not interact: each such block is done alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::effort::{GoOn, Stop};
use crate::entries::{Entries, bytes_of, linear, signature};
use crate::farkas::Limit;
use crate::incidence::Incidence;
use crate::semiflows::{Semiflow, Semiflows, is_semiflow, narrow, sort};

/// The Hilbert basis of the T-semiflows, from all those of minimal support; sorted like them. Transitions with a
/// reset arc have weight 0, as in all T-semiflows.
pub fn hilbert_basis(
    incidence: &Incidence,
    semiflows: &Semiflows,
    limit: Limit,
    go_on: GoOn<'_>,
) -> Result<Vec<Semiflow>, Stop> {
    if let Some(stop) = semiflows.stopped {
        return Err(stop);
    }
    let mut basis = Vec::new();
    let mut completion = Completion { limit, held: 0, go_on };
    for block in blocks(&semiflows.flows, incidence.by_transition().height()) {
        if let [alone] = &block[..] {
            basis.push((*alone).clone());
            continue;
        }
        let mut transitions: Vec<usize> = block.iter().flat_map(|flow| flow.support()).collect();
        transitions.sort_unstable();
        transitions.dedup();
        let start = transitions.into_iter().map(|t| Element {
            weights: vec![(t as u32, 1)],
            rest: incidence.by_transition().row(t).map(|(place, value)| (place as u32, value)).collect(),
            rank: 1,
            signature: signature(&[(t as u32, 1)]),
        });
        for weights in completion.solutions(start.collect())? {
            let flow = narrow(&weights).filter(|flow| is_semiflow(incidence.by_transition(), flow));
            let flow = flow.ok_or(Stop::Numbers)?;
            completion.limit.bytes = completion.limit.bytes.saturating_sub(bytes_of(&flow.weights));
            basis.push(flow);
        }
    }
    sort(&mut basis);
    Ok(basis)
}

/// The semiflows in groups that share no position.
pub(crate) fn blocks(flows: &[Semiflow], size: usize) -> Vec<Vec<&Semiflow>> {
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let mut parent: Vec<usize> = (0..size).collect();
    for flow in flows {
        for pair in flow.weights.windows(2) {
            let (a, b) = (root(&mut parent, pair[0].0), root(&mut parent, pair[1].0));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: std::collections::BTreeMap<usize, Vec<&Semiflow>> = Default::default();
    for flow in flows.iter().filter(|flow| !flow.weights.is_empty()) {
        groups.entry(root(&mut parent, flow.weights[0].0)).or_default().push(flow);
    }
    groups.into_values().collect()
}

struct Element {
    weights: Entries,
    /// What it adds to each place.
    rest: Entries,
    rank: i128,
    signature: u64,
}

impl Element {
    fn at(&self, column: u32) -> i128 {
        self.rest.binary_search_by_key(&column, |e| e.0).map_or(0, |i| self.rest[i].1)
    }

    /// The bytes it takes, where it is listed included.
    fn bytes(&self) -> usize {
        2 * size_of::<(i128, Self)>() + bytes_of(&self.weights) + bytes_of(&self.rest)
    }

    fn sum(&self, other: &Self) -> Option<Self> {
        Some(Self {
            weights: linear(&self.weights, 1, &other.weights, 1)?,
            rest: linear(&self.rest, 1, &other.rest, 1)?,
            rank: self.rank.checked_add(other.rank)?,
            signature: self.signature | other.signature,
        })
    }

    /// Whether it is nowhere larger, nor on the other side of the column, nor further away from it.
    fn reduces(&self, value: i128, other: &Self, other_value: i128) -> bool {
        let same_side = value == 0 || (value > 0) == (other_value > 0);
        if !same_side || value.unsigned_abs() > other_value.unsigned_abs() {
            return false;
        }
        let mut rest = other.weights.iter();
        self.signature & !other.signature == 0
            && self
                .weights
                .iter()
                .all(|(i, w)| rest.by_ref().find(|e| e.0 >= *i).is_some_and(|e| e.0 == *i && e.1 >= *w))
    }
}

struct Completion<'a> {
    /// What is left of it.
    limit: Limit,
    /// Bytes of the elements that are known.
    held: usize,
    go_on: GoOn<'a>,
}

impl Completion<'_> {
    fn solutions(&mut self, mut elements: Vec<Element>) -> Result<Vec<Entries>, Stop> {
        // As in elimination, those at the start do not count.
        let most = self.limit.rows.saturating_add(elements.len());
        while let Some(column) = self.next_column(&elements)? {
            elements = self.annul(elements, column, most)?;
        }
        Ok(elements.into_iter().map(|element| element.weights).collect())
    }

    fn spend(&mut self, work: usize) -> Result<(), Stop> {
        self.limit.work = self.limit.work.checked_sub(work as u64).ok_or(Stop::Work)?;
        Ok(())
    }

    /// The place to go on with: that for which fewest pairs gain and lose.
    fn next_column(&mut self, elements: &[Element]) -> Result<Option<u32>, Stop> {
        let mut entries: Vec<(u32, bool)> = elements
            .iter()
            .flat_map(|e| e.rest.iter().map(|(column, value)| (*column, *value > 0)))
            .collect();
        self.spend(entries.len() + 1)?;
        entries.sort_unstable();
        let growth = |same: &[(u32, bool)]| {
            let positive = same.iter().filter(|entry| entry.1).count() as i64;
            let negative = same.len() as i64 - positive;
            (positive.saturating_mul(negative) - positive - negative, same[0].0)
        };
        Ok(entries.chunk_by(|a, b| a.0 == b.0).map(growth).min().map(|(_, column)| column))
    }

    /// Those that keep the number of tokens on one more place.
    fn annul(&mut self, elements: Vec<Element>, column: u32, most: usize) -> Result<Vec<Element>, Stop> {
        let mut known: Vec<(i128, Element)> = Vec::new();
        self.held = 0;
        let mut sums: BinaryHeap<Reverse<(i128, usize, usize)>> = BinaryHeap::new();
        for element in elements {
            let value = element.at(column);
            self.join(&mut known, &mut sums, value, element)?;
        }
        while let Some(Reverse((_, one, other))) = sums.pop() {
            let (a, b) = (&known[one].1, &known[other].1);
            self.spend(a.weights.len() + b.weights.len() + known.len())?;
            let sum = a.sum(b).ok_or(Stop::Numbers)?;
            let value = known[one].0.checked_add(known[other].0).ok_or(Stop::Numbers)?;
            if !known.iter().any(|(by, it)| it.reduces(*by, &sum, value)) {
                if known.len() >= most {
                    return Err(Stop::Rows);
                }
                self.join(&mut known, &mut sums, value, sum)?;
            }
        }
        Ok(known.into_iter().filter(|(value, _)| *value == 0).map(|(_, element)| element).collect())
    }

    fn join(
        &mut self,
        known: &mut Vec<(i128, Element)>,
        sums: &mut BinaryHeap<Reverse<(i128, usize, usize)>>,
        value: i128,
        element: Element,
    ) -> Result<(), Stop> {
        if !(self.go_on)() {
            return Err(Stop::Cancelled);
        }
        self.spend(known.len() + 1)?;
        let at = known.len();
        for (other, (by, it)) in known.iter().enumerate() {
            if value.signum() * by.signum() < 0 {
                sums.push(Reverse((element.rank.checked_add(it.rank).ok_or(Stop::Numbers)?, other, at)));
            }
        }
        self.held += element.bytes();
        known.push((value, element));
        if self.held + sums.capacity() * size_of::<(i128, usize, usize)>() > self.limit.bytes {
            return Err(Stop::Memory);
        }
        if sums.len() > MOST_SUMS {
            return Err(Stop::Rows);
        }
        Ok(())
    }
}

/// Sums waiting at a time: 32 bytes each.
const MOST_SUMS: usize = 4_000_000;
