//! Can a marking be reached as far as counting goes?
//!
//! Every reachable marking m satisfies m = m₀ + C·x, where x ≥ 0 counts how often each transition has fired. So if the
//! *state equation* has no solution for any m of a target, none of them is reachable; if it has one, that says
//! nothing about reachability, but x is where to look. The target is a range of tokens for some places.
//!
//! - **No** has a proof: weights y with y·C(·, t) ≤ 0 for all transitions that can fire, so that y·m never grows, while
//!   every marking of the target has y·m > y·m₀ (J. Farkas' lemma); or no *integer* combination of effects leads from
//!   m₀ to what the target fixes.
//! - **Yes** has an integer x.
//! - In between, a rational x may be all that is found.
//!
//! Linear programs make the guesses, the last by branching on fractions a few hundred times; all answers are
//! checked in exact integers. A place that is reset holds *at most* what the equation says.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use sweepnet_net::{Net, PlaceId, TransitionId};

use crate::analysis::Structure;
use crate::effort::{Effort, GoOn};
use crate::entries::Entries;
use crate::lattice::{echelon, generates};
use crate::relaxation::{integer_candidates, values};

/// How many tokens a place shall hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The place.
    pub place: PlaceId,
    /// At least so many.
    pub least: u64,
    /// At most so many, if there is a limit.
    pub most: Option<u64>,
}

/// Whether the state equation has a solution for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasible {
    /// It has: so many firings of each of these transitions.
    Yes(Vec<(TransitionId, u64)>),
    /// It has rational solutions; an integer one was not found.
    Rational,
    /// It has none: the target cannot be reached.
    No(Proof),
    /// No solution and no proof was found.
    Unknown,
}

/// Why a target cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A place would have to hold at least, and at most, numbers that exclude each other.
    Contradiction(PlaceId),
    /// The weighted sum of tokens never grows, and is larger in the target than at the beginning.
    Weights(Vec<(PlaceId, i128)>),
    /// No integer combination of effects leads there.
    Lattice,
}

/// Programs solved, at most, before fractions are taken for an answer.
const NODES: usize = 200;

/// Decides whether the state equation has a solution with all these ranges, within the limits.
pub fn feasible(
    net: &Net,
    structure: &Structure,
    target: &[Range],
    effort: Effort,
    go_on: GoOn<'_>,
) -> Feasible {
    let mut least = vec![0; net.places().len()];
    let mut most: Vec<Option<u64>> = vec![None; net.places().len()];
    for range in target {
        let place = range.place.index();
        least[place] = range.least.max(least[place]);
        most[place] = [range.most, most[place]].into_iter().flatten().min();
        if most[place].is_some_and(|most| most < least[place]) {
            return Feasible::No(Proof::Contradiction(range.place));
        }
    }
    let equation = Equation { net, structure, least, most, go_on };
    if equation.accepts(&[], 1) {
        return Feasible::Yes(Vec::new());
    }
    let size = equation.size();
    let small = size <= effort.programs && effort.has_room_for(2 * size) && equation.is_tame();
    match if small { equation.solve(effort) } else { Feasible::Unknown } {
        Feasible::Rational | Feasible::Unknown if equation.leaves_the_lattice(effort) => {
            Feasible::No(Proof::Lattice)
        }
        answer => answer,
    }
}

struct Equation<'a> {
    net: &'a Net,
    structure: &'a Structure,
    least: Vec<u64>,
    most: Vec<Option<u64>>,
    go_on: GoOn<'a>,
}

/// Bounds of one variable on a branch.
type Branch = Vec<(usize, f64, f64)>;

impl Equation<'_> {
    fn is_live(&self, transition: usize) -> bool {
        !self.structure.bounds.is_dead(TransitionId::new(transition))
    }

    fn initial(&self, place: usize) -> i128 {
        i128::from(self.net.place(PlaceId::new(place)).initial)
    }

    /// An upper limit says nothing about the equation where the place is reset.
    fn most(&self, place: usize) -> Option<i128> {
        self.most[place].filter(|_| !self.structure.incidence.reset_places()[place]).map(i128::from)
    }

    fn size(&self) -> usize {
        self.structure.incidence.by_place().nonzeros() + self.least.len()
    }

    fn is_tame(&self) -> bool {
        let matrix = self.structure.incidence.by_place();
        (0..matrix.height()).all(|place| {
            let numbers = [self.initial(place), self.least[place].into(), self.most(place).unwrap_or(0)];
            numbers.iter().all(|n| *n <= 1_000_000_000)
                && matrix.row(place).all(|(_, v)| v.abs() <= 1_000_000)
        })
    }

    /// Whether m₀ + C·x / scale is a marking of the target, exactly.
    fn accepts(&self, firings: &[(usize, u64)], scale: u64) -> bool {
        let scale = i128::from(scale);
        let weights = firings.iter().map(|(t, times)| (*t, i128::from(*times)));
        let Some(change) = self.structure.incidence.by_transition().combine(weights) else { return false };
        let mut changes = vec![0; self.least.len()];
        change.into_iter().for_each(|(place, by)| changes[place] = by);
        scale > 0
            && firings.iter().all(|(t, _)| self.is_live(*t))
            && (0..changes.len()).all(|place| {
                let bound = |tokens: i128| tokens.checked_sub(self.initial(place))?.checked_mul(scale);
                let enough = bound(self.least[place].into()).is_some_and(|least| changes[place] >= least);
                enough
                    && self
                        .most(place)
                        .is_none_or(|most| bound(most).is_some_and(|most| changes[place] <= most))
            })
    }

    fn solve(&self, effort: Effort) -> Feasible {
        let nodes = (effort.programs / self.size().max(1)).clamp(1, NODES);
        let mut open: Vec<(f64, Branch)> = vec![(0.0, Vec::new())];
        let mut rational = false;
        for node in 0..nodes {
            // Fewest firings first: a branch can go on for ever.
            let best = (0..open.len()).min_by(|a, b| open[*a].0.total_cmp(&open[*b].0));
            let Some((_, branch)) = best.filter(|_| (self.go_on)()).map(|at| open.swap_remove(at)) else {
                break;
            };
            let counts = self.least_firings(&branch);
            if counts.is_empty() {
                if node == 0 {
                    return self
                        .proof()
                        .map_or(Feasible::Unknown, |weights| Feasible::No(Proof::Weights(weights)));
                }
                continue;
            }
            let rounded: Vec<(usize, u64)> = counts
                .iter()
                .enumerate()
                .map(|(t, x)| (t, x.round() as u64))
                .filter(|(_, x)| *x > 0)
                .collect();
            if self.accepts(&rounded, 1) {
                let firings = rounded.into_iter().map(|(t, times)| (TransitionId::new(t), times));
                return Feasible::Yes(firings.collect());
            }
            rational = rational || self.accepts_scaled(&counts);
            let fraction = |x: &f64| (x - x.round()).abs();
            let split = counts.iter().enumerate().max_by(|a, b| fraction(a.1).total_cmp(&fraction(b.1)));
            if let Some((t, x)) = split.filter(|(_, x)| fraction(x) > 1e-6) {
                for side in [(0.0, x.floor()), (x.ceil(), f64::INFINITY)] {
                    let branch = branch.iter().copied().chain([(t, side.0, side.1)]).collect();
                    open.push((counts.iter().sum(), branch));
                }
            }
        }
        if rational { Feasible::Rational } else { Feasible::Unknown }
    }

    /// Whether a multiple of these counts is a vector of integers that solves the equation as many times over.
    fn accepts_scaled(&self, counts: &[f64]) -> bool {
        let with_scale: Vec<f64> = counts.iter().copied().chain([1.0]).collect();
        integer_candidates(&with_scale).any(|mut weights| match weights.pop() {
            Some((at, scale)) if at == counts.len() => self.accepts(&weights, scale),
            _ => false,
        })
    }

    /// The fewest firings, perhaps in fractions, that lead into the target.
    fn least_firings(&self, branch: &Branch) -> Vec<f64> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let live = |t: usize| (0.0f64, if self.is_live(t) { f64::INFINITY } else { 0.0 });
        let mut ranges: Vec<(f64, f64)> = (0..self.net.transitions().len()).map(live).collect();
        for (t, least, most) in branch {
            ranges[*t] = (ranges[*t].0.max(*least), ranges[*t].1.min(*most));
        }
        if ranges.iter().any(|(least, most)| least > most) {
            return Vec::new();
        }
        let counts: Vec<Variable> = ranges.into_iter().map(|range| problem.add_var(1.0, range)).collect();
        let matrix = self.structure.incidence.by_place();
        for place in 0..matrix.height() {
            let sum: Vec<(Variable, f64)> = matrix.row(place).map(|(t, v)| (counts[t], v as f64)).collect();
            let initial = self.initial(place);
            let needed = i128::from(self.least[place]) - initial;
            match self.most(place).map(|most| most - initial) {
                Some(most) if most == needed => problem.add_constraint(&sum, ComparisonOp::Eq, needed as f64),
                Some(most) => {
                    problem.add_constraint(&sum, ComparisonOp::Ge, needed as f64);
                    problem.add_constraint(&sum, ComparisonOp::Le, most as f64);
                }
                None => problem.add_constraint(&sum, ComparisonOp::Ge, needed as f64),
            }
        }
        values(problem, self.go_on, |solution| counts.iter().map(|v| solution.var_value(*v)).collect())
    }

    /// Weights that show that there is no solution.
    fn proof(&self) -> Option<Vec<(PlaceId, i128)>> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let places = self.least.len();
        let mut gain: Vec<(Variable, f64)> = Vec::new();
        let mut weights: Vec<Variable> = Vec::with_capacity(2 * places);
        for place in 0..places {
            weights.push(problem.add_var(1.0, (0.0, f64::INFINITY)));
            gain.push((weights[place], (i128::from(self.least[place]) - self.initial(place)) as f64));
        }
        for place in 0..places {
            let most = self.most(place);
            weights.push(problem.add_var(1.0, (0.0, if most.is_some() { f64::INFINITY } else { 0.0 })));
            gain.push((
                weights[places + place],
                most.map_or(0.0, |most| (self.initial(place) - most) as f64),
            ));
        }
        problem.add_constraint(&gain, ComparisonOp::Eq, 1.0);
        let matrix = self.structure.incidence.by_transition();
        for t in (0..matrix.height()).filter(|t| self.is_live(*t)) {
            let both = |(p, v): (usize, i128)| [(weights[p], v as f64), (weights[places + p], -(v as f64))];
            let sum: Vec<(Variable, f64)> = matrix.row(t).flat_map(both).collect();
            problem.add_constraint(&sum, ComparisonOp::Le, 0.0);
        }
        let guess =
            values(problem, self.go_on, |solution| weights.iter().map(|v| solution.var_value(*v)).collect());
        integer_candidates(&guess).find_map(|parts| {
            let mut signed = vec![0i128; places];
            for (at, part) in parts {
                let (place, sign) = if at < places { (at, 1) } else { (at - places, -1) };
                signed[place] += sign * i128::from(part);
            }
            let signed: Vec<(usize, i128)> =
                signed.into_iter().enumerate().filter(|(_, w)| *w != 0).collect();
            let named = || signed.iter().map(|(place, weight)| (PlaceId::new(*place), *weight)).collect();
            self.is_refuted_by(&signed)?.then(named)
        })
    }

    /// Whether y·m never grows and is larger all over the target than at the beginning, exactly.
    fn is_refuted_by(&self, weights: &[(usize, i128)]) -> Option<bool> {
        let effects = self.structure.incidence.by_place().combine(weights.iter().copied())?;
        let grows = effects.iter().any(|(t, effect)| *effect > 0 && self.is_live(*t));
        let mut gain = 0i128;
        for (place, weight) in weights {
            let tokens = if *weight > 0 { i128::from(self.least[*place]) } else { self.most(*place)? };
            gain = gain.checked_add(weight.checked_mul(tokens.checked_sub(self.initial(*place))?)?)?;
        }
        Some(!grows && gain > 0)
    }

    /// Whether no integer combination of effects gives what the target fixes.
    fn leaves_the_lattice(&self, effort: Effort) -> bool {
        let fixed = |place: usize| self.most(place) == Some(i128::from(self.least[place]));
        let matrix = self.structure.incidence.by_transition();
        let rows = (0..matrix.height()).filter(|t| self.is_live(*t)).map(|t| {
            let entries: Entries =
                matrix.row(t).filter(|(p, _)| fixed(*p)).map(|(p, v)| (p as u32, v)).collect();
            (entries, Entries::new())
        });
        let Ok((basis, _)) = echelon(rows, &mut { effort.semiflows }, self.go_on) else {
            return false;
        };
        let changes = (0..self.least.len()).filter(|p| fixed(*p));
        let changes = changes.map(|p| (p as u32, i128::from(self.least[p]) - self.initial(p)));
        generates(&basis, changes.filter(|(_, by)| *by != 0).collect()) == Some(false)
    }
}
