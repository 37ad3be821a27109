//! The local automata of a net's components.
//!
//! Enabling is a conjunction over places, and firing acts place by place. So a transition is enabled iff it is
//! enabled in every component that it touches, and the successor is the tuple of the local successors: a net is a
//! product of small automata, whatever the partition. Local markings are numbered as they are met, and what can
//! happen in each is computed once, when a state with that number is first expanded (see [`tables`](super::tables)).
//!
//! The successor of a *shared* event (one that touches several components) gets its number only when the event
//! really fires, and a component's own events fire in every state that has the local marking: so every number belongs
//! to a marking that is really reached. Maxima and fired transitions can be read off the tables.
//!
//! A component may be a *pair* of components: its local markings are pairs of their numbers, numbered again.
//!
//! `build` makes the automata, `fill` numbers local markings and computes rows, `read` tells what a number means,
//! `following` finds the number of a component that follows from the others.

mod build;
mod fill;
mod following;
mod read;

pub use build::places_of;
pub use following::Following;
pub use read::all_there;

use std::ops::Range;
use std::sync::PoisonError;

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::complements::Complement;
use super::leaf::{Leaf, TooManyTokens};
use super::partition::{Knowledge, Part, Partition, capacity};
use super::passing::{self, Candidate, Passing, Place};
use super::radix::Radix;
use super::tables::{Filling, HEADER, Making, NoRoom, Tables, UNKNOWN};
use crate::Numbering;
use crate::budget::{Budget, OutOfMemory};
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::sync::{Mutex, MutexGuard};

/// The most components at the top: more are paired first.
pub const MOST_ROOTS: usize = 32;

/// Rows of a root that no more shared events touch than this have a cell for each of them.
const FEW_SHARED: usize = 8;

/// Rows of a root with no more own events than this have a cell for each of them, and tell which are enabled.
const FEW_OWN: u32 = 16;

/// A component in the tree.
#[derive(Debug)]
struct Node {
    kind: Kind,
    events: Vec<LocalEvent>,
    tables: Tables,
    /// How many cells each row has for successors by shared events, if it has one for each event that touches the
    /// component. Else it has them only for those that are enabled.
    fixed: Option<usize>,
    /// How many cells each row has for successors by own events, if it has one for each of them and tells which are
    /// enabled. Else it has them only for those that are.
    own_fixed: Option<u32>,
    /// At the top, the shared events that touch it, as words like those of its patterns; below, where patterns have no
    /// others, nothing.
    touched: Vec<u64>,
    /// The shared events that it enables in any case: nobody asks for them when a row is made.
    granted: Vec<u64>,
}

impl Node {
    /// A word of the shared events that touch it.
    fn touched(&self, word: usize) -> u64 {
        self.touched.get(word).copied().unwrap_or(u64::MAX)
    }
}

#[derive(Debug)]
enum Kind {
    Leaf(Box<Leaf>),
    Pair(Pair),
}

/// Two components, and which events of theirs are whose.
#[derive(Debug)]
struct Pair {
    left: usize,
    right: usize,
    /// For each event of the left component, which event it is here.
    from_left: Vec<u32>,
    from_right: Vec<u32>,
}

/// A transition as one component sees it.
#[derive(Clone, Copy, Debug)]
struct LocalEvent {
    transition: TransitionId,
    role: Role,
    /// Where its successors are in every row, among those by shared events; [`UNKNOWN`] if that depends on which others
    /// are enabled.
    cell: u32,
    /// In a pair, the events of the two components, where it touches them.
    left: Option<u32>,
    right: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// It touches nothing outside. `still` tells that it changes nothing, `at` how many own events come before it.
    Own { still: bool, at: u32 },
    /// It touches other components too; its position in patterns.
    Shared(u32),
}

impl Role {
    /// Its position in patterns, if it is shared.
    fn position(self) -> Option<u32> {
        match self {
            Self::Own { .. } => None,
            Self::Shared(at) => Some(at),
        }
    }
}

/// How many bits before this one are set.
fn position_in(words: &[u64], at: u32) -> u32 {
    let (word, bit) = (at as usize / 64, at % 64);
    let before: u32 = words[..word].iter().map(|word| word.count_ones()).sum();
    before + (words[word] & ((1 << bit) - 1)).count_ones()
}

/// A transition that touches several components.
#[derive(Debug)]
pub struct SharedEvent {
    /// The transition.
    pub transition: TransitionId,
    /// Where the roots that it touches are among those of all shared events.
    touches: Range<u32>,
    /// Where those of them end whose numbers are a part of ranks.
    ranked: u32,
    /// Whether it changes nothing.
    pub still: bool,
    /// The label of states that are found by it ([`Passing`]).
    pub label: u8,
    /// What it does to the root that follows from the others, if it touches that: what it adds to the word by which its
    /// number is found, and which event it is there. That root is the last one that it touches.
    pub following: Option<(u32, u32)>,
}

impl SharedEvent {
    /// The roots that it touches whose numbers are a part of ranks, of all that are touched.
    #[inline(always)]
    pub fn ranked<'a>(&self, touches: &'a [Touch]) -> &'a [Touch] {
        &touches[self.touches.start as usize..self.ranked as usize]
    }
}

/// A root that a transition touches.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The root.
    pub root: u32,
    /// Which event the transition is there.
    pub event: u32,
    /// Where its successors are in the rows of the root, among those by shared events; [`UNKNOWN`] if that depends on
    /// which others are enabled.
    pub cell: u32,
}

/// Why there is no successor to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// A table must be made larger first.
    Room(NoRoom),
    /// A place would hold more tokens than can be counted.
    Tokens(PlaceId),
}

impl From<NoRoom> for Stuck {
    fn from(no_room: NoRoom) -> Self {
        Self::Room(no_room)
    }
}

impl From<TooManyTokens> for Stuck {
    fn from(TooManyTokens(place): TooManyTokens) -> Self {
        Self::Tokens(place)
    }
}

/// What is known of a net when its automata are made.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The net.
    pub net: &'a Net,
    /// Places that it is explored without, in order.
    pub complements: &'a [Complement],
    /// What is known of its places and transitions.
    pub knowledge: &'a Knowledge,
    /// Whether rows are to tell events, for searches that ask for them.
    pub with_events: bool,
    /// Whether the tokens in all places will be asked for in every state, so that it pays to keep those of each local
    /// marking.
    pub with_totals: bool,
}

/// See the [module](self).
#[derive(Debug)]
pub struct Automata {
    numbering: Numbering,
    nodes: Vec<Node>,
    roots: Vec<usize>,
    /// How many local markings each root can have, where that is known, and how many times what it needs it gets at
    /// once to have room for all of them.
    most: Vec<(Option<u32>, u32)>,
    /// The last root, if it follows from the others.
    following: Option<Following>,
    shared: Vec<SharedEvent>,
    /// What they touch, one after the other.
    touches: Vec<Touch>,
    passing: Passing,
    /// Transitions that touch no place that ever changes: enabled for ever, leading nowhere.
    idle: Vec<TransitionId>,
    /// For each place, its leaf and position there; none for a place that never changes.
    home: Vec<Option<(u32, u32)>>,
    constants: Vec<u64>,
    /// Tokens in all places if those of all roots are empty.
    constant_tokens: i128,
    /// Places without a leaf whose tokens follow from those of others, in order.
    complements: Vec<Complement>,
    /// For each place, whether its bound is proven.
    bounded: Vec<bool>,
    fired: Vec<AtomicBool>,
    /// Transitions that have fired, in the order in which they did so first, as far as nobody has asked for them.
    newly_fired: Mutex<Vec<TransitionId>>,
    with_events: bool,
    filling: Mutex<Vec<Filling>>,
}

impl Automata {
    /// How many components there are at the top.
    pub fn root_count(&self) -> usize {
        self.roots.len()
    }

    /// What tells its numbers from those of other automata. While these are there, a number keeps its meaning.
    #[inline]
    pub fn numbering(&self) -> Numbering {
        self.numbering
    }

    /// The tables of a root.
    #[inline(always)]
    pub fn tables(&self, root: usize) -> &Tables {
        &self.nodes[self.roots[root]].tables
    }

    /// How many transitions there are, and one.
    pub fn transitions(&self) -> usize {
        self.fired.len() + 1
    }

    /// The transitions that touch several roots, in the order of patterns.
    #[inline(always)]
    pub fn shared(&self) -> &[SharedEvent] {
        &self.shared
    }

    /// The roots that a shared event touches.
    #[inline(always)]
    pub fn touches(&self, event: &SharedEvent) -> &[Touch] {
        &self.touches[event.touches.start as usize..event.touches.end as usize]
    }

    /// What all shared events touch.
    pub fn all_touches(&self) -> &[Touch] {
        &self.touches
    }

    /// How many cells each of a root's rows has for successors by own events, if all have as many.
    pub fn own_fixed(&self, root: usize) -> Option<u32> {
        self.nodes[self.roots[root]].own_fixed
    }

    /// The shared events that touch a root, as words like those of a pattern.
    #[inline(always)]
    pub fn touched(&self, root: usize) -> &[u64] {
        &self.nodes[self.roots[root]].touched
    }

    /// Which arcs need not be followed.
    #[inline(always)]
    pub fn passing(&self) -> &Passing {
        &self.passing
    }

    /// Places whose tokens follow from those of others, in order.
    pub fn complements(&self) -> &[Complement] {
        &self.complements
    }

    /// Transitions that are enabled in every state and change nothing.
    pub fn idle(&self) -> &[TransitionId] {
        &self.idle
    }

    /// How many numbers of each root there is room for in ranks: as many as its table has room for, and one for a root
    /// that follows from the others.
    pub fn capacities(&self) -> Vec<u32> {
        let limit = |root: &usize| self.nodes[*root].tables.limit();
        let mut capacities: Vec<u32> = self.ranked().iter().map(limit).collect();
        capacities.resize(self.roots.len(), 1);
        capacities
    }

    /// The roots whose numbers are a part of ranks.
    pub(super) fn ranked(&self) -> &[usize] {
        &self.roots[..self.following.as_ref().map_or(self.roots.len(), |following| following.root)]
    }

    /// Sets how many local markings each root may have; no fewer than it has.
    pub fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), OutOfMemory> {
        let ranked = self.ranked().to_vec();
        let roots = ranked.iter().zip(capacities);
        let nodes = &mut self.nodes;
        roots.into_iter().try_for_each(|(root, capacity)| nodes[*root].tables.set_limit(*capacity))
    }

    /// Gives every root the capacity that it has in ranks of this form. It has had at least as much.
    pub fn fit(&mut self, radix: &Radix) {
        let capacities: Vec<u32> = radix.capacities().collect();
        let fits = self.set_capacities(&capacities);
        debug_assert_eq!(fits, Ok(()), "there is memory for what there was before");
    }

    /// The capacity to give a root that needs this one: no more than it can ever use, and that at once if it is not
    /// much more.
    pub fn fitting(&self, root: usize, capacity: u32) -> u32 {
        match self.most[root] {
            _ if root >= self.ranked().len() => 1,
            (Some(most), ample) if most <= capacity.saturating_mul(ample) => most,
            _ => capacity,
        }
    }

    /// This capacity of a root, but no more than it can ever use.
    pub fn at_most(&self, root: usize, capacity: u32) -> u32 {
        self.most[root].0.map_or(capacity, |most| most.min(capacity))
    }

    /// How many local markings each root has.
    pub fn counts(&self) -> Vec<u32> {
        let filling = self.lock();
        self.roots.iter().map(|root| filling[*root].numbers()).collect()
    }

    /// The same for what ranks have to tell apart: 1 for a root that follows from the others.
    pub fn ranked_counts(&self) -> Vec<u32> {
        let mut counts = self.counts();
        counts[self.ranked().len()..].fill(1);
        counts
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> usize {
        let tables: usize = self.nodes.iter().map(|node| node.tables.bytes()).sum();
        let following = self.following.as_ref().map_or(0, Following::bytes);
        tables + following + self.lock().iter().map(Filling::bytes).sum::<usize>()
    }

    /// The bytes of the rows, which can be computed again.
    pub fn row_bytes(&self) -> usize {
        self.nodes.iter().map(|node| node.tables.row_bytes()).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Filling>> {
        // A panic elsewhere leaves tables that are whole: numbers and rows are published last.
        self.filling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes every table larger that was found too small.
    pub fn make_room(&mut self, most_row_bytes: usize) -> Result<(), OutOfMemory> {
        let filling = self.filling.get_mut().unwrap_or_else(PoisonError::into_inner);
        let most = most_row_bytes / self.nodes.len().max(1);
        self.nodes.iter_mut().zip(filling).try_for_each(|(node, fill)| node.tables.make_room(fill, most))
    }

    /// Gives up all rows.
    pub fn drop_rows(&mut self) {
        let filling = self.filling.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.nodes.iter_mut().zip(filling).for_each(|(node, fill)| node.tables.drop_rows(fill));
    }

    /// Notes that a transition has fired.
    #[inline]
    pub fn note_fired(&self, transition: TransitionId) {
        let fired = &self.fired[transition.index()];
        if !fired.load(Ordering::Relaxed) && !fired.swap(true, Ordering::Relaxed) {
            self.newly_fired.lock().unwrap_or_else(PoisonError::into_inner).push(transition);
        }
    }

    /// Takes over what other automata of the same net have seen fire.
    pub fn inherit_fired(&mut self, other: &Self) {
        for (fired, other) in self.fired.iter().zip(&other.fired) {
            fired.fetch_or(other.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.take_newly_fired();
        self.newly_fired =
            Mutex::new(other.newly_fired.lock().unwrap_or_else(PoisonError::into_inner).clone());
    }

    /// The transitions that have fired for the first time since this was last asked.
    pub fn take_newly_fired(&mut self) -> Vec<TransitionId> {
        std::mem::take(self.newly_fired.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}

fn pair_key(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

fn split_key(key: u64) -> (u32, u32) {
    (key as u32, (key >> 32) as u32)
}

/// The positions of the ones.
fn bits(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(at, word)| {
        std::iter::successors(Some(*word), |rest| Some(rest & rest.wrapping_sub(1)))
            .take_while(|rest| *rest != 0)
            .map(move |rest| at as u32 * 64 + rest.trailing_zeros())
    })
}
