//! What we say, beside what is known.

use sweepnet_colour::{ColouredNet, Machine};
use sweepnet_logic::check::{Answer, Undecided, Value, Verdict};
use sweepnet_logic::{Question, check};
use sweepnet_net::Net;
use sweepnet_space::coloured::{self, ColouredPlan};
use sweepnet_space::{Control, Limits, Plan, Statistics, StopReason, explore};
use sweepnet_structure::Structure;
use sweepnet_testkit::shared::Instance;

use super::known::Known;

/// What came of comparing.
#[derive(Debug)]
pub struct Comparison {
    /// How many answers are as they should be.
    pub agreed: usize,
    /// What was left open, with the reason: by a limit, because the net is unbounded, or because a formula is too complex.
    pub undecided: Vec<(String, Undecided)>,
    /// What is wrong.
    pub mismatches: Vec<String>,
    limits: Limits,
}

impl Comparison {
    /// Nothing yet, with limits for each search.
    pub(super) fn within(limits: &Limits) -> Self {
        Self { agreed: 0, undecided: Vec::new(), mismatches: Vec::new(), limits: limits.clone() }
    }

    fn control(&self) -> Control<'static> {
        Control::new(&self.limits, Default::default(), |_| {})
    }

    fn compare(&mut self, what: &str, ours: String, theirs: &str) {
        if ours == theirs {
            self.agreed += 1;
        } else {
            self.mismatches.push(format!("{what}: we say {ours}, known is {theirs}"));
        }
    }

    /// Counts what could not be read as a mismatch.
    pub(super) fn known(&mut self, mut known: Known) -> Known {
        self.mismatches.append(&mut known.unread);
        known
    }

    /// Notes that a search ended early: by a limit, or for no good reason.
    fn stopped(&mut self, what: &str, reason: StopReason) {
        match reason {
            StopReason::Memory | StopReason::Time => {
                self.undecided.push((what.to_owned(), Undecided::Stopped(reason)));
            }
            _ => self.mismatches.push(format!("{what}: not explored: {reason:?}")),
        }
    }

    /// The state space of a place/transition net.
    pub(super) fn state_space(&mut self, instance: &Instance, net: &Net, plan: &Plan) {
        let mut statistics = Statistics::new(net);
        let report = explore(net, plan, &mut self.control(), &mut statistics);
        if let (Some(reason), None) = (report.stopped, &report.pump) {
            return self.stopped("state space", reason);
        }
        let finite =
            |number: u128| if report.pump.is_some() { "+inf".to_owned() } else { number.to_string() };
        let in_place = report.maxima.iter().flatten().max().copied().unwrap_or(0);
        for (heading, ours) in [
            ("states", finite(report.states.into())),
            ("edges", finite(report.counts.arcs.into())),
            ("max_tokens_in_marking", finite(statistics.max_total)),
            ("max_tokens_per_place", finite(in_place.into())),
            ("deadlock", (report.counts.deadlocks > 0).to_string().to_uppercase()),
        ] {
            // An unbounded net may have a dead marking that was not found before it was seen to be unbounded. A sweep that
            // had to go back has counted some states twice.
            let is_told = match heading {
                "deadlock" => report.pump.is_none(),
                "states" | "edges" => report.pump.is_some() || report.distinct().is_some(),
                _ => true,
            };
            if let Some(theirs) = instance.answer(heading).filter(|_| is_told) {
                self.compare(heading, ours, theirs);
            }
        }
    }

    /// The state space of a coloured net, on its own markings.
    pub(super) fn markings(&mut self, instance: &Instance, net: &ColouredNet) {
        let machine = Machine::new(net);
        let plan = ColouredPlan::default();
        let report = coloured::explore(net, &machine, &plan, &mut self.control(), &mut ());
        if let Some(reason) = report.stopped {
            return self.stopped("state space on markings", reason);
        }
        let of_a_value = report.maxima.of_a_value.iter().max().copied().unwrap_or(0);
        for (heading, ours) in [
            ("states", report.states.to_string()),
            ("edges", report.counts.arcs.to_string()),
            ("max_tokens_in_marking", report.maxima.total.to_string()),
            ("max_tokens_per_place", of_a_value.to_string()),
            ("deadlock", (report.counts.deadlocks > 0).to_string().to_uppercase()),
        ] {
            if let Some(theirs) = instance.answer(heading) {
                self.compare(&format!("{heading} on markings"), ours, theirs);
            }
        }
    }

    /// Questions.
    pub(super) fn answers(&mut self, known: &Known, net: &Net, structure: &Structure, plan: &Plan) {
        let checked = check(net, structure, &known.properties, plan, &mut self.control());
        for ((property, answer), theirs) in known.properties.iter().zip(checked.answers).zip(&known.answers) {
            let ours = match said(&answer) {
                Some(ours) => ours,
                None => match answer.undecided {
                    Some(why) if is_excusable(&property.question, &why) => {
                        self.undecided.push((property.name.clone(), why));
                        continue;
                    }
                    why => format!("unknown ({why:?})"),
                },
            };
            self.compare(&property.name, ours, theirs);
        }
    }
}

/// Whether a question may be left open for this reason. Of nets without end there is no graph to show paths, but what is
/// known of their markings is found.
fn is_excusable(question: &Question, why: &Undecided) -> bool {
    match why {
        Undecided::Stopped(StopReason::Memory | StopReason::Time) => true,
        Undecided::Stopped(StopReason::Unbounded) | Undecided::TooComplex => question.is_temporal(),
        _ => false,
    }
}

fn said(answer: &Answer) -> Option<String> {
    match (answer.value, answer.verdict) {
        (Some(Value::Exactly(number)), _) => Some(number.to_string()),
        (Some(Value::Unbounded), _) => Some("+inf".to_owned()),
        (_, Verdict::Holds) => Some("TRUE".to_owned()),
        (_, Verdict::Violated) => Some("FALSE".to_owned()),
        (_, Verdict::Unknown) => None,
    }
}
