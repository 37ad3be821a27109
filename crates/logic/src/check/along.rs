//! What is watched along a search for questions about paths.
//!
//! The graph, or, for `home` and `live` in a sweep, the terminal components that it shows before it drops them.
//! A predicate is home if every terminal strongly connected component has a state where it holds; a transition is live if
//! each has a state where it is enabled. As long as no step loses progress a sweep can tell the components.

use std::sync::Arc;

use sweepnet_graph::Builder;
use sweepnet_net::{Net, TransitionId};
use sweepnet_space::{Control, Observer, Plan, Report, StateId, System, Trace, View as StateView, explore};

use super::answer::{Answer, Detail, Undecided, Verdict};
use super::conclude::SEARCH;
use super::watch::transition_classes;
use super::watchers::{Seen, Watchers};
use crate::predicate::Predicate;
use crate::property::Question;

/// A question that terminal components decide.
#[derive(Debug)]
enum Wanted<'a> {
    /// A state where this holds.
    Home(&'a Predicate),
    /// States where, together, transitions of all classes are enabled.
    Live { classes: Arc<[u32]>, seen: Vec<bool> },
}

/// One of them under way.
#[derive(Debug)]
struct End<'a> {
    wanted: Wanted<'a>,
    /// Whether the present component has what is wanted.
    met: bool,
    answer: Option<Answer>,
}

/// Watches terminal components, or builds the graph, and lets watchers see the rest.
pub(super) struct Along<'a, 'w, 'n> {
    net: &'n Net,
    watchers: &'w mut Watchers<'n>,
    /// The graph under way, if it is wanted.
    pub builder: Option<Builder>,
    ends: Vec<End<'a>>,
    /// Positions of those that wait for a path.
    waiting: Vec<usize>,
    /// Whether the path that is asked for is to a terminal component.
    at_an_end: bool,
    regressed: bool,
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
    let end = |question: &'q Question| {
        let wanted = match question {
            Question::Home(predicate) => Wanted::Home(predicate),
            Question::Live => {
                let (classes, count) = transition_classes(net);
                Wanted::Live { classes, seen: vec![false; count] }
            }
            _ => return None,
        };
        Some(End { wanted, met: false, answer: None })
    };
    let ends = questions.iter().map(end).collect::<Option<Vec<_>>>()?;
    let mut before = watchers.clone();
    let mut ends = Along { ends, ..Along::new(net, &mut before) };
    let report = explore(net, plan, control, &mut ends);
    if ends.regressed {
        return None;
    }
    let conclude = |end: End<'_>| match (end.answer, report.stopped) {
        (Some(answer), _) => answer,
        (None, None) => Answer::plain(Verdict::Holds, SEARCH),
        (None, Some(reason)) => Answer::unknown(Undecided::Stopped(reason), SEARCH),
    };
    let answers = std::mem::take(&mut ends.ends).into_iter().map(conclude).collect();
    *watchers = before;
    Some((report, answers))
}

impl<'w, 'n> Along<'_, 'w, 'n> {
    /// Nothing to watch but what watchers do.
    pub fn new(net: &'n Net, watchers: &'w mut Watchers<'n>) -> Self {
        let (ends, waiting) = (Vec::new(), Vec::new());
        Self { net, watchers, builder: None, ends, waiting, at_an_end: false, regressed: false }
    }
}

impl Observer for Along<'_, '_, '_> {
    const NUMBERED: bool = true;

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
    fn discovered<S: System>(&mut self, state: &StateView<'_, S>) -> bool {
        self.at_an_end = false;
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
    fn expanded<S: System>(&mut self, state: &StateView<'_, S>, successors: u64) -> bool {
        self.at_an_end = false;
        if let Some(builder) = &mut self.builder {
            Observer::expanded(builder, state, successors);
        }
        self.watchers.expanded(state, successors)
    }

    fn terminal<S: System>(&mut self, state: &StateView<'_, S>) {
        for end in self.ends.iter_mut().filter(|end| end.answer.is_none() && !end.met) {
            match &mut end.wanted {
                Wanted::Home(predicate) => {
                    let is_dead = || self.net.transition_ids().all(|t| !state.is_enabled(t));
                    let dead = predicate.mentions_deadlock() && is_dead();
                    match predicate.eval(&Seen { state, dead }) {
                        Ok(holds) => end.met = holds,
                        Err(error) => end.answer = Some(Answer::unknown(error.into(), SEARCH)),
                    }
                }
                Wanted::Live { classes, seen } => {
                    for transition in self.net.transition_ids() {
                        let class = classes[transition.index()] as usize;
                        seen[class] = seen[class] || state.is_enabled(transition);
                    }
                    end.met = seen.iter().all(|seen| *seen);
                }
            }
        }
    }

    fn terminal_end(&mut self) -> bool {
        self.waiting.clear();
        for (at, end) in self.ends.iter_mut().enumerate() {
            if !std::mem::take(&mut end.met) && end.answer.is_none() {
                self.waiting.push(at);
            } else if let Wanted::Live { seen, .. } = &mut end.wanted {
                seen.fill(false);
            }
        }
        self.at_an_end = !self.waiting.is_empty();
        self.at_an_end
    }

    fn regressed(&mut self) {
        self.regressed = true;
    }

    fn witness(&mut self, path: Vec<TransitionId>) {
        if !self.at_an_end {
            return self.watchers.witness(path);
        }
        for at in std::mem::take(&mut self.waiting) {
            let end = &mut self.ends[at];
            end.answer = Some(match Trace::replay(self.net, path.clone()) {
                Ok(trace) => {
                    let detail = match &end.wanted {
                        Wanted::Home(_) => None,
                        Wanted::Live { seen, .. } => {
                            let missing = seen.iter().enumerate().filter(|(_, seen)| !**seen);
                            Some(Detail::NeverAgain(missing.map(|(class, _)| class).collect()))
                        }
                    };
                    Answer { trace: Some(trace), detail, ..Answer::plain(Verdict::Violated, SEARCH) }
                }
                Err(error) => Answer::unknown(Undecided::NotReplayed(error.to_string()), SEARCH),
            });
        }
    }

    fn is_done(&self) -> bool {
        if let Some(builder) = &self.builder {
            // What watchers have decided is not enough: the graph has to be whole.
            return builder.is_refused() || self.watchers.broken().is_some();
        }
        let decided = self.ends.iter().all(|end| end.answer.is_some()) && self.watchers.is_done();
        self.regressed || decided || self.watchers.broken().is_some()
    }
}
