//! Why a run ended early, for people and programs.

use sweepnet_net::Net;
use sweepnet_space::{Limits, Pump, StopReason};

use crate::quantity::{bytes, duration, grouped};

/// The word for it in JSON.
pub fn word(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Decided => "decided",
        StopReason::Memory => "memory",
        StopReason::Time => "time",
        StopReason::States => "states",
        StopReason::Interrupted => "interrupted",
        StopReason::Unbounded => "unbounded",
        StopReason::TooManyTokens(_) => "too-many-tokens",
        StopReason::Incomplete => "incomplete",
        StopReason::OtherGraph => "other-graph",
        StopReason::Regress => "regress",
        StopReason::NoProgressValue => "no-progress-value",
        StopReason::Window => "window",
        StopReason::Dropped => "dropped",
        StopReason::NotIntegral => "not-integral",
        StopReason::ResetArcs => "reset-arcs",
        StopReason::TooWide => "too-wide",
        StopReason::NoSpool => "no-spool",
        StopReason::ModelError => "model-error",
    }
}

/// The sentence for it: which limit, how much, which option raises it.
pub fn sentence(reason: StopReason, limits: &Limits, net: &Net) -> String {
    match reason {
        StopReason::TooManyTokens(place) => {
            format!("place {} would hold more than 2^64 - 1 tokens", net.place(place).id)
        }
        reason => limit(reason, limits),
    }
}

/// The same where no net is known.
pub fn limit(reason: StopReason, limits: &Limits) -> String {
    match reason {
        StopReason::Decided => "everything asked is decided".to_owned(),
        StopReason::Memory => {
            format!("the memory budget of {} is used up (--memory raises it)", bytes(limits.memory))
        }
        StopReason::Time => {
            let time = limits.time.map(duration).unwrap_or_default();
            format!("the time of {time} is up (--time raises it)")
        }
        StopReason::States => {
            format!(
                "there are more than {} states (--states raises the limit)",
                grouped(limits.states.unwrap_or(0))
            )
        }
        StopReason::Interrupted => "interrupted by a signal".to_owned(),
        StopReason::Unbounded => {
            "the net is unbounded: it has infinitely many states (--unbounded continue goes on)".to_owned()
        }
        StopReason::TooManyTokens(_) => "a place would hold more than 2^64 - 1 tokens".to_owned(),
        StopReason::Incomplete => "the graph is not complete: its search was stopped".to_owned(),
        StopReason::OtherGraph => "the graph is not that of its model".to_owned(),
        StopReason::Regress => "a step loses progress (without --monotone the sweep goes on)".to_owned(),
        StopReason::NoProgressValue => {
            "the progress measure has no value in some state: a number becomes too large".to_owned()
        }
        StopReason::Window => {
            "the window does not fit into its memory (--window raises it, another --search needs none)"
                .to_owned()
        }
        StopReason::Dropped => {
            "some markings were not found where T-semiflows say, and were dropped: others may \
                                be missing (another --search finds all)"
                .to_owned()
        }
        StopReason::NotIntegral => {
            "it is not known whether every T-semiflow is a sum of those that guided the \
                                    search: others may be missing (another --search finds all)"
                .to_owned()
        }
        StopReason::ResetArcs => {
            "the net has reset arcs, which --search window cannot take (another --search can)".to_owned()
        }
        StopReason::TooWide => {
            "states have too many counts, or too large ones, for --search window (another --search takes them)".to_owned()
        }
        StopReason::NoSpool => {
            "the disk does not take what traces need (--spool names another folder)".to_owned()
        }
        StopReason::ModelError => "the model is wrong".to_owned(),
    }
}

/// How it is seen that a net is unbounded, in some lines.
pub fn growth(net: &Net, pump: &Pump) -> Vec<String> {
    let name = |t: &sweepnet_net::TransitionId| net.transition(*t).id.to_string();
    let sequence = |events: &[sweepnet_net::TransitionId]| match events.len() {
        0 => "no step at all: from the initial marking".to_owned(),
        1..=40 => events.iter().map(name).collect::<Vec<_>>().join(" "),
        n => format!("{} … ({n} transitions)", events[..40].iter().map(name).collect::<Vec<_>>().join(" ")),
    };
    let places = pump.places.iter().map(|(p, more)| format!("{} by {}", net.place(*p).id, grouped(*more)));
    vec![
        format!("after   {}", sequence(&pump.prefix)),
        format!("repeat  {}", sequence(&pump.cycle)),
        format!("grows   {}", places.collect::<Vec<_>>().join(", ")),
    ]
}
