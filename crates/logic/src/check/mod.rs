//! Answering questions: all of them in one pass over the states.
//!
//! [`facts`] brings in what structure has proven; what that decides needs no search. For the rest, each property
//! gets a watch (`watch`, `watchers`) that looks at every state as it is found, by tables over local numbers where
//! states have them (`local`), and the search ends when all are decided. Every trace is replayed on the net by its plain firing rule, and what it should show is evaluated
//! there once more (`conclude`), before it becomes an [`answer`].

pub mod answer;
mod conclude;
pub mod facts;
mod local;
mod watch;
mod watchers;

use sweepnet_net::Net;
use sweepnet_space::{Control, Plan, Report, explore};
use sweepnet_structure::Structure;

pub use answer::{Answer, Detail, Method, Undecided, Value, Verdict};
use facts::StructuralFacts;
use watchers::Watchers;

use crate::Property;

/// The answers, in order of the questions, and the search that was needed, if any.
#[derive(Debug)]
pub struct Checked {
    /// One for each property.
    pub answers: Vec<Answer>,
    /// The search.
    pub report: Option<Report>,
}

/// States that are still looked at when the net has turned out to be unbounded, before what is open is given up.
const BEYOND_UNBOUNDED: u64 = 100_000;

/// Answers all properties.
pub fn check(
    net: &Net,
    structure: &Structure,
    properties: &[Property],
    plan: &Plan,
    control: &mut Control<'_>,
) -> Checked {
    let facts = StructuralFacts::new(net, structure);
    let mut watchers = Watchers::new(net, &facts, properties);
    let beyond_unbounded = plan.beyond_unbounded.max(BEYOND_UNBOUNDED);
    let plan = Plan { beyond_unbounded, ..plan.clone() };
    let report = (!watchers.all_decided()).then(|| explore(net, &plan, control, &mut watchers));
    Checked { answers: watchers.answers(report.as_ref()), report }
}
