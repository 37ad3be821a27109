//! What a sweep goes by: what the user says, what the model declares, or what is found.

use sweepnet_colour::{ColouredNet, Patience};
use sweepnet_language::{Diagnostic, Scope, read_progress};
use sweepnet_logic::coloured::translate_progress;
use sweepnet_logic::parse_progress;
use sweepnet_logic::progress::find;
use sweepnet_net::Net;
use sweepnet_space::coloured::{CodecOptions, ColouredMeasure, ColouredPlan, ColouredSweepPlan};
use sweepnet_space::progress::trial::Tried;
use sweepnet_space::progress::{Measure, Order};
use sweepnet_space::{Plan, SearchChoice, SweepPaths, SweepPlan, WindowPlan};
use sweepnet_structure::Structure;

use crate::args::{Engine, Exploring};
use crate::failure::Failure;
use crate::input::{self, Folded};
use crate::session::Session;

/// A net that is to be swept, with the coloured one behind it.
#[derive(Clone, Copy)]
pub struct Swept<'a> {
    /// The net.
    pub net: &'a Net,
    /// What it is the unfolding of.
    pub folded: Option<&'a Folded>,
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
    let declared = swept.folded.map(|folded| &folded.coloured.net.progress);
    let mut behind = exploring.behind;
    let measure = match &exploring.progress {
        Some(text) if text.trim() != "auto" => read(text, swept.net, swept.folded, session)?,
        None if declared.is_some_and(|progress| !progress.parts.is_empty()) => match swept.folded {
            Some(folded) => self::declared(folded, session)?,
            None => Measure::constant(),
        },
        _ => {
            let tried = find(swept.net, swept.structure, plan, &mut session.control());
            let tried = match tried {
                Ok(tried) => tried,
                // The search looks at the same limits and ends at once, with the reason.
                Err(_) => Tried { trials: Vec::new(), states: None },
            };
            match tried.worth() {
                Some(best) => {
                    behind = behind.or(Some(best.behind));
                    best.measure.clone()
                }
                None => {
                    plan.search = SearchChoice::Auto;
                    return Ok(Some(not_worth(&tried)));
                }
            }
        }
    };
    plan.sweep = Some(by(measure, behind.unwrap_or(0), exploring));
    Ok(None)
}

/// A sweep by a measure, with states kept so far behind, and everything else as the options say.
pub fn by(measure: Measure, behind: u64, exploring: &Exploring) -> SweepPlan {
    SweepPlan {
        monotone: exploring.monotone,
        paths: paths(exploring),
        profile: exploring.plot.is_some(),
        behind,
        ..SweepPlan::by(measure)
    }
}

/// Completes a plan that asks for a search in a window. A plan that does not is left as it is.
pub fn complete_window(plan: &mut Plan, swept: Swept<'_>, exploring: &Exploring, session: &Session) {
    if plan.search == SearchChoice::Window {
        let control = session.control();
        let watch = control.close_watch();
        let window = WindowPlan::of(swept.net, swept.structure, control.budget(), &|| watch.goes_on());
        plan.window = Some(WindowPlan { bytes: exploring.window, paths: paths(exploring), ..window });
    }
}

/// The plan for a coloured net, and what there is to say about it. A text that names new constants adds them to the net.
pub fn coloured(
    net: &mut ColouredNet,
    scope: &Scope,
    exploring: &Exploring,
) -> Result<(ColouredPlan, Option<String>), Failure> {
    let mut plan = ColouredPlan {
        search: exploring.search,
        codec: CodecOptions::default(),
        sweep: None,
        beyond_unbounded: exploring.unbounded.beyond(),
    };
    if exploring.search == SearchChoice::Window {
        let why = "--search window is for place/transition nets and unfoldings: there are no T-semiflows of a coloured net as it is";
        // A net that could be unfolded, if there were more memory, is no mistake.
        return Err(match exploring.engine == Engine::Coloured || net.is_timed() || net.has_priorities() {
            true => Failure::input(why),
            false => Failure::Stopped(format!(
                "{why}, and this one is too large to be unfolded (--engine unfolded tries, --memory gives more room)"
            )),
        });
    }
    if exploring.search != SearchChoice::Sweep {
        let choice = "chose full search: the coloured engine sweeps only if it is asked to";
        return Ok((plan, exploring.explain.then(|| choice.to_owned())));
    }
    let is_timed = net.is_timed();
    let (text, progress) = match &exploring.progress {
        Some(text) if text.trim() != "auto" => {
            let text = if text.trim() == "time" { "clock" } else { text };
            let refused = |error: Diagnostic| Failure::Input(input::rendered(&[error], "--progress", text));
            (text.to_owned(), read_progress(text, net, scope).map_err(refused)?)
        }
        None if !net.progress.parts.is_empty() => {
            ("as declared by the model".to_owned(), net.progress.clone())
        }
        _ if is_timed => {
            let progress = read_progress("clock", net, scope);
            ("clock".to_owned(), progress.map_err(|error| Failure::input(error.message))?)
        }
        _ => {
            plan.search = SearchChoice::Auto;
            let why = "a measure is found for unfolded nets only";
            return Ok((
                plan,
                Some(format!(
                    "no sweep: {why}; all states are kept instead (--progress says how far a state is)"
                )),
            ));
        }
    };
    let order = if progress.componentwise { Order::Componentwise } else { Order::Lexicographic };
    let measure = ColouredMeasure { terms: progress.parts, order, text };
    plan.sweep = Some(ColouredSweepPlan {
        monotone: exploring.monotone,
        paths: paths(exploring),
        profile: exploring.plot.is_some(),
        behind: exploring.behind.unwrap_or(0),
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
        None => {
            format!("a sweep does not pay: no measure was found by which states make progress; {instead}")
        }
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
pub fn read(text: &str, net: &Net, folded: Option<&Folded>, session: &Session) -> Result<Measure, Failure> {
    let Some(folded) = folded else {
        return parse_progress(text, net)
            .map_err(|error| Failure::Input(error.located("--progress").to_string()));
    };
    let mut net = folded.coloured.net.clone();
    let refused = |error: Diagnostic| Failure::Input(input::rendered(&[error], "--progress", text));
    let progress = read_progress(text, &mut net, &folded.coloured.scope).map_err(refused)?;
    let translated = session
        .patiently(|go_on| {
            translate_progress(&net, &folded.unfolding, &progress, text, Patience::asking(go_on))
        })
        .map_err(|reason| session.stopped("--progress", reason))?;
    translated.map_err(|error| Failure::input(format!("--progress: {error}; --engine coloured can have it")))
}

/// The measure that the model declares.
pub fn declared(folded: &Folded, session: &Session) -> Result<Measure, Failure> {
    let net = &folded.coloured.net;
    let (what, text) = ("the progress that the model declares", "as declared by the model");
    let translated = session
        .patiently(|go_on| {
            translate_progress(net, &folded.unfolding, &net.progress, text, Patience::asking(go_on))
        })
        .map_err(|reason| session.stopped(what, reason))?;
    translated.map_err(|error| Failure::input(format!("{what}: {error}; --engine coloured can have it")))
}
