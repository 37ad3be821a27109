//! States that wait are taken once each.

use sweepnet_space::Budget;
use sweepnet_space::search::frontier::{Form, Frontier};

use crate::{in_every_way, together, with_few_switches};

fn frontier(very_many: u64, budget: &Budget) -> Frontier {
    let mut frontier = Frontier::new(Form { bits: 30, label: 0, very_many, in_order: true }, budget);
    frontier.expect(1);
    frontier
}

fn take_all(frontier: &Frontier) -> Vec<[u64; 1]> {
    let mut taken = Vec::new();
    while frontier.take(&mut taken) {}
    taken
}

#[test]
fn two_takers_take_each_state_once() {
    in_every_way("two takers", || {
        let budget = Budget::of(u64::MAX);
        let waiting = frontier(u64::MAX, &budget);
        waiting.push(&[[1], [2]]).unwrap();
        waiting.push(&[[3]]).unwrap();
        let (waiting, one, other) = together(waiting, take_all, take_all);
        let mut taken = [one, other].concat();
        taken.sort_unstable();
        assert_eq!(taken, [[1], [2], [3]]);
        assert!(waiting.is_empty());
        assert_eq!((waiting.bytes(), budget.used()), (0, 0));
    });
}

#[test]
fn what_two_put_in_is_all_there() {
    for very_many in [u64::MAX, 1] {
        with_few_switches("two put states in", 3, move || {
            let budget = Budget::of(u64::MAX);
            let push = |state: u64| move |waiting: &Frontier| waiting.push(&[[state]]).unwrap();
            let (waiting, (), ()) = together(frontier(very_many, &budget), push(1), push(2));
            assert_eq!((waiting.len(), waiting.bytes() as u64), (2, budget.used()));
            let mut taken = take_all(&waiting);
            taken.sort_unstable();
            assert_eq!(taken, [[1], [2]]);
            assert_eq!(budget.used(), 0);
        });
    }
}
