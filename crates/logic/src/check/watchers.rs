//! The observer that answers properties while a search goes by.

use std::cell::RefCell;
use std::sync::Arc;

use sweepnet_net::{Net, PlaceId, TransitionId};
use sweepnet_space::{Budget, Observer, Report, StateId, View as StateView};

use super::answer::{Answer, Method, Undecided, Verdict};
use super::conclude::{self, SEARCH};
use super::facts::StructuralFacts;
use super::groups::Groups;
use super::local::LocalPredicate;
use super::watch::{Sight, Watch};
use crate::{EvalError, Property, Question, View};

/// A state under search, as predicates see it.
pub(super) struct Seen<'a, 'b> {
    state: &'a StateView<'b>,
    dead: bool,
    groups: &'a RefCell<Groups>,
}

impl<'a, 'b> Seen<'a, 'b> {
    /// The first look at a state.
    #[inline]
    fn first(state: &'a StateView<'b>, dead: bool, groups: &'a RefCell<Groups>) -> Self {
        groups.borrow_mut().forget();
        Self { state, dead, groups }
    }
}

impl View for Seen<'_, '_> {
    #[inline]
    fn tokens(&self, place: PlaceId) -> u64 {
        self.state.tokens(place)
    }

    #[inline]
    fn is_enabled(&self, transition: TransitionId) -> bool {
        self.state.is_enabled(transition)
    }

    fn any_enabled(&self, transitions: &Arc<[TransitionId]>) -> bool {
        self.groups.borrow_mut().any_enabled(transitions, self.state)
    }

    fn is_dead(&self) -> bool {
        self.dead
    }

    fn is_initial(&self) -> bool {
        self.state.id == StateId::INITIAL
    }
}

/// One property under way.
#[derive(Clone, Debug)]
struct Watcher {
    watch: Watch,
    /// What finding it means.
    if_found: Verdict,
    /// Whether it looks at states only when their successors are known.
    waits: bool,
    /// What it looks for by tables over local numbers, where states have them; shared by all threads.
    local: Option<Arc<LocalPredicate>>,
    answer: Option<Answer>,
}

impl Watcher {
    /// Looks at a state.
    #[inline]
    fn look(&mut self, seen: &Seen<'_, '_>) -> Result<Sight, EvalError> {
        let state = seen.state;
        let numbering = state.numbering();
        if numbering.is_some() {
            if !self.local.as_ref().is_some_and(|local| local.is_for(numbering)) {
                let target = self.watch.target();
                self.local = target.and_then(|it| LocalPredicate::new(&it, state)).map(Arc::new);
            }
            if let Some(local) = &self.local {
                return Ok(if local.eval(state, seen)? { Sight::Found } else { Sight::Nothing });
            }
        }
        self.watch.look(seen, || state.total_tokens())
    }
}

/// All properties under way.
#[derive(Clone, Debug)]
pub struct Watchers<'a> {
    net: &'a Net,
    watchers: Vec<Watcher>,
    /// Positions of those that are not decided.
    open: Vec<usize>,
    /// Positions of those that wait for a path to the present state.
    waiting: Vec<usize>,
    wants_fired: bool,
    /// Lists of transitions that several of them ask for.
    groups: RefCell<Groups>,
    /// How many of the properties are asked; the others are conditions that the model itself makes.
    asked: usize,
    /// Whether it is enough to know that a state was found, without a path to it.
    pathless: bool,
}

impl<'a> Watchers<'a> {
    /// Watchers for all properties; those that structure decides have their answers.
    /// Behind them come conditions: properties that the model promises.
    pub fn new(
        net: &'a Net,
        facts: &StructuralFacts<'_>,
        properties: &[Property],
        conditions: &[Property],
    ) -> Self {
        let unanswered = |why| Watcher {
            watch: Watch::Unchanged(Vec::new()),
            if_found: Verdict::Unknown,
            waits: false,
            local: None,
            answer: Some(Answer::unknown(why, Method::Nothing)),
        };
        let watcher = |property: &Property| match Watch::for_question(&property.question, facts) {
            Ok((mut watch, if_found)) => {
                let answer = conclude::by_structure(&mut watch, if_found, facts);
                Watcher { waits: watch.waits_for_expansion(), watch, if_found, local: None, answer }
            }
            Err(undecided) => unanswered(undecided),
        };
        let watchers: Vec<Watcher> = properties.iter().chain(conditions).map(watcher).collect();
        let open: Vec<usize> = (0..watchers.len()).filter(|i| watchers[*i].answer.is_none()).collect();
        let wants_fired = open.iter().any(|i| matches!(watchers[*i].watch, Watch::Unfired { .. }));
        Self {
            net,
            watchers,
            open,
            waiting: Vec::new(),
            wants_fired,
            groups: RefCell::default(),
            asked: properties.len(),
            pathless: false,
        }
    }

    /// The same, content with knowing that a state was found.
    pub fn pathless(self) -> Self {
        Self { pathless: true, ..self }
    }

    /// The same, with masks of transitions only as far as the budget allows.
    pub fn within(self, budget: &Budget) -> Self {
        Self { groups: RefCell::new(Groups::within(budget)), ..self }
    }

    /// The first look at a state, for somebody else.
    pub(super) fn seen<'s, 'b>(&'s self, state: &'s StateView<'b>, dead: bool) -> Seen<'s, 'b> {
        Seen::first(state, dead, &self.groups)
    }

    /// Leaves what one predicate decides, and is not decided, to the graph.
    pub fn leave_to_the_graph(&mut self, properties: &[Property]) {
        for (property, watcher) in properties.iter().zip(&mut self.watchers) {
            let by_a_predicate = matches!(
                property.question,
                Question::Invariant(_) | Question::Reachable(_) | Question::Unreachable(_)
            );
            if by_a_predicate && watcher.answer.is_none() {
                watcher.answer = Some(Answer::unknown(Undecided::NeedsGraph, Method::Nothing));
            }
        }
        self.drop_decided();
    }

    /// The positions of what is asked about paths.
    pub fn that_need_the_graph(&self) -> Vec<usize> {
        let needs = |watcher: &Watcher| {
            watcher.answer.as_ref().is_some_and(|answer| answer.undecided == Some(Undecided::NeedsGraph))
        };
        (0..self.asked).filter(|at| needs(&self.watchers[*at])).collect()
    }

    /// Whether every property that is asked has its answer.
    pub fn all_decided(&self) -> bool {
        self.open.iter().all(|i| *i >= self.asked)
    }

    /// Whether something was said of what is asked that counts only if all conditions are kept: by structure, of a model
    /// that may be wrong.
    pub fn rests_on_conditions(&self) -> bool {
        let by_structure = |watcher: &Watcher| {
            let answer = watcher.answer.as_ref();
            answer.is_some_and(|answer| answer.method == Method::Structure && answer.trace.is_none())
        };
        !self.conditions_are_kept() && self.watchers[..self.asked].iter().any(by_structure)
    }

    /// Whether every condition is known to be kept.
    pub fn conditions_are_kept(&self) -> bool {
        self.watchers[self.asked..]
            .iter()
            .all(|watcher| watcher.answer.as_ref().is_some_and(|answer| answer.verdict == Verdict::Holds))
    }

    /// The first condition that is broken, with its answer.
    pub fn broken(&self) -> Option<(usize, &Answer)> {
        let conditions = self.watchers[self.asked..].iter().enumerate();
        conditions.filter_map(|(i, watcher)| Some((i, watcher.answer.as_ref()?))).find(|(_, answer)| {
            // One that cannot be decided is not broken.
            answer.verdict == Verdict::Violated
        })
    }

    /// The answers, given how the search ended, if there was one.
    pub fn answers(self, report: Option<&Report>) -> Vec<Answer> {
        let net = self.net;
        let conclude = |watcher: Watcher| {
            let Watcher { watch, if_found, answer, .. } = watcher;
            let mut answer = match (answer, report) {
                (Some(answer), _) => answer,
                (None, Some(report)) => conclude::at_the_end(&watch, if_found, net, report),
                (None, None) => unreachable!("a search is made while a property is open"),
            };
            if let (Method::Search(search), Some(report)) = (&mut answer.method, report) {
                *search = report.search;
            }
            answer
        };
        self.watchers.into_iter().take(self.asked).map(conclude).collect()
    }

    /// Lets every open property that is concerned look at a state; tells whether one wants the path to it.
    #[inline]
    fn look(&mut self, state: &StateView<'_>, expanded: bool, dead: bool) -> bool {
        let mut decided = false;
        // Nobody waits for a path to an earlier state any more, even if there was no memory to give it.
        self.waiting.clear();
        let seen = Seen::first(state, dead, &self.groups);
        for i in &self.open {
            let watcher = &mut self.watchers[*i];
            if watcher.waits != expanded {
                continue;
            }
            match watcher.look(&seen) {
                Ok(Sight::Nothing) => {}
                Ok(Sight::Found) if self.pathless => {
                    watcher.answer = Some(Answer::plain(watcher.if_found, SEARCH));
                    decided = true;
                }
                Ok(Sight::Found) => self.waiting.push(*i),
                Ok(Sight::Exhausted) => {
                    watcher.answer = Some(conclude::exhausted(&watcher.watch, watcher.if_found));
                    decided = true;
                }
                Err(EvalError::Overflow) => {
                    watcher.answer = Some(Answer::unknown(Undecided::Overflow, SEARCH));
                    decided = true;
                }
            }
        }
        if decided {
            self.drop_decided();
        }
        !self.waiting.is_empty()
    }

    fn drop_decided(&mut self) {
        self.open.retain(|i| self.watchers[*i].answer.is_none());
    }
}

impl Observer for Watchers<'_> {
    fn wants_fired(&self) -> bool {
        self.wants_fired
    }

    fn wants_paths(&self) -> bool {
        !self.pathless && self.open.iter().any(|i| self.watchers[*i].watch.is_shown_by_a_state())
    }

    fn wants_new(&self) -> bool {
        self.open.iter().any(|i| !self.watchers[*i].waits)
    }

    fn wants_expanded(&self) -> bool {
        self.open.iter().any(|i| self.watchers[*i].waits)
    }

    fn discovered(&mut self, state: &StateView<'_>) -> bool {
        self.look(state, false, false)
    }

    fn fired(&mut self, event: TransitionId) {
        let mut decided = false;
        for i in &self.open {
            let watcher = &mut self.watchers[*i];
            if let Watch::Unfired { classes, fired, left } = &mut watcher.watch
                && !std::mem::replace(&mut fired[classes[event.index()] as usize], true)
            {
                *left -= 1;
                if *left == 0 {
                    watcher.answer = Some(conclude::exhausted(&watcher.watch, watcher.if_found));
                    decided = true;
                }
            }
        }
        if decided {
            self.drop_decided();
        }
    }

    fn expanded(&mut self, state: &StateView<'_>, successors: u64) -> bool {
        self.look(state, true, successors == 0)
    }

    fn witness(&mut self, path: Vec<TransitionId>) {
        for i in std::mem::take(&mut self.waiting) {
            let watcher = &mut self.watchers[i];
            watcher.answer = Some(conclude::shown(&watcher.watch, watcher.if_found, self.net, path.clone()));
        }
        self.drop_decided();
    }

    fn is_done(&self) -> bool {
        // Where nothing is asked, somebody else watches, too, and wants to see everything.
        if self.asked > 0 && self.asked == self.watchers.len() {
            return self.open.is_empty();
        }
        let is_enough = self.asked > 0 && self.all_decided() && !self.rests_on_conditions();
        is_enough || self.broken().is_some()
    }

    fn fork(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn join(&mut self, part: Self) {
        for i in &self.open {
            let (mine, theirs) = (&mut self.watchers[*i], &part.watchers[*i]);
            mine.watch.join(&theirs.watch);
            if mine.answer.is_none() {
                mine.answer.clone_from(&theirs.answer);
            }
        }
        self.drop_decided();
    }
}
