//! Which component has the least weight in a rank, which comes next, and so on.
//!
//! For most purposes all orders are the same. But a bitmap has memory only for the pages in which there are members, and a
//! page is all tuples that agree in the numbers with the greatest weights. If the numbers with the least weights take on
//! nearly all combinations, whatever the others are, pages are full and few; if those hang together, there are many, with
//! little in each. (DNAwalker-PT-09ringLR takes 11.7 bits per state if the smallest components have the least weights, and
//! 7.3 the other way round. Kanban is the opposite.) So a few orders are tried on the states found.

use super::radix::Radix;
use crate::Budget;
use crate::budget::Charged;
use crate::set::bitmap::Bitmap;

/// Another order is taken if it needs fewer pages than these, of ten that the usual one needs.
const MUCH_BETTER: u64 = 9;

/// Components that may be moved to the front one by one: the largest.
const MOVED: usize = 2;

/// The ranks of this radix, with its components in the order in which states need the fewest pages of a bitmap. `show` shows
/// the numbers of all states. Without memory to try any, the order stays as it is.
pub fn best_for_bitmap(
    radix: Radix,
    tagged: bool,
    budget: &Budget,
    show: impl FnOnce(&mut dyn FnMut(&[u32])),
) -> Radix {
    let Some(ranks) = radix.ranks() else { return radix };
    let page = Bitmap::ranks_of_page(ranks, tagged);
    let words = (ranks / page / 64 + 1) as usize;
    let capacities: Vec<u32> = radix.capacities().collect();
    let tried = |order: Vec<u8>| {
        let touched = Charged::filled(budget, 0u64, words).ok()?;
        Some((Radix::in_order(&capacities, order), touched))
    };
    let Some(mut tries) = orders(&capacities).into_iter().map(tried).collect::<Option<Vec<_>>>() else {
        return radix;
    };
    show(&mut |numbers| {
        for (radix, touched) in &mut tries {
            let [rank] = radix.rank(&numbers[..capacities.len()]);
            let page = rank / page;
            touched[page as usize / 64] |= 1 << (page % 64);
        }
    });
    let pages = |touched: &[u64]| touched.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let usual = pages(&tries[0].1);
    let best = tries.into_iter().min_by_key(|(_, touched)| pages(touched));
    best.filter(|(_, touched)| pages(touched) * 10 < usual * MUCH_BETTER).map_or(radix, |(radix, _)| radix)
}

/// The ranks of this radix, with its components in the reverse order.
pub fn reversed(radix: &Radix) -> Radix {
    let capacities: Vec<u32> = radix.capacities().collect();
    let order = orders(&capacities).swap_remove(1);
    Radix::in_order(&capacities, order)
}

/// The usual order, its reverse, and some with one of the largest components first. What has but one number stays at the
/// end: it may follow from the others.
fn orders(capacities: &[u32]) -> Vec<Vec<u8>> {
    let (counting, others): (Vec<u8>, Vec<u8>) =
        (0..capacities.len() as u8).partition(|at| capacities[usize::from(*at)] > 1);
    let moved = counting.iter().rev().take(MOVED).map(|first| {
        let rest = counting.iter().filter(|at| *at != first);
        std::iter::once(first).chain(rest).copied().collect()
    });
    let usual = std::iter::once(counting.clone());
    let reverse = counting.iter().rev().copied().collect();
    let mut orders: Vec<Vec<u8>> = usual.chain([reverse]).chain(moved).collect();
    orders.iter_mut().for_each(|order| order.extend(&others));
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_together_gets_the_greatest_weights() {
        // The two largest numbers are the same; the smallest is anything.
        let show = |visit: &mut dyn FnMut(&[u32])| {
            for (a, b) in (0..500).flat_map(|a| (0..300).map(move |b| (a, b))) {
                visit(&[b, a, a, 0]);
            }
        };
        let budget = Budget::of(u64::MAX);
        let radix = Radix::new(&[300, 500, 500, 1]);
        assert_eq!(best_for_bitmap(radix.clone(), false, &budget, show).order(), [0, 1, 2, 3]);
        let turned = |visit: &mut dyn FnMut(&[u32])| {
            show(&mut |numbers| visit(&[numbers[1], numbers[2], numbers[0], 0]))
        };
        let best = best_for_bitmap(Radix::new(&[500, 500, 300, 1]), false, &budget, turned);
        assert_eq!(best.order()[0], 2);
        assert_eq!(best.order()[3], 3);
        assert_eq!(best_for_bitmap(radix.clone(), false, &Budget::of(10), show), radix);
    }
}
