//! What the token game is played on.

use std::fmt;
use std::sync::Arc;

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::Trace;

use super::history::History;
use crate::quantity::grouped;
use crate::report::model_error::Broken;
use crate::report::trace;

/// A move that is possible.
pub struct Move {
    /// What it is called.
    pub name: String,
    /// What it changes, or why it cannot be made after all.
    pub effect: Result<String, String>,
}

/// Why a move is not made.
pub enum Refusal {
    /// It is not possible.
    No(String),
    /// It shows that the model is wrong.
    Wrong(Box<Broken>),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::No(why) => f.write_str(why),
            Self::Wrong(broken) => f.write_str(&broken.shown()),
        }
    }
}

/// A net with the moves made so far.
pub trait Board {
    /// What the net is called.
    fn title(&self) -> &str;

    /// How many moves were made.
    fn steps(&self) -> usize;

    /// The moves that are possible, in order.
    fn moves(&self) -> Vec<Move>;

    /// Makes one of the moves that are possible, by its position; tells what it is called and what it changed.
    fn play(&mut self, position: usize) -> Result<(String, String), Refusal>;

    /// Makes the move of this name, or the only one of the transition of this name. The outer error is that there is none in the net.
    fn play_named(&mut self, name: &str) -> Option<Result<(), Refusal>>;

    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;

    /// Forgets how it came to the present marking.
    fn forget(&mut self);

    /// The last move with what it changed.
    fn last(&self) -> Option<(String, String)>;

    /// The present marking in one line.
    fn marking_line(&self) -> String;

    /// The present marking, each place with its tokens.
    fn marking(&self) -> Vec<(String, u64)>;

    /// The moves so far, on a net on which they can be shown.
    fn trace(&self) -> (Arc<Net>, Trace);
}

/// Whether a move is this transition of a coloured net with some binding.
fn is_binding(id: &str, transition: &str) -> bool {
    id.strip_prefix(transition).is_some_and(|rest| rest.starts_with('('))
}

/// Whether a move is what a player calls by this name, however many blanks there are in it: `take(x = 1)`.
pub fn is_same(id: &str, name: &str) -> bool {
    let written = |text: &str| text.split_whitespace().collect::<String>();
    id == name || written(id) == written(name)
}

/// Bindings that are listed where a transition has several.
const BINDINGS: usize = 10;

/// Why a transition does not fire by its name alone: none of its bindings is enabled, or several are.
pub fn which(transition: &str, enabled: impl ExactSizeIterator<Item = String>) -> String {
    let count = enabled.len();
    let mut names: Vec<String> = enabled.take(BINDINGS).collect();
    if count > BINDINGS {
        names.push(format!("{} more", count - BINDINGS));
    }
    match names.as_slice() {
        [] => format!("{transition} is not enabled, whatever its variables are"),
        names => format!("{transition} is enabled in several ways; say which: {}", names.join(", ")),
    }
}

/// A place/transition net.
pub struct PlainBoard {
    net: Arc<Net>,
    history: History<TransitionId, Marking>,
}

impl PlainBoard {
    /// A net in its initial marking.
    pub fn new(net: Arc<Net>) -> Self {
        let history = History::new(net.initial_marking());
        Self { net, history }
    }

    fn enabled(&self) -> Vec<TransitionId> {
        self.net.enabled(self.history.now()).collect()
    }

    fn fire(&mut self, t: TransitionId) -> Result<(), Refusal> {
        let next = self.net.fire(self.history.now(), t).map_err(|error| match error {
            sweepnet_net::FireError::NotEnabled => Refusal::No(self.why_not(t)),
            other => Refusal::No(other.to_string()),
        })?;
        self.history.push(t, next);
        Ok(())
    }

    /// What keeps a transition from firing.
    fn why_not(&self, t: TransitionId) -> String {
        let (net, marking) = (&self.net, self.history.now());
        let mut reasons = Vec::new();
        for arc in net.inputs().of(t).iter().chain(net.reads().of(t)) {
            if marking[arc.place] < arc.weight {
                let place = &net.place(arc.place).id;
                reasons.push(format!(
                    "{place} has {} of {}",
                    grouped(marking[arc.place]),
                    grouped(arc.weight)
                ));
            }
        }
        for arc in net.inhibitors().of(t) {
            if marking[arc.place] >= arc.weight {
                let place = &net.place(arc.place).id;
                let (has, limit) = (grouped(marking[arc.place]), grouped(arc.weight));
                reasons.push(format!("{place} has {has}, and inhibits from {limit} on"));
            }
        }
        format!("{} is not enabled: {}", net.transition(t).id, reasons.join(", "))
    }
}

impl Board for PlainBoard {
    fn title(&self) -> &str {
        &self.net.name
    }

    fn steps(&self) -> usize {
        self.history.events().len()
    }

    fn moves(&self) -> Vec<Move> {
        let it = |t: TransitionId| Move {
            name: trace::transition_name(&self.net, t),
            effect: match self.net.fire(self.history.now(), t) {
                Ok(next) => Ok(trace::changes(&self.net, self.history.now(), &next)),
                Err(error) => Err(error.to_string()),
            },
        };
        self.enabled().into_iter().map(it).collect()
    }

    fn play(&mut self, position: usize) -> Result<(String, String), Refusal> {
        let t = self.enabled()[position];
        self.fire(t)?;
        Ok(self.last().unwrap_or_default())
    }

    fn play_named(&mut self, name: &str) -> Option<Result<(), Refusal>> {
        let same = |t: &TransitionId| is_same(&self.net.transition(*t).id, name);
        if let Some(t) = self.net.find_transition(name).or_else(|| self.net.transition_ids().find(same)) {
            return Some(self.fire(t));
        }
        let is_binding = |t: &TransitionId| is_binding(&self.net.transition(*t).id, name);
        self.net.transition_ids().find(is_binding)?;
        let enabled: Vec<TransitionId> = self.enabled().into_iter().filter(is_binding).collect();
        Some(match enabled.as_slice() {
            [only] => self.fire(*only),
            several => {
                let ways = several.iter().map(|t| self.net.transition(*t).id.to_string());
                Err(Refusal::No(which(name, ways)))
            }
        })
    }

    fn undo(&mut self) -> bool {
        self.history.undo()
    }

    fn forget(&mut self) {
        self.history.forget();
    }

    fn last(&self) -> Option<(String, String)> {
        let (event, before) = self.history.last()?;
        let changes = trace::changes(&self.net, before, self.history.now());
        Some((trace::transition_name(&self.net, *event), changes))
    }

    fn marking_line(&self) -> String {
        trace::marking_line(&self.net, self.history.now(), false)
    }

    fn marking(&self) -> Vec<(String, u64)> {
        self.net.place_ids().map(|p| (self.net.place(p).id.to_string(), self.history.now()[p])).collect()
    }

    fn trace(&self) -> (Arc<Net>, Trace) {
        let trace =
            Trace::replay(&self.net, self.history.events().clone()).expect("every step of a play was fired");
        (Arc::clone(&self.net), trace)
    }
}
