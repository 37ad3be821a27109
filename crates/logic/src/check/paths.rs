//! Questions about paths: the graph is built during the search, then walked once for all predicates, then asked.

use std::ops::ControlFlow;

use sweepnet_graph::{Builder, Graph, Reader, walk};
use sweepnet_net::Net;
use sweepnet_space::control::Watch;
use sweepnet_space::{Budget, Control, Plan, Report, StopReason, explore};

use super::along::Along;
use super::answer::{Answer, Method, Undecided};
use super::unpacked::Unpacked;
use super::watchers::Watchers;
use crate::property::Question;
use crate::temporal::{self, Atoms, Steps};
use crate::view::PlainView;

/// Explores a net and builds its graph, while watchers look on. There is no graph if the search was stopped, or if
/// there was no memory for it: then the report says so.
pub fn explore_to_graph<'n>(
    net: &'n Net,
    plan: &Plan,
    control: &mut Control<'_>,
    watchers: &mut Watchers<'n>,
) -> (Report, Option<Graph>) {
    let mut along = Along::new(net, watchers);
    along.builder = Some(Builder::new(net.transitions().len(), control.budget()));
    let mut report = explore(net, plan, control, &mut along);
    let Some(builder) = along.builder.take() else { return (report, None) };
    if builder.is_refused() {
        report.stopped = Some(StopReason::Memory);
    }
    if !report.is_complete() {
        return (report, None);
    }
    match builder.finish(true) {
        Ok(graph) => (report, Some(graph)),
        Err(_) => {
            report.stopped = Some(StopReason::Memory);
            (report, None)
        }
    }
}

/// Answers questions on a whole graph; nothing for those that a graph does not answer.
pub fn ask<'q>(
    net: &Net,
    graph: &Graph,
    questions: impl Iterator<Item = &'q Question> + Clone,
    control: &mut Control<'_>,
) -> Vec<Option<Answer>> {
    let budget = control.budget().clone();
    let watch = control.watch();
    match atoms(net, graph, questions.clone(), &budget, &watch) {
        Ok(atoms) => {
            let mut steps = Read::new(graph, &budget, &watch);
            questions.map(|question| temporal::answer(question, net, &mut steps, &atoms, &budget)).collect()
        }
        Err(why) => {
            questions.map(|_| Some(Answer::unknown(Undecided::Stopped(why), Method::Graph))).collect()
        }
    }
}

/// Where the predicates of questions hold.
fn atoms<'q>(
    net: &Net,
    graph: &Graph,
    questions: impl Iterator<Item = &'q Question>,
    budget: &Budget,
    watch: &Watch,
) -> Result<Atoms, StopReason> {
    let mut atoms = Atoms::new(questions, graph.nodes(), budget).map_err(|_| StopReason::Memory)?;
    if atoms.is_empty() {
        return Ok(atoms);
    }
    let mut visits = 0_u64;
    let walked = walk(graph, net, budget, watch, |node, marking| {
        visits += 1;
        if visits.is_multiple_of(LOOK) && !watch.goes_on() {
            return ControlFlow::Break(());
        }
        atoms.look(node, &PlainView { net, marking });
        ControlFlow::Continue(())
    });
    match walked {
        Ok(ControlFlow::Continue(())) => Ok(atoms),
        Ok(ControlFlow::Break(())) => Err(watch.stopped().unwrap_or(StopReason::Interrupted)),
        Err(error) => Err(error.into()),
    }
}

/// Reads between two looks at the limits.
const LOOK: u64 = 4096;

/// A graph that is read under control.
pub(crate) struct Read<'a> {
    graph: &'a Graph,
    unpacked: Option<Unpacked>,
    reader: Reader<'a>,
    watch: &'a Watch,
    reads: u64,
}

impl<'a> Read<'a> {
    /// A graph that nothing was read of.
    pub fn new(graph: &'a Graph, budget: &Budget, watch: &'a Watch) -> Self {
        let unpacked = Unpacked::of(graph, budget, watch);
        Self { graph, unpacked, reader: graph.reader(), watch, reads: 0 }
    }
}

impl Steps for Read<'_> {
    fn nodes(&self) -> u64 {
        self.graph.nodes()
    }

    fn successors(&mut self, node: u64, visit: &mut dyn FnMut(u32, u64)) -> Result<(), StopReason> {
        self.reads += 1;
        if self.reads.is_multiple_of(LOOK) {
            self.watch.look()?;
        }
        if let Some(unpacked) = &self.unpacked {
            unpacked.successors(node, visit);
            return Ok(());
        }
        for edge in self.reader.out(node) {
            visit(edge.event, edge.target);
        }
        Ok(())
    }
}
