//! The families of nets have the numbers of states that papers give or combinatorics predicts.

use sweepnet_net::Net;
use sweepnet_testkit::naive;
use sweepnet_testkit::nets::{fms, kanban, mesh, philosophers, railway, readers_writers, token_ring};

fn states_and_arcs(net: &Net) -> (u64, u64) {
    let found = naive::explore(net, usize::MAX);
    (found.states.len() as u64, found.arcs)
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn published_numbers_are_met() {
    assert_eq!(states_and_arcs(&kanban(2)), (4_600, 28_120));
    assert_eq!(states_and_arcs(&fms(2)), (3_444, 16_311));
    assert_eq!(states_and_arcs(&mesh(2)), (200_544, 1_325_472));
    assert_eq!(states_and_arcs(&readers_writers(4)), (90, 245));
}

#[test]
fn philosophers_are_counted_by_the_companion_pell_numbers() {
    for (n, states) in [(2, 6), (3, 14), (4, 34), (5, 82), (6, 198), (7, 478), (8, 1_154)] {
        assert_eq!(states_and_arcs(&philosophers(n)).0, states, "{n}");
    }
}

#[test]
fn a_token_ring_has_three_local_states_without_the_token_and_four_with_it() {
    for n in 2..=6 {
        assert_eq!(states_and_arcs(&token_ring(n)).0, 4 * n as u64 * 3_u64.pow(n as u32 - 1), "{n}");
    }
}

#[test]
fn trains_on_a_circle_keep_their_order() {
    for (trains, sections) in [(1, 5), (2, 7), (3, 8), (4, 9)] {
        let (t, s) = (trains as u64, sections as u64);
        let expected = (t * binomial(s, t), t * s * binomial(s - 2, t - 1));
        assert_eq!(states_and_arcs(&railway(trains, sections)), expected, "{trains} of {sections}");
    }
}
