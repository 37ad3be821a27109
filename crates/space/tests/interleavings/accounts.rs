//! Counts with a limit: bytes of a budget, members of a set.

use sweepnet_space::Budget;
use sweepnet_space::budget::Charged;
use sweepnet_space::set::Admission;

use crate::{in_every_way, together, with_few_switches};

#[test]
fn a_budget_is_never_overdrawn() {
    in_every_way("two charges of which one fits", || {
        let charge = |budget: &Budget| budget.charge(60).is_ok();
        let (budget, one, other) = together(Budget::of(100), charge, charge);
        assert!(one != other, "one of them fits, whoever comes first");
        assert_eq!(budget.used(), 60);
    });
    in_every_way("what is given back is there for others", || {
        let give = |budget: &Budget| {
            budget.release(60);
            budget.charge(50).is_ok()
        };
        let budget = Budget::of(100);
        budget.charge(60).unwrap();
        let (budget, one, other) = together(budget, give, |budget| budget.charge(50).is_ok());
        assert!(one || other);
        assert_eq!(budget.used(), if one && other { 100 } else { 50 });
    });
}

#[test]
fn vectors_and_holds_take_what_they_charge_and_give_it_back() {
    with_few_switches("a vector grows beside another", 3, || {
        let grow = |budget: &Budget| {
            let mut vector = Charged::<u8>::new(budget);
            let outcome = vector.grow_to(40);
            assert!(budget.used() <= budget.limit());
            assert_eq!(vector.capacity(), if outcome.is_ok() { 40 } else { 0 });
            outcome.is_ok()
        };
        let (budget, one, other) = together(Budget::of(70), grow, grow);
        assert!(one || other);
        assert_eq!(budget.used(), 0);
    });
    in_every_way("two hold something", || {
        let hold = |budget: &Budget| budget.hold(60).ok();
        let (budget, one, other) = together(Budget::of(100), hold, hold);
        assert!(one.is_some() != other.is_some());
        assert_eq!(budget.used(), 60);
        drop((one, other));
        assert_eq!(budget.used(), 0);
    });
}

/// What the system says is resident differs from run to run, but is little beside this: what is charged decides.
const MUCH: usize = 1 << 40;

#[test]
fn a_look_at_the_process_takes_nothing_off_the_account_that_is_charged() {
    in_every_way("somebody looks while another charges", || {
        let budget = Budget::for_process(u64::MAX);
        let at_first = budget.used();
        let (budget, charged, ()) =
            together(budget, |budget| budget.charge(MUCH).is_ok(), |budget| budget.catch_up());
        assert!(charged && budget.used() >= at_first + MUCH as u64);
    });
}

#[test]
fn no_more_are_admitted_than_may_be() {
    in_every_way("four ask for three places", || {
        let take =
            |admission: &Admission| u64::from(admission.take().is_ok()) + u64::from(admission.take().is_ok());
        let (admission, one, other) = together(Admission::new(0, 3), take, take);
        assert_eq!((one + other, admission.members()), (3, 3));
    });
    in_every_way("a place is given back", || {
        let come_and_go = |admission: &Admission| {
            if admission.take().is_ok() {
                admission.give_back();
            }
        };
        let admit = |admission: &Admission| admission.admit(2).is_ok();
        let (admission, (), admitted) = together(Admission::new(1, 3), come_and_go, admit);
        assert_eq!(admission.members(), if admitted { 3 } else { 1 });
    });
    in_every_way("without a limit members are added up", || {
        let settle = |admission: &Admission| admission.settle(2);
        let (admission, (), ()) = together(Admission::new(1, u64::MAX), settle, settle);
        assert_eq!(admission.members(), 5);
    });
}
