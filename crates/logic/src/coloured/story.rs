//! Paths through a coloured net as traces that can be shown: on a small net that has just the places and events that
//! occur in them.
//!
//! Places are called as those of an unfolding, `sent(1,2)`; a token that is not ready yet is in a place of its own,
//! `timer(1)@7`, and moves when its time has come. Events of timed nets carry the time at which they happen,
//! `resend(p=1)@7`.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use sweepnet_colour::{ColouredNet, Event, Machine, Marking, Unfolding};
use sweepnet_net::{Fold, Folding, Net, NetBuilder, PlaceId, TransitionId};
use sweepnet_space::Trace;
use sweepnet_space::budget::{Budget, Hold, OutOfMemory};

/// The net of some paths, and the paths as traces on it, in order.
pub struct Story {
    /// The net.
    pub net: Net,
    /// The traces.
    pub traces: Vec<Trace>,
}

/// A token where it is shown: the coloured place, the words of its value, and when it is ready if it is not.
type Spot = (usize, Box<[u64]>, Option<u64>);

/// Bytes that are asked for at a time.
const PORTION: usize = 1 << 20;

/// A marking as it is shown.
type Shown = BTreeMap<Spot, u64>;

/// What a step does. Paths may have millions of steps, of which most do what others did: each effect is kept once.
#[derive(PartialEq, Eq, Hash)]
struct Effect {
    transition: usize,
    /// What the event is called.
    name: String,
    takes: Change,
    gives: Change,
}

/// Tokens that are taken or given, in order.
type Change = Box<[(Spot, u64)]>;

impl Effect {
    /// About how many bytes it takes, together with the places and the transition that it becomes: names are there
    /// several times, in lists and in the indexes that find them.
    fn bytes(&self) -> usize {
        let spots = self.takes.iter().chain(&self.gives).map(|((_, value, _), _)| 200 + 16 * value.len());
        400 + 3 * self.name.len() + spots.sum::<usize>()
    }
}

/// The events of the unfolding as events of the coloured net.
pub fn events<'a>(
    unfolding: &'a Unfolding,
    events: &'a [TransitionId],
) -> impl Iterator<Item = Event> + Clone + 'a {
    events.iter().map(|t| {
        let (transition, binding) = unfolding.binding(*t);
        Event { transition, binding: binding.into(), wait: 0 }
    })
}

/// Why paths are not told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    /// There is too little memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// They are none of this net, with the reason.
    #[error("{0}")]
    NotReplayed(String),
}

/// Tells paths.
pub fn tell<P: IntoIterator<Item: Borrow<Event>>>(
    net: &ColouredNet,
    machine: &Machine,
    paths: impl IntoIterator<Item = P>,
    budget: &Budget,
) -> Result<Story, Untold> {
    let first = shown(net, machine.initial(), 0);
    let mut effects: HashMap<Effect, u32> = HashMap::new();
    let mut told: Vec<Vec<u32>> = Vec::new();
    let mut held: Vec<Hold> = Vec::new();
    let mut owed = 0;
    for path in paths {
        let (mut marking, mut time, mut steps) = (machine.initial().clone(), 0u64, Vec::new());
        let mut before = first.clone();
        for event in path {
            let event = event.borrow();
            let next = machine.fire(&marking, event).and_then(Result::ok);
            let name = net.event_name(event.transition, &event.binding);
            marking = next.ok_or_else(|| {
                Untold::NotReplayed(format!("the event {name} of a trace could not be replayed"))
            })?;
            time += event.wait;
            let name = if net.is_timed() { format!("{name}@{time}") } else { name };
            let after = shown(net, &marking, time);
            let (takes, gives) = (without(&before, &after), without(&after, &before));
            let effect = Effect { transition: event.transition, name, takes, gives };
            let new = effects.len() as u32;
            let number = *effects.entry(effect).or_insert_with_key(|effect| {
                owed += effect.bytes();
                new
            });
            steps.push(number);
            owed += size_of_val(&number) + size_of::<TransitionId>();
            if owed >= PORTION {
                held.push(budget.hold(std::mem::take(&mut owed))?);
            }
            before = after;
        }
        told.push(steps);
    }
    let mut effects: Vec<(Effect, u32)> = effects.into_iter().collect();
    effects.sort_unstable_by_key(|(_, number)| *number);
    let effects: Vec<Effect> = effects.into_iter().map(|(effect, _)| effect).collect();
    let changed = effects.iter().flat_map(|effect| effect.takes.iter().chain(&effect.gives));
    let spots: BTreeSet<&Spot> = changed.map(|(spot, _)| spot).chain(first.keys()).collect();
    assemble(net, &first, &spots, &effects, told).map_err(|error| Untold::NotReplayed(error.to_string()))
}

fn assemble(
    net: &ColouredNet,
    first: &Shown,
    spots: &BTreeSet<&Spot>,
    effects: &[Effect],
    told: Vec<Vec<u32>>,
) -> Result<Story, Box<dyn std::error::Error>> {
    let mut builder = NetBuilder::new(net.name.clone());
    let mut places: HashMap<&Spot, PlaceId> = HashMap::new();
    let mut folding = Folding::default();
    for (p, place) in net.places.iter().enumerate() {
        let start = builder.place_count();
        for spot in spots.iter().filter(|(at, _, _)| *at == p) {
            let mut name = net.place_name(&place.id, place.type_, &spot.1);
            if let Some(ready) = spot.2 {
                name = format!("{name}@{ready}");
            }
            while builder.find_place(&name).is_some() {
                name.push('\'');
            }
            places.insert(spot, builder.place(&name, first.get(*spot).copied().unwrap_or(0))?);
        }
        let (id, label) = (place.id.clone(), place.label.clone());
        folding.places.push(Fold { id, label, instances: start..builder.place_count() });
    }
    // What an event does may depend on where it happens (reset arcs, time): each effect is a transition of its own.
    let mut events: Vec<Option<TransitionId>> = vec![None; effects.len()];
    for (t, transition) in net.transitions.iter().enumerate() {
        let start = builder.transition_count();
        for (effect, event) in effects.iter().zip(&mut events).filter(|(effect, _)| effect.transition == t) {
            let id = builder.homonym(&effect.name)?;
            for (spot, count) in &*effect.takes {
                builder.input(id, places[spot], *count)?;
            }
            for (spot, count) in &*effect.gives {
                builder.output(id, places[spot], *count)?;
            }
            *event = Some(id);
        }
        let (id, label) = (transition.id.clone(), transition.label.clone());
        folding.transitions.push(Fold { id, label, instances: start..builder.transition_count() });
    }
    builder.set_folding(folding);
    let net = builder.build()?;
    let replay = |steps: Vec<u32>| {
        Trace::replay(&net, steps.into_iter().filter_map(|effect| events[effect as usize]).collect())
    };
    let traces = told.into_iter().map(replay).collect::<Result<_, _>>()?;
    Ok(Story { net, traces })
}

/// A marking at a time, as it is shown.
fn shown(net: &ColouredNet, marking: &Marking, now: u64) -> Shown {
    let mut shown = Shown::new();
    for (p, (place, tokens)) in net.places.iter().zip(&marking.places).enumerate() {
        for (words, count) in tokens.iter() {
            let (value, ready) = match (place.timed, words.split_last()) {
                (true, Some((0, value))) => (value, None),
                (true, Some((wait, value))) => (value, Some(now + wait)),
                _ => (words, None),
            };
            *shown.entry((p, value.into(), ready)).or_default() += count;
        }
    }
    shown
}

/// What one marking has more than another.
fn without(a: &Shown, b: &Shown) -> Change {
    let more = |(spot, count): (&Spot, &u64)| {
        let more = count.saturating_sub(b.get(spot).copied().unwrap_or(0));
        (more > 0).then(|| (spot.clone(), more))
    };
    a.iter().filter_map(more).collect()
}
