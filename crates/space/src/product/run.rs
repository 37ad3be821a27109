//! From a plan to a report: gathers a small sample, guesses a partition, explores, and changes its mind where the
//! guess was bad. Where a partition is asked for, it is chosen with full care at once.

use std::time::Instant;

use sweepnet_net::Net;

use super::automata::{Automata, Given};
use super::complements::{Complement, Lean};
use super::engine::ProductEngine;
use super::exploration::{Course, Exploration};
use super::partition::judge::bytes as judging_bytes;
use super::partition::{Judgement, PartitionChoice, PartitionError, Sample, choose, guess, text};
use super::second_thoughts::SecondThoughts;
use super::suiting::{Wish, to_begin_with};
use crate::divisible::Divisible;
use crate::explore::stop_reason;
use crate::program;
use crate::report::Components;
use crate::set::held::Kind;
use crate::{CodecChoice, Control, Observer, Plan, Report, SearchChoice, StopReason, StoreChoice};

/// What came of an attempt.
pub enum Chosen {
    /// A report.
    Done(Box<Report>),
    /// States with numbers will do: there are so few that there is nothing to gain, or there is no memory to find out how.
    Declined,
}

/// Whether the states of a net can be explored as ranks in a set: breadth-first, without numbers for states.
pub fn applies(net: &Net, plan: &Plan, observer: &dyn Observer) -> bool {
    let codec = match plan.codec {
        CodecChoice::Auto => plan.is_bounded(net),
        CodecChoice::Product => true,
        CodecChoice::Fields | CodecChoice::Plain | CodecChoice::Multiset => false,
    };
    codec && plan.search == SearchChoice::BreadthFirst && !observer.wants_edges() && plan.is_bounded(net)
}

/// The plan for a net with places that no structure bounds, under the assumption that they hold no more tokens than at
/// first, or one, or what takes as many bits: more would not be seen before it outgrows its field. Exploration sees when that is wrong, and then has to begin anew in another way; if it comes to an end,
/// the assumption is proven. Nearly all bounded nets without proofs are safe there, above all unfolded ones; and in
/// unbounded ones it is wrong after a few steps.
pub fn assuming(net: &Net, plan: &Plan, observer: &dyn Observer) -> Option<Plan> {
    let is_free = plan.codec == CodecChoice::Auto && plan.store == StoreChoice::Auto;
    if !is_free || plan.search != SearchChoice::BreadthFirst || observer.wants_edges() {
        return None;
    }
    let mut plan = plan.clone();
    let in_as_many_bits = |count: u64| u64::MAX >> count.leading_zeros();
    plan.knowledge.assumed = net.places().iter().map(|place| in_as_many_bits(place.initial.max(1))).collect();
    Some(plan)
}

/// Whether the partition that the plan asks for can be had for this net. Whoever lets people choose asks this first:
/// an exploration whose choice cannot be had takes all places together.
pub fn check_choice(net: &Net, plan: &Plan, control: &mut Control<'_>) -> Result<(), PartitionError> {
    match &plan.partition {
        PartitionChoice::Auto | PartitionChoice::One | PartitionChoice::FileOrder(_) => Ok(()),
        PartitionChoice::Given(lines) => text::given(net, lines).map(drop),
        PartitionChoice::Semiflows
        | PartitionChoice::Units
        | PartitionChoice::Colours
        | PartitionChoice::Clusters => {
            // The same sample that the exploration will gather: its answer is the same, too.
            let sample = Sample::gather(net, plan, Sample::STATES, control);
            if sample.stopped().is_some() {
                return Ok(());
            }
            choose(net, &plan.knowledge, &plan.partition, &sample).map(drop)
        }
    }
}

/// Chooses a partition, on a sample of states.
fn judge(net: &Net, plan: &Plan, sample: &Sample) -> Judgement {
    choose(net, &plan.knowledge, &plan.partition, sample)
        // A choice that cannot be had is refused where it is made ([`check_choice`]); here there must be some
        // partition.
        .or_else(|_| choose(net, &plan.knowledge, &PartitionChoice::One, sample))
        .expect("all places together are a partition")
}

/// A net as it is explored: without its complements, where that is left to the program.
#[derive(Clone, Copy)]
struct Subject<'a> {
    net: &'a Net,
    plan: &'a Plan,
    complements: &'a [Complement],
}

impl<'a> Subject<'a> {
    fn new(net: &'a Net, plan: &'a Plan, lean: Option<&'a Lean>) -> Self {
        match lean {
            Some(lean) => Self { net: &lean.net, plan: &lean.plan, complements: &lean.complements },
            None => Self { net, plan, complements: &[] },
        }
    }

    fn given(self) -> Given<'a> {
        let Self { net, plan, complements } = self;
        Given { net, complements, knowledge: &plan.knowledge, with_events: false, with_totals: false }
    }
}

/// The net as it is, or without its complements, and its best partition.
fn subject_of(
    net: &Net,
    plan: &Plan,
    lean: Option<Lean>,
    sample: &Sample,
    best: impl Fn(&Net, &Plan, &Sample) -> Judgement,
) -> (Option<Lean>, Judgement) {
    let judged = Lean::or_not(lean, net, plan, sample, |net, plan, sample| Ok(best(net, plan, sample)));
    let Ok(judged): Result<_, std::convert::Infallible> = judged;
    judged
}

/// Rows may take a quarter of the memory, no more.
fn most_row_bytes(control: &Control<'_>) -> usize {
    usize::try_from(control.budget().limit() / 4).unwrap_or(usize::MAX)
}

/// The engine for searches that want numbers for states.
pub fn engine<'a>(
    net: &'a Net,
    plan: &Plan,
    control: &mut Control<'_>,
) -> Result<ProductEngine<'a>, StopReason> {
    let sample = Sample::gather(net, plan, Sample::STATES, control);
    if let Some(reason) = sample.stopped() {
        return Err(reason);
    }
    let judging = control.budget().hold(judging_bytes(net, &sample)).map_err(|_| StopReason::Memory)?;
    let (lean, judgement) = subject_of(net, plan, Lean::of(net, plan), &sample, judge);
    drop((sample, judging));
    let subject = Subject::new(net, plan, lean.as_ref());
    let budget = control.budget().clone();
    let automata = Automata::new(
        Given { with_events: true, ..subject.given() },
        &judgement.chosen,
        &judgement.capacities,
        &budget,
    );
    let automata = automata.map_err(|_| StopReason::Memory)?;
    Ok(ProductEngine::new(net, automata, judgement, most_row_bytes(control)))
}

/// Explores a net.
pub fn explore(net: &Net, plan: &Plan, control: &mut Control<'_>, observer: &mut dyn Divisible) -> Chosen {
    let start = Instant::now();
    // A quick guess is a good start where nothing is asked for. An exploration under stress takes all proposals in
    // turn, and has them all.
    let is_quick = plan.partition == PartitionChoice::Auto && !plan.stress;
    let lean = Lean::of(net, plan);
    let allowed = lean.as_ref().and_then(Lean::most_states).unwrap_or(0);
    let states = match is_quick {
        // Where there may be few states, the sample may be all of them.
        true if allowed > Sample::FEW_STATES as u64 => Sample::FEWEST_STATES,
        true => Sample::FEW_STATES,
        false => Sample::STATES,
    };
    let sample = Sample::gather(net, plan, states, control);
    let wants_maxima = observer.whole().wants_maxima();
    if let Some(reason) = sample.stopped() {
        return Chosen::Done(Box::new(Report::of_nothing(plan, net, reason, wants_maxima)));
    }
    let is_free = plan.codec == CodecChoice::Auto && plan.store == StoreChoice::Auto && is_quick;
    if is_free && sample.complete().is_some() {
        return Chosen::Declined;
    }
    let Ok(judging) = control.budget().hold(judging_bytes(net, &sample)) else {
        return match is_free {
            true => Chosen::Declined,
            false => Chosen::Done(Box::new(Report::of_nothing(plan, net, StopReason::Memory, wants_maxima))),
        };
    };
    let best = |net: &Net, plan: &Plan, sample: &Sample| {
        let quick = if is_quick { guess(net, &plan.knowledge, sample).ok() } else { None };
        quick.unwrap_or_else(|| judge(net, plan, sample))
    };
    let (lean, judgement) = subject_of(net, plan, lean, &sample, best);
    drop((sample, judging));
    let subject = Subject::new(net, plan, lean.as_ref());
    let Subject { net, plan, complements } = subject;
    // What sampling took is free again, but not for the system; what judged runs no more.
    program::give_back();
    control.budget().catch_up();
    let wish = match plan.store {
        StoreChoice::Auto => Wish::Best,
        StoreChoice::Flat => Wish::This(Kind::Plain),
        StoreChoice::Bitmap => Wish::This(Kind::Bitmap),
        StoreChoice::Quotient => Wish::This(Kind::Quotient),
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = plan.threads.unwrap_or_else(cores).clamp(1, 256);
    let course = Course {
        given: Given { with_totals: observer.whole().wants_totals(), ..subject.given() },
        wish,
        threads,
        most_row_bytes: if plan.stress { 1 << 10 } else { most_row_bytes(control) },
        stress: plan.stress,
    };
    let tagged = observer.whole().wants_paths();
    let seen = judgement.candidates.first().map_or(&[][..], |best| &best.seen);
    let capacities = match plan.stress {
        true => vec![2; judgement.chosen.parts.len()],
        false => to_begin_with(wish, &judgement.capacities, seen, tagged),
    };
    let made = Exploration::new(course, &judgement.chosen, &capacities, tagged, control);
    let mut exploration = match made {
        Ok(exploration) => exploration,
        Err(full) => {
            return Chosen::Done(Box::new(Report::of_nothing(plan, net, stop_reason(full), wants_maxima)));
        }
    };
    exploration.begin(observer.whole());
    let mut thoughts = SecondThoughts::new(net, plan, &judgement, is_quick);
    let stopped = exploration.run(observer, control, &mut |exploration, control, occasion| {
        thoughts.reconsider(exploration, control, occasion)
    });
    let set = exploration.set();
    let store = match set.kind() {
        Kind::Bitmap => StoreChoice::Bitmap,
        Kind::Quotient => StoreChoice::Quotient,
        Kind::Plain => StoreChoice::Flat,
    };
    let report = Report {
        search: plan.search,
        codec: CodecChoice::Product,
        store,
        stopped,
        pump: None,
        states: exploration.states(),
        exact: true,
        counts: exploration.levels().counts,
        maxima: wants_maxima.then(|| exploration.automata().maxima()),
        key_bits: exploration.radix().bits() as usize,
        store_bytes: set.bytes(),
        table_bytes: exploration.automata().bytes(),
        search_bytes: exploration.frontier_bytes,
        peak_states: exploration.states(),
        widenings: exploration.recoded,
        components: Some(Components {
            partition: exploration.partition().clone(),
            reason: thoughts.reason().to_owned(),
            local_markings: exploration.automata().counts(),
            determined: exploration.automata().following().is_some(),
            complements: complements.iter().map(|it| it.place).collect(),
            log2_ranks: exploration.radix().log2(),
            changes: exploration.repartitioned,
        }),
        threads,
        swept: None,
        windowed: None,
        time: start.elapsed(),
    };
    // Whatever tells of it has code of its own, and no use for the states.
    drop(exploration);
    program::give_back();
    Chosen::Done(Box::new(report))
}
