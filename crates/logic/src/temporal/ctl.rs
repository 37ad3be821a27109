//! Formulas of branching time, decided from the inside out: for each sub-formula, the set of nodes where it
//! holds.
//!
//! Everything is put down to `EX`, `EU` and `EG` (Clarke, Emerson and Sistla 1986), which `backward` knows
//! how to decide, each in time linear in the graph. On maximal paths, with `dead` markings at the end of the
//! finite ones:
//!
//! | formula | becomes |
//! | --- | --- |
//! | `EF φ`, `AG φ` | `E [true U φ]`, `not EF not φ` |
//! | `AF φ`, `AX φ` | `not EG not φ`, `not EX not φ` |
//! | `E [φ W ψ]` | `E [φ U ψ] or EG φ` |
//! | `A [φ W ψ]` | `not E [not ψ U not φ and not ψ]` |
//! | `A [φ U ψ]` | `A [φ W ψ] and not EG not ψ` |
//! | `φ R ψ` | `ψ W (φ and ψ)`, under either quantifier |

use std::collections::HashMap;

use sweepnet_language::question::{Modal, Path, Until};
use sweepnet_space::StopReason;
use sweepnet_space::budget::Budget;

use super::atoms::Atoms;
use super::backward;
use super::bits::BitSet;
use super::formula::Ctl;
use super::paths;
use super::steps::{Run, Steps, refused};
use crate::check::Undecided;
use crate::predicate::Predicate;

/// The position of an operation.
type Id = usize;

/// What a sub-formula does with those before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Operation {
    True,
    Atom(Predicate),
    Not(Id),
    And(Vec<Id>),
    Or(Vec<Id>),
    Xor(Vec<Id>),
    /// `EX`
    Next(Id),
    /// `EU`
    Until(Id, Id),
    /// `EG`
    Always(Id),
}

/// A formula as operations, each once, operands first.
#[derive(Debug, Default)]
struct Plan {
    operations: Vec<Operation>,
    known: HashMap<Operation, Id>,
}

impl Plan {
    fn add(&mut self, operation: Operation) -> Id {
        if let Operation::Not(operand) = operation
            && let Operation::Not(inner) = self.operations[operand]
        {
            return inner;
        }
        if let Some(id) = self.known.get(&operation) {
            return *id;
        }
        let id = self.operations.len();
        self.operations.push(operation.clone());
        self.known.insert(operation, id);
        id
    }

    fn not(&mut self, operand: Id) -> Id {
        self.add(Operation::Not(operand))
    }

    fn all(&mut self, formulas: &[Ctl]) -> Vec<Id> {
        formulas.iter().map(|formula| self.formula(formula)).collect()
    }

    fn formula(&mut self, formula: &Ctl) -> Id {
        match formula {
            Ctl::Atom(Predicate::True) => self.add(Operation::True),
            Ctl::Atom(Predicate::False) => {
                let truth = self.add(Operation::True);
                self.not(truth)
            }
            Ctl::Atom(predicate) => self.add(Operation::Atom(predicate.clone())),
            Ctl::Not(operand) => {
                let operand = self.formula(operand);
                self.not(operand)
            }
            Ctl::And(operands) => {
                let operands = self.all(operands);
                self.add(Operation::And(operands))
            }
            Ctl::Or(operands) => {
                let operands = self.all(operands);
                self.add(Operation::Or(operands))
            }
            Ctl::Xor(operands) => {
                let operands = self.all(operands);
                self.add(Operation::Xor(operands))
            }
            Ctl::Unary(path, modal, operand) => {
                let operand = self.formula(operand);
                self.unary(*path, *modal, operand)
            }
            Ctl::Binary(path, until, left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                self.binary(*path, *until, left, right)
            }
        }
    }

    fn unary(&mut self, path: Path, modal: Modal, operand: Id) -> Id {
        let truth = self.add(Operation::True);
        match (path, modal) {
            (Path::Some, Modal::Next) => self.add(Operation::Next(operand)),
            (Path::Some, Modal::Finally) => self.add(Operation::Until(truth, operand)),
            (Path::Some, Modal::Globally) => self.add(Operation::Always(operand)),
            (Path::All, modal) => {
                let dual = match modal {
                    Modal::Next => Modal::Next,
                    Modal::Finally => Modal::Globally,
                    Modal::Globally => Modal::Finally,
                };
                let negated = self.not(operand);
                let dual = self.unary(Path::Some, dual, negated);
                self.not(dual)
            }
        }
    }

    fn binary(&mut self, path: Path, until: Until, left: Id, right: Id) -> Id {
        match (path, until) {
            (Path::Some, Until::Until) => self.add(Operation::Until(left, right)),
            (Path::Some, Until::WeakUntil) => {
                let parts = vec![self.add(Operation::Until(left, right)), self.add(Operation::Always(left))];
                self.add(Operation::Or(parts))
            }
            (Path::All, Until::Until | Until::WeakUntil) => {
                let (not_left, not_right) = (self.not(left), self.not(right));
                let neither = self.add(Operation::And(vec![not_left, not_right]));
                let broken = self.add(Operation::Until(not_right, neither));
                if until == Until::WeakUntil {
                    return self.not(broken);
                }
                let never = self.add(Operation::Always(not_right));
                let either = self.add(Operation::Or(vec![broken, never]));
                self.not(either)
            }
            (path, Until::Release) => {
                let both = self.add(Operation::And(vec![left, right]));
                self.binary(path, Until::WeakUntil, right, both)
            }
        }
    }
}

/// A formula decided in every node.
#[derive(Debug)]
pub struct Decided {
    plan: Plan,
    sets: Vec<BitSet>,
    root: Id,
}

impl Decided {
    /// Decides a formula.
    pub fn new(
        formula: &Ctl,
        graph: &mut impl Steps,
        atoms: &Atoms,
        budget: &Budget,
    ) -> Result<Self, Undecided> {
        let mut plan = Plan::default();
        let root = plan.formula(formula);
        let mut sets: Vec<BitSet> = Vec::with_capacity(plan.operations.len());
        for operation in &plan.operations {
            let set = match operation {
                Operation::Atom(predicate) => atoms.of(predicate)?.copy(budget).map_err(refused),
                operation => compute(operation, &sets, graph, budget),
            };
            sets.push(set.map_err(Undecided::Stopped)?);
        }
        Ok(Self { plan, sets, root })
    }

    /// The nodes where it holds.
    pub fn set(&self) -> &BitSet {
        &self.sets[self.root]
    }

    /// A path from the initial node that shows why the formula is true there, or why it is not, if one path
    /// can: for the outermost operator, and then for what that leads to.
    pub fn run(&self, graph: &mut impl Steps, budget: &Budget) -> Result<Option<Run>, StopReason> {
        let (mut run, mut node, mut shown) = (Run::default(), 0, false);
        let mut at = self.root;
        loop {
            at = self.outermost(at, node);
            let steps = match &self.plan.operations[at] {
                _ if !self.sets[at].contains(node) => break,
                Operation::Next(operand) => {
                    let target = *operand;
                    at = target;
                    paths::step(graph, node, &self.sets[target])?
                }
                Operation::Until(left, right) => {
                    at = *right;
                    paths::shortest(graph, node, &self.sets[*left], &self.sets[*right], budget)?
                }
                Operation::Always(_) => {
                    let (prefix, cycle) = paths::lasso(graph, node, &self.sets[at], budget)?;
                    run.prefix.extend(prefix);
                    run.cycle = cycle;
                    return Ok(Some(run));
                }
                _ => break,
            };
            shown = true;
            node = steps.last().map_or(node, |step| step.node);
            run.prefix.extend(steps);
        }
        Ok(shown.then_some(run))
    }

    /// The operation that makes another one what it is in a node, through negations, and through connectives
    /// that one operand decides.
    fn outermost(&self, mut at: Id, node: u64) -> Id {
        loop {
            let holds = |id: &Id| self.sets[*id].contains(node);
            let decisive = match &self.plan.operations[at] {
                Operation::Not(operand) => Some(*operand),
                Operation::And(operands) if !holds(&at) => operands.iter().find(|id| !holds(id)).copied(),
                Operation::Or(operands) if holds(&at) => operands.iter().find(|id| holds(id)).copied(),
                _ => None,
            };
            match decisive {
                Some(operand) => at = operand,
                None => return at,
            }
        }
    }
}

fn compute(
    operation: &Operation,
    sets: &[BitSet],
    graph: &mut impl Steps,
    budget: &Budget,
) -> Result<BitSet, StopReason> {
    let fold = |operands: &[Id], join: fn(&mut BitSet, &BitSet)| {
        let mut set = sets[operands[0]].copy(budget)?;
        operands[1..].iter().for_each(|operand| join(&mut set, &sets[*operand]));
        Ok(set)
    };
    match operation {
        Operation::True | Operation::Atom(_) => BitSet::full(budget, graph.nodes()),
        Operation::Not(operand) => sets[*operand].copy(budget).map(|mut set| {
            set.complement();
            set
        }),
        Operation::And(operands) => fold(operands, BitSet::intersect),
        Operation::Or(operands) => fold(operands, BitSet::unite),
        Operation::Xor(operands) => fold(operands, BitSet::differ),
        Operation::Next(operand) => return backward::next(graph, &sets[*operand], budget),
        Operation::Until(left, right) => return backward::until(graph, &sets[*left], &sets[*right], budget),
        Operation::Always(operand) => return backward::always(graph, &sets[*operand], budget),
    }
    .map_err(refused)
}
