//! Makes the place/transition net of the values and instances.

use std::collections::BTreeMap;
use std::sync::Arc;

use sweepnet_net::{Fold, Folding, NetBuilder, PlaceId};

use super::fixpoint::{Flow, Found, Instance};
use super::slice::{Part, Slice};
use super::{Limits, UnfoldError, Unfolding, groupings};
use crate::compile::{BagCode, Compiler};
use crate::frame::Frame;
use crate::net::{ColouredNet, Transition};
use crate::patience::Patience;
use crate::tokens::Draft;

pub(super) fn assemble(
    net: &ColouredNet,
    found: Found,
    slice: &Slice,
    is_sliced: bool,
    limits: &Limits<'_>,
) -> Result<Unfolding, UnfoldError> {
    let Found { colours, mut instances } = found;
    let mut builder = NetBuilder::new(net.name.clone());
    let mut folding = Folding::default();
    // The number of each value's place.
    let mut numbers: Vec<Vec<Option<PlaceId>>> = Vec::with_capacity(colours.len());
    let mut values = Vec::with_capacity(colours.len());
    for (p, (place, colours)) in net.places.iter().zip(&colours).enumerate() {
        let mut order: Vec<usize> = (0..colours.len()).filter(|at| slice.has(p, *at)).collect();
        order.sort_unstable_by(|a, b| colours.value(*a).cmp(colours.value(*b)));
        let first = builder.place_count();
        let mut own = vec![None; colours.len()];
        let mut words = Vec::with_capacity(order.len() * net.types.width(place.type_));
        for at in order {
            let value = colours.value(at);
            let initial = place.initial.binary_search_by(|(other, _)| (**other).cmp(value));
            let initial = initial.map_or(0, |at| place.initial[at].1);
            let name = net.place_name(&place.id, place.type_, value);
            let name = free(&name, |name| builder.find_place(name).is_none());
            own[at] = Some(builder.place(&name, initial)?);
            words.extend_from_slice(value);
        }
        let (id, label) = (place.id.clone(), place.label.clone());
        folding.places.push(Fold { id, label, instances: first..builder.place_count() });
        numbers.push(own);
        values.push(words);
    }
    let elsewhere = match is_sliced {
        true => {
            let name = free("(elsewhere)", |name| builder.find_place(name).is_none());
            Some(builder.place(&name, 0)?)
        }
        false => None,
    };
    instances.retain(|instance| slice.part(instance) != Part::Outside);
    instances.sort_unstable_by(|a, b| (a.transition, &a.binding).cmp(&(b.transition, &b.binding)));
    let (mut faults, mut bindings) = (Vec::new(), Vec::new());
    let mut rest = instances.as_slice();
    let looks = Looks::new(net);
    // Arcs to all values of a place, which are as many for each instance.
    let mut wide_arcs = 0usize;
    for (t, transition) in net.transitions.iter().enumerate() {
        let first = builder.transition_count();
        let count = rest.partition_point(|instance| instance.transition == t);
        let (own, other) = rest.split_at(count);
        rest = other;
        let mut words = Vec::new();
        let wide = transition.empties.iter().chain(&transition.resets).map(|place| numbers[*place].len());
        wide_arcs = wide_arcs.saturating_add(wide.sum::<usize>().saturating_mul(own.len()));
        if wide_arcs > limits.nodes {
            return Err(UnfoldError::TooLarge(limits.nodes));
        }
        for (at, instance) in own.iter().enumerate() {
            if at.is_multiple_of(LOOK) && !(limits.go_on)() {
                return Err(UnfoldError::Stopped);
            }
            let name = net.event_name(t, &instance.binding);
            let id = builder.transition(&free(&name, |name| builder.find_transition(name).is_none()))?;
            let place = |(place, number, _): &(u32, u32, u64)| numbers[*place as usize][*number as usize];
            let placed = |flows: &[Flow]| -> Vec<(PlaceId, u64)> {
                flows.iter().filter_map(|flow| Some((place(flow)?, flow.2))).collect()
            };
            for (place, count) in placed(&instance.reads) {
                builder.read(id, place, count)?;
            }
            for (at, value, count) in looks.inhibitors(t, instance, limits)? {
                let number = colours[at].find(&value);
                if let Some(place) = number.and_then(|number| numbers[at][number as usize]) {
                    builder.inhibitor(id, place, count)?;
                }
            }
            for place in transition.empties.iter().flat_map(|empty| numbers[*empty].iter().flatten()) {
                builder.inhibitor(id, *place, 1)?;
            }
            match elsewhere.filter(|_| slice.part(instance) == Part::WayOut) {
                // What leads out of the slice takes nothing, so that what is invariant in it stays so.
                Some(elsewhere) => {
                    let mut needs: BTreeMap<PlaceId, u64> = BTreeMap::new();
                    for (place, count) in placed(&instance.inputs) {
                        let need = needs.entry(place).or_default();
                        *need = need.saturating_add(count);
                    }
                    needs.into_iter().try_for_each(|(place, count)| builder.read(id, place, count))?;
                    builder.output(id, elsewhere, 1)?;
                }
                None => {
                    for (place, count) in placed(&instance.inputs) {
                        builder.input(id, place, count)?;
                    }
                    for (place, count) in placed(&instance.outputs) {
                        builder.output(id, place, count)?;
                    }
                    for place in transition.resets.iter().flat_map(|reset| numbers[*reset].iter().flatten()) {
                        builder.reset(id, *place)?;
                    }
                }
            }
            faults.extend(instance.fault.map(|fault| (id, fault)));
            words.extend_from_slice(&instance.binding);
        }
        let (id, label) = (transition.id.clone(), transition.label.clone());
        folding.transitions.push(Fold { id, label, instances: first..builder.transition_count() });
        bindings.push(words);
    }
    folding.groupings = groupings::of(net, &colours, &numbers);
    builder.set_folding(folding);
    let width = |t: &Transition| t.variables.iter().map(|v| net.types.width(v.type_)).sum();
    Ok(Unfolding {
        net: Arc::new(builder.build()?),
        faults,
        elsewhere,
        values,
        widths: net.places.iter().map(|place| net.types.width(place.type_)).collect(),
        bindings,
        binding_widths: net.transitions.iter().map(width).collect(),
    })
}

/// Instances between two looks at whether to go on.
const LOOK: usize = 1 << 10;

/// A name that is free, as near to the wanted one as can be.
fn free(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while !is_free(&name) {
        name.push('\'');
    }
    name
}

/// The inhibitor arcs, whose tokens are only looked up when all values are known.
struct Looks {
    transitions: Vec<Look>,
}

/// A place, a value of it, and how many of that inhibit.
type Inhibitor = (usize, Box<[u64]>, u64);

/// What is needed to evaluate the inhibitor arcs of a transition.
struct Look {
    frame: usize,
    variables: Vec<(usize, usize)>,
    arcs: Vec<(usize, usize, BagCode)>,
}

impl Looks {
    fn new(net: &ColouredNet) -> Self {
        let compiler = Compiler::for_net(net);
        let look = |t: &Transition| Look {
            frame: t.frame,
            variables: t.variables.iter().map(|v| (v.slot, net.types.width(v.type_))).collect(),
            arcs: (t.inhibitors.iter())
                .map(|arc| (arc.place, compiler.width_of(arc.place), compiler.bag(&arc.tokens)))
                .collect(),
        };
        Self { transitions: net.transitions.iter().map(look).collect() }
    }

    /// The places, values and counts that inhibit an instance.
    fn inhibitors(
        &self,
        t: usize,
        instance: &Instance,
        limits: &Limits<'_>,
    ) -> Result<Vec<Inhibitor>, UnfoldError> {
        let Look { frame, variables, arcs } = &self.transitions[t];
        let mut found = Vec::new();
        if arcs.is_empty() {
            return Ok(found);
        }
        let (mut slots, mut at) = (vec![0; *frame], 0);
        for (slot, width) in variables {
            slots[*slot..slot + width].copy_from_slice(&instance.binding[at..at + width]);
            at += width;
        }
        let mut frame = Frame::new(&mut slots, Patience::asking(limits.go_on));
        for (place, width, tokens) in arcs {
            let mut draft = Draft::new(*width);
            // What has no value is not there.
            if tokens(&mut frame, &mut draft, 1).and_then(|()| draft.settle()).is_ok() {
                found.extend(draft.iter().map(|(value, count)| (*place, value.into(), count as u64)));
            }
        }
        if frame.is_interrupted() { Err(UnfoldError::Stopped) } else { Ok(found) }
    }
}
