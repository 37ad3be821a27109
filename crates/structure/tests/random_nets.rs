//! Everything that is claimed of a net, checked on thousands of small ones by trying it out.
//! Replay one with `SEED=n cargo test`.
#![allow(missing_docs)]

mod common;

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

use common::{Random, Shape, explore, random_net, seeds};
use sweepnet_net::{Marking, Net, PlaceId, TransitionId};
use sweepnet_structure::sparse::SparseMatrix;
use sweepnet_structure::{
    Effort, Incidence, Limit, Structure, dead_transitions, place_semiflows, transition_semiflows,
};

const PLAIN: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: false };
const SPECIAL: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: true };

/// The minimal-support semiflows by definition: a support is minimal iff no smaller one is inside, and then the
/// solutions on it are the multiples of one vector.
fn naive_semiflows(matrix: &SparseMatrix, excluded: &[bool]) -> BTreeSet<Vec<(usize, u64)>> {
    let rows = matrix.height();
    let mut subsets: Vec<u32> = (1..1u32 << rows).collect();
    subsets.sort_by_key(|set| set.count_ones());
    let (mut supports, mut found): (Vec<u32>, _) = (Vec::new(), BTreeSet::new());
    for set in subsets {
        let members: Vec<usize> = (0..rows).filter(|r| set >> r & 1 == 1).collect();
        if supports.iter().any(|s| s & set == *s) || members.iter().any(|r| excluded[*r]) {
            continue;
        }
        if let Some(vector) = positive_kernel(matrix, &members) {
            supports.push(set);
            found.insert(members.into_iter().zip(vector).collect());
        }
    }
    found
}

/// The one vector, positive everywhere and without common divisor, that annuls the rows, if there is one.
fn positive_kernel(matrix: &SparseMatrix, rows: &[usize]) -> Option<Vec<u64>> {
    let n = rows.len();
    let (equations, pivots) = echelon(matrix, rows);
    if pivots.len() + 1 != n {
        return None;
    }
    let free = (0..n).find(|u| pivots.iter().all(|(_, p)| p != u))?;
    let scale: i128 = pivots.iter().map(|(e, p)| equations[*e][*p].abs()).product();
    let mut vector = vec![scale; n];
    for (e, p) in pivots {
        vector[p] = -equations[e][free] * scale / equations[e][p];
    }
    let g = vector.iter().fold(0, |g, x| gcd(g, x.unsigned_abs())) as i128;
    vector.iter().all(|x| *x > 0).then(|| vector.iter().map(|x| (x / g) as u64).collect())
}

/// Gauss on the transposed matrix, fraction free: one equation per column, one unknown per row. Returns the
/// equations, and the pivots as (equation, unknown): as many as the rank.
fn echelon(matrix: &SparseMatrix, rows: &[usize]) -> (Vec<Vec<i128>>, Vec<(usize, usize)>) {
    let n = rows.len();
    let mut equations: Vec<Vec<i128>> =
        (0..matrix.width()).map(|c| rows.iter().map(|r| matrix.get(*r, c)).collect()).collect();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for unknown in 0..n {
        let start = pivots.len();
        let Some(at) = (start..equations.len()).find(|e| equations[*e][unknown] != 0) else { continue };
        equations.swap(start, at);
        let pivot = equations[start].clone();
        for (e, equation) in equations.iter_mut().enumerate() {
            if e != start && equation[unknown] != 0 {
                let (a, b) = (pivot[unknown], equation[unknown]);
                for u in 0..n {
                    equation[u] = equation[u] * a - pivot[u] * b;
                }
                let g = equation.iter().fold(0, |g, x| gcd(g, x.unsigned_abs()));
                equation.iter_mut().for_each(|x| *x /= g.max(1) as i128);
            }
        }
        pivots.push((start, unknown));
    }
    (equations, pivots)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn semiflows_are_those_of_the_definition() {
    for seed in seeds(1500) {
        let shape = if seed % 2 == 0 { PLAIN } else { SPECIAL };
        let net = random_net(&mut Random::new(seed), shape);
        let incidence = Incidence::of(&net);
        let places = place_semiflows(&net, Limit::NONE);
        let naive = naive_semiflows(incidence.by_place(), incidence.reset_places());
        let found: BTreeSet<_> = places.flows.iter().map(|flow| flow.weights.clone()).collect();
        assert!(places.complete, "seed {seed}");
        assert_eq!(found, naive, "places, seed {seed}: {net:?}");
        let transitions = transition_semiflows(&net, Limit::NONE);
        let naive = naive_semiflows(incidence.by_transition(), incidence.resetting_transitions());
        let found: BTreeSet<_> = transitions.flows.iter().map(|flow| flow.weights.clone()).collect();
        assert_eq!(found, naive, "transitions, seed {seed}: {net:?}");
    }
}

#[test]
fn as_many_places_are_determined_as_there_are_independent_equations() {
    for seed in seeds(1000) {
        let net = random_net(&mut Random::new(seed ^ 0xf10), SPECIAL);
        let structure = Structure::of(&net, Effort::default());
        let (places, dead) = (structure.incidence.by_place(), &structure.bounds);
        let mut live = SparseMatrix::new(places.width());
        for p in 0..places.height() {
            live.push_row(places.row(p).filter(|(t, _)| !dead.is_dead(TransitionId::new(*t))));
        }
        let rows: Vec<usize> =
            (0..places.height()).filter(|p| !structure.incidence.reset_places()[*p]).collect();
        let rank = echelon(&live, &rows).1.len();
        assert_eq!(structure.determined_places(&net).len(), rows.len() - rank, "seed {seed}");
    }
}

#[test]
fn a_hit_limit_loses_flows_but_tells_no_lies() {
    let shape = Shape { places: 14, transitions: 12, weights: 2, special_arcs: true };
    for seed in seeds(500) {
        let net = random_net(&mut Random::new(seed), shape);
        let incidence = Incidence::of(&net);
        let all = place_semiflows(&net, Limit::NONE);
        for limit in [
            Limit { rows: 0, work: 0, ..Limit::NONE },
            Limit { rows: 0, work: 100_000, ..Limit::NONE },
            Limit { rows: 3, work: 200, ..Limit::NONE },
        ] {
            let some = place_semiflows(&net, limit);
            for flow in &some.flows {
                let weights = flow.weights.iter().map(|(p, w)| (*p, i128::from(*w)));
                assert_eq!(incidence.by_place().combine(weights), Some(vec![]), "seed {seed}");
            }
            assert!(!some.complete || some == all, "seed {seed}");
        }
    }
}

#[test]
fn an_analysis_that_is_stopped_tells_no_lies() {
    let shape = Shape { places: 14, transitions: 12, weights: 2, special_arcs: true };
    for seed in seeds(200) {
        let net = random_net(&mut Random::new(seed), shape);
        let (markings, fired) = explore(&net, 500);
        for most in [0, 1, 5, 25, 125] {
            let asked = Cell::new(0);
            let go_on = || asked.replace(asked.get() + 1) < most;
            let Structure { place_semiflows, bounds, .. } =
                Structure::of_while(&net, Effort::default(), &go_on);
            assert!(bounds.dead_transitions().all(|t| !fired.contains(&t)), "seed {seed}, {most} questions");
            for marking in &markings {
                let holds = |p: PlaceId| bounds.of(p).is_none_or(|bound| marking[p] <= bound);
                assert!(net.place_ids().all(holds), "seed {seed}, {most} questions");
                for flow in &place_semiflows.flows {
                    let tokens = |(p, w): &(usize, u64)| i128::from(marking.tokens()[*p]) * i128::from(*w);
                    let sum = flow.weights.iter().map(tokens).sum();
                    assert_eq!(flow.constant(&net), Some(sum), "seed {seed}, {most} questions");
                }
            }
        }
    }
}

/// Whether the transition is enabled when these places are not looked at.
fn is_enabled_without(
    net: &Net,
    marking: &Marking,
    t: TransitionId,
    blind: &dyn Fn(PlaceId) -> bool,
) -> bool {
    let enough = |arcs: &sweepnet_net::Arcs| {
        arcs.of(t).iter().all(|arc| blind(arc.place) || marking[arc.place] >= arc.weight)
    };
    enough(net.inputs())
        && enough(net.reads())
        && net.inhibitors().of(t).iter().all(|arc| blind(arc.place) || marking[arc.place] < arc.weight)
}

fn check_facts(net: &Net, effort: Effort, seed: u64, random: &mut Random) -> [usize; 5] {
    let structure = Structure::of(net, effort);
    let bounds = &structure.bounds;
    let (markings, fired) = explore(net, 1500);
    for t in structure.dead_transitions().chain(dead_transitions(net, bounds)) {
        assert!(!fired.contains(&t), "seed {seed}: {t:?} fires in {net:?}");
    }
    let determined = structure.determined_places(net);
    let implicit = structure.implicit_places(net);
    let gone: HashMap<PlaceId, usize> = implicit.iter().enumerate().map(|(i, x)| (x.place, i)).collect();
    let sum: Vec<(PlaceId, i128)> =
        net.place_ids().map(|p| (p, i128::from(random.below(7)) - 2)).filter(|(_, c)| *c != 0).collect();
    let most = bounds.sum_bound(&sum);
    for marking in &markings {
        for place in net.place_ids() {
            if let Some(bound) = bounds.of(place) {
                assert!(
                    marking[place] <= bound,
                    "seed {seed}: {place:?} {bound} {:?} in {marking:?} of {net:?}",
                    bounds.why(place)
                );
            }
        }
        for certificate in bounds.certificates() {
            let value: i128 = certificate
                .weights()
                .iter()
                .map(|(p, w)| i128::from(marking.tokens()[*p]) * i128::from(*w))
                .sum();
            assert!(value <= certificate.constant(), "seed {seed}");
            assert!(!certificate.is_equality() || value == certificate.constant(), "seed {seed}");
        }
        if let Some(most) = most {
            let value: i128 = sum.iter().map(|(p, c)| i128::from(marking[*p]) * c).sum();
            assert!(value <= most, "seed {seed}: {sum:?} is {value} > {most} in {marking:?} of {net:?}");
        }
        // Forget the determined places and compute them again, in order.
        let mut known: HashMap<PlaceId, u64> = net.place_ids().map(|p| (p, marking[p])).collect();
        for d in &determined {
            known.remove(&d.place);
        }
        for d in &determined {
            let tokens = d.tokens(|p| known[&p]);
            assert_eq!(tokens, Some(marking[d.place]), "seed {seed}: {d:?} in {marking:?} of {net:?}");
            known.insert(d.place, marking[d.place]);
        }
        for t in net.transition_ids() {
            assert_eq!(
                net.is_enabled(marking, t),
                is_enabled_without(net, marking, t, &|p| gone.contains_key(&p)),
                "seed {seed}: {t:?} in {marking:?} without {implicit:?} of {net:?}"
            );
        }
    }
    let bounded = net.place_ids().filter(|p| bounds.of(*p).is_some()).count();
    [markings.len(), bounded, structure.dead_transitions().count(), determined.len(), implicit.len()]
}

#[test]
fn facts_hold_in_every_reachable_marking() {
    let mut totals = [0; 5];
    for seed in seeds(3000) {
        let mut random = Random::new(seed ^ 0x5eed);
        let shape = if seed % 3 == 0 { PLAIN } else { SPECIAL };
        let net = random_net(&mut random, shape);
        let effort = if seed % 5 == 0 { Effort::LEAST } else { Effort::default() };
        let counts = check_facts(&net, effort, seed, &mut random);
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    // The test is worth something only if there was something to check.
    let least = [50_000, 3_000, 1_000, 1_000, 500];
    assert!(
        std::env::var("SEED").is_ok() || totals.iter().zip(least).all(|(total, least)| *total > least),
        "{totals:?}"
    );
}

#[test]
fn facts_hold_in_copied_places() {
    // Duplicates and multiples of places are what the domination test looks for.
    for seed in seeds(800) {
        let mut random = Random::new(seed ^ 0xd0b1e);
        let net = with_shadow(&random_net(&mut random, SPECIAL), &mut random);
        check_facts(&net, Effort::default(), seed, &mut random);
    }
}

/// The net with a place more, whose arcs are a multiple of another one's, perhaps a bit changed.
fn with_shadow(net: &Net, random: &mut Random) -> Net {
    let mut builder = sweepnet_net::NetBuilder::new("shadow");
    for place in net.places() {
        builder.place(&place.id, place.initial).unwrap();
    }
    let original = PlaceId::new(random.below(net.places().len() as u64) as usize);
    let factor = 1 + random.below(3);
    let extra = random.below(3);
    let shadow = builder.place("shadow", net.place(original).initial * factor + extra).unwrap();
    for t in net.transition_ids() {
        builder.transition(&net.transition(t).id).unwrap();
        let changed = if random.chance(5) { 1 } else { 0 };
        for arc in net.inputs().of(t) {
            builder.input(t, arc.place, arc.weight).unwrap();
            if arc.place == original {
                builder.input(t, shadow, arc.weight * factor).unwrap();
            }
        }
        for arc in net.outputs().of(t) {
            builder.output(t, arc.place, arc.weight).unwrap();
            if arc.place == original {
                builder.output(t, shadow, arc.weight * factor + changed).unwrap();
            }
        }
        for arc in net.reads().of(t) {
            builder.read(t, arc.place, arc.weight).unwrap();
            if arc.place == original {
                builder.read(t, shadow, arc.weight * factor + random.below(3)).unwrap();
            }
        }
        for arc in net.inhibitors().of(t) {
            builder.inhibitor(t, arc.place, arc.weight).unwrap();
            if arc.place == original {
                builder.inhibitor(t, shadow, arc.weight * factor + random.below(4)).unwrap();
            }
        }
        for arc in net.resets().of(t) {
            builder.reset(t, arc.place).unwrap();
        }
    }
    builder.build().unwrap()
}
