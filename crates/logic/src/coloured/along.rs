//! What is watched along a search on coloured markings for questions about paths: its graph, or, in a sweep, the terminal
//! components that it shows before it drops them.

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::{Event, Fault, World};
use sweepnet_space::StateId;
use sweepnet_space::coloured::ColouredObserver;

use super::labels::Labels;
use super::record::Record;
use super::watch::{ColouredWatchers, Expanded};
use crate::check::Undecided;
use crate::check::ends::Ends;
use crate::predicate::Predicate;
use crate::property::Question;

/// Lets watchers see a search, and what else is wanted of it.
pub(super) struct Along<'a, 'n> {
    pub watchers: ColouredWatchers,
    pub labels: &'a mut Labels<'n>,
    /// The graph under way, if it is wanted.
    pub record: Option<Record>,
    /// What terminal components have to show, if that is wanted; for each question a label, or all transitions.
    pub wanted: Vec<Wanted>,
    pub ends: Ends<Vec<Event>>,
}

/// What a question wants to see in every terminal component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A state with this label.
    Label(usize),
    /// States in which, together, all of so many transitions are enabled.
    Transitions(usize),
}

impl Wanted {
    /// How many things that are.
    pub fn things(self) -> usize {
        match self {
            Self::Label(_) => 1,
            Self::Transitions(count) => count,
        }
    }
}

/// What questions about labels want, if terminal components decide all of them.
pub(super) fn wanted(questions: &[Question], transitions: usize) -> Option<Vec<Wanted>> {
    let wanted = |question: &Question| match question {
        Question::Live => Some(Wanted::Transitions(transitions)),
        Question::Home(Predicate::Enabled(label)) => Some(Wanted::Label(label.index())),
        _ => None,
    };
    questions.iter().map(wanted).collect()
}

/// What a state has, as far as it is known: where nobody waits for it any more, the search ends here, and says why.
fn known(has: Result<bool, Fault>) -> Result<bool, Undecided> {
    match has {
        Err(Fault::Interrupted) => Ok(false),
        known => known.map_err(Undecided::NoValue),
    }
}

impl<'a, 'n> Along<'a, 'n> {
    /// Nothing to watch but what watchers do.
    pub fn new(watchers: ColouredWatchers, labels: &'a mut Labels<'n>) -> Self {
        Self { watchers, labels, record: None, wanted: Vec::new(), ends: Ends::new([]) }
    }
}

impl ColouredObserver for Along<'_, '_> {
    fn wants_edges(&self) -> bool {
        self.record.is_some()
    }

    fn wants_terminal(&self) -> bool {
        !self.ends.is_empty()
    }

    fn discovered(&mut self, state: &MarkingWorld<'_>, id: StateId) -> bool {
        self.ends.leave();
        if let Some(record) = &mut self.record {
            record.discovered(self.labels, state, id);
        }
        self.watchers.discovered(state, id)
    }

    fn edge(&mut self, source: StateId, event: Event, target: StateId) {
        if let Some(record) = &mut self.record {
            record.edge(source, event, target);
        }
    }

    fn fired(&mut self, transition: usize) {
        self.watchers.fired(transition);
    }

    fn expanded(&mut self, state: &MarkingWorld<'_>, id: StateId, successors: u64) -> bool {
        self.ends.leave();
        if let Some(record) = &mut self.record {
            let dead = successors == 0;
            record.expanded(self.labels, &Expanded { state, dead }, id, dead);
        }
        self.watchers.expanded(state, id, successors)
    }

    fn terminal(&mut self, state: &MarkingWorld<'_>, _: StateId) {
        let Self { labels, wanted, ends, .. } = self;
        ends.look(|at, seen| {
            match wanted[at] {
                Wanted::Label(label) => seen[0] = known(labels.has(label, state))?,
                Wanted::Transitions(_) => {
                    for (transition, seen) in seen.iter_mut().enumerate().filter(|(_, seen)| !**seen) {
                        *seen = known(state.is_enabled(transition, &[]))?;
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

    fn witness(&mut self, path: Vec<Event>) {
        if let Some(path) = self.ends.witness(path) {
            self.watchers.witness(path);
        }
    }

    fn is_done(&self) -> bool {
        if let Some(record) = &self.record {
            // What watchers have decided is not enough: the graph has to be whole.
            return record.is_refused();
        }
        self.ends.is_regressed() || self.ends.is_decided() && self.watchers.is_done()
    }
}
