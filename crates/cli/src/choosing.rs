//! Which search, where nobody asked for a certain one: all states, a sweep, or a window.
//!
//! All states are the fastest, as long as they fit. Whether they do cannot be known beforehand, so the others are looked at
//! where the budget is small, and where memory has run out already. What each would keep is estimated: the share of all
//! states, from a sample of them, and the bits of a state, from a short run.

use sweepnet_logic::progress::find;
use sweepnet_space::progress::Measure;
use sweepnet_space::progress::trial::share;
use sweepnet_space::{
    CodecChoice, Control, Plan, Report, SearchChoice, StopReason, StoreChoice, WindowPlan, explore,
};

use crate::args::Exploring;
use crate::quantity::{bytes, counted, grouped};
use crate::session::Session;
use crate::sweeping::{self, Swept};

/// Budgets below this are looked at before the search.
const SMALL_BUDGET: u64 = 512 << 20;

/// Budgets below this have no room for trials.
const TINY_BUDGET: u64 = 32 << 20;

/// So many states are found for a trial.
const TRIAL: u64 = 20_000;

/// Bits that a state takes in the full search, as a rule.
const FULL_BITS: f64 = 24.0;

/// Bits that a sweep keeps for a state besides its key.
const SWEEP_BITS: f64 = 50.0;

/// What was chosen, and why.
#[derive(Clone, Debug)]
pub struct Choice {
    /// In one line.
    pub line: String,
    /// What was looked at, line by line.
    pub reasons: Vec<String>,
    /// Whether the other searches were tried, so that there is no point in trying again.
    pub is_final: bool,
}

/// What a search is expected to keep.
struct Prospect {
    plan: Plan,
    /// Bits for each state that there is.
    bits: f64,
    line: String,
}

/// When the choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before anything is searched.
    First,
    /// When all states did not fit into memory.
    OutOfMemory,
}

/// Chooses the search of a plan that leaves it open, and completes the plan for it. `whole_graph` tells whether something
/// is asked that only the graph of all states answers.
pub fn choose(
    plan: &mut Plan,
    swept: Swept<'_>,
    exploring: &Exploring,
    session: &Session,
    whole_graph: bool,
    when: When,
) -> Choice {
    let mut reasons = Vec::new();
    let full = |why: String, reasons: Vec<String>| Choice {
        line: format!("chose full search: {why}"),
        reasons,
        is_final: false,
    };
    if is_particular(exploring) {
        return full("other options ask for it".to_owned(), reasons);
    }
    if whole_graph && when == When::First {
        return full("what is asked is answered on the graph of all states".to_owned(), reasons);
    }
    if session.limits.memory < TINY_BUDGET {
        let budget = bytes(session.limits.memory);
        return full(format!("a budget of {budget} has no room for trials"), reasons);
    }
    if when == When::First {
        let budget = bytes(session.limits.memory);
        if session.limits.memory >= SMALL_BUDGET && !exploring.explain {
            return full(
                format!("a budget of {budget} is not small; others are tried if it is used up"),
                reasons,
            );
        }
        if let Some(most) = most_states(plan, swept) {
            let all = most.saturating_mul(8);
            if all <= session.limits.memory / 2 {
                return full(format!("there are {} at most", counted(most, "state")), reasons);
            }
        }
        let report = trial(plan, swept, SearchChoice::BreadthFirst, session);
        if report.is_complete() {
            return full(format!("there are only {}", counted(report.states, "state")), reasons);
        }
        if !matches!(report.stopped, Some(StopReason::States)) {
            return full("a short search was stopped".to_owned(), reasons);
        }
        reasons.push(format!("there are more than {}", counted(TRIAL, "state")));
    }
    // A sweep may answer some of what is asked of the graph; a window answers none of it.
    let window = match whole_graph {
        true => None,
        false => window(plan, swept, exploring, session, &mut reasons),
    };
    let sweep = sweep(plan, swept, exploring, session, &mut reasons);
    reasons.push(format!("full search: about {FULL_BITS} bits for each state, as a rule"));
    let best = window.into_iter().chain(sweep).min_by(|a, b| a.bits.total_cmp(&b.bits));
    let is_small = session.limits.memory < SMALL_BUDGET || when == When::OutOfMemory;
    match best.filter(|best| best.bits < FULL_BITS / 2.0) {
        Some(best) if is_small => {
            *plan = best.plan;
            Choice { line: best.line, reasons, is_final: true }
        }
        Some(_) => {
            let budget = bytes(session.limits.memory);
            full(format!("a budget of {budget} is not small; others are tried if it is used up"), reasons)
        }
        None => {
            let why = "no other search is expected to keep much less".to_owned();
            Choice { is_final: true, ..full(why, reasons) }
        }
    }
}

/// Whether something is asked for that only the full search has.
fn is_particular(exploring: &Exploring) -> bool {
    exploring.codec != CodecChoice::Auto
        || exploring.store != StoreChoice::Auto
        || exploring.threads.is_some()
        || !exploring.partition.is_auto()
}

/// How many states there are at most, if structure tells.
fn most_states(plan: &Plan, swept: Swept<'_>) -> Option<u64> {
    let determined = swept.structure.determined_places(swept.net);
    let kept = swept.net.place_ids().filter(|place| determined.iter().all(|it| it.place != *place));
    kept.map(|place| plan.knowledge.proven(place)?.checked_add(1))
        .try_fold(1_u64, |product, size| product.checked_mul(size?))
}

/// A short search.
fn trial(plan: &Plan, swept: Swept<'_>, search: SearchChoice, session: &Session) -> Report {
    let plan = Plan {
        search,
        codec: CodecChoice::Fields,
        store: StoreChoice::Flat,
        threads: Some(1),
        ..plan.clone()
    };
    let control: &mut Control<'_> = &mut session.control();
    explore(swept.net, &plan, &mut control.within(TRIAL), &mut ())
}

/// What a window would keep, if it is exact as far as can be told.
fn window(
    plan: &Plan,
    swept: Swept<'_>,
    exploring: &Exploring,
    session: &Session,
    reasons: &mut Vec<String>,
) -> Option<Prospect> {
    if !swept.net.resets().is_empty() {
        reasons.push("window: the net has reset arcs".to_owned());
        return None;
    }
    let mut plan = Plan { search: SearchChoice::Window, ..plan.clone() };
    sweeping::complete_window(&mut plan, swept, exploring, session);
    let guide = plan.window.as_ref()?;
    if !guide.integral {
        reasons.push(format!("window: the T-semiflows are not known to be integral: {}", guide.integrality));
        return None;
    }
    let small =
        Plan { window: Some(WindowPlan { bytes: Some(TRIAL * 64), ..guide.clone() }), ..plan.clone() };
    let report = trial(&small, swept, SearchChoice::Window, session);
    let windowed = report.windowed.as_ref()?;
    let Some((level, unit)) = windowed.level.as_ref().filter(|_| windowed.dropped == 0) else {
        reasons.push("window: it would not be exact".to_owned());
        return None;
    };
    let levels = u64::try_from(windowed.window).unwrap_or(u64::MAX);
    let behind = levels.saturating_mul(*unit);
    let kept = share(swept.net, &plan, level, behind, &mut session.control());
    let bits = windowed.written as f64 * 8.0 / report.states.max(1) as f64;
    let levels = counted(levels, "level");
    let line =
        format!("window: {levels}, expected peak {:.1} % of all states, {bits:.0} bits each", kept * 100.0);
    reasons.push(line.clone());
    Some(Prospect { plan, bits: kept * bits, line: format!("chose {line}") })
}

/// What a sweep would keep, if it pays.
fn sweep(
    plan: &Plan,
    swept: Swept<'_>,
    exploring: &Exploring,
    session: &Session,
    reasons: &mut Vec<String>,
) -> Option<Prospect> {
    if let Some(measure) = declared(swept, session) {
        let sweep = Some(sweeping::by(measure, 0, exploring));
        let plan = Plan { search: SearchChoice::Sweep, sweep, ..plan.clone() };
        let line = "sweep: measure as declared by the model, which knows best".to_owned();
        reasons.push(line.clone());
        return Some(Prospect { plan, bits: 0.0, line: format!("chose {line}") });
    }
    let tried = find(swept.net, swept.structure, plan, &mut session.control()).ok()?;
    let Some(best) = tried.trials.first() else {
        reasons.push("sweep: no measure was found by which states make progress".to_owned());
        return None;
    };
    let sweep = Some(sweeping::by(best.measure.clone(), best.behind, exploring));
    let plan = Plan { search: SearchChoice::Sweep, sweep, ..plan.clone() };
    let key: u32 = swept.net.place_ids().map(|place| width(plan.knowledge.proven(place))).sum();
    let each = f64::from(key) + SWEEP_BITS;
    let line = format!(
        "sweep: measure {}, expected peak {:.1} % of all states, {} bits each",
        sweeping::shortened(&best.measure.text),
        best.kept * 100.0,
        grouped(each as u64)
    );
    reasons.push(line.clone());
    tried.worth().map(|best| Prospect { plan, bits: best.kept * each, line: format!("chose {line}") })
}

/// The measure that the model declares, if it does.
fn declared(swept: Swept<'_>, session: &Session) -> Option<Measure> {
    let folded = swept.folded.filter(|folded| !folded.coloured.net.progress.parts.is_empty())?;
    sweeping::declared(folded, session).ok()
}

/// The bits of a place.
fn width(bound: Option<u64>) -> u32 {
    bound.map_or(8, |bound| 64 - bound.leading_zeros())
}
