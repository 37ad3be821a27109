//! All proposals, of all proposers that the choice allows.

use sweepnet_net::{Net, PlaceId};

use super::care::Care;
use super::clusters::{self, Neighbours, Ranking};
use super::cost::Prices;
use super::knowledge::Knowledge;
use super::measure::Measure;
use super::runs::{best_runs, usual_counts};
use super::text::{self, PartitionChoice, PartitionError};
use super::{Partition, Proposer, order, pairs, semiflows, units};
use crate::hashing::HashSet;

/// Counts that the states may hold on which clusters are measured.
const CLUSTER_CELLS: usize = 2_000_000;
/// Wider nets are not clustered.
const MOST_CLUSTERED: usize = 3_000;
/// Nets with more places that change are also divided into many small runs, for trees of pairs.
const WIDE: usize = 192;
/// Fewer components are not paired: the best runs of half the number are better.
const MOST_LEAVES_WITHOUT_TREES: usize = 8;
/// Components of a flat division, at most; more are paired.
const MOST_FLAT: usize = 24;

/// Collects proposals for a net.
pub(super) struct Proposals<'m, 'a> {
    net: &'m Net,
    knowledge: &'m Knowledge,
    measure: &'m mut Measure<'a>,
    neighbours: &'m Neighbours,
    care: Care,
    found: Vec<Partition>,
    /// What was found, each as its components' keys.
    known: HashSet<Vec<u64>>,
}

impl<'m, 'a> Proposals<'m, 'a> {
    /// All proposals that the choice allows: at least one.
    pub(super) fn of(
        net: &'m Net,
        knowledge: &'m Knowledge,
        measure: &'m mut Measure<'a>,
        neighbours: &'m Neighbours,
        choice: &PartitionChoice,
        care: Care,
    ) -> Result<Vec<Partition>, PartitionError> {
        let given = match choice {
            PartitionChoice::Given(lines) => Some(text::given(net, lines)?),
            _ => None,
        };
        let mut proposals =
            Self { net, knowledge, measure, neighbours, care, found: Vec::new(), known: HashSet::default() };
        if net.places().is_empty() || proposals.measure.sample().places().is_empty() && given.is_none() {
            let all = vec![net.place_ids().collect()];
            return Ok(vec![Partition::flat(Proposer::One, all)]);
        }
        match choice {
            PartitionChoice::Auto => proposals.all(),
            PartitionChoice::One => proposals.one(),
            PartitionChoice::FileOrder(None) => proposals.file(),
            PartitionChoice::FileOrder(Some(count)) => proposals.file_in(*count),
            PartitionChoice::Semiflows if !proposals.semiflows() => return Err(PartitionError::NoSemiflows),
            PartitionChoice::Units if !proposals.units() => return Err(PartitionError::NoUnits),
            PartitionChoice::Colours if !proposals.colours() => return Err(PartitionError::NoColours),
            PartitionChoice::Semiflows | PartitionChoice::Units | PartitionChoice::Colours => {}
            PartitionChoice::Clusters if !proposals.clusters() => return Err(PartitionError::TooWide),
            PartitionChoice::Clusters => {}
            PartitionChoice::Given(_) => proposals.given(given.unwrap_or_default()),
        }
        Ok(proposals.found)
    }

    fn all(&mut self) {
        // Of equal ones the first counts: what is known of the net goes before what is only seen.
        self.one();
        self.semiflows();
        self.units();
        if self.are_good_enough() {
            return;
        }
        let coloured = self.colours();
        self.file();
        if !coloured {
            self.names();
        }
        self.clusters();
    }

    /// Whether one of those found costs so little that it is not worth looking for others, or processes are all there is
    /// to the net, so that nobody knows better.
    fn are_good_enough(&mut self) -> bool {
        let prices = Prices::of(self.measure);
        let is_known = self.measure.allowed_states().is_some();
        let mut cost = |partition: &Partition| prices.partition(partition, self.measure).1;
        let enough = self.care.good_enough;
        enough > 0.0 && (is_known || self.found.iter().any(|it| cost(it) <= enough))
    }

    fn one(&mut self) {
        self.add(Proposer::One, vec![order::by_file(self.measure)], false);
    }

    fn file(&mut self) {
        let places = order::by_file(self.measure);
        self.sequence(Proposer::FileOrder, &order::singles(&places));
        self.small_runs(Proposer::FileOrder, &places);
    }

    fn file_in(&mut self, count: usize) {
        let places = order::by_file(self.measure);
        let count = count.clamp(1, places.len());
        let best = best_runs(self.measure, &order::singles(&places), &[count], self.care.grid);
        let found = best.into_iter().next().unwrap_or_else(|| order::equal_runs(&places, count));
        self.add_flat(Proposer::FileOrder, found);
    }

    fn names(&mut self) {
        for places in order::by_names(self.net, self.measure) {
            self.sequence(Proposer::Names, &order::singles(&places));
            self.small_runs(Proposer::Names, &places);
        }
    }

    /// Tells whether there were any.
    fn semiflows(&mut self) -> bool {
        let sequences = semiflows::sequences(self.knowledge, self.measure, self.neighbours);
        for sequence in &sequences {
            self.sequence(Proposer::Semiflows, sequence);
        }
        !sequences.is_empty()
    }

    /// Tells whether there were any.
    fn units(&mut self) -> bool {
        let sequence = units::sequence(self.net, self.measure);
        if let Some(sequence) = &sequence {
            self.sequence(Proposer::Units, sequence);
        }
        sequence.is_some()
    }

    /// Tells whether there were any.
    fn colours(&mut self) -> bool {
        let groupings = self.net.folding().map_or(&[][..], |folding| &folding.groupings);
        for (_, groups) in groupings {
            let changing = |group: &Vec<PlaceId>| -> Vec<PlaceId> {
                group.iter().copied().filter(|place| self.measure.is_changing(*place)).collect()
            };
            let groups: Vec<Vec<PlaceId>> =
                groups.iter().map(changing).filter(|group| !group.is_empty()).collect();
            self.sequence(Proposer::Colours, &groups);
            let places: Vec<PlaceId> = groups.concat();
            self.sequence(Proposer::Colours, &order::singles(&places));
            self.small_runs(Proposer::Colours, &places);
        }
        !groupings.is_empty()
    }

    /// Tells whether the net was small enough.
    fn clusters(&mut self) -> bool {
        let places = self.measure.sample().places().len();
        if places > MOST_CLUSTERED {
            return false;
        }
        let states = self.care.cluster_states.min(CLUSTER_CELLS / places.max(1));
        let mut measure = Measure::new(self.net, self.knowledge, self.measure.sample(), states);
        for ranking in [Ranking::Share, Ranking::Bits] {
            let sequence = clusters::sequence(&mut measure, self.neighbours, ranking, self.care.grid);
            self.sequence(Proposer::Clusters, &sequence);
        }
        true
    }

    fn given(&mut self, groups: Vec<Vec<PlaceId>>) {
        let mentioned: HashSet<PlaceId> = groups.iter().flatten().copied().collect();
        let rest: Vec<PlaceId> = self.net.place_ids().filter(|place| !mentioned.contains(place)).collect();
        if rest.is_empty() {
            self.found.push(Partition::flat(Proposer::Given, groups));
            return;
        }
        for runs in best_runs(self.measure, &order::singles(&rest), &usual_counts(rest.len()), self.care.grid)
        {
            let parts = groups.iter().cloned().chain(runs).collect();
            self.found.push(Partition::flat(Proposer::Given, parts));
        }
    }

    /// The best runs of a sequence, and its sets as they are.
    fn sequence(&mut self, proposer: Proposer, sequence: &[Vec<PlaceId>]) {
        let places = sequence.iter().map(Vec::len).sum();
        for groups in best_runs(self.measure, sequence, &usual_counts(places), self.care.grid) {
            let trees = groups.len() >= MOST_LEAVES_WITHOUT_TREES;
            self.add(proposer, groups, trees);
        }
        if sequence.iter().any(|set| set.len() > 1) {
            self.add(proposer, sequence.to_vec(), true);
        }
    }

    /// Many runs of few places, for trees.
    fn small_runs(&mut self, proposer: Proposer, places: &[PlaceId]) {
        if places.len() < WIDE {
            return;
        }
        let mut count = 16;
        while count * 4 <= places.len() {
            self.add(proposer, order::equal_runs(places, count), true);
            count *= 2;
        }
    }

    /// A division of the places that change, as it is and as trees.
    fn add(&mut self, proposer: Proposer, groups: Vec<Vec<PlaceId>>, trees: bool) {
        let mut keys: Vec<u64> = groups.iter().map(|group| self.measure.key(group)).collect();
        keys.sort_unstable();
        if !self.known.insert(keys) {
            return;
        }
        let flat = groups.len() <= MOST_FLAT;
        let partition = Partition::flat(proposer, with_constant_places(self.net, self.measure, groups));
        let width: u64 = partition.parts.iter().map(|part| self.measure.width(&part.places())).sum();
        if trees && width > 64 {
            self.found.extend(pairs::levels(&partition));
        }
        if flat || width <= 64 {
            self.found.push(partition);
        }
    }

    fn add_flat(&mut self, proposer: Proposer, groups: Vec<Vec<PlaceId>>) {
        self.found.push(Partition::flat(proposer, with_constant_places(self.net, self.measure, groups)));
    }
}

/// The places that never change join the component with the fewest local markings, where they cost least.
pub(super) fn with_constant_places(
    net: &Net,
    measure: &mut Measure<'_>,
    mut groups: Vec<Vec<PlaceId>>,
) -> Vec<Vec<PlaceId>> {
    let smallest = (0..groups.len()).min_by_key(|group| measure.seen(&groups[*group]).all);
    if let Some(group) = smallest {
        groups[group].extend(net.place_ids().filter(|place| !measure.is_changing(*place)));
        groups[group].sort_unstable();
    }
    groups
}
