//! What is watched along a search for questions about paths.
//!
//! The graph, or, for `home` and `live` in a sweep, the terminal components that it shows before it drops them.
//! A predicate is home if every terminal strongly connected component has a state where it holds; a transition is live if
//! each has a state where it is enabled. As long as no step loses progress a sweep can tell the components.

use std::sync::Arc;

use sweepnet_graph::Builder;
use sweepnet_net::{Net, TransitionId};
use sweepnet_space::{Control, Observer, Plan, Report, StateId, Trace, View as StateView, explore};

use super::answer::{Answer, Detail, Undecided, Verdict};
use super::conclude::SEARCH;
use super::ends::{Ends, Outcome};
use super::watch::transition_classes;
use super::watchers::Watchers;
use crate::predicate::Predicate;
use crate::property::Question;

/// What a question wants to see in every terminal component.
#[derive(Debug)]
enum Wanted<'a> {
    /// A state where this holds.
    Home(&'a Predicate),
    /// States where, together, transitions of all classes are enabled.
    Live(Arc<[u32]>),
}

/// Watches terminal components, or builds the graph, and lets watchers see the rest.
pub(super) struct Along<'a, 'w, 'n> {
    net: &'n Net,
    watchers: &'w mut Watchers<'n>,
    /// The graph under way, if it is wanted.
    pub builder: Option<Builder>,
    wanted: Vec<Wanted<'a>>,
    ends: Ends<Vec<TransitionId>>,
}

/// Answers questions during a sweep. Nothing if one of them is of another kind, or if a step lost progress: then they need
/// the graph.
pub fn sweep<'q, 'n>(
    net: &'n Net,
    plan: &Plan,
    control: &mut Control<'_>,
    watchers: &mut Watchers<'n>,
    questions: &'q [Question],
) -> Option<(Report, Vec<Answer>)> {
    let wanted = |question: &'q Question| match question {
        Question::Home(predicate) => Some((Wanted::Home(predicate), 1)),
        Question::Live => {
            let (classes, count) = transition_classes(net);
            Some((Wanted::Live(classes), count))
        }
        _ => None,
    };
    let (wanted, things): (_, Vec<usize>) =
        questions.iter().map(wanted).collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let mut before = watchers.clone();
    let mut along = Along { wanted, ends: Ends::new(things), ..Along::new(net, &mut before) };
    let report = explore(net, plan, control, &mut along);
    if along.ends.is_regressed() {
        return None;
    }
    let Along { wanted, ends, .. } = along;
    let conclude = |(wanted, outcome): (&Wanted<'_>, _)| match (outcome, report.stopped) {
        (Some(Outcome::Lacking(classes, path)), _) => lacking(net, wanted, classes, path),
        (Some(Outcome::Undecided(why)), _) => Answer::unknown(why, SEARCH),
        (None, None) => Answer::plain(Verdict::Holds, SEARCH),
        (None, Some(reason)) => Answer::unknown(Undecided::Stopped(reason), SEARCH),
    };
    let answers = wanted.iter().zip(ends.outcomes()).map(conclude).collect();
    *watchers = before;
    Some((report, answers))
}

/// The answer where a terminal component lacks something.
fn lacking(net: &Net, wanted: &Wanted<'_>, classes: Vec<usize>, path: Vec<TransitionId>) -> Answer {
    let detail = match wanted {
        Wanted::Home(_) => None,
        Wanted::Live(_) => Some(Detail::NeverAgain(classes)),
    };
    match Trace::replay(net, path) {
        Ok(trace) => Answer { trace: Some(trace), detail, ..Answer::plain(Verdict::Violated, SEARCH) },
        Err(error) => Answer::unknown(Undecided::NotReplayed(error.to_string()), SEARCH),
    }
}

impl<'w, 'n> Along<'_, 'w, 'n> {
    /// Nothing to watch but what watchers do.
    pub fn new(net: &'n Net, watchers: &'w mut Watchers<'n>) -> Self {
        Self { net, watchers, builder: None, wanted: Vec::new(), ends: Ends::new([]) }
    }
}

impl Observer for Along<'_, '_, '_> {
    fn wants_edges(&self) -> bool {
        self.builder.is_some()
    }

    fn wants_fired(&self) -> bool {
        self.watchers.wants_fired()
    }

    fn wants_paths(&self) -> bool {
        !self.ends.is_empty() || self.watchers.wants_paths()
    }

    fn wants_terminal(&self) -> bool {
        !self.ends.is_empty()
    }

    #[inline]
    fn discovered(&mut self, state: &StateView<'_>) -> bool {
        self.ends.leave();
        self.watchers.discovered(state)
    }

    #[inline]
    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        if let Some(builder) = &mut self.builder {
            Observer::edge(builder, source, event, target);
        }
    }

    fn fired(&mut self, event: TransitionId) {
        self.watchers.fired(event);
    }

    #[inline]
    fn expanded(&mut self, state: &StateView<'_>, successors: u64) -> bool {
        self.ends.leave();
        if let Some(builder) = &mut self.builder {
            Observer::expanded(builder, state, successors);
        }
        self.watchers.expanded(state, successors)
    }

    fn terminal(&mut self, state: &StateView<'_>) {
        let Self { net, wanted, ends, watchers, .. } = self;
        ends.look(|at, seen| {
            match &wanted[at] {
                Wanted::Home(predicate) => {
                    let is_dead = || net.transition_ids().all(|t| !state.is_enabled(t));
                    let dead = predicate.mentions_deadlock() && is_dead();
                    seen[0] = predicate.eval(&watchers.seen(state, dead))?;
                }
                Wanted::Live(classes) => {
                    for transition in net.transition_ids() {
                        let class = classes[transition.index()] as usize;
                        seen[class] = seen[class] || state.is_enabled(transition);
                    }
                }
            }
            Ok(())
        });
    }

    fn terminal_end(&mut self) -> bool {
        self.ends.complete()
    }

    fn regressed(&mut self) {
        self.ends.regress();
    }

    fn witness(&mut self, path: Vec<TransitionId>) {
        if let Some(path) = self.ends.witness(path) {
            self.watchers.witness(path);
        }
    }

    fn is_done(&self) -> bool {
        if let Some(builder) = &self.builder {
            // What watchers have decided is not enough: the graph has to be whole.
            return builder.is_refused() || self.watchers.broken().is_some();
        }
        let decided = self.ends.is_decided() && self.watchers.is_done();
        self.ends.is_regressed() || decided || self.watchers.broken().is_some()
    }
}
