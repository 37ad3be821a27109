//! Progress measures of coloured markings, and how a sweep by one is to go.
//!
//! The integers of a measure are terms, evaluated in each marking that is found.

use sweepnet_colour::compile::{Compiler, WordCode};
use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::term::Part;
use sweepnet_colour::{Closed, ColouredNet, Fault, Frame, Node, Term};

use crate::SweepPlan;
use crate::progress::Order;

/// How far a coloured marking is, in one or several integers.
#[derive(Clone, Debug)]
pub struct ColouredMeasure {
    /// The integers: terms of the sort of integers, at least one.
    pub terms: Vec<Closed<Term>>,
    /// How they are compared.
    pub order: Order,
    /// How it is written.
    pub text: String,
}

impl ColouredMeasure {
    /// The measure that says nothing: all states are as far.
    pub fn constant() -> Self {
        let terms = vec![Closed { body: Term::int(0), frame: 0 }];
        Self { terms, order: Order::Lexicographic, text: "0".into() }
    }

    /// Whether it speaks of the time.
    pub fn mentions_clock(&self) -> bool {
        let mut found = false;
        for term in &self.terms {
            term.body.walk(&mut |part| {
                if let Part::Term(term) = part {
                    found |= term.node == Node::Clock;
                }
            });
        }
        found
    }
}

/// How a sweep on coloured markings is to go. If the measure speaks of the time, the time is part of every state.
pub type ColouredSweepPlan = SweepPlan<ColouredMeasure>;

impl Default for ColouredSweepPlan {
    /// A sweep by the measure that says nothing.
    fn default() -> Self {
        Self::by(ColouredMeasure::constant())
    }
}

/// A measure made ready to be evaluated.
pub(super) struct Gauge {
    terms: Vec<(WordCode, Vec<u64>)>,
}

impl Gauge {
    /// Makes a measure of a net's markings ready.
    pub fn new(net: &ColouredNet, measure: &ColouredMeasure) -> Self {
        let compiler = Compiler::for_net(net);
        let ready = |term: &Closed<Term>| (compiler.word(&term.body), vec![0; term.frame]);
        Self { terms: measure.terms.iter().map(ready).collect() }
    }

    /// How far a marking is.
    pub fn read(&mut self, world: &MarkingWorld<'_>, value: &mut Vec<i64>) -> Result<(), Fault> {
        value.clear();
        for (code, slots) in &mut self.terms {
            value.push(code(&mut Frame::within(slots, world))? as i64);
        }
        Ok(())
    }
}
