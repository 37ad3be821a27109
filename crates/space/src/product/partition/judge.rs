//! Judges proposals on a sample and picks one.
//!
//! All proposals are measured on a part of the sample; the best of them are improved place by place, and then
//! measured on all of it. A guess does the same with less care: on a smaller sample, with fewer cuts.

use sweepnet_net::{Net, PlaceId};

use super::capacity;
use super::care::Care;
use super::clusters::Neighbours;
use super::cost::Prices;
use super::determined;
use super::joins;
use super::knowledge::Knowledge;
use super::measure::Measure;
use super::proposals::{Proposals, with_constant_places};
use super::refine::refined;
use super::sample::Sample;
use super::text::{self, PartitionChoice, PartitionError};
use super::{Part, Partition, Proposer};

/// Proposals that are measured on the whole sample.
const FINALISTS: usize = 8;
/// Proposals that a second opinion is heard on.
const CONTENDERS: usize = 4;
/// Wider divisions are not improved place by place.
const MOST_IMPROVED_PLACES: usize = 1_000;
const MOST_IMPROVED_PARTS: usize = 12;

/// How many times the memory of a sample it takes to judge partitions on it: the local markings of many of them are
/// counted. And how many bytes for each place and transition, whatever the sample.
const TIMES_SAMPLE: usize = 16;
const BYTES_EACH: usize = 2 << 10;

/// A proposal with what it costs.
#[derive(Clone, Debug)]
pub struct Scored {
    /// The proposal.
    pub partition: Partition,
    /// Local markings of each component seen.
    pub seen: Vec<u32>,
    /// Local markings of each component expected in the whole state space.
    pub expected: Vec<f64>,
    /// log2(S/R) on the sample: S is the product of the local markings seen, R the number of states looked at.
    pub excess: f64,
    /// Bytes of the local tables for what was seen.
    pub table_bytes: u64,
    /// The score: bits per state to expect, tables and a price for time included.
    pub bits_per_state: f64,
    /// How many states were looked at.
    pub states: usize,
}

impl Scored {
    /// How many ranks there are to be expected: the product of the local markings, without those that follow.
    pub fn ranks(&self) -> f64 {
        self.expected[..self.partition.split_determined().1.len()].iter().product()
    }
}

/// The judge's decision.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The best partition.
    pub chosen: Partition,
    /// How many numbers each of its components will need, roughly.
    pub capacities: Vec<u32>,
    /// All proposals, best first.
    pub candidates: Vec<Scored>,
    /// What was chosen and what it was compared with, in a line.
    pub reason: String,
}

/// The memory that it takes to judge partitions on a sample. Nobody asks for it on the way.
pub fn bytes(net: &Net, sample: &Sample) -> usize {
    TIMES_SAMPLE * sample.bytes() + BYTES_EACH * (net.places().len() + net.transitions().len())
}

/// Divides the places of a net into components, the best way that the choice allows.
pub fn choose(
    net: &Net,
    knowledge: &Knowledge,
    choice: &PartitionChoice,
    sample: &Sample,
) -> Result<Judgement, PartitionError> {
    choose_with(net, knowledge, choice, sample, Care::FULL)
}

/// A good start: the same with less care, in some milliseconds. It is meant for a sample of
/// [`Sample::FEW_STATES`].
pub fn guess(net: &Net, knowledge: &Knowledge, sample: &Sample) -> Result<Judgement, PartitionError> {
    choose_with(net, knowledge, &PartitionChoice::Auto, sample, Care::QUICK)
}

fn choose_with(
    net: &Net,
    knowledge: &Knowledge,
    choice: &PartitionChoice,
    sample: &Sample,
    care: Care,
) -> Result<Judgement, PartitionError> {
    let coarse_states = if sample.len() > care.coarse_states * 2 { care.coarse_states } else { sample.len() };
    let mut coarse = Measure::new(net, knowledge, sample, coarse_states);
    let neighbours = Neighbours::new(net, knowledge, |place| coarse.is_changing(place));
    let proposals = Proposals::of(net, knowledge, &mut coarse, &neighbours, choice, care)?;
    let mut scored: Vec<Scored> = proposals.into_iter().map(|it| score(it, &mut coarse)).collect();
    sort(&mut scored);
    let most_states = fewest_ranks(&scored);
    if most_states < Prices::of(&coarse).expected_states() {
        coarse.expecting_at_most(most_states);
        scored = scored.into_iter().map(|it| score(it.partition, &mut coarse)).collect();
        sort(&mut scored);
    }
    let is_free = matches!(choice, PartitionChoice::Auto | PartitionChoice::Clusters);
    let joined = if is_free { care.joined } else { 0 };
    if is_free {
        let improved = improve(net, &mut coarse, &neighbours, &scored, care.improved);
        scored.extend(improved);
        sort(&mut scored);
        let determined = take_out(net, knowledge, &mut coarse, &scored, care.determined);
        scored.extend(determined);
        sort(&mut scored);
    }
    if coarse_states < sample.len() {
        let mut fine = Measure::new(net, knowledge, sample, sample.len());
        fine.expecting_at_most(coarse.most_states());
        fine.limited_as(&coarse);
        let rest = scored.split_off(FINALISTS.min(scored.len()));
        scored = scored.into_iter().map(|it| score(it.partition, &mut fine)).collect();
        sort(&mut scored);
        scored.extend(rest);
        return decide(net, joined, scored, knowledge, &mut fine);
    }
    decide(net, joined, scored, knowledge, &mut coarse)
}

/// What a partition costs, measured on a sample.
pub fn score_on(net: &Net, knowledge: &Knowledge, partition: &Partition, sample: &Sample) -> Scored {
    score(partition.clone(), &mut Measure::new(net, knowledge, sample, sample.len()))
}

/// The fewest ranks that states have room for in a proposal: there are no more states than that.
fn fewest_ranks(scored: &[Scored]) -> f64 {
    scored.iter().map(Scored::ranks).fold(f64::INFINITY, f64::min)
}

fn sort(scored: &mut [Scored]) {
    scored.sort_by(|a, b| a.bits_per_state.total_cmp(&b.bits_per_state));
}

/// Measures a proposal.
fn score(partition: Partition, measure: &mut Measure<'_>) -> Scored {
    let (parts, bits) = Prices::of(measure).partition(&partition, measure);
    let bits_per_state = bits + measure.ignorance() * distrust(partition.proposer);
    let ranked = &parts[..partition.split_determined().1.len()];
    let product: f64 = ranked.iter().map(|part| f64::from(part.seen.max(1)).log2()).sum();
    Scored {
        partition,
        seen: parts.iter().map(|part| part.seen).collect(),
        expected: parts.iter().map(|part| part.expected.exp2().round()).collect(),
        excess: product - (measure.states().max(1) as f64).log2(),
        table_bytes: parts.iter().map(|part| part.bytes).sum::<f64>() as u64,
        bits_per_state,
        states: measure.states(),
    }
}

/// How much a proposal may owe to the sample it was fitted to: what follows from the net's structure holds of all
/// states, what was found by trying holds of those that were tried.
fn distrust(proposer: Proposer) -> f64 {
    match proposer {
        Proposer::Semiflows | Proposer::Units | Proposer::One | Proposer::Given => 0.0,
        Proposer::FileOrder | Proposer::Names | Proposer::Colours => 0.7,
        Proposer::Clusters => 1.0,
    }
}

/// The best flat proposals, with places moved to where they cost less.
fn improve(
    net: &Net,
    measure: &mut Measure<'_>,
    neighbours: &Neighbours,
    scored: &[Scored],
    most: usize,
) -> Vec<Scored> {
    let flat = best_flat(measure, scored, most).into_iter().filter(|flat| flat.determined.is_empty());
    let improved = flat.filter_map(|flat| {
        let groups = refined(measure, neighbours, &flat.groups)?;
        let groups = with_constant_places(net, measure, groups);
        Some(score(Partition::flat(Proposer::Clusters, groups), measure))
    });
    improved.collect()
}

/// The best flat proposals with fewer components, where that costs less. What was known of the components is known of
/// their unions.
fn join(net: &Net, measure: &mut Measure<'_>, scored: &[Scored], most: usize) -> Vec<Scored> {
    let fewer = best_flat(measure, scored, most).into_iter().filter_map(|flat| {
        let groups = joins::joined(measure, &flat.groups)?;
        Some(score(Flat { groups, ..flat }.partition(net, measure), measure))
    });
    fewer.collect()
}

/// The best flat proposals without places that follow from others.
fn take_out(
    net: &Net,
    knowledge: &Knowledge,
    measure: &mut Measure<'_>,
    scored: &[Scored],
    most: usize,
) -> Vec<Scored> {
    let taken = best_flat(measure, scored, most).into_iter().filter_map(|flat| {
        let (groups, determined) = determined::taken_out(measure, knowledge, &flat.groups)?;
        Some(score(Flat { groups, determined, ..flat }.partition(net, measure), measure))
    });
    taken.collect()
}

/// A proposal without pairs: its proposer, the places that change, and those of them that follow from the others.
struct Flat {
    proposer: Proposer,
    groups: Vec<Vec<PlaceId>>,
    determined: Vec<PlaceId>,
}

impl Flat {
    /// With the places that do not change.
    fn partition(self, net: &Net, measure: &mut Measure<'_>) -> Partition {
        let Self { proposer, groups, determined } = self;
        let partition = Partition::flat(proposer, with_constant_places(net, measure, groups));
        if determined.is_empty() { partition } else { partition.and_determined(determined) }
    }
}

/// The best proposals without pairs and with few components.
fn best_flat(measure: &Measure<'_>, scored: &[Scored], most: usize) -> Vec<Flat> {
    if measure.sample().places().len() > MOST_IMPROVED_PLACES {
        return Vec::new();
    }
    let flat = |part: &Part| matches!(part, Part::Places(_));
    let eligible = scored.iter().map(|scored| &scored.partition).filter(|partition| {
        (2..=MOST_IMPROVED_PARTS).contains(&partition.parts.len()) && partition.parts.iter().all(flat)
    });
    let changing = |part: &Part| part.places().into_iter().filter(|p| measure.is_changing(*p)).collect();
    let flat = |partition: &Partition| {
        let (determined, others) = partition.split_determined();
        let groups = others.iter().map(changing).collect();
        Flat { proposer: partition.proposer, groups, determined: determined.map_or(Vec::new(), changing) }
    };
    eligible.take(most).map(flat).collect()
}

/// Takes the best, with fewer components if that is better.
fn decide(
    net: &Net,
    joined: usize,
    mut candidates: Vec<Scored>,
    knowledge: &Knowledge,
    measure: &mut Measure<'_>,
) -> Result<Judgement, PartitionError> {
    let fewer = join(net, measure, &candidates, joined);
    candidates.extend(fewer);
    sort(&mut candidates);
    let best = candidates.first().ok_or(PartitionError::Nothing)?;
    Ok(Judgement {
        chosen: best.partition.clone(),
        capacities: capacities(knowledge, &best.partition, measure),
        reason: text::reason(&candidates),
        candidates,
    })
}

/// The same judgement when other states were heard: each of the best proposals costs what it costs on the sample or on
/// the others, whichever is more.
pub fn with_second_opinion(
    net: &Net,
    knowledge: &Knowledge,
    judgement: Judgement,
    sample: &Sample,
    others: &Sample,
) -> Judgement {
    let mut candidates = judgement.candidates;
    let contenders = CONTENDERS.min(candidates.len());
    for scored in &mut candidates[..contenders] {
        let other = score_on(net, knowledge, &scored.partition, others);
        scored.bits_per_state = scored.bits_per_state.max(other.bits_per_state);
    }
    sort(&mut candidates[..contenders]);
    let chosen = candidates.first().map_or(judgement.chosen, |best| best.partition.clone());
    let mut measure = Measure::new(net, knowledge, sample, sample.len());
    Judgement {
        capacities: capacities(knowledge, &chosen, &mut measure),
        reason: text::reason(&candidates),
        chosen,
        candidates,
    }
}

/// How many numbers each component of a partition will need, roughly.
fn capacities(knowledge: &Knowledge, partition: &Partition, measure: &mut Measure<'_>) -> Vec<u32> {
    let complete = measure.sample().complete().is_some();
    let capacity = |part: &Part| {
        let places = part.places();
        let allowed = measure.allowed(&places).unwrap_or(u32::MAX);
        if allowed < u32::MAX && measure.believes_processes() {
            return allowed;
        }
        let guess = capacity::guess(measure.seen(&places), complete).min(allowed);
        // Where there cannot be many more than are seen, there is room for all of them: then it never has to grow.
        let changes = |place: PlaceId| measure.sample().places().binary_search(&place).is_ok();
        let most = capacity::most(&places, knowledge, changes);
        let ample = guess.saturating_mul(capacity::ample(&places, knowledge, changes));
        most.filter(|most| !complete && *most <= ample).unwrap_or(guess)
    };
    let mut capacities: Vec<u32> = partition.split_determined().1.iter().map(capacity).collect();
    // What follows from the others takes no room in ranks.
    capacities.resize(partition.parts.len(), 1);
    capacities
}
