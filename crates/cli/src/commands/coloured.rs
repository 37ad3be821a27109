//! `explore` and `check` on the coloured net itself.

use sweepnet_colour::machine::MarkingWorld;
use sweepnet_colour::{ColouredNet, Machine, UnfoldError};
use sweepnet_formats::Warning;
use sweepnet_language::Property as Asked;
use sweepnet_logic::check::Checked;
use sweepnet_logic::coloured::{ColouredChecked, check_coloured, growing, story};
use sweepnet_net::{Net, NetBuilder};
use sweepnet_space::coloured::{ColouredObserver, ColouredPlan, ColouredReport};
use sweepnet_space::{CodecChoice, Control, Report, StateId, StoreChoice, coloured};

use super::check as asking;
use super::check::questions::Wanted;
use super::explore::sizes::Sizes;
use super::explore::{Found, Tally};
use crate::Ending;
use crate::args::{Check, Explore, Exploring};
use crate::combinations;
use crate::failure::Failure;
use crate::input::{self, Coloured};
use crate::model::Size;
use crate::report::model_error::Broken;
use crate::report::plot;
use crate::session::Session;
use crate::sweeping;

/// Explores a coloured net.
pub fn explore(
    args: &Explore,
    coloured: &Coloured,
    session: &Session,
    warnings: &[Warning],
) -> Result<Ending, Failure> {
    combinations::check_coloured(&args.exploring)?;
    let mut net = lighter(coloured, args.exploring.codec, session);
    let (plan, unmet) = plan(&mut net, coloured, &args.exploring, session)?;
    let net = &net;
    let machine = Machine::new(net);
    let mut watched = Watched { fired: vec![false; net.transitions.len()], sizes: None };
    if args.sizes {
        watched.sizes = Some(Sizes::new(net, &machine));
    }
    let report = coloured::explore(net, &machine, &plan, &mut session.control(), &mut watched);
    session.finish();
    let broken = report.model_error.as_ref().map(|(error, path)| {
        let (event, path) = path.split_last().map_or((None, &path[..]), |(event, path)| (Some(event), path));
        Broken::on_the_way(
            net,
            coloured.source.as_ref(),
            &machine,
            (error, event),
            path,
            session.control().budget(),
        )
    });
    let grown = report.pump.as_ref().and_then(|pump| {
        let mut story = story::tell(net, &machine, [growing::way(pump)], session.control().budget()).ok()?;
        let pump = growing::shown(net, pump, &story.net, &story.traces.pop()?);
        Some((story.net, pump))
    });
    let (outline, pump) = grown.map_or_else(|| (outline(net), None), |(net, pump)| (net, Some(pump)));
    let unfired = (0..net.transitions.len()).filter(|t| !watched.fired[*t]);
    let tally = Tally {
        bounds: net
            .places
            .iter()
            .map(|place| place.id.to_string())
            .zip(report.maxima.tokens.clone())
            .collect(),
        total: report.maxima.total,
        unfired: unfired.map(|t| net.transitions[t].id.to_string()).collect(),
    };
    let report = Report { pump, ..plain(&report) };
    plot::draw(&args.exploring, &net.name, &report)?;
    let size = Size::of_coloured(&outline);
    let sizes = watched.sizes;
    let found = Found { net: &outline, size, report: &report, tally, chosen: None, broken, sizes };
    found.tell(args, session, warnings, &unmet)
}

/// Answers questions about a coloured net.
pub fn check(
    args: &Check,
    coloured: &Coloured,
    wanted: &[Wanted],
    session: &Session,
    warnings: &[Warning],
) -> Result<Ending, Failure> {
    combinations::check_coloured(&args.exploring)?;
    let mut asked: Vec<Asked> = Vec::new();
    for question in wanted {
        match question {
            Wanted::Coloured(question) => asked.push((**question).clone()),
            Wanted::Contest(name, _) => {
                return Err(Failure::input(format!(
                    "{name}: the contest's formulas are answered on the unfolded net (--engine unfolded)"
                )));
            }
            Wanted::Plain(_) => {}
        }
    }
    let mut net = lighter(coloured, args.exploring.codec, session);
    let (plan, unmet) = plan(&mut net, coloured, &args.exploring, session)?;
    let net = &net;
    let mut control: Control<'_> = session.control();
    let ColouredChecked { net: shown, answers, report, pump, model_error } =
        check_coloured(net, &asked, &plan, &mut control);
    drop(control);
    session.finish();
    let broken = model_error.map(|(error, event, trace)| {
        let told = trace.map(|trace| (trace, shown.clone()));
        Broken::told(net, coloured.source.as_ref(), &error, event.as_ref(), told)
    });
    let questions: Vec<asking::Question<'_>> =
        asked.iter().map(|asked| asking::Question { name: &asked.name, text: &asked.text }).collect();
    let report = Report { pump, ..plain(&report) };
    plot::draw(&args.exploring, &net.name, &report)?;
    let checked = Checked { answers, report: Some(report), broken: None };
    let telling = asking::Telling { asking: &args.asking, saying: args.saying, chosen: None };
    let scene = asking::Scene { size: Size::of_coloured(&shown), ..asking::Scene::of(&shown) };
    asking::tell(telling, scene, &questions, &checked, broken.as_ref(), session, warnings, &unmet)
}

/// Unfoldings up to this size are looked at for places that can be derived.
const MOST_NODES: usize = 100_000;

/// The net with all places derived that can be; as it is if a codec is asked for by name.
fn lighter(coloured: &Coloured, codec: CodecChoice, session: &Session) -> ColouredNet {
    let mut net = coloured.net.clone();
    if codec == CodecChoice::Auto {
        let nodes = usize::try_from(session.limits.memory / 4_000).unwrap_or(usize::MAX).min(MOST_NODES);
        let unfolded = session.patiently(|go_on| input::unfold(&coloured.net, nodes, go_on));
        let unfolded = unfolded.unwrap_or(Err(UnfoldError::Stopped));
        for offer in super::lint::offered(coloured, unfolded, |net| session.analyse(net)) {
            let place = &mut net.places[offer.place];
            place.derived = Some(offer.definition);
            place.is_proven = true;
        }
    }
    net
}

/// How it is searched, and what there is to say about that; printed already, unless nobody wants to hear of it.
fn plan(
    net: &mut ColouredNet,
    coloured: &Coloured,
    exploring: &Exploring,
    session: &Session,
) -> Result<(ColouredPlan, Vec<String>), Failure> {
    let (plan, note) = sweeping::coloured(net, &coloured.scope, exploring)?;
    session.note(note.as_deref());
    Ok((plan, note.into_iter().collect()))
}

/// The nodes of a coloured net, without arcs: for their names.
pub fn outline(net: &ColouredNet) -> Net {
    let mut builder = NetBuilder::new(net.name.clone());
    for place in &net.places {
        // Ids are unique in a coloured net as well.
        if let (Ok(id), Some(label)) = (builder.place(&place.id, 0), &place.label) {
            builder.label_place(id, label);
        }
    }
    for transition in &net.transitions {
        if let (Ok(id), Some(label)) = (builder.transition(&transition.id), &transition.label) {
            builder.label_transition(id, label);
        }
    }
    builder.build().unwrap_or_else(|_| NetBuilder::new("").build().expect("an empty net can be built"))
}

/// The report in the words of the others.
fn plain(report: &ColouredReport) -> Report {
    Report {
        search: report.search,
        codec: CodecChoice::Multiset,
        store: StoreChoice::Flat,
        stopped: report.stopped,
        pump: None,
        states: report.states,
        exact: report.distinct().is_some(),
        counts: report.counts,
        maxima: Some(report.maxima.tokens.clone()),
        key_bits: 0,
        store_bytes: report.store_bytes,
        table_bytes: 0,
        search_bytes: report.search_bytes,
        peak_states: report.peak_states,
        widenings: 0,
        components: None,
        threads: 1,
        swept: report.swept.clone(),
        windowed: None,
        time: report.time,
    }
}

/// Which transitions fire, and how many bytes states would take.
struct Watched {
    fired: Vec<bool>,
    sizes: Option<Sizes>,
}

impl ColouredObserver for Watched {
    fn discovered(&mut self, state: &MarkingWorld<'_>, _: StateId) -> bool {
        if let Some(sizes) = &mut self.sizes {
            sizes.add(state);
        }
        false
    }

    fn fired(&mut self, transition: usize) {
        self.fired[transition] = true;
    }
}
