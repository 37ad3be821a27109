//! Places that hold a token exactly when some others hold none.
//!
//! A P-semiflow whose weights and constant are 1 says that one token is always in one of its places: a fork is on the
//! table or in one of two hands, a section of a line is free or one of the trains is in it. Often all of these places but
//! one are states of processes that have semiflows of their own. The one that is left, the fork on the table, the free
//! section, is a *complement* of the others.
//!
//! A complement need not be kept. What takes its token, or looks for it, needs the others empty, which is an inhibitor arc
//! from each of them; what puts its token back takes one of theirs. The *lean* net without it has the same reachable
//! markings but for that place, and the same arcs between them; and tokens in the complement are one less those in the
//! others. What is gained is that components share less: a process need not be in one component with the resources that
//! it shares, nor do the resources need a component of their own. Two trains on a line of a hundred sections have a
//! hundred times a hundred positions, and with the free sections it takes 2^31 ranks to tell these apart.
//!
//! Each inhibitor arc may make an event touch one component more. So the lean net is explored only where processes and what
//! they share are all there is, so that components are known beforehand; and where the net as it is would cost much.

use std::sync::Arc;

use sweepnet_net::{Net, NetBuilder, PlaceId, TransitionId};

use super::partition::allowed::Processes;
use super::partition::sample::changing;
use super::partition::{Judgement, Knowledge, PartitionChoice, Sample};
use crate::Plan;

/// Bits per state, tables and a price for time included, from which on a partition is dear.
const DEAR: f64 = 26.0;

/// Of so many places one at least must be a complement: few of them change little.
const ONE_IN: usize = 8;

/// Semiflows that the others of a complement belong to, at most.
const MOST_SHARING: usize = 4;

/// Places of a semiflow with a complement, at most.
const MOST_PLACES: usize = 24;

/// A place that holds a token exactly when some others hold none, and else none itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complement {
    /// The place.
    pub place: PlaceId,
    /// The others: together they have at most one token.
    pub others: Vec<PlaceId>,
    /// The transitions that put a token there.
    pub(super) producers: Vec<TransitionId>,
}

/// A net without its complements.
#[derive(Debug)]
pub struct Lean {
    /// The net: complements are places without arcs.
    pub net: Net,
    /// How to explore it.
    pub plan: Plan,
    /// What is left out, in order of the places.
    pub complements: Vec<Complement>,
}

impl Lean {
    /// How many states there can be, where processes and what they share are all there is: then few states tell as much as
    /// many.
    pub fn most_states(&self) -> Option<u64> {
        self.plan.knowledge.processes.as_ref().map(|them| them.most_states())
    }

    /// The best partition of a net, or of the lean net where that is better: where processes and what they share are all
    /// there is to it, and where the net as it is would cost much. (What both cost cannot be compared: the lean net often
    /// tells that there are far fewer states than the other one makes believe, so that tables cost more for each.) Under
    /// stress it is the lean net in any case.
    pub fn or_not<E>(
        lean: Option<Self>,
        net: &Net,
        plan: &Plan,
        sample: &Sample,
        best: impl Fn(&Net, &Plan, &Sample) -> Result<Judgement, E>,
    ) -> Result<(Option<Self>, Judgement), E> {
        let Some(lean) = lean else { return Ok((None, best(net, plan, sample)?)) };
        if lean.most_states().is_none() && !plan.stress {
            let here = best(net, plan, sample)?;
            if here.candidates.first().is_none_or(|it| it.bits_per_state < DEAR) {
                return Ok((None, here));
            }
        }
        let is_left_out = |place| lean.complements.binary_search_by_key(&place, |it| it.place).is_ok();
        let there = best(&lean.net, &lean.plan, &sample.without(is_left_out))?;
        Ok((Some(lean), there))
    }

    /// The net without its complements, if it has many and the plan leaves the partition to the program.
    pub fn of(net: &Net, plan: &Plan) -> Option<Self> {
        if plan.partition != PartitionChoice::Auto {
            return None;
        }
        let complements = complements(net, &plan.knowledge);
        let least = if plan.stress { 1 } else { net.places().len().div_ceil(ONE_IN) };
        if complements.len() < least {
            return None;
        }
        let mut out: Vec<Option<&Complement>> = vec![None; net.places().len()];
        complements.iter().for_each(|it| out[it.place.index()] = Some(it));
        let mut plan = plan.clone();
        let is_kept = |(weights, _): &(Vec<(PlaceId, u64)>, u64)| {
            weights.iter().all(|(place, _)| out[place.index()].is_none())
        };
        plan.knowledge.semiflows.retain(is_kept);
        let net = without(net, &out)?;
        let things: Vec<&[PlaceId]> = complements.iter().map(|it| &it.others[..]).collect();
        let processes = Processes::of(&plan.knowledge, &things, &changing(&net, &plan));
        plan.knowledge.processes = processes.map(Arc::new);
        Some(Self { net, plan, complements })
    }
}

/// The net without these places' arcs, and with inhibitor arcs from the others instead.
fn without(net: &Net, out: &[Option<&Complement>]) -> Option<Net> {
    let mut lean = NetBuilder::like(net);
    for t in net.transition_ids() {
        let needed = net.inputs().of(t).iter().chain(net.reads().of(t));
        for other in needed.filter_map(|arc| out[arc.place.index()]).flat_map(|it| &it.others) {
            lean.inhibitor(t, *other, 1).ok()?;
        }
        let stays = |arc: &&sweepnet_net::Arc| out[arc.place.index()].is_none();
        for arc in net.inputs().of(t).iter().filter(stays) {
            lean.input(t, arc.place, arc.weight).ok()?;
        }
        for arc in net.outputs().of(t).iter().filter(stays) {
            lean.output(t, arc.place, arc.weight).ok()?;
        }
        for arc in net.reads().of(t).iter().filter(stays) {
            lean.read(t, arc.place, arc.weight).ok()?;
        }
        for arc in net.inhibitors().of(t) {
            lean.inhibitor(t, arc.place, arc.weight).ok()?;
        }
        for arc in net.resets().of(t) {
            lean.reset(t, arc.place).ok()?;
        }
    }
    lean.build().ok()
}

/// The complements of a net that are worth leaving out, in order of their places.
///
/// A complement belongs to one semiflow only, so that none is among the others of another; and each of the others belongs
/// to one that stays whole.
fn complements(net: &Net, knowledge: &Knowledge) -> Vec<Complement> {
    let is_one = |(weights, constant): &&(Vec<(PlaceId, u64)>, u64)| {
        *constant == 1 && weights.iter().all(|(_, weight)| *weight == 1)
    };
    let mut flows: Vec<Vec<PlaceId>> = knowledge.semiflows.iter().filter(is_one).map(support).collect();
    let mut count = vec![0u32; net.places().len()];
    flows.iter().flatten().for_each(|place| count[place.index()] += 1);
    // Where either of two semiflows could lose its complement, it is the one that is shared: it has fewer places of its
    // own, or more places in all.
    flows.sort_by_key(|flow| {
        let own = flow.iter().filter(|place| count[place.index()] == 1).count();
        (own, std::cmp::Reverse(flow.len()))
    });
    let mut flows_of: Vec<Vec<usize>> = vec![Vec::new(); net.places().len()];
    for (at, flow) in flows.iter().enumerate() {
        flow.iter().for_each(|place| flows_of[place.index()].push(at));
    }
    let is_fit = fit(net);
    let (mut cut, mut whole) = (vec![false; flows.len()], vec![false; flows.len()]);
    let mut found = Vec::new();
    for (at, flow) in flows.iter().enumerate() {
        let is_candidate = |place: &&PlaceId| flows_of[place.index()].len() == 1 && is_fit[place.index()];
        let Some(place) = flow.iter().find(is_candidate).filter(|_| !whole[at]) else { continue };
        if flow.len() > MOST_PLACES {
            continue;
        }
        let others: Vec<PlaceId> = flow.iter().copied().filter(|other| other != place).collect();
        // One that stays whole anyway, or else the one that is shared least.
        let home = |other: &PlaceId| {
            let candidates =
                flows_of[other.index()].iter().copied().filter(|flow| *flow != at && !cut[*flow]);
            candidates.max_by_key(|flow| (whole[*flow], *flow))
        };
        let Some(homes) = others.iter().map(home).collect::<Option<Vec<usize>>>() else { continue };
        let mut sharing = homes.clone();
        sharing.sort_unstable();
        sharing.dedup();
        if !(2..=MOST_SHARING).contains(&sharing.len()) {
            continue;
        }
        cut[at] = true;
        homes.iter().for_each(|home| whole[*home] = true);
        found.push(Complement { place: *place, others, producers: Vec::new() });
    }
    found.sort_by_key(|it| it.place);
    for t in net.transition_ids() {
        for arc in net.outputs().of(t) {
            let gains = arc.weight > net.inputs().weight(t, arc.place);
            if let (Ok(at), true) = (found.binary_search_by_key(&arc.place, |it| it.place), gains) {
                found[at].producers.push(t);
            }
        }
    }
    found
}

fn support((weights, _): &(Vec<(PlaceId, u64)>, u64)) -> Vec<PlaceId> {
    weights.iter().map(|(place, _)| *place).collect()
}

/// For each place, whether whoever needs it needs one token: what needs none, or more than there are, cannot be said by
/// inhibitor arcs from others.
fn fit(net: &Net) -> Vec<bool> {
    let mut is_fit = vec![true; net.places().len()];
    for t in net.transition_ids() {
        let needed = net.inputs().of(t).iter().chain(net.reads().of(t)).filter(|arc| arc.weight > 1);
        let others = net.inhibitors().of(t).iter().chain(net.resets().of(t));
        needed.chain(others).for_each(|arc| is_fit[arc.place.index()] = false);
    }
    is_fit
}

#[cfg(test)]
mod tests {
    use sweepnet_structure::Structure;
    use sweepnet_testkit::nets;

    use super::*;

    fn left_out(net: &Net) -> Vec<String> {
        let plan = Plan::knowing(net, &Structure::of(net, Default::default()));
        let lean = Lean::of(net, &plan);
        let names =
            lean.iter().flat_map(|lean| &lean.complements).map(|it| net.place(it.place).id.to_string());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn what_processes_share_is_left_out() {
        assert_eq!(left_out(&nets::railway(2, 4)), ["free0", "free1", "free2", "free3"]);
        assert_eq!(left_out(&nets::philosophers(5)).len(), 5);
        assert_eq!(left_out(&nets::kanban(2)), [""; 0]);
    }

    #[test]
    fn what_somebody_needs_empty_stays() {
        let net = |also: &str| {
            let own =
                ["in0: a0 free -> b0", "out0: b0 -> a0 free", "in1: a1 free -> b1", "out1: b1 -> a1 free"];
            let lines: Vec<&str> = own.into_iter().chain([also]).collect();
            nets::net("two share", &[("a0", 1), ("a1", 1), ("free", 1)], &lines)
        };
        assert_eq!(left_out(&net("look: ?free ->")), ["free"]);
        assert_eq!(left_out(&net("busy: o-free ->")), [""; 0]);
    }

    #[test]
    fn where_the_partition_is_given_the_net_is_as_it_is() {
        let net = nets::railway(2, 4);
        let mut plan = Plan::knowing(&net, &Structure::of(&net, Default::default()));
        plan.partition = PartitionChoice::One;
        assert!(Lean::of(&net, &plan).is_none());
    }
}
