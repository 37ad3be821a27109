//! Which components share a word of a rank.
//!
//! A rank wider than 64 bits takes several words, and what is left of a word is lost where the next component does not
//! fit any more. Any order of the components will do, so each word but the last gets those that fill it best: the sum of
//! their logarithms, in 64ths of a bit and rounded up, is the largest that does not exceed 64 bits. All sums there are
//! is a string of 4096 bits, which is shifted by each component's share and joined with itself.
//!
//! What is left over in a word then is some 64ths of a bit, mostly, instead of half a component's number.

/// The room in a word, in 64ths of a bit.
const ROOM: usize = 64 * 64;

/// Sums up to [`ROOM`], one bit each.
type Sums = [u64; ROOM / 64 + 1];

/// The components with these capacities in an order in which the words of a rank are filled, one after another. In a word
/// they keep their order. What has but one number stays behind all others: it may follow from them. If `spared`, the
/// largest is in the last word, where it can grow without a change to the weights of others.
pub fn packed(capacities: &[u32], spared: bool) -> Vec<u8> {
    let (mut rest, single): (Vec<u8>, Vec<u8>) =
        (0..capacities.len() as u8).partition(|at| capacities[usize::from(*at)] > 1);
    let share = |at: u8| (f64::from(capacities[usize::from(at)]).log2() * 64.0).ceil() as usize;
    let largest = rest.iter().copied().max_by_key(|at| capacities[usize::from(*at)]).filter(|_| spared);
    rest.retain(|at| Some(*at) != largest);
    let mut order = Vec::with_capacity(capacities.len());
    while rest.iter().copied().chain(largest).map(share).sum::<usize>() > ROOM {
        let shares: Vec<usize> = rest.iter().map(|at| share(*at)).collect();
        let chosen = fullest(&shares);
        if !chosen.contains(&true) {
            break;
        }
        let is_chosen = |position: &(usize, u8)| chosen[position.0];
        let (here, later): (Vec<_>, Vec<_>) = rest.into_iter().enumerate().partition(is_chosen);
        order.extend(here.into_iter().map(|(_, at)| at));
        rest = later.into_iter().map(|(_, at)| at).collect();
    }
    order.extend(rest);
    order.extend(largest);
    order.extend(single);
    order
}

/// Some of these shares with the largest sum that there is room for.
fn fullest(shares: &[usize]) -> Vec<bool> {
    let mut sums: Sums = [0; ROOM / 64 + 1];
    sums[0] = 1;
    let mut before = Vec::with_capacity(shares.len());
    for share in shares {
        before.push(sums);
        add(&mut sums, *share);
    }
    let mut sum = (0..=ROOM).rev().find(|sum| has(&sums, *sum)).unwrap_or(0);
    let mut chosen = vec![false; shares.len()];
    for (at, without) in before.iter().enumerate().rev() {
        if !has(without, sum) {
            chosen[at] = true;
            sum -= shares[at];
        }
    }
    chosen
}

fn has(sums: &Sums, sum: usize) -> bool {
    sums[sum / 64] >> (sum % 64) & 1 == 1
}

/// Each sum, with and without one more share.
fn add(sums: &mut Sums, share: usize) {
    let (words, bits) = (share / 64, share % 64);
    for word in (words..sums.len()).rev() {
        let low = sums[word - words] << bits;
        let carried = if bits > 0 && word > words { sums[word - words - 1] >> (64 - bits) } else { 0 };
        sums[word] |= low | carried;
    }
    // No sum is larger than the room there is.
    sums[ROOM / 64] &= 1;
}

#[cfg(test)]
mod tests {
    use sweepnet_testkit::random::Random;

    use super::*;

    #[test]
    fn the_fullest_sum_is_found() {
        let mut random = Random::new(64);
        for _ in 0..300 {
            let shares: Vec<usize> =
                (0..random.below(11)).map(|_| 1 + random.below(1_400) as usize).collect();
            let sum = |chosen: usize| -> usize {
                shares.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, it)| it).sum()
            };
            let best = (0..1 << shares.len()).map(sum).filter(|sum| *sum <= ROOM).max();
            let chosen = fullest(&shares).iter().zip(&shares).filter(|(is, _)| **is).map(|(_, it)| it).sum();
            assert_eq!(best, Some(chosen), "{shares:?}");
        }
    }

    #[test]
    fn every_component_has_its_place_and_the_largest_the_last_where_it_is_spared() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let capacities: Vec<u32> =
                (0..random.below(40)).map(|_| 1 + (random.next_u64() as u32 >> random.below(32))).collect();
            let spared = random.one_in(2);
            let order = packed(&capacities, spared);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..capacities.len() as u8).collect::<Vec<_>>());
            let counting: Vec<u32> =
                order.iter().map(|at| capacities[usize::from(*at)]).filter(|it| *it > 1).collect();
            assert!(!spared || counting.last() == counting.iter().max());
            let first_single = order.iter().position(|at| capacities[usize::from(*at)] == 1);
            assert!(first_single.is_none_or(|at| at == counting.len()));
        }
    }
}
