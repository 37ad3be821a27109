//! All that structure tells, as one JSON object.

use serde_json::{Map, Value, json};
use sweepnet_formats::Warning;
use sweepnet_net::{PlaceId, TransitionId};
use sweepnet_structure::properties::Answer;

use super::Known;
use super::words::{place, transition, weights};
use crate::report::json::{number, warnings};

impl Known<'_> {
    /// The whole of it.
    pub(super) fn json(&self, heard: &[Warning]) -> Value {
        let (net, class) = (self.net, &self.class);
        let place_names = |places: &[PlaceId]| places.iter().map(|p| self.place(*p)).collect::<Vec<_>>();
        let transition_names = |transitions: &[TransitionId]| {
            transitions.iter().map(|t| &*net.transition(*t).id).collect::<Vec<_>>()
        };
        let (place_basis, transition_basis) = self.flows.bases_json();
        // One long sum may prove the bounds of all its places.
        let mut room = self.room;
        let mut proof = |place: PlaceId| {
            let proof = self.proof(place)?;
            room = room.checked_sub(proof.len())?;
            Some(proof)
        };
        json!({
            "schema": "sweepnet/info/1",
            "model": net.name,
            "places": class.places,
            "transitions": class.transitions,
            "arcs": {
                "total": net.arc_count(),
                "input": class.inputs,
                "output": class.outputs,
                "read": class.reads,
                "inhibitor": class.inhibitors,
                "reset": class.resets,
            },
            "initial_tokens": number(i128::try_from(net.initial_marking().total()).unwrap_or(i128::MAX)),
            "classes": self.classes(),
            "structural": self.structural_json(),
            "components": class.components,
            "units": net.units().map(|units| json!({ "units": units.units.len(), "claimed_safe": units.safe })),
            "source_places": place_names(&class.source_places),
            "sink_places": place_names(&class.sink_places),
            "isolated_places": place_names(&class.isolated_places),
            "source_transitions": transition_names(&class.source_transitions),
            "sink_transitions": transition_names(&class.sink_transitions),
            "isolated_transitions": transition_names(&class.isolated_transitions),
            "dead_transitions": transition_names(&self.dead),
            "bounds": net.place_ids().map(|p| (self.place(p).to_owned(), json!({
                "bound": self.structure.bounds.of(p),
                "why": self.why(p),
                "proof": proof(p),
            }))).collect::<Map<_, _>>(),
            "place_semiflows": self.flows.place_json(),
            "transition_semiflows": self.flows.transition_json(),
            "place_invariants": place_basis,
            "transition_invariants": transition_basis,
            "siphons": self.siphons.json(),
            "traps": self.siphons.traps_json(),
            "state_equation": self.asked.as_ref().map(|asked| asked.json()),
            "determined_places": self.determined.iter().map(|d| json!({
                "place": self.place(d.place),
                "equation": self.follows(d),
            })).collect::<Vec<_>>(),
            "implicit_places": self.implicit.iter().map(|i| json!({
                "place": self.place(i.place),
                "reason": self.reason(i),
            })).collect::<Vec<_>>(),
            "partition": self.divided.as_ref().map(|divided| divided.json(net)),
            "progress": self.measured.as_ref().map(|measured| measured.json(net)),
            "warnings": warnings(heard, &[]),
        })
    }

    /// The properties of the arcs alone, each with its witness.
    fn structural_json(&self) -> Value {
        let it = &self.properties;
        let of_places =
            [("conservative", &it.conservative), ("structurally_bounded", &it.structurally_bounded)];
        let of_transitions = [("consistent", &it.consistent), ("repetitive", &it.repetitive)];
        let all = of_places.map(|it| (it, true)).into_iter().chain(of_transitions.map(|it| (it, false)));
        let named = |places: bool, terms: Vec<(usize, i128)>| {
            let name = |at: usize| if places { place(self.net, at) } else { transition(self.net, at) };
            weights(terms.iter().map(|(at, weight)| (name(*at), *weight)))
        };
        all.map(|((name, answer), places)| {
            // The contrary of a property of places is shown by transitions, and the other way round.
            let witness = match answer {
                Answer::Yes(terms) => {
                    named(places, terms.iter().map(|(at, weight)| (*at, i128::from(*weight))).collect())
                }
                Answer::No(terms) => named(!places, terms.clone()),
                Answer::Unknown => Map::new(),
            };
            (name.to_owned(), json!({ "holds": answer.holds(), "weights": witness }))
        })
        .collect::<Map<_, _>>()
        .into()
    }
}
