//! Paths through a coloured net as traces that can be shown: on a small net that has just the places and events that
//! occur in them.
//!
//! Places are called as those of an unfolding, `sent(1,2)`; a token that is not ready yet is in a place of its own,
//! `timer(1)@7`, and moves when its time has come. Events of timed nets carry the time at which they happen,
//! `resend(p=1)@7`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sweepnet_colour::{ColouredNet, Event, Machine, Marking, Unfolding};
use sweepnet_net::{Fold, Folding, Net, NetBuilder, PlaceId, TransitionId};
use sweepnet_space::Trace;

/// The net of some paths, and the paths as traces on it, in order.
pub struct Story {
    /// The net.
    pub net: Net,
    /// The traces.
    pub traces: Vec<Trace>,
}

/// A token where it is shown: the coloured place, the words of its value, and when it is ready if it is not.
type Spot = (usize, Box<[u64]>, Option<u64>);

/// A marking as it is shown.
type Shown = BTreeMap<Spot, u64>;

/// One step. What it changes is kept and not where it leads: paths may have millions of steps.
struct Step {
    transition: usize,
    /// What the event is called.
    name: String,
    takes: Shown,
    gives: Shown,
}

/// The events of the unfolding as events of the coloured net.
pub fn events(unfolding: &Unfolding, events: &[TransitionId]) -> Vec<Event> {
    let event = |t: &TransitionId| {
        let (transition, binding) = unfolding.binding(*t);
        Event { transition, binding: binding.into(), wait: 0 }
    };
    events.iter().map(event).collect()
}

/// Tells paths; an error is the event that cannot be fired again.
pub fn tell(net: &ColouredNet, machine: &Machine, paths: &[Vec<Event>]) -> Result<Story, String> {
    let first = shown(net, machine.initial(), 0);
    let mut told: Vec<Vec<Step>> = Vec::with_capacity(paths.len());
    for path in paths {
        let (mut marking, mut time, mut steps) = (machine.initial().clone(), 0u64, Vec::new());
        let mut before = first.clone();
        for event in path {
            let next = machine.fire(&marking, event).and_then(Result::ok);
            let name = net.event_name(event.transition, &event.binding);
            marking = next.ok_or_else(|| format!("the event {name} of a trace could not be replayed"))?;
            time += event.wait;
            let name = if net.is_timed() { format!("{name}@{time}") } else { name };
            let after = shown(net, &marking, time);
            let (takes, gives) = (without(&before, &after), without(&after, &before));
            steps.push(Step { transition: event.transition, name, takes, gives });
            before = after;
        }
        told.push(steps);
    }
    let changed = told.iter().flatten().flat_map(|step| step.takes.keys().chain(step.gives.keys()));
    let spots: BTreeSet<&Spot> = changed.chain(first.keys()).collect();
    assemble(net, &first, &spots, &told).map_err(|error| error.to_string())
}

fn assemble(
    net: &ColouredNet,
    first: &Shown,
    spots: &BTreeSet<&Spot>,
    told: &[Vec<Step>],
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
    let mut effects: HashMap<(&str, &Shown, &Shown), TransitionId> = HashMap::new();
    let mut events: Vec<Vec<Option<TransitionId>>> =
        told.iter().map(|steps| vec![None; steps.len()]).collect();
    for (t, transition) in net.transitions.iter().enumerate() {
        let start = builder.transition_count();
        effects.clear();
        for (steps, events) in told.iter().zip(&mut events) {
            for (step, event) in steps.iter().zip(events.iter_mut()).filter(|(step, _)| step.transition == t)
            {
                let key = (step.name.as_str(), &step.takes, &step.gives);
                let id = match effects.get(&key) {
                    Some(id) => *id,
                    None => {
                        let id = builder.homonym(&step.name)?;
                        for (spot, count) in &step.takes {
                            builder.input(id, places[spot], *count)?;
                        }
                        for (spot, count) in &step.gives {
                            builder.output(id, places[spot], *count)?;
                        }
                        effects.insert(key, id);
                        id
                    }
                };
                *event = Some(id);
            }
        }
        let (id, label) = (transition.id.clone(), transition.label.clone());
        folding.transitions.push(Fold { id, label, instances: start..builder.transition_count() });
    }
    builder.set_folding(folding);
    let net = builder.build()?;
    let replay =
        |events: Vec<Option<TransitionId>>| Trace::replay(&net, events.into_iter().flatten().collect());
    let traces = events.into_iter().map(replay).collect::<Result<_, _>>()?;
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
fn without(a: &Shown, b: &Shown) -> Shown {
    let more = |(spot, count): (&Spot, &u64)| {
        let more = count.saturating_sub(b.get(spot).copied().unwrap_or(0));
        (more > 0).then(|| (spot.clone(), more))
    };
    a.iter().filter_map(more).collect()
}
