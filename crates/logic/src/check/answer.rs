//! What is said of a property.

use sweepnet_colour::Fault;
use sweepnet_net::PlaceId;
use sweepnet_space::{Pump, SearchChoice, StopReason, Trace};

use crate::EvalError;

/// Three values, never fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is true.
    Holds,
    /// It is false.
    Violated,
    /// It could not be decided.
    Unknown,
}

impl Verdict {
    /// Its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Unknown => "unknown",
        }
    }
}

impl From<bool> for Verdict {
    fn from(truth: bool) -> Self {
        if truth { Self::Holds } else { Self::Violated }
    }
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the net's structure, without exploring.
    Structure,
    /// By visiting states.
    Search(SearchChoice),
    /// By repeating a sequence that makes the net grow without end. Its traces need not be shortest.
    Growth,
    /// By the graph of all states and the edges between them.
    Graph,
    /// Not at all.
    Nothing,
}

impl Method {
    /// Its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Search(search) => search.name(),
            Self::Growth => "growth",
            Self::Graph => "graph",
            Self::Nothing => "none",
        }
    }
}

/// The answer to `bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The largest value.
    Exactly(i128),
    /// The largest value seen; there may be larger ones.
    AtLeast(i128),
    /// There is no largest value.
    Unbounded,
}

/// Why a property could not be decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The search ended early.
    Stopped(StopReason),
    /// A number in it became too large.
    Overflow,
    /// A term in it has no value in some state.
    NoValue(Fault),
    /// It is about paths, and there was only a search, which sees states but keeps no graph of them.
    NeedsGraph,
    /// The automaton of its formula becomes too large.
    TooComplex,
    /// The trace found by the search could not be replayed on the net: a defect of this program, which must
    /// not become a wrong answer.
    NotReplayed(String),
}

impl From<EvalError> for Undecided {
    fn from(EvalError::Overflow: EvalError) -> Self {
        Self::Overflow
    }
}

/// What an answer rests on, besides a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// These transitions can never fire. In an unfolded net these are the coloured ones, by position.
    DeadTransitions(Vec<usize>),
    /// These places never change. In an unfolded net these are the coloured ones, by position.
    StablePlaces(Vec<usize>),
    /// These transitions can never fire again where the trace ends. In an unfolded net these are the coloured
    /// ones, by position.
    NeverAgain(Vec<usize>),
    /// This place has too many tokens, and so many, where the trace ends.
    TooManyTokens(PlaceId, u64),
    /// The sequence by which the value grows without end.
    Growth(Pump),
}

/// The answer to one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// True, false, or not known.
    pub verdict: Verdict,
    /// How it was found.
    pub method: Method,
    /// The number that `bound` asks for.
    pub value: Option<Value>,
    /// How to come to the state that decides it, where one state does. Replayed.
    pub trace: Option<Trace>,
    /// The step of the trace, from 0, from which it repeats for ever; the number of its steps if it stays for
    /// ever in the dead marking that it ends in. Nothing if one state decides, or what comes behind does not
    /// matter.
    pub cycle: Option<usize>,
    /// More to say.
    pub detail: Option<Detail>,
    /// Why it is not known.
    pub undecided: Option<Undecided>,
}

impl Answer {
    /// An answer without anything but its verdict.
    pub fn plain(verdict: Verdict, method: Method) -> Self {
        Self { verdict, method, value: None, trace: None, cycle: None, detail: None, undecided: None }
    }

    /// Not known.
    pub fn unknown(why: Undecided, method: Method) -> Self {
        Self { undecided: Some(why), ..Self::plain(Verdict::Unknown, method) }
    }
}
