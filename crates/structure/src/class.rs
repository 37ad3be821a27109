//! What kind of net it is: sizes, and the classes of the textbooks (Murata 1989, Desel and Esparza 1995).
//!
//! With •x and x• for the nodes before and after x, along input and output arcs:
//!
//! | class | condition |
//! | --- | --- |
//! | ordinary | every weight is 1 |
//! | pure | no place is both input and output of one transition |
//! | state machine | ordinary, and every transition has one input and one output place |
//! | marked graph | ordinary, and every place has one input and one output transition |
//! | free choice | ordinary, and if s• has several transitions, s is the only input of each |
//! | extended free choice | ordinary, and places that share an output transition share them all |
//! | asymmetric choice | ordinary, and of places that share an output, one has all the outputs of the other |
//!
//! These classes are about plain nets: a net with read, inhibitor or reset arcs is in none of them. Everything
//! here is linear in the arcs, up to a logarithm: places with the same outputs are compared once.

use std::collections::{HashMap, HashSet};

use sweepnet_net::{Arcs, Net, PlaceId, TransitionId};

use crate::graph::Graph;
use crate::incidence::Incidence;
use crate::semiflows::{Semiflow, Semiflows};

/// Sizes and classes of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// How many places.
    pub places: usize,
    /// How many transitions.
    pub transitions: usize,
    /// How many input arcs.
    pub inputs: usize,
    /// How many output arcs.
    pub outputs: usize,
    /// How many read arcs.
    pub reads: usize,
    /// How many inhibitor arcs.
    pub inhibitors: usize,
    /// How many reset arcs.
    pub resets: usize,
    /// Every weight of an input or output arc is 1.
    pub ordinary: bool,
    /// No transition takes from and gives to one place.
    pub pure_net: bool,
    /// Every transition moves one token.
    pub state_machine: bool,
    /// Every place has one feeder and one consumer.
    pub marked_graph: bool,
    /// Choices are free.
    pub free_choice: bool,
    /// Choices are free, and may be spread over several places.
    pub extended_free_choice: bool,
    /// Choices are nested.
    pub asymmetric_choice: bool,
    /// How many pieces the net falls into.
    pub components: usize,
    /// Whether every node reaches every node.
    pub strongly_connected: bool,
    /// Places that no output arc leads to.
    pub source_places: Vec<PlaceId>,
    /// Places that no input arc leaves.
    pub sink_places: Vec<PlaceId>,
    /// Transitions without input arcs.
    pub source_transitions: Vec<TransitionId>,
    /// Transitions without output arcs.
    pub sink_transitions: Vec<TransitionId>,
    /// Places without any arc.
    pub isolated_places: Vec<PlaceId>,
    /// Transitions without any arc.
    pub isolated_transitions: Vec<TransitionId>,
    /// Every firing keeps the number of tokens.
    pub token_conserving: bool,
    /// One source place, one sink place, everything on a path from one to the other.
    pub workflow: bool,
}

impl Class {
    /// Looks at the net; linear in its arcs, up to a logarithm.
    pub fn of(net: &Net) -> Self {
        let graph = Graph::of(net);
        let before = Ends::new(net, net.outputs());
        let after = Ends::new(net, net.inputs());
        let looked_at = [net.reads(), net.inhibitors(), net.resets()].map(|arcs| Ends::new(net, arcs));
        let tied = |p: &PlaceId| looked_at.iter().any(|ends| !ends.of(*p).is_empty());
        let bare = |t: &TransitionId| {
            [net.reads(), net.inhibitors(), net.resets()].iter().all(|arcs| arcs.of(*t).is_empty())
        };
        let source_places: Vec<_> = net.place_ids().filter(|p| before.of(*p).is_empty()).collect();
        let sink_places: Vec<_> = net.place_ids().filter(|p| after.of(*p).is_empty()).collect();
        let no_inputs = |t: &TransitionId| net.inputs().of(*t).is_empty();
        let no_outputs = |t: &TransitionId| net.outputs().of(*t).is_empty();
        let plain = net.is_plain();
        let ordinary = is_ordinary(net);
        let classical = plain && ordinary;
        let single = |arcs: &Arcs, t: TransitionId| arcs.of(t).len() == 1;
        let workflow = match (&source_places[..], &sink_places[..]) {
            ([source], [sink]) if source != sink => graph.all_on_paths(source.index(), sink.index()),
            _ => false,
        };
        Self {
            places: net.places().len(),
            transitions: net.transitions().len(),
            inputs: net.inputs().len(),
            outputs: net.outputs().len(),
            reads: net.reads().len(),
            inhibitors: net.inhibitors().len(),
            resets: net.resets().len(),
            ordinary,
            pure_net: net.transition_ids().all(|t| no_self_loop(net, t)),
            state_machine: classical
                && net.transition_ids().all(|t| single(net.inputs(), t) && single(net.outputs(), t)),
            marked_graph: classical
                && net.place_ids().all(|p| before.of(p).len() == 1 && after.of(p).len() == 1),
            free_choice: classical
                && net.place_ids().all(|p| {
                    let choices = after.of(p);
                    choices.len() <= 1 || choices.iter().all(|t| single(net.inputs(), *t))
                }),
            extended_free_choice: classical && is_extended_free_choice(net, &after),
            asymmetric_choice: classical && is_asymmetric_choice(net, &after),
            components: graph.components(),
            strongly_connected: graph.is_strongly_connected(),
            isolated_places: source_places
                .iter()
                .copied()
                .filter(|p| after.of(*p).is_empty() && !tied(p))
                .collect(),
            isolated_transitions: net
                .transition_ids()
                .filter(|t| no_inputs(t) && no_outputs(t) && bare(t))
                .collect(),
            source_transitions: net.transition_ids().filter(no_inputs).collect(),
            sink_transitions: net.transition_ids().filter(no_outputs).collect(),
            token_conserving: net.resets().is_empty() && conserves_tokens(&Incidence::of(net)),
            source_places,
            sink_places,
            workflow,
        }
    }
}

/// Whether some P-semiflow is positive everywhere, so that no place can grow without bound: whether the
/// semiflows' supports cover all places. Nothing if they do not, but some may be missing.
pub fn is_conservative(net: &Net, place_semiflows: &Semiflows) -> Option<bool> {
    covers(place_semiflows, net.places().len())
}

/// Whether some T-semiflow is positive everywhere, so that a net that is live and bounded can return to every
/// marking: whether the semiflows' supports cover all transitions. Nothing if they do not, but some may be
/// missing.
pub fn is_consistent(net: &Net, transition_semiflows: &Semiflows) -> Option<bool> {
    covers(transition_semiflows, net.transitions().len())
}

fn covers(semiflows: &Semiflows, size: usize) -> Option<bool> {
    let in_range = semiflows.flows.iter().flat_map(Semiflow::support).all(|index| index < size);
    let all = in_range && semiflows.covered(size).into_iter().all(|covered| covered);
    if all || semiflows.complete { Some(all) } else { None }
}

/// For each place the transitions at the other end of its arcs of one kind, sorted.
struct Ends {
    starts: Vec<usize>,
    transitions: Vec<TransitionId>,
}

impl Ends {
    fn new(net: &Net, arcs: &Arcs) -> Self {
        let mut starts = vec![0; net.places().len() + 1];
        for arc in net.transition_ids().flat_map(|t| arcs.of(t)) {
            starts[arc.place.index() + 1] += 1;
        }
        for p in 0..net.places().len() {
            starts[p + 1] += starts[p];
        }
        let mut next = starts.clone();
        let mut transitions = vec![TransitionId::new(0); arcs.len()];
        for t in net.transition_ids() {
            for arc in arcs.of(t) {
                transitions[next[arc.place.index()]] = t;
                next[arc.place.index()] += 1;
            }
        }
        Self { starts, transitions }
    }

    /// A number for each place, the same for places with the same transitions.
    fn kinds(&self, net: &Net) -> Vec<usize> {
        let mut known: HashMap<&[TransitionId], usize> = HashMap::new();
        net.place_ids()
            .map(|p| {
                let next = known.len();
                *known.entry(self.of(p)).or_insert(next)
            })
            .collect()
    }

    fn of(&self, place: PlaceId) -> &[TransitionId] {
        &self.transitions[self.starts[place.index()]..self.starts[place.index() + 1]]
    }
}

fn is_ordinary(net: &Net) -> bool {
    let ones = |arcs: &Arcs| net.transition_ids().all(|t| arcs.of(t).iter().all(|arc| arc.weight == 1));
    ones(net.inputs()) && ones(net.outputs())
}

fn no_self_loop(net: &Net, t: TransitionId) -> bool {
    net.inputs().of(t).iter().all(|arc| net.outputs().weight(t, arc.place) == 0)
}

fn conserves_tokens(incidence: &Incidence) -> bool {
    let effects = incidence.by_transition();
    (0..effects.height()).all(|t| {
        effects.row(t).map(|(_, effect)| effect).try_fold(0i128, |sum, effect| sum.checked_add(effect))
            == Some(0)
    })
}

/// Places that share an output have the same outputs: it is enough to compare each with the first.
fn is_extended_free_choice(net: &Net, after: &Ends) -> bool {
    let kinds = after.kinds(net);
    net.transition_ids().all(|t| {
        let mut inputs = net.inputs().of(t).iter().map(|arc| kinds[arc.place.index()]);
        let first = inputs.next();
        inputs.all(|kind| Some(kind) == first)
    })
}

/// The outputs of places that share one form a chain: sorted by size, each contains the one before.
fn is_asymmetric_choice(net: &Net, after: &Ends) -> bool {
    let kinds = after.kinds(net);
    let mut compared = HashSet::new();
    net.transition_ids().all(|t| {
        let mut inputs: Vec<PlaceId> = net.inputs().of(t).iter().map(|arc| arc.place).collect();
        inputs.sort_by_key(|p| after.of(*p).len());
        inputs.windows(2).all(|pair| {
            let (smaller, larger) = (pair[0], pair[1]);
            let (one, other) = (kinds[smaller.index()], kinds[larger.index()]);
            one == other
                || !compared.insert((one, other))
                || after.of(smaller).iter().all(|t| after.of(larger).binary_search(t).is_ok())
        })
    })
}
