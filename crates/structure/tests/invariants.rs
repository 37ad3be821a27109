//! Bases of invariants, properties of the arcs, and the state equation, against definitions and exploration.
#![allow(missing_docs)]

mod common;

use common::{Random, Shape, explore, net, random_net, seeds};
use sweepnet_net::{Net, PlaceId};
use sweepnet_structure::invariants::{Invariant, place_invariants, transition_invariants};
use sweepnet_structure::properties::Answer;
use sweepnet_structure::sparse::SparseMatrix;
use sweepnet_structure::state_equation::{Feasible, Proof, Range, feasible};
use sweepnet_structure::{
    Effort, Incidence, Limit, Properties, Stop, Structure, is_conservative, is_consistent, place_semiflows,
    transition_semiflows,
};

const PLAIN: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: false };
const SPECIAL: Shape = Shape { places: 6, transitions: 6, weights: 3, special_arcs: true };

fn determinant(rows: &[Vec<i128>]) -> i128 {
    let Some((first, rest)) = rows.split_first() else { return 1 };
    let minor = |c: usize| {
        let without = |row: &Vec<i128>| [&row[..c], &row[c + 1..]].concat();
        determinant(&rest.iter().map(without).collect::<Vec<_>>())
    };
    (0..first.len()).map(|c| if c % 2 == 0 { first[c] * minor(c) } else { -first[c] * minor(c) }).sum()
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The greatest common divisor of all minors of this size: of rows, over all choices of rows and columns.
fn minors(rows: &[Vec<i128>], size: usize) -> u128 {
    let width = rows.first().map_or(0, Vec::len);
    let choices = |n: usize| (0..1u32 << n).filter(move |set| set.count_ones() as usize == size);
    let pick = |set: u32, n: usize| (0..n).filter(move |i| set >> i & 1 == 1);
    let mut divisor = 0;
    for of_rows in choices(rows.len()) {
        for of_columns in choices(width) {
            let minor: Vec<Vec<i128>> = pick(of_rows, rows.len())
                .map(|r| pick(of_columns, width).map(|c| rows[r][c]).collect())
                .collect();
            divisor = gcd(divisor, determinant(&minor).unsigned_abs());
        }
    }
    divisor
}

/// All solutions that there are: as many as the rank leaves, independent, and without a common divisor of minors.
fn check_basis(matrix: &SparseMatrix, excluded: &[bool], basis: &[Invariant], seed: u64) {
    for invariant in basis {
        assert_eq!(matrix.combine(invariant.iter().copied()), Some(vec![]), "seed {seed}");
        assert!(invariant.iter().all(|(row, _)| !excluded[*row]), "seed {seed}");
    }
    let kept: Vec<usize> = (0..matrix.height()).filter(|row| !excluded[*row]).collect();
    let dense: Vec<Vec<i128>> =
        kept.iter().map(|row| (0..matrix.width()).map(|c| matrix.get(*row, c)).collect()).collect();
    let rank = (0..=kept.len()).rev().find(|size| minors(&dense, *size) != 0).unwrap_or(0);
    assert_eq!(basis.len(), kept.len() - rank, "seed {seed}");
    let of = |invariant: &Invariant, row: usize| invariant.iter().find(|w| w.0 == row).map_or(0, |w| w.1);
    let vectors: Vec<Vec<i128>> =
        basis.iter().map(|invariant| kept.iter().map(|row| of(invariant, *row)).collect()).collect();
    assert_eq!(minors(&vectors, vectors.len()), 1, "seed {seed}: {basis:?}");
}

#[test]
fn bases_generate_all_integer_invariants() {
    for seed in seeds(400) {
        let net = random_net(&mut Random::new(seed ^ 0x1a7), SPECIAL);
        let incidence = Incidence::of(&net);
        let places = place_invariants(&incidence, Limit::NONE, &|| true).unwrap();
        check_basis(incidence.by_place(), incidence.reset_places(), &places, seed);
        let transitions = transition_invariants(&incidence, Limit::NONE, &|| true).unwrap();
        check_basis(incidence.by_transition(), incidence.resetting_transitions(), &transitions, seed);
    }
    let ring = Incidence::of(&net(&[], "a: p -> q; b: q -> p"));
    assert_eq!(place_invariants(&ring, Limit::NONE, &|| false), Err(Stop::Cancelled));
    assert_eq!(place_invariants(&ring, Limit { rows: 0, work: 0, ..Limit::NONE }, &|| true), Err(Stop::Work));
    assert_eq!(place_invariants(&ring, Limit::NONE, &|| true), Ok(vec![vec![(0, 1), (1, 1)]]));
}

fn properties(net: &Net) -> Properties {
    let (places, transitions) =
        (place_semiflows(net, Limit::default()), transition_semiflows(net, Limit::default()));
    Properties::of(net, &Incidence::of(net), &places, &transitions, Effort::default(), &|| true)
}

#[test]
fn properties_have_witnesses() {
    let mut counts = [[0; 3]; 2];
    for seed in seeds(1500) {
        let plain = seed % 2 == 0;
        let net = random_net(&mut Random::new(seed ^ 0x9e7), if plain { PLAIN } else { SPECIAL });
        let (places, transitions) =
            (place_semiflows(&net, Limit::NONE), transition_semiflows(&net, Limit::NONE));
        let it = properties(&net);
        assert_eq!(it.conservative.holds(), is_conservative(&net, &places), "seed {seed}: {net:?}");
        assert_eq!(it.consistent.holds(), is_consistent(&net, &transitions), "seed {seed}: {net:?}");
        if plain {
            assert!(it.structurally_bounded.holds().is_some(), "seed {seed}: {net:?}");
            assert!(it.repetitive.holds().is_some(), "seed {seed}: {net:?}");
        }
        for (answer, counts) in [&it.structurally_bounded, &it.repetitive].into_iter().zip(&mut counts) {
            counts[answer.holds().map_or(2, usize::from)] += 1;
        }
        if let Answer::Yes(weights) = &it.structurally_bounded {
            let value = |tokens: &[u64]| weights.iter().map(|(p, w)| w * tokens[*p]).sum::<u64>();
            let start = value(net.initial_marking().tokens());
            for marking in explore(&net, 500).0 {
                assert!(value(marking.tokens()) <= start, "seed {seed}: {net:?}");
            }
        }
    }
    println!("structurally bounded, repetitive (no, yes, unknown): {counts:?}");
}

#[test]
fn a_producer_grows_and_a_consumer_tires() {
    let producer = properties(&net(&[("a", 1)], "make: a -> b out; rest: b -> a"));
    assert_eq!(producer.structurally_bounded, Answer::No(vec![(0, 1), (1, 1)]));
    assert_eq!((producer.repetitive.holds(), producer.consistent.holds()), (Some(true), Some(false)));
    let consumer = properties(&net(&[("a", 1)], "take: a stock -> b; rest: b -> a"));
    assert_eq!(
        (consumer.structurally_bounded.holds(), consumer.conservative.holds()),
        (Some(true), Some(false))
    );
    assert_eq!(consumer.repetitive.holds(), Some(false));
}

fn exactly(tokens: &[u64]) -> Vec<Range> {
    let range = |(place, tokens): (usize, &u64)| Range {
        place: PlaceId::new(place),
        least: *tokens,
        most: Some(*tokens),
    };
    tokens.iter().enumerate().map(range).collect()
}

#[test]
fn what_is_reached_is_feasible_and_what_is_infeasible_is_not_reached() {
    let mut counts = [0; 5];
    for seed in seeds(400) {
        let mut random = Random::new(seed ^ 0x57a7e);
        let net = random_net(&mut random, if seed % 2 == 0 { PLAIN } else { SPECIAL });
        let structure = Structure::of(&net, Effort::default());
        let ask = |target: &[Range]| feasible(&net, &structure, target, Effort::default(), &|| true);
        let (markings, _) = explore(&net, 300);
        for marking in markings.iter().step_by(1 + markings.len() / 5) {
            let answer = ask(&exactly(marking.tokens()));
            assert!(matches!(answer, Feasible::Yes(_)), "seed {seed}: {answer:?} {marking:?} {net:?}");
        }
        for _ in 0..5 {
            let target: Vec<Range> = net
                .place_ids()
                .filter_map(|place| {
                    let least = random.below(4);
                    let most = random.chance(70).then(|| least + random.below(2));
                    random.chance(60).then_some(Range { place, least, most })
                })
                .collect();
            let fits = |place: PlaceId, tokens: u64| {
                let of_it = target.iter().filter(|range| range.place == place);
                of_it.into_iter().all(|r| tokens >= r.least && r.most.is_none_or(|most| tokens <= most))
            };
            let reached = markings.iter().any(|m| net.place_ids().all(|p| fits(p, m[p])));
            let answer = ask(&target);
            let kind = match &answer {
                Feasible::Yes(firings) => {
                    let weights = firings.iter().map(|(t, n)| (t.index(), i128::from(*n)));
                    let change = structure.incidence.by_transition().combine(weights).unwrap();
                    for place in net.place_ids().filter(|p| !structure.incidence.is_reset(*p)) {
                        let by = change.iter().find(|(p, _)| *p == place.index()).map_or(0, |(_, by)| *by);
                        let tokens = i128::from(net.place(place).initial) + by;
                        assert!(u64::try_from(tokens).is_ok_and(|n| fits(place, n)), "seed {seed}");
                    }
                    0
                }
                Feasible::Rational => 1,
                Feasible::No(Proof::Lattice) => 2,
                Feasible::No(_) => 3,
                Feasible::Unknown => 4,
            };
            counts[kind] += 1;
            assert!(kind < 2 || kind == 4 || !reached, "seed {seed}: {answer:?} {target:?} {net:?}");
        }
    }
    println!("yes, rational, lattice, weights, unknown: {counts:?}");
    if std::env::var_os("SEED").is_none() {
        assert!(counts[0] > 100 && counts[2] > 0 && counts[3] > 100 && counts[4] < 20, "{counts:?}");
    }
}

#[test]
fn answers_have_proofs() {
    let net = net(&[("a", 4), ("free", 1)], "go: a*2 free -> b*2 busy; back: b busy -> a free");
    let structure = Structure::of(&net, Effort::default());
    let place = |name: &str| net.find_place(name).unwrap();
    let ask = |ranges: &[(&str, u64, Option<u64>)]| {
        let target: Vec<Range> = ranges
            .iter()
            .map(|(name, least, most)| Range { place: place(name), least: *least, most: *most })
            .collect();
        feasible(&net, &structure, &target, Effort::default(), &|| true)
    };
    assert!(matches!(ask(&[("b", 2, Some(2)), ("busy", 1, None)]), Feasible::Yes(_)));
    let Feasible::No(Proof::Weights(_)) = ask(&[("a", 3, None), ("b", 2, None)]) else { panic!() };
    assert_eq!(ask(&[("a", 3, None), ("a", 0, Some(2))]), Feasible::No(Proof::Contradiction(place("a"))));
}
