//! Models made ready to be explored: which engine, and what the model itself promises.

use std::sync::Arc;

use sweepnet_colour::unfold::Limits;
use sweepnet_colour::{Patience, UnfoldError};
use sweepnet_logic::coloured::{Condition, Promise, Untranslated, conditions};
use sweepnet_net::Net;
use sweepnet_space::CodecChoice;

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
    let unfolding = match unfolded.unwrap_or(Err(UnfoldError::Stopped)) {
        Ok(unfolding) => unfolding,
        // Whoever does not insist gets the other engine.
        Err(
            UnfoldError::Timed
            | UnfoldError::Priorities
            | UnfoldError::TooLarge(_)
            | UnfoldError::Unbound { .. }
            | UnfoldError::Stopped,
        ) if engine == Engine::Auto => return Ok(Way::Coloured(coloured)),
        // The other engine looks at the same limits: it says at once which one is reached.
        Err(UnfoldError::Stopped) if session.is_over() => return Ok(Way::Coloured(coloured)),
        Err(error) => return Err(input::not_unfolded(input, &coloured.net, &error)),
    };
    let promised =
        session.patiently(|go_on| conditions::of(&coloured.net, &unfolding, Patience::asking(go_on)));
    let promised = match promised {
        Ok(promised) => promised,
        Err(_) if session.is_over() => return Ok(Way::Coloured(coloured)),
        Err(_) => Err(Untranslated::TooLarge),
    };
    match promised {
        Ok(conditions) => {
            let net = Arc::clone(&unfolding.net);
            let colours =
                Some(Box::new(Colours { folded: Folded { coloured: *coloured, unfolding }, conditions }));
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

/// How many places of a net are its own: of a slice, all but the last one, which tells that something left it.
pub fn own_places(net: &Net) -> usize {
    let folded = net.folding().map(|folding| folding.places.iter().map(|fold| fold.instances.len()).sum());
    folded.unwrap_or(net.places().len())
}
