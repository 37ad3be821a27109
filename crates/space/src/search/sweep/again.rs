//! Finding a path by sweeping again.
//!
//! A sweep is deterministic: when it is repeated, each state gets the same number. Numbers grow along a path. So in each
//! repetition every state on the path that is known tells its parent, and half way between two known ones another is
//! found: each state carries the number of its last ancestor below the middle. The known part doubles each time, so
//! that a path of a thousand steps takes some ten sweeps.

use sweepnet_net::TransitionId;

use super::layers::{Keeping, Layers};
use super::{Halt, OnTheWay, Running, Search, Sweep, transitions};
use crate::{Codec, Control, StateId, StopReason, SweepPaths, SweepPlan};

/// The events that lead to a state.
pub(super) fn way<M: Codec>(
    at: &OnTheWay<'_, M>,
    plan: &SweepPlan,
    to: StateId,
    control: &mut Control<'_>,
) -> Result<Vec<TransitionId>, Halt> {
    let mut trail = Trail::to(to.0);
    loop {
        if let Some(events) = trail.events() {
            return Ok(transitions(&events));
        }
        let plan = SweepPlan { monotone: false, paths: SweepPaths::Again, profile: false, ..plan.clone() };
        let mut observer = ();
        let mut sweep = Sweep::new(at.net, &plan, &observer, false, at.budget);
        sweep.keeping = Keeping { numbers: true, marks: true };
        sweep.trail = Some(trail);
        let mut layers = Layers::new(at.model.bits(), u64::MAX, at.budget)?;
        let mut running = Running::new(at.net, at.model, &mut observer, &sweep.record, at.budget);
        match sweep.go(&mut running, &mut layers, control) {
            Ok(()) | Err(Halt::Stopped(StopReason::Decided)) => {}
            Err(halt) => return Err(halt),
        }
        trail = sweep.trail.take().expect("nothing takes the trail away");
        trail.learn();
    }
}

/// What is known of a path.
#[derive(Debug)]
pub struct Trail {
    /// The states that are known, in order.
    members: Vec<Member>,
}

/// A state on the path.
#[derive(Clone, Copy, Debug)]
struct Member {
    number: u64,
    /// Its parent and the event that leads from there.
    from: Option<(u64, u32)>,
    /// A state of the path between it and the member before it.
    between: Option<u64>,
}

impl Member {
    fn new(number: u64) -> Self {
        Self { number, from: None, between: None }
    }
}

impl Trail {
    /// Of the path to a state its ends are known.
    pub fn to(number: u64) -> Self {
        let mut members = vec![Member::new(0)];
        if number > 0 {
            members.push(Member::new(number));
        }
        Self { members }
    }

    /// The mark of a state that is about to be found: its last ancestor in the first half of the stretch between two
    /// members in which it lies itself, if it lies in the second half.
    pub fn mark(&self, number: u64, parent: u64, parents_mark: u64) -> u64 {
        let after = self.members.partition_point(|member| member.number < number);
        match (after.checked_sub(1).map(|before| self.members[before]), self.members.get(after)) {
            (Some(before), Some(after)) => {
                let middle = before.number.midpoint(after.number);
                if parent <= middle { parent } else { parents_mark }
            }
            _ => 0,
        }
    }

    /// A state is found. Tells whether it is the last one, so that the sweep can end.
    pub fn found(&mut self, number: u64, parent: u64, event: u32, mark: u64) -> bool {
        let Ok(at) = self.members.binary_search_by_key(&number, |member| member.number) else { return false };
        self.members[at].from = Some((parent, event));
        self.members[at].between = Some(mark);
        at + 1 == self.members.len()
    }

    /// Takes in what was found.
    pub fn learn(&mut self) {
        let parents = self.members.iter().filter_map(|member| Some(member.from?.0));
        let between = self.members.iter().filter_map(|member| member.between);
        let more: Vec<Member> = parents.chain(between).map(Member::new).collect();
        self.members.extend(more);
        // What is known of a member comes before what is new.
        self.members.sort_by_key(|member| (member.number, member.from.is_none()));
        self.members.dedup_by_key(|member| member.number);
        self.members.iter_mut().for_each(|member| member.between = None);
    }

    /// The events, if all members are known.
    pub fn events(&self) -> Option<Vec<u32>> {
        let step = |pair: &[Member]| pair[1].from.filter(|(parent, _)| *parent == pair[0].number);
        self.members.windows(2).map(|pair| step(pair).map(|(_, event)| event)).collect()
    }
}
