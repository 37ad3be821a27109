//! One breadth-first exploration of the product of a net's components, through all changes of tables, ranks, set and
//! partition.

use super::automata::{Automata, Given, MOST_ROOTS, Stuck};
use super::engine::MOST_WORDS;
use super::growth::Growth;
use super::moving::{Unmoved, more_than_now, pour};
use super::order_of_digits::{best_for_bitmap, reversed};
use super::partition::Partition;
use super::radix::Radix;
use super::recoding::Recoding;
use super::renumbering::{Renumbered, Renumbering};
use super::stage::Stage;
use super::suiting::{Outlook, Pace, SMALL_BITMAP, Touched, Wish, size_in_bits, with_little_room};
use super::system::Product;
use crate::budget::Hold;
use crate::divisible::Divisible;
use crate::explore::stop_reason;
use crate::search::frontier::{Form, VERY_MANY, WORTH_ORDER};
use crate::search::levels::{Interlude, Levels, tag};
use crate::set::held::{AnyRank, Held, Kind, narrowed, with_set};
use crate::set::{RankSet, Shape, TAG_BITS};
use crate::{Budget, Control, Full, Observer, Shown, StateId, StopReason, View};

/// Ranks are made to fit for a bitmap only when there are so many times the states that there were when they were last
/// made, in quarters; and smaller ones for a bitmap that has become too large.
const LONG_ENOUGH: u64 = 8;
const SOON: u64 = 5;

/// Fewer states than this are as well off in any set; and fewer than that get much room in a bitmap.
const WORTH_FITTING: u64 = 1 << 16;
const WORTH_SPARING: u64 = 1 << 14;

/// A bitmap with so many times the ranks that there are states, as a power of two, is made smaller where that makes it
/// smaller by as much.
const MANY_RANKS: f64 = 2.5;
const MUCH_SMALLER: f64 = 0.5;

/// The part of the states found that must be still to come for a bitmap to be left.
const WORTH_LEAVING: u64 = 8;

/// A set of so many bytes is left for want of memory if another one takes no more than this part of what it takes.
const WORTH_MAKING_SMALLER: usize = 1 << 18;
const WORTH_MAKING_DO: f64 = 0.85;

/// What gives reason to think about the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A level is done.
    Level,
    /// Memory has run out, but for a reserve.
    Memory,
}

/// Whoever thinks about the partition, and may change it.
pub type Reconsider<'e, 'c> =
    dyn FnMut(&mut Exploration<'e>, &mut Control<'_>, Occasion) -> Result<(), StopReason> + 'c;

/// How a net is to be explored.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    /// What is known of the net.
    pub given: Given<'a>,
    /// The set.
    pub wish: Wish,
    /// Threads.
    pub threads: usize,
    /// Whether the tables may be given up for memory, from so many bytes of rows on.
    pub most_row_bytes: usize,
    /// Whether everything is to change after each level (for tests).
    pub stress: bool,
}

/// What is found so far, and the form it has.
#[derive(Debug)]
pub struct Exploration<'a> {
    course: Course<'a>,
    partition: Partition,
    automata: Automata,
    radix: Radix,
    set: Held,
    levels: Levels,
    shape: Shape,
    growth: Growth,
    pace: Pace,
    /// Whether a bitmap was left because too few states came, with the present partition.
    is_disappointed: bool,
    /// The states explored and found when memory last ran out.
    short_at: Option<(u64, u64)>,
    /// States found before they were last moved: if memory runs out on the way, they were found all the same.
    found: u64,
    /// How often ranks were computed anew.
    pub recoded: u64,
    /// How often the set was changed for another kind.
    pub switched: u64,
    /// How often the partition was changed.
    pub repartitioned: u64,
    /// The most bytes the frontier had between two levels.
    pub frontier_bytes: usize,
}

impl<'a> Exploration<'a> {
    /// An exploration that has found the initial state.
    pub fn new(
        course: Course<'a>,
        partition: &Partition,
        capacities: &[u32],
        tagged: bool,
        control: &Control<'_>,
    ) -> Result<Self, Full> {
        let budget = control.budget().clone();
        let automata = Automata::new(course.given, partition, capacities, &budget)?;
        let radix = Radix::new(&automata.capacities());
        let most = control.max_states();
        let shape = Shape { bits: radix.bits(), tagged, most, expected: 0, budget: budget.clone() };
        let set = Held::new(
            course.wish.kind(&radix, tagged, Outlook::default(), None),
            radix.words(),
            radix.ranks(),
            &shape,
        )?;
        let numbers = automata.initial_numbers().map_err(|_| Full::Memory(budget.refusal()))?;
        let initial: AnyRank = radix.rank(&numbers);
        with_set!(&set, set, W => {
            let mut outbox = set.outbox();
            set.send(&mut outbox, narrowed::<W>(initial), tag(0), &mut |_| {})?;
            set.flush(&mut outbox, tag(0), &mut |_| {})?;
        });
        let levels = Levels::new(initial, form(course, &automata, &radix), &budget)?;
        Ok(Self {
            course,
            partition: partition.clone(),
            automata,
            radix,
            set,
            levels,
            shape,
            growth: Growth::default(),
            pace: Pace::default(),
            is_disappointed: false,
            short_at: None,
            found: 0,
            recoded: 0,
            switched: 0,
            repartitioned: 0,
            frontier_bytes: 0,
        })
    }

    /// States found.
    pub fn states(&self) -> u64 {
        self.set.len().max(self.found)
    }

    /// How the places are divided.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The components.
    pub fn automata(&self) -> &Automata {
        &self.automata
    }

    /// The form of the ranks.
    pub fn radix(&self) -> &Radix {
        &self.radix
    }

    /// The bytes of a bitmap without room to spare, if it has one.
    pub fn least_bitmap_bytes(&self) -> Option<u64> {
        let ranks = Radix::new(&self.automata.ranked_counts()).ranks();
        ranks
            .filter(|_| self.set.kind() == Kind::Bitmap)
            .map(|ranks| ranks.saturating_mul(self.bits_of_rank()) / 8)
    }

    /// The bits that a rank takes in a bitmap.
    fn bits_of_rank(&self) -> u64 {
        if self.shape.tagged { u64::from(TAG_BITS) } else { 1 }
    }

    /// The set.
    pub fn set(&self) -> &Held {
        &self.set
    }

    /// The memory it may use.
    pub fn budget(&self) -> &Budget {
        &self.shape.budget
    }

    /// What was counted.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Tells an observer of the initial state.
    pub fn begin(&mut self, observer: &mut dyn Observer) {
        let numbers = self.automata.initial_numbers().expect("the initial marking has its numbers");
        let rank: AnyRank = self.radix.rank(&numbers);
        let product = Product::<MOST_WORDS> { automata: &self.automata, radix: &self.radix };
        if observer.discovered(&View::new(StateId::INITIAL, &Shown(&product, &rank))) {
            observer.witness(Vec::new());
        }
    }

    /// Explores until the end, or until something ends it: nothing if every state was expanded.
    pub fn run(
        &mut self,
        observer: &mut dyn Divisible,
        control: &mut Control<'_>,
        reconsider: &mut Reconsider<'a, '_>,
    ) -> Option<StopReason> {
        loop {
            if observer.whole().is_done() {
                return Some(StopReason::Decided);
            }
            let reserve = self.reserve();
            let had_reserve = reserve.is_some();
            let Self { course, automata, radix, set, levels, frontier_bytes, .. } = self;
            let mut stage = Stage { course, automata, radix, levels, frontier_bytes, reserve };
            let end = with_set!(set, set, W => stage.run::<W, _>(set, observer, control));
            drop(stage);
            let outcome = match end {
                Interlude::Level if self.levels.is_over() => return None,
                Interlude::Level => reconsider(self, control, Occasion::Level),
                Interlude::Room => self.grow(),
                Interlude::Full(Full::Memory(_)) => match self.make_do() {
                    Err(Unmoved::NoRoom(_)) if had_reserve => reconsider(self, control, Occasion::Memory),
                    outcome => outcome.map_err(StopReason::from),
                },
                Interlude::Full(full) => Err(stop_reason(full)),
                Interlude::Tokens(place) => Err(StopReason::TooManyTokens(place)),
                Interlude::Stopped(reason) => Err(reason),
                Interlude::Wanted => Ok(()),
            };
            if let Err(reason) = outcome {
                return Some(reason);
            }
            self.pace.note(self.set.len(), &self.automata.ranked_counts());
            let (wish, capacities) = self.another_set();
            let changes = wish != self.set.kind();
            let is_another = changes || capacities != self.automata.capacities();
            if (is_another || self.set.is_coarse(self.set.len())) && self.affords(wish, &capacities) {
                // Without room the present set will do.
                match self.move_to(wish, &capacities) {
                    Ok(()) => self.switched += u64::from(changes),
                    Err(Unmoved::NoRoom(_)) => {}
                    Err(Unmoved::Broken(reason)) => return Some(reason),
                }
            }
        }
    }

    /// What it takes to move the states to a smaller set if memory runs out. Nothing where it just has, or if there is not
    /// even so much.
    fn reserve(&self) -> Option<Hold> {
        if self.set.kind() == Kind::Plain || self.short_at == Some(self.so_far()) {
            return None;
        }
        let [_, intake] = self.set.intakes(Kind::Quotient);
        // Until somebody looks again, the set may grow.
        let bytes = self.set.in_motion(intake) + self.set.bytes() / 8 + (64 << 10);
        self.shape.budget.hold(bytes).ok()
    }

    /// The states explored and found.
    fn so_far(&self) -> (u64, u64) {
        (self.levels.counts.explored, self.set.len())
    }

    /// Goes on where memory has run out, in a smaller set; unless there is none, or nothing came of it the last time.
    fn make_do(&mut self) -> Result<(), Unmoved> {
        self.shape.budget.catch_up();
        let now = Some(self.so_far());
        let was_in_vain = std::mem::replace(&mut self.short_at, now) == now;
        let smaller = if was_in_vain { None } else { self.smaller_set() };
        let (kind, capacities) = smaller.ok_or(Unmoved::NoRoom(StopReason::Memory))?;
        let changes = kind != self.set.kind();
        self.move_to(kind, &capacities)?;
        self.switched += u64::from(changes);
        Ok(())
    }

    /// Moves all states to a set of this kind, with ranks for these capacities. Without room to do so, capacities are as
    /// they were, too.
    fn move_to(&mut self, kind: Kind, capacities: &[u32]) -> Result<(), Unmoved> {
        let set = self.automata.set_capacities(capacities);
        let moved = set.map_err(|_| Unmoved::NoRoom(StopReason::Memory)).and_then(|()| self.recode(kind));
        if let Err(Unmoved::NoRoom(_)) = moved {
            self.automata.fit(&self.radix);
        }
        moved
    }

    /// A set that the states found take less of, and those to come as well, as far as can be told.
    fn smaller_set(&self) -> Option<(Kind, Vec<u32>)> {
        if self.set.bytes() < WORTH_MAKING_SMALLER && !self.course.stress {
            return None;
        }
        let kinds: &[Kind] = match (self.course.wish, self.set.kind()) {
            (Wish::Best, Kind::Bitmap) => &[Kind::Bitmap, Kind::Quotient],
            // A bitmap is there at once, before anything else is given back.
            (Wish::Best | Wish::This(Kind::Quotient), Kind::Quotient) => &[Kind::Quotient],
            (Wish::This(Kind::Bitmap), Kind::Bitmap) => &[Kind::Bitmap],
            _ => return None,
        };
        let snug = self.pace.snug(&self.automata.ranked_counts(), self.outlook());
        let radix = Radix::new(&snug);
        let states = self.set.len();
        let expected = self.expected().max(states);
        let size =
            |kind: Kind, radix: &Radix, states: u64| size_in_bits(kind, radix, self.shape.tagged, states);
        // A bitmap is as full of pages as it was.
        let touched = self.set.touched().unwrap_or(1.0);
        let present = (self.set.bytes() as f64 * 8.0, size(self.set.kind(), &self.radix, expected));
        let option = |kind: Kind| {
            let part = if kind == Kind::Bitmap { touched } else { 1.0 };
            let (now, then) = (size(kind, &radix, states) * part, size(kind, &radix, expected));
            (now <= present.0 * WORTH_MAKING_DO && then <= present.1 * WORTH_MAKING_DO)
                .then_some((then, kind))
        };
        let best = kinds.iter().filter_map(|kind| option(*kind)).min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((best.1, snug))
    }

    /// How many states there will be, most likely at least.
    pub fn expected(&self) -> u64 {
        self.levels.expected(self.set.len())
    }

    /// How many states to make a set for: those expected, but no more than twice as many as there are.
    fn provided(&self) -> u64 {
        self.expected().min(self.set.len() * 2)
    }

    fn outlook(&self) -> Outlook {
        let (found, is_rising) = (self.set.len(), self.levels.is_rising());
        Outlook { found, expected: self.expected(), is_rising, is_disappointed: self.is_disappointed }
    }

    /// The kind of set to have now, and for which capacities: those there are, or smaller ones where only they make
    /// a bitmap worth it.
    fn another_set(&self) -> (Kind, Vec<u32>) {
        let capacities = self.automata.capacities();
        if self.course.stress {
            return (self.another_kind(), capacities);
        }
        let wish = self.wish(&self.radix);
        let is_bitmap = self.set.kind() == Kind::Bitmap;
        let since = if is_bitmap { SOON } else { LONG_ENOUGH };
        let is_time =
            self.set.len() >= WORTH_FITTING && self.set.len() * 4 >= self.found.saturating_mul(since);
        if wish == Kind::Quotient && is_time && (is_bitmap || self.levels.is_rising()) {
            let snug = self.pace.snug(&self.automata.ranked_counts(), self.outlook());
            if self.wish(&Radix::new(&snug)) == Kind::Bitmap {
                return (Kind::Bitmap, snug);
            }
        }
        // For few that are to come, no other set is worth the move, which takes memory for both; unless all are few.
        let stays = is_bitmap && self.course.wish == Wish::Best && self.set.len() >= WORTH_FITTING;
        if stays && wish == Kind::Quotient && self.outlook().lacks_at_most_one_in(WORTH_LEAVING) {
            return (Kind::Bitmap, capacities);
        }
        if wish == Kind::Bitmap && is_bitmap && self.set.len() >= WORTH_SPARING {
            let snug = self.pace.snug(&self.automata.ranked_counts(), self.outlook());
            if self.is_worth_tightening(&snug) {
                return (Kind::Bitmap, snug);
            }
        }
        (wish, capacities)
    }

    /// Whether a bitmap that is large for the states in it becomes much smaller with these capacities.
    fn is_worth_tightening(&self, capacities: &[u32]) -> bool {
        let present = self.radix.log2();
        present - (self.provided().max(1) as f64).log2() >= MANY_RANKS
            && present - Radix::new(capacities).log2() >= MUCH_SMALLER
    }

    /// The kind of set that is wished for with ranks of this form.
    fn wish(&self, radix: &Radix) -> Kind {
        let present = self.set.touched().map(|part| Touched { ranks: self.radix.log2().exp2(), part });
        self.course.wish.kind(radix, self.shape.tagged, self.outlook(), present)
    }

    /// Whether there is memory to move to a set of this kind.
    fn can_move(&self, kind: Kind, capacities: &[u32]) -> bool {
        let in_order = kind == self.set.kind();
        let more = more_than_now(&self.set, kind, &Radix::new(capacities), self.shape.tagged, in_order);
        let [_, intake] = self.set.intakes(kind);
        self.shape.budget.hold(self.set.in_motion(intake).saturating_add(more)).is_ok()
    }

    /// The same, and for all its bits if it is a bitmap.
    fn affords(&self, kind: Kind, capacities: &[u32]) -> bool {
        let bits = size_in_bits(kind, &Radix::new(capacities), self.shape.tagged, 0);
        let whole = if kind == Kind::Bitmap { bits / 8.0 } else { 0.0 };
        self.can_move(kind, capacities) && self.shape.budget.hold(whole as usize).is_ok()
    }

    /// A kind of set that it is not now.
    fn another_kind(&self) -> Kind {
        match self.set.kind() {
            Kind::Bitmap => Kind::Plain,
            Kind::Plain => Kind::Quotient,
            Kind::Quotient if self.radix.ranks().is_some_and(|ranks| ranks <= SMALL_BITMAP) => Kind::Bitmap,
            Kind::Quotient => Kind::Plain,
        }
    }

    /// Gives every component room for what it will need; in a bitmap, where making ranks anew costs next to nothing, for
    /// little more than it has.
    fn grow(&mut self) -> Result<(), StopReason> {
        let counts = self.automata.ranked_counts();
        let may_leave = self.set.kind() == Kind::Bitmap && !self.course.stress;
        let roomy = if may_leave { self.room_in_bitmap(&counts) } else { None };
        let can_leave = self.course.wish == Wish::Best;
        let roomy = roomy.filter(|capacities| !can_leave || self.can_move(Kind::Bitmap, capacities));
        let (kind, capacities) = match roomy {
            Some(capacities) => (Kind::Bitmap, capacities),
            None => {
                // States that must be moved anyway leave a bitmap that has become too large at once.
                let kind = if may_leave { Kind::Quotient } else { self.set.kind() };
                (kind, self.room(&counts, kind))
            }
        };
        Ok(self.move_to(kind, &capacities)?)
    }

    /// Capacities that will do for some time, in a set of this kind.
    fn room(&mut self, counts: &[u32], kind: Kind) -> Vec<u32> {
        let before: Vec<u32> = self.radix.capacities().collect();
        let outlook = self.outlook();
        room(&mut self.growth, &self.automata, &before, counts, outlook, kind)
    }

    /// Capacities for which a bitmap does, if there are any. Few states get much room: for them, it costs more to begin
    /// again than to have some bits more.
    fn room_in_bitmap(&mut self, counts: &[u32]) -> Option<Vec<u32>> {
        if self.set.len() < WORTH_SPARING {
            let much = self.room(counts, Kind::Bitmap);
            if self.wish(&Radix::new(&much)) == Kind::Bitmap {
                return Some(much);
            }
        }
        let before: Vec<u32> = self.radix.capacities().collect();
        let [little, least] =
            with_little_room(&before, &self.automata.capacities(), counts).map(|capacities| {
                let fitting = |(root, capacity)| self.automata.at_most(root, capacity);
                capacities.into_iter().enumerate().map(fitting).collect::<Vec<u32>>()
            });
        if self.wish(&Radix::new(&little)) == Kind::Bitmap {
            return Some(little);
        }
        let is_small = |ranks: u64| ranks.saturating_mul(self.bits_of_rank()) <= SMALL_BITMAP;
        Radix::new(&least).ranks().is_some_and(is_small).then_some(least)
    }

    /// Makes all ranks anew for the present capacities, in a set of this kind.
    fn recode(&mut self, kind: Kind) -> Result<(), Unmoved> {
        let capacities = self.automata.capacities();
        let radix = match (self.set.kind(), kind) {
            (Kind::Bitmap, Kind::Bitmap) => self.radix.with(&capacities),
            (_, Kind::Bitmap) if self.course.stress => reversed(&Radix::new(&capacities)),
            (_, Kind::Bitmap) => self.radix_for_bitmap(&capacities),
            _ => Radix::new(&capacities),
        };
        if radix.is_too_wide() {
            let paired = self.partition.paired();
            return self.repartition(&paired, &[], Occasion::Level);
        }
        self.found = self.set.len();
        self.shape.expected = self.provided();
        let disappoints = self.set.kind() == Kind::Bitmap && kind == Kind::Quotient;
        let recoding = Recoding::new(&self.radix, &radix);
        let form = (form(self.course, &self.automata, &radix), true);
        pour(&mut self.set, &mut self.levels, &mut self.shape, kind, &radix, form, recoding)?;
        self.recoded += 1;
        self.is_disappointed |= disappoints;
        self.radix = radix;
        Ok(())
    }

    /// Ranks for these capacities, in the order in which the states found take the least of a bitmap.
    fn radix_for_bitmap(&self, capacities: &[u32]) -> Radix {
        let mut numbers = [0; MOST_ROOTS];
        let show = |visit: &mut dyn FnMut(&[u32])| {
            self.set.each(&mut |rank| {
                self.radix.numbers(&rank, &mut numbers);
                visit(&numbers);
            });
        };
        best_for_bitmap(Radix::new(capacities), self.shape.tagged, &self.shape.budget, show)
    }

    /// Divides the places in another way. States are moved, none is lost.
    /// Where memory is short, it must save some.
    pub fn repartition(
        &mut self,
        partition: &Partition,
        capacities: &[u32],
        occasion: Occasion,
    ) -> Result<(), Unmoved> {
        let memory = |_| Unmoved::NoRoom(StopReason::Memory);
        let budget = self.shape.budget.clone();
        let mut automata =
            Automata::new(self.course.given, partition, capacities, &budget).map_err(memory)?;
        let mut renumbering =
            Renumbering::new(&self.automata, &self.radix, &automata, &budget).map_err(memory)?;
        // First every state gets its new numbers, so that the new ranks are known; only then are the states moved.
        let mut numbered = Ok(());
        with_set!(&self.set, set, W => set.each(&mut |rank: [u64; W]| {
            if numbered.is_ok() {
                numbered = renumbering.number(&rank, &mut automata, self.course.most_row_bytes);
            }
        }));
        // What is in hand need not be a member yet.
        self.levels.each_in_hand(|rank| {
            if numbered.is_ok() {
                numbered = renumbering.number(&rank, &mut automata, self.course.most_row_bytes);
            }
        });
        numbered.map_err(|stuck| match stuck {
            Stuck::Room(_) => Unmoved::NoRoom(StopReason::Memory),
            Stuck::Tokens(place) => Unmoved::Broken(StopReason::TooManyTokens(place)),
        })?;
        let mut radix = Radix::new(&automata.capacities());
        if radix.is_too_wide() {
            return Err(Unmoved::NoRoom(StopReason::Memory));
        }
        self.found = self.set.len();
        self.shape.expected = self.provided();
        // What became of hopes in the old partition tells nothing of the new one.
        let outlook = Outlook { is_disappointed: false, ..self.outlook() };
        let kind = self.course.wish.kind(&radix, self.shape.tagged, outlook, None);
        let mut growth = Growth::default();
        if kind == Kind::Quotient && !self.course.stress {
            // What is nearly full already would have to grow soon, and all states to be moved once more.
            let (before, counts) = (automata.capacities(), automata.ranked_counts());
            let more = room(&mut growth, &automata, &before, &counts, outlook, kind);
            let more: Vec<u32> = more.iter().zip(&before).map(|(more, before)| *more.max(before)).collect();
            if !Radix::new(&more).is_too_wide() {
                automata.set_capacities(&more).map_err(memory)?;
                radix = Radix::new(&automata.capacities());
            }
        }
        let size =
            |kind, radix| size_in_bits(kind, radix, self.shape.tagged, outlook.expected.max(self.found));
        if occasion == Occasion::Memory
            && size(kind, &radix) > size(self.set.kind(), &self.radix) * WORTH_MAKING_DO
        {
            return Err(Unmoved::NoRoom(StopReason::Memory));
        }
        if kind == Kind::Bitmap {
            let show = |visit: &mut dyn FnMut(&[u32])| {
                self.set.each(&mut |rank| {
                    visit(renumbering.renumber(&rank, &automata).expect("every state was numbered"));
                });
            };
            radix = best_for_bitmap(radix, self.shape.tagged, &self.shape.budget, show);
        }
        let renumbered = Renumbered { renumbering: &mut renumbering, automata: &automata, radix: &radix };
        let form = (form(self.course, &automata, &radix), false);
        pour(&mut self.set, &mut self.levels, &mut self.shape, kind, &radix, form, renumbered)?;
        drop(renumbering);
        automata.inherit_fired(&self.automata);
        self.automata = automata;
        self.radix = radix;
        self.growth = growth;
        self.pace = Pace::default();
        self.is_disappointed = false;
        self.partition = partition.clone();
        self.repartitioned += 1;
        Ok(())
    }
}

/// Capacities that will do for some time, in a set of this kind, for components that have these and so many local
/// markings.
fn room(
    growth: &mut Growth,
    automata: &Automata,
    before: &[u32],
    counts: &[u32],
    outlook: Outlook,
    kind: Kind,
) -> Vec<u32> {
    let rounded = kind != Kind::Bitmap;
    // What follows from the others takes no room in ranks.
    let ranked = automata.ranked().len();
    let mut capacities = growth.capacities(&before[..ranked], &counts[..ranked], outlook, rounded);
    capacities.resize(counts.len(), 1);
    for (root, capacity) in capacities.iter_mut().enumerate() {
        if *capacity != before[root] || *capacity == counts[root] {
            *capacity = automata.fitting(root, *capacity).max(counts[root]);
        }
    }
    capacities
}

/// The form of the states that wait.
fn form(course: Course<'_>, automata: &Automata, radix: &Radix) -> Form {
    let very_many = if course.stress { 2 } else { VERY_MANY };
    let in_order = radix.bits() >= WORTH_ORDER || course.stress;
    Form { bits: radix.bits(), label: automata.passing().label_bits(), very_many, in_order }
}
