//! States to measure on.
//!
//! The first states of a breadth-first search are close to the initial marking, and those of a random walk are
//! where walks get lost; half of each is a fair sample of most state spaces. If the search has seen everything
//! before its half is full, the sample is the state space itself.

use sweepnet_net::{Marking, Net, PlaceId};

use super::columns::{Column, Columns};
use super::guide::Guide;
use super::milestones::Milestones;
use super::noise::Noise;
use super::walk::{Conditions, Mood, Walker};
use crate::hashing::HashSet;
use crate::{
    CodecChoice, Control, Observer, Plan, Progress, SearchChoice, StopReason, StoreChoice, View, explore,
};

/// Counts that a sample may hold, at most; for wider nets it has fewer states.
const MOST_CELLS: usize = 12_000_000;
/// What walks may cost, in conditions looked at.
const MOST_WORK: u64 = 12_000_000;
/// States from which walks go on, and the counts that these may hold.
const RECENT: usize = 256;
const RECENT_CELLS: usize = 500_000;
/// What guided walks may cost, in arcs looked at, and plans on the way to one transition.
const MOST_GUIDANCE: u64 = 1_200_000;
const MOST_ROUNDS: u32 = 10;
/// A state from which so many walks found nothing is given up.
const MOST_FAILURES: u32 = 2;
/// Turns of a walk before another one is taken up.
const LONGEST: usize = 256;
/// A walk's steps for each state it adds to the sample, on average; fewer where it finds little. After that many
/// turns without anything new a walk is given up.
const STRIDE: usize = 4;

/// Some states of a net, counts of places that can change, in an order that means nothing: any prefix is a smaller sample.
#[derive(Clone, Debug)]
pub struct Sample {
    places: Vec<PlaceId>,
    most: Vec<u64>,
    states: usize,
    counts: Columns,
    complete: Option<u64>,
    expected: u64,
    at_most: u64,
    stopped: Option<StopReason>,
}

impl Sample {
    /// The usual number of states.
    pub const STATES: usize = 20_000;
    /// The number of states for a guess.
    pub const FEW_STATES: usize = 1_200;
    /// The number of states for a guess where the structure tells nearly all.
    pub const FEWEST_STATES: usize = 128;

    /// Gathers up to `states` states. The plan tells bounds and dead transitions; the control can stop it, and
    /// what was gathered till then is the sample.
    pub fn gather(net: &Net, plan: &Plan, states: usize, control: &mut Control<'_>) -> Self {
        let places = changing(net, plan);
        control.budget().catch_up();
        let free = control.budget().limit().saturating_sub(control.budget().used());
        let allowance = Allowance::new(states, places.len(), free);
        let states = allowance.states;
        let mut rows = Rows::new(net, places, states);

        let plan = Plan {
            search: SearchChoice::BreadthFirst,
            codec: CodecChoice::Fields,
            store: StoreChoice::Flat,
            beyond_unbounded: states as u64,
            seed: None,
            ..plan.clone()
        };
        let start_every = (states.div_ceil(2) / most_kept(net)).max(1);
        let mut gatherer = Gatherer {
            rows,
            wanted: states.div_ceil(2),
            starts: Vec::new(),
            next_start: 0,
            start_every,
            over: false,
        };
        let report = explore(net, &plan, control, &mut gatherer);
        let starts = gatherer.starts;
        rows = gatherer.rows;
        let complete = (report.is_complete() && !gatherer.over).then_some(report.states);
        let mut stopped = report
            .stopped
            .filter(|why| matches!(why, StopReason::Time | StopReason::Interrupted | StopReason::Memory));
        if complete.is_none() && stopped.is_none() {
            stopped = walk(net, &mut rows, &starts, allowance, control).err();
        }
        rows.finish(complete, stopped)
    }

    /// How many states there is room for, at most the usual number.
    pub fn affordable(net: &Net, plan: &Plan, control: &mut Control<'_>) -> usize {
        control.budget().catch_up();
        let free = control.budget().limit().saturating_sub(control.budget().used());
        Allowance::new(Self::STATES, changing(net, plan).len(), free).states
    }

    /// A sample of up to so many states that a search has found, as `found` shows them.
    pub fn of_found(
        net: &Net,
        plan: &Plan,
        found: impl FnOnce(usize, &mut dyn FnMut(Marking)),
        states: usize,
    ) -> Self {
        let mut rows = Rows::new(net, changing(net, plan), states);
        found(states, &mut |state| _ = rows.add(|place| state[place]));
        rows.finish(None, None)
    }

    /// A sample of states that a search has found and of others that walks from these lead to: so it tells of what is
    /// still to come, too. `found` shows as many as it is asked for, if there are so many: half of those wanted.
    pub fn beyond(
        net: &Net,
        plan: &Plan,
        found: impl FnOnce(usize, &mut dyn FnMut(Marking)),
        states: usize,
        control: &mut Control<'_>,
    ) -> Self {
        let places = changing(net, plan);
        let free = control.budget().limit().saturating_sub(control.budget().used());
        let allowance = Allowance::new(states, places.len(), free);
        let mut rows = Rows::new(net, places, allowance.states);
        let wanted = allowance.states.div_ceil(2);
        let every = (wanted / most_kept(net)).max(1);
        let mut starts = Vec::new();
        found(wanted, &mut |state| {
            if rows.add(|place| state[place]) && (rows.states - 1).is_multiple_of(every) {
                starts.push(state);
            }
        });
        if starts.is_empty() {
            starts.push(net.initial_marking());
        }
        let stopped = walk(net, &mut rows, &starts, allowance, control).err();
        rows.finish(None, stopped)
    }

    /// The same states without some places that follow from others.
    pub fn without(&self, is_left_out: impl Fn(PlaceId) -> bool) -> Self {
        let kept = (0..self.places.len()).filter(|position| !is_left_out(self.places[*position]));
        Self {
            places: kept.clone().map(|position| self.places[position]).collect(),
            counts: self.counts.only(kept),
            most: self.most.clone(),
            ..*self
        }
    }

    /// The same sample of a state space that is expected to have so many states.
    pub fn expecting(self, expected: u64) -> Self {
        Self { expected, ..self }
    }

    /// The same sample of a state space that is believed to have no more than so many states.
    pub fn expecting_at_most(self, at_most: u64) -> Self {
        Self { at_most, ..self }
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.counts.bytes()
    }

    /// The places that a transition may change, in file order. A place that does not change in the sample may yet
    /// change in other states.
    pub fn places(&self) -> &[PlaceId] {
        &self.places
    }

    /// The largest count of each place of the net.
    pub fn most(&self, place: PlaceId) -> u64 {
        self.most[place.index()]
    }

    /// How many states it has; no two are the same.
    pub fn len(&self) -> usize {
        self.states
    }

    /// Whether it has no states.
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// The number of reachable states, if the sample has them all.
    pub fn complete(&self) -> Option<u64> {
        self.complete
    }

    /// How many states to expect in all, as far as anything is known: 0 if nothing is.
    pub fn expected(&self) -> u64 {
        self.complete.unwrap_or(self.expected)
    }

    /// How many states there are at most, as far as anything is believed.
    pub fn at_most(&self) -> u64 {
        self.at_most
    }

    /// What stopped the gathering early, if it was not full: the time, the memory, the user.
    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// The counts of the place at a position of [`places`](Self::places), by state. Counts above 65,535 are folded:
    /// different ones stay different nearly always.
    pub fn column(&self, position: usize) -> Column<'_> {
        self.counts.column(position)
    }
}

/// What gathering may cost.
#[derive(Clone, Copy)]
struct Allowance {
    /// States wanted.
    states: usize,
    /// Conditions that walks may look at.
    work: u64,
    /// Arcs that guided walks may look at.
    guidance: u64,
}

impl Allowance {
    /// For so many states of a net with so many places that change, with so many bytes that are free: all there
    /// is for the usual number of states, in proportion for fewer.
    fn new(states: usize, places: usize, free: u64) -> Self {
        let share = |most: u64| most * states.min(Sample::STATES) as u64 / Sample::STATES as u64;
        let cells = share(MOST_CELLS as u64).min(free / 160) as usize;
        Self {
            states: states.min(cells / places.max(1)).max(2),
            work: share(MOST_WORK),
            guidance: share(MOST_GUIDANCE),
        }
    }
}

/// The places that a transition may change, in order.
pub fn changing(net: &Net, plan: &Plan) -> Vec<PlaceId> {
    let mut changes = vec![false; net.places().len()];
    for t in net.transition_ids() {
        if plan.knowledge.dead.get(t.index()).copied().unwrap_or(false) {
            continue;
        }
        for arc in net.inputs().of(t).iter().chain(net.outputs().of(t)) {
            let same = net.inputs().weight(t, arc.place) == net.outputs().weight(t, arc.place);
            changes[arc.place.index()] |= !same;
        }
        for arc in net.resets().of(t) {
            changes[arc.place.index()] = true;
        }
    }
    net.place_ids().filter(|p| changes[p.index()]).collect()
}

/// The sample while it grows.
struct Rows {
    places: Vec<PlaceId>,
    /// A random number per place: the hash of a state is the sum of its counts times these.
    keys: Vec<u64>,
    most: Vec<u64>,
    /// With room for as many states as are wanted.
    counts: Columns,
    states: usize,
    seen: HashSet<u64>,
    /// The state in hand.
    row: Vec<u16>,
}

impl Rows {
    fn new(net: &Net, places: Vec<PlaceId>, states: usize) -> Self {
        let mut noise = Noise::new(0x5EED);
        let keys = places.iter().map(|_| noise.next()).collect();
        let counts = Columns::new(places.len(), states);
        let row = Vec::with_capacity(places.len());
        let most = net.places().iter().map(|place| place.initial).collect();
        Self { places, keys, most, counts, states: 0, seen: HashSet::default(), row }
    }

    /// Adds a state, unless it is there already, or there is no room. Tells whether it was added.
    fn add(&mut self, tokens: impl Fn(PlaceId) -> u64) -> bool {
        let mut hash = 0u64;
        self.row.clear();
        for (place, key) in self.places.iter().zip(&self.keys) {
            let count = tokens(*place);
            let most = &mut self.most[place.index()];
            *most = (*most).max(count);
            hash = hash.wrapping_add(count.wrapping_mul(*key));
            self.row.push(fold(count));
        }
        if self.states == self.counts.room() || !self.seen.insert(hash) {
            return false;
        }
        self.counts.set(self.states, &self.row);
        self.states += 1;
        true
    }

    /// The sample: states shuffled, columns without the room that was left.
    fn finish(self, complete: Option<u64>, stopped: Option<StopReason>) -> Sample {
        let mut order: Vec<u32> = (0..self.states as u32).collect();
        Noise::new(0xC0FFEE).shuffle(&mut order);
        let mut counts = self.counts;
        counts.arrange(&order);
        Sample {
            places: self.places,
            most: self.most,
            states: self.states,
            counts,
            complete,
            expected: 0,
            at_most: u64::MAX,
            stopped,
        }
    }
}

fn fold(count: u64) -> u16 {
    (count ^ count >> 16 ^ count >> 32 ^ count >> 48) as u16
}

/// Watches a breadth-first search until it has seen enough.
struct Gatherer {
    rows: Rows,
    wanted: usize,
    starts: Vec<Marking>,
    next_start: usize,
    start_every: usize,
    over: bool,
}

impl Observer for Gatherer {
    fn discovered(&mut self, state: &View<'_>) -> bool {
        if self.rows.states >= self.wanted {
            self.over = true;
            return false;
        }
        if self.rows.states >= self.next_start {
            self.next_start += self.start_every;
            self.starts.push(state.marking());
        }
        self.rows.add(|place| state.tokens(place));
        false
    }

    fn is_done(&self) -> bool {
        self.over
    }
}

/// A state from which walks go on, and how many of them in a row found nothing.
struct Recent {
    tokens: Box<[u64]>,
    failures: u32,
}

impl Recent {
    fn start(marking: &Marking) -> Self {
        Self { tokens: marking.tokens().into(), failures: 0 }
    }
}

/// Looks at the limits, and tells how many states there are.
fn look(rows: &Rows, control: &mut Control<'_>) -> Result<(), StopReason> {
    let states = rows.states as u64;
    control.poll(|memory| Progress { states, explored: 0, arcs: 0, depth: 0, memory, sweep: None })
}

/// Goes the shortest way to each transition in turn, so that nothing that can happen soon is missing from the
/// sample. What is passed on the way is where walks begin.
fn guided(
    net: &Net,
    conditions: &Conditions,
    walker: &mut Walker<'_>,
    rows: &mut Rows,
    recent: &mut Vec<Recent>,
    allowance: Allowance,
    control: &mut Control<'_>,
) -> Result<(), StopReason> {
    let initial = net.initial_marking();
    let most_states = rows.states + allowance.states.saturating_sub(rows.states) / 4;
    let mut fired = vec![false; net.transitions().len()];
    let mut guide = Guide::new(net, conditions);
    for goal in net.transition_ids() {
        let mut again = false;
        let mut rounds = 0;
        while !fired[goal.index()] && rounds < MOST_ROUNDS {
            if guide.work > allowance.guidance || rows.states >= most_states {
                return Ok(());
            }
            look(rows, control)?;
            let plan = guide.plan(walker.tokens(), goal);
            rounds += 1;
            let before = walker.work;
            for t in plan.into_iter().flatten() {
                if walker.is_enabled(t) && walker.fire(t) {
                    fired[t.index()] = true;
                    rows.add(|place| walker.tokens()[place.index()]);
                }
            }
            if walker.work == before {
                // No way from here: from the initial marking, or not at all.
                if again {
                    break;
                }
                again = true;
                walker.go_to(initial.tokens(), Mood::default());
            }
        }
        if fired[goal.index()] && recent.len() < 2 * most_kept(net) {
            recent.push(Recent { tokens: walker.tokens().into(), failures: 0 });
        }
    }
    Ok(())
}

/// How many states are kept for walks to start from.
fn most_kept(net: &Net) -> usize {
    RECENT.min(RECENT_CELLS / net.places().len().max(1)).max(8)
}

/// Walks from states that are known until there are enough, or it costs too much.
///
/// A walk that ends, or finds nothing new any more, goes on from a state that a walk found not long ago: where a
/// wrong turn leads to an early end, most states lie elsewhere, and whoever is still under way knows where. (Aldous
/// and Vazirani 1994 call it "go with the winners".)
fn walk(
    net: &Net,
    rows: &mut Rows,
    starts: &[Marking],
    allowance: Allowance,
    control: &mut Control<'_>,
) -> Result<(), StopReason> {
    let mut noise = Noise::new(0x0A1C);
    let conditions = Conditions::of(net);
    let mut walker = Walker::new(net, &conditions);
    let most_recent = most_kept(net);
    let mut recent: Vec<Recent> = starts.iter().map(Recent::start).collect();
    guided(net, &conditions, &mut walker, rows, &mut recent, allowance, control)?;
    if recent.len() > most_recent {
        noise.shuffle(&mut recent);
        recent.truncate(most_recent);
    }
    let mut from = recent.len();
    let most_turns = allowance.states.saturating_sub(rows.states) * 4;
    let (mut length, mut known, mut found, mut walks) = (0, 0, false, 0);
    let mut milestones = Milestones::new(net);
    let (mut stride, mut before) = (STRIDE, rows.states);
    for turn in 0..most_turns {
        if rows.states >= allowance.states || walker.work > allowance.work {
            break;
        }
        if turn % 64 == 0 {
            look(rows, control)?;
            if turn > 0 && rows.states - before < 48 {
                // Too few are new: look at more of the states on the way.
                stride = (stride / 2).max(1);
            }
            before = rows.states;
        }
        let ended = !(0..1 + noise.below(2 * stride - 1)).all(|_| walker.step(&mut noise));
        let tokens = walker.tokens();
        let new = rows.add(|place| tokens[place.index()]);
        found |= new;
        if new && !ended {
            milestones.pass(walker.last, tokens);
            let entry = Recent { tokens: tokens.into(), failures: 0 };
            if recent.len() < most_recent {
                recent.push(entry);
            } else {
                recent[noise.below(most_recent)] = entry;
            }
        }
        known = if new { 0 } else { known + 1 };
        length += 1;
        if !(ended || known > stride || length > LONGEST) {
            continue;
        }
        if let Some(start) = recent.get_mut(from) {
            start.failures = if found { 0 } else { start.failures + 1 };
            if start.failures > MOST_FAILURES {
                recent.swap_remove(from);
            }
        }
        if recent.len() < most_recent / 4 {
            recent.extend(starts.get(noise.below(starts.len())).map(Recent::start));
        }
        let mood = Mood::any(&mut noise);
        match milestones.rarest().filter(|_| walks % 2 == 0) {
            Some(tokens) => {
                from = usize::MAX;
                walker.go_to(tokens, mood);
            }
            None => {
                from = noise.below(recent.len());
                if let Some(start) = recent.get(from) {
                    walker.go_to(&start.tokens, mood);
                }
            }
        }
        walks += 1;
        (length, known, found) = (0, 0, false);
    }
    Ok(())
}
