//! From the labels of a symmetric net (ISO/IEC 15909-2, clause 5.3 and its sorts) to a coloured net.
//!
//! `declarations` finds what the net declares, `sorts` makes types of sorts and `partitions` of partitions; `terms`,
//! `operators` and `named` read terms, `multisets` what they mean where tokens are expected, over a `scope` of
//! variables. Here the net is put together, and noted where its parts stand.

mod declarations;
mod multisets;
mod named;
mod operators;
mod partitions;
mod scope;
mod sorts;
mod terms;

use std::collections::BTreeSet;

use sweepnet_colour::eval::constant_bag;
use sweepnet_colour::sources::{PlaceSource, TransitionSource};
use sweepnet_colour::term::Node;
use sweepnet_colour::{
    Arc, Bag, Closed, ColouredNet, Patience, Place, Progress, Sources, Term, Transition, TypeId,
};
use sweepnet_net::{Net, PlaceId};

use super::assembly::{Joint, RawArc, Role};
use super::colours::Colours;
use super::inside::Label;
use super::tree::Element;
use crate::error::clip;
use crate::{ErrorKind, Position, ReadError};
use declarations::Declarations;
use scope::Scope;
use terms::Terms;

/// Makes the coloured net of its nodes (as those of a plain net without arcs), their labels, and the arcs.
pub(super) fn build(
    nodes: &Net,
    colours: &Colours,
    arcs: &[(Joint, RawArc)],
) -> Result<(ColouredNet, Sources<Position>), ReadError> {
    let mut sources = Sources::default();
    let mut declared = Declarations::new(&colours.declarations)?;
    let mut places = Vec::with_capacity(nodes.places().len());
    for (id, place) in nodes.place_ids().zip(nodes.places()) {
        let Some(sort) = colours.sorts.get(&id) else {
            return Err(no_label(colours, id, &place.id, "type"));
        };
        let type_ = declared.sort(sort.content(Label::Sort)?)?;
        sources.places.push(PlaceSource { name: place_at(colours, id), capacity: None, derived: None });
        places.push(Place {
            id: place.id.clone(),
            label: place.label.clone(),
            type_,
            capacity: None,
            initial: Vec::new(),
            derived: None,
            is_proven: false,
            timed: false,
        });
    }
    for (id, place) in nodes.place_ids().zip(&mut places) {
        mark(&mut declared, colours, id, place, nodes.initial_marking()[id])?;
    }
    let mut by_transition: Vec<Vec<&(Joint, RawArc)>> = vec![Vec::new(); nodes.transitions().len()];
    for arc in arcs {
        by_transition[arc.0.transition.index()].push(arc);
    }
    let mut transitions = Vec::with_capacity(by_transition.len());
    for ((id, node), arcs) in nodes.transition_ids().zip(nodes.transitions()).zip(by_transition) {
        let condition = colours.conditions.get(&id).map(|label| label.content(Label::Condition));
        let condition = condition.transpose()?;
        let mut transition = transition(&mut declared, &places, condition, &arcs)?;
        sources.transitions.push(TransitionSource {
            name: colours.transitions.get(id.index()).copied().unwrap_or(Position::START),
            outputs: arcs
                .iter()
                .filter(|(joint, _)| joint.role == Role::Output)
                .map(|(_, arc)| arc.at)
                .collect(),
            guards: condition.iter().flat_map(|it| vec![it.at; transition.guards.len()]).collect(),
            delay: None,
        });
        transition.id = node.id.clone();
        transition.label = node.label.clone();
        transitions.push(transition);
    }
    let (name, progress) = (nodes.name.clone(), Progress::default());
    Ok((ColouredNet { name, types: declared.types, places, transitions, progress }, sources))
}

fn place_at(colours: &Colours, id: PlaceId) -> Position {
    colours.places.get(id.index()).copied().unwrap_or(Position::START)
}

/// A place lacks what it must have.
fn no_label(colours: &Colours, id: PlaceId, place: &str, label: &'static str) -> ReadError {
    ErrorKind::NoLabel { what: format!("the place '{}'", clip(place)), label }.at(place_at(colours, id))
}

/// Puts the initial tokens on a place. Those of a place for dots may be a number, as in plain nets.
fn mark<'e>(
    declared: &mut Declarations<'e>,
    colours: &'e Colours,
    id: PlaceId,
    place: &mut Place,
    dots: u64,
) -> Result<(), ReadError> {
    let Some(label) = colours.markings.get(&id) else {
        if dots > 0 && place.type_ != TypeId::UNIT {
            return Err(no_label(colours, id, &place.id, "hlinitialMarking"));
        }
        place.initial.extend((dots > 0).then(|| (Box::from([0]), dots)));
        return Ok(());
    };
    let content = label.content(Label::Tokens)?;
    let mut terms = Terms::new(declared, Scope::constant());
    let body = terms.bag(content, place.type_)?;
    let frame = terms.scope.frame();
    let fault = |fault| ErrorKind::Marking { place: clip(&place.id), fault }.at(content.at);
    place.initial =
        constant_bag(&declared.types, &Closed { body, frame }, Patience::default()).map_err(fault)?;
    Ok(())
}

/// A transition with its arcs and guards, without its names.
fn transition<'e>(
    declared: &mut Declarations<'e>,
    places: &[Place],
    condition: Option<&'e Element>,
    arcs: &[&'e (Joint, RawArc)],
) -> Result<Transition, ReadError> {
    let mut inscriptions = Vec::with_capacity(arcs.len());
    for (_, arc) in arcs {
        inscriptions.push(arc.inscription.as_ref().map(|label| label.content(Label::Flow)).transpose()?);
    }
    let mut used = BTreeSet::new();
    for element in inscriptions.iter().copied().flatten().chain(condition) {
        declared.variables_in(element, &mut used)?;
    }
    let scope = Scope::new(declared, &used);
    let mut transition = Transition { variables: scope.variables(declared), ..Transition::default() };
    let mut terms = Terms::new(declared, scope);
    for ((joint, arc), inscription) in arcs.iter().zip(inscriptions) {
        let place = joint.place.index();
        let type_ = places[place].type_;
        let tokens = match (inscription, joint.role) {
            (_, Role::Reset) => {
                transition.resets.push(place);
                continue;
            }
            (Some(term), _) => terms.bag(term, type_)?,
            (None, _) if type_ == TypeId::UNIT => {
                let weight = i64::try_from(arc.weight).map_err(|_| {
                    let (what, found) = ("the weight of the arc".to_owned(), arc.weight.to_string());
                    ErrorKind::TooLarge { what, found }.at(arc.at)
                })?;
                Bag::One(Term::unit()).times(Term::int(weight))
            }
            // Without a colour it looks at all tokens, and there must be none.
            (None, Role::Inhibitor) if arc.weight == 1 => {
                transition.empties.push(place);
                continue;
            }
            (None, _) => {
                let what = format!("the arc from '{}' to '{}'", clip(&arc.source), clip(&arc.target));
                return Err(ErrorKind::NoLabel { what, label: "hlinscription" }.at(arc.at));
            }
        };
        let list = match joint.role {
            Role::Output => &mut transition.outputs,
            Role::Read => &mut transition.reads,
            Role::Inhibitor => &mut transition.inhibitors,
            Role::Input | Role::Reset => &mut transition.inputs,
        };
        list.push(Arc { place, tokens });
    }
    if let Some(condition) = condition {
        let guard = terms.value(condition, TypeId::BOOL)?;
        transition.guards = match guard.node {
            Node::And(parts) => parts,
            _ => vec![guard],
        };
    }
    transition.frame = terms.scope.frame();
    Ok(transition)
}
