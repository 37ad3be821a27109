//! Transitions compiled to operations on words.

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::layout::Layout;
use super::swar::at_least;
use super::triggers::Triggers;

/// What one transition asks of one word.
#[derive(Clone, Copy, Debug, Default)]
struct Test {
    word: u32,
    /// Least counts.
    need: u64,
    /// The highest bits of the word's fields.
    tops: u64,
}

impl Test {
    #[inline(always)]
    fn passes(&self, words: &[u64]) -> bool {
        at_least(words[self.word as usize], self.need, self.tops) == self.tops
    }
}

/// What one transition asks of one word by inhibitor arcs.
#[derive(Clone, Copy, Debug)]
struct Inhibition {
    word: u32,
    /// Counts from which it is forbidden.
    limit: u64,
    /// The highest bits of the fields concerned.
    chosen: u64,
    tops: u64,
}

impl Inhibition {
    #[inline(always)]
    fn passes(&self, words: &[u64]) -> bool {
        at_least(words[self.word as usize], self.limit, self.tops) & self.chosen == 0
    }
}

/// What one transition does to one word.
#[derive(Clone, Copy, Debug)]
struct Move {
    word: u32,
    take: u64,
    /// All ones, but for the fields that are reset.
    keep: u64,
    give: u64,
    /// The highest bits of the fields that this may overflow.
    open: u64,
    tops: u64,
}

/// Something that a transition has to do with a word, at first nothing.
trait OfWord {
    fn new(word: u32, tops: u64) -> Self;
}

impl OfWord for Test {
    fn new(word: u32, tops: u64) -> Self {
        Self { word, need: 0, tops }
    }
}

impl OfWord for Inhibition {
    fn new(word: u32, tops: u64) -> Self {
        Self { word, limit: 0, chosen: 0, tops }
    }
}

impl OfWord for Move {
    fn new(word: u32, tops: u64) -> Self {
        Self { word, take: 0, keep: u64::MAX, give: 0, open: 0, tops }
    }
}

/// For each word, where in each list what concerns it was put last. Entries from before the present transition
/// are recognised by their position, so nothing has to be cleared.
struct Index {
    tests: Vec<u32>,
    inhibitions: Vec<u32>,
    moves: Vec<u32>,
}

impl Index {
    fn new(words: usize) -> Self {
        Self {
            tests: vec![u32::MAX; words],
            inhibitions: vec![u32::MAX; words],
            moves: vec![u32::MAX; words],
        }
    }
}

/// What the present transition, whose part of the list begins at `start`, has to do with a word.
fn of_word<'a, T: OfWord>(
    list: &'a mut Vec<T>,
    start: usize,
    index: &mut [u32],
    word: u32,
    tops: u64,
) -> &'a mut T {
    let known = index[word as usize] as usize;
    let at = if (start..list.len()).contains(&known) {
        known
    } else {
        list.push(T::new(word, tops));
        index[word as usize] = (list.len() - 1) as u32;
        list.len() - 1
    };
    &mut list[at]
}

/// Where one transition's operations lie.
#[derive(Clone, Debug)]
struct Entry {
    /// The first test, at hand: it turns most transitions down.
    first: Test,
    transition: TransitionId,
    /// Whether there is more to test.
    more: bool,
    /// The tests but the first.
    tests: std::ops::Range<u32>,
    inhibitions: std::ops::Range<u32>,
    moves: std::ops::Range<u32>,
    /// A place whose field cannot hold what the transition puts there.
    overflows: Option<PlaceId>,
}

/// All transitions of a net, compiled for a layout. Those that can never be enabled in it are left out.
#[derive(Clone, Debug)]
pub struct Program {
    entries: Vec<Entry>,
    /// The entry of each transition.
    entry_of: Vec<Option<u32>>,
    /// The position of each transition in the order in which they are tried.
    rank_of: Vec<u32>,
    tests: Vec<Test>,
    inhibitions: Vec<Inhibition>,
    moves: Vec<Move>,
    triggers: Option<Triggers>,
}

/// So many transitions are tried one after another; more are looked for by what triggers them.
const FEW: usize = 256;

impl Program {
    /// Compiles a net, less the transitions that `dead` tells can never fire. `order` is the order in which
    /// they are tried, all of them.
    pub fn compile(net: &Net, layout: &Layout, dead: &[bool], order: &[TransitionId]) -> Self {
        let mut program = Self {
            entries: Vec::new(),
            entry_of: vec![None; net.transitions().len()],
            rank_of: vec![0; net.transitions().len()],
            tests: Vec::new(),
            inhibitions: Vec::new(),
            moves: Vec::new(),
            triggers: None,
        };
        let mut index = Index::new(layout.words());
        for (rank, t) in order.iter().enumerate() {
            program.rank_of[t.index()] = rank as u32;
            if !dead.get(t.index()).copied().unwrap_or(false) {
                program.add(net, layout, *t, &mut index);
            }
        }
        if program.len() > FEW {
            let transitions = program.entries.iter().map(|entry| entry.transition);
            program.triggers = Some(Triggers::new(net, layout, transitions));
        }
        program
    }

    fn add(&mut self, net: &Net, layout: &Layout, t: TransitionId, index: &mut Index) {
        let tops = |word: u32| layout.tops()[word as usize];
        let starts = (self.tests.len(), self.inhibitions.len(), self.moves.len());
        for arc in net.inputs().of(t).iter().chain(net.reads().of(t)) {
            let field = layout.field(arc.place);
            if arc.weight > field.capacity() {
                self.truncate(starts);
                return;
            }
            if field.width > 0 {
                // An input and a read arc to the same place: the larger of the two decides.
                let mask = super::swar::field_mask(field.top(), layout.tops()[field.word as usize]);
                let test = of_word(&mut self.tests, starts.0, &mut index.tests, field.word, tops(field.word));
                let need = (test.need & mask).max(arc.weight << field.shift);
                test.need = test.need & !mask | need;
            }
        }
        for arc in net.inhibitors().of(t) {
            let field = layout.field(arc.place);
            if arc.weight > field.capacity() {
                continue;
            }
            if field.width == 0 {
                self.truncate(starts);
                return;
            }
            let inhibition = of_word(
                &mut self.inhibitions,
                starts.1,
                &mut index.inhibitions,
                field.word,
                tops(field.word),
            );
            inhibition.limit |= arc.weight << field.shift;
            inhibition.chosen |= field.top();
        }
        let mut overflows = None;
        for arc in net.inputs().of(t) {
            let field = layout.field(arc.place);
            if field.width > 0 {
                of_word(&mut self.moves, starts.2, &mut index.moves, field.word, tops(field.word)).take |=
                    arc.weight << field.shift;
            }
        }
        for arc in net.resets().of(t) {
            let field = layout.field(arc.place);
            if field.width > 0 {
                let mask = super::swar::field_mask(field.top(), layout.tops()[field.word as usize]);
                of_word(&mut self.moves, starts.2, &mut index.moves, field.word, tops(field.word)).keep &=
                    !mask;
            }
        }
        for arc in net.outputs().of(t) {
            let field = layout.field(arc.place);
            if field.width == 0 {
                continue;
            }
            if arc.weight > field.capacity() {
                overflows.get_or_insert(arc.place);
                continue;
            }
            let step = of_word(&mut self.moves, starts.2, &mut index.moves, field.word, tops(field.word));
            step.give |= arc.weight << field.shift;
            if !field.proven {
                step.open |= field.top();
            }
        }
        let range = |from: usize, to: usize| from as u32..to as u32;
        if self.tests.len() == starts.0 {
            // A test that is always passed.
            of_word(&mut self.tests, starts.0, &mut index.tests, 0, tops(0));
        }
        self.entry_of[t.index()] = Some(self.entries.len() as u32);
        self.entries.push(Entry {
            first: self.tests[starts.0],
            transition: t,
            more: self.tests.len() > starts.0 + 1 || self.inhibitions.len() > starts.1,
            tests: range(starts.0 + 1, self.tests.len()),
            inhibitions: range(starts.1, self.inhibitions.len()),
            moves: range(starts.2, self.moves.len()),
            overflows,
        });
    }

    fn truncate(&mut self, (tests, inhibitions, moves): (usize, usize, usize)) {
        self.tests.truncate(tests);
        self.inhibitions.truncate(inhibitions);
        self.moves.truncate(moves);
    }

    /// The position of a transition in the order in which they are tried.
    #[inline(always)]
    pub fn rank(&self, transition: TransitionId) -> u32 {
        self.rank_of[transition.index()]
    }

    /// The position of the first entry whose rank is not below `from`.
    #[inline]
    pub fn position(&self, from: u32) -> usize {
        if from == 0 {
            return 0;
        }
        self.entries.partition_point(|entry| self.rank(entry.transition) < from)
    }

    /// What triggers transitions, if there are many.
    #[inline(always)]
    pub fn triggers(&self) -> Option<&Triggers> {
        self.triggers.as_ref()
    }

    /// Leaves granted entries out of what is triggered.
    pub fn leave_out(&mut self, is_out: impl Fn(u32) -> bool) {
        if let Some(triggers) = &mut self.triggers {
            triggers.leave_out(is_out);
        }
    }

    /// How many transitions it has.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The transition of an entry.
    #[inline(always)]
    pub fn transition(&self, entry: usize) -> TransitionId {
        self.entries[entry].transition
    }

    /// The entry of a transition; none if it can never be enabled in this layout.
    pub fn entry_of(&self, transition: TransitionId) -> Option<usize> {
        self.entry_of[transition.index()].map(|entry| entry as usize)
    }

    /// Whether an entry's transition is enabled.
    #[inline(always)]
    pub fn is_enabled(&self, entry: usize, words: &[u64]) -> bool {
        let entry = &self.entries[entry];
        entry.first.passes(words) && (!entry.more || self.passes_the_rest(entry, words))
    }

    /// Whether every state enables an entry's transition.
    pub fn is_granted(&self, entry: usize) -> bool {
        let entry = &self.entries[entry];
        entry.first.need == 0 && !entry.more
    }

    #[inline]
    fn passes_the_rest(&self, entry: &Entry, words: &[u64]) -> bool {
        let tests = &self.tests[entry.tests.start as usize..entry.tests.end as usize];
        let inhibitions = &self.inhibitions[entry.inhibitions.start as usize..entry.inhibitions.end as usize];
        tests.iter().all(|test| test.passes(words)) && inhibitions.iter().all(|i| i.passes(words))
    }

    /// Fires an enabled entry: changes the words it touches. Returns the top bit and word of a field that is
    /// too narrow, if any; the words are then half changed.
    #[inline(always)]
    pub fn fire(&self, entry: usize, words: &mut [u64]) -> Result<(), Overflow> {
        let entry = &self.entries[entry];
        if let Some(place) = entry.overflows {
            return Err(Overflow::Place(place));
        }
        for step in &self.moves[entry.moves.start as usize..entry.moves.end as usize] {
            let word = &mut words[step.word as usize];
            let left = (*word - step.take) & step.keep;
            // A field overflows iff the room left in it is less than what comes.
            if step.open != 0 {
                let fits = at_least(!left, step.give, step.tops);
                if fits & step.open != step.open {
                    return Err(Overflow::Field { word: step.word, tops: step.open & !fits });
                }
            }
            *word = left + step.give;
        }
        Ok(())
    }

    /// Puts the words that an entry touches back to what they were in `original`.
    #[inline(always)]
    pub fn restore(&self, entry: usize, words: &mut [u64], original: &[u64]) {
        let entry = &self.entries[entry];
        for step in &self.moves[entry.moves.start as usize..entry.moves.end as usize] {
            words[step.word as usize] = original[step.word as usize];
        }
    }
}

/// A field that cannot hold what it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The field of this place.
    Place(PlaceId),
    /// One of the fields with these top bits.
    Field {
        /// The word they lie in.
        word: u32,
        /// Their top bits.
        tops: u64,
    },
}
