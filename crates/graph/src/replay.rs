//! A graph gone through once more, as if it were being explored: for whoever watches searches.
//!
//! Every node is shown with its marking, then its edges, then that it is expanded. Numbers are those of the graph.

use std::ops::ControlFlow;
use std::time::Instant;

use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_space::search::Counts;
use sweepnet_space::{
    CodecChoice, Control, Observer, Outgrown, Report, SearchChoice, Shown, StateId, StopReason, StoreChoice,
    System, View,
};

use crate::graph::LOOK;
use crate::walk::walk;
use crate::{Edge, Graph, path};

/// A net whose states are plain markings.
struct Plain<'a> {
    net: &'a Net,
}

impl System for Plain<'_> {
    type State = Marking;
    type Maxima = Vec<u64>;

    fn initial(&self) -> Marking {
        self.net.initial_marking()
    }

    fn rank(&self, event: TransitionId) -> u32 {
        event.index() as u32
    }

    fn successors(
        &self,
        state: &Marking,
        from: u32,
        mut visit: impl FnMut(TransitionId, &Marking) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Outgrown> {
        for event in self.net.enabled(state).skip_while(|event| self.rank(*event) < from) {
            if let Ok(target) = self.net.fire(state, event)
                && visit(event, &target).is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn is_enabled(&self, state: &Marking, event: TransitionId) -> bool {
        self.net.is_enabled(state, event)
    }

    fn tokens(&self, state: &Marking, place: PlaceId) -> u64 {
        state[place]
    }

    fn total_tokens(&self, state: &Marking) -> u128 {
        state.total()
    }

    fn marking(&self, state: &Marking) -> Marking {
        state.clone()
    }

    fn covers(&self, above: &Marking, below: &Marking) -> bool {
        above.tokens().iter().zip(below.tokens()).all(|(above, below)| above >= below)
    }

    fn raise(&self, state: &Marking, maxima: &mut Vec<u64>) -> bool {
        for (most, count) in maxima.iter_mut().zip(state.tokens()) {
            *most = (*most).max(*count);
        }
        false
    }

    fn pack_maxima(&self, counts: &[u64]) -> Vec<u64> {
        counts.to_vec()
    }

    fn maxima(&self, maxima: &Vec<u64>) -> Marking {
        Marking::new(maxima.clone().into_boxed_slice())
    }
}

/// Shows a graph to an observer. The net must be the one that it is the graph of.
pub fn replay<O: Observer>(graph: &Graph, net: &Net, control: &mut Control<'_>, observer: &mut O) -> Report {
    let start = Instant::now();
    let system = Plain { net };
    let budget = control.budget().clone();
    let watch = control.watch();
    let mut reader = graph.reader();
    let mut counts = Counts::default();
    let mut maxima = observer.wants_maxima().then(|| net.initial_marking().tokens().to_vec());
    let mut fired = vec![false; net.transitions().len()];
    let mut stopped = None;
    let walked = walk(graph, net, &budget, &watch, |node, marking| {
        let shown = Shown(&system, marking);
        let view = View::new(StateId(node), &shown);
        let ask = |observer: &mut O| match path(graph, 0, |other| other == node, &budget, &watch) {
            Ok(Some(steps)) => {
                let events = steps.iter().map(|(event, _)| TransitionId::new(*event as usize)).collect();
                observer.witness(events);
                None
            }
            Ok(None) => None,
            Err(reason) => Some(reason),
        };
        if observer.discovered(&view) {
            stopped = stopped.or(ask(observer));
        }
        if let Some(maxima) = &mut maxima {
            system.raise(marking, maxima);
        }
        let edges = reader.out(node);
        for edge in edges {
            let event = TransitionId::new(edge.event as usize);
            if !std::mem::replace(&mut fired[event.index()], true) && observer.wants_fired() {
                observer.fired(event);
            }
            if observer.wants_edges() {
                observer.edge(StateId(node), event, StateId(edge.target));
            }
        }
        counts.arcs += edges.len() as u64;
        if graph.is_expanded(node) {
            counts.explored += 1;
            counts.deadlocks += u64::from(edges.is_empty());
            if observer.expanded(&view, edges.len() as u64) {
                stopped = stopped.or(ask(observer));
            }
        }
        if observer.is_done() {
            stopped = stopped.or(Some(StopReason::Decided));
        } else if counts.explored.is_multiple_of(LOOK) && !watch.goes_on() {
            stopped = stopped.or(watch.stopped());
        }
        if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // What is decided early is decided: the graph is whole all the same.
    if stopped == Some(StopReason::Decided) && graph.is_complete() {
        counts = Counts { arcs: graph.edges(), explored: graph.expanded_nodes(), ..Counts::default() };
        let count = |_, edges: &[Edge]| counts.deadlocks += u64::from(edges.is_empty());
        stopped = graph.scan_within(&watch, count).err();
    }
    if let Err(error) = walked {
        stopped = Some(error.into());
    }
    Report {
        search: search_of(&graph.description.search),
        codec: CodecChoice::Auto,
        store: StoreChoice::Auto,
        stopped: stopped.or((!graph.is_complete()).then_some(StopReason::Incomplete)),
        pump: None,
        states: graph.nodes(),
        exact: graph.description.exact,
        counts,
        maxima,
        key_bits: 0,
        store_bytes: graph.bytes(),
        table_bytes: 0,
        search_bytes: 0,
        peak_states: graph.nodes(),
        widenings: 0,
        components: None,
        threads: 1,
        swept: None,
        windowed: None,
        time: start.elapsed(),
    }
}

fn search_of(name: &str) -> SearchChoice {
    SearchChoice::ALL.iter().copied().find(|choice| choice.name() == name).unwrap_or_default()
}
