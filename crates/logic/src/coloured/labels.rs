//! What questions about paths ask of single states: each condition is a label that a state has or has not.
//!
//! In formulas, `enabled(k)` stands for the label of number k: what has labels looks like a marking in which just these
//! transitions are enabled. So all that is known of formulas about place/transition nets is true of these.

use std::convert::Infallible;

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::{Closed, ColouredNet, Fault, Term, World};
use sweepnet_language::question::Question as Asks;
use sweepnet_net::{PlaceId, TransitionId};

use super::formula;
use super::watch::{Code, waits_for_expansion};
use crate::predicate::Predicate;
use crate::property::Question;
use crate::view::View;

/// What a label says of a state.
enum Meaning {
    /// A condition is true.
    Condition(Closed<Term>, Code),
    /// It is the initial one.
    Initial,
    /// A transition is enabled.
    Enabled(usize),
}

/// Labels, by number.
pub(super) struct Labels<'n> {
    net: &'n ColouredNet,
    meanings: Vec<Meaning>,
}

impl<'n> Labels<'n> {
    /// No labels yet.
    pub fn new(net: &'n ColouredNet) -> Self {
        Self { net, meanings: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.meanings.len()
    }

    /// The question about labels that a question about paths is. Other questions are none.
    pub fn question(&mut self, asked: &Asks) -> Option<Question> {
        let question = match asked {
            Asks::Home(term) => Question::Home(self.condition(term)),
            Asks::Reversible => Question::Home(self.add(Meaning::Initial)),
            Asks::Live(transition) => Question::Home(self.add(Meaning::Enabled(*transition))),
            Asks::AllLive => Question::Live,
            Asks::Ctl(asked) => {
                let Ok(formula) = formula::written::<Infallible>(asked, &mut |term| Ok(self.condition(term)));
                Question::Ctl(formula::branching(formula)?)
            }
            Asks::Ltl(asked) => {
                let Ok(formula) = formula::written::<Infallible>(asked, &mut |term| Ok(self.condition(term)));
                Question::Ltl(formula::linear(formula)?)
            }
            _ => return None,
        };
        Some(question)
    }

    fn condition(&mut self, term: &Closed<Term>) -> Predicate {
        let is_known = |meaning: &Meaning| matches!(meaning, Meaning::Condition(known, _) if known == term);
        match self.meanings.iter().position(is_known) {
            Some(at) => Predicate::Enabled(TransitionId::new(at)),
            None => self.add(Meaning::Condition(term.clone(), Code::new(self.net, term))),
        }
    }

    fn add(&mut self, meaning: Meaning) -> Predicate {
        self.meanings.push(meaning);
        Predicate::Enabled(TransitionId::new(self.meanings.len() - 1))
    }

    /// Whether a label is looked at only when the successors of a state are known.
    pub fn waits(&self, label: usize) -> bool {
        match &self.meanings[label] {
            Meaning::Condition(term, _) => waits_for_expansion(term),
            Meaning::Initial | Meaning::Enabled(_) => false,
        }
    }

    /// Whether a state has a label.
    pub fn has(&mut self, label: usize, world: &dyn World) -> Result<bool, Fault> {
        match &mut self.meanings[label] {
            Meaning::Condition(_, code) => Ok(code.eval(world)? != 0),
            Meaning::Initial => Ok(world.is_initial()),
            Meaning::Enabled(transition) => world.is_enabled(*transition, &[]),
        }
    }

    /// A state as predicates about labels see it. One that has no value in it counts as not there: no question that is
    /// decided rests on it.
    pub fn see(&mut self, state: &MarkingWorld<'_>, initial: bool) -> Labelled {
        let labels = (0..self.len()).map(|label| self.has(label, state) == Ok(true)).collect();
        Labelled { labels, dead: state.is_dead() == Ok(true), initial }
    }
}

/// A state with its labels.
pub(super) struct Labelled {
    /// Which labels it has.
    pub labels: Vec<bool>,
    /// Whether nothing can happen in it.
    pub dead: bool,
    /// Whether it is the initial one.
    pub initial: bool,
}

impl View for Labelled {
    fn tokens(&self, _: PlaceId) -> u64 {
        0
    }

    fn is_enabled(&self, label: TransitionId) -> bool {
        self.labels[label.index()]
    }

    fn is_dead(&self) -> bool {
        self.dead
    }

    fn is_initial(&self) -> bool {
        self.initial
    }
}
