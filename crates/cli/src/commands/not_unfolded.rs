//! `explore` and `check` of a coloured net whose unfolding a limit ended: nothing was explored, nothing is decided.

use sweepnet_formats::Warning;
use sweepnet_logic::check::{Answer, Checked, Method, Undecided};
use sweepnet_net::Net;
use sweepnet_space::{Plan, Report, StopReason};

use super::check::questions::Wanted;
use super::check::{Question, Scene, Telling, tell};
use super::coloured::outline;
use super::explore::{Found, Tally};
use crate::Ending;
use crate::args::{Check, Explore, Exploring};
use crate::failure::Failure;
use crate::input::Coloured;
use crate::model::Size;
use crate::session::Session;

/// Tells that nothing was explored.
pub fn explore(
    args: &Explore,
    coloured: &Coloured,
    reason: StopReason,
    session: &Session,
    warnings: &[Warning],
) -> Result<Ending, Failure> {
    session.finish();
    let outline = outline(&coloured.net);
    let report = nothing(&args.exploring, &outline, reason);
    let tally = Tally { bounds: Vec::new(), total: 0, unfired: Vec::new() };
    let size = Size::of(&outline);
    let found =
        Found { net: &outline, size, report: &report, tally, chosen: None, broken: None, sizes: None };
    found.tell(args, session, warnings, &[])
}

/// Tells that nothing is decided.
pub fn check(
    args: &Check,
    coloured: &Coloured,
    wanted: &[Wanted],
    reason: StopReason,
    session: &Session,
    warnings: &[Warning],
) -> Result<Ending, Failure> {
    session.finish();
    let outline = outline(&coloured.net);
    let asked = wanted.iter().filter_map(|question| match question {
        Wanted::Coloured(asked) => Some(Question { name: &asked.name, text: &asked.text }),
        // What a file of the contest asks is only known of an unfolding.
        Wanted::Contest(name, _) => Some(Question { name, text: name }),
        Wanted::Plain(_) => None,
    });
    let questions: Vec<Question<'_>> = asked.collect();
    let unknown = || Answer::unknown(Undecided::Stopped(reason), Method::Nothing);
    let answers = questions.iter().map(|_| unknown()).collect();
    let report = Some(nothing(&args.exploring, &outline, reason));
    let checked = Checked { answers, report, broken: None };
    let telling = Telling { asking: &args.asking, saying: args.saying, chosen: None };
    tell(telling, Scene::of(&outline), &questions, &checked, None, session, warnings, &[])
}

/// The report of a search that did not begin.
fn nothing(exploring: &Exploring, net: &Net, reason: StopReason) -> Report {
    let plan =
        Plan { search: exploring.search, codec: exploring.codec, store: exploring.store, ..Plan::default() };
    Report::of_nothing(&plan, net, reason, false)
}
