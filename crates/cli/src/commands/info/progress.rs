//! By what a net would be swept, and what each transition does to that.

use serde_json::{Value, json};
use sweepnet_logic::progress::find;
use sweepnet_net::{Net, TransitionId};
use sweepnet_space::progress::{Component, Measure};
use sweepnet_space::search::sweep::routes::{Course, course};
use sweepnet_space::{Control, Plan};
use sweepnet_structure::Structure;

use crate::failure::Failure;
use crate::input::Folded;
use crate::report::sweep::value;
use crate::report::table;
use crate::session::Session;
use crate::sweeping;

/// Wider nets get no measure unless somebody asks.
const MOST_PLACES: usize = 2_000;

/// A measure, and why it is this one.
pub struct Measured {
    measure: Measure,
    why: String,
    /// The part of all states that a sweep by it keeps at a time, at most, if that was tried.
    kept: Option<f64>,
    /// How far behind it keeps them.
    behind: u64,
}

impl Measured {
    /// The measure that is asked for, that the model declares, or that is found.
    pub fn of(
        net: &Net,
        folded: Option<&Folded>,
        structure: &Structure,
        asked: Option<&str>,
        session: &Session,
        control: &mut Control<'_>,
    ) -> Result<Option<Self>, Failure> {
        if let Some(text) = asked.filter(|text| text.trim() != "auto") {
            let measure = sweeping::read(text, net, folded, session)?;
            return Ok(Some(Self { measure, why: "as asked for".to_owned(), kept: None, behind: 0 }));
        }
        let declares = folded.is_some_and(|folded| !folded.coloured.net.progress.parts.is_empty());
        if let (None, true, Some(folded)) = (asked, declares, folded) {
            let measure = sweeping::declared(folded, session)?;
            return Ok(Some(Self {
                measure,
                why: "declared by the model".to_owned(),
                kept: None,
                behind: 0,
            }));
        }
        if asked.is_none() && net.places().len() > MOST_PLACES {
            return Ok(None);
        }
        let plan = Plan::knowing(net, structure);
        let tried = find(net, structure, &plan, control);
        let Some((tried, best)) =
            tried.ok().and_then(|tried| tried.trials.first().cloned().map(|best| (tried, best)))
        else {
            return Ok(None);
        };
        let (count, share) = (tried.trials.len(), best.kept * 100.0);
        let how =
            if best.swept.is_some() { "by sweeping all states" } else { "estimated from a sample of states" };
        let pays = if tried.worth().is_some() { "it pays" } else { "it does not pay" };
        let behind = match best.behind {
            0 => String::new(),
            n => format!(", up to {n} behind"),
        };
        let why = format!(
            "the best of {count} that were found: a sweep keeps {share:.0} % of all states at a time{behind} ({how}); {pays}"
        );
        Ok(Some(Self { measure: best.measure, why, kept: Some(best.kept), behind: best.behind }))
    }

    /// How it is written, and why it is this one.
    pub fn title(&self, full: bool) -> String {
        let text = if full { self.measure.text.clone() } else { sweeping::shortened(&self.measure.text) };
        format!("progress measure: {text}")
    }

    /// By how much each transition changes it; nothing where that depends on the marking.
    fn changes(&self, net: &Net) -> Vec<Option<Vec<i64>>> {
        let change = |transition: TransitionId| {
            let component = |component: &Component| match component {
                Component::Linear(linear) => linear.change(net, transition),
                Component::Function(_) => None,
            };
            self.measure.components.iter().map(component).collect()
        };
        net.transition_ids().map(change).collect()
    }

    /// Transitions by what they do: advance, keep, regress, or may regress.
    fn sorted(&self, net: &Net) -> [Vec<(TransitionId, Option<Vec<i64>>)>; 4] {
        let mut sorted: [Vec<_>; 4] = Default::default();
        let zero = vec![0; self.measure.components.len()];
        for (at, change) in self.changes(net).into_iter().enumerate() {
            let kind = match change.as_ref().map(|change| course(&zero, change, self.measure.order)) {
                Some(Course::Advance) => 0,
                Some(Course::Keep) => 1,
                Some(Course::Regress) => 2,
                None => 3,
            };
            sorted[kind].push((TransitionId::new(at), change));
        }
        sorted
    }

    /// Lines of text.
    pub fn lines(&self, net: &Net, full: bool) -> Vec<String> {
        let mut lines = vec![self.why.clone()];
        for (word, transitions) in WORDS.iter().zip(self.sorted(net)) {
            if !transitions.is_empty() {
                let named = transitions.iter().map(|(transition, change)| {
                    let id = &net.transition(*transition).id;
                    match change {
                        Some(change) if change.iter().any(|by| *by != 0) => {
                            format!("{id} {}", signed(change))
                        }
                        _ => id.to_string(),
                    }
                });
                let named: Vec<String> = named.collect();
                lines.push(format!("{word:<12} {}", table::names(named.iter().map(String::as_str), full)));
            }
        }
        lines
    }

    /// The same as JSON.
    pub fn json(&self, net: &Net) -> Value {
        let names = self.sorted(net).map(|transitions| {
            transitions
                .iter()
                .map(|(transition, _)| net.transition(*transition).id.to_string())
                .collect::<Vec<_>>()
        });
        let [advance, keep, regress, may_regress] = names;
        json!({
            "measure": self.measure.text,
            "why": self.why,
            "kept": self.kept,
            "behind": self.behind,
            "advance": advance,
            "keep": keep,
            "regress": regress,
            "may_regress": may_regress,
        })
    }
}

const WORDS: [&str; 4] = ["advance", "keep", "regress", "may regress"];

fn signed(change: &[i64]) -> String {
    match change {
        [by] if *by > 0 => format!("(+{by})"),
        [by] => format!("({by})"),
        many => value(many),
    }
}
