//! Which events each state has, turned into which states have each event: a matrix of bits, transposed.
//!
//! Whether a state has an event cannot be foreseen. Asked state by state, every answer is a branch that is taken or not; event by
//! event, what is looked at of an event stays the same, and a branch is wrong once for many states. A square of bits takes a few
//! rounds in which blocks change places with each other, of half the size in each round (H. S. Warren, Hacker's Delight, 2002).
//! Where there are no more than 16 events, the squares of four times 16 states lie side by side in words.

use super::lot::MOST_TOGETHER;

/// Puts into `states`, for each event that some state has, which states these are. Tells which events these are.
#[inline(always)]
pub fn turn<T: Copy + Into<u64>>(events: &[T], states: &mut [u64; MOST_TOGETHER]) -> u64 {
    let all: u64 = events.iter().fold(0, |all, events| all | (*events).into());
    let width = u64::BITS - all.leading_zeros();
    // A few events are found sooner by looking at their bits.
    match all.count_ones() {
        0 => {}
        1 => one_by_one(events, all, states),
        _ if width <= 16 => by_squares::<T, 16>(events, states),
        2 => one_by_one(events, all, states),
        _ if width <= 32 => by_squares::<T, 32>(events, states),
        3 | 4 => one_by_one(events, all, states),
        _ => by_squares::<T, 64>(events, states),
    }
    all
}

#[inline(always)]
fn one_by_one<T: Copy + Into<u64>>(events: &[T], all: u64, states: &mut [u64; MOST_TOGETHER]) {
    for event in ones(all) {
        let has = |(at, events): (usize, &T)| ((*events).into() >> event & 1) << at;
        states[event as usize % MOST_TOGETHER] =
            events.iter().enumerate().map(has).fold(0, |all, has| all | has);
    }
}

/// The positions of the ones.
#[inline(always)]
pub fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let at = word.trailing_zeros();
        let is_one = word != 0;
        word &= word.wrapping_sub(1);
        is_one.then_some(at)
    })
}

/// Of events below `WIDTH`.
fn by_squares<T: Copy + Into<u64>, const WIDTH: usize>(events: &[T], states: &mut [u64; MOST_TOGETHER]) {
    let words = &mut states[..WIDTH];
    words.fill(0);
    for (square, events) in events.chunks(WIDTH).enumerate() {
        words.iter_mut().zip(events).for_each(|(word, events)| *word |= (*events).into() << (square * WIDTH));
    }
    let mut half = WIDTH / 2;
    while half > 0 {
        // The lower half of each block's bits.
        let mask = u64::MAX / ((1 << half) + 1);
        for block in words.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                let other = (*low >> half ^ *high) & mask;
                *high ^= other;
                *low ^= other << half;
            }
        }
        half /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_events_are_events_of_states() {
        let sizes = [0, 1, 9, 40, 64]
            .into_iter()
            .flat_map(|len| [1, 2, 3, 5, 16, 17, 33, 64].map(|events| (len, events)));
        for (len, events) in sizes {
            let word = |at: u64| at.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - events);
            let words: Vec<u64> = (0..len).map(word).collect();
            let mut states = [u64::MAX; MOST_TOGETHER];
            let all = turn(&words, &mut states);
            assert_eq!(all, words.iter().fold(0, |all, word| all | word));
            for event in ones(all) {
                let has = |at: &u64| words.get(*at as usize).is_some_and(|word| word >> event & 1 == 1);
                let wanted: Vec<u32> = (0..64).filter(has).map(|at| at as u32).collect();
                assert_eq!(ones(states[event as usize]).collect::<Vec<_>>(), wanted, "{len} {events}");
            }
        }
    }
}
