//! Some of the states that an exploration has found, to judge by.
//!
//! Which partition is the best is often a near tie, and which of two it becomes may double the time of all that follows.
//! So it should not hang on how states happen to be kept. States are chosen by a hash of what they are: the same ones in
//! the same order, whatever their ranks, the set they are in, and the number of threads that found them.

use sweepnet_net::Marking;

use super::automata::MOST_ROOTS;
use super::engine::MOST_WORDS;
use super::exploration::Exploration;
use super::system::Product;
use crate::Budget;
use crate::set::held::AnyRank;

/// An odd factor that spreads sums of hashes.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Shows up to so many of the states found; none if there is no memory to look for them.
pub fn some_markings(
    exploration: &Exploration<'_>,
    budget: &Budget,
    most: usize,
    visit: &mut dyn FnMut(Marking),
) {
    let (automata, radix, set) = (exploration.automata(), exploration.radix(), exploration.set());
    // A few more are kept, because hashes are never spread quite evenly.
    let kept = most + most / 8 + 64;
    let bytes = automata.hash_bytes() + 2 * kept * size_of::<(u64, AnyRank)>();
    let Ok(_room) = budget.hold(bytes) else { return };
    let hashes = automata.hashes();
    let share = kept as f64 / set.len().max(1) as f64;
    let below = if share < 1.0 { (share * u64::MAX as f64) as u64 } else { u64::MAX };
    let mut numbers = [0; MOST_ROOTS];
    let mut chosen: Vec<(u64, AnyRank)> = Vec::new();
    set.each(&mut |rank| {
        radix.numbers(&rank, &mut numbers);
        let parts = hashes.iter().zip(numbers).map(|(hashes, number)| hashes[number as usize]);
        let sum = parts.fold(0, u64::wrapping_add);
        let hash = (sum ^ sum >> 32).wrapping_mul(SPREAD);
        if hash <= below && chosen.len() < 2 * kept {
            chosen.push((hash, rank));
        }
    });
    chosen.sort_unstable();
    let product = Product::<MOST_WORDS> { automata, radix };
    chosen.iter().take(most).for_each(|(_, rank)| visit(product.marking_of(rank)));
}

#[cfg(test)]
mod tests {
    use sweepnet_structure::Structure;
    use sweepnet_testkit::nets;

    use super::*;
    use crate::divisible::Divided;
    use crate::product::automata::Given;
    use crate::product::exploration::Course;
    use crate::product::partition::{Partition, Proposer};
    use crate::product::suiting::Wish;
    use crate::set::held::Kind;
    use crate::{Control, Plan};

    #[test]
    fn the_same_states_are_shown_however_they_are_kept() {
        let net = nets::kanban(2);
        let plan = Plan::knowing(&net, &Structure::of(&net, Default::default()));
        let given = Given {
            net: &net,
            complements: &[],
            knowledge: &plan.knowledge,
            with_events: false,
            with_totals: false,
        };
        let places: Vec<_> = net.place_ids().collect();
        let partition = Partition::flat(Proposer::Given, places.chunks(4).map(<[_]>::to_vec).collect());
        let shown = |kind, threads, capacity: u32| {
            let course =
                Course { given, wish: Wish::This(kind), threads, most_row_bytes: usize::MAX, stress: false };
            let mut control = Control::unlimited();
            let capacities = vec![capacity; partition.parts.len()];
            let mut exploration = Exploration::new(course, &partition, &capacities, false, &control).unwrap();
            assert_eq!(
                exploration.run(&mut Divided::new(&mut ()), &mut control, &mut |_, _, _| Ok(())),
                None
            );
            assert_eq!(exploration.states(), 4_600);
            let mut shown = Vec::new();
            some_markings(&exploration, control.budget(), 500, &mut |marking| shown.push(marking));
            shown
        };
        let some = shown(Kind::Plain, 1, 2);
        assert_eq!(some.len(), 500);
        for (kind, threads, capacity) in [(Kind::Quotient, 1, 10), (Kind::Bitmap, 2, 100)] {
            assert!(shown(kind, threads, capacity) == some, "{kind:?}");
        }
    }
}
