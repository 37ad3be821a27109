//! An observer that writes down what a search tells, and what holds of it whatever the search.

use std::collections::{BTreeSet, HashSet};

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::{Observer, StateId, Trace, View};

/// What a search has told.
#[derive(Default)]
pub struct Seen {
    /// The states, by number.
    pub markings: Vec<Marking>,
    /// The edges, in order.
    pub edges: Vec<(StateId, TransitionId, StateId)>,
    /// The expanded states with how many successors they have, in order.
    pub expanded: Vec<(StateId, u64)>,
    /// The states to which paths were asked for, and the paths.
    pub asked: Vec<Marking>,
    pub paths: Vec<Vec<TransitionId>>,
    /// Whether to be told of terminal components; those; the one that is being told.
    pub wants_terminal: bool,
    pub terminal: Vec<BTreeSet<Vec<u64>>>,
    pub component: Vec<Marking>,
    /// How often it was told that progress is lost.
    pub regressed: u64,
}

impl Seen {
    fn ask(&mut self, state: &View<'_>, ask: bool) -> bool {
        if ask {
            self.asked.push(state.marking());
        }
        ask
    }

    /// Each state is expanded once, edges lead where they say, and so do the paths.
    pub fn check(&self, net: &Net, how: &str) {
        let expanded: HashSet<u64> = self.expanded.iter().map(|(id, _)| id.0).collect();
        assert_eq!(expanded.len(), self.expanded.len(), "{how}: a state is expanded once");
        for (source, event, target) in &self.edges {
            let after = net.fire(&self.markings[source.0 as usize], *event);
            assert_eq!(
                after.as_ref(),
                Ok(&self.markings[target.0 as usize]),
                "{how}: an edge leads elsewhere"
            );
        }
        assert_eq!(self.asked.len(), self.paths.len(), "{how}: each path that was asked for is given");
        for (marking, path) in self.asked.iter().zip(&self.paths) {
            let trace = Trace::replay(net, path.clone()).expect("a path can be fired");
            assert_eq!(trace.last(), marking, "{how}: the path leads to its state");
        }
    }
}

impl Observer for Seen {
    fn wants_edges(&self) -> bool {
        true
    }

    fn wants_maxima(&self) -> bool {
        true
    }

    fn wants_paths(&self) -> bool {
        true
    }

    fn wants_terminal(&self) -> bool {
        self.wants_terminal
    }

    fn discovered(&mut self, state: &View<'_>) -> bool {
        assert_eq!(state.id.0, self.markings.len() as u64, "states are numbered as they are found");
        let marking = state.marking();
        assert_eq!(state.total_tokens(), marking.total());
        self.markings.push(marking);
        self.ask(state, state.id.0.is_multiple_of(10))
    }

    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.edges.push((source, event, target));
    }

    fn expanded(&mut self, state: &View<'_>, successors: u64) -> bool {
        assert_eq!(state.marking(), self.markings[state.id.0 as usize]);
        self.expanded.push((state.id, successors));
        self.ask(state, state.id.0 % 11 == 4)
    }

    fn terminal(&mut self, state: &View<'_>) {
        self.component.push(state.marking());
    }

    fn terminal_end(&mut self) -> bool {
        self.asked.extend(self.component.last().cloned());
        self.terminal.push(self.component.drain(..).map(|marking| marking.tokens().to_vec()).collect());
        true
    }

    fn regressed(&mut self) {
        self.regressed += 1;
    }

    fn witness(&mut self, path: Vec<TransitionId>) {
        self.paths.push(path);
    }
}
