//! P- and T-semiflows, whether the latter are integral, and invariants of either sign.

use serde_json::{Value, json};
use sweepnet_net::Net;
use sweepnet_structure::integrality::integrality;
use sweepnet_structure::invariants::{Invariant, place_invariants, transition_invariants};
use sweepnet_structure::{
    Effort, GoOn, Incidence, Integrality, Semiflow, Semiflows, Stop, transition_semiflows_while,
};

use super::words::{place, sum, transition, weights};
use crate::quantity::grouped;
use crate::report::json::number;

/// What firing preserves, and what preserves markings.
pub struct Flows<'a> {
    net: &'a Net,
    places: &'a Semiflows,
    /// The T-semiflows of minimal support.
    pub transitions: Semiflows,
    integrality: Integrality,
    place_basis: Result<Vec<Invariant>, Stop>,
    transition_basis: Result<Vec<Invariant>, Stop>,
}

impl<'a> Flows<'a> {
    /// Computes them, each within the limits of its time.
    pub fn of(
        net: &'a Net,
        incidence: &Incidence,
        places: &'a Semiflows,
        effort: &dyn Fn() -> Effort,
        go_on: GoOn<'_>,
    ) -> Self {
        let limit = || effort().semiflows;
        let transitions = transition_semiflows_while(incidence, limit(), go_on);
        Self {
            net,
            places,
            integrality: integrality(incidence, &transitions, limit(), go_on),
            transitions,
            place_basis: place_invariants(incidence, limit(), go_on),
            transition_basis: transition_invariants(incidence, limit(), go_on),
        }
    }

    /// The largest rank of a T-semiflow: how many levels a search in a sliding window keeps.
    fn window(&self) -> Option<u128> {
        self.transitions.flows.iter().map(Semiflow::rank).max()
    }

    /// How many P-semiflows there are.
    pub fn place_summary(&self) -> String {
        count(self.places)
    }

    /// How many T-semiflows there are, the window, and whether they are integral.
    pub fn transition_summary(&self) -> String {
        let window = match self.window() {
            Some(rank) if self.transitions.complete => format!(", largest rank {}", grouped(signed(rank))),
            _ => String::new(),
        };
        let integral = match &self.integrality {
            Integrality::Integral(_) if self.transitions.flows.is_empty() => String::new(),
            Integrality::Integral(test) => format!("; integral: {}", test.words()),
            Integrality::NotIntegral { missing } if missing.is_empty() => "; not integral".to_owned(),
            Integrality::NotIntegral { missing } => {
                format!("; not integral: the Hilbert basis has {} more", grouped(missing.len() as u64))
            }
            Integrality::Unknown(doubt) => format!("; integral or not: unknown, {}", doubt.words()),
        };
        format!("{}{window}{integral}", count(&self.transitions))
    }

    /// A line for each P-semiflow.
    pub fn place_lines(&self) -> impl ExactSizeIterator<Item = String> {
        self.places.flows.iter().map(|flow| {
            let constant =
                flow.constant(self.net).map_or("constant".to_owned(), |constant| constant.to_string());
            format!("{} = {constant}", sum(self.place_terms(flow)))
        })
    }

    /// A line for each T-semiflow, with its rank.
    pub fn transition_lines(&self) -> impl ExactSizeIterator<Item = String> {
        self.transitions.flows.iter().map(|flow| self.cycle(flow))
    }

    /// A line for each semiflow of the Hilbert basis that is not minimal.
    pub fn missing_lines(&self) -> impl ExactSizeIterator<Item = String> {
        self.missing().iter().map(|flow| self.cycle(flow))
    }

    fn missing(&self) -> &[Semiflow] {
        match &self.integrality {
            Integrality::NotIntegral { missing } => missing,
            _ => &[],
        }
    }

    fn cycle(&self, flow: &Semiflow) -> String {
        format!("{}  (rank {})", sum(self.transition_terms(flow)), grouped(signed(flow.rank())))
    }

    fn place_terms(&self, flow: &'a Semiflow) -> impl Iterator<Item = (&'a str, i128)> {
        flow.weights.iter().map(|(at, weight)| (place(self.net, *at), i128::from(*weight)))
    }

    fn transition_terms<'b>(
        &self,
        flow: &'b Semiflow,
    ) -> impl Iterator<Item = (&'a str, i128)> + use<'a, 'b> {
        let net = self.net;
        flow.weights.iter().map(move |(at, weight)| (transition(net, *at), i128::from(*weight)))
    }

    /// The P-semiflows as JSON.
    pub fn place_json(&self) -> Value {
        let flow = |flow: &'a Semiflow| {
            json!({
                "weights": weights(self.place_terms(flow)),
                "rank": number(signed(flow.rank())),
                "constant": flow.constant(self.net).map(number),
            })
        };
        json!({
            "complete": self.places.complete,
            "stopped": self.places.stopped.map(Stop::words),
            "flows": self.places.flows.iter().map(flow).collect::<Vec<_>>(),
        })
    }

    /// The T-semiflows as JSON.
    pub fn transition_json(&self) -> Value {
        let flow = |flow: &Semiflow| json!({ "weights": weights(self.transition_terms(flow)), "rank": number(signed(flow.rank())) });
        let (integral, reason) = match &self.integrality {
            Integrality::Integral(test) => (Some(true), Some(test.words().to_owned())),
            Integrality::NotIntegral { .. } => (Some(false), None),
            Integrality::Unknown(doubt) => (None, Some(doubt.words())),
        };
        json!({
            "complete": self.transitions.complete,
            "stopped": self.transitions.stopped.map(Stop::words),
            "flows": self.transitions.flows.iter().map(flow).collect::<Vec<_>>(),
            "window": self.window().filter(|_| self.transitions.complete).map(|rank| number(signed(rank))),
            "integral": integral,
            "reason": reason,
            "missing": self.missing().iter().map(flow).collect::<Vec<_>>(),
        })
    }

    /// Bases of all integer invariants as JSON: of the places, and of the transitions.
    pub fn bases_json(&self) -> (Value, Value) {
        let basis = |basis: &Result<Vec<Invariant>, Stop>, name: fn(&Net, usize) -> &str| {
            let named = |invariant: &Invariant| json!({ "weights": weights(invariant.iter().map(|(at, by)| (name(self.net, *at), *by))) });
            json!({
                "stopped": basis.as_ref().err().map(|stop| stop.words()),
                "basis": basis.as_ref().ok().map(|basis| basis.iter().map(named).collect::<Vec<_>>()),
            })
        };
        (basis(&self.place_basis, place), basis(&self.transition_basis, transition))
    }
}

fn count(flows: &Semiflows) -> String {
    let count = grouped(flows.flows.len() as u64);
    match flows.stopped {
        None => format!("{count} minimal"),
        Some(stop) => format!("{count} found, not all: {}", stop.words()),
    }
}

fn signed(rank: u128) -> i128 {
    i128::try_from(rank).unwrap_or(i128::MAX)
}
