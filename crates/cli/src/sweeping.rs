//! What a sweep goes by: what the user says, what the model declares, or what is found.

use sweepnet_colour::ColouredNet;
use sweepnet_language::{Diagnostic, Scope, read_progress};
use sweepnet_logic::coloured::translate_progress;
use sweepnet_logic::parse_progress;
use sweepnet_logic::progress::weighted;
use sweepnet_net::{Net, TransitionId};
use sweepnet_space::coloured::{CodecOptions, ColouredMeasure, ColouredPlan, ColouredSweepPlan};
use sweepnet_space::progress::{Measure, Order};
use sweepnet_space::progress::trial::{Tried, frequencies, try_all};
use sweepnet_space::{Control, Plan, SearchChoice, StopReason, SweepPaths, SweepPlan};
use sweepnet_structure::progress::{distances, fewest_regressing, independent_effects};
use sweepnet_structure::{Effort, Structure};

use crate::args::Exploring;
use crate::failure::Failure;
use crate::input;
use crate::model::Colours;
use crate::session::Session;

/// A net that is to be swept, with the coloured one behind it.
#[derive(Clone, Copy)]
pub struct Swept<'a> {
    /// The net.
    pub net: &'a Net,
    /// What it is the unfolding of.
    pub colours: Option<&'a Colours>,
    /// What is known of it.
    pub structure: &'a Structure,
}

/// Completes a plan that asks for a sweep, and says what there is to say about it. A plan that does not is left as it is.
pub fn complete(
    plan: &mut Plan,
    swept: Swept<'_>,
    exploring: &Exploring,
    session: &Session,
) -> Result<Option<String>, Failure> {
    if plan.search != SearchChoice::Sweep {
        return Ok(None);
    }
    let declared = swept.colours.map(|colours| &colours.coloured.net.progress);
    let measure = match &exploring.progress {
        Some(text) if text.trim() != "auto" => read(text, swept)?,
        None if declared.is_some_and(|progress| !progress.parts.is_empty()) => self::declared(swept)?,
        _ => {
            let tried = found(swept, plan, &mut session.control());
            let tried = match tried {
                Ok(tried) => tried,
                // The search looks at the same limits and ends at once, with the reason.
                Err(_) => Tried { trials: Vec::new(), states: None },
            };
            match tried.worth() {
                Some(best) => best.measure.clone(),
                None => {
                    plan.search = SearchChoice::Auto;
                    return Ok(Some(not_worth(&tried)));
                }
            }
        }
    };
    plan.sweep = Some(SweepPlan {
        monotone: exploring.monotone,
        paths: paths(exploring),
        profile: exploring.plot.is_some(),
        ..SweepPlan::by(measure)
    });
    Ok(None)
}

/// The plan for a coloured net, and what there is to say about it. A text that names new constants adds them to the net.
pub fn coloured(
    net: &mut ColouredNet,
    scope: &Scope,
    exploring: &Exploring,
) -> Result<(ColouredPlan, Option<String>), Failure> {
    let mut plan = ColouredPlan { search: exploring.search, codec: CodecOptions::default(), sweep: None };
    if exploring.search != SearchChoice::Sweep {
        return Ok((plan, None));
    }
    let is_timed = net.is_timed();
    let (text, progress) = match &exploring.progress {
        Some(text) if text.trim() != "auto" => {
            let text = if text.trim() == "time" { "clock" } else { text };
            let refused = |error: Diagnostic| Failure::Input(input::rendered(&[error], "--progress", text));
            (text.to_owned(), read_progress(text, net, scope).map_err(refused)?)
        }
        None if !net.progress.parts.is_empty() => ("as declared by the model".to_owned(), net.progress.clone()),
        _ if is_timed => {
            let progress = read_progress("clock", net, scope);
            ("clock".to_owned(), progress.map_err(|error| Failure::input(error.message))?)
        }
        _ => {
            plan.search = SearchChoice::Auto;
            let why = "a measure is found for unfolded nets only";
            return Ok((plan, Some(format!("no sweep: {why}; all states are kept instead (--progress says how far a state is)"))));
        }
    };
    let order = if progress.componentwise { Order::Componentwise } else { Order::Lexicographic };
    let measure = ColouredMeasure { terms: progress.parts, order, text };
    plan.sweep = Some(ColouredSweepPlan {
        monotone: exploring.monotone,
        paths: paths(exploring),
        profile: exploring.plot.is_some(),
        ..ColouredSweepPlan::by(measure)
    });
    Ok((plan, None))
}

/// How paths are found again.
pub fn paths(exploring: &Exploring) -> SweepPaths {
    match (&exploring.spool, exploring.no_spool) {
        (_, true) => SweepPaths::Again,
        (Some(folder), _) => SweepPaths::SpoolIn(folder.clone()),
        (None, _) => SweepPaths::Spool,
    }
}

/// Why there is no sweep.
fn not_worth(tried: &Tried) -> String {
    let instead = "all states are kept instead (--progress says how far a state is)";
    match tried.trials.first() {
        Some(best) => format!(
            "a sweep does not pay: by the best measure that was found, {}, it would keep {:.0} % of all states at a time; {instead}",
            shortened(&best.measure.text),
            best.kept * 100.0
        ),
        None => format!("a sweep does not pay: no measure was found by which states make progress; {instead}"),
    }
}

/// A measure that may be long.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// The measure that a text says.
fn read(text: &str, swept: Swept<'_>) -> Result<Measure, Failure> {
    let Some(colours) = swept.colours else {
        return parse_progress(text, swept.net)
            .map_err(|error| Failure::Input(error.located("--progress").to_string()));
    };
    let mut net = colours.coloured.net.clone();
    let refused = |error: Diagnostic| Failure::Input(input::rendered(&[error], "--progress", text));
    let progress = read_progress(text, &mut net, &colours.coloured.scope).map_err(refused)?;
    translate_progress(&net, &colours.unfolding, &progress, text)
        .map_err(|error| Failure::input(format!("--progress: {error}; --engine coloured can have it")))
}

/// The measure that the model declares.
fn declared(swept: Swept<'_>) -> Result<Measure, Failure> {
    let Some(colours) = swept.colours else { return Ok(Measure::constant()) };
    let net = &colours.coloured.net;
    translate_progress(net, &colours.unfolding, &net.progress, "as declared by the model").map_err(|error| {
        Failure::input(format!("the progress that the model declares: {error}; --engine coloured can have it"))
    })
}

/// The measures that structure suggests, tried.
pub fn found(swept: Swept<'_>, plan: &Plan, control: &mut Control<'_>) -> Result<Tried, StopReason> {
    let Swept { net, structure, .. } = swept;
    let frequencies = frequencies(net, control)?;
    let mut order: Vec<TransitionId> = net.transition_ids().collect();
    order.sort_by(|a, b| frequencies[b.index()].total_cmp(&frequencies[a.index()]));
    let mut candidates = Vec::new();
    candidates.extend(independent_effects(&structure.incidence, &order));
    candidates.extend(fewest_regressing(net, &structure.incidence, &frequencies, &Effort::for_net(net)));
    candidates.extend(distances(net));
    candidates.sort();
    candidates.dedup();
    let measures = candidates.iter().map(|weights| weighted(net, weights)).collect();
    try_all(net, plan, measures, control)
}
