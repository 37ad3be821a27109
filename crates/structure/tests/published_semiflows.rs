//! Semiflows of nets from the literature, against the published ones.
#![allow(missing_docs)]

mod common;

use common::net;
use sweepnet_net::Net;
use sweepnet_structure::{Limit, Reason, Structure, place_semiflows, transition_semiflows};

fn ranks(net: &Net) -> Vec<u128> {
    let semiflows = transition_semiflows(net, Limit::default());
    assert!(semiflows.complete);
    let mut ranks: Vec<u128> = semiflows.flows.iter().map(|flow| flow.rank()).collect();
    ranks.sort_unstable();
    ranks
}

fn kanban(n: u64) -> Net {
    let mut rules = String::new();
    for i in 1..=4 {
        rules +=
            &format!("Tredo{i}: Pm{i} -> Pback{i}; Tback{i}: Pback{i} -> Pm{i}; Tok{i}: Pm{i} -> Pout{i};");
    }
    rules += "Tin1: Pkan1 -> Pm1; Tsynch1_23: Pout1 Pkan2 Pkan3 -> Pkan1 Pm2 Pm3;
              Tsynch4_23: Pout2 Pout3 Pkan4 -> Pkan2 Pkan3 Pm4; Tout4: Pout4 -> Pkan4";
    net(&[("Pkan1", n), ("Pkan2", n), ("Pkan3", n), ("Pkan4", n)], &rules)
}

fn philosophers(n: usize) -> Net {
    let mut rules = String::new();
    let mut initial = Vec::new();
    for i in 0..n {
        let next = (i + 1) % n;
        initial.push((format!("think{i}"), 1));
        initial.push((format!("fork{i}"), 1));
        rules += &format!(
            "left{i}: think{i} fork{i} -> one{i}; right{i}: one{i} fork{next} -> eat{i};
             done{i}: eat{i} -> think{i} fork{i} fork{next};"
        );
    }
    let initial: Vec<(&str, u64)> = initial.iter().map(|(name, tokens)| (name.as_str(), *tokens)).collect();
    net(&initial, &rules)
}

#[test]
fn kanban_has_five_cycles_and_its_cells() {
    let net = kanban(5);
    assert_eq!(ranks(&net), [2, 2, 2, 2, 8]);
    let flows = place_semiflows(&net, Limit::default());
    assert!(flows.complete);
    // The four cells; and because Pkan2 and Pkan3 are taken and given back together, cells 2 and 3 with the
    // other's cards.
    let mut cells: Vec<Vec<String>> = ([(1, 1), (2, 2), (3, 3), (4, 4), (2, 3), (3, 2)].iter())
        .map(|(i, k)| vec![format!("Pback{i}"), format!("Pkan{k}"), format!("Pm{i}"), format!("Pout{i}")])
        .collect();
    cells.sort();
    let mut found: Vec<Vec<String>> = Vec::new();
    for flow in &flows.flows {
        assert!(flow.weights.iter().all(|(_, weight)| *weight == 1));
        assert_eq!(flow.constant(&net), Some(5));
        let mut names: Vec<String> = flow.support().map(|p| net.places()[p].id.to_string()).collect();
        names.sort();
        found.push(names);
    }
    found.sort();
    assert_eq!(found, cells);
    let structure = Structure::of(&net, Default::default());
    assert!(structure.bounds.tokens().iter().all(|bound| *bound == Some(5)));
    // Five of the six are independent.
    assert_eq!(structure.determined_places(&net).len(), 5);
    let implicit = structure.implicit_places(&net);
    let [twin] = &implicit[..] else { panic!("one of the twins should go: {implicit:?}") };
    assert_eq!(twin.place, net.find_place("Pkan2").unwrap());
    assert_eq!(twin.reason, Reason::Dominated(net.find_place("Pkan3").unwrap()));
}

#[test]
fn flexible_manufacturing_system() {
    let net = net(
        &[("P1", 2), ("P2", 2), ("P3", 2), ("M1", 3), ("M2", 1), ("M3", 2)],
        "tP1: P1->P1wM1; tM1: P1wM1 M1->P1M1; tP1M1: P1M1->P1d M1; tP1e: P1d->P1s; tP1s: P1s->P1; tP1j: P1d->P1wP2;
         tP2: P2->P2wM2; tM2: P2wM2 M2->P2M2; tP2M2: P2M2->P2d M2; tP2e: P2d->P2s; tP2s: P2s->P2; tP2j: P2d->P2wP1;
         tx: P1wP2 P2wP1->P12; tP12: P12->P12wM3; tM3: P12wM3 M3->P12M3; tP12M3: P12M3->P12s M3; tP12s: P12s->P1 P2;
         tP3: P3->P3M2; tP3M2: P3M2 M2->P3s M2; tP3s: P3s->P3",
    );
    assert_eq!((net.places().len(), net.transitions().len()), (22, 20));
    assert_eq!(ranks(&net), [3, 5, 5, 13]);
}

#[test]
fn multipoll() {
    let net = net(
        &[("x0", 2), ("x1", 2), ("x16", 2), ("x17", 2), ("x7", 3)],
        "t0: x0->x2; t1: x1->x5; t2: x2 x6->x3; t3: x3->x0 x7; t4: x4->x1 x7; t5: x5 x8->x4; t6: x6->x7;
         t7: x8->x7; t8: x9->x6; t9: x7->x9; t10: x9->x8; t11: x9->x10; t12: x9->x11; t13: x10->x7; t14: x11->x7;
         t15: x10 x12->x13; t16: x13->x7 x16; t17: x14->x7 x17; t18: x11 x15->x14; t19: x16->x12; t20: x17->x15",
    );
    assert_eq!((net.places().len(), net.transitions().len()), (18, 21));
    assert_eq!(ranks(&net), [3, 3, 3, 3, 5, 5, 5, 5]);
}

#[test]
fn csm() {
    let net = net(
        &[("x6", 1), ("x7", 1), ("x14", 1), ("x8", 2)],
        "t1: x1->x2; t2: x5 x10->x1 x3; t3: x5 x7->x1 x4; t4: x2 x4->x6 x7; t5: x2 x3->x6 x10; t6: x6->x5;
         t7: x11->x8; t8: x8->x9; t9: x7 x9->x10; t10: x10->x7 x11; t11: x11->x13; t12: x12->x9 x14;
         t13: x13 x14->x12",
    );
    assert_eq!(ranks(&net), [4, 4, 4, 5]);
}

#[test]
fn readers_and_writers() {
    let net = net(
        &[("p1", 4), ("p5", 4)],
        "t1: p1->p2; t2: p2->p3; t3: p2->p4; t4: p3 p5->p6; t5: p4 p5*4->p7; t6: p6->p1 p5; t7: p7->p1 p5*4",
    );
    assert_eq!(ranks(&net), [4, 4]);
    // Readers and writers exclude each other: p5 + p6 + 4 p7 = 4.
    let bounds = Structure::of(&net, Default::default()).bounds;
    let place = |name| net.find_place(name).unwrap();
    assert_eq!(bounds.of(place("p7")), Some(1));
    assert_eq!(bounds.sum_bound(&[(place("p6"), 1), (place("p7"), 4)]), Some(4));
    assert_eq!(bounds.sum_bound(&[(place("p6"), 1), (place("p7"), 1)]), Some(4));
    assert_eq!(bounds.sum_bound(&[(place("p6"), 1), (place("p7"), 4), (place("p5"), -7)]), Some(4));
}

#[test]
fn mesh_of_two_by_two() {
    let rules = "0 3>2; 1 4>5; 3 28>6; 3 14>7; 4 13>8; 4 31>9; 2>3 10; 5>4 11; 6>3 16; 7>1 3; 8>0 4; 9>4 17; 10>12;
        10>13; 11>14; 11>15; 16 19>18; 17 20>21; 12 19>22; 19 30>23; 20 29>24; 15 20>25; 18>19 26; 21>20 27; 22>0 19;
        23>17 19; 24>16 20; 25>1 20; 26>28; 26>29; 27>30; 27>31";
    let text: Vec<String> = (rules.split(';').enumerate())
        .map(|(i, rule)| format!("t{i}: {}", rule.trim().replace('>', " -> ")))
        .collect();
    let net = net(
        &[("0", 2), ("1", 2), ("16", 2), ("17", 2), ("3", 1), ("4", 1), ("19", 1), ("20", 1)],
        &text.join(";"),
    );
    assert_eq!((net.places().len(), net.transitions().len()), (32, 32));
    assert_eq!(ranks(&net), [5; 8]);
}

#[test]
fn philosophers_and_forks_are_the_invariants() {
    let net = philosophers(6);
    let flows = place_semiflows(&net, Limit::default());
    // One per philosopher (think, one, eat) and one per fork (fork, one, eat, eat of the neighbour).
    assert_eq!(flows.flows.iter().filter(|flow| flow.weights.len() == 3).count(), 6);
    assert_eq!(flows.flows.iter().filter(|flow| flow.weights.len() == 4).count(), 6);
    assert_eq!((flows.flows.len(), flows.complete), (12, true));
    let structure = Structure::of(&net, Default::default());
    assert!(structure.bounds.tokens().iter().all(|bound| *bound == Some(1)));
    assert_eq!(structure.determined_places(&net).len(), 12);
    // Two neighbours never eat at the same time; all six could, by the bounds of each alone.
    let eat = |i: usize| net.find_place(&format!("eat{i}")).unwrap();
    assert_eq!(structure.bounds.sum_bound(&[(eat(0), 1), (eat(1), 1)]), Some(1));
    let all: Vec<_> = (0..6).map(|i| (eat(i), 1)).collect();
    assert_eq!(structure.bounds.sum_bound(&all), Some(3));
}
