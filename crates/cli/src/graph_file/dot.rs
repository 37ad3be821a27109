//! Drawings. A drawing of thousands of states helps nobody and stalls most viewers, so beyond some hundreds the
//! strongly connected components are drawn instead.

use std::collections::BTreeMap;
use std::io::{self, Write};

use sweepnet_net::{Marking, Net, TransitionId};
use sweepnet_space::budget::Charged;
use sweepnet_space::{Budget, Report, StateId};

use super::Recorder;
use super::components::components;
use crate::quantity::grouped;
use crate::report::trace::marking_line;

/// States that are drawn one by one.
const MOST_STATES: usize = 500;

/// Components that are drawn at all.
const MOST_COMPONENTS: usize = 2_000;

/// What became of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Every state is drawn.
    States,
    /// The strongly connected components are.
    Components,
    /// Nothing is: there are so many components.
    TooMany(usize),
}

/// Keeps the edges, on the memory budget, and the first markings.
pub struct DotCollector<'a> {
    net: &'a Net,
    edges: Charged<(u64, u32, u64)>,
    labels: Vec<String>,
    dead: Vec<u64>,
    out_of_memory: bool,
}

impl<'a> DotCollector<'a> {
    /// A collector for a net's graph.
    pub fn new(net: &'a Net, budget: &Budget) -> Self {
        Self { net, edges: Charged::new(budget), labels: Vec::new(), dead: Vec::new(), out_of_memory: false }
    }

    /// Whether there is nothing to draw, because the edges, or what it takes to find their components, do not fit.
    pub fn out_of_memory(&self, states: u64, budget: &Budget) -> bool {
        let bytes =
            self.edges.len() * 2 * size_of::<(usize, usize)>() + states as usize * 8 * size_of::<usize>();
        let fits = budget.charge(bytes).is_ok();
        if fits {
            budget.release(bytes);
        }
        self.out_of_memory || !fits
    }

    /// Writes the drawing, if it can be drawn.
    pub fn finish(self, out: &mut impl Write, report: &Report, condensed: bool) -> io::Result<Drawn> {
        let states = usize::try_from(report.states).unwrap_or(usize::MAX);
        let condensed = condensed || states > MOST_STATES;
        let complete = if report.is_complete() { "complete" } else { "NOT COMPLETE" };
        let again = if report.distinct().is_some() { "" } else { ", some of them perhaps several times" };
        writeln!(out, "// {} states{again}, {} arcs, {complete}", report.states, report.counts.arcs)?;
        writeln!(out, "digraph {{")?;
        writeln!(out, "  label = {};", quoted(&self.net.name))?;
        writeln!(out, "  node [shape=box, style=rounded, fontname=\"sans-serif\"];")?;
        writeln!(out, "  edge [fontname=\"sans-serif\"];")?;
        let drawn = match condensed {
            true => self.draw_components(out, states)?,
            false => self.draw_states(out)?,
        };
        writeln!(out, "}}")?;
        Ok(drawn)
    }

    fn draw_states(&self, out: &mut impl Write) -> io::Result<Drawn> {
        for (id, label) in self.labels.iter().enumerate() {
            let initial = if id == 0 { ", penwidth=3" } else { "" };
            let dead = if self.dead.contains(&(id as u64)) {
                ", style=\"rounded,filled\", fillcolor=salmon"
            } else {
                ""
            };
            writeln!(out, "  s{id} [label={}{initial}{dead}];", quoted(label))?;
        }
        for (source, event, target) in self.edges.iter() {
            let label = quoted(&self.net.transition(TransitionId::new(*event as usize)).id);
            writeln!(out, "  s{source} -> s{target} [label={label}];")?;
        }
        Ok(Drawn::States)
    }

    fn draw_components(&self, out: &mut impl Write, states: usize) -> io::Result<Drawn> {
        let edges: Vec<(usize, usize)> =
            self.edges.iter().map(|(source, _, target)| (*source as usize, *target as usize)).collect();
        let (component_of, count) = components(states, &edges);
        if count > MOST_COMPONENTS {
            return Ok(Drawn::TooMany(count));
        }
        let mut sizes = vec![0u64; count];
        component_of.iter().for_each(|c| sizes[*c] += 1);
        let mut between: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut inner = vec![0u64; count];
        for (source, target) in edges {
            match (component_of[source], component_of[target]) {
                (a, b) if a == b => inner[a] += 1,
                pair => *between.entry(pair).or_default() += 1,
            }
        }
        for component in 0..count {
            let initial = if component_of.first() == Some(&component) { ", penwidth=3" } else { "" };
            let (size, arcs) = (grouped(sizes[component]), grouped(inner[component]));
            writeln!(out, "  c{component} [label=\"{size} states\\n{arcs} arcs inside\"{initial}];")?;
        }
        for ((source, target), arcs) in between {
            writeln!(out, "  c{source} -> c{target} [label=\"{}\"];", grouped(arcs))?;
        }
        Ok(Drawn::Components)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

impl Recorder for DotCollector<'_> {
    fn state(&mut self, _: StateId, marking: &dyn Fn() -> Marking) {
        if self.labels.len() < MOST_STATES {
            let line = marking_line(self.net, &marking(), false);
            self.labels.push(match line.char_indices().nth(200) {
                Some((at, _)) => format!("{} …", &line[..at]),
                None => line,
            });
        }
    }

    fn arc(&mut self, source: StateId, event: TransitionId, target: StateId) {
        self.out_of_memory |= self.edges.push((source.0, event.index() as u32, target.0)).is_err();
    }

    fn complete(&mut self, id: StateId, _: &dyn Fn() -> Marking, successors: u64) {
        if successors == 0 && self.dead.len() < MOST_STATES {
            self.dead.push(id.0);
        }
    }

    fn has_failed(&self) -> bool {
        self.out_of_memory
    }
}
