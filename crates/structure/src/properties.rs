//! Properties of the arcs alone: conservative, consistent, structurally bounded, repetitive.
//!
//! | property | witness | witness of the contrary |
//! | --- | --- | --- |
//! | conservative | y > 0 with y·C = 0 | x with C·x ⪈ 0 |
//! | structurally bounded | y > 0 with y·C ≤ 0 | x ≥ 0 with C·x ⪈ 0 |
//! | consistent | x > 0 with C·x = 0 | y with y·C ⪇ 0 |
//! | repetitive | x > 0 with C·x ≥ 0 | y ≥ 0 with y·C ⪇ 0 |
//!
//! In each line exactly one of the two exists (A. W. Tucker's lemmas). A structurally bounded net is bounded whatever
//! its initial marking; a repetitive one has an initial marking from which every transition can fire for ever. The
//! witnesses are sums of semiflows, or guesses from linear programming that are then checked in exact integers; if
//! neither is found, nothing is said.
//!
//! Inhibitor and reset arcs can hold a net back, so where there are any, the witnesses of "not structurally bounded"
//! and of "repetitive" show nothing. What is reset has weight 0 in equations: no net with a reset arc is conservative
//! or consistent.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use sweepnet_net::Net;

use crate::effort::{Effort, GoOn};
use crate::incidence::Incidence;
use crate::relaxation::{integer_candidates, values};
use crate::semiflows::{Semiflow, Semiflows};
use crate::sparse::SparseMatrix;

/// Whether a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It does, and these weights, positive everywhere, show it.
    Yes(Vec<(usize, u64)>),
    /// It does not. These weights, of transitions for properties of the places and the other way round, show it; they
    /// are empty where semiflows or reset arcs do.
    No(Vec<(usize, i128)>),
    /// Nothing was found.
    Unknown,
}

impl Answer {
    /// Yes, no, or nothing.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Self::Yes(_) => Some(true),
            Self::No(_) => Some(false),
            Self::Unknown => None,
        }
    }
}

/// What the arcs alone tell of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Some weighted number of tokens, with all places in it, never changes.
    pub conservative: Answer,
    /// Bounded whatever the initial marking.
    pub structurally_bounded: Answer,
    /// All transitions can fire, so many times each, and change nothing.
    pub consistent: Answer,
    /// With tokens enough, all transitions can fire for ever.
    pub repetitive: Answer,
}

impl Properties {
    /// Decides them from the semiflows and by linear programs, within the limits.
    pub fn of(
        net: &Net,
        incidence: &Incidence,
        place_semiflows: &Semiflows,
        transition_semiflows: &Semiflows,
        effort: Effort,
        go_on: GoOn<'_>,
    ) -> Self {
        let free = net.inhibitors().is_empty() && net.resets().is_empty();
        let places = Question { matrix: incidence.by_place().clone(), known: place_semiflows, effort, go_on };
        let growth = negative(incidence.by_transition());
        let transitions = Question { matrix: growth, known: transition_semiflows, effort, go_on };
        let equal = |question: &Question<'_>| match net.resets().is_empty() {
            true => question.answer(true),
            false => Answer::No(Vec::new()),
        };
        Self {
            conservative: equal(&places),
            structurally_bounded: Some(places.answer(false))
                .filter(|it| free || it.holds() != Some(false))
                .unwrap_or(Answer::Unknown),
            consistent: equal(&transitions),
            repetitive: Some(transitions.answer(false))
                .filter(|it| free || it.holds() != Some(true))
                .unwrap_or(Answer::Unknown),
        }
    }
}

fn negative(matrix: &SparseMatrix) -> SparseMatrix {
    let mut negative = SparseMatrix::new(matrix.width());
    (0..matrix.height()).for_each(|row| negative.push_row(matrix.row(row).map(|(c, v)| (c, -v))));
    negative
}

/// Is there a y > 0 with y·A ≤ 0, or with y·A = 0?
struct Question<'a> {
    matrix: SparseMatrix,
    known: &'a Semiflows,
    effort: Effort,
    go_on: GoOn<'a>,
}

impl Question<'_> {
    fn answer(&self, equal: bool) -> Answer {
        if let Some(sum) = self.sum_of_semiflows().filter(|sum| self.shows(sum, true)) {
            return Answer::Yes(sum);
        }
        let tame =
            (0..self.matrix.height()).flat_map(|row| self.matrix.row(row)).all(|(_, v)| v.abs() <= 1_000_000);
        let size = 2 * (self.matrix.nonzeros() + self.matrix.height());
        if tame && size <= self.effort.programs && self.effort.has_room_for(size) {
            let no_use = equal && self.known.complete;
            let guess = if no_use { Vec::new() } else { self.positive(equal) };
            if let Some(weights) = integer_candidates(&guess).find(|weights| self.shows(weights, equal)) {
                return Answer::Yes(weights);
            }
            let guess = self.contrary(equal);
            let signed = integer_candidates(&guess).map(|weights| self.signed(&weights));
            if let Some(weights) = signed.into_iter().find(|weights| self.refutes(weights, equal)) {
                return Answer::No(weights);
            }
        }
        if equal && self.known.complete { Answer::No(Vec::new()) } else { Answer::Unknown }
    }

    fn sum_of_semiflows(&self) -> Option<Vec<(usize, u64)>> {
        let mut sum = vec![0u64; self.matrix.height()];
        let weights = self.known.flows.iter().flat_map(|flow: &Semiflow| &flow.weights);
        for (row, weight) in weights {
            let entry = sum.get_mut(*row)?;
            *entry = entry.checked_add(*weight)?;
        }
        Some(sum.into_iter().enumerate().collect())
    }

    /// Whether the weights are positive everywhere and y·A is as asked for, exactly.
    fn shows(&self, weights: &[(usize, u64)], equal: bool) -> bool {
        let all = weights.len() == self.matrix.height() && weights.iter().all(|(_, weight)| *weight > 0);
        let sums = self.matrix.combine(weights.iter().map(|(row, weight)| (*row, i128::from(*weight))));
        all && sums.is_some_and(|sums| if equal { sums.is_empty() } else { sums.iter().all(|(_, s)| *s < 0) })
    }

    /// Whether A·x ⪈ 0, with x ≥ 0 unless all is about equations, exactly.
    fn refutes(&self, weights: &[(usize, i128)], equal: bool) -> bool {
        let allowed = equal || weights.iter().all(|(_, weight)| *weight >= 0);
        let sums = self.matrix.transposed().combine(weights.iter().copied());
        allowed && sums.is_some_and(|sums| !sums.is_empty() && sums.iter().all(|(_, sum)| *sum > 0))
    }

    /// The least y ≥ 1.
    fn positive(&self, equal: bool) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let rows: Vec<Variable> =
            (0..self.matrix.height()).map(|_| problem.add_var(1.0, (1.0, f64::INFINITY))).collect();
        let columns = self.matrix.transposed();
        for column in 0..columns.height() {
            let sum: Vec<(Variable, f64)> =
                columns.row(column).map(|(row, v)| (rows[row], v as f64)).collect();
            let relation = if equal { ComparisonOp::Eq } else { ComparisonOp::Le };
            problem.add_constraint(&sum, relation, 0.0);
        }
        values(problem, self.go_on, |solution| rows.iter().map(|v| solution.var_value(*v)).collect())
    }

    /// A small x with A·x ≥ 0 and sum 1 over all rows: positive parts, then negative ones.
    fn contrary(&self, equal: bool) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let most = |allowed: bool| if allowed { f64::INFINITY } else { 0.0 };
        let mut variables = |allowed: bool| -> Vec<Variable> {
            (0..self.matrix.width()).map(|_| problem.add_var(1.0, (0.0, most(allowed)))).collect()
        };
        let (plus, minus) = (variables(true), variables(equal));
        let mut total = vec![0i128; self.matrix.width()];
        let both = |column: usize, value: f64| [(plus[column], value), (minus[column], -value)];
        for row in 0..self.matrix.height() {
            let sum: Vec<_> = self.matrix.row(row).flat_map(|(column, v)| both(column, v as f64)).collect();
            problem.add_constraint(&sum, ComparisonOp::Ge, 0.0);
            self.matrix
                .row(row)
                .for_each(|(column, value)| total[column] = total[column].saturating_add(value));
        }
        let sum: Vec<_> = total.iter().enumerate().flat_map(|(column, v)| both(column, *v as f64)).collect();
        problem.add_constraint(&sum, ComparisonOp::Eq, 1.0);
        values(problem, self.go_on, |solution| {
            plus.iter().chain(&minus).map(|v| solution.var_value(*v)).collect()
        })
    }

    /// Positive and negative parts put together.
    fn signed(&self, parts: &[(usize, u64)]) -> Vec<(usize, i128)> {
        let mut weights = vec![0i128; self.matrix.width()];
        for (at, part) in parts {
            let (column, sign) = if *at < weights.len() { (*at, 1) } else { (*at - weights.len(), -1) };
            weights[column] += sign * i128::from(*part);
        }
        weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0).collect()
    }
}
