//! Measures of progress: what is said of them, checked by firing; how good they are, against the best there is.
#![allow(missing_docs)]

mod common;

use common::{Random, Shape, explore, net, random_net, seeds};
use sweepnet_net::{Marking, Net, NetBuilder, TransitionId};
use sweepnet_structure::progress::{Effects, Weights, distances, fewest_regressing, independent_effects};
use sweepnet_structure::{Effort, Incidence, Limit, transition_semiflows};

const PLAIN: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: false };
const SPECIAL: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: true };

fn all(net: &Net, frequencies: &[f64]) -> Vec<Weights> {
    let incidence = Incidence::of(net);
    let mut found = fewest_regressing(net, &incidence, frequencies, &Effort::default());
    found.extend(independent_effects(&incidence, &[], usize::MAX));
    found.extend(distances(net));
    found
}

fn value(weights: &[i64], marking: &Marking) -> i128 {
    weights.iter().zip(marking.tokens()).map(|(w, m)| i128::from(*w) * i128::from(*m)).sum()
}

fn effects(net: &Net, weights: &[i64]) -> Effects {
    Effects::of(net, &Incidence::of(net), weights)
}

fn changes(net: &Net, weights: &[i64]) -> Vec<i64> {
    let effects = effects(net, weights);
    net.transition_ids().map(|t| effects.change(t).expect("a number")).collect()
}

#[test]
fn firing_changes_the_sum_as_the_effects_say() {
    for seed in seeds(300) {
        let net = random_net(&mut Random::new(seed), SPECIAL);
        for weights in all(&net, &[]) {
            assert_eq!(weights.len(), net.places().len());
            assert!(weights.iter().any(|w| *w != 0), "seed {seed}: {weights:?}");
            let effects = effects(&net, &weights);
            for marking in explore(&net, 60).0 {
                for t in net.enabled(&marking) {
                    let (Ok(next), Some(change)) = (net.fire(&marking, t), effects.change(t)) else {
                        continue;
                    };
                    let difference = value(&weights, &next) - value(&weights, &marking);
                    assert_eq!(difference, i128::from(change), "seed {seed}");
                }
            }
        }
    }
}

#[test]
fn independent_effects_all_advance_by_the_same() {
    for seed in seeds(500) {
        let net = random_net(&mut Random::new(seed), PLAIN);
        let incidence = Incidence::of(&net);
        let mut order: Vec<TransitionId> = net.transition_ids().collect();
        order.reverse();
        let weights = independent_effects(&incidence, &order, usize::MAX);
        let mut basis: Vec<Vec<i64>> = Vec::new();
        let mut independent = Vec::new();
        for t in order {
            let effect = net.place_ids().map(|p| incidence.effect(p, t) as i64).collect();
            if is_independent(&mut basis, effect) {
                independent.push(t);
            }
        }
        assert_eq!(weights.is_some(), !independent.is_empty(), "seed {seed}");
        let Some(weights) = weights else { continue };
        let changes: Vec<i64> = independent.iter().map(|t| changes(&net, &weights)[t.index()]).collect();
        assert!(changes[0] > 0 && changes.iter().all(|c| *c == changes[0]), "seed {seed}: {changes:?}");
    }
}

/// Whether a vector is independent of others, in the numbers modulo a prime.
fn is_independent(basis: &mut Vec<Vec<i64>>, mut vector: Vec<i64>) -> bool {
    const PRIME: i64 = 10_007;
    vector.iter_mut().for_each(|x| *x = x.rem_euclid(PRIME));
    for row in basis.iter() {
        let head = row.iter().position(|x| *x != 0).expect("no row is nothing");
        let factor = vector[head];
        vector.iter_mut().zip(row).for_each(|(x, y)| *x = (*x - factor * y).rem_euclid(PRIME));
    }
    let Some(head) = vector.iter().copied().find(|x| *x != 0) else { return false };
    let inverse = (1..PRIME).find(|x| x * head % PRIME == 1).expect("a field");
    vector.iter_mut().for_each(|x| *x = *x * inverse % PRIME);
    basis.push(vector);
    true
}

#[test]
fn nearly_as_few_transitions_regress_as_semiflows_force() {
    let (mut sum, mut least) = (0, 0);
    for seed in seeds(400) {
        let net = random_net(&mut Random::new(seed), PLAIN);
        let incidence = Incidence::of(&net);
        let flows = transition_semiflows(&net, Limit::default());
        let supports: Vec<u32> =
            flows.flows.iter().map(|flow| flow.weights.iter().fold(0, |set, (t, _)| set | 1 << t)).collect();
        let count = net.transitions().len();
        let best = (0..1_u32 << count)
            .filter(|set| supports.iter().all(|support| support & set != 0))
            .map(u32::count_ones)
            .min()
            .unwrap_or(0) as usize;
        let found = fewest_regressing(&net, &incidence, &[], &Effort::default());
        let idle = |weights: &Weights| changes(&net, weights).iter().filter(|c| **c <= 0).count();
        // If all transitions must be given up, nothing is left to advance.
        let fewest = found.iter().map(idle).min().unwrap_or(count);
        assert!(fewest >= best, "seed {seed}");
        sum += fewest;
        least += best;
        let on_flow = |t: usize| supports.iter().any(|support| support >> t & 1 == 1);
        for weights in &found {
            for (t, change) in changes(&net, weights).into_iter().enumerate() {
                assert!(change > 0 || on_flow(t), "seed {seed}: {weights:?} by {t}");
            }
        }
    }
    assert!(sum * 100 <= least * 102, "{sum} where {least} would do");
}

#[test]
fn the_rare_one_goes_back() {
    let net = net(&[("a", 3)], "ab: a -> b\nbc: b -> c\ncd: c -> d\nda: d -> a");
    for rare in 0..4 {
        let mut frequencies = [100.0; 4];
        frequencies[rare] = 1.0;
        let weights = &fewest_regressing(&net, &Incidence::of(&net), &frequencies, &Effort::default())[0];
        let mut expected = [1; 4];
        expected[rare] = -3;
        assert_eq!(changes(&net, weights), expected);
    }
}

#[test]
fn a_net_without_cycles_only_advances() {
    let net = net(&[("a", 1)], "t: a -> b*2 c\nu: b c -> d*5\nv: d -> e");
    let incidence = Incidence::of(&net);
    for weights in all(&net, &[]) {
        let effects = effects(&net, &weights);
        assert!(effects.is_monotone() && effects.regressing().count() == 0);
    }
    let weights = independent_effects(&incidence, &[], usize::MAX).expect("they are independent");
    assert_eq!(changes(&net, &weights), [1; 3].map(|one| one * changes(&net, &weights)[0]));
}

#[test]
fn distances_are_rounds() {
    let net = net(&[("a", 1), ("x", 1)], "t: a -> b\nu: b x -> c\nv: c -> a\nw: d -> e");
    let names: Vec<&str> = net.places().iter().map(|p| &*p.id).collect();
    let weights = distances(&net).expect("some are far");
    let of = |name: &str| weights[names.iter().position(|n| *n == name).expect("a place")];
    assert_eq!(["a", "x", "b", "c", "d", "e"].map(of), [0, 0, 1, 2, 0, 0]);
}

#[test]
fn what_resets_may_regress() {
    let mut builder = NetBuilder::new("reset");
    let (p, q) = (builder.place("p", 1).unwrap(), builder.place("q", 0).unwrap());
    let (t, u) = (builder.transition("t").unwrap(), builder.transition("u").unwrap());
    builder.input(t, p, 1).unwrap();
    builder.output(t, q, 1).unwrap();
    builder.reset(u, q).unwrap();
    let net = builder.build().unwrap();
    let with_q = effects(&net, &[0, 3]);
    assert_eq!((with_q.change(t), with_q.change(u)), (Some(3), None));
    assert_eq!(with_q.regressing().collect::<Vec<_>>(), [u]);
    assert_eq!(with_q.describe(&net, 10).to_string(), "advance: t (+3)\nmay regress: u");
    assert_eq!(effects(&net, &[-1, 0]).change(u), Some(0));
}

#[test]
fn effects_in_words() {
    let net = net(&[("a", 3)], "t1: a -> b\nt2: a -> b\nt3: b -> c\nt4: c -> a\nt5: a -> a");
    let described = |most| effects(&net, &[0, 3, 4]).describe(&net, most).to_string();
    assert_eq!(described(9), "advance: t1, t2 (+3); t3 (+1)\nkeep: t5\nregress: t4 (-4)");
    assert_eq!(described(1), "advance: t1 (+3), and 2 more\nkeep: t5\nregress: t4 (-4)");
}

#[test]
fn numbers_that_are_too_large_are_no_answers() {
    let huge = u64::MAX;
    let mut builder = NetBuilder::new("huge");
    let places: Vec<_> = (0..6).map(|p| builder.place(&format!("p{p}"), 1).unwrap()).collect();
    for i in 0..6_u64 {
        let t = builder.transition(&format!("t{i}")).unwrap();
        builder.input(t, places[i as usize], huge - 3 * i).unwrap();
        builder.output(t, places[(i as usize + 1) % 6], huge - 7 * i - 1).unwrap();
    }
    let net = builder.build().unwrap();
    for weights in all(&net, &[f64::NAN, -1.0, f64::INFINITY]) {
        assert!(weights.iter().all(|w| w.unsigned_abs() <= 1 << 40));
    }
    assert_eq!(independent_effects(&Incidence::of(&net), &[], usize::MAX), None);
    assert!(effects(&net, &[1, 1 << 40, 0, 0, 0, 0]).change(TransitionId::new(0)).is_none());
}

#[test]
fn nothing_is_tried_beyond_the_limits() {
    let cycle = net(&[("a", 3)], "ab: a -> b\nba: b -> a");
    assert!(fewest_regressing(&cycle, &Incidence::of(&cycle), &[], &Effort::LEAST).is_empty());
    let still = net(&[("a", 3)], "t: a -> a");
    assert!(all(&still, &[]).is_empty());
    let empty = NetBuilder::new("empty").build().unwrap();
    assert!(all(&empty, &[]).is_empty());
}

#[test]
fn large_nets_are_answered_soon() {
    let mut builder = NetBuilder::new("large");
    let places: Vec<_> =
        (0..3000).map(|p| builder.place(&format!("p{p}"), u64::from(p == 0)).unwrap()).collect();
    let mut random = Random::new(1);
    for t in 0..9000 {
        let t = builder.transition(&format!("t{t}")).unwrap();
        for _ in 0..2 {
            builder.input(t, places[random.below(3000) as usize], 1).unwrap();
            builder.output(t, places[random.below(3000) as usize], 1).unwrap();
        }
    }
    let net = builder.build().unwrap();
    all(&net, &[]);
}
