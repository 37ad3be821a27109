//! Formulas of linear time: is there a path from the initial node on which the negated formula holds?
//!
//! The product of the graph and the automaton of the negated formula is searched depth-first, on the fly, for
//! a strongly connected component that shows every set of acceptance (Couvreur 1999). The search ends as soon
//! as there is one; then a short way to it and round in it is looked for.

use std::ops::ControlFlow;

use sweepnet_space::StopReason;
use sweepnet_space::budget::{Budget, Charged};

use super::atoms::Atoms;
use super::automaton::{Automaton, MOST_ATOMS, TooLarge};
use super::formula::Ltl;
use super::nnf::Arena;
use super::product::{Move, Product};
use super::steps::{Run, Steps, refused};
use crate::check::Undecided;

/// What is found out about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is true of every path.
    Holds,
    /// It is not true of some path: this one, if there was memory to find it.
    Violated(Option<Run>),
}

/// The automaton of what contradicts a formula.
pub fn contradiction(formula: &Ltl) -> Result<Automaton, TooLarge> {
    let atoms = formula.atoms();
    if atoms.len() > MOST_ATOMS {
        return Err(TooLarge);
    }
    let mut arena = Arena::default();
    let (_, negated) = arena.both(formula, &atoms);
    Automaton::new(&arena, negated)
}

/// Decides a formula.
pub fn decide(
    formula: &Ltl,
    graph: &mut impl Steps,
    atoms: &Atoms,
    budget: &Budget,
) -> Result<Outcome, Undecided> {
    let automaton = contradiction(formula).map_err(|TooLarge| Undecided::TooComplex)?;
    if automaton.states.is_empty() {
        return Ok(Outcome::Holds);
    }
    let sets = formula.atoms().into_iter().map(|atom| atoms.of(atom)).collect::<Result<_, _>>()?;
    let mut product = Product::new(graph, &automaton, sets);
    let mut search =
        Search::new(product.pairs().map_err(Undecided::Stopped)?, budget).map_err(Undecided::Stopped)?;
    match search.run(&mut product) {
        Ok(None) => Ok(Outcome::Holds),
        Ok(Some(root)) => Ok(Outcome::Violated(search.lasso(&mut product, root, budget).ok())),
        Err(reason) => Err(Undecided::Stopped(reason)),
    }
}

/// The number of a pair whose component is complete.
const CLOSED: u32 = u32::MAX;

/// A pair that begins a component, as far as that is known.
struct Root {
    number: u32,
    /// The acceptance of the step that led to it.
    before: u64,
    /// The acceptance of the steps in it.
    inside: u64,
}

/// A depth-first search.
struct Search {
    /// In which order pairs were found; 0 if they were not.
    number: Charged<u32>,
    last: u32,
    /// The pairs whose steps are being looked at, and where theirs begin among those that wait.
    frames: Charged<(u64, usize)>,
    /// Steps that wait: the pair and the acceptance.
    waiting: Charged<(u64, u64)>,
    /// Pairs that are found and not closed.
    path: Charged<u64>,
    roots: Charged<Root>,
}

impl Search {
    fn new(pairs: u64, budget: &Budget) -> Result<Self, StopReason> {
        let pairs = usize::try_from(pairs).map_err(|_| StopReason::Memory)?;
        Ok(Self {
            number: Charged::filled(budget, 0, pairs).map_err(refused)?,
            last: 0,
            frames: Charged::new(budget),
            waiting: Charged::new(budget),
            path: Charged::new(budget),
            roots: Charged::new(budget),
        })
    }

    /// Searches until an accepting component is found; tells the number from which on pairs are in it.
    fn run<G: Steps>(&mut self, product: &mut Product<'_, G>) -> Result<Option<u32>, StopReason> {
        let all = product.all();
        self.enter(product, 0, 0)?;
        while let Some(&(pair, first)) = self.frames.last() {
            if self.waiting.len() > first {
                let Some((target, accepts)) = self.waiting.pop() else { break };
                match self.number[target as usize] {
                    0 => self.enter(product, target, accepts)?,
                    CLOSED => {}
                    number => {
                        let root = self.close_circle(number, accepts);
                        if root.inside == all {
                            return Ok(Some(root.number));
                        }
                    }
                }
                continue;
            }
            self.frames.pop();
            let number = self.number[pair as usize];
            if self.roots.last().is_some_and(|root| root.number == number) {
                self.roots.pop();
                while let Some(member) = self.path.pop() {
                    self.number[member as usize] = CLOSED;
                    if member == pair {
                        break;
                    }
                }
            }
        }
        Ok(None)
    }

    fn enter<G: Steps>(
        &mut self,
        product: &mut Product<'_, G>,
        pair: u64,
        before: u64,
    ) -> Result<(), StopReason> {
        if self.last == CLOSED - 1 {
            return Err(StopReason::Memory);
        }
        self.last += 1;
        self.number[pair as usize] = self.last;
        self.path.push(pair).map_err(refused)?;
        self.roots.push(Root { number: self.last, before, inside: 0 }).map_err(refused)?;
        self.frames.push((pair, self.waiting.len())).map_err(refused)?;
        let mut refusal = Ok(());
        let Self { waiting, number, .. } = self;
        product.successors(pair, &mut |Move { pair, accepts, .. }| {
            if number[pair as usize] != CLOSED {
                refusal = waiting.push((pair, accepts));
            }
            if refusal.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        refusal.map_err(refused)
    }

    /// A step leads back: what lies between belongs to one component.
    fn close_circle(&mut self, number: u32, accepts: u64) -> &Root {
        let mut inside = accepts;
        while self.roots.len() > 1 && self.roots[self.roots.len() - 1].number > number {
            if let Some(root) = self.roots.pop() {
                inside |= root.before | root.inside;
            }
        }
        let last = self.roots.len() - 1;
        self.roots[last].inside |= inside;
        &self.roots[last]
    }

    /// A way to the component that begins with a number, and round in it through every set of acceptance.
    fn lasso<G: Steps>(
        &self,
        product: &mut Product<'_, G>,
        root: u32,
        budget: &Budget,
    ) -> Result<Run, StopReason> {
        let inside = |pair: u64| (root..CLOSED).contains(&self.number[pair as usize]);
        let within = |step: &Move| inside(step.pair);
        let missed = StopReason::Memory;
        let prefix = match inside(0) {
            true => Vec::new(),
            false => product.search(0, &|_| true, &within, budget)?.ok_or(missed)?,
        };
        let start = prefix.last().map_or(0, |step| step.pair);
        let (mut cycle, mut here, mut missing): (Vec<Move>, _, _) = (Vec::new(), start, product.all());
        while missing != 0 {
            let wanted = |step: &Move| step.accepts & missing != 0;
            let way = product.search(here, &within, &wanted, budget)?.ok_or(missed)?;
            missing = way.iter().fold(missing, |missing, step| missing & !step.accepts);
            here = way.last().map_or(here, |step| step.pair);
            cycle.extend(way);
        }
        if here != start || cycle.is_empty() {
            cycle.extend(product.search(here, &within, &|step| step.pair == start, budget)?.ok_or(missed)?);
        }
        let steps = |way: &[Move]| way.iter().map(|step| product.step(step)).collect();
        Ok(Run { prefix: steps(&prefix), cycle: steps(&cycle) })
    }
}
