//! Candidates for certificates from linear programming.
//!
//! The best bound that the state equation gives for a place p is the optimum of
//!
//! > minimise y·m₀ subject to y·C ≤ 0, y ≥ 0, y(p) = 1,
//!
//! the dual of "most tokens in p over m = m₀ + C·x, m ≥ 0, x ≥ 0" (Silva, Teruel and Colom 1998). The solver
//! computes in floating point, so what it says is a *guess*: its solution is scaled to nearby integers, and
//! believed only after [`Certificate::check`](crate::certificate::Certificate::check).

use std::time::Duration;

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use sweepnet_net::{Net, PlaceId};

use crate::effort::GoOn;
use crate::incidence::Incidence;

/// The net as a linear program, to which a question is added each time.
pub(crate) struct Relaxation {
    costs: Vec<f64>,
    /// One constraint per live transition that feeds some place.
    constraints: Vec<Vec<(usize, f64)>>,
}

impl Relaxation {
    pub(crate) fn new(net: &Net, incidence: &Incidence, live: &[bool]) -> Self {
        let columns = incidence.by_transition();
        let mut constraints: Vec<Vec<(usize, f64)>> = (0..live.len())
            .filter(|t| live[*t] && columns.row(*t).any(|(_, effect)| effect > 0))
            .map(|t| columns.row(t).map(|(place, effect)| (place, effect as f64)).collect())
            .collect();
        constraints.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        constraints.dedup();
        Self { costs: net.places().iter().map(|p| p.initial as f64).collect(), constraints }
    }

    /// Whether all numbers are of a size that floating point handles well; the solver may fail otherwise.
    pub(crate) fn is_tame(&self) -> bool {
        let effects = self.constraints.iter().flatten().map(|(_, effect)| effect.abs());
        effects.fold(0.0, f64::max) <= 1e6 && self.costs.iter().copied().fold(0.0, f64::max) <= 1e9
    }

    /// A measure of the program's size.
    pub(crate) fn size(&self) -> usize {
        self.costs.len() + self.constraints.iter().map(Vec::len).sum::<usize>()
    }

    /// Weights that may prove the best bound for the place; empty if there seem to be none.
    pub(crate) fn best_for(&self, place: PlaceId, go_on: GoOn<'_>) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let variables: Vec<Variable> = (self.costs.iter().enumerate())
            .map(|(p, cost)| {
                let range = if p == place.index() { (1.0, 1.0) } else { (0.0, f64::INFINITY) };
                // A slight preference for small weights keeps useless places out of the support.
                problem.add_var(cost + 1e-4, range)
            })
            .collect();
        self.constrain(&mut problem, |p| vec![(variables[p], 1.0)]);
        values(problem, go_on, |solution| variables.iter().map(|v| solution.var_value(*v)).collect())
    }

    /// Weights, positive for as many places as possible: all places that any certificate can bound.
    pub(crate) fn widest(&self, go_on: GoOn<'_>) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let variables: Vec<(Variable, Variable)> = (self.costs.iter())
            .map(|_| (problem.add_var(1.0, (0.0, 1.0)), problem.add_var(0.0, (0.0, f64::INFINITY))))
            .collect();
        self.constrain(&mut problem, |p| vec![(variables[p].0, 1.0), (variables[p].1, 1.0)]);
        values(problem, go_on, |solution| {
            variables.iter().map(|(a, b)| solution.var_value(*a) + solution.var_value(*b)).collect()
        })
    }

    fn constrain(&self, problem: &mut Problem, terms: impl Fn(usize) -> Vec<(Variable, f64)>) {
        for constraint in &self.constraints {
            let sum: Vec<(Variable, f64)> = (constraint.iter())
                .flat_map(|(p, effect)| terms(*p).into_iter().map(move |(v, one)| (v, one * effect)))
                .collect();
            problem.add_constraint(&sum, ComparisonOp::Le, 0.0);
        }
    }
}

/// What is asked for of the best solution; nothing if there is none, or nobody wants it any more.
pub(crate) fn values(
    mut problem: Problem,
    go_on: GoOn<'_>,
    read: impl Fn(&microlp::Solution) -> Vec<f64>,
) -> Vec<f64> {
    problem.set_time_limit(LOOK);
    let mut outcome = problem.solve();
    while let Ok(stopped) = outcome {
        if stopped.is_optimal() {
            return stopped.into_solution().map_or(Vec::new(), |solution| read(&solution));
        }
        if !go_on() {
            break;
        }
        outcome = stopped.resume();
    }
    Vec::new()
}

/// How long the solver works between two questions whether to go on. It is long: few programs are ever interrupted.
const LOOK: Duration = Duration::from_millis(500);

/// Integer vectors close to a multiple of this one, the likeliest first.
pub(crate) fn integer_candidates(values: &[f64]) -> impl Iterator<Item = Vec<(usize, u64)>> + '_ {
    let least = values.iter().copied().filter(|v| *v > 1e-7).fold(f64::INFINITY, f64::min);
    let scales = [1.0, least].into_iter().filter(|s| s.is_finite()).flat_map(|unit| {
        let denominators =
            (1..=64).chain([72, 84, 90, 96, 120, 180, 210, 240, 360, 420, 720, 840, 2520, 5040]);
        denominators.map(move |d| f64::from(d) / unit)
    });
    scales.filter_map(move |scale| {
        let close = |v: f64| (v - v.round()).abs() < 1e-6 * v.abs().max(1.0);
        let usable = |v: f64| close(v) && (0.0..1e15).contains(&v.round());
        let support = || values.iter().enumerate().filter(|(_, v)| v.abs() > 1e-7);
        if support().next().is_none() || !support().all(|(_, v)| usable(v * scale)) {
            return None;
        }
        let weights = support().map(|(p, v)| (p, (v * scale).round() as u64));
        Some(weights.filter(|(_, weight)| *weight > 0).collect())
    })
}
