//! Ways to divide the places of a net into components.
//!
//! Any division is correct; a good one has few local markings, and a product of their numbers that is little more
//! than the number of states. Nobody knows a rule for that, so several proposers each do what they can, and a judge
//! measures their proposals on a sample of states.
//!
//! Read [`sample`] (states to measure on, with the random `walk`s, the `guide` and the `milestones` by
//! which some of them are found), [`measure`] (how many
//! local markings a set of places has, and how many it will have) and [`cost`] (what a partition costs per state).
//! Then the proposers: [`runs`] cuts any sequence of places at the best positions; [`order`], [`semiflows`],
//! [`units`] and [`clusters`] say in which sequences; `joins` makes one component of two, [`refine`] moves single places,
//! [`determined`] takes out those that follow from others; [`pairs`] builds trees for
//! nets too wide for a flat division. Where processes share resources, [`allowed`] counts what can be. [`judge`] brings them together in [`choose`], [`capacity`] says how many
//! numbers each component will need, and [`text`] is what the user writes and reads.

use sweepnet_net::PlaceId;

pub mod allowed;
pub mod capacity;
pub mod care;
pub mod clusters;
pub mod columns;
pub mod cost;
pub mod determined;
mod distinct;
mod guide;
mod joins;
pub mod judge;
pub mod knowledge;
pub mod measure;
mod milestones;
mod noise;
pub mod order;
pub mod pairs;
mod proposals;
pub mod refine;
pub mod runs;
pub mod sample;
pub mod semiflows;
pub mod text;
pub mod units;
mod walk;

pub use judge::{Judgement, Scored, choose, guess};
pub use knowledge::Knowledge;
pub use sample::Sample;
pub use text::{PartitionChoice, PartitionError};
pub use walk::each_enabled;

/// A component: some places whose markings are numbered together, or two components whose pairs of numbers are
/// numbered again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Places.
    Places(Vec<PlaceId>),
    /// Two components.
    Pair(Box<Part>, Box<Part>),
}

impl Part {
    /// Its places, those of pairs included.
    pub fn places(&self) -> Vec<PlaceId> {
        let mut places = Vec::new();
        self.collect(&mut places);
        places
    }

    fn collect(&self, places: &mut Vec<PlaceId>) {
        match self {
            Self::Places(own) => places.extend_from_slice(own),
            Self::Pair(left, right) => {
                left.collect(places);
                right.collect(places);
            }
        }
    }

    /// How many sets of places it is made of.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Places(_) => 1,
            Self::Pair(left, right) => left.leaves() + right.leaves(),
        }
    }
}

/// Who proposed a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proposer {
    /// Disjoint supports of P-semiflows.
    Semiflows,
    /// Units of the file (NUPN).
    Units,
    /// Runs of places in file order.
    FileOrder,
    /// Runs of places in the order of the numbers in their names.
    Names,
    /// Places of one colour, where the net is the unfolding of a coloured one.
    Colours,
    /// Clusters of the net's graph, or another proposal improved place by place.
    Clusters,
    /// Everything in one.
    One,
    /// The user.
    Given,
}

impl Proposer {
    /// What it did, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Semiflows => "supports of P-semiflows",
            Self::Units => "units of the file",
            Self::FileOrder => "runs of places in file order",
            Self::Names => "places with the same numbers in their names",
            Self::Colours => "places with the same colour",
            Self::Clusters => "clusters of places",
            Self::One => "all places together",
            Self::Given => "as given",
        }
    }
}

/// All places, divided into components: each place is in exactly one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Who proposed it.
    pub proposer: Proposer,
    /// The components, at least one. None is empty, unless the net has no places.
    pub parts: Vec<Part>,
    /// Whether the last component follows from the others ([`determined`]), and takes no room in ranks.
    pub determined: bool,
}

impl Partition {
    /// Components of these places.
    pub fn flat(proposer: Proposer, groups: Vec<Vec<PlaceId>>) -> Self {
        Self { proposer, parts: groups.into_iter().map(Part::Places).collect(), determined: false }
    }

    /// The same with one more component, which follows from those there are.
    pub fn and_determined(mut self, places: Vec<PlaceId>) -> Self {
        self.parts.push(Part::Places(places));
        self.determined = true;
        self
    }

    /// The component that follows from the others, and these.
    pub fn split_determined(&self) -> (Option<&Part>, &[Part]) {
        match self.parts.split_last() {
            Some((last, others)) if self.determined => (Some(last), others),
            _ => (None, &self.parts),
        }
    }

    /// The same with neighbouring components paired: half as many, and their ranks take fewer bits. What followed from
    /// the others is a component like them.
    pub fn paired(&self) -> Self {
        let pair = |parts: &[Part]| match parts {
            [left, right] => Part::Pair(Box::new(left.clone()), Box::new(right.clone())),
            single => single[0].clone(),
        };
        Self { proposer: self.proposer, parts: self.parts.chunks(2).map(pair).collect(), determined: false }
    }
}
