//! Answering questions while a search on coloured markings goes by.

use sweepnet_colour::compile::{Compiler, WordCode};
use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::term::Part;
use sweepnet_colour::{Closed, ColouredNet, Event, Fault, Frame, Node, Patience, Term, World};
use sweepnet_language::question::{Property as Asked, Question as Asks};
use sweepnet_space::StateId;
use sweepnet_space::coloured::ColouredObserver;

use crate::check::{Undecided, Verdict};

/// A term made ready to be evaluated in states.
pub(super) struct Code {
    word: WordCode,
    slots: Vec<u64>,
}

impl Code {
    pub(super) fn new(net: &ColouredNet, term: &Closed<Term>) -> Self {
        Self { word: Compiler::for_net(net).word(&term.body), slots: vec![0; term.frame] }
    }

    pub(super) fn eval(&mut self, world: &dyn World) -> Result<u64, Fault> {
        (self.word)(&mut Frame::within(&mut self.slots, world))
    }
}

/// What is watched for.
enum Watch {
    /// A state in which a term has this truth value.
    Target(Code, bool),
    /// The largest value of a term.
    Largest(Code, Option<i64>),
    /// More than so many tokens in a place.
    TooMany(u64),
    /// Another number of tokens than this.
    OtherTotal(u128),
    /// A transition that fires.
    Fires(usize),
    /// Until all transitions have fired.
    Unfired(Vec<bool>),
    /// Another number of tokens in a place.
    Changed(usize, u64),
    /// Until no place is left that has always had its initial number.
    Unchanged(Vec<(usize, u64)>),
    /// Nothing: it is answered.
    Nothing,
}

/// What is known of one question.
pub(super) struct Watcher {
    watch: Watch,
    if_found: Verdict,
    /// Whether it looks at states only when their successors are known.
    waits: bool,
    pub(super) outcome: Option<Outcome>,
}

/// How a question was decided.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// By a state, at the end of this path.
    Shown(Vec<Event>),
    /// The same, by repeating what grows.
    Repeated(Vec<Event>),
    /// It grows without end.
    Grows,
    /// There is nothing left to wait for.
    Exhausted,
    /// It cannot be.
    Undecided(Undecided),
}

/// All questions under way.
pub(super) struct ColouredWatchers {
    pub(super) watchers: Vec<Watcher>,
    /// Positions of those that wait for a path to the present state.
    waiting: Vec<usize>,
    /// How many places there are.
    places: usize,
}

/// Whether a term mentions something.
fn mentions(term: &Closed<Term>, what: &Node) -> bool {
    let mut found = false;
    term.body.walk(&mut |part| {
        if let Part::Term(term) = part {
            found |= term.node == *what;
        }
    });
    found
}

/// Whether a term is looked at only in states whose successors are known.
pub(super) fn waits_for_expansion(term: &Closed<Term>) -> bool {
    mentions(term, &Node::Deadlock)
}

/// Whether a question speaks of the time.
pub(super) fn mentions_clock(asked: &Asked) -> bool {
    let of = |term: &Closed<Term>| mentions(term, &Node::Clock);
    match &asked.question {
        Asks::Invariant(term) | Asks::Reachable(term) | Asks::Unreachable(term) => of(term),
        Asks::Bound(term) | Asks::Home(term) => of(term),
        Asks::Ctl(formula) | Asks::Ltl(formula) => formula.states().into_iter().any(of),
        _ => false,
    }
}

impl Watcher {
    fn new(net: &ColouredNet, asked: &Asked) -> Self {
        let target = |term: &Closed<Term>, truth| Watch::Target(Code::new(net, term), truth);
        let initial = |place: usize| net.places[place].initial.iter().map(|(_, count)| count).sum::<u64>();
        let (watch, if_found) = match &asked.question {
            Asks::Invariant(term) => (target(term, false), Verdict::Violated),
            Asks::Reachable(term) => (target(term, true), Verdict::Holds),
            Asks::Unreachable(term) => (target(term, true), Verdict::Violated),
            Asks::Bound(term) => (Watch::Largest(Code::new(net, term), None), Verdict::Holds),
            Asks::Safe(most) => (Watch::TooMany(*most), Verdict::Violated),
            Asks::Conservative => {
                let total = (0..net.places.len()).map(|place| u128::from(initial(place))).sum();
                (Watch::OtherTotal(total), Verdict::Violated)
            }
            Asks::QuasiLive if net.transitions.is_empty() => (Watch::Nothing, Verdict::Violated),
            Asks::QuasiLive => (Watch::Unfired(vec![false; net.transitions.len()]), Verdict::Holds),
            Asks::Dead(transition) => (Watch::Fires(*transition), Verdict::Violated),
            Asks::Fireable(transition) => (Watch::Fires(*transition), Verdict::Holds),
            Asks::Stable(place) => (Watch::Changed(*place, initial(*place)), Verdict::Violated),
            Asks::SomeStable => {
                let places = (0..net.places.len()).map(|place| (place, initial(place))).collect();
                (Watch::Unchanged(places), Verdict::Violated)
            }
            Asks::Home(_)
            | Asks::Reversible
            | Asks::Live(_)
            | Asks::AllLive
            | Asks::Ctl(_)
            | Asks::Ltl(_) => (Watch::Nothing, Verdict::Unknown),
        };
        let waits = match &asked.question {
            Asks::Invariant(term) | Asks::Reachable(term) | Asks::Unreachable(term) | Asks::Bound(term) => {
                waits_for_expansion(term)
            }
            _ => false,
        };
        // What is about paths is left to others.
        let is_about_paths = if_found == Verdict::Unknown;
        let outcome = is_about_paths.then_some(Outcome::Undecided(Undecided::NeedsGraph));
        Self { watch, if_found, waits, outcome }
    }

    /// The verdict when it is found.
    pub(super) fn if_found(&self) -> Verdict {
        self.if_found
    }

    /// The largest value seen, if that is asked for.
    pub(super) fn largest(&self) -> Option<Option<i64>> {
        match &self.watch {
            Watch::Largest(_, best) => Some(*best),
            _ => None,
        }
    }

    /// The transitions that did not fire, if that is asked for.
    pub(super) fn unfired(&self) -> Option<Vec<usize>> {
        match &self.watch {
            Watch::Unfired(fired) => Some((0..fired.len()).filter(|t| !fired[*t]).collect()),
            _ => None,
        }
    }

    /// The places that did not change, if that is asked for.
    pub(super) fn unchanged(&self) -> Option<Vec<usize>> {
        match &self.watch {
            Watch::Unchanged(places) => Some(places.iter().map(|(place, _)| *place).collect()),
            _ => None,
        }
    }

    /// Looks at a state; tells whether it is the one.
    fn look(&mut self, world: &dyn World, places: usize) -> bool {
        let mut undecided = None;
        let found = match &mut self.watch {
            Watch::Target(code, truth) => match code.eval(world) {
                Ok(word) => (word != 0) == *truth,
                // Nobody waits for it any more: the search ends here, and says why.
                Err(Fault::Interrupted) => false,
                Err(fault) => {
                    undecided = Some(Undecided::NoValue(fault));
                    false
                }
            },
            Watch::Largest(code, best) => {
                match code.eval(world) {
                    Ok(word) => *best = (*best).max(Some(word as i64)),
                    Err(Fault::Interrupted) => {}
                    Err(fault) => undecided = Some(Undecided::NoValue(fault)),
                }
                false
            }
            Watch::TooMany(most) => (0..places).any(|place| world.total(place) > *most),
            Watch::OtherTotal(initial) => {
                (0..places).map(|place| u128::from(world.total(place))).sum::<u128>() != *initial
            }
            Watch::Fires(transition) => world.is_enabled(*transition, &[]) == Ok(true),
            Watch::Changed(place, initial) => world.total(*place) != *initial,
            Watch::Unchanged(left) => {
                left.retain(|(place, initial)| world.total(*place) == *initial);
                if left.is_empty() {
                    self.outcome = Some(Outcome::Exhausted);
                }
                false
            }
            Watch::Unfired(_) | Watch::Nothing => false,
        };
        if let Some(why) = undecided {
            self.outcome = Some(Outcome::Undecided(why));
        }
        found
    }
}

impl ColouredWatchers {
    pub(super) fn new(net: &ColouredNet, asked: &[Asked]) -> Self {
        let watchers = asked.iter().map(|asked| Watcher::new(net, asked)).collect();
        Self { watchers, waiting: Vec::new(), places: net.places.len() }
    }

    /// Lets what is open look at a state that repeating a sequence leads to.
    pub(super) fn repeat(&mut self, world: &dyn World, path: &[Event]) {
        let places = self.places;
        for watcher in self.watchers.iter_mut().filter(|watcher| !watcher.waits) {
            let is_open = watcher.outcome.is_none();
            if is_open && watcher.look(world, places) {
                watcher.outcome = Some(Outcome::Repeated(path.to_vec()));
            }
        }
    }

    /// Whether repeating a sequence shows nothing more.
    pub(super) fn has_seen_enough(&self) -> bool {
        let may_be_shown = |watcher: &Watcher| {
            !watcher.waits
                && !matches!(watcher.watch, Watch::Largest(..) | Watch::Unfired(_) | Watch::Nothing)
        };
        !self.watchers.iter().any(|watcher| watcher.outcome.is_none() && may_be_shown(watcher))
    }

    /// Lets every open question that is concerned look at a state; tells whether one wants the path to it.
    fn look(&mut self, world: &dyn World, places: usize, expanded: bool) -> bool {
        self.waiting.clear();
        for (at, watcher) in self.watchers.iter_mut().enumerate() {
            if watcher.outcome.is_none() && watcher.waits == expanded && watcher.look(world, places) {
                self.waiting.push(at);
            }
        }
        !self.waiting.is_empty()
    }
}

impl ColouredObserver for ColouredWatchers {
    fn discovered(&mut self, state: &MarkingWorld<'_>, _: StateId) -> bool {
        self.look(state, state.marking.places.len(), false)
    }

    fn fired(&mut self, transition: usize) {
        for watcher in &mut self.watchers {
            if let Watch::Unfired(fired) = &mut watcher.watch {
                fired[transition] = true;
                if fired.iter().all(|fired| *fired) {
                    watcher.outcome.get_or_insert(Outcome::Exhausted);
                }
            }
        }
    }

    fn expanded(&mut self, state: &MarkingWorld<'_>, _: StateId, successors: u64) -> bool {
        let known = Expanded { state, dead: successors == 0 };
        self.look(&known, state.marking.places.len(), true)
    }

    fn witness(&mut self, path: Vec<Event>) {
        for at in std::mem::take(&mut self.waiting) {
            self.watchers[at].outcome = Some(Outcome::Shown(path.clone()));
        }
    }

    fn is_done(&self) -> bool {
        self.watchers.iter().all(|watcher| watcher.outcome.is_some())
    }
}

/// A state of which it is known whether it is dead.
pub(super) struct Expanded<'a> {
    pub(super) state: &'a MarkingWorld<'a>,
    pub(super) dead: bool,
}

impl World for Expanded<'_> {
    fn tokens(&self, place: usize, see: &mut dyn FnMut(&[u64], u64)) {
        self.state.tokens(place, see);
    }

    fn total(&self, place: usize) -> u64 {
        self.state.total(place)
    }

    fn count(&self, place: usize, value: &[u64]) -> u64 {
        self.state.count(place, value)
    }

    fn is_enabled(&self, transition: usize, values: &[(usize, Vec<u64>)]) -> Result<bool, Fault> {
        self.state.is_enabled(transition, values)
    }

    fn is_dead(&self) -> Result<bool, Fault> {
        Ok(self.dead)
    }

    fn is_initial(&self) -> bool {
        self.state.is_initial()
    }

    fn clock(&self) -> i64 {
        self.state.clock()
    }

    fn patience(&self) -> Patience<'_> {
        self.state.patience
    }
}
