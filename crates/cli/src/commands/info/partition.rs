//! How the places of a net would be divided into components, and why.
//!
//! Unlike all else that `info` tells, this is no consequence of the structure: proposals are measured on a sample of
//! states.

use serde_json::{Value, json};
use sweepnet_net::{Net, PlaceId};
use sweepnet_space::product::complements::{Complement, Lean};
use sweepnet_space::product::partition::{Judgement, Part, Sample, Scored, choose};
use sweepnet_space::{Control, Plan};
use sweepnet_structure::Structure;

use crate::division::Division;
use crate::failure::Failure;
use crate::quantity::{counted, grouped};
use crate::report::components::proposer;
use crate::report::table;

/// Wider nets are divided only if somebody asks.
const MOST_PLACES: usize = 2_000;
/// Proposals shown besides the chosen one.
const OTHERS: usize = 5;
/// Places of a component shown in text.
const PLACES_SHOWN: usize = 8;

/// The places of a net, divided.
pub struct Divided {
    judgement: Judgement,
    /// Places that are not divided, because the net is explored without them.
    complements: Vec<Complement>,
    states: usize,
    complete: bool,
}

impl Divided {
    /// Divides the places of a net, as asked or, if the net is not too wide, as explorations do.
    pub fn of(
        net: &Net,
        structure: &Structure,
        asked: Option<&Division>,
        control: &mut Control<'_>,
    ) -> Result<Option<Self>, Failure> {
        if asked.is_none() && net.places().len() > MOST_PLACES {
            return Ok(None);
        }
        let choice = asked.map(|division| division.read(net)).transpose()?.unwrap_or_default();
        let plan = Plan { partition: choice, ..Plan::knowing(net, structure) };
        let sample = Sample::gather(net, &plan, Sample::STATES, control);
        let best =
            |net: &Net, plan: &Plan, sample: &Sample| choose(net, &plan.knowledge, &plan.partition, sample);
        let (lean, judgement) = match (Lean::or_not(Lean::of(net, &plan), net, &plan, &sample, best), asked) {
            (Ok(judged), _) => judged,
            (Err(error), Some(division)) => return Err(division.refused(&error)),
            (Err(_), None) => return Ok(None),
        };
        let complements = lean.map_or(Vec::new(), |lean| lean.complements);
        Ok(Some(Self { judgement, complements, states: sample.len(), complete: sample.complete().is_some() }))
    }

    /// What was chosen, and why.
    pub fn reason(&self) -> &str {
        &self.judgement.reason
    }

    /// Whether a component follows from the others.
    fn is_determined(&self, part: &Part) -> bool {
        self.judgement.chosen.split_determined().0.is_some_and(|last| std::ptr::eq(last, part))
    }

    /// The chosen components: places, local markings seen, and expected.
    fn components(&self) -> impl ExactSizeIterator<Item = (&Part, u32, f64)> {
        let best = self.judgement.candidates.first();
        let number = move |part: usize| best.map_or((0, 0.0), |best| (best.seen[part], best.expected[part]));
        self.judgement.chosen.parts.iter().enumerate().map(move |(part, it)| {
            let (seen, expected) = number(part);
            (it, seen, expected)
        })
    }

    /// The places of a component, without those that are not divided.
    fn places(&self, part: &Part) -> Vec<PlaceId> {
        let is_divided =
            |place: &PlaceId| self.complements.binary_search_by_key(place, |it| it.place).is_err();
        part.places().into_iter().filter(is_divided).collect()
    }

    /// Which places are left out, in a line; nothing if none are.
    fn left_out(&self, net: &Net, full: bool) -> Option<String> {
        let places: Vec<PlaceId> = self.complements.iter().map(|it| it.place).collect();
        let count = counted(places.len() as u64, "complement");
        (!places.is_empty()).then(|| format!("without {count} of others: {}", names(net, &places, full)))
    }

    /// A line for each component, and one for what is left out.
    pub fn lines(&self, net: &Net, full: bool) -> Vec<String> {
        let components = self.components().map(|(part, seen, expected)| {
            let places = self.places(part);
            let expected = match self.complete {
                true => String::new(),
                false => format!(" seen, {} expected", rounded(expected)),
            };
            let follows = if self.is_determined(part) { ", follow from the others" } else { "" };
            format!(
                "{}{expected}{follows}; {}: {}",
                counted(u64::from(seen), "local marking"),
                counted(places.len() as u64, "place"),
                names(net, &places, full)
            )
        });
        components.chain(self.left_out(net, full)).collect()
    }

    /// The best proposals but for the chosen one, each with another number of components or from somebody else. They
    /// were all measured on the same states.
    fn others(&self) -> Vec<&Scored> {
        let kind = |it: &Scored| (it.partition.proposer, it.partition.parts.len());
        let Some((best, rest)) = self.judgement.candidates.split_first() else { return Vec::new() };
        let mut known = std::collections::HashSet::from([kind(best)]);
        let comparable = rest.iter().filter(|it| it.states == best.states);
        comparable.filter(|it| known.insert(kind(it))).take(OTHERS).collect()
    }

    /// A line for each of the next best proposals.
    pub fn other_lines(&self) -> Vec<String> {
        let best = self.judgement.candidates.first().map_or(0.0, |best| best.bits_per_state);
        let line = |other: &&Scored| {
            format!(
                "{}, {}: {:+.1} bits per state",
                other.partition.proposer.words(),
                counted(other.partition.parts.len() as u64, "component"),
                other.bits_per_state - best
            )
        };
        self.others().iter().map(line).collect()
    }

    /// All of it as JSON.
    pub fn json(&self, net: &Net) -> Value {
        let name = |place: PlaceId| Value::from(&*net.place(place).id);
        let component = |(part, seen, expected): (&Part, u32, f64)| {
            json!({
                "places": self.places(part).into_iter().map(name).collect::<Vec<_>>(),
                "seen": seen,
                "expected": expected,
                "determined": self.is_determined(part),
            })
        };
        let complement = |it: &Complement| {
            let others: Vec<Value> = it.others.iter().copied().map(name).collect();
            json!({ "place": name(it.place), "others": others })
        };
        let candidate = |scored: &Scored| {
            json!({
                "proposer": proposer(scored.partition.proposer),
                "count": scored.partition.parts.len(),
                "score": scored.bits_per_state,
                "log2_slack": scored.excess,
                "table_bytes": scored.table_bytes,
            })
        };
        let best = self.judgement.candidates.first().into_iter();
        json!({
            "proposer": proposer(self.judgement.chosen.proposer),
            "reason": self.judgement.reason,
            "sample_states": self.states,
            "sample_complete": self.complete,
            "components": self.components().map(component).collect::<Vec<_>>(),
            "complements": self.complements.iter().map(complement).collect::<Vec<_>>(),
            "candidates": best.chain(self.others()).map(candidate).collect::<Vec<_>>(),
        })
    }
}

/// The first names, or all of them.
fn names(net: &Net, places: &[PlaceId], full: bool) -> String {
    match places.len() {
        count if full || count <= PLACES_SHOWN => table::places(net, places, true),
        count => format!(
            "{} … and {} more",
            table::places(net, &places[..PLACES_SHOWN], true),
            count - PLACES_SHOWN
        ),
    }
}

/// A guess, which may be beyond all counting.
fn rounded(number: f64) -> String {
    if number < 1e12 { grouped(number as u64) } else { format!("2^{:.0}", number.log2()) }
}
