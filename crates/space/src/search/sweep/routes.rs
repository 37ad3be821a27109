//! Where events lead, as far as progress is concerned.
//!
//! Each transition changes a linear measure by a constant. So in a layer every event has one target layer, which is
//! looked up once; only other measures have to be evaluated at every state.

use std::cmp::Ordering;

use sweepnet_net::{Net, PlaceId, TransitionId};

use super::layers::{Layers, Value};
use crate::progress::{Component, Measure, Order};
use crate::search::Halt;
use crate::{StopReason, System};

/// Where an event leads.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The layer.
    pub slot: u32,
    /// How its progress compares with the source's.
    pub course: Course,
}

/// How the progress of a step's target compares with that of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// The same.
    Keep,
    /// More.
    Advance,
    /// Less, or not to be compared.
    Regress,
}

/// The routes from the present layer.
#[derive(Debug)]
pub struct Routes {
    /// By transition, how it changes the measure, if always in the same way.
    changes: Vec<Option<Value>>,
    known: Vec<Option<Route>>,
}

impl Routes {
    /// Nothing is known yet.
    pub fn new(net: &Net, measure: &Measure) -> Self {
        let change = |transition: TransitionId| {
            let component = |component: &Component| match component {
                Component::Linear(linear) => linear.change(net, transition),
                Component::Function(_) => None,
            };
            measure.components.iter().map(component).collect::<Option<Value>>()
        };
        let changes: Vec<_> = net.transition_ids().map(change).collect();
        Self { known: vec![None; changes.len()], changes }
    }

    /// Forgets everything: another layer is next.
    pub fn forget(&mut self) {
        self.known.fill(None);
    }

    /// The route of an event from a layer with a value, if that does not depend on the state.
    #[inline]
    pub fn by_event(
        &mut self,
        event: TransitionId,
        from: &[i64],
        order: Order,
        layers: &mut Layers,
    ) -> Result<Option<Route>, Halt> {
        if let Some(route) = self.known[event.index()] {
            return Ok(Some(route));
        }
        let Some(change) = &self.changes[event.index()] else { return Ok(None) };
        let to = from.iter().zip(change).map(|(value, change)| value.checked_add(*change));
        let to: Value = to.collect::<Option<_>>().ok_or(Halt::Stopped(StopReason::NoProgressValue))?;
        let route = Route { slot: layers.enter(&to)?, course: course(from, &to, order) };
        self.known[event.index()] = Some(route);
        Ok(Some(route))
    }
}

/// The value of a state.
pub fn value_of<M: System>(measure: &Measure, model: &M, state: &M::State) -> Result<Value, Halt> {
    let tokens = |place: PlaceId| model.tokens(state, place);
    let component = |component: &Component| match component {
        Component::Linear(linear) => linear.value(tokens),
        Component::Function(function) => function.value(&tokens),
    };
    let value: Option<Value> = measure.components.iter().map(component).collect();
    value.ok_or(Halt::Stopped(StopReason::NoProgressValue))
}

/// How one value compares with another.
pub fn course(from: &[i64], to: &[i64], order: Order) -> Course {
    match order {
        Order::Lexicographic => match to.cmp(from) {
            Ordering::Less => Course::Regress,
            Ordering::Equal => Course::Keep,
            Ordering::Greater => Course::Advance,
        },
        Order::Componentwise if from == to => Course::Keep,
        Order::Componentwise if is_below(from, to) => Course::Advance,
        Order::Componentwise => Course::Regress,
    }
}

/// Whether no integer of a value is ahead of the other's.
pub fn is_below(low: &[i64], high: &[i64]) -> bool {
    low.iter().zip(high).all(|(low, high)| low <= high)
}
