//! Weights as linear programs. What the solver says is a guess, to be rounded and judged exactly.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use super::rounding::best_integers;
use super::{Effects, Weights};
use crate::effort::Effort;
use crate::incidence::Incidence;
use sweepnet_net::{Net, TransitionId};

/// Different effects of transitions, and how frequently each happens.
pub(super) struct Program<'a> {
    net: &'a Net,
    incidence: &'a Incidence,
    /// For each effect: on which places, and how many firings in all are one of it; at most 1.
    pub(super) effects: Vec<(Vec<(usize, f64)>, f64)>,
    frequencies: Vec<f64>,
    size: usize,
    /// The sum of sizes of the programs that may still be solved.
    left: usize,
}

/// What is asked of one effect.
#[derive(Clone, Copy)]
pub(super) enum Demand {
    /// To advance by one at least.
    Advance,
    /// To advance by one, if what it lacks costs too much elsewhere.
    Prefer(f64),
    /// Not to regress; advancing by up to one is worth this.
    Keep(f64),
    /// Nothing.
    Free,
}

/// What weights are taken to cost, so that they stay small.
const COST_OF_WEIGHT: f64 = 1e-5;

/// How much more may be spent than on other programs: a measure is sought once, and a good one saves much.
const SHARE: usize = 4;

/// The frequency of what happens hardly ever.
const RARE: f64 = 1e-3;

impl<'a> Program<'a> {
    /// The effects of a net; nothing if there are none, numbers are too large for floating point, or there is no
    /// memory for programs.
    pub(super) fn new(
        net: &'a Net,
        incidence: &'a Incidence,
        frequencies: &[f64],
        effort: &Effort,
    ) -> Option<Self> {
        let of = |t: usize| frequencies.get(t).copied().filter(|f| f.is_finite()).unwrap_or(1.0);
        let largest = (0..net.transitions().len()).map(of).fold(0.0, f64::max);
        let relative = |t: usize| if largest > 0.0 { (of(t) / largest).max(RARE) } else { 1.0 };
        let frequencies: Vec<f64> = (0..net.transitions().len()).map(relative).collect();
        let columns = incidence.by_transition();
        let mut effects: Vec<(Vec<(usize, f64)>, f64)> = (0..columns.height())
            .filter(|t| !incidence.resetting_transitions()[*t] && columns.row(*t).len() > 0)
            .map(|t| (columns.row(t).map(|(place, effect)| (place, effect as f64)).collect(), frequencies[t]))
            .collect();
        effects.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        effects.dedup_by(|second, first| {
            let same = second.0 == first.0;
            if same {
                first.1 = (first.1 + second.1).min(1.0);
            }
            same
        });
        let numbers = || effects.iter().flat_map(|(effect, _)| effect);
        let numbers_in_all = 2 * numbers().count() + 2 * net.places().len() + 2 * effects.len();
        // The solver takes more steps the more inequalities there are.
        let size = numbers_in_all.saturating_mul(1 + effects.len() / 50);
        let tame = numbers().all(|(_, effect)| effect.abs() <= 1e6);
        (!effects.is_empty() && tame && effort.has_room_for(numbers_in_all)).then_some(())?;
        Some(Self { net, incidence, effects, frequencies, size, left: effort.programs.saturating_mul(SHARE) })
    }

    /// Whether another program may be solved; it is paid for then.
    pub(super) fn pay(&mut self) -> bool {
        let left = self.left.checked_sub(self.size);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// How many more programs may be solved.
    pub(super) fn programs_left(&self) -> usize {
        self.left / self.size.max(1)
    }

    /// Weights that fit demands, and what each effect lacks; nothing if there are none.
    pub(super) fn solve(&self, demand: impl Fn(usize) -> Demand) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let weights: Vec<[Variable; 2]> = (self.net.places().iter())
            .map(|_| [(); 2].map(|()| problem.add_var(COST_OF_WEIGHT, (0.0, f64::INFINITY))))
            .collect();
        let mut lacks: Vec<Option<Variable>> = Vec::with_capacity(self.effects.len());
        for (position, (effect, _)) in self.effects.iter().enumerate() {
            let mut sum: Vec<(Variable, f64)> = (effect.iter())
                .flat_map(|(place, effect)| [(weights[*place][0], *effect), (weights[*place][1], -effect)])
                .collect();
            let lack = match demand(position) {
                Demand::Free | Demand::Advance => None,
                Demand::Prefer(cost) => Some(problem.add_var(cost, (0.0, f64::INFINITY))),
                Demand::Keep(cost) => Some(problem.add_var(cost, (0.0, 1.0))),
            };
            sum.extend(lack.map(|lack| (lack, 1.0)));
            if !matches!(demand(position), Demand::Free) {
                problem.add_constraint(&sum, ComparisonOp::Ge, 1.0);
            }
            lacks.push(lack);
        }
        let solution = problem.solve().ok()?.into_solution().ok()?;
        let value = |variable: Variable| solution.var_value(variable);
        let weights = weights.iter().map(|[up, down]| value(*up) - value(*down)).collect();
        Some((weights, lacks.into_iter().map(|lack| lack.map_or(0.0, value)).collect()))
    }

    /// The integers near a multiple of the weights that regress least frequently.
    pub(super) fn integers(&self, weights: &[f64]) -> Option<Weights> {
        best_integers(weights, |weights| self.regressing(weights))
    }

    /// How frequently steps regress, and how frequently they do not advance.
    fn regressing(&self, weights: &[i64]) -> (f64, f64) {
        let effects = Effects::of(self.net, self.incidence, weights);
        let (mut back, mut idle) = (0.0, 0.0);
        for (t, frequency) in self.frequencies.iter().enumerate() {
            match effects.change(TransitionId::new(t)) {
                Some(1..) => {}
                Some(0) => idle += frequency,
                _ => {
                    back += frequency;
                    idle += frequency;
                }
            }
        }
        (back, idle)
    }
}
