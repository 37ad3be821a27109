//! Models made ready to be explored: which engine, and what the model itself promises.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use sweepnet_colour::unfold::Limits;
use sweepnet_colour::{Machine, Patience, UnfoldError};
use sweepnet_logic::Answer;
use sweepnet_logic::coloured::{Condition, Holdings, Promise, Untranslated, conditions, story};
use sweepnet_net::Net;
use sweepnet_space::budget::Budget;
use sweepnet_space::{CodecChoice, StopReason, Trace};

use crate::args::{Engine, Exploring, Input};
use crate::failure::Failure;
use crate::input::{self, Coloured, Folded, Subject};
use crate::session::Session;

/// A model on its way.
pub enum Way {
    /// As a place/transition net.
    Plain(Prepared),
    /// On multisets of values.
    Coloured(Box<Coloured>),
    /// Not at all: it was to be unfolded, and a limit ended that.
    Stopped(Box<Coloured>, StopReason),
}

/// A place/transition net, and the coloured net behind it if there is one.
pub struct Prepared {
    /// The net.
    pub net: Arc<Net>,
    /// What it is the unfolding of.
    pub colours: Option<Box<Colours>>,
}

/// The coloured net behind an unfolded one.
pub struct Colours {
    /// The coloured net and how it was unfolded.
    pub folded: Folded,
    /// What it promises.
    pub conditions: Vec<Condition>,
    /// What its places hold.
    pub holdings: Holdings,
}

impl Colours {
    /// Shows the traces of answers on a net that has also the places that are only defined; nothing if there are none, so
    /// that the unfolding shows everything.
    pub fn retell(&self, answers: &mut [Answer], budget: &Budget) -> Option<Net> {
        let (net, unfolding) = (&self.folded.coloured.net, &self.folded.unfolding);
        if !(0..net.places.len()).any(|place| net.is_only_defined(place)) {
            return None;
        }
        let traces = answers.iter_mut().filter_map(|answer| answer.trace.as_mut());
        let traces: Vec<&mut Trace> = traces.collect();
        let paths = traces.iter().map(|trace| story::events(unfolding, &trace.events));
        let story = story::tell(net, &Machine::new(net), paths, budget).ok()?;
        traces.into_iter().zip(story.traces).for_each(|(trace, told)| *trace = told);
        Some(story.net)
    }
}

impl Prepared {
    /// Whether a broken condition is only that a slice was too small.
    pub fn outgrows_slice(&self, broken: Option<usize>) -> bool {
        let conditions = self.colours.as_ref().map(|colours| &colours.conditions);
        broken.zip(conditions).is_some_and(|(at, conditions)| conditions[at].promise == Promise::Slice)
    }

    /// Whether it is a slice, of which it is not known yet that it has everything.
    pub fn is_slice(&self) -> bool {
        self.colours.as_ref().is_some_and(|colours| colours.folded.unfolding.elsewhere.is_some())
    }

    /// The same model without a slice.
    pub fn whole(self, exploring: &Exploring, session: &Session, input: &Input) -> Result<Way, Failure> {
        match self.colours {
            Some(colours) => {
                let nodes = most_nodes(exploring.engine, session);
                let coloured = Box::new(colours.folded.coloured);
                unfold(coloured, exploring.engine, nodes, session, input, false)
            }
            None => Ok(Way::Plain(self)),
        }
    }

    /// The coloured net behind it, if there is one.
    pub fn folded(&self) -> Option<&Folded> {
        self.colours.as_ref().map(|colours| &colours.folded)
    }

    /// What the model promises, as properties.
    pub fn conditions(&self) -> Vec<sweepnet_logic::Property> {
        let conditions = self.colours.iter().flat_map(|colours| &colours.conditions);
        conditions.map(|condition| condition.property.clone()).collect()
    }
}

/// Places, transitions and arcs of unfoldings that are of reasonable size.
const REASONABLE: usize = 5_000_000;

/// Memory that each of them takes, about, until the search begins.
const BYTES_EACH: u64 = 400;

/// How large an unfolding may become.
fn most_nodes(engine: Engine, session: &Session) -> usize {
    let room = usize::try_from(session.limits.memory / 2 / BYTES_EACH).unwrap_or(usize::MAX);
    if engine == Engine::Auto { room.min(REASONABLE) } else { room }
}

/// Chooses the engine, and unfolds where that is chosen.
pub fn prepare(
    subject: Subject,
    exploring: &Exploring,
    session: &Session,
    input: &Input,
) -> Result<Way, Failure> {
    let coloured = match subject {
        Subject::Plain(net) => {
            if exploring.engine == Engine::Coloured || exploring.codec == CodecChoice::Multiset {
                let what = match exploring.engine {
                    Engine::Coloured => "--engine coloured",
                    _ => "--codec multiset",
                };
                return Err(Failure::input(format!("{what} is for coloured nets; this is none")));
            }
            return Ok(Way::Plain(Prepared { net, colours: None }));
        }
        Subject::Coloured(coloured) => coloured,
    };
    let engine = match (exploring.engine, exploring.codec) {
        (Engine::Unfolded, CodecChoice::Multiset) => {
            return Err(Failure::input(
                "--codec multiset does not go with --engine unfolded: it encodes multisets of values",
            ));
        }
        (_, CodecChoice::Multiset) => Engine::Coloured,
        (engine, _) => engine,
    };
    if engine == Engine::Coloured {
        return Ok(Way::Coloured(coloured));
    }
    let nodes = most_nodes(engine, session);
    unfold(coloured, engine, nodes, session, input, true)
}

/// Unfolds: a slice if allowed and worthwhile, else all of it.
fn unfold(
    coloured: Box<Coloured>,
    engine: Engine,
    nodes: usize,
    session: &Session,
    input: &Input,
    slice: bool,
) -> Result<Way, Failure> {
    let unfolded = session.patiently(|go_on| {
        let limits = Limits { nodes, go_on };
        if slice { coloured.net.unfold_slice(&limits) } else { coloured.net.unfold(&limits) }
    });
    let unfolding = match (unfolded, engine) {
        (Ok(Ok(unfolding)), _) => unfolding,
        // Whoever does not insist gets the other engine, which looks at the same limits.
        (
            Err(_)
            | Ok(Err(
                UnfoldError::Timed
                | UnfoldError::Priorities
                | UnfoldError::LookedAt { .. }
                | UnfoldError::TooLarge(_)
                | UnfoldError::Unbound { .. }
                | UnfoldError::Stopped,
            )),
            Engine::Auto,
        ) => return Ok(Way::Coloured(coloured)),
        (Err(reason), _) => return Ok(Way::Stopped(coloured, reason)),
        // It may be as large as there is memory for.
        (Ok(Err(UnfoldError::TooLarge(_) | UnfoldError::Stopped)), _) => {
            return Ok(Way::Stopped(coloured, StopReason::Memory));
        }
        (Ok(Err(error)), _) => return Err(input::not_unfolded(input, &coloured.net, &error)),
    };
    let promised = session.patiently(|go_on| {
        let (net, patience) = (&coloured.net, Patience::asking(go_on));
        Ok::<_, Untranslated>((
            conditions::of(net, &unfolding, patience)?,
            Holdings::of(net, &unfolding, patience)?,
        ))
    });
    let promised = match promised {
        Ok(promised) => promised,
        Err(_) if engine == Engine::Auto => return Ok(Way::Coloured(coloured)),
        Err(reason) => return Ok(Way::Stopped(coloured, reason)),
    };
    match promised {
        Ok((conditions, holdings)) => {
            let net = Arc::clone(&unfolding.net);
            let folded = Folded { coloured: *coloured, unfolding };
            let colours = Some(Box::new(Colours { folded, conditions, holdings }));
            Ok(Way::Plain(Prepared { net, colours }))
        }
        Err(_) if engine == Engine::Auto => Ok(Way::Coloured(coloured)),
        Err(error) => {
            let name = input::display_name(&input.model);
            Err(Failure::input(format!(
                "{name}: on its unfolding, not all of its capacities and derived places can be watched: {error}"
            )))
        }
    }
}

/// How large a model is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its places, as it was written.
    pub places: usize,
    /// Its transitions.
    pub transitions: usize,
    /// Places and transitions of its unfolding, if that was explored.
    pub unfolded: Option<(usize, usize)>,
}

impl Size {
    /// The size of a net that was explored.
    pub fn of(net: &Net) -> Self {
        let (places, transitions) = (net.places().len(), net.transitions().len());
        match net.folding() {
            Some(folding) => {
                // Of a slice, the last place tells that something left it.
                let own = folding.places.iter().map(|fold| fold.instances.len()).sum();
                let (places, count) = (folding.places.len(), folding.transitions.len());
                Self { places, transitions: count, unfolded: Some((own, transitions)) }
            }
            None => Self { places, transitions, unfolded: None },
        }
    }

    /// The size of a coloured net that was explored as it is, by the net on which its traces are shown.
    pub fn of_coloured(shown: &Net) -> Self {
        Self { unfolded: None, ..Self::of(shown) }
    }

    /// As JSON: the fields that `explore` and `check` have in common.
    pub fn json(&self) -> Map<String, Value> {
        let unfolded = |(places, transitions)| json!({ "places": places, "transitions": transitions });
        let fields = [
            ("places", self.places.into()),
            ("transitions", self.transitions.into()),
            ("unfolded", self.unfolded.map(unfolded).into()),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
