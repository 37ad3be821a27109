//! How many local markings each component will have.
//!
//! Making all ranks anew costs about as much as finding the states did, so it must not happen often. When one component
//! has outgrown its capacity, all that are nearly full get what they will need until there are twice as many states, as far as can
//! be told: a component whose local markings grew like R^β since the last time gets 2^β times as many as it has. So
//! ranks are made anew once for each doubling, and S is too large by a factor of 2 to the sum of the βs at most.

/// Remembers how many there were the last time.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    states: u64,
    counts: Vec<u32>,
}

impl Growth {
    /// The capacities to have from now on, given the local markings and states there are.
    pub fn capacities(&mut self, present: &[u32], counts: &[u32], states: u64) -> Vec<u32> {
        let doublings = (states.max(1) as f64 / self.states.max(1) as f64).log2();
        let capacity = |(at, count): (usize, &u32)| {
            // Who has room to spare keeps what it has.
            if let Some(present) = present.get(at)
                && u64::from(*count) * 8 < u64::from(*present) * 7
            {
                return *present;
            }
            let before = self.counts.get(at).copied().unwrap_or(1);
            let doublings_here = (f64::from((*count).max(1)) / f64::from(before.max(1))).log2();
            let exponent = if doublings > 0.5 { (doublings_here / doublings).clamp(0.0, 1.0) } else { 0.5 };
            let more = f64::from(*count) * exponent.exp2() * 1.03 + 4.0;
            more.min(f64::from(u32::MAX - 2)) as u32
        };
        let capacities = counts.iter().enumerate().map(capacity).collect();
        if doublings > 0.5 {
            self.states = states;
            self.counts = counts.to_vec();
        }
        capacities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_grow_gets_little_more_than_it_has() {
        let mut growth = Growth::default();
        growth.capacities(&[10, 500, 100, 90], &[10, 500, 100, 50], 1_000);
        let capacities = growth.capacities(&[10, 1_000, 140, 90], &[10, 1_000, 140, 60], 2_000);
        assert_eq!(capacities[3], 90);
        assert!((10..20).contains(&capacities[0]));
        assert!((2_000..2_200).contains(&capacities[1]));
        assert!((190..220).contains(&capacities[2]));
    }
}
