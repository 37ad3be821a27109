//! Whether the state equation has a solution for markings that somebody asks about.

use serde_json::{Value, json};
use sweepnet_logic::{Comparison, Predicate, Relation, parse_predicate};
use sweepnet_net::{Net, PlaceId};
use sweepnet_structure::state_equation::{Feasible, Proof, Range, feasible};
use sweepnet_structure::{Effort, GoOn, Structure};

use super::words::{sum, weights};
use crate::failure::Failure;

/// A question and its answer.
pub struct Asked<'a> {
    net: &'a Net,
    text: String,
    answer: Feasible,
}

impl<'a> Asked<'a> {
    /// Reads comparisons of places with numbers, joined by `and`, and decides.
    pub fn of(
        net: &'a Net,
        structure: &Structure,
        text: &str,
        effort: Effort,
        go_on: GoOn<'_>,
    ) -> Result<Self, Failure> {
        let predicate = parse_predicate(text, net).map_err(|error| Failure::Input(error.to_string()))?;
        let ranges = ranges(&predicate).ok_or_else(|| {
            Failure::input(format!(
                "--state-equation '{text}': only comparisons of one place with one number (=, <, <=, >, >=), joined \
                 by 'and', make a target"
            ))
        })?;
        let answer = feasible(net, structure, &ranges, effort, go_on);
        Ok(Self { net, text: text.trim().to_owned(), answer })
    }

    /// The title of its section.
    pub fn title(&self) -> String {
        format!("state equation for {}", self.text)
    }

    /// The answer in words.
    pub fn line(&self) -> String {
        match &self.answer {
            Feasible::Yes(firings) if firings.is_empty() => "solved by the initial marking".to_owned(),
            Feasible::Yes(_) => format!("has a solution, which may not be possible: {}", sum(self.firings())),
            Feasible::Rational => "has a solution in fractions; none in integers was found".to_owned(),
            Feasible::No(Proof::Contradiction(place)) => {
                format!("no solution: what is asked of {} contradicts itself", self.net.place(*place).id)
            }
            Feasible::No(Proof::Weights(_)) => {
                format!("no solution: {} never grows, and would have to", sum(self.proof()))
            }
            Feasible::No(Proof::Lattice) => {
                "no solution: no integer combination of effects leads there".to_owned()
            }
            Feasible::Unknown => "unknown: neither a solution nor a proof was found".to_owned(),
        }
    }

    fn firings(&self) -> impl Iterator<Item = (&'a str, i128)> {
        let firings = if let Feasible::Yes(firings) = &self.answer { &firings[..] } else { &[] };
        firings.iter().map(|(t, times)| (&*self.net.transition(*t).id, i128::from(*times)))
    }

    fn proof(&self) -> impl Iterator<Item = (&'a str, i128)> {
        let proof = if let Feasible::No(Proof::Weights(proof)) = &self.answer { &proof[..] } else { &[] };
        proof.iter().map(|(place, weight)| (&*self.net.place(*place).id, *weight))
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let (answer, proof) = match &self.answer {
            Feasible::Yes(_) => ("integers", None),
            Feasible::Rational => ("fractions", None),
            Feasible::No(Proof::Contradiction(_)) => ("none", Some("contradiction")),
            Feasible::No(Proof::Weights(_)) => ("none", Some("weights")),
            Feasible::No(Proof::Lattice) => ("none", Some("lattice")),
            Feasible::Unknown => ("unknown", None),
        };
        let yes = matches!(self.answer, Feasible::Yes(_));
        json!({
            "target": self.text,
            "solution": answer,
            "firings": yes.then(|| json!({ "weights": weights(self.firings()) })),
            "proof": proof,
            "weights": weights(self.proof()),
        })
    }
}

/// The ranges that a conjunction of comparisons describes; nothing if it is something else.
fn ranges(predicate: &Predicate) -> Option<Vec<Range>> {
    match predicate {
        Predicate::And(parts) => {
            let parts: Option<Vec<Vec<Range>>> = parts.iter().map(ranges).collect();
            parts.map(|parts| parts.concat())
        }
        Predicate::Compare(comparison) => range(comparison).map(|range| vec![range]),
        _ => None,
    }
}

fn range(comparison: &Comparison) -> Option<Range> {
    let [(place, 1)] = comparison.expression().as_linear()?.terms() else { return None };
    let (place, bound): (PlaceId, i128) = (*place, comparison.bound());
    let (least, most) = match comparison.relation() {
        Relation::Equal => (bound, Some(bound)),
        Relation::AtLeast => (bound, None),
        Relation::Greater => (bound.checked_add(1)?, None),
        Relation::AtMost => (0, Some(bound)),
        Relation::Less => (0, Some(bound.checked_sub(1)?)),
        Relation::NotEqual => return None,
    };
    if most.is_some_and(|most| most < 0) {
        // Less than nothing: a range without numbers.
        return Some(Range { place, least: 1, most: Some(0) });
    }
    let most = most.map(|most| u64::try_from(most).unwrap_or(u64::MAX));
    let least = u64::try_from(least.max(0)).ok()?;
    Some(Range { place, least, most })
}
