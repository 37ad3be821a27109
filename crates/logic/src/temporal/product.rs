//! The graph and an automaton, step by step together.
//!
//! A pair of a node and a state is numbered `node * states + state`. It goes on by every transition whose
//! label the node fulfils and every edge of the node; a dead node stays where it is.

use std::ops::ControlFlow;

use sweepnet_space::StopReason;
use sweepnet_space::budget::{Budget, Charged};

use super::automaton::Automaton;
use super::bits::BitSet;
use super::steps::{Step, Steps, refused};

/// A step of the product: its event, the pair that it leads to, and the sets of acceptance that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) event: Option<u32>,
    pub(super) pair: u64,
    pub(super) accepts: u64,
}

pub(super) struct Product<'a, G> {
    graph: G,
    automaton: &'a Automaton,
    /// Where each atom holds.
    atoms: Vec<&'a BitSet>,
    /// The edges of the node that is being looked at.
    edges: Vec<(Option<u32>, u64)>,
}

impl<'a, G: Steps> Product<'a, G> {
    pub(super) fn new(graph: G, automaton: &'a Automaton, atoms: Vec<&'a BitSet>) -> Self {
        Self { graph, automaton, atoms, edges: Vec::new() }
    }

    /// How many pairs there may be.
    pub(super) fn pairs(&self) -> Result<u64, StopReason> {
        self.graph.nodes().checked_mul(self.states()).ok_or(StopReason::Memory)
    }

    fn states(&self) -> u64 {
        self.automaton.states.len() as u64
    }

    /// All sets of acceptance.
    pub(super) fn all(&self) -> u64 {
        self.automaton.all
    }

    /// The step in the graph alone.
    pub(super) fn step(&self, step: &Move) -> Step {
        Step { event: step.event, node: step.pair / self.states() }
    }

    /// Calls `visit` for every step of a pair, until it breaks.
    pub(super) fn successors(
        &mut self,
        pair: u64,
        visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> Result<(), StopReason> {
        let states = self.states();
        let (node, state) = (pair / states, (pair % states) as usize);
        let mut valuation = 0u128;
        for (at, set) in self.atoms.iter().enumerate() {
            valuation |= u128::from(set.contains(node)) << at;
        }
        let automaton = self.automaton;
        let mut fitting = automaton.states[state]
            .iter()
            .filter(|t| t.positive & !valuation == 0 && t.negative & valuation == 0)
            .peekable();
        if fitting.peek().is_none() {
            return Ok(());
        }
        let Self { graph, edges, .. } = self;
        edges.clear();
        graph.successors(node, &mut |event, target| edges.push((Some(event), target)))?;
        if edges.is_empty() {
            edges.push((None, node));
        }
        for transition in fitting {
            for (event, target) in edges.iter() {
                let pair = target * states + u64::from(transition.target);
                if visit(Move { event: *event, pair, accepts: transition.accepts }).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The shortest way from a pair along steps that are allowed, up to one that is wanted. Nothing if there
    /// is none.
    pub(super) fn search(
        &mut self,
        from: u64,
        allowed: &dyn Fn(&Move) -> bool,
        wanted: &dyn Fn(&Move) -> bool,
        budget: &Budget,
    ) -> Result<Option<Vec<Move>>, StopReason> {
        let mut seen = BitSet::empty(budget, self.pairs()?).map_err(refused)?;
        // Each pair with the step to it and the position of the one before.
        let mut queue = Charged::<(Move, usize)>::new(budget);
        queue.push((Move { event: None, pair: from, accepts: 0 }, 0)).map_err(refused)?;
        seen.insert(from);
        let mut head = 0;
        while head < queue.len() {
            let (mut end, mut refusal) = (None, Ok(()));
            self.successors(queue[head].0.pair, &mut |step| {
                if !allowed(&step) {
                    return ControlFlow::Continue(());
                }
                if wanted(&step) {
                    end = Some(step);
                    return ControlFlow::Break(());
                }
                if !seen.contains(step.pair) {
                    seen.insert(step.pair);
                    refusal = queue.push((step, head));
                }
                if refusal.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            refusal.map_err(refused)?;
            if let Some(end) = end {
                let mut way = vec![end];
                let mut at = head;
                while at > 0 {
                    way.push(queue[at].0);
                    at = queue[at].1;
                }
                way.reverse();
                return Ok(Some(way));
            }
            head += 1;
        }
        Ok(None)
    }
}
