//! Which transitions regress: as few, and as rare ones, as can be found.
//!
//! There are weights by which all transitions but those of a set R advance if and only if R meets the support of
//! every T-semiflow (Gordan's theorem). Finding the least such R is a covering problem, and hard; it is solved here
//! as one of the *largest feasible subsystem* of inequalities, by Chinneck's elastic filter (*Fast heuristics for the
//! maximum feasible subsystem problem*, 2001): each transition is asked to advance by one, what it lacks is paid for
//! by its frequency, and the one that lacks most for the least is given up, until nothing is lacking.

use sweepnet_net::Net;

use super::Weights;
use super::program::{Demand, Program};
use crate::effort::Effort;
use crate::incidence::Incidence;

/// Weights by which few transitions regress, counted as often as they fire: candidates, each different from the others,
/// best guesses first. Transitions without a frequency count as 1. No candidates if the net is too large, no
/// transition can advance, or numbers are too large.
///
/// By the first two, every transition advances that need not regress; they differ in whether one that fires rarely or
/// one that would have to regress anyway is given up first. By the third, none regresses (transitions with reset arcs
/// aside): what lies on a T-semiflow keeps, and so it is missing where that is all.
pub fn fewest_regressing(
    net: &Net,
    incidence: &Incidence,
    frequencies: &[f64],
    effort: &Effort,
) -> Vec<Weights> {
    let mut candidates: Vec<Weights> = Vec::new();
    let rules: [fn(f64, f64) -> f64; 2] = [|lack, frequency| lack / frequency, |lack, _| lack];
    let mut add = |found: Option<Weights>| {
        if let Some(found) = found.filter(|found| !candidates.contains(found)) {
            candidates.push(found);
        }
    };
    for rule in rules {
        // Each has its own allowance, so that no candidate depends on how hard another was.
        let program = Program::new(net, incidence, frequencies, effort);
        add(program.and_then(|mut program| advancing(&mut program, rule)));
    }
    let program = Program::new(net, incidence, frequencies, effort);
    add(program.and_then(|mut program| monotone(&mut program)));
    candidates
}

/// All advance but those that are given up, one after the other.
fn advancing(program: &mut Program<'_>, rule: fn(f64, f64) -> f64) -> Option<Weights> {
    let count = program.effects.len();
    let mut given_up = vec![false; count];
    // Equal costs make whole faces of solutions equally good, the one without progress among them.
    let cost =
        |program: &Program<'_>, t: usize| program.effects[t].1 * (1.0 + 1e-3 * t as f64 / count as f64);
    let mut solved = None;
    while program.pay() {
        let demand = |t: usize| match given_up[t] {
            true => Demand::Free,
            false => Demand::Prefer(cost(program, t)),
        };
        let (weights, lacks) = program.solve(demand)?;
        let lacking: Vec<usize> = (0..count).filter(|t| lacks[*t] > 1e-6).collect();
        solved = Some(weights);
        if lacking.is_empty() {
            break;
        }
        let worth = |t: usize| rule(lacks[t], program.effects[t].1);
        let worst = lacking.iter().copied().max_by(|a, b| worth(*a).total_cmp(&worth(*b)))?;
        // The last program but one gives up all that is left.
        let all = program.programs_left() == 1;
        lacking.into_iter().filter(|t| all || *t == worst).for_each(|t| given_up[t] = true);
    }
    // What was given up too early may advance after all.
    for t in (0..count).filter(|t| given_up[*t]).collect::<Vec<_>>() {
        if !program.pay() {
            break;
        }
        given_up[t] = false;
        let demand = |t: usize| if given_up[t] { Demand::Free } else { Demand::Advance };
        match program.solve(demand) {
            Some((weights, _)) => solved = Some(weights),
            None => given_up[t] = true,
        }
    }
    program.integers(&solved?)
}

/// None regress, and what can advance does.
fn monotone(program: &mut Program<'_>) -> Option<Weights> {
    program.pay().then_some(())?;
    let (weights, _) = program.solve(|t| Demand::Keep(program.effects[t].1))?;
    program.integers(&weights)
}
