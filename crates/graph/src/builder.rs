//! Building a graph while a search goes on.
//!
//! Whatever the search, nodes are written in the order in which their expansion ends, with targets by the
//! numbers that the search gave to states. In a breadth-first search the two agree, and that is the graph.
//! Otherwise the order is kept besides, and at the end everything is numbered anew
//! ([`renumber`](crate::renumber)).
//!
//! Where memory is refused, what came before makes a part of the graph: nothing is taken any more, and what could not be
//! written is tried once more at the end, when the search has given its memory back.

use sweepnet_net::TransitionId;
use sweepnet_space::budget::{Charged, OutOfMemory};
use sweepnet_space::{Budget, Observer, StateId, View};

use crate::block::{Encoder, MOST_NODES};
use crate::graph::Sizes;
use crate::offsets::Offsets;
use crate::order::Order;
use crate::packed::Packed;
use crate::renumber;
use crate::words::{Pieces, Words};
use crate::{Description, Edge, Graph};

/// Edges of states whose expansion has begun.
#[derive(Clone, Copy, Debug)]
struct Pending {
    source: u64,
    edge: Edge,
}

/// Builds a graph from a search's edges: an observer of any search, or fed by hand.
///
/// States are numbered from 0, the initial one, without gaps. A state's edges come before its end of
/// expansion. Expansions may be nested: between a state's edges there may be whole expansions of others.
#[derive(Debug)]
pub struct Builder {
    encoder: Encoder,
    stream: Pieces,
    pending: Charged<Pending>,
    /// The edges of the state that has just ended, in order.
    edges: Vec<Edge>,
    /// The edges of the initial state, if it was not the first that ended.
    initial: Option<Vec<Edge>>,
    order: Order,
    /// States whose expansion was begun, but not ended.
    open: Vec<u64>,
    events: u32,
    /// States found so far, as far as they were seen.
    states: u64,
    /// Whether memory was refused.
    refused: bool,
    budget: Budget,
}

impl Builder {
    /// A builder for so many events; more may come.
    pub fn new(events: usize, budget: &Budget) -> Self {
        Self {
            encoder: Encoder::new(budget),
            stream: Pieces::new(budget),
            pending: Charged::new(budget),
            edges: Vec::new(),
            initial: None,
            order: Order::new(budget),
            open: Vec::new(),
            events: u32::try_from(events).unwrap_or(u32::MAX),
            states: 1,
            refused: false,
            budget: budget.clone(),
        }
    }

    /// An edge.
    #[inline]
    pub fn edge(&mut self, source: u64, event: u32, target: u64) {
        if self.refused {
            return;
        }
        match self.pending.push(Pending { source, edge: Edge { event, target } }) {
            Ok(()) => self.states = self.states.max(target.saturating_add(1)),
            Err(_) => self.refused = true,
        }
    }

    /// All edges of a state have come.
    #[inline]
    pub fn expanded(&mut self, source: u64) {
        if self.refused {
            return;
        }
        self.states = self.states.max(source.saturating_add(1));
        self.take(source);
        if self.encoder.make_room(&mut self.stream, &self.edges).is_err() {
            // There was room for them a moment ago.
            let back = self.edges.drain(..).map(|edge| Pending { source, edge });
            back.for_each(|pending| self.pending.push_reserved(pending));
            self.refused = true;
            return;
        }
        self.refused = self.node(source).is_err();
    }

    /// Whether memory was refused: what comes now is lost, and the graph will be a part of the whole.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> usize {
        self.encoder.bytes() + self.stream.bytes() + self.pending.bytes() + self.order.bytes()
    }

    /// The graph of what came before memory was [refused](Self::is_refused), if it was. `complete` tells whether the
    /// search came to its end.
    pub fn finish(self, complete: bool) -> Result<Graph, OutOfMemory> {
        self.finish_numbered(complete).map(|(graph, _)| graph)
    }

    /// The same, with the numbers that states have as nodes.
    pub fn finish_numbered(mut self, complete: bool) -> Result<(Graph, Numbering), OutOfMemory> {
        // What is pending are the edges of states whose expansion has begun: the innermost first.
        while let Some(source) = self.pending.last().map(|pending| pending.source) {
            self.take(source);
            self.open.push(source);
            self.encoder.make_room(&mut self.stream, &self.edges)?;
            self.node(source)?;
        }
        if self.order.first() != Some(0) && self.order.len() > 0 {
            // The initial state is the last of all, and becomes the first when the order is turned round.
            if self.initial.is_none() {
                self.open.push(0);
            }
            self.edges = self.initial.take().unwrap_or_default();
            self.encoder.make_room(&mut self.stream, &self.edges)?;
            self.write(0)?;
        }
        if self.states > MOST_NODES {
            return Err(self.budget.refusal());
        }
        let Self { encoder, mut stream, order, mut open, events, states, refused, budget, .. } = self;
        let complete = complete && !refused;
        let (started, edges) = (encoder.nodes(), encoder.edges());
        let sizes = Sizes { nodes: states.max(started), started, edges, events, complete };
        let lengths = encoder.finish(&mut stream)?;
        let offsets = Offsets::of_lengths(&lengths, &budget)?;
        drop(lengths);
        let stream = Words::Own(stream);
        if !order.is_identity() {
            let (graph, numbers) = renumber::graph(sizes, stream, offsets, order, &open, &budget)?;
            return Ok((graph, Numbering(Some(numbers))));
        }
        open.sort_unstable();
        Ok((Graph { sizes, stream, offsets, open, description: Description::default() }, Numbering(None)))
    }

    /// Takes the edges of a state from those that are pending, in order of events.
    #[inline]
    fn take(&mut self, source: u64) {
        let of_others = self.pending.iter().rposition(|pending| pending.source != source);
        let begin = of_others.map_or(0, |last| last + 1);
        self.edges.clear();
        self.edges.extend(self.pending[begin..].iter().map(|pending| pending.edge));
        for _ in 0..self.edges.len() {
            self.pending.pop();
        }
        if !self.edges.is_sorted_by(|a, b| a.event < b.event || a <= b) {
            self.edges.sort_unstable();
        }
    }

    /// Makes the edges just taken, for which there is room, those of a node.
    #[inline]
    fn node(&mut self, source: u64) -> Result<(), OutOfMemory> {
        let last = self.edges.last().map_or(0, |edge| edge.event);
        if self.states > MOST_NODES || last == u32::MAX {
            return Err(self.budget.refusal());
        }
        self.events = self.events.max(if self.edges.is_empty() { 0 } else { last + 1 });
        if source == 0 && self.order.len() > 0 {
            self.initial = Some(std::mem::take(&mut self.edges));
            return Ok(());
        }
        self.write(source)
    }

    #[inline]
    fn write(&mut self, source: u64) -> Result<(), OutOfMemory> {
        // Either way the node is taken: what is refused waits to be written.
        let ordered = self.order.push(source);
        let taken = self.encoder.node(&mut self.stream, &self.edges);
        ordered.and(taken)
    }
}

/// Which node of a graph a state became.
#[derive(Debug)]
pub struct Numbering(Option<Packed>);

impl Numbering {
    /// The node of a state.
    pub fn node(&self, state: u64) -> u64 {
        self.0.as_ref().map_or(state, |numbers| numbers.get(state) - 1)
    }
}

impl Observer for Builder {
    fn wants_edges(&self) -> bool {
        true
    }

    #[inline]
    fn edge(&mut self, source: StateId, event: TransitionId, target: StateId) {
        Self::edge(self, source.0, event.index() as u32, target.0);
    }

    #[inline]
    fn expanded(&mut self, state: &View<'_>, _: u64) -> bool {
        Self::expanded(self, state.id.0);
        false
    }

    fn is_done(&self) -> bool {
        self.is_refused()
    }
}
